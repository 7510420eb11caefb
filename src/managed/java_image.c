// SPDX-License-Identifier: Apache-2.0
/* Embeds the agent for Java VMs (src/managed/java_agent). */
#include "managed/java_image.h"

/* The assembler reads the file; JAVA_IMAGE, its path, comes from the Makefile. */
__asm__(".pushsection .rodata\n"
	".balign 8\n"
	"java_image_start:\n"
	".incbin \"" JAVA_IMAGE "\"\n"
	"java_image_end:\n"
	".byte 0\n"
	".popsection\n");

extern const char java_image_start[] __attribute__((visibility("hidden")));
extern const char java_image_end[] __attribute__((visibility("hidden")));

const void *java_image(size_t *len)
{
	*len = (size_t)(java_image_end - java_image_start);
	return java_image_start;
}
