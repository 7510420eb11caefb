#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ^C and SIGTERM: END, aggregations, status 0; ignored signals stay ignored.
set -u
. "${0%/*}/lib.sh"

# Start dtrace, wait for BEGIN's output, send it the signals, wait for its end.
interrupted() { # SIGNALS -- ARGUMENTS
	local signals=() i
	while [[ $1 != -- ]]; do
		signals+=("$1")
		shift
	done
	shift
	what="$* (${signals[*]})"
	# bash starts what runs in the background with SIGINT ignored
	env --default-signal=INT "$DTRACE" "$@" >out.txt 2>err.txt </dev/null &
	for ((i = 0; i < 100; i++)); do
		grep -q started out.txt && break
		sleep 0.1
	done
	for i in "${signals[@]}"; do
		kill -s "$i" $!
	done
	status=0
	wait $! || status=$?
	out=$(cat out.txt; echo x) out=${out%x}
	err=$(cat err.txt)
}

program='BEGIN { printf("started\n"); @ = count(); } END { printf("end"); }'

# a newline for the ^C, END, the newline of every run, aggregations
for signal in INT TERM; do
	interrupted $signal -- -qn "$program"
	expect_status 0
	expect_out $'started\n\nend\n\n                1\n'
	expect_text stderr "$err" ""
done

env --ignore-signal=INT "$DTRACE" -qn "$program" >out.txt 2>err.txt </dev/null &
for ((i = 0; i < 100; i++)); do
	grep -q started out.txt && break
	sleep 0.1
done
kill -s INT $!
sleep 0.5
kill -0 $! 2>/dev/null || complain "ended by a SIGINT that was ignored when it started"
kill -s TERM $!
wait $! || complain "status $?"

finish
