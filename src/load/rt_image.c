// SPDX-License-Identifier: Apache-2.0
/* Embeds the objects of the run-time library (src/rt). */
#include "load/rt_image.h"

/* The assembler reads the files; RT_IMAGE, their folder, comes from the Makefile. */
#define EMBED(name, file)                                                       \
	__asm__(".pushsection .rodata\n"                                        \
		".balign 8\n" #name "_start:\n"                                 \
		".incbin \"" RT_IMAGE "/" file "\"\n" #name "_end:\n"           \
		".byte 0\n"                                                     \
		".popsection\n");                                               \
	extern const char name##_start[] __attribute__((visibility("hidden"))); \
	extern const char name##_end[] __attribute__((visibility("hidden")))

EMBED(rt_all, "rt.bpf.o");
EMBED(rt_alone, "alone.bpf.o");

const void *rt_image(enum rt_needs needs, size_t *len)
{
	const char *start = needs == RT_NEEDS_ALL ? rt_all_start : rt_alone_start;

	*len = (size_t)((needs == RT_NEEDS_ALL ? rt_all_end : rt_alone_end) - start);
	return start;
}
