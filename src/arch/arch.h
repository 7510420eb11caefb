/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arch: what is true of one machine: registers, the calling conventions of C and of the kernel,
 * instructions, relocations.  Each machine has a folder, which is all that a new one adds.
 *
 * machine.h of that folder defines, as constants or lists that macros walk (X-macros):
 *
 * ARCH_ELF			its number in ELF headers (EM_..., elf.h)
 *
 * Names below are members of the kernel's struct pt_regs (asm/ptrace.h), unless they say otherwise.
 *
 * ARCH_SP, ARCH_PC		the stack pointer, the program counter
 * ARCH_C_ARGS(REG, STACK)	the first ten integer arguments of a C function: REG(name), or
 *STACK(n), word n of the arguments on the stack ARCH_C_RESULT		its result ARCH_CALL_WORDS
 *words that a call pushes: 1 if the return address is on the stack, 0 if in a register
 * ARCH_CALL_ARGS(REG)		the six arguments of a system call
 * ARCH_CALL_NUMBER		its number
 * ARCH_CALL_PREFIX		what the names of the kernel's functions for system calls begin with
 * ARCH_COMPAT, _COMPAT_BIT	a member of struct thread_info, and its bit: a program for a
 *narrower machine runs ARCH_UREGS(REG, THREAD)	uregs[] of D, in order: REG(name), or THREAD(name),
 *a member of struct thread_struct
 *
 * The context of a perf event begins with bpf_user_pt_regs_t (linux/bpf_perf_event.h):
 *
 * ARCH_EVENT_PC		offset of the program counter
 * ARCH_EVENT_MODE, _MODE_MASK, _MODE_USER	of the word whose bits of the mask have this value
 *in user code
 *
 * syscall.def of the folder has the system calls.
 */
#ifndef ARCH_ARCH_H
#define ARCH_ARCH_H

/* __TARGET_ARCH_x86 is what the run-time library is compiled for (bpf_tracing.h has the name) */
#if defined(__x86_64__) || defined(__TARGET_ARCH_x86)
#include "arch/x86_64/machine.h"
#define ARCH_SYSCALLS "arch/x86_64/syscall.def"
#else
#error "not a machine of src/arch"
#endif

#endif
