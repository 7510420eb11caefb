#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The Python frames of jstack() are those of faulthandler in Python 3.10: functions, files, lines and their order, for code of all
# shapes and names in all alphabets.
# @timeout 180
# @needs python3
. "$SRCDIR/tests/live/managed/witness.sh"
witness 3.10
