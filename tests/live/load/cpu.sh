#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A short run of "make load CASES=cpu": a CPU goes and comes back.
# @needs vm
# @timeout 60
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
exec "$SRCDIR/tests/stress/load" cpu
