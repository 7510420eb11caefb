#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A short run of "make load CASES=threads": what threads leave in self-> variables is freed with them.
# @vm no: threads start too slowly there
# @alone
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
THREADS=20000 exec "$SRCDIR/tests/stress/load" threads
