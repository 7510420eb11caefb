/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thread: the registers of a thread that is stopped under ptrace(2), and its breakpoint.  PID is
 * the thread; errors are negative errno.
 */
#ifndef ARCH_THREAD_H
#define ARCH_THREAD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A word of code that begins with a breakpoint, and else is WORD. */
unsigned long thread_breakpoint(unsigned long word);
/* 1: WORD of code begins with a breakpoint. */
int thread_is_breakpoint(unsigned long word);

/* Returns 1 and lets the thread execute ADDR next if it has hit the breakpoint there, else 0. */
int thread_back_to(pid_t pid, uint64_t addr);

/* Gets the stack pointer; -ENOTSUP: the thread runs code of a narrower machine. */
int thread_stack(pid_t pid, uint64_t *sp);

/* Gets the first argument of the C function that the thread is about to call. */
int thread_first_arg(pid_t pid, uint64_t *out);

/*
 * Lets the thread make system call NUMBER with ARGS, by the instruction at AT.  No call that a
 * signal has interrupted is made again before.
 */
int thread_set_call(pid_t pid, uint64_t at, long number, const uint64_t args[3]);

/* Returns where CODE, of N bytes, has the instruction for a system call, or N. */
size_t thread_find_call(const uint8_t *code, size_t n);

#endif
