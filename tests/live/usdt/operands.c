// SPDX-License-Identifier: Apache-2.0
/*
 * A site for each form that an argument of a USDT probe can have: the assembler says where it is,
 * so that the note does.  The probe is named after the form; two sites of one name are one probe.
 * @cc -O1
 */
#include <stdint.h>
#include <stdio.h>

#define STRINGS(name, args)                                                                    \
	".pushsection .note.stapsdt,\"\",\"note\"\n\t.balign 4\n\t"                            \
	".4byte 992f-991f, 994f-993f, 3\n991:\t.asciz \"stapsdt\"\n992:\t.balign 4\n"          \
	"993:\t.8byte 990b\n\t.8byte _.stapsdt.base\n\t.8byte operands_" name "_semaphore\n\t" \
	".asciz \"operands\"\n\t.asciz \"" name "\"\n\t.asciz \"" args "\"\n"                  \
	"994:\t.balign 4\n\t.popsection\n"
#define SEMAPHORE(name)                                                                        \
	".pushsection .probes,\"aw\"\n\t.balign 2\noperands_" name "_semaphore:\t.2byte 0\n\t" \
	".popsection\n"
#define SITE(name, args, ...) \
	__asm__ volatile("990:\tnop\n" STRINGS(name, args) SEMAPHORE(name) : : __VA_ARGS__)

__asm__(".pushsection .stapsdt.base,\"a\"\n_.stapsdt.base:\t.space 1\n\t.popsection\n");

struct numbers {
	int64_t big[4];
	int32_t word[4];
	int16_t half;
	int8_t byte;
	uint8_t ubyte;
};

/* static: named in the symbol table alone */
static struct numbers here
	__attribute__((used)) = {{1ll << 40, -(1ll << 40), 3, 4}, {-5, 6, 7, -8}, -300, -9, 200};

static void constants(void)
{
	SITE("constant", "-4@$-5 4@$5 8@$0x10 -8@$-0x10 1@$255 -1@$255 8@$18446744073709551615",
		"r"(0));
}

static void registers(void)
{
	uint64_t v = 0x8182838485868788;

	SITE("rax",
		"8@%%rax -8@%%rax 4@%%eax -4@%%eax 2@%%ax -2@%%ax 1@%%al -1@%%al 1@%%ah -1@%%ah",
		"a"(v));
	SITE("rbx", "8@%%rbx -4@%%ebx 2@%%bx 1@%%bl 1@%%bh", "b"(v));
	SITE("rcx", "8@%%rcx -4@%%ecx 2@%%cx 1@%%cl 1@%%ch", "c"(v));
	SITE("rdx", "8@%%rdx -4@%%edx 2@%%dx 1@%%dl 1@%%dh", "d"(v));
	SITE("rsi", "8@%%rsi -4@%%esi 2@%%si 1@%%sil", "S"(v));
	SITE("rdi", "8@%%rdi -4@%%edi 2@%%di 1@%%dil", "D"(v));
}

static void more_registers(void)
{
	register uint64_t r8 __asm__("r8") = 0x8182838485868788;
	register uint64_t r9 __asm__("r9") = 0x9192939495969798;
	register uint64_t r10 __asm__("r10") = 0xa1a2a3a4a5a6a7a8;
	register uint64_t r11 __asm__("r11") = 0xb1b2b3b4b5b6b7b8;
	register uint64_t r12 __asm__("r12") = 0xc1c2c3c4c5c6c7c8;
	register uint64_t r13 __asm__("r13") = 0xd1d2d3d4d5d6d7d8;
	register uint64_t r14 __asm__("r14") = 0xe1e2e3e4e5e6e7e8;
	register uint64_t r15 __asm__("r15") = 0xf1f2f3f4f5f6f7f8;

	SITE("r8__r11", "8@%%r8 -4@%%r8d 2@%%r8w 1@%%r8b 8@%%r9 8@%%r10 8@%%r11", "r"(r8), "r"(r9),
		"r"(r10), "r"(r11));
	SITE("r12__r15", "8@%%r12 -4@%%r13d 2@%%r14w 1@%%r15b 8@%%r13 8@%%r14 8@%%r15", "r"(r12),
		"r"(r13), "r"(r14), "r"(r15));
}

static void memory(void)
{
	struct numbers copy = here, *p = &copy;
	uint64_t one = 1, eight = 8;

	SITE("base",
		"8@(%%rdi) -8@8(%%rdi) -4@32(%%rdi) 4@32(%%rdi) -2@48(%%rdi) -1@50(%%rdi) "
		"1@0x33(%%rdi)",
		"D"(p), "m"(copy));
	SITE("index",
		"8@(%%rsi,%%rcx) -8@(%%rsi,%%rdx,8) -4@32(%%rsi,%%rdx,4) 8@ ( %%rsi , %%rdx, 8 ) "
		"-4@36(%%rsi,%%rdx)",
		"S"(p), "c"(eight), "d"(one), "m"(copy));
	SITE("no__base", "-8@(,%%rdi,8) -8@8(,%%rdi,8)", "D"((uintptr_t)p / 8), "m"(copy));
	SITE("symbol",
		"8@here(%%rip) -8@here+8(%%rip) -4@32+here(%%rip) -2@here+48(%%rip) "
		"8@here(,%%rdx,8)",
		"d"(one));
	__asm__ volatile("push %0\n990:\tnop\n" STRINGS("stack", "-8@(%%rsp) 4@4(%%rsp)")
				 SEMAPHORE("stack") "pop %%rax\n"
			 :
			 : "r"(-2l)
			 : "rax", "memory");
}

/* As early compilers of SystemTap's did: a register's own size, otherwise eight bytes. */
static void without_sizes(void)
{
	SITE("unsized", "%%rdi %%esi 8(%%rdx) $7", "D"(-1l), "S"(-2l), "d"(here.big));
}

/* What cannot be followed faults; the others of the site can. */
static void unreadable(void)
{
	SITE("unreadable", "8@$1 8@16(%%rdi) 8f@%%xmm0 8@$4", "D"(0l));
}

/* Two sites of a name in one function, and one in another. */
static void several(int n)
{
	__asm__ volatile("990:\tnop\n" STRINGS("several", "-4@%%edi") SEMAPHORE("several")
			 :
			 : "D"(n));
	__asm__ volatile("990:\tnop\n" STRINGS("several", "8@$2 -4@%%esi") : : "S"(n));
}

__attribute__((noinline)) static void elsewhere(int n)
{
	__asm__ volatile("990:\tnop\n" STRINGS("several", "-4@%%ecx") : : "c"(n));
}

int main(void)
{
	constants();
	registers();
	more_registers();
	memory();
	without_sizes();
	unreadable();
	several(-1);
	elsewhere(3);
	return 0;
}
