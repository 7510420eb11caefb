#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Kernel stacks of trace events, whose programs have perf's record: they begin at the tracepoint, alone and with a second tracer
# of it, and stackdepth, caller and keys count the same frames as stack().
. "${0%/*}/../cli/lib.sh"
"$DTRACE" --doctor | grep -qE '^perf_tp +ok' || { echo "needs perf_tp"; exit 77; }

for more in '' 'rawtp:::sys_enter /pid == $target/ { n++; }'; do
	try "$DTRACE" -q -c "$BUILD/tests/live/triggers/calls getppid 5" -n "$more"'
	sdt:raw_syscalls::sys_enter
	/pid == $target && arg0 == '"$(printf '#include <sys/syscall.h>\nSYS_getppid' | cc -E -P - | tail -n 1)"'/
	{
		printf("depth %d caller %a\n", stackdepth, caller);
		stack();
		@[stack(1)] = count();
		exit(0);
	}'
	expect_status 0
	expect_text messages "$err" ""
	frames=$(grep -c '^ *vmlinux`' <<<"$out")
	expect_match "the depth" "$out" "depth $((frames - 1)) caller"
	first=$(grep -m 1 '^ *vmlinux`' <<<"$out" | xargs -0 | tr -d ' \n')
	second=$(grep '^ *vmlinux`' <<<"$out" | sed -n 2p | tr -d ' \n')
	grep -qF "caller $second" <<<"$out" || complain "the caller is not $second: $out"
	[[ $(grep -cF "$first" <<<"$out") == 2 ]] || complain "the key is not the first frame, $first: $out"
	! grep -qE 'traceiter|perf_|bpf_' <<<"$out" || complain "the tracer's own: $out"
done
finish
