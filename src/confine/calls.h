/* SPDX-License-Identifier: Apache-2.0 */
/* calls: leaves a process with the system calls of calls.def that it needs. */
#ifndef CONFINE_CALLS_H
#define CONFINE_CALLS_H

#include <stdint.h>

/* The processes, and the needs of a session, as bits; calls.def explains them. */
enum calls_who {
	CALLS_SESSION = 1 << 0,
	CALLS_EVENTS = 1 << 1,
	CALLS_FILES = 1 << 2,
	CALLS_NETWORK = 1 << 3,
	CALLS_TABLES = 1 << 4,
	CALLS_PROGRAMS = 1 << 5,
	CALLS_NETS = 1 << 6,
	CALLS_WEB = 1 << 7,
	CALLS_FLEET = 1 << 8,
	CALLS_SPOOL = 1 << 9,
	CALLS_DEPUTY = 1 << 10,
	CALLS_ALL = 1 << 11, /* for who may not be confined: calls_allow() is not to be called */
};

/*
 * Let all threads of this process make only the system calls that one of WHO needs: others fail
 * with EPERM.  It takes no_new_privs.  0 or a negative errno.
 */
int calls_allow(uint32_t who);

#endif
