#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A kernel whose structs lack a member that we read, one after the other: what does not need it works as before, what does says
# so by its name. No program is refused by the verifier, none faults, and none shows something else.
# @slow
# @timeout 300
# @needs python3
# @ref kernels
. "${0%/*}/lib.sh"
triggers=$BUILD/tests/live/triggers
[[ -r /sys/kernel/btf/vmlinux ]] || { echo "no type information"; exit 77; }

# NAME ends in another character in the copy of the kernel's types, also where it is a member of others
cat >without.py <<'END'
import struct
import sys

data = bytearray(open("/sys/kernel/btf/vmlinux", "rb").read())
head = struct.unpack_from("<HBBIIIII", data)
begin = head[3] + head[6]
at = data.find(b"\0" + sys.argv[1].encode() + b"\0", begin, begin + head[7])
if at < 0:
    sys.exit(1)
data[at + len(sys.argv[1])] = ord("Q")
open("types", "wb").write(data)
END

calls="$triggers/calls getppid 5"
on_call='syscall::getppid:entry /pid == $target/'
programs=(
	"$on_call"' { printf("%d %s %d %s", pid == $target, execname, ppid > 1, threadname); exit(0); }' "$calls"
	"$on_call"' { printf("%s %s %d", curpsinfo->pr_fname, curpsinfo->pr_psargs, curpsinfo->pr_ppid > 1); exit(0); }' "$calls"
	"$on_call"' { printf("%s %s", cwd, root); exit(0); }' "$calls"
	'syscall::write:entry /pid == $target/ { printf("%s", fds[arg0].fi_pathname); exit(0); }' "sh -c 'echo x >/dev/null'"
	"$on_call"' { ustack(3); exit(0); }' "$calls"
	"$on_call"' { @[jstack(3)] = count(); }' "$calls"
	'syscall::write:entry /pid == $target/ { printf("%s", d_path(&curthread->files->fdt->fd[1]->f_path)); exit(0); }' "sh -c 'echo x >/dev/null'"
	"$on_call"' { printf("%d %s", cgroupid > 0, cgroup); }' "$calls"
	'proc:::exit /pid == $target/ { printf("%s %d", execname, arg0); }' "$calls"
	'sched:::on-cpu /pid == $target/ { n = 1; } END { printf("%d", n); }' "$calls"
	"$on_call"' { self->x++; printf("%d ", self->x); }' "$calls"
	'pid$target:a.out:main:return { printf("%s", probefunc); ustack(2); }' "$calls"
)
# what each program says, a line each
say() {
	for ((i = 0; i < ${#programs[@]}; i += 2)); do
		timeout $((20 * ${TIMEOUT_SCALE:-1})) "$DTRACE" -x confine=off -qn "${programs[i]}" -c "${programs[i + 1]}" 2>&1 </dev/null |
			sed -E 's/0x[0-9a-f]+/0x/g' | tr '\n' ' '
		echo
	done
}
say >want.txt
! grep -nE 'dtrace: ' want.txt || { echo "a program does not work with the kernel's own types"; exit 1; }

members=$(sed -n '/define DT_OFFSETS(X)/,/DT_OFFSET_UNKNOWN/s/.*"\([a-z_.0-9]*\)".*/\1/p' "$SRCDIR/src/rt/conf.h" | tr . '\n')
members+=" group_leader comm flags status nsproxy files fdt fd f_path exit_code pid"
export -f say
# in a virtual machine each fifth, others on each kernel
seen=0 some=1 i=$(uname -r | cksum | cut -d ' ' -f 1)
[[ -z ${DTRACE_VM-} ]] || some=5
for member in $(printf '%s\n' $members | sort -u); do
	[[ $((++i % some)) == 0 ]] || continue
	python3 without.py "$member" || continue
	seen=$((seen + 1))
	unshare -m bash -c 'mount --bind types /sys/kernel/btf/vmlinux && '"$(declare -p programs)"' && say' >got.txt
	while IFS=$'\t' read -r want got; do
		[[ $got == "$want" || $got =~ ^dtrace:\ .*(member\ ([a-z_]+\.)*$member|$member\ is\ not\ a\ member).* ]] ||
			complain "without $member: ${got:0:400}"
	done < <(paste want.txt got.txt)
done
[[ $seen -gt $((60 / some)) ]] || complain "only $seen members were tried"
finish
