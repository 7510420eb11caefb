/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * arch: what is true of one machine.  Each has a folder; a new one adds that and two lines below.
 * Its machine.h defines the constants and lists below (a list is a macro that calls another for
 * each item), and its .c files what the other headers declare.
 *
 * ELF files (elf.h):
 *   ARCH_ELF                   the machine's number, EM_...
 *   ARCH_RELOC_NONE            a relocation that does nothing
 *   ARCH_RELOC_WORD            one that stores an address, 8 bytes
 *   ARCH_RELOC_NEAR            one that stores a distance to itself, 4 bytes
 *   ARCH_RELOC_CODE(X)         those of instructions that call a function, or load its address
 *   ARCH_RELOC_SLOT            by which a dynamic linker binds a function ..
 *   ARCH_RELOC_DATA            .. a pointer to one, or an object ..
 *   ARCH_RELOC_RESOLVED        .. and an IFUNC of the same file
 *
 * Instructions:
 *   INSN_SYSCALL, _SIGRETURN   arch/insn.h
 *   ARCH_LANDING               bytes of the one at which indirect branches may arrive
 *
 * Registers are members of the kernel's struct pt_regs (asm/ptrace.h):
 *   ARCH_SP, ARCH_PC           the stack pointer, the program counter
 *   ARCH_UREGS(REG, THREAD)    uregs[] of D in order: REG(name), or THREAD(name) of thread_struct
 *
 *   ARCH_REGS(X)               their offsets there, bytes, as constants of enum arch_reg ..
 *   ARCH_REGS_END              .. which are all below this one
 *   ARCH_REG_PC, _SP, _ARG1    those of ARCH_PC, ARCH_SP, the second argument and ..
 *   ARCH_REG_RESULT            .. the result of a C function ..
 *   ARCH_REG_FLAGS, _MODE      .. and what has the conditions, and the mode
 *
 * Call frame information (DWARF 5, 6.4):
 *   ARCH_DWARF_FP, _SP, _RA    numbers of the frame and stack pointers, and of the return address
 * .. ARCH_RA_AT                 .. which is so many bytes from the CFA ARCH_SIGNAL_SP where the
 * stack pointer is in a signal's frame, bytes from its own
 *
 * Functions of C:
 *   ARCH_C_ARGS(REG, STACK)    the first ten integer arguments: REG(name), or STACK(word)
 *   ARCH_C_RESULT              the result
 *   ARCH_CALL_WORDS            words that a call pushes: 0 if the return address is in a register
 *   ARCH_CHAR_SIGNED           1 if char is signed, else 0
 *   SITE_STACK_ARG             arch/site.h
 *
 * System calls:
 *   ARCH_CALL_ARGS(REG)        the six arguments
 *   ARCH_CALL_NUMBER           the number
 *   ARCH_CALL_PREFIX           how the names of the kernel's functions for them begin
 *   ARCH_COMPAT                a member of struct thread_info ..
 *   ARCH_COMPAT_BIT            .. and its bit: the program is for a narrower machine
 *
 * Members of struct task_struct:
 *   ARCH_TLS                   the thread pointer, from which thread-local variables are found
 *   ARCH_FEATURES              features of the machine that the thread uses (arch.bpf.h)
 *
 * The kernel's memory:
 *   ARCH_MODULES, _SIZE        where programs and the code of modules are, and its bytes
 *
 * Page faults, as D text: bits of the error code that the tracepoints exceptions:page_fault_* have
 *   ARCH_FAULT_THERE           the page is there, and may not be accessed so
 *   ARCH_FAULT_WRITE           it was a write
 *
 * A perf event's context begins with bpf_user_pt_regs_t (linux/bpf_perf_event.h):
 *   ARCH_EVENT_PC              offset of the program counter, bytes
 *   ARCH_EVENT_MODE            offset of a word whose bits ..
 *   ARCH_EVENT_MODE_MASK       .. of this mask ..
 *   ARCH_EVENT_MODE_USER       .. have this value if user code was interrupted
 */
#ifndef ARCH_ARCH_H
#define ARCH_ARCH_H

/* __TARGET_ARCH_x86 is what the run-time library is compiled for (bpf_tracing.h has the name) */
#if defined(__x86_64__) || defined(__TARGET_ARCH_x86)
#include "arch/x86_64/machine.h"
#else
#error "not a machine of src/arch"
#endif

#define ARCH_NR(name) ARCH_NR_##name /* the number of a system call */

enum {
#define NUMBER(name, number) ARCH_NR_##name = number,
#include "abi/syscall_numbers.def"
#undef NUMBER
};

#endif
