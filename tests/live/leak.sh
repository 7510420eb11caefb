#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Nothing is leaked and no memory misused: runs, lists and errors under valgrind.
# @vm no: valgrind
# @timeout 120
# @alone
set -u
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
command -v valgrind >/dev/null || { echo "needs valgrind"; exit 77; }
[[ $BUILD != *-san ]] || { echo "sanitizers and valgrind exclude each other"; exit 77; }

# libbpf keeps what is registered with it. Valgrind 3.19 does not know what bpf(2) writes: so no
# --undef-value-errors. It has no pidfd_open(2) either: the program traces itself.
cat >supp <<'S'
{
   a section handler is registered for good
   Memcheck:Leak
   match-leak-kinds: reachable
   ...
   fun:libbpf_register_prog_handler
   ...
}
S
cat >all.d <<'D'
#pragma D option quiet

syscall:::entry
/pid == $pid/
{
	self->start = timestamp;
	start[tid, probefunc] = timestamp;
	@calls[execname, probefunc] = count();
	@stacks[stack(), ustack(), usym(arg0), sym(arg0)] = count();
}

syscall:::return
/self->start && start[tid, probefunc]/
{
	@[probefunc] = quantize(timestamp - self->start);
	@avg = avg(timestamp - self->start);
	@dev[pid] = stddev(arg0);
	@linear = lquantize(arg0, 0, 100, 10);
	@log[uid] = llquantize(timestamp - self->start, 10, 0, 9, 20);
	self->start = 0;
	start[tid, probefunc] = 0;
	printf("%-16s %s %d %Y %S\n", execname, strjoin(probefunc, "!"), errno, walltimestamp, "a\n");
	printf("%s %a %s\n", curthread->comm, arg0, basename(dirname("/usr/bin/x")));
	stack();
	ustack();
	usym(arg0);
	calls++;
}

syscall:::return
/calls == 5/
{
	printa("%s %s %@d\n", @calls);
	printa(@avg, @avg);
	trunc(@calls, 2);
	clear(@avg);
	normalize(@dev, 2);
	setopt("aggsortkey");
	setopt("nosuch", "1");
	trace(1 / (calls - 5));
}

syscall:::return
/calls >= 20/
{
	exit(0);
}
D
printf '#include "all.d"\nEND\n{\n\ttrace("end");\n}\n' >cpp.d
failed=0

clean() { # STATUS ARGUMENTS...
	local want=$1 status=0
	shift
	valgrind --quiet --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds="${kinds-all}" \
		--undef-value-errors=no --suppressions=supp --error-exitcode=99 --log-file=log \
		"$DTRACE" "$@" >out 2>err </dev/null || status=$?
	[[ $status == "$want" ]] && return
	failed=1
	echo "$* (status $status)"
	grep -v 'unhandled eBPF command' log | head -n 60
	tail -n 5 err
}

clean 0 -s all.d
grep -q 'memcheck' out || { echo "it traced nothing:"; head out err; failed=1; }
# the guard of cpp, a fork, ends with what the tracer has
kinds=definite clean 0 -C -I . -s cpp.d
clean 3 -n 'BEGIN { trace(execname); exit(3); }' -n 'dtrace:::END { @ = count(); }' -Fv
clean 0 -o file -n 'profile-997 { @[pid, stack()] = count(); } tick-10 { exit(0); }'
clean 0 -l
clean 0 -lvP syscall
clean 0 -ev -n 'syscall::openat:entry { trace(args[0]); }' -n 'BEGIN { trace(curthread->mm->pgd); }'
clean 0 -S -e -n 'syscall:::entry { @[execname, strjoin("a", probefunc)] = quantize(arg0); }'
clean 1 -n 'BEGIN { trace(nope); } END { x = ; }'
clean 1 -s nosuch.d
clean 1 -C -x cpppath=./nosuch -s cpp.d
clean 1 -n 'BEGIN { @[pid] = count(); }' -x aggsize=1
clean 2 -y
exit $failed
