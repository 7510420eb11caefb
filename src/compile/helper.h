/* SPDX-License-Identifier: Apache-2.0 */
/*
 * helper: runs a program that reads one file and writes another, and ends with the tracer.
 *
 * The program and all that it starts are a process group.  A guard, a process between them and the
 * tracer, kills the group when the tracer dies, when it is told to end, and when the program has
 * ended.  The program may use HELPER_MEMORY bytes of addresses and HELPER_SECONDS of CPU time.
 */
#ifndef COMPILE_HELPER_H
#define COMPILE_HELPER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* clang -E needs half of the memory for itself, cpp a tenth. */
#define HELPER_MEMORY  (512UL << 20)
#define HELPER_SECONDS 20

#define HELPER_EXHAUSTED (-2)
#define HELPER_FULL	 (-3)

/* Run ARGV from IN to OUT.  Stores the guard in *GUARD; 0 or a negative errno of execvp(3). */
int helper_start(char **argv, int in, int out, pid_t *guard);

/* Kill the program before it ends by itself; helper_wait() is still to be called. */
void helper_stop(pid_t guard);

/*
 * Finds a FIFO that the program, or what it has started, waits for in open(2) or read(2), and
 * stores its name.  False: there is none, or the kernel does not tell.
 */
bool helper_awaits(pid_t guard, char *name, size_t size);

/*
 * Waits for the end of the program: its exit status; -1: a signal has ended it; HELPER_EXHAUSTED:
 * that of its limit of CPU time; HELPER_FULL: it failed, and had so much memory that the limit must
 * be why.
 */
int helper_wait(pid_t guard);

#endif
