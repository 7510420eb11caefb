// SPDX-License-Identifier: Apache-2.0
/*
 * Calls functions that return in each way, 60 times each; those with names in capital letters are
 * of assembly, and some have no call frame information.  Prints a sum, which tracing may not
 * change.
 */
#include <stdio.h>

__asm__(".text\n"
	/* two return instructions, one with the prefix that old processors like */
	".globl TWO\n.type TWO,@function\nTWO:\n.cfi_startproc\n"
	"test $1,%edi\njz 1f\nmov $1,%eax\nrep ret\n1: mov $2,%eax\nret\n"
	".cfi_endproc\n.size TWO,.-TWO\n"
	/* removes 8 bytes of arguments */
	".globl POPS\n.type POPS,@function\nPOPS:\n.cfi_startproc\n"
	"lea 1(%rdi),%eax\nret $8\n"
	".cfi_endproc\n.size POPS,.-POPS\n"
	".globl call_pops\n.type call_pops,@function\ncall_pops:\n.cfi_startproc\n"
	"push %rdi\n.cfi_def_cfa_offset 16\ncall POPS\n.cfi_def_cfa_offset 8\nret\n"
	".cfi_endproc\n.size call_pops,.-call_pops\n"
	/* leaves by a jump, by a conditional one, and by a register */
	".globl TAIL\n.type TAIL,@function\nTAIL:\n.cfi_startproc\n"
	"add $1,%edi\njmp TWO\n"
	".cfi_endproc\n.size TAIL,.-TAIL\n"
	".globl MAYBE\n.type MAYBE,@function\nMAYBE:\n.cfi_startproc\n"
	"cmp $20,%edi\njl TWO\nmov $7,%eax\nret\n"
	".cfi_endproc\n.size MAYBE,.-MAYBE\n"
	".globl THROUGH\n.type THROUGH,@function\nTHROUGH:\n.cfi_startproc\n"
	"lea TWO(%rip),%rax\njmp *%rax\n"
	".cfi_endproc\n.size THROUGH,.-THROUGH\n"
	/* a table: two of its targets are within the function, one is not */
	".globl TABLE\n.type TABLE,@function\nTABLE:\n.cfi_startproc\n"
	"mov %edi,%eax\nmov $3,%ecx\nxor %edx,%edx\ndiv %ecx\nlea targets(%rip),%rcx\n"
	"jmp *(%rcx,%rdx,8)\n"
	"inside1: mov $3,%eax\nret\ninside2: mov $4,%eax\nret\n"
	".cfi_endproc\n.size TABLE,.-TABLE\n"
	/* a jump where more than the return address is on the stack goes to a part of it */
	".globl COLD\n.type COLD,@function\nCOLD:\n.cfi_startproc\n"
	"push %rbx\n.cfi_def_cfa_offset 16\ncmp $30,%edi\njge COLD.cold\npop %rbx\n"
	".cfi_def_cfa_offset 8\nmov $5,%eax\nret\n"
	".cfi_endproc\n.size COLD,.-COLD\n"
	".type COLD.cold,@function\nCOLD.cold:\n.cfi_startproc\n.cfi_def_cfa_offset 16\n"
	"pop %rbx\n.cfi_def_cfa_offset 8\nmov $6,%eax\nret\n"
	".cfi_endproc\n.size COLD.cold,.-COLD.cold\n"
	/* without call frame information, as all of musl */
	".globl BARE\n.type BARE,@function\nBARE:\n"
	"push %rbx\nmov $8,%eax\npop %rbx\nret\n.size BARE,.-BARE\n"
	".globl LONE\n.type LONE,@function\nLONE:\njmp BARE\n.size LONE,.-LONE\n"
	".globl ONLY\n.type ONLY,@function\nONLY:\nret\n.size ONLY,.-ONLY\n"
	".section .data.rel.ro,\"aw\"\ntargets: .quad inside1,inside2,TWO\n.text\n");

int TWO(int), call_pops(int), TAIL(int), MAYBE(int), THROUGH(int), TABLE(int), COLD(int),
	BARE(void), LONE(void), ONLY(void);

/* Calls itself to a depth beyond the 64 return addresses that the kernel would remember. */
__attribute__((noinline)) int deep(int n)
{
	int below = n ? deep(n - 1) : 0;

	__asm__ volatile("" : "+r"(below));
	return below + 1;
}

int main(void)
{
	long sum = 0;

	for (int i = 0; i < 60; i++) {
		sum += TWO(i) + call_pops(i) + TAIL(i) + MAYBE(i) + THROUGH(i) + TABLE(i) +
			COLD(i) + BARE() + LONE();
		ONLY();
	}
	printf("%ld\n", sum + deep(99));
	return 0;
}
