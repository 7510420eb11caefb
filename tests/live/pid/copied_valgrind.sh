#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @alone
# @timeout 120
# @needs valgrind
# A program under valgrind, which makes code of its own of what it reads: a breakpoint there would become a trap.
set -u
. "${0%/*}/copied.inc"

translated valgrind valgrind -q --tool=none
finish
