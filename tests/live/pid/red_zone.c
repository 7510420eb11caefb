// SPDX-License-Identifier: Apache-2.0
/*
 * Computes with numbers in the red zone, around a 5-byte NOP as compilers use them for alignment,
 * and counts wrong results.  The NOP is a static probe as well, of provider "leaf".
 */
#include <stdint.h>
#include <stdio.h>

__attribute__((noinline)) uint64_t mix(uint64_t n)
{
	uint64_t sum;

	/* the compiler does not know that the code is a leaf, so it is one by itself */
	__asm__ volatile("jmp 2f\n"
			 ".balign 16\n"
			 "1: mov %1,-8(%%rsp)\n"
			 "lea 1(%1),%0\nmov %0,-16(%%rsp)\n"
			 "990: .byte 0x0f,0x1f,0x44,0x00,0x00\n"
			 "mov -8(%%rsp),%0\nadd -16(%%rsp),%0\nret\n"
			 "2: sub $128,%%rsp\ncall 1b\nadd $128,%%rsp\n"
			 ".pushsection .note.stapsdt,\"\",\"note\"\n"
			 ".balign 4\n.4byte 992f-991f,994f-993f,3\n991: .asciz \"stapsdt\"\n"
			 "992: .balign 4\n993: .8byte 990b,_.stapsdt.base,0\n"
			 ".asciz \"leaf\"\n.asciz \"mixed\"\n.asciz \"8@%%rdi\"\n994: .balign 4\n"
			 ".popsection\n"
			 : "=&r"(sum)
			 : "r"(n)
			 : "memory");
	return sum;
}

__asm__(".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"
	".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n"
	".size _.stapsdt.base,1\n.popsection\n");

int main(void)
{
	int wrong = 0;

	for (uint64_t i = 0; i < 1000; i++)
		wrong += mix(i) != 2 * i + 1;
	printf("%d of 1000 results differ\n", wrong);
	return 0;
}
