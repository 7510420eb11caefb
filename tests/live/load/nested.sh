#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A short run of "make load CASES=nested": probes that interrupt one another, and firings that the kernel misses.
# @vm no: interrupts come faster than it can run their programs
# @alone
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
CALLS=5000 exec "$SRCDIR/tests/stress/load" nested
