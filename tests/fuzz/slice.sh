#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 300
# A minute of `make torture`: random programs compile, load and print what they should.  Some seeds
# are always the same; the rest is new each time, and a failure says which program it was.
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
torture() { "$BUILD/tests/fuzz/torture" -d "$DTRACE" -t "$BUILD/tests/live/triggers/calls" -j 2 -r 100 "$@"; }

begin=$SECONDS
torture -s 1 -n 300 -z 8 && torture -s 5000 -n 20 -z 60 || exit 1
left=$((60 - (SECONDS - begin)))
((left > 0)) || exit 0
torture -s "$(date +%s)000" -S "$left" -z 10
