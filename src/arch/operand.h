/* SPDX-License-Identifier: Apache-2.0 */
/* operand: parses the operands of instructions, as assemblers write them. */
#ifndef ARCH_OPERAND_H
#define ARCH_OPERAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dt_usdt_operand;

/* Stores the address of symbol NAME (LEN bytes, not terminated) in the file; false = unknown. */
typedef bool (*operand_symbol_fn)(void *arg, const char *name, size_t len, uint64_t *addr);

/*
 * Parses the LEN bytes at TEXT, all of them, into OP, which has its size already (SIZED: somebody
 * said so; otherwise it becomes that of the register) and no registers.  False: the operand is not
 * understood, or has a symbol that SYMBOL (NULL: there are none) does not find.
 */
bool operand_parse(const char *text, size_t len, bool sized, operand_symbol_fn symbol, void *arg,
	struct dt_usdt_operand *op);

/* Returns why TEXT is not understood, as a fragment. */
const char *operand_why_unknown(const char *text, size_t len);

#endif
