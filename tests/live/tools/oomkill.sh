#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# oomkill prints the process that the kernel kills in a control group whose memory is used up, as the group counts it.
. "${0%/*}/lib.sh"

"$DTRACE" -en 'sdt:oom::mark_victim' >/dev/null 2>&1 ||
	{ tool oomkill -h; expect_match help "$out" 'This machine cannot run it: .*mark_victim'
	[[ $failures == 0 ]] && echo "this kernel has no tracepoint oom:mark_victim" && exit 77; finish; }
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
# a group of version 1 or 2 that has a limit
group=
for top in /sys/fs/cgroup/memory /sys/fs/cgroup; do
	mkdir "$top/dtrace-oom-$$" 2>/dev/null || continue
	group=$top/dtrace-oom-$$
	for limit in memory.limit_in_bytes memory.max; do
		[[ -e $group/$limit ]] && echo 40M >"$group/$limit" 2>/dev/null && break 2
	done
	rmdir "$group"
	group=
done
[[ -n $group ]] || { echo "no control group can limit memory here"; exit 77; }
# shellcheck disable=SC2064
trap "rmdir '$group'" EXIT
for swap in memory.memsw.limit_in_bytes memory.swap.max; do
	[[ ! -e $group/$swap ]] || echo "$([[ $swap == *max ]] && echo 0 || echo 40M)" >"$group/$swap" 2>/dev/null
done

eater() {
	echo $BASHPID >"$group/cgroup.procs"
	exec python3 -S -c 'import sys
sys.stdin.buffer.raw.read(1)
x = [bytearray(1 << 20) for i in range(200)]'
}
eat() { tool_beside eater -- oomkill "$@"; }
eat
expect_status 0
expect_err ""
[[ $ended == 137 ]] || { echo "the kernel does not kill what exceeds its group's limit: status $ended"; exit 77; }
expect_match stdout "$out" '^TIME +BY PID BY COMM +KILLED COMM +CGROUP
'
expect_text killed "$(awk -v p="$during" '$7 == p { print $5, $6, $8 }' <<<"$out")" "$during python3 python3"
eat -p $$
expect_text "caused by another process" "$(grep -c . <<<"$out")" 1
eat -k
expect_match stack "$out" 'vmlinux`.*oom'
eat --output=json:out.json
expect_text JSON "$(jq -r --argjson p "$during" '.items[]? | select(.values?[3].value == $p) | .values[4].value' out.json)" python3
tool oomkill -p $$ -d 1
expect_status 0
tool oomkill -h
expect_match stdout "$out" '^oomkill: '
finish
