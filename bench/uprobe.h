/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uprobe: the functions of `events` that are probed; each call is one event.
 *
 *	push_first	begins with a push, which the kernel emulates
 *	step_first	begins with a move, which the kernel single-steps in a copy
 *	hit		begins with a nop, the site of the static probe bench:hit.  Its stapsdt note
 *			says where the arguments are; the registers are those of the System V ABI
 *
 * deep() and deep_fp() call themselves DEPTH_OF_CALLS times, then push_first(), without and with
 * frame pointers.
 */
#ifndef BENCH_UPROBE_H
#define BENCH_UPROBE_H

#define DEPTH_OF_CALLS 16

long push_first(long a, long b);
long step_first(long a, long b);
long hit(long a, long b);

__asm__(".text\n"
	".globl push_first\n.type push_first, @function\npush_first:\n"
	"	.cfi_startproc\n"
	"	push %rbx\n	.cfi_adjust_cfa_offset 8\n"
	"	pop %rbx\n	.cfi_adjust_cfa_offset -8\n"
	"	ret\n	.cfi_endproc\n.size push_first, . - push_first\n"
	".globl step_first\n.type step_first, @function\nstep_first:\n"
	"	.cfi_startproc\n	mov %rdi, %rax\n	ret\n	.cfi_endproc\n"
	".size step_first, . - step_first\n"
	".globl hit\n.type hit, @function\nhit:\n"
	"	.cfi_startproc\n990:	nop\n	ret\n	.cfi_endproc\n"
	".size hit, . - hit\n"
	".pushsection .note.stapsdt, \"\", \"note\"\n"
	"	.balign 4\n	.4byte 992f - 991f, 994f - 993f, 3\n"
	"991:	.asciz \"stapsdt\"\n992:	.balign 4\n"
	"993:	.8byte 990b, _.stapsdt.base, 0\n"
	"	.asciz \"bench\"\n	.asciz \"hit\"\n	.asciz \"-8@%rdi -8@%rsi\"\n"
	"994:	.balign 4\n"
	".popsection\n"
	".pushsection .stapsdt.base, \"a\"\n_.stapsdt.base: .space 1\n.popsection\n");

static volatile long kept;

/* Code after a call keeps it from becoming a jump, and the recursion from becoming a loop. */
__attribute__((noinline, noclone)) static void deep(long n, long arg)
{
	if (n)
		deep(n - 1, arg);
	else
		push_first(arg, n);
	kept++;
}

__attribute__((noinline, noclone, optimize("no-omit-frame-pointer"))) static void deep_fp(
	long n, long arg)
{
	if (n)
		deep_fp(n - 1, arg);
	else
		push_first(arg, n);
	kept++;
}

static double call_push(long n)
{
	double start = now();

	for (long i = 0; i < n; i++)
		push_first(i & 15, 1);
	return now() - start;
}

static double call_step(long n)
{
	double start = now();

	for (long i = 0; i < n; i++)
		step_first(i & 15, 1);
	return now() - start;
}

static double call_hit(long n)
{
	double start = now();

	for (long i = 0; i < n; i++)
		hit(i & 15, 1);
	return now() - start;
}

static double call_deep(long n)
{
	double start = now();

	for (long i = 0; i < n; i++)
		deep(DEPTH_OF_CALLS - 1, i);
	return now() - start;
}

static double call_deep_fp(long n)
{
	double start = now();

	for (long i = 0; i < n; i++)
		deep_fp(DEPTH_OF_CALLS - 1, i);
	return now() - start;
}

#endif
