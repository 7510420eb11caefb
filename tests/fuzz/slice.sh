#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 300
# The first minute or so of `make torture`: random programs compile, load and print what they should. The seeds are always
# the same, so that a failure is a change's fault; `make torture` searches on from seeds of its own.
# @slow
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
torture() { "$BUILD/tests/fuzz/torture" -d "$DTRACE" -t "$BUILD/tests/live/triggers/calls" -j 2 -r 100 "$@"; }

torture -s 1 -n 300 -z 8 && torture -s 5000 -n 20 -z 60 && torture -s 100000 -n 1200 -z 10
