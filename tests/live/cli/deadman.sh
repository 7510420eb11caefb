#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# deadman: a dtrace that cannot read its buffer for so long is stopped by its own probes, while it is still away; when it
# comes back it prints what was recorded, runs END and says why tracing ended.
# @timeout 60
# @alone
set -u
. "${0%/*}/lib.sh"
"$BUILD/tests/live/triggers/calls" getppid 1000000000 &
target=$!
trap 'kill $target; wait' EXIT

# Stops a dtrace for so many seconds. What it and its end said is in the files of NAME; all of them run at the same time.
stopped_for() { # NAME SECONDS OPTION...
	local name=$1 s=$2 dtrace status=0
	shift 2
	"$DTRACE" -q -b 64k "$@" -p $target -n 'BEGIN { t = timestamp; printf("begin\n"); }
		syscall::getppid:entry /pid == $target/ { @last = max((timestamp - t) / 1000000); }
		syscall::getppid:entry /pid == $target/ { printf("x\n"); }
		tick-9s { exit(0); } END { printa("last %@d\n", @last); printf("end\n"); }' >"$name.out" 2>"$name.err" &
	dtrace=$!
	until grep -qs x "$name.out" || [[ ! -e /proc/$dtrace ]]; do sleep .05; done
	kill -STOP $dtrace
	sleep "$s"
	kill -CONT $dtrace
	wait $dtrace || status=$?
	echo $status >"$name.status"
}

# $span is how long it counted, in ms.
of() { # NAME
	what="$1" status=$(<"$1.status") err=$(<"$1.err")
	span=$(sed -n 's/^last //p' "$1.out")
}

# a pause within the limit is no reason, nor is any pause if it is off
stopped_for beyond 6 -x deadman=1s &
beyond=$!
stopped_for within 3 -x deadman=10s &
within=$!
stopped_for off 6 -x deadman=0 &
wait $beyond $within $!

of beyond
expect_status 1
expect_text "last line of stderr" "$(tail -n 1 beyond.err)" "dtrace: processing aborted: Abort due to systemic unresponsiveness"
expect_text "END" "$(grep -x end beyond.out)" end
[[ $span -ge 1000 && $span -lt 5500 ]] || complain "counted for $span ms"
for name in within off; do
	of $name
	expect_status 0
	[[ $span -ge 8000 ]] || complain "counted for $span ms"
	! grep -q aborted $name.err || complain "$err"
done
finish
