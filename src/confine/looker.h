/* SPDX-License-Identifier: Apache-2.0 */
/*
 * looker: somebody who opens what belongs to other processes for a tracer that has given up the
 * rights to.  Whoever looks at processes may be handed one; NULL: there is none, and our own rights
 * have to do.
 */
#ifndef CONFINE_LOOKER_H
#define CONFINE_LOOKER_H

#include <errno.h>
#include <stdint.h>
#include <sys/types.h>

enum look_what {
	LOOK_MAPS,    /* /proc/PID/maps, for reading */
	LOOK_AUXV,    /* /proc/PID/auxv */
	LOOK_STAT,    /* /proc/PID/stat */
	LOOK_ENVIRON, /* /proc/PID/environ, if PID's program is of copier_depends() (sym/copier.h)
		       */
	LOOK_EXE,     /* the program of PID, for its name alone (O_PATH) */
	LOOK_MAPPING, /* the ELF file that PID maps from START to END */
	LOOK_FILE,    /* the ELF file PATH, absolute; PID: below the root folder of PID, 0 = ours */
	LOOK_COUNT,
};

struct look {
	enum look_what what;
	pid_t pid;
	uint64_t start, end;
	const char *path;
};

struct looker {
	/* Returns a descriptor, which is the caller's, or a negative errno; -EPIPE: it has ended.
	 */
	int (*open)(void *arg, const struct look *l);
	void *arg;
};

/* Returns a descriptor, or a negative errno; -EPIPE: nobody can be asked. */
static inline int looker_open(const struct looker *by, const struct look *l)
{
	return by ? by->open(by->arg, l) : -EPIPE;
}

#endif
