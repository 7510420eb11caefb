/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* x86-64, for the run-time library, as arch/arch.bpf.h says. */
#ifndef ARCH_X86_64_ARCH_BPF_H
#define ARCH_X86_64_ARCH_BPF_H

/* ---- registers ---- */

/* System V ABI, AMD64 supplement, figure 3.36. */
enum arch_dwarf_reg { R_AX, R_DX, R_CX, R_BX, R_SI, R_DI, R_BP, R_SP, R_8, R_COUNT = 16 };

/* As the kernel's entry code writes it (arch/x86/entry/calling.h). */
struct saved_regs {
	__u64 r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di;
	__u64 orig_ax, ip, cs, flags, sp, ss;
};

/* struct sigcontext, at 40 in struct ucontext. */
#define SIGNAL_REGS 40
struct signal_regs {
	__u64 r8, r9, r10, r11, r12, r13, r14, r15, di, si, bp, bx, dx, ax, cx, sp, ip;
};

#define ARCH_READ_REGS(reg, from)             \
	do {                                  \
		(reg)[R_AX] = (from)->ax;     \
		(reg)[R_DX] = (from)->dx;     \
		(reg)[R_CX] = (from)->cx;     \
		(reg)[R_BX] = (from)->bx;     \
		(reg)[R_SI] = (from)->si;     \
		(reg)[R_DI] = (from)->di;     \
		(reg)[R_8] = (from)->r8;      \
		(reg)[R_8 + 1] = (from)->r9;  \
		(reg)[R_8 + 2] = (from)->r10; \
		(reg)[R_8 + 3] = (from)->r11; \
		(reg)[R_8 + 4] = (from)->r12; \
		(reg)[R_8 + 5] = (from)->r13; \
		(reg)[R_8 + 6] = (from)->r14; \
		(reg)[R_8 + 7] = (from)->r15; \
	} while (0)

static __always_inline int arch_is_user(const struct saved_regs *r)
{
	return (r->cs & 3) != 0;
}

#define USER_CS	  0x33 /* arch/x86/include/asm/segment.h: of 64-bit code, .. */
#define USER32_CS 0x23 /* .. of 32-bit code */

static __always_inline int arch_is_narrow(const struct saved_regs *r)
{
	return r->cs == USER32_CS;
}

/*
 * With page tables of five levels a program that asks for an address beyond 47 bits gets it
 * (Documentation/arch/x86/x86_64/5level-paging.rst in the kernel).
 */
#define USER_END (1ull << 56)

/* ---- breakpoints ---- */

/* EFLAGS (Intel SDM, volume 1, 3.4.3) */
enum { CF = 0, PF = 2, ZF = 6, SF = 7, OF = 11 };

static __always_inline __u64 flag(__u64 flags, int bit)
{
	return flags >> bit & 1;
}

/* Returns 1 if condition CC holds (Intel SDM, volume 1, appendix B): its lowest bit negates. */
static __always_inline __u64 arch_holds(__u64 f, __u8 cc)
{
	__u64 less = flag(f, SF) ^ flag(f, OF), is;

	switch (cc >> 1 & 7) {
	case 0:
		is = flag(f, OF);
		break;
	case 1:
		is = flag(f, CF);
		break;
	case 2:
		is = flag(f, ZF);
		break;
	case 3:
		is = flag(f, CF) | flag(f, ZF);
		break;
	case 4:
		is = flag(f, SF);
		break;
	case 5:
		is = flag(f, PF);
		break;
	case 6:
		is = less;
		break;
	default:
		is = less | flag(f, ZF);
	}
	return is ^ (cc & 1);
}

#define BREAKPOINT 0xcc
#define SHSTK	   1ull /* ARCH_SHSTK_SHSTK of arch/x86/include/uapi/asm/prctl.h */
#define USER_BITS  47	/* of addresses, with page tables of four levels */

/*
 * Returns the address that the return instruction at IP goes to, for a program that carries it
 * out; 0: it may not.  FEATURES: of the thread (struct thread_struct): on a shadow stack a return
 * must take place as well.
 */
