/* SPDX-License-Identifier: Apache-2.0 */
/* java_flag: the flags (-XX:+NAME) with which a Java VM runs. */
#ifndef MANAGED_JAVA_FLAG_H
#define MANAGED_JAVA_FLAG_H

#include <stdbool.h>
#include <sys/types.h>

struct java_flag {
	const char *name; /* of one with type bool */
	enum {
		JAVA_FLAG_UNKNOWN, /* the VM has not read its flags yet, or they cannot be read */
		JAVA_FLAG_OFF,
		JAVA_FLAG_ON,
	} is;
};

/* Reads FLAGS, N of them, of the VM in process PID; false: it has none, nothing like libjvm.so. */
bool java_flags(pid_t pid, struct java_flag *flags, unsigned n);

#endif
