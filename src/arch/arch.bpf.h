/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * arch.bpf: what the run-time library knows of the machine.  The folder of a machine has an
 * arch.bpf.h that defines
 *
 * - struct saved_regs, the kernel's struct pt_regs, and struct signal_regs, the registers in a
 *   signal's frame, SIGNAL_REGS bytes from the stack pointer of the code that its handler returns
 *   to; enum arch_dwarf_reg, DWARF's numbers of registers, below R_COUNT;
 * - ARCH_READ_REGS(), all of these registers, by number; arch_is_user(),
 *   arch_is_narrow(): the mode and the width of what was interrupted;
 * - arch_holds(), arch_return_address(): the state at a breakpoint;
 * - arch_is_sigreturn(), arch_leaves_frame(): code that is known by its bytes;
 * - arch_java_frame(): how far the frame of a compiled method is made; JAVA_SENDER, JAVA_BCP,
 *   JAVA_RETURN, V8_FUNCTION, arch_php_opline(): registers of language runtimes;
 * - struct pt_regs and ARCH_CALL_..._OF() of system calls; the numbers CALL_... of some;
 * SIGNAL_RESULT and SIGNAL_MASK, where rt_sigreturn(2) finds both above its stack pointer;
 * - USER_END, above all user addresses.
 */
#ifndef ARCH_ARCH_BPF_H
#define ARCH_ARCH_BPF_H

#if defined(__TARGET_ARCH_x86)
#include "arch/x86_64/arch.bpf.h"
#else
#error "not a machine of src/arch"
#endif

#endif
