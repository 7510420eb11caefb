/* SPDX-License-Identifier: Apache-2.0 */
/*
 * userland: the files of programs and libraries that providers of user probes have looked at, each
 * opened and read once in a session.
 *
 * Knows nothing of probes.  Everything lives until userland_free().  File names are as the process
 * sees them.
 */
#ifndef SYM_USERLAND_H
#define SYM_USERLAND_H

#include "probe/attach.h"

struct looker;
struct process_object;
struct types;
struct userland;

struct user_file {
	struct attach_file at;
	const char *name; /* base name */
	uint64_t dev, ino;
	struct file_image *image;
	/*
	 * Another that is the same to the kernel's probes, by another name or in another mount of
	 * its file system, and was known before; NULL: none.
	 */
	const struct user_file *same;
};

/* NULL: no memory.  Types of programs go to TYPES. */
struct userland *userland_new(struct types *types);
void userland_free(struct userland *u);

/* From now on BY opens the files (confine/looker.h); NULL: we do. */
void userland_look_by(struct userland *u, const struct looker *by);

/*
 * Returns the file of object O of process PID, 0 = none.  NULL and *ERR: an error of process_open()
 * or image_open(); -ENOTSUP is a program for another machine (32 bits).
 */
struct user_file *userland_file(
	struct userland *u, pid_t pid, const struct process_object *o, int *err);

/* Returns the debug information of F, opened by the first call; NULL: there is none. */
struct dwarf_file *userland_dwarf(struct userland *u, struct user_file *f);

/* Returns the call frame information of F, read by the first call; NULL: it cannot be read. */
const struct unwind_table *userland_unwind(struct user_file *f);

#endif
