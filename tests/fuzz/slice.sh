#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 150
# A slice of `make torture`: random programs compile, load and print what they should.
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
torture() { "$BUILD/tests/fuzz/torture" -d "$DTRACE" -t "$BUILD/tests/live/triggers/calls" "$@"; }

torture -s 1 -n 400 -z 15 && torture -s 5000 -n 25 -z 60
