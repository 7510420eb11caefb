#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A file of freopen() that cannot be written ends tracing, with its name and the cause, wherever in the run it happens.
set -u
bad=0
complain() { echo "$1"; bad=1; }

# fails FILE PROGRAM [WHEN]
fails() {
	local out status=0
	out=$(timeout 20 "$DTRACE" -wqn "$2" 2>&1) || status=$?
	[[ $status == 1 ]] || complain "$2: status $status"
	[[ $out == "dtrace: ${3:-processing aborted}: failed to write to $1: No space left on device" ]] || complain "$2: [$out]"
}
fails /dev/full 'BEGIN { freopen("/dev/full"); printf("x"); } tick-1s { exit(0); }' 'could not enable tracing'
fails /dev/full 'BEGIN { freopen("/dev/full"); } tick-50ms { printf("x"); } tick-2s { exit(0); }'
fails /dev/full 'tick-50ms { freopen("/dev/full"); printf("x"); } tick-2s { exit(0); }'
fails /dev/full 'tick-50ms { freopen("/dev/full"); printf("x"); freopen(""); } tick-2s { exit(0); }'
fails /dev/full 'tick-50ms { freopen("/dev/full"); printf("x"); system("true"); } tick-2s { exit(0); }'
fails /dev/full 'BEGIN { freopen("/dev/full"); @ = count(); exit(0); }'
fails /dev/full 'BEGIN { freopen("/dev/full"); exit(0); } END { printf("x"); }'
fails /dev/full 'BEGIN { freopen("/dev/%s", "full"); exit(0); } END { printf("x"); }'

# a disk that fills up
exec unshare -m bash -c '
	mount -t tmpfs -o size=64k full "$TMPDIR" && cd "$TMPDIR" || exit 1
	out=$(timeout 20 "$DTRACE" -wqn "BEGIN { freopen(\"$TMPDIR/out\"); } tick-1ms { printf(\"%01000d\", 1); } tick-10s { exit(0); }" 2>&1)
	[[ $? == 1 && $out == "dtrace: processing aborted: failed to write to $TMPDIR/out: No space left on device" ]] ||
		{ echo "a small disk: [$out]"; exit 1; }
	exit '$bad
