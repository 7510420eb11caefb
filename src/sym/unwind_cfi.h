/* SPDX-License-Identifier: Apache-2.0 */
/* unwind_cfi: turns call frame information into rows; for unwind.c only. */
#ifndef SYM_UNWIND_CFI_H
#define SYM_UNWIND_CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dt_unwind_row;

/* A section in memory. */
struct cfi {
	const uint8_t *data;
	size_t len;
	uint64_t vaddr; /* of its first byte */
	bool is_eh;	/* .eh_frame, else .debug_frame */
};

#define CFI_SECTIONS 2 /* a file has at most one of each */

/* All that a file has. */
struct cfi_sections {
	struct cfi v[CFI_SECTIONS]; /* the first goes before the second */
	unsigned n;
	uint64_t low, high; /* virtual addresses that are wanted; high - low is 4 GB at most */
};

/* Rows, whose pc counts from `low`, to *ROWS (malloc()ed); how many, or -ENOMEM. */
int64_t cfi_rows(const struct cfi_sections *c, struct dt_unwind_row **rows);

/* Bytes that are read one after another; what lies after the end reads as 0 and sets `bad`. */
struct cfi_cursor {
	const uint8_t *at, *end;
	bool bad;
};

/* Reads a pointer of encoding ENC (DW_EH_PE_*; LSB Core); VADDR is the address of the cursor. */
uint64_t cfi_pointer(struct cfi_cursor *c, uint8_t enc, uint64_t vaddr);

#endif
