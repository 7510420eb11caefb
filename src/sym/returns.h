/* SPDX-License-Identifier: Apache-2.0 */
/*
 * returns: the instructions with which a function of an ELF file returns.
 *
 * These are its return instructions, and its jumps to other functions where nothing but the return
 * address is on the stack: the other function then returns to the caller (System V ABI for x86-64,
 * 3.2.2; call frame information says what is on the stack).  A function includes its parts: code
 * that compilers move to another place under the names NAME.cold and NAME.part.N.  Knows nothing of
 * processes or probes.
 */
#ifndef SYM_RETURNS_H
#define SYM_RETURNS_H

#include <stdbool.h>
#include <stdint.h>

struct dt_return_site;
struct file_image;
struct image_func;
struct unwind_table;

struct returns {
	struct dt_return_site *v; /* N of them, by address; .pc is as in the file; from malloc() */
	uint32_t n;
	uint32_t jumps;	 /* of these, those that jump to another function */
	bool understood; /* false: code and data cannot be told apart, so there is none */
};

/*
 * Finds those of F, one of M's functions.  UNWIND is the file's call frame information, NULL if it
 * has none.  0, and returns_free() frees what OUT has; -ENOMEM.
 */
int returns_find(const struct file_image *m, const struct image_func *f,
	const struct unwind_table *unwind, struct returns *out);
void returns_free(struct returns *r);

#endif
