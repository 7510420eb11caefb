#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench/run goes through all it measures, and what dtrace counted is right.
# @vm no: measures, which makes no sense there
# @timeout 60
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
OURS_ONLY=1 "$SRCDIR/bench/run" --selftest
