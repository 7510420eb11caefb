/* SPDX-License-Identifier: Apache-2.0 */
/*
 * args: parses the argument text of a stapsdt note into operands.
 *
 * The compiler writes the text in place of inline-assembler operands: blank-separated `N@OP`,
 * where N is the size in bytes, negative if signed, and OP an operand of an instruction
 * (arch/operand.h; SystemTap's wiki, UserSpaceProbeImplementation).  Knows nothing of files.
 */
#ifndef USDT_ARGS_H
#define USDT_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/usdt.h"
#include "arch/operand.h"

/*
 * ARGS, which may be NULL, to OUT, which is filled up with DT_USDT_NONE; returns how many there
 * are, of which only the first DT_USDT_NARGS are in OUT.  One that isn't understood is
 * DT_USDT_UNKNOWN and counts; so is one with a symbol that SYMBOL (NULL: there are none) doesn't
 * find.  -EINVAL: a bracket has no end, all of them are DT_USDT_UNKNOWN.
 */
int usdt_parse(const char *args, operand_symbol_fn symbol, void *arg,
	struct dt_usdt_operand out[DT_USDT_NARGS]);

/*
 * Finds the text of argument N (from 0) in ARGS, for messages; returns its length, 0 = there is
 * none.
 */
size_t usdt_arg_text(const char *args, unsigned n, const char **start);

/* Returns why argument N cannot be followed, as a fragment; NULL if OP can. */
const char *usdt_why_unknown(const char *args, unsigned n, const struct dt_usdt_operand *op);

#endif
