#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A machine that is hardened by its settings: kernel.perf_event_paranoid above 2, as Debian has it, kptr_restrict 2, constants of BPF
# programs blinded, processes that only root may trace. Root traces as before, but kernel addresses have no names; a user with
# CAP_BPF and CAP_PERFMON learns which capability a clock takes.
# @ref kernels
. "${0%/*}/lib.sh"
[[ -n ${DTRACE_VM-} ]] || { echo "it changes settings of the machine: in QEMU alone"; exit 77; }
calls=$BUILD/tests/live/triggers/calls

declare -A was
restore() { for s in "${!was[@]}"; do echo "${was[$s]}" >"/proc/sys/$s"; done; }
trap restore EXIT
for setting in kernel/perf_event_paranoid=4 kernel/kptr_restrict=2 net/core/bpf_jit_harden=2 net/core/bpf_jit_kallsyms=0 \
	kernel/yama/ptrace_scope=2 kernel/dmesg_restrict=1; do
	[[ -e /proc/sys/${setting%=*} ]] || continue
	was[${setting%=*}]=$(</proc/sys/${setting%=*})
	echo "${setting#*=}" >"/proc/sys/${setting%=*}" || complain "$setting"
done
[[ $(</proc/sys/kernel/perf_event_paranoid) -gt 2 && $(</proc/sys/net/core/bpf_jit_harden) == 2 ]] || complain "the settings are not there"

try "$DTRACE" -qn 'BEGIN { @[strjoin("a", "b")] = sum(0x123456789abcdef); @q = quantize(5); exit(0); } END { printa("%s %@d", @); printa(@q); }'
expect_status 0
expect_match "constants" "$out" 'ab 81985529216486895'
expect_err ''
try "$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { @[ustack(1)] = count(); @n = count(); }' -c "$calls getppid 5"
expect_match "a user stack" "$out" 'calls`'
expect_match "system calls" "$out" $'\n +5\n'
expect_err ''
try "$DTRACE" -qn 'pid$target:calls:main:entry, pid$target:calls:main:return { printf("%s\n", probefunc); }' -c "$calls getppid 1"
expect_text "functions" "$(xargs <<<"$out")$err" "main main"
"$calls" getppid 1000000000 &
pid=$!
try "$DTRACE" -qp $pid -n 'profile-97 /pid == $target/ { @[ustack(1)] = count(); n++; } tick-10ms /n/ { exit(0); }'
kill $pid
expect_match "another process" "$out" 'calls`'
expect_err ''
try "$DTRACE" -qn 'sched:::wakeup { @[stack(2)] = count(); n++; } tick-10ms /n/ { exit(0); }'
expect_match "no names" "$out" ' 0x[0-9a-f]{16}'
expect_match "why" "$err" '^dtrace: kernel addresses have no names: the kernel hides its addresses \(kernel.kptr_restrict is 2\)'

user=(setpriv --reuid 65534 --clear-groups --bounding-set -all,+bpf,+perfmon --inh-caps +bpf,+perfmon --ambient-caps +bpf,+perfmon)
try "${user[@]}" "$DTRACE" -qn 'BEGIN { printf("begun\n"); exit(0); }'
expect_text "a user" "$(xargs <<<"$out")$err" "begun"
try "${user[@]}" "$DTRACE" -qn 'profile-97 { exit(0); }'
if [[ $status != 0 ]]; then # not a kernel of Debian's would let it
	expect_status 1
	expect_match "a user's clock" "$err" 'CAP_SYS_ADMIN'
	[[ $(wc -l <<<"${err%$'\n'}") == 1 ]] || complain "more than a line: $err"
fi
finish
