#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bufpolicy=ring: the newest records of each CPU, in order, once tracing has ended; nothing counts as a drop.
# @ref options 3 bufpolicy
# @ref options 5.1 ring-keeps-newest ring-no-drops others-always-switch per-cpu
set -u
. "$SRCDIR/tests/live/cli/lib.sh"

triggers=$BUILD/tests/live/triggers

# the last of many, without a gap, on each CPU; BEGIN's are long gone, END's are there
try "$DTRACE" -b 4k -x bufpolicy=ring -qn 'BEGIN { printf("begin\n"); }
	syscall::getppid:entry /pid == $target/ { printf("%d %d\n", arg0, arg1); @[arg0] = count(); }
	END { printf("end\n"); }' -c "$triggers/values spread 2 3000"
expect_status 0
expect_err ""
for thread in 0 1; do
	awk -v t=$thread 'NF == 2 && $1 == t && !agg { if (n++ && $2 != last + 1) exit bad = 1; last = $2 }
		$1 == "end" { agg = 1 } END { exit bad || last != 2999 || n < 20 || n > 300 }' out.txt ||
		complain "thread $thread: $(grep -c "^$thread " out.txt) records, the last $(grep "^$thread " out.txt | tail -n 1)"
done
grep -q '^begin' out.txt && [[ $(nproc) -le 1 ]] && complain "begin was not overwritten"
expect_text "aggregation" "$(sed -n '/^end$/,$p' out.txt | tr -s ' ')" $'end\n\n 0 3000\n 1 3000'

# all of them where there is room
try "$DTRACE" -x bufpolicy=ring -qn 'BEGIN { printf("begin\n"); } syscall::getppid:entry /pid == $target/ { printf("%d\n", arg1); }
	END { printf("end\n"); }' -c "$triggers/values ints 5 6 7"
expect_out $'begin\n0\n1\n2\nend\n\n'

# records of several sizes, the latest alone
try "$DTRACE" -b 4k -x bufpolicy=ring -qn 'syscall::getppid:entry /pid == $target/ { n++; printf("%d\n", n); }
	syscall::getppid:entry /pid == $target && n % 3 == 0/ { printf("third %d %s\n", n, execname); }' -c "$triggers/calls getppid 1000"
expect_status 0
expect_err ""
awk '$1 == "third" { if ($2 != last || $3 != "calls") bad = 1; next } NF { if (last && $1 != last + 1) bad = 1; last = $1 }
	END { exit bad || last != 1000 }' out.txt || complain "$(tail -n 5 out.txt)"
expect_text "the first is gone" "$(grep -cx 1 out.txt)" 0

# nothing is read before the end
printf '#!/bin/sh\n%s getppid 1\nsleep 1\ncp written seen\n' "$triggers/calls" >child
chmod +x child
try "$DTRACE" -x bufpolicy=ring -qo written -n 'syscall::getppid:entry /execname == "calls" && progenyof($target)/ { printf("record"); }' -c ./child
expect_status 0
expect_text seen "$(cat seen)" ''
expect_text written "$(cat written)" record

# speculations are as ever: one that is committed is a record
try "$DTRACE" -x bufpolicy=ring -qn 'BEGIN { s = speculation(); } BEGIN { speculate(s); printf("kept\n"); } BEGIN { commit(s); }
	BEGIN { s = speculation(); } BEGIN { speculate(s); printf("not kept\n"); } BEGIN { discard(s); } BEGIN { exit(2); }'
expect_status 2
expect_out $'kept\n\n'

# the status of exit() is not lost with its record
try "$DTRACE" -b 4k -x bufpolicy=ring -qn 'BEGIN { exit(7); } END { printf("end"); }'
expect_status 7

for policy in switch fill ring; do
	try "$DTRACE" -x bufpolicy=$policy -qn 'BEGIN { printf("x"); exit(0); }'
	expect_out $'x\n'
done
try "$DTRACE" -x bufpolicy=Ring -n 'BEGIN { exit(0); }'
expect_err $'dtrace: failed to set -x bufpolicy: Invalid value for specified option\n'

finish
