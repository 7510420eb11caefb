#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A stock kernel that is locked down to confidentiality, as distributions for containers boot it: what does not read the kernel's
# memory by a helper is traced as anywhere, what does names the lockdown, in one line.
# @timeout 200
# @slow
set -u
why=$("$SRCDIR/tests/vm/lacking") && { echo "skip: $why"; exit 77; }
for series in 6.12 6.1; do
	kernel=$("$SRCDIR/tests/vm/kernels" -n "$series" 2>/dev/null) && break
done
[[ -n $kernel ]] || { echo "skip: no stock kernel in build/vm; tests/vm/kernels downloads them"; exit 77; }

cat >inside <<'END'
mount -t securityfs none /sys/kernel/security 2>/dev/null
echo confidentiality >/sys/kernel/security/lockdown || { echo "no lockdown"; exit; }
one() { echo "$1: $(shift; "$DTRACE" -q "$@" 2>&1 | xargs)"; }
calls="$BUILD/tests/live/triggers/calls getppid 5"
one begin -n 'BEGIN { printf("hello\n"); exit(0); }'
one syscall -n 'syscall::getppid:entry /pid == $target/ { @ = count(); } END { printa("%@d\n", @); }' -c "$calls"
one clock -n 'profile-97 { n++; } tick-10ms /n/ { printf("some\n"); exit(0); }'
one pid -n 'pid$target:a.out:main:entry { printf("%s\n", probefunc); }' -c "$calls"
one sched -n 'sched:::on-cpu /pid == $target/ { n++; } END { printf("%d\n", n > 0); }' -c "$calls"
one ppid -n 'BEGIN { printf("%d\n", ppid > 0); exit(0); }'
one stack -n 'profile-97 { @[stack()] = count(); }'
one ustack -n 'profile-97 { @[ustack()] = count(); }'
one execname -n 'BEGIN { printf("%s\n", execname); exit(0); }'
echo "doctor: $("$DTRACE" --doctor | grep ^read_kernel | xargs)"
END
"$SRCDIR/tests/vm/run" -t 170 "$kernel" -- env DTRACE="$DTRACE" BUILD="$BUILD" bash ./inside >out 2>err
grep -q '^no lockdown' out && { echo "skip: this kernel has no lockdown"; exit 77; }
lockdown="kernel lockdown is confidentiality, which forbids reading kernel memory: boot with lockdown=integrity or lockdown=none"
refused() { echo "dtrace: could not enable tracing: BPF program load for $1 failed: $lockdown"; }
diff out - <<END || { cat err; exit 1; }
begin: hello
syscall: 5
clock: some
pid: main
sched: 1
ppid: 1
stack: $(refused profile:::profile-97)
ustack: $(refused profile:::profile-97)
execname: $(refused dtrace:::BEGIN)
doctor: read_kernel missing the kernel refuses to load it (EINVAL): it needs a kernel that is not locked down to confidentiality (lockdown=integrity or lockdown=none)
END
