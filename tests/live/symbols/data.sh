#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Variables of the kernel as symbols: values, members, elements, addresses; by module; read-only; with the types that BTF has.
# @ref d-language 14 kernel-symbol module-symbol address read-only no-bare-names unknown
# @ref d-language 9.5 read-only
# @ref d-language 11.2 run-time-index
# @ref d-errors 2.9 D_IDENT_UNDEF
# @ref d-errors 2.4 D_OP_WRITE
set -u
grep -q ' init_task$' /proc/kallsyms ||
	{ echo "skip: this kernel has no addresses of its variables (CONFIG_KALLSYMS_ALL)"; exit 77; }
cat >s.d <<'E2'
#pragma D option quiet

BEGIN
{
	printf("%d %s %d\n", `init_task.tgid, vmlinux`init_task.comm, sizeof(`init_task) == sizeof(struct task_struct));
	p = &`init_task;
	printf("%d %d %s %d\n", p == &vmlinux`init_task, p->parent == p, p->comm, (&`init_task)->tgid);
	i = 6;
	printf("%c%c %d\n", `init_task.comm[0], `init_task.comm[i], sizeof(`init_task.comm));
	copy = `init_task;
	printf("%s %d\n", copy.comm, copy.real_parent == &`init_task);
	printf("%d %d\n", `jiffies > 0, sizeof(`jiffies));
	before = `jiffies;
	printf("%d\n", `jiffies - before < 1000);
	printf("%s %s\n", stringof(`init_uts_ns.name.sysname), substr(stringof(`linux_banner), 0, 14));
	printf("%d\n", stringof(`init_uts_ns.name.sysname) == `init_uts_ns.name.sysname);
	sym((uintptr_t)&`init_task);
	printf("\n");
	printf("%d %d\n", sizeof(`avenrun), (uint64_t)&`avenrun[1] - (uint64_t)&`avenrun);
}
BEGIN
{
	i = 3;
	trace(`avenrun[i]);
}
ERROR { printf("code %d value %d\n", arg4, arg5); exit(0); }
E2
cat >expected <<'E2'
0 swapper/0 1
1 1 swapper/0 0
sr 16
swapper/0 1
1 8
1
Linux Linux version 
1
  vmlinux`init_task                                 
24 8
code 11 value 3
E2
if ! "$DTRACE" -s s.d >out 2>err; then
	# Debian's 7.2
	! grep -q "type information has functions and per-CPU variables only" err || { echo "skip: this kernel has no types of its variables"; exit 77; }
	cat err
	exit 1
fi
sed '/^$/d' out | diff expected - || exit 1

failures=0
refused() { # TAG EXPRESSION
	"$DTRACE" -x errtags -qen "BEGIN { $2; }" 2>err && { echo "$2: not refused"; failures=1; }
	grep -qF "[$1]" err || { cat err; failures=1; }
}
# shellcheck disable=SC2016
{
	refused D_OP_WRITE '`jiffies = 0'
	refused D_OP_WRITE '`init_task.tgid = 1'
	refused D_OP_WRITE '(&`init_task)->tgid++'
	refused D_OP_WRITE '`avenrun[0] += 1'
	refused D_IDENT_UNDEF 'trace(jiffies)'
	refused D_IDENT_UNDEF 'trace(init_task.tgid)'
	refused D_IDENT_UNDEF 'trace(nosuch`jiffies)'
	refused D_SYM_BADREF 'trace(``jiffies)'
	refused D_TYPE_MEMBER 'trace(`init_task.nosuch)'
}
exit $failures
