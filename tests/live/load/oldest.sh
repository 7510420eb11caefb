#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What a kernel older than those that DTrace is made for can do: clocks, BEGIN, strings, the scheduler's wakeups and all aggregating
# functions run on Linux 5.10 as on any other. What needs more names it, and the first Linux that has it.
# @ref kernels
. "${0%/*}/../cli/lib.sh"
calls=$BUILD/tests/live/triggers/calls

works() { # TEXT ARGUMENT...
	local want=$1
	shift
	try "$DTRACE" -q "$@"
	expect_status 0
	expect_text "stdout and stderr" "$(xargs <<<"$out")$err" "$want"
}
works 'hello abc 3' -n 'BEGIN { printf("hello %s %d\n", strjoin("a", substr("xbc", 1)), strlen("xyz")); exit(0); }'
works 'tick' -n 'tick-10ms { printf("tick\n"); exit(0); }'
works 'some' -n 'profile-97 { n++; } tick-10ms /n/ { printf("some\n"); exit(0); }'
works 'woke' -n 'sched:::wakeup { n++; } tick-10ms /n/ { printf("woke\n"); exit(0); }'
works '1 3 4 7 2' -n 'BEGIN { @a[1, "x"] = count(); @s = sum(3); @v = avg(4); @m = max(7); @n = min(2); exit(0); }
	END { printa("%@d", @a); printa(" %@d %@d %@d %@d\n", @s, @v, @m, @n); }'
works 'value ------------- Distribution ------------- count 2 | 0 4 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1 8 | 0' \
	-n 'BEGIN { @ = quantize(5); exit(0); }'
works '5 x' -n 'int a[int]; BEGIN { a[1] = 5; s = "x"; printf("%d %s\n", a[1], s); exit(0); }'

# as on newer kernels, or with the reason
"$DTRACE" --doctor | grep -qE '^task_storage +ok' && old= || old=1
works_or_names() { # TEXT ARGUMENT...
	local want=$1
	shift
	try "$DTRACE" -q "$@"
	[[ $status == 0 && $(xargs <<<"$out")$err == "$want" ]] && return
	[[ $old && $status == 1 && $err =~ ^dtrace:\ .*this\ kernel.*Linux\ [5-7]\.[0-9]+ && $(wc -l <<<"$err") -le 2 ]] ||
		complain "status $status: $out$err"
}
works_or_names '5' -n 'syscall::getppid:entry /pid == $target/ { @ = count(); } END { printa("%@d\n", @); }' -c "$calls getppid 5"
works_or_names 'dtrace' -n 'BEGIN { printf("%s\n", execname); exit(0); }'
works_or_names 'main' -n 'pid$target:a.out:main:entry { printf("%s\n", probefunc); }' -c "$calls getppid 1"
works_or_names '3' -n 'BEGIN { self->x = 3; printf("%d\n", self->x); exit(0); }'
works_or_names 'calls' -n 'proc:::exit /pid == $target/ { printf("calls\n"); }' -c "$calls getppid 1"
works_or_names 'kept' -n 'sched:::wakeup { @[stack()] = count(); n++; } tick-10ms /n/ { printf("kept\n"); trunc(@); exit(0); }'
finish
