/* SPDX-License-Identifier: Apache-2.0 */
/*
 * needed: the files that a program will map when it starts, found as the dynamic loader finds them.
 *
 * Knows DT_NEEDED, DT_RPATH and DT_RUNPATH with $ORIGIN (gABI, chapter 5; ld.so(8)),
 * LD_LIBRARY_PATH, the folders that /etc/ld.so.conf.d names, and the default ones.  Does not run
 * anything, and does not look for libraries that a program loads by itself.
 */
#ifndef ELF_NEEDED_H
#define ELF_NEEDED_H

struct arena;

/*
 * Calls FN for the file of PROGRAM, which is searched in PATH if it has no slash, then for each
 * library that it or one of these needs, once each, until FN returns something else than 0, which
 * is returned.  FD and PATH are valid during the call.  What cannot be found or read is left out.
 * 0; -ENOENT: there is no such program.  The names are in arena A; if that has no memory, FN can be
 * jumped over.
 */
int needed_files(struct arena *a, const char *program,
	int (*fn)(void *arg, int fd, const char *path), void *arg);

#endif
