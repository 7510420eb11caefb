#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Into a pipe: what is printed is there while tracing goes on; a reader that goes away ends the run quietly and leaves
# nothing behind; the messages are on stderr alone.
# @ref cli 2.2 flushed not-stderr
# @ref cli 5.1 sigpipe sighup
# @ref cli 5 created-killed
# @timeout 60
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
bad=0

complain() {
	echo "$1"
	bad=1
}

expect() { # WHAT GOT EXPECTED
	[[ $2 == "$3" ]] || complain "$1: got [$2], expected [$3]"
}

# Start dtrace into a pipe whose reader is descriptor 3; its first lines are compared while it runs.
reads() { # WHAT REGEX OPTION...
	local what=$1 regex=$2 line status=0
	shift 2
	rm -f fifo
	mkfifo fifo
	env --default-signal=INT "$DTRACE" "$@" >fifo 2>err.txt </dev/null &
	exec 3<fifo
	for _ in 1 2 3; do
		line=""
		read -r -t 20 line <&3 || complain "$what: no line within 20 s: $(<err.txt)"
		while [[ -z $line ]]; do # tables begin with an empty one
			read -r -t 20 line <&3 || break
		done
		[[ $line =~ $regex ]] || complain "$what: $line"
	done
	kill -0 $! || complain "$what: it did not go on"
	kill -s INT $!
	cat <&3 >rest.txt
	wait $! || status=$?
	exec 3<&-
	expect "$what: status" "$status" 0
	expect "$what: stderr" "$(<err.txt)" ""
}

reads "records" '^t [0-9]+$' -qn 'tick-100 { printf("t %d\n", n++); }'
reads "records, long switchrate" '^t [0-9]+$' -x switchrate=50ms -qn 'tick-100 { printf("t %d\n", n++); }'
reads "a table" '^dtrace +[0-9]+$' -qn 'tick-100 { @["dtrace"] = count(); printa(@); }'
reads "JSON" '^\{"type":"(session|record)".*\}$' --output=json -qn 'tick-100 { printf("t %d\n", n++); }'
reads "each CPU's" '^t [0-9]+$' -x temporal=no -qn 'tick-100 { printf("t %d\n", n++); }'

# END's output is behind everything else, whatever waits when it is interrupted
reads "END" '^t [0-9]+$' -qn 'tick-1000 { printf("t %d\n", n++); } END { printf("end %d\n", n); }'
expect "END: the last line" "$(grep . rest.txt | tail -n 1)" "end $(grep -c ^t rest.txt | awk '{ print $1 + 3 }')"

# a reader that wants one line
for format in text json; do
	line=$("$DTRACE" --output=$format -qn 'tick-1000 { printf("%d\n", n++); }' -c 'sleep 1000' 2>err.txt </dev/null | head -n 1
		echo "${PIPESTATUS[0]}")
	expect "head, $format: status" "${line##*$'\n'}" 141
	[[ $line == 0* || $line == '{"type":"session"'* ]] || complain "head, $format: $line"
	expect "head, $format: stderr" "$(<err.txt)" ""
done

# the child it has made dies with it, of whatever it dies
gone() { # PID
	local i
	for ((i = 0; i < 100; i++)); do
		kill -0 "$1" 2>/dev/null || return 0
		sleep 0.05
	done
	complain "$2: the child $1 lives"
	kill "$1"
}
child=$("$DTRACE" -qn 'BEGIN { printf("%d\n", $target); } tick-1000 { printf("x\n"); }' -c 'sleep 1000' </dev/null | head -n 1)
[[ $child =~ ^[0-9]+$ ]] || complain "no child: $child"
gone "$child" SIGPIPE
for signal in HUP KILL; do
	rm -f fifo
	mkfifo fifo
	env --default-signal=HUP "$DTRACE" -qn 'BEGIN { printf("%d\n", $target); }' -c 'sleep 1000' >fifo 2>err.txt </dev/null &
	read -r -t 20 child <fifo
	kill -s $signal $!
	wait $! 2>/dev/null
	gone "$child" SIG$signal
done
exit $bad
