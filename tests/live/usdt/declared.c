// SPDX-License-Identifier: Apache-2.0
/* A site with three arguments, a struct's address, a number and a string's: once. */
#include <stdint.h>

struct request {
	const char *path;
	int32_t status;
	uint16_t port;
};

unsigned short shop_request__done_semaphore __attribute__((section(".probes")));

__attribute__((noinline)) static void serve(struct request *r, int8_t n, const char *who)
{
	__asm__ volatile(
		"990:\tnop\n\t"
		".pushsection .note.stapsdt,\"\",\"note\"\n\t.balign 4\n\t"
		".4byte 992f-991f, 994f-993f, 3\n991:\t.asciz \"stapsdt\"\n"
		"992:\t.balign 4\n993:\t.8byte 990b\n\t.8byte _.stapsdt.base\n\t"
		".8byte shop_request__done_semaphore\n\t"
		".asciz \"shop\"\n\t.asciz \"request__done\"\n\t"
		".asciz \"8@%%rdi -1@%%sil 8@%%rdx\"\n994:\t.balign 4\n\t.popsection\n\t"
		".pushsection .stapsdt.base,\"a\"\n_.stapsdt.base:\t.space 1\n\t.popsection"
		:
		: "D"(r), "S"(n), "d"(who)
		: "memory");
}

int main(void)
{
	struct request r = {"/index.html", 404, 8080};

	serve(&r, -3, "someone");
	return 0;
}
