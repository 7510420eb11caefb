/* SPDX-License-Identifier: Apache-2.0 */
/*
 * copier: processes that translate code or run a copy of it, as valgrind and node with large pages
 * do.  A breakpoint in the original gets into what they make of it, where the kernel knows nothing
 * of it: SIGTRAP ends the process.
 *
 * Knows /proc and the programs in copier.def; nothing of probes.  A program that is not in there
 * and has not copied anything yet cannot be recognised.
 */
#ifndef SYM_COPIER_H
#define SYM_COPIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct looker;
struct process_object;

struct copier {
	const char *why;   /* "translates code (valgrind)" */
	char name[64];	   /* base name of its program; "" = unknown */
	bool all;	   /* whatever it maps; else its program alone, and */
	uint64_t dev, ino; /* the file of this code, as in struct process_object; or 0 */
};

/* How thoroughly to look: at names and arguments alone, or at the memory map as well. */
enum copier_look { COPIER_QUICK, COPIER_WHOLE };

/*
 * True if process PID translates or copies code, and *C says how.  BY opens what takes rights that
 * we lack (confine/looker.h), or NULL.  False for a process that has ended.  Waits for one that is
 * still in execve(2), for 0.1 s at most.
 */
bool copier_is(const struct looker *by, pid_t pid, enum copier_look look, struct copier *c);

/* True if program EXE, a path or name, is a translator, whatever its arguments are. */
bool copier_is_program(const char *exe, struct copier *c);

/* True if what maps file PATH is one, or copies the program's code; *C has no name. */
bool copier_is_library(const char *path, struct copier *c);

/* True if EXE is a program that copies code if its arguments or its environment say so. */
bool copier_depends(const char *exe);

/* True if files that are not looked at can say so as well. */
bool copier_has_files(const char *exe);

/*
 * Returns how program EXE with the arguments ARGS, LEN bytes with a NUL after each, copies code;
 * NULL: it does not.
 */
const char *copier_by_args(const char *exe, const char *args, size_t len);

/* Does the same by its environment, of the form of /proc/PID/environ. */
const char *copier_by_environ(const char *exe, const char *vars, size_t len);

/* True if PID copies code by what it maps, and *C, except the name, says how. */
bool copier_by_maps(const struct looker *by, pid_t pid, struct copier *c);

/* True if the code of O, which the process of C maps, is or may be copied. */
bool copier_concerns(const struct copier *c, const struct process_object *o);

#endif
