/* SPDX-License-Identifier: Apache-2.0 */
/*
 * python_functions: the functions of a running Python, which are found by their code objects in the
 * memory of the process.
 */
#ifndef MANAGED_PYTHON_FUNCTIONS_H
#define MANAGED_PYTHON_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "abi/managed.h"

struct arena;
struct process_object;

/* The Python of a process. */
struct python_program {
	struct dt_python python;
	uint64_t function_type; /* PyFunction_Type */
	bool begun;		/* it has an interpreter by now */
};

struct python_function {
	uint64_t code;		   /* the address of its code object */
	uint64_t file_at, name_at; /* those of the str that this has */
	const char *module;	   /* "" = not known; strings are in the arena */
	const char *name;	   /* qualified since 3.11: Server.handle */
	const char *file;
	uint32_t line; /* where it begins */
};

/*
 * Fills *OUT with the Python of process PID that object O holds: 1; 0: it is in another object;
 * negative: there is none that is known, and WHY, SIZE bytes, is a sentence about it, or "".
 */
int python_find(pid_t pid, const struct process_object *o, struct python_program *out, char *why,
	size_t size);

/*
 * Calls FN for each function that there is in process PID, also for those that are not called yet,
 * in the order of addresses.  The process goes on meanwhile: what it makes at the same time may be
 * missing.  Takes half a second for each GB of its memory.  0 or a negative errno; -E2BIG: it has
 * more than 16 GB, or more objects than any real one; -EINTR: a request to end came.
 */
int python_functions(struct arena *a, pid_t pid, const struct python_program *p,
	void (*fn)(void *arg, const struct python_function *f), void *arg);

#endif