static __always_inline __u64 arch_return_address(__u64 ip, __u64 cs, __u64 sp, __u64 features)
{
	__u8 byte = 0;
	__u64 to = 0;

	if (cs != USER_CS || features & SHSTK)
		return 0;
	if (bpf_probe_read_user(&byte, 1, (void *)ip) || byte != BREAKPOINT)
		return 0;
	if (bpf_probe_read_user(&to, sizeof(to), (void *)sp))
		return 0;
	return to >> USER_BITS ? 0 : to;
}

/* ---- code ---- */

/* mov $15, %rax; syscall */
static __always_inline int arch_is_sigreturn(const __u64 code[2])
{
	return code[0] == 0x0f0000000fc0c748ull && (code[1] & 0xff) == 0x05;
}

/* add $N, %rsp; ret: true, and *SIZE is N, if it is below 128. */
static __always_inline int arch_leaves_frame(__u64 code, __u64 *size)
{
	*size = code >> 24 & 0xff;
	return (code & 0xff80ffffffull) == 0xc300c48348ull;
}

/* ---- language runtimes ---- */

/* DWARF's numbers */
#define JAVA_RETURN R_AX
#define JAVA_SENDER (R_8 + 5) /* the caller's stack pointer */
#define JAVA_BCP    (R_8 + 5) /* the address of the bytecode */
#define V8_FUNCTION R_DI

static __always_inline __u64 arch_php_opline(const struct saved_regs *r)
{
	return r->r15;
}

/* cmp 8(%r15), %rsp: asks for a safepoint before a return */
static inline int is_poll(const __u8 *at)
{
	return at[0] == 0x49 && at[1] == 0x3b && (at[2] == 0x67 || at[2] == 0xa7);
}

enum { FRAME_WHOLE, FRAME_BP_SAVED, FRAME_NO_BP, FRAME_RETURN };

/*
 * Returns what there is of the frame of compiled code or of a stub at the instruction NEXT, which
 * 16 bytes before it and after it are there: code begins with push %rbp; sub or mov, or with sub;
 * mov %rbp, and ends with pop %rbp; a poll; ret.
 */
static __always_inline __u32 arch_java_frame(const __u8 *next, __u32 complete)
{
	if (next[0] == 0x5d)
		return FRAME_BP_SAVED;
	if (next[0] == 0xc3 || (next[-1] == 0x5d && is_poll(next)) ||
		(next[0] == 0x0f && next[1] == 0x87 && (is_poll(next - 7) || is_poll(next - 4))))
		return FRAME_RETURN;
	if (complete)
		return FRAME_WHOLE;
	if (next[-1] == 0x55)
		return FRAME_BP_SAVED;
	if (next[0] == 0x48 && next[1] == 0x89 && (next[2] & 0x3f) == 0x2c && next[3] == 0x24)
		return FRAME_NO_BP;
	return FRAME_RETURN;
}

/* The first instruction of a frame: push %rbp */
static __always_inline int arch_java_begins(const __u8 *at)
{
	return at[0] == 0x55;
}

/* ---- system calls ---- */

/* arch/x86/include/asm/ptrace.h; the rest of the struct is not read. */
struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax, ip,
		cs, flags, sp;
};

#define CALL_RT_SIGRETURN 15
#define CALL_EXECVE	  59
#define CALL_EXECVEAT	  322

/* in struct rt_sigframe (asm/sigframe.h), from the stack pointer of rt_sigreturn(2) on */
#define SIGNAL_RESULT 144
#define SIGNAL_MASK   296

#define ARCH_CALL_NUMBER_OF(regs) ((regs)->orig_ax)
#define ARCH_CALL_RESULT_OF(regs) ((regs)->ax)
#define ARCH_CALL_ARGS_OF(arg, regs)    \
	do {                            \
		(arg)[0] = (regs)->di;  \
		(arg)[1] = (regs)->si;  \
		(arg)[2] = (regs)->dx;  \
		(arg)[3] = (regs)->r10; \
		(arg)[4] = (regs)->r8;  \
		(arg)[5] = (regs)->r9;  \
	} while (0)

#endif
