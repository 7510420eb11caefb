#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bufpolicy=fill: the oldest records of each CPU; the first that does not fit is the end, of that buffer and of the run.
# @ref options 3 bufpolicy
# @ref options 5.1 fill-stops fill-nothing-after-full fill-end-reserved others-always-switch too-small
set -u
. "$SRCDIR/tests/live/cli/lib.sh"

triggers=$BUILD/tests/live/triggers

# the first of many, without a gap, on each CPU; what END has to say fits
try "$DTRACE" -b 4k -x bufpolicy=fill -qn 'BEGIN { printf("begin\n"); }
	syscall::getppid:entry /pid == $target/ { printf("%d %d\n", arg0, arg1); }
	END { printf("end %s\n", probename); }' -c "$triggers/values turns 2 1000"
expect_status 0
expect_text "first and last lines" "$(sed -n 1p out.txt) $(tail -n 2 out.txt | head -n 1)" 'begin end END'
for thread in 0 1; do
	awk -v t=$thread 'NF == 2 && $1 == t { if ($2 != n++) bad = 1 } END { exit bad || n < 20 || n > 300 }' out.txt ||
		complain "thread $thread: $(grep "^$thread " out.txt | tr '\n' ,)"
done

# nothing is stored after it, not even what is smaller
try "$DTRACE" -b 4k -x bufpolicy=fill -x cpu=0 -qn 'tick-100 { printf("%d %s\n", ++n, execname); tracemem(curthread, 700); }
	tick-100 { printf("small %d\n", n); } END { printf("end\n"); }'
expect_status 0
expect_text "records" "$(grep -aE '^([0-9]+ |small)' out.txt | sed 's/^small //; s/ .*//' | uniq -c | awk '{ print $1, $2 }' | sed '$d' | cut -d' ' -f1 | sort -u)" 2
expect_text "the last but one" "$(grep -a end out.txt)" end

# the run ends by itself, and aggregations count on until then
try timeout $((20 * ${TIMEOUT_SCALE:-1})) "$DTRACE" -b 4k -x bufpolicy=fill -qn 'tick-1000 { printf("%d %s\n", ++n, "a text of some length"); } tick-1000 { @ = count(); }
	END { printf("end\n"); }'
expect_status 0
expect_match stdout "$out" $'\nend\n\n +[0-9]+\n$'
expect_match stderr "$err" 'drop'

# nothing is read before
printf '#!/bin/sh\n%s getppid 1\nsleep 1\ncp written seen\n' "$triggers/calls" >child
chmod +x child
try "$DTRACE" -x bufpolicy=fill -qo written -n 'syscall::getppid:entry /execname == "calls" && progenyof($target)/ { printf("record"); }' -c ./child
expect_status 0
expect_text seen "$(cat seen)" ''
expect_text written "$(cat written)" record

# stopped by exit() before
try "$DTRACE" -x bufpolicy=fill -qn 'BEGIN { printf("begin "); } tick-50 { printf("tick "); exit(4); } END { printf("end"); }'
expect_status 4
expect_out $'begin tick end\n'

# room that END needs and does not have
try "$DTRACE" -b 4k -x bufpolicy=fill -qn 'BEGIN { exit(0); } END { tracemem(curthread, 2500); } END { tracemem(curthread, 2500); }'
expect_status 1
expect_out ""
expect_err $'dtrace: could not enable tracing: END enablings exceed size of principal buffer\n'
# that of one record, whatever the policy
for policy in switch fill ring; do
	try "$DTRACE" -b 4k -x bufpolicy=$policy -qn 'BEGIN { exit(0); } tick-1s { tracemem(curthread, 5000); }'
	expect_status 1
	expect_out ""
	expect_err $'dtrace: could not enable tracing: Enabling exceeds size of buffer\n'
done

finish
