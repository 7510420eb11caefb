#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A short run of "make load CASES=clock": the time of day is set.
# @needs vm
# @timeout 60
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
exec "$SRCDIR/tests/stress/load" clock
