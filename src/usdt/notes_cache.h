/* SPDX-License-Identifier: Apache-2.0 */
/*
 * notes_cache: the USDT notes of the files that processes have mapped, each file read once.
 *
 * A file is identified by its device and inode.
 */
#ifndef USDT_NOTES_CACHE_H
#define USDT_NOTES_CACHE_H

#include <sys/types.h>

#include "usdt/notes.h"

struct arena;
struct looker;
struct notes_cache;
struct process_object;

struct noted_site {
	struct sdt_note note; /* with "-" for "__" in the name */
	/* that the site is in, without what the compiler appends (".isra.0"); "" = not known */
	const char *func;
};

/* In arena A, like all that is found. */
struct notes_cache *notes_cache_new(struct arena *a);

/* From now on BY opens the files (confine/looker.h); NULL: we do. */
void notes_cache_look_by(struct notes_cache *c, const struct looker *by);

/*
 * Returns the *N notes of object O of process PID, 0 = none; none if it cannot be opened, and the
 * next call tries again.
 */
struct noted_site *notes_of(
	struct notes_cache *c, pid_t pid, const struct process_object *o, uint32_t *n);

#endif
