/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replaces dlopen() in the static binary by a function that always fails.
 *
 * libdw tries to load libdebuginfod when the program starts; in a static program that would
 * bring in a second C library, of whatever version the machine has (ld warns of it).  Linked with
 * -Wl,--wrap=dlopen, so libdw gets this one and goes on without debuginfod.
 */
#include <stddef.h>

void *__wrap_dlopen(const char *file, int mode);

void *__wrap_dlopen(const char *file, int mode)
{
	return NULL;
}
