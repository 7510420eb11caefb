/* SPDX-License-Identifier: Apache-2.0 */
/*
 * store: a program as a tutorial has it: a shop that takes orders, with static probes.
 * @cc -O0 -fno-omit-frame-pointer
 *
 *	store N		N orders; order i has i + 1 articles, of prices 10, 20, ...
 */
#include <stdlib.h>
#include <string.h>

struct order {
	int id;
	int articles;
	long total;
	char customer[16];
};

/* Two arguments: an int and an address; the semaphore is not needed. */
#define PROBE2(name, a, b)                                                                 \
	__asm__ volatile("990:\tnop\n\t"                                                   \
			 ".pushsection .note.stapsdt,\"\",\"note\"\n\t.balign 4\n\t"       \
			 ".4byte 992f-991f, 994f-993f, 3\n991:\t.asciz \"stapsdt\"\n"      \
			 "992:\t.balign 4\n993:\t.8byte 990b\n\t.8byte _.stapsdt.base\n\t" \
			 ".8byte 0\n\t.asciz \"store\"\n\t.asciz \"" name "\"\n\t"         \
			 ".asciz \"-4@%%edi 8@%%rsi\"\n994:\t.balign 4\n\t.popsection\n\t" \
			 ".ifndef _.stapsdt.base\n\t"                                      \
			 ".pushsection .stapsdt.base,\"a\"\n_.stapsdt.base:\t.space 1\n\t" \
			 ".popsection\n\t.endif"                                           \
			 :                                                                 \
			 : "D"(a), "S"(b)                                                  \
			 : "memory")

long price(int article)
{
	return 10L * (article + 1);
}

long basket(struct order *o)
{
	long sum = 0;

	for (int i = 0; i < o->articles; i++)
		sum += price(i);
	return sum;
}

/* A rebate for each hundred, found the hard way. */
long rebate(long total)
{
	return total >= 100 ? 1 + rebate(total - 100) : 0;
}

int take(struct order *o)
{
	PROBE2("order__start", o->id, o->customer);
	o->total = basket(o);
	o->total -= rebate(o->total);
	PROBE2("order__done", o->id, o);
	return o->total > 100 ? -1 : 0;
}

int main(int argc, char **argv)
{
	static const char *const names[] = {"alice", "bob", "carol"};
	int n = argc > 1 ? atoi(argv[1]) : 1;

	for (int i = 0; i < n; i++) {
		struct order o = {.id = i, .articles = i + 1};

		strcpy(o.customer, names[i % 3]);
		take(&o);
	}
	return 0;
}
