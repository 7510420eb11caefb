/* SPDX-License-Identifier: Apache-2.0 */
/*
 * insn: the lengths of x86-64 instructions, and which of them can carry a uprobe.
 *
 * Knows only 64-bit mode, as encoded in Intel's SDM, volume 2, appendix A and section 2 (VEX,
 * EVEX), and AMD's APM, volume 3 (XOP); not APX (REX2, EVEX map 4).  It covers every form that a
 * processor decodes, reserved ones as well, not only the output of compilers.  Every result is a
 * pure function of the bytes.
 */
#ifndef ELF_INSN_H
#define ELF_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSN_MAX 15 /* bytes */

/*
 * The action of a kernel from 6.1 to 6.18 when a uprobe at the instruction has fired
 * (arch/x86/kernel/uprobes.c).
 *
 * EMULATED: its effect is computed in the kernel, by all of them: one trap a firing.  That is nop
 * (90, with prefixes: pause), push of a register, and relative jmp, jcc and call.
 *
 * STEPPED: a copy of it is executed elsewhere under the trap flag: two traps a firing.  Longer nops
 * (0f 1f) and endbr64 are among these; newer kernels emulate some of them.  A string instruction
 * with rep fires once a round.
 *
 * REFUSED: no probe may be placed there.  Some of them the kernel refuses itself (ENOTSUPP, when
 * the file is or comes to be mapped): with prefix lock or an operand's segment cs, ds, es, ss
 * (notrack is ds), int, int3, iret, hlt, cli, sti, in, out, mov to ss, call and jumps with an
 * operand-size prefix, and those coded by VEX or EVEX whose opcode is one of these or has no
 * one-byte meaning (vpxor is EF, as out is), and with ENOEXEC FMA4 (vfmaddsd).  Others it accepts
 * and then breaks the program:
 * - VEX and EVEX, opcodes 70 to 7F, 90, E8, E9 and EB (vpshufd, vpcmpeqb, vzeroupper, vmovdqu to
 *   memory, kmov, vpor): taken for jcc, nop, call and jmp, they are left out;
 * - VEX and EVEX, C2, C3, CA and CB (vcmpps): taken for returns, the copy is never left; 9D
 *   (vfnmadd132sd): taken for popf, an operand relative to rip is read from elsewhere;
 * - xchg with r8 (REX.B and 90): taken for nop;
 * - syscall and sysenter: the trap flag takes effect one instruction after the return from the
 *   kernel, and the next instruction is executed in the copy's place;
 * - pushf: the trap flag is in what it pushes;
 * - xbegin: the transaction is aborted by the trap, to a place relative to the copy.
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

#define INSN_NOP5 5 /* bytes */

/* True if CODE, of LEN bytes, begins with the 5-byte NOP 0f 1f 44 00 00 (SDM, volume 2, NOP). */
bool insn_is_nop5(const uint8_t *code, size_t len);

/*
 * Returns the number of instructions in the LEN bytes at CODE, the first at 0, up to the end or to
 * the first invalid byte.  Stores the offsets of the first MAX of them in OFFSETS (NULL if MAX is
 * 0).  LEN is below 4 GiB.
 */
uint32_t insn_boundaries(const uint8_t *code, size_t len, uint32_t *offsets, uint32_t max);

#endif
