// SPDX-License-Identifier: Apache-2.0
/* Repeats the execve(2) that a process has just made. */
#define _GNU_SOURCE
#include "target/again.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "arch/thread.h"
#include "target/stop.h"

#define MOST_WORDS (1 << 20) /* of arguments and environment */

static bool read_memory(pid_t pid, uint64_t addr, void *to, size_t len)
{
	struct iovec own = {to, len}, theirs = {(void *)(uintptr_t)addr, len};

	return process_vm_readv(pid, &own, 1, &theirs, 1, 0) == (ssize_t)len;
}

/* Reads as much of a string as fits, page by page: what follows it need not be mapped. */
static bool read_text(pid_t pid, uint64_t addr, char *to, size_t size)
{
	for (size_t n = 0; n + 1 < size; n++) {
		if (!read_memory(pid, addr + n, to + n, 1))
			return false;
		if (!to[n])
			return true;
	}
	return false;
}

/* The start of a process, on its stack. */
struct stack {
	uint64_t argv, envp; /* addresses of the two arrays */
	uint64_t execfn;     /* of the path that was executed */
	uint64_t vdso;
};

/* Returns the address after the NULL that ends the array of pointers at ADDR; 0: there is none. */
static uint64_t after_null(pid_t pid, uint64_t addr)
{
	uint64_t word;

	for (int i = 0; i < MOST_WORDS; i++, addr += sizeof(word)) {
		if (!read_memory(pid, addr, &word, sizeof(word)))
			return 0;
		if (!word)
			return addr + sizeof(word);
	}
	return 0;
}

static bool read_stack(pid_t pid, uint64_t sp, struct stack *s)
{
	uint64_t at;
	Elf64_auxv_t v;

	*s = (struct stack){.argv = sp + 8};
	s->envp = after_null(pid, s->argv);
	at = s->envp ? after_null(pid, s->envp) : 0;
	for (; at && read_memory(pid, at, &v, sizeof(v)) && v.a_type != AT_NULL; at += sizeof(v)) {
		if (v.a_type == AT_EXECFN)
			s->execfn = v.a_un.a_val;
		else if (v.a_type == AT_SYSINFO_EHDR)
			s->vdso = v.a_un.a_val;
	}
	return s->execfn && s->vdso;
}

/*
 * The kernel puts the interpreter of a script before its path: the arguments of the call begin with
 * the path then.
 */
static bool skip_interpreter(pid_t pid, struct stack *s)
{
	char path[4096], exe[32], arg[4096];
	struct stat a, b;
	uint64_t word;

	if (!read_text(pid, s->execfn, path, sizeof(path)))
		return false;
	snprintf(exe, sizeof(exe), "/proc/%d/exe", pid);
	snprintf(arg, sizeof(arg), "/proc/%d/cwd/%.4000s", pid, path);
	if (!stat(exe, &a) && !stat(*path == '/' ? path : arg, &b) && a.st_ino == b.st_ino &&
		a.st_dev == b.st_dev)
		return true;
	for (int i = 1; i < 3; i++) {
		if (!read_memory(pid, s->argv + 8 * (uint64_t)i, &word, sizeof(word)) || !word ||
			!read_text(pid, word, arg, sizeof(arg)))
			return false;
		if (!strcmp(arg, path)) {
			s->argv += 8 * (uint64_t)i;
			return true;
		}
	}
	return false;
}

/* Returns where the vDSO makes a system call, which it does for what it cannot do; 0: nowhere. */
static uint64_t find_syscall(pid_t pid, uint64_t vdso)
{
	uint8_t code[4096];
	size_t at;

	for (int page = 0; page < 2; page++, vdso += sizeof(code)) {
		if (!read_memory(pid, vdso, code, sizeof(code)))
			return 0;
		at = thread_find_call(code, sizeof(code));
		if (at < sizeof(code))
			return vdso + at;
	}
	return 0;
}

/* The process is still in its system call, whose result would overwrite a register. */
static int leave_call(pid_t pid, int *status)
{
	if (ptrace(PTRACE_SYSCALL, pid, 0, 0) || stop_waitpid(pid, status, 0) < 0)
		return -errno;
	return WIFSTOPPED(*status) ? 0 : 1;
}

int exec_again(pid_t pid, int *status)
{
	uint64_t at, sp;
	struct stack s;
	int r = leave_call(pid, status);

	if (r)
		return r;
	r = thread_stack(pid, &sp);
	if (r)
		return r;
	if (!read_stack(pid, sp, &s) || !skip_interpreter(pid, &s))
		return -ENOENT;
	at = find_syscall(pid, s.vdso);
	if (!at)
		return -ENOENT;
	r = thread_set_call(pid, at, SYS_execve, (const uint64_t[]){s.execfn, s.argv, s.envp});
	if (r)
		return r;
	if (ptrace(PTRACE_CONT, pid, 0, 0))
		return -errno;
	return stop_after_exec(pid, status);
}
