/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libdir: finds the folder of the system's D libraries.
 *
 * Make may build for one prefix and install in another, and an installed tree may be moved.  So the
 * search starts at the file that this code was loaded from, the command or libdtrace.so; the folder
 * that was set when it was built comes last.  Knows the layouts that the Makefile builds and
 * installs, not what a library is.  All memory belongs to the arena.
 */
#ifndef COMPILE_LIBDIR_H
#define COMPILE_LIBDIR_H

#include <stdbool.h>

#include "base/vec.h"

/* The result of a search. */
struct libdir {
	const char *path;	   /* the folder; if there is none, the last one tried */
	int err;		   /* 0, or the errno of opening it */
	VEC(const char *) missing; /* the folders that do not exist, in the order of the search */
};

/*
 * Returns the folder of the D libraries.  SET is the folder that the user chose (-x syslibdir) and
 * is the only one tried; NULL starts a search.
 */
struct libdir libdir_find(struct arena *a, const char *set);

/*
 * The search by itself.  FILE is the path of the file with this code, NULL if unknown; IS_PROGRAM
 * is true for an executable, false for a shared library.  BUILT_FOR is the folder tried last.
 */
struct libdir libdir_search(
	struct arena *a, const char *file, bool is_program, const char *built_for);

/* Returns the path of the file that this code was loaded from, or NULL; *IS_PROGRAM as above. */
const char *libdir_code_file(struct arena *a, bool *is_program);

/*
 * The D libraries that are part of the program, up to one without a name.  Only the static binary
 * has them (cmd/static/dlib); elsewhere the symbol is undefined and its address NULL.
 */
struct libdir_file {
	const char *name; /* "errno.d" */
	const char *text;
};
extern const struct libdir_file libdir_embedded[] __attribute__((weak, visibility("default")));

/* The folder's name in messages, and in paths of the embedded libraries. */
#define LIBDIR_EMBEDDED "(dtrace)"

/* Returns the text of the embedded library whose path is "(dtrace)/NAME", else NULL. */
const char *libdir_embedded_text(const char *path);

/*
 * Returns the error message of a search that failed (err is not 0), without a newline: "cannot read
 * the D libraries in FOLDER, FOLDER: No such file or directory".
 */
const char *libdir_message(struct arena *a, const struct libdir *l);

#endif
