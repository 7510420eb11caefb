/* SPDX-License-Identifier: Apache-2.0 */
/*
 * code: the functions of a file that a process has mapped, and the parts that a compiler has moved
 * elsewhere (.cold), for those that no symbol names.
 *
 * Knows the binary search table of .eh_frame_hdr (LSB Core) and x86-64's relative jumps and calls.
 */
#ifndef MANAGED_CODE_H
#define MANAGED_CODE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct process_object;

struct managed_range {
	uint64_t start, size; /* bytes; 0: there is none */
};

struct managed_code {
	pid_t pid;
	const struct process_object *object; /* borrowed */
	uint64_t base;			     /* of the offsets in V */
	struct managed_row {
		int32_t start, entry;
	} * v; /* N of them, ascending; owned */
	uint32_t n;
};

/* Reads the table of O; false: it has none.  After true, managed_code_free(). */
bool managed_code_load(pid_t pid, const struct process_object *o, struct managed_code *code);
void managed_code_free(struct managed_code *code);

/* Returns the part that a conditional jump of FUNCTION leads to and that is not FUNCTION itself. */
struct managed_range managed_code_cold(
	const struct managed_code *code, struct managed_range function);

/* Returns the largest function that FUNCTION calls directly. */
struct managed_range managed_code_called(
	const struct managed_code *code, struct managed_range function);

#endif
