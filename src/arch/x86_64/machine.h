/* SPDX-License-Identifier: Apache-2.0 */
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
#define ARCH_RELOC_CODE(X) \
	X(R_X86_64_PC32)   \
	X(R_X86_64_PLT32) X(R_X86_64_GOTPCREL) X(R_X86_64_GOTPCRELX) X(R_X86_64_REX_GOTPCRELX)
#define ARCH_RELOC_SLOT	    R_X86_64_JUMP_SLOT
#define ARCH_RELOC_DATA	    R_X86_64_GLOB_DAT
#define ARCH_RELOC_RESOLVED R_X86_64_IRELATIVE

#define ARCH_LANDING 4 /* endbr64 (Intel SDM, volume 2) */

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

#endif
