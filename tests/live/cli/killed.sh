#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A few rounds of "make kill": a tracer that is killed, stopped, without a reader or without memory leaves nothing.
# @timeout 120
# @vm no: processes start too slowly for its moments
set -u
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
ROUNDS=20 SEED=$((RANDOM % 1000)) exec "$SRCDIR/tests/stress/kill"
