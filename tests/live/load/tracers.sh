#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A short run of "make load CASES=tracers": ten tracers of one process are all exact.
# @vm no: ten programs start too slowly there
# @timeout 120
# @alone
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
CALLS=10000 exec "$SRCDIR/tests/stress/load" tracers
