// SPDX-License-Identifier: Apache-2.0
/*
 * A program for tests/install/empty_root.sh: functions with typed arguments, a static probe, stacks
 * without frame pointers.
 */
#include <stdio.h>
#include <unistd.h>

struct order {
	int number;
	char name[8];
	struct {
		unsigned pieces;
	} of;
};

#define PROBE(name, value)                                                                  \
	__asm__ volatile(                                                                   \
		"990: nop\n.pushsection .note.stapsdt, \"\", \"note\"\n.balign 4\n"         \
		".4byte 992f - 991f, 994f - 993f, 3\n991: .asciz \"stapsdt\"\n"             \
		"992: .balign 4\n993: .8byte 990b, 0, 0\n.asciz \"eight\"\n.asciz \"" #name \
		"\"\n.asciz \"-4@%0\"\n994: .balign 4\n.popsection" ::"r"(value))

__attribute__((noinline)) int pack(struct order *o)
{
	PROBE(packed, o->number);
	return (int)o->of.pieces * 2 + !o->name[0];
}

__attribute__((noinline)) int serve(struct order *o)
{
	return pack(o) + 1;
}

int main(void)
{
	volatile int sum = 0;

	for (int i = 0; i < 5; i++) {
		struct order o = {i + 40, "tea", {7}};

		sum += serve(&o);
		usleep(1000);
	}
	printf("%d\n", sum);
	return 0;
}
