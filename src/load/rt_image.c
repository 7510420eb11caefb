// SPDX-License-Identifier: Apache-2.0
/* Embeds the object of the run-time library (src/rt). */
#include "load/rt_image.h"

/* The assembler reads the file; RT_IMAGE, its path, comes from the Makefile. */
__asm__(".pushsection .rodata\n"
	".balign 8\n"
	"rt_image_start:\n"
	".incbin \"" RT_IMAGE "\"\n"
	"rt_image_end:\n"
	".byte 0\n"
	".popsection\n");

extern const char rt_image_start[] __attribute__((visibility("hidden")));
extern const char rt_image_end[] __attribute__((visibility("hidden")));

const void *rt_image(size_t *len)
{
	*len = (size_t)(rt_image_end - rt_image_start);
	return rt_image_start;
}
