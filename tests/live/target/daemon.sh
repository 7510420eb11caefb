#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --follow of a program that becomes a daemon: tracing goes on until the daemon ends, or until ^C, which leaves it alone; without
# --follow it ends with the program.
. "${0%/*}/../cli/lib.sh"

daemon=$BUILD/tests/live/target/daemon
program='pid$target:a.out:work:entry { printf("%d\n", arg0); } END { printf("end\n"); }'
expected=$(seq 0 29; echo end; echo)
try "$DTRACE" -q --follow -n "$program" -c "$daemon 30"
expect_status 0
expect_text "work" "$(grep -vx '[0-9]\{3,\}' <<<"$out")" "$expected"
# it is attached to some milliseconds late, or more on a busy machine
try "$DTRACE" -q --follow -x followlate -n "$program" -c "$daemon 200"
expect_status 0
expect_match "the last work" "$out" '
199
end
'

# only the kernel is traced: the daemon is none of its probes, and yet waited for
try "$DTRACE" -q --follow -n 'END { printf("end\n"); } syscall::clock_nanosleep:return /execname == "daemon"/ { @[pid] = count(); }' \
	-c "$daemon 30"
expect_match "naps" "$out" " $(head -1 <<<"$out") +30
"

try "$DTRACE" -q -n 'END { printf("end\n"); }' -c "$daemon 1000"
# it forks on its way, which pgrep may overlook: the parent has gone, and the child came behind it in the list
for ((i = 0; i < 100; i++)); do pid=$(pgrep -fx "$daemon 1000") && break; sleep .05; done
kill "$pid" 2>/dev/null || complain "without --follow it has waited for the daemon"

"$DTRACE" -q --follow -n "$program" -c "$daemon 1000" >got 2>err &
tracer=$!
for ((i = 0; i < 400; i++)); do grep -qx 5 got && break; sleep .05; done
pid=$(grep -xm 1 '[0-9]\{3,\}' got)
kill "$tracer" # a shell makes it ignore SIGINT
wait "$tracer"
expect_text "after ^C" "$(grep -x end got)" end
kill "$pid" || complain "^C has ended the daemon"
finish
