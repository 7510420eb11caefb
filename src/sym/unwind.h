/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unwind: the rules for leaving the frames of an ELF file's functions, as rows of abi/unwind.h.
 *
 * They come from the call frame information that compilers write for exceptions and debuggers
 * (.eh_frame: LSB Core, "Exception Frames"; .debug_frame: DWARF 5, section 6.4).  Knows nothing of
 * processes or BPF.
 */
#ifndef SYM_UNWIND_H
#define SYM_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

/* A part of the file that is mapped executable. */
struct unwind_segment {
	uint64_t off, vaddr, size;
};

struct unwind_table {
	struct dt_unwind_row *rows; /* in ascending order of pc; owned by the table */
	uint32_t n;
	uint64_t base; /* the virtual address that a row's pc counts from */
	struct unwind_segment *segs;
	uint32_t nsegs;
};

/*
 * The table of the file FD, which is left open.  0; -ENOEXEC: not an ELF file for x86-64; -ENOENT:
 * it has no call frame information (segs are set all the same); -EFBIG: its code is more than
 * 4 GB; -ENOMEM.  Whatever comes, *OUT is to be freed.
 */
int unwind_read(int fd, struct unwind_table *out);

/* Reads the table of the vDSO, which every process maps. */
int unwind_read_vdso(struct unwind_table *out);

void unwind_free(struct unwind_table *t);

/* Finds the bias to subtract from an address in a mapping of file offset OFF at START. */
bool unwind_bias(const struct unwind_table *t, uint64_t start, uint64_t off, uint64_t *bias);

/* Returns the rule at PC, counted from the table's base. */
uint32_t unwind_find(const struct unwind_table *t, uint32_t pc);

#define UNWIND_ID 20

/* Reads the file's build id, or its first UNWIND_ID bytes, zero-filled; false: it has none. */
bool unwind_build_id(int fd, uint8_t id[UNWIND_ID]);

#endif
