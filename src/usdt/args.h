/* SPDX-License-Identifier: Apache-2.0 */
/*
 * args: parses the argument text of a stapsdt note, "-4@%eax 8@$3 8@-16(%rbp)", into operands.
 *
 * The compiler writes the text in place of inline-assembler operands: blank-separated `N@OP`,
 * where N is the size in bytes, negative if signed, and OP an x86-64 operand in AT&T syntax
 * (SystemTap's wiki, UserSpaceProbeImplementation; info as, i386-Memory).  Knows nothing of files.
 */
#ifndef USDT_ARGS_H
#define USDT_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/usdt.h"

/* Stores the address of symbol NAME (LEN bytes, not terminated) in the file; false = unknown. */
typedef bool (*usdt_symbol_fn)(void *arg, const char *name, size_t len, uint64_t *addr);

/*
 * ARGS, which may be NULL, to OUT, which is filled up with DT_USDT_NONE; returns how many there
 * are, of which only the first DT_USDT_NARGS are in OUT.  One that isn't understood is
 * DT_USDT_UNKNOWN and counts; so is one with a symbol that SYMBOL (NULL: there are none) doesn't
 * find.  -EINVAL: a bracket has no end, all of them are DT_USDT_UNKNOWN.
 */
int usdt_parse(const char *args, usdt_symbol_fn symbol, void *arg,
	struct dt_usdt_operand out[DT_USDT_NARGS]);

/*
 * Finds the text of argument N (from 0) in ARGS, for messages; returns its length, 0 = there is
 * none.
 */
size_t usdt_arg_text(const char *args, unsigned n, const char **start);

/* Returns why argument N cannot be followed, as a fragment; NULL if OP can. */
const char *usdt_why_unknown(const char *args, unsigned n, const struct dt_usdt_operand *op);

#endif
