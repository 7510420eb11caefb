/* SPDX-License-Identifier: Apache-2.0 */
/*
 * insn: the lengths of instructions, and which of them can carry a uprobe.  Every result is a pure
 * function of the bytes.
 */
#ifndef ARCH_INSN_H
#define ARCH_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSN_MAX 15 /* bytes */

/*
 * The action of all kernels from 6.1 on when a uprobe at the instruction has fired.
 *
 * EMULATED: its effect is computed in the kernel: one trap a firing.
 * STEPPED: a copy of it is executed elsewhere, step by step: two traps a firing.
 * REFUSED: no probe may be placed there, because the kernel refuses it, or accepts it and then
 * breaks the program.
 */
enum insn_kind { INSN_EMULATED, INSN_STEPPED, INSN_REFUSED };

/*
 * Returns the length, 1 to INSN_MAX, of the instruction that the LEN bytes at CODE begin with; 0 =
 * they begin with none, or with a part of one.  *KIND (may be NULL) is set when there is one.
 */
unsigned insn_decode(const uint8_t *code, size_t len, enum insn_kind *kind);

/*
 * Returns the bytes of the instruction that CODE, of LEN bytes, begins with if all that it does is
 * to let indirect branches come here; 0: it is another.  A machine has one such, ARCH_LANDING
 * bytes.
 */
unsigned insn_landing(const uint8_t *code, size_t len);

/*
 * True if CODE, of LEN bytes, begins with the instruction of a system call, which has INSN_SYSCALL
 * bytes; or with the code to which a signal's handler returns, INSN_SIGRETURN bytes.
 */
bool insn_is_syscall(const uint8_t *code, size_t len);
bool insn_is_sigreturn(const uint8_t *code, size_t len);

#define INSN_NOP5 5 /* bytes */

/* True if CODE, of LEN bytes, begins with an instruction of INSN_NOP5 bytes that does nothing, and
 * that some kernels replace by a call. */
bool insn_is_nop5(const uint8_t *code, size_t len);

/*
 * Returns the number of instructions in the LEN bytes at CODE, the first at 0, up to the end or to
 * the first invalid byte.  Stores the offsets of the first MAX of them in OFFSETS (NULL if MAX is
 * 0).  LEN is below 4 GiB.
 */
uint32_t insn_boundaries(const uint8_t *code, size_t len, uint32_t *offsets, uint32_t max);

#endif
