// SPDX-License-Identifier: Apache-2.0
/* The registers of a thread of x86-64 that is stopped: struct user_regs_struct (sys/user.h). */
#define _GNU_SOURCE /* memmem() */
#include "arch/thread.h"

#include <errno.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>

#define INT3	0xccul
#define USER_CS 0x33 /* of 64-bit code: arch/x86/include/asm/segment.h */

unsigned long thread_breakpoint(unsigned long word)
{
	return (word & ~0xfful) | INT3;
}

int thread_is_breakpoint(unsigned long word)
{
	return (word & 0xff) == INT3;
}

static int get(pid_t pid, struct user_regs_struct *regs)
{
	return ptrace(PTRACE_GETREGS, pid, 0, regs) ? -errno : 0;
}

static int set(pid_t pid, const struct user_regs_struct *regs)
{
	return ptrace(PTRACE_SETREGS, pid, 0, regs) ? -errno : 0;
}

/* It is behind the breakpoint, a byte. */
int thread_back_to(pid_t pid, uint64_t addr)
{
	struct user_regs_struct regs;

	if (get(pid, &regs) || regs.rip != addr + 1)
		return 0;
	regs.rip = addr;
	return !set(pid, &regs);
}

int thread_stack(pid_t pid, uint64_t *sp)
{
	struct user_regs_struct regs;
	int err = get(pid, &regs);

	if (err)
		return err;
	*sp = regs.rsp;
	return regs.cs == USER_CS ? 0 : -ENOTSUP;
}

int thread_first_arg(pid_t pid, uint64_t *out)
{
	struct user_regs_struct regs;
	int err = get(pid, &regs);

	if (!err)
		*out = regs.rdi;
	return err;
}

int thread_set_call(pid_t pid, uint64_t at, long number, const uint64_t args[3])
{
	struct user_regs_struct regs;
	int err = get(pid, &regs);

	if (err)
		return err;
	regs.rip = at;
	regs.rax = (unsigned long long)number;
	regs.orig_rax = ~0ULL;
	regs.rdi = args[0];
	regs.rsi = args[1];
	regs.rdx = args[2];
	return set(pid, &regs);
}

size_t thread_find_call(const uint8_t *code, size_t n)
{
	static const uint8_t syscall[] = {0x0f, 0x05};
	const uint8_t *at = memmem(code, n, syscall, sizeof(syscall));

	return at ? (size_t)(at - code) : n;
}
