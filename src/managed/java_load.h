/* SPDX-License-Identifier: Apache-2.0 */
/*
 * java_load: loads the agent of src/managed/java_agent into a running Java VM.
 *
 * Knows HotSpot's attach mechanism, nothing of what the agent is for.
 */
#ifndef MANAGED_JAVA_LOAD_H
#define MANAGED_JAVA_LOAD_H

#include <stddef.h>
#include <sys/types.h>

struct java_patience;

/* What process there is. */
enum java_state {
	JAVA_NONE,   /* no VM, or no process */
	JAVA_HELD,   /* none, and ptrace(2) has it: it may become one */
	JAVA_STARTS, /* one that cannot be attached to yet, or never */
	JAVA_RUNS,
};

/* Returns what process PID is; waits for a VM that starts. */
enum java_state java_load_state(pid_t pid, const struct java_patience *p);

/* An agent that runs; the descriptors are the caller's. */
struct java_loaded {
	int pidfd; /* of the VM */
	int file;  /* the agent's file, which has no name any more, open for reading */
	int lines; /* connections to the agent, which do not block */
	int events;
};

/*
 * Loads the agent into process PID.  0; -errno, and WHY, SIZE bytes, is a sentence that says why
 * not: *OUT has no descriptors then.
 */
int java_load(
	pid_t pid, struct java_loaded *out, const struct java_patience *p, char *why, size_t size);

#endif
