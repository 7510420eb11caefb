/* SPDX-License-Identifier: Apache-2.0 */
/*
 * landlock: takes access to files from a process, except below the places of a list
 * (landlock(7)).  Files that are open stay usable.
 *
 * A process under Landlock cannot look at others: reading /proc/PID/maps or mem fails with EACCES.
 */
#ifndef CONFINE_LANDLOCK_H
#define CONFINE_LANDLOCK_H

#include <stdbool.h>

/* Rules that are being made; the caller owns them. */
struct landlock;

enum landlock_access {
	LANDLOCK_READ,	/* files and folders */
	LANDLOCK_WRITE, /* this, and making, writing, renaming and removing files */
};

/* Returns the kernel's version of Landlock, 1 and more; 0: there is none (before Linux 5.13). */
int landlock_version(void);

/*
 * Puts rules that allow nothing into *OUT; NULL if it fails.  0 or a negative errno; -EOPNOTSUPP:
 * the kernel has no Landlock.
 */
int landlock_new(struct landlock **out);
void landlock_free(struct landlock *l); /* NULL: nothing */

/*
 * Allow ACCESS to PATH, and below it if it is a folder.  Does nothing if there is no such place.  0
 * or a negative errno.
 */
int landlock_allow(struct landlock *l, const char *path, enum landlock_access access);

/* Allow LANDLOCK_WRITE in the folder of the file PATH, which need not exist. */
int landlock_allow_beside(struct landlock *l, const char *path);

/*
 * Apply the rules to this thread and what it starts, for good, and free L.  It takes no_new_privs
 * (prctl(2)).  0 or a negative errno.
 */
int landlock_restrict(struct landlock *l);

#endif
