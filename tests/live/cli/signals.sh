#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ^C and SIGTERM: END, aggregations, status 0; a second one; ignored signals stay ignored.
# @timeout 240
# @ref d-errors 1.5 first-interrupt second-interrupt success
# @ref d-language 5.2 active-until final-newline
set -u
. "${0%/*}/lib.sh"

# What a shell starts in the background has SIGINT and SIGQUIT ignored.
as_in_terminal=(env --default-signal=INT,QUIT)

# Start dtrace with ARGUMENTS and wait for BEGIN's output.
# @ref cli 5.1 interrupt terminate interrupt-newline impatient ignored-stay-ignored sighup newline-then-aggregations
# @ref cli 5 created-killed
# @ref cli 2.2 flushed
# @ref cli 5.3 success
start() {
	local i
	what=$*
	: >out.txt
	"${as_in_terminal[@]}" "$DTRACE" "$@" >out.txt 2>err.txt </dev/null &
	for ((i = 0; i < 200; i++)); do
		grep -q started out.txt && return
		sleep 0.05
	done
	complain "it has not begun: $(cat err.txt)"
}

# Its end.
ended() {
	status=0
	wait $! 2>/dev/null || status=$?
	out=$(cat out.txt; echo x) out=${out%x}
	err=$(cat err.txt; echo x) err=${err%x}
}

program='BEGIN { printf("started\n"); @ = count(); } END { printf("end"); }'

# a newline for the ^C, END, the newline of every run, aggregations
for signal in INT TERM; do
	start -qn "$program"
	kill -s $signal $!
	ended
	expect_status 0
	expect_out $'started\n\nend\n                1\n'
	expect_err ""
done

# not quiet: records keep their lines
start -n "$program"
kill -s INT $!
ended
expect_status 0
expect_text stdout "$(sed -E 's/^ *[0-9]+ /# /' out.txt)" \
	$'CPU     ID                    FUNCTION:NAME\n#      1                           :BEGIN started\n\n\n#      2                             :END end\n\n                1'
expect_err $'dtrace: description \'BEGIN \' matched 2 probes\n'

# two at once are one: timeout(1) signals the process, then its group
start -qn "$program"
kill -s STOP $!
kill -s INT $!
kill -s TERM $!
kill -s CONT $!
ended
expect_status 0
expect_out $'started\n\nend\n                1\n'
for gap in 0 0.001 0.01; do
	start -qn "$program"
	kill -s INT $!
	sleep $gap
	kill -s INT $! 2>/dev/null
	ended
	expect_status 0
	expect_out $'started\n\nend\n                1\n'
done

# the reader of the output has stopped reading: the first ^C waits for it, the second does not
# a process that does not end by itself, which would be another way for tracing to end
printf '#!/bin/sh\n"%s" getppid 20000\nexec sleep 1000\n' "$BUILD/tests/live/triggers/calls" >calling
chmod +x calling
mkfifo pipe
blocked() { # ^C as often as said, then what is left is read: its lines, and whether it had ended before
	what="blocked, $1 interrupts"
	: >err.txt
	"${as_in_terminal[@]}" "$DTRACE" -qn 'syscall::getppid:entry /progenyof($target) && execname == "calls"/ {
		printf("%060d\n", ++n); } END { printf("end %d\n", n); }' -c ./calling >pipe 2>err.txt </dev/null &
	exec 3<pipe
	# it waits in write(2) on the pipe
	for ((i = 0; i < 200; i++)); do
		[[ $(cut -d' ' -f1 /proc/$!/syscall 2>/dev/null) == 1 ]] && break
		sleep 0.05
	done
	for ((i = 0; i < $1; i++)); do
		kill -s INT $!
		sleep 0.2
	done
	for ((i = 0; i < $1 * 50 - 50; i++)); do
		kill -0 $! 2>/dev/null || break
		sleep 0.05
	done
	kill -0 $! 2>/dev/null && ended=no || ended=yes
	cat <&3 >out.txt
	exec 3<&-
	ended
}
blocked 1
expect_status 0
expect_err ""
expect_text "ended before, records, END" "$ended $(grep -c '^0' out.txt) $(grep end out.txt)" "no $(grep -c '^0' out.txt) end $((10#$(grep '^0' out.txt | tail -n 1)))"
# the empty line of ^C comes before what is consumed last: END's record, and others that were left
expect_text "empty lines, and the last two" "$(grep -c '^$' out.txt) $(tail -n 2 out.txt | sed 's/[0-9][0-9]*//')" '2 end '
blocked 2
expect_status 0
expect_err ""
expect_text "ended before, END" "$ended $(grep -c end out.txt)" 'yes 0'

# the child is killed, a process that was there lives on
start -qn "$program"' BEGIN { printf("%d\n", $target); }' -c 'sleep 1000'
kill -s INT $!
ended
expect_status 0
child=$(sed -n 2p out.txt)
expect_match '$target' "$child" '^[0-9]+$'
! kill -0 "$child" 2>/dev/null || complain "the child $child is alive"

# signals that were ignored when it started
as_in_terminal=(env --ignore-signal=INT)
start -qn "$program"
kill -s INT $!
sleep 0.5
kill -0 $! 2>/dev/null || complain "ended by a SIGINT that was ignored when it started"
kill -s TERM $!
ended
expect_status 0
expect_out $'started\n\nend\n                1\n'

as_in_terminal=(env --default-signal=INT)
start -qn "$program"
kill -s HUP $!
ended
expect_status 129
as_in_terminal=(nohup)
start -qn "$program"
kill -s HUP $!
sleep 0.5
kill -0 $! 2>/dev/null || complain "ended by a SIGHUP under nohup"
kill -s TERM $!
ended
expect_status 0

finish
