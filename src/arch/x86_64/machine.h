/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * machine: x86-64, as arch/arch.h says.
 *
 * Registers: arch/x86/include/uapi/asm/ptrace.h; C: System V ABI for x86-64, 3.2.3; system calls:
 * arch/x86/entry/entry_64.S.
 */
#ifndef ARCH_X86_64_MACHINE_H
#define ARCH_X86_64_MACHINE_H

#define ARCH_ELF	EM_X86_64
#define ARCH_RELOC_NONE R_X86_64_NONE
#define ARCH_RELOC_WORD R_X86_64_64
#define ARCH_RELOC_NEAR R_X86_64_PC32
#define ARCH_RELOC_CODE(X)    \
	X(R_X86_64_PC32)      \
	X(R_X86_64_PLT32)     \
	X(R_X86_64_GOTPCREL)  \
	X(R_X86_64_GOTPCRELX) \
	X(R_X86_64_REX_GOTPCRELX)
#define ARCH_RELOC_SLOT	    R_X86_64_JUMP_SLOT
#define ARCH_RELOC_DATA	    R_X86_64_GLOB_DAT
#define ARCH_RELOC_RESOLVED R_X86_64_IRELATIVE

#define INSN_SYSCALL   2
#define INSN_SIGRETURN 9
#define ARCH_LANDING   4 /* endbr64 (Intel SDM, volume 2) */

#define ARCH_SP "sp"
#define ARCH_PC "ip"

#define ARCH_C_ARGS(REG, STACK) \
	REG("di")               \
	REG("si")               \
	REG("dx")               \
	REG("cx")               \
	REG("r8")               \
	REG("r9")               \
	STACK(0)                \
	STACK(1)                \
	STACK(2)                \
	STACK(3)
#define ARCH_CHAR_SIGNED 1

#define ARCH_C_RESULT	"ax"
#define ARCH_CALL_WORDS 1
#define SITE_STACK_ARG	"%u(%%rsp)"

#define ARCH_CALL_ARGS(REG) \
	REG("di")           \
	REG("si")           \
	REG("dx")           \
	REG("r10")          \
	REG("r8")           \
	REG("r9")
#define ARCH_CALL_NUMBER "orig_ax"
#define ARCH_CALL_PREFIX "__x64_sys_" /* arch/x86/include/asm/syscall_wrapper.h */
#define ARCH_COMPAT	 "status"
#define ARCH_TLS	 "thread.fsbase"
#define ARCH_FEATURES	 "thread.features"
#define ARCH_COMPAT_BIT	 0x2 /* TS_COMPAT, arch/x86/include/asm/thread_info.h */

/* Solaris' numbers, R_R15 and so on (d-builtins 1). */
#define ARCH_UREGS(REG, THREAD) \
	REG("r15")              \
	REG("r14")              \
	REG("r13")              \
	REG("r12")              \
	REG("bp")               \
	REG("bx")               \
	REG("r11")              \
	REG("r10")              \
	REG("r9")               \
	REG("r8")               \
	REG("ax")               \
	REG("cx")               \
	REG("dx")               \
	REG("si")               \
	REG("di")               \
	REG("orig_ax")          \
	REG("ip")               \
	REG("cs")               \
	REG("flags")            \
	REG("sp")               \
	REG("ss")               \
	THREAD("ds")            \
	THREAD("es")            \
	THREAD("fsindex")       \
	THREAD("gsindex")       \
	THREAD("trap_nr")

#define ARCH_EVENT_PC	     128
#define ARCH_EVENT_MODE	     136 /* cs: its privilege level */
#define ARCH_EVENT_MODE_MASK 3
#define ARCH_EVENT_MODE_USER 3

/* System V ABI, AMD64 supplement, figure 3.36. */
#define ARCH_DWARF_FP  6
#define ARCH_DWARF_SP  7
#define ARCH_DWARF_RA  16
#define ARCH_RA_AT     (-8)
#define ARCH_SIGNAL_SP 160 /* uc_mcontext: the stack pointer in struct ucontext */

/* Their offsets in struct pt_regs, the same in all kernels. */
enum arch_reg {
	DT_REG_R15 = 0,
	DT_REG_R14 = 8,
	DT_REG_R13 = 16,
	DT_REG_R12 = 24,
	DT_REG_RBP = 32,
	DT_REG_RBX = 40,
	DT_REG_R11 = 48,
	DT_REG_R10 = 56,
	DT_REG_R9 = 64,
	DT_REG_R8 = 72,
	DT_REG_RAX = 80,
	DT_REG_RCX = 88,
	DT_REG_RDX = 96,
	DT_REG_RSI = 104,
	DT_REG_RDI = 112,
	DT_REG_RIP = 128,
	DT_REG_CS = 136,
	DT_REG_FLAGS = 144,
	DT_REG_RSP = 152,
};

#define ARCH_REGS(X)    \
	X(DT_REG_R15)   \
	X(DT_REG_R14)   \
	X(DT_REG_R13)   \
	X(DT_REG_R12)   \
	X(DT_REG_RBP)   \
	X(DT_REG_RBX)   \
	X(DT_REG_R11)   \
	X(DT_REG_R10)   \
	X(DT_REG_R9)    \
	X(DT_REG_R8)    \
	X(DT_REG_RAX)   \
	X(DT_REG_RCX)   \
	X(DT_REG_RDX)   \
	X(DT_REG_RSI)   \
	X(DT_REG_RDI)   \
	X(DT_REG_RIP)   \
	X(DT_REG_CS)    \
	X(DT_REG_FLAGS) \
	X(DT_REG_RSP)
#define ARCH_REGS_END	160
#define ARCH_REG_PC	DT_REG_RIP
#define ARCH_REG_SP	DT_REG_RSP
#define ARCH_REG_ARG1	DT_REG_RSI
#define ARCH_REG_RESULT DT_REG_RAX
#define ARCH_REG_FLAGS	DT_REG_FLAGS
#define ARCH_REG_MODE	DT_REG_CS

/* MODULES_VADDR, MODULES_END: Documentation/arch/x86/x86_64/mm.rst */
#define ARCH_MODULES	  0xffffffffc0000000
#define ARCH_MODULES_SIZE 0x3f000000

/* arch/x86/include/asm/trap_pf.h: X86_PF_PROT, X86_PF_WRITE */
#define ARCH_FAULT_THERE "1"
#define ARCH_FAULT_WRITE "2"

#endif
