/* SPDX-License-Identifier: Apache-2.0 */
/* confine_int: private to confine.c (what a session needs) and confine_calls.c (system calls). */
#ifndef SESSION_CONFINE_INT_H
#define SESSION_CONFINE_INT_H

#include <stdbool.h>
#include <stdint.h>

/* Groups of system calls, a bit each; the bits of running.def. */
enum running_calls {
	CALLS_BASIC = 0,	 /* always: reading files and buffers, writing what is open */
	CALLS_EVENTS = 1 << 0,	 /* perf events and links of programs that are loaded */
	CALLS_FILES = 1 << 1,	 /* making, writing and renaming files */
	CALLS_NETWORK = 1 << 2,	 /* connections */
	CALLS_TABLES = 1 << 3,	 /* new BPF maps, reading memory of processes */
	CALLS_PROGRAMS = 1 << 4, /* loading BPF programs, making threads */
	CALLS_NETS = 1 << 5,	 /* entering network namespaces */
	CALLS_ALL = 1 << 6,	 /* no filter at all */
};

/*
 * Let all threads make only the system calls of GROUPS, which has no CALLS_ALL: others fail with
 * EPERM.  It takes no_new_privs.  0 or a negative errno.
 */
int confine_calls(uint32_t groups);

#endif
