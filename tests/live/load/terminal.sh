#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A short run of "make load CASES=terminal": a terminal that stands still holds nobody up.
# @vm no: its calls take longer than the pause
# @alone
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
CALLS=50000 PAUSE=2 exec "$SRCDIR/tests/stress/load" terminal
