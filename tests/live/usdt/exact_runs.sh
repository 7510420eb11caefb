#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 400
# A few small runs of "make exact", which counts every firing of many short processes; also while dtrace is stopped for half a second.
# @ref providers 16.4 every-firing
set -u
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
export RUNS=2 PROCESSES=60 FILES=20
[[ -n ${DTRACE_VM:-} ]] && RUNS=1 PROCESSES=20 FILES=5
"$SRCDIR/tests/stress/exact" wildcard follow hold drops unknown unknown-follow followlate || exit 1
RUNS=1 STOP=0.5 PROCESSES=$((10 * PROCESSES)) "$SRCDIR/tests/stress/exact" wildcard follow unknown unknown-follow followlate
