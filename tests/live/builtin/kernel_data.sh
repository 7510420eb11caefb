#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Variables of the kernel by backquote: what they hold, their addresses, members, elements.
# @ref d-language 14 kernel-symbol module-symbol address
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
grep -q ' init_task$' /proc/kallsyms || { echo "/proc/kallsyms has no variables (CONFIG_KALLSYMS_ALL)"; exit 77; }

# most kernels' type information has functions and per-CPU variables only: the variables are refused, with that reason
if ! out=$("$DTRACE" -e -n 'BEGIN { trace(`init_task.pid); }' 2>&1); then
	[[ $out == *': no symbolic type information is available for `init_task: the kernel'\''s type information has functions and per-CPU variables only' ]] ||
		{ echo "$out"; exit 1; }
	"$DTRACE" -qn 'BEGIN { printf("%a", `init_task); exit(0); }' 2>&1 | grep -q 'no symbolic type information' || { echo "its address"; exit 1; }
	exit 0
fi
out=$("$DTRACE" -qn 'BEGIN
{
	printf("%d %s\n", `init_task.pid, stringof(`init_task.comm));
	printf("%d %d\n", vmlinux`init_task.pid, &`init_task == &vmlinux`init_task);
	printf("%d\n", curthread->group_leader->real_parent != &`init_task);
	printf("%d %d\n", `jiffies > 0, sizeof(`jiffies));
	j = `jiffies;
	printf("%d\n", `jiffies >= j);
	printf("%d\n", (&`init_task)->tgid);
	@[(uintptr_t)&`init_task] = count();
	printf("%a\n", &`init_task);
	exit(0);
}' 2>&1)
want=$'0 swapper\n0 1\n1\n1 8\n1\n0\nvmlinux`init_task'
[[ ${out//\/0/} == "$want"* ]] || { diff <(echo "$want") <(echo "$out"); exit 1; }
addr=$(awk '$3 == "init_task" { print $1; exit }' /proc/kallsyms)
[[ $addr == 0000000000000000 || $out == *"$(printf %u "0x$addr")"* ]] || { echo "address is not $addr: $out"; exit 1; }
