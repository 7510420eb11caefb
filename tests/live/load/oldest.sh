#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What a kernel older than those that DTrace is made for can do: clocks, BEGIN, strings, system calls, the scheduler, ends of
# processes, functions of programs and all aggregating functions run on Linux 5.10 as on any other. What needs more names it, and the
# first Linux that has it.
# @ref kernels
. "${0%/*}/../cli/lib.sh"
calls=$BUILD/tests/live/triggers/calls

works() { # TEXT ARGUMENT...
	local want=$1
	shift
	try "$DTRACE" -q "$@"
	expect_status 0
	expect_text "stdout and stderr" "$(xargs <<<"$out")${err%$'\n'}" "$want"
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

works '5' -n 'syscall::getppid:entry /pid == $target/ { @ = count(); } END { printa("%@d\n", @); }' -c "$calls getppid 5"
works '5 0' -n 'syscall::getppid:return /pid == $target && !errno/ { @ = count(); } END { printa("%@d 0\n", @); }' -c "$calls getppid 5"
works 'dtrace' -n 'BEGIN { printf("%s\n", execname); exit(0); }'
works '1' -n 'BEGIN { printf("%d\n", curthread->pid == tid && ppid == curthread->real_parent->tgid); exit(0); }'
"$DTRACE" --doctor | grep -qE '^task_storage +ok' && old= || old=1
later='dtrace: warning: libraries and processes that come while tracing have no probes: this kernel has no bpf_get_attach_cookie(), which Linux 5.15 has'
works "main calls${old:+$later}" -n 'pid$target:a.out:main:entry { printf("%s %s\n", probefunc, execname); }' -c "$calls getppid 1"
# a program for each place, and two clauses at one
works "main 1 main 2${old:+$later}" -n 'pid$target:a.out:main:entry, pid$target:a.out:_start:entry /probefunc == "main"/ { printf("%s 1\n", probefunc); }
	pid$target:a.out:mai?:entry { printf("%s 2\n", probefunc); }' -c "$calls getppid 1"
works 'calls' -n 'proc:::exit /pid == $target/ { printf("calls\n"); }' -c "$calls getppid 1"
works 'on off' -n 'sched:::on-cpu { on++; } sched:::off-cpu { off++; } tick-10ms /on && off/ { printf("on off\n"); exit(0); }'
works 'slept' -n 'sched:::sleep { n++; } sysinfo:::pswitch { m++; } tick-10ms /n && m/ { printf("slept\n"); exit(0); }'
works 'kept' -n 'profile-97 { @[execname, pid, cpu] = count(); n++; } tick-10ms /n/ { printf("kept\n"); trunc(@); exit(0); }'

# as on newer kernels, or with the reason
works_or_names() { # TEXT ARGUMENT...
	local want=$1
	shift
	try "$DTRACE" -q "$@"
	[[ $status == 0 && $(xargs <<<"$out")$err == "$want" ]] && return
	[[ $old && $status == 1 && $err =~ ^dtrace:\ .*this\ kernel.*Linux\ [5-7]\.[0-9]+ && $(wc -l <<<"$err") -le 2 ]] ||
		complain "status $status: $out$err"
}
works_or_names 'main' -n 'pid$target:a.out:main:return { printf("%s\n", probefunc); }' -c "$calls getppid 1"
works_or_names '3' -n 'BEGIN { self->x = 3; printf("%d\n", self->x); exit(0); }'
works_or_names 'kept' -n 'sched:::wakeup { @[stack()] = count(); n++; } tick-10ms /n/ { printf("kept\n"); trunc(@); exit(0); }'

finish
