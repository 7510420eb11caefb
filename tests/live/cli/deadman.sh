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

# Stops dtrace for so many seconds; $span is how long it counted, in ms.
stopped_for() { # SECONDS OPTION...
	local s=$1 i
	shift
	rm -f out.txt
	"$DTRACE" -q -b 64k "$@" -p $target -n 'BEGIN { t = timestamp; printf("begin\n"); }
		syscall::getppid:entry /pid == $target/ { @last = max((timestamp - t) / 1000000); }
		syscall::getppid:entry /pid == $target/ { printf("x\n"); }
		tick-9s { exit(0); } END { printa("last %@d\n", @last); printf("end\n"); }' >out.txt 2>err.txt &
	dtrace=$!
	for ((i = 0; i < 100; i++)); do
		grep -q x out.txt 2>/dev/null && break
		sleep .05
	done
	kill -STOP $dtrace
	sleep "$s"
	kill -CONT $dtrace
	status=0
	wait $dtrace || status=$?
	span=$(sed -n 's/^last //p' out.txt)
	err=$(<err.txt)
	what="$* stopped for $s s"
}

stopped_for 6 -x deadman=1s
expect_status 1
expect_text "last line of stderr" "$(tail -n 1 err.txt)" "dtrace: processing aborted: Abort due to systemic unresponsiveness"
expect_text "END" "$(grep -x end out.txt)" end
[[ $span -ge 1000 && $span -lt 5500 ]] || complain "counted for $span ms"

# a pause within the limit is no reason, nor is any pause if it is off
for o in "3 -x deadman=10s" "6 -x deadman=0"; do
	stopped_for $o
	expect_status 0
	[[ $span -ge 8000 ]] || complain "counted for $span ms"
	! grep -q aborted err.txt || complain "$err"
done
finish
