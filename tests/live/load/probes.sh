#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A short run of "make load CASES=probes": each of many functions is counted exactly.
# @vm no: a compiler runs too long there
# @alone
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
FUNCTIONS=500 SEED=$((RANDOM % 1000)) exec "$SRCDIR/tests/stress/load" probes
