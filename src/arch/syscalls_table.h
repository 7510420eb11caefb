/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * syscalls_table: defines the rows of abi/syscalls.def, at the machine's numbers, as constant data
 * of the unit that includes it: the consumer and the run-time library.
 */
#ifndef ARCH_SYSCALLS_TABLE_H
#define ARCH_SYSCALLS_TABLE_H

#include "abi/flags.h"
#include "abi/syscalls.h"
#include "arch/arch.h"

struct dt_syscalls {
	struct dt_sysarg kind[SYSARG_MAX];
	__u16 arg[DT_SYSCALLS][DT_SYSCALL_ARGS]; /* see DT_SYSARG_KIND */
	__u16 any[DT_SYSCALLS]; /* DT_SYSARG_MEMORY and _CHANGED of all arguments */
};

enum {
	WHEN_IN = SYSARG_IN,
	WHEN_OUT = SYSARG_OUT_ONLY,
	WHEN_ENTRY = SYSARG_AT_ENTRY,
	WHEN_BOTH = SYSARG_BOTH,
	WHEN_ALWAYS = SYSARG_ANY,
#define KIND(name, when, how, size)                                                      \
	name = SYSARG_##name | (SYSARG_##how == SYSARG_NOTHING ? 0 : DT_SYSARG_MEMORY) | \
		((int)WHEN_##when == SYSARG_AT_ENTRY || (int)WHEN_##when == SYSARG_BOTH  \
				? DT_SYSARG_CHANGED                                      \
				: 0),
#include "abi/syscalls.def"
};

#ifdef __bpf__
extern const struct dt_syscalls dt_syscalls;
__attribute__((section(DT_SEC_SYSCALLS)))
#else
static
#endif
const struct dt_syscalls dt_syscalls = {
	.kind =
		{
#define KIND(name, when, how, size) [SYSARG_##name] = {WHEN_##when, SYSARG_##how, size},
#include "abi/syscalls.def"
		},
	.arg =
		{
#define S(set)						  (SYSARG_FLAGS | FLAGS_##set << 8)
#define SYSCALL_AS(name, kernel, parameters, result, ...) [ARCH_NR(name)] = {__VA_ARGS__},
#include "abi/syscalls.def"
		},
	.any =
		{
#define ALL_OF(a, b, c, d, e, f, ...) \
	(((a) | (b) | (c) | (d) | (e) | (f)) & (DT_SYSARG_MEMORY | DT_SYSARG_CHANGED))
#define SYSCALL_AS(name, kernel, parameters, result, ...) \
	[ARCH_NR(name)] = ALL_OF(__VA_ARGS__ __VA_OPT__(, ) 0, 0, 0, 0, 0, 0, 0),
#include "abi/syscalls.def"
#undef ALL_OF
		},
};

#endif
