#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A machine that lacks something: a writable /tmp, one from which programs can run, a writable root, cgroup2, tracefs and debugfs,
# names of kernel functions, types of modules, locked memory, /sys. What does not need it works without a word; what does says in one line what
# is missing.
# @ref kernels
. "${0%/*}/lib.sh"
calls=$BUILD/tests/live/triggers/calls
printf '#define N 0\nBEGIN { exit(N); }\n' >cpp.d

# The commands in a mount namespace in which SETUP was done; the working folder stays as it is.
where() { # SETUP COMMAND...
	local setup=$1
	shift
	try unshare -m bash -c "$setup"' || exit 99; exec "$@"' - "$@"
	[[ $status != 99 ]] || complain "$setup: $err"
}

# BEGIN, system calls, functions of programs, scheduler, a clock, stacks of both kinds, a list, a tool, -C: $1 is what lacks.
usual() { # WHAT SETUP
	where "$2" "$DTRACE" -qn 'BEGIN { printf("%s %d\n", execname, ENOENT); exit(0); }'
	expect_status 0
	expect_text "$1: stdout and stderr" "$out$err" $'dtrace 2\n\n'
	where "$2" "$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { @[ustack(1)] = count(); @n = count(); }' -c "$calls getppid 5"
	expect_match "$1: a user stack" "$out" 'libc.so.6`|calls`'
	expect_match "$1: system calls" "$out" $'\n +5\n'
	expect_text "$1: stderr" "$err" ""
	where "$2" "$DTRACE" -qn 'pid$target:calls:main:entry { printf("%s\n", probefunc); }' -c "$calls getppid 1"
	expect_text "$1: functions" "$(xargs <<<"$out")$err" "main"
	where "$2" "$DTRACE" -qn 'sched:::wakeup { n++; } tick-10ms /n/ { printf("woke\n"); exit(0); }'
	expect_text "$1: the scheduler and a clock" "$(xargs <<<"$out")$err" "woke"
	where "$2" "$DTRACE" -ln 'syscall::getppid:'
	expect_status 0
	where "$2" "$DTRACE" -Cqs cpp.d
	expect_status 0
	where "$2" "$DTRACE" --tool syscount -h
	expect_status 0
}

usual "/tmp that nobody can write to" 'mount -t tmpfs -o ro none /tmp; mount -t tmpfs -o ro none /var/tmp; unset TMPDIR HOME'
usual "/tmp without programs" 'mount -t tmpfs -o noexec,nosuid,nodev none /tmp'
readonly='mount -o remount,ro,bind /'
usual "a root that nobody can write to" "$readonly"
usual "no cgroup2" 'umount -l /sys/fs/cgroup 2>/dev/null; ! mountpoint -q /sys/fs/cgroup'
cgroup1='umount -l /sys/fs/cgroup 2>/dev/null; mount -t cgroup -o none,name=alone$$ none /sys/fs/cgroup'
usual "cgroup v1 alone" "$cgroup1"
usual "no types of modules" 'cp /sys/kernel/btf/vmlinux types && mount -t tmpfs none /sys/kernel/btf && mv types /sys/kernel/btf/vmlinux'
usual "no tracefs and no debugfs" 'umount -l /sys/kernel/tracing /sys/kernel/debug 2>/dev/null; :'
usual "little locked memory" 'ulimit -l 64'
usual "few descriptors" 'ulimit -Sn 64'
usual "no names of the kernel" 'mount --bind /dev/null /proc/kallsyms'

for setup in 'umount -l /sys/fs/cgroup 2>/dev/null; ! mountpoint -q /sys/fs/cgroup' "$cgroup1"; do
	where "$setup" "$DTRACE" --cgroup / -qn 'BEGIN { exit(0); }'
	expect_status 1
	expect_err 'dtrace: could not enable tracing: option cgroup: / is no control group: no cgroup2 file system is mounted (mount -t cgroup2 none /sys/fs/cgroup)
'
done
kernel_stack='sched:::wakeup { @[stack(2)] = count(); n++; } tick-10ms /n/ { exit(0); }'
where 'mount --bind /dev/null /proc/kallsyms' "$DTRACE" -qn "$kernel_stack"
expect_match "no names" "$out" ' 0x[0-9a-f]{16}'
expect_err 'dtrace: kernel addresses have no names: /proc/kallsyms lists nothing (CONFIG_KALLSYMS)
'
where 'sed "s/^[0-9a-f]*/0000000000000000/" /proc/kallsyms >hidden && mount --bind hidden /proc/kallsyms' "$DTRACE" -qn "$kernel_stack"
expect_err 'dtrace: kernel addresses have no names: the kernel hides its addresses (kernel.kptr_restrict is 2)
'
where 'mount -t tmpfs none /sys' "$DTRACE" -qn 'BEGIN { exit(0); }'
expect_status 1
expect_err 'dtrace: could not enable tracing: cannot tell how many CPUs there are: mount sysfs on /sys
'
where 'mount -t tmpfs none /sys' "$DTRACE" -qn 'sched:::wakeup { exit(0); }'
expect_status 1
expect_match "no types" "$err" 'the kernel.s type information, /sys/kernel/btf/vmlinux, cannot be read \(No such file or directory\)'
where 'mount -t tmpfs -o ro none /dev/shm' "$DTRACE" -qn 'BEGIN { exit(0); }' --output=json:/dev/shm/out.json
expect_status 1
expect_match "a file that cannot be written" "$err" "failed to open output file '/dev/shm/out.json': Read-only file system"
finish
