/* SPDX-License-Identifier: Apache-2.0 */
/*
 * site: the code of static probes' sites: what -G writes over the calls that the headers of -h
 * make, and where their arguments are, as notes say it (sys/sdt.h).
 */
#ifndef ARCH_SITE_H
#define ARCH_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Returns the start of the call or jump in CODE, N bytes, whose operand is at OFF; NULL: there is
 * none.  *LEN is its bytes, *TAIL: it is a jump.
 */
const uint8_t *site_call(const uint8_t *code, size_t n, uint64_t off, unsigned *len, bool *tail);

/*
 * Writes over such an instruction of LEN bytes: one that does nothing, at which a probe costs one
 * trap; a return if TAIL; and more that do nothing.
 */
void site_write(uint8_t *at, unsigned len, bool tail);

/*
 * True if the call at AT has an argument: what stands before it, from START on, puts an address of
 * the stack or a register into that of the first argument.
 */
bool site_has_argument(const uint8_t *start, const uint8_t *at);

/*
 * Returns a function, *SIZE bytes, that returns the 2 bytes at an address without their sign, or if
 * STORES, stores them as 4 bytes where its argument points to.  ARCH_RELOC_NEAR at *OPERAND, with
 * the addend -4, is that address.
 */
const uint8_t *site_enabled(bool stores, size_t *size, size_t *operand);

/*
 * Return where a C function has its integer argument number N, of SIZE (1, 2, 4, 8) bytes, or its
 * floating-point argument N, in the assembler's words; NULL: on the stack, at byte M of which
 * SITE_STACK_ARG is the format.
 */
const char *site_int_arg(unsigned n, unsigned size);
const char *site_float_arg(unsigned n);

#endif
