#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A short run of "make load CASES=build": each firing of sched, proc and syscall in a parallel build is received or dropped.
# @vm no: a compiler runs too long there
# @needs make
# @timeout 120
# @alone
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
FILES=8 exec "$SRCDIR/tests/stress/load" build
