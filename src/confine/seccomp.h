/* SPDX-License-Identifier: Apache-2.0 */
/* seccomp: lets a process make only the system calls of a list (seccomp(2)). */
#ifndef CONFINE_SECCOMP_H
#define CONFINE_SECCOMP_H

#include <stddef.h>
#include <stdint.h>

enum seccomp_test {
	CALL_ANY,     /* whatever the arguments */
	CALL_EQUAL,   /* the low 32 bits of argument ARG are VALUE */
	CALL_WITHOUT, /* argument ARG has none of the bits VALUE */
};

/* A system call that is allowed; several rows may be about the same one. */
struct seccomp_call {
	unsigned number;
	enum seccomp_test test;
	unsigned arg;
	uint32_t value;
};

/* Rows: a call whatever its arguments, or as the test says. */
#define CALL(name)                         \
	{                                  \
		SYS_##name, CALL_ANY, 0, 0 \
	}
#define CALL_IF(name, test, arg, value)      \
	{                                    \
		SYS_##name, test, arg, value \
	}

/* At most so many rows. */
#define SECCOMP_CALLS 180

/*
 * Let all threads of this process make only the system calls of the N rows of ALLOWED: others fail
 * with EPERM.  Calls of other architectures end the process.  It takes no_new_privs.  0 or a
 * negative errno.
 */
int seccomp_allow(const struct seccomp_call *allowed, size_t n);

#endif
