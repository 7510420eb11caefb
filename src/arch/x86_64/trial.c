// SPDX-License-Identifier: Apache-2.0
/* Functions for trials of uprobes on x86-64. */
#include "arch/trial.h"

/*
 * N is in the red zone (System V ABI for x86-64, 3.2.2) across a 5-byte NOP.  From Linux 6.18 some
 * kernels replace that, when it has been hit once, by a call (arch/x86/kernel/uprobes.c).
 */
const struct trial *trial_replaced(void)
{
	static const struct trial nop5 = {
		{
			0x48, 0x89, 0x7c, 0x24, 0xf8, /* mov %rdi,-8(%rsp) */
			0x0f, 0x1f, 0x44, 0x00, 0x00, /* nopl 0(%rax,%rax,1) */
			0x48, 0x8b, 0x44, 0x24, 0xf8, /* mov -8(%rsp),%rax */
			0xc3,			      /* ret */
		},
		5,
	};

	return &nop5;
}

const struct trial *trial_written(void)
{
	static const struct trial nop = {
		{
			0x48, 0x89, 0xf8, /* mov %rdi,%rax */
			0x90,		  /* nop */
			0xc3,		  /* ret */
		},
		3,
	};

	return &nop;
}
