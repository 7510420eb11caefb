// SPDX-License-Identifier: Apache-2.0
/* Demangles a name with libiberty. */
#include "base/demangle.h"

#include <stddef.h>
#include <string.h>

#include <libiberty/demangle.h>

char *demangle(const char *name)
{
	/* C++ and Rust until 2021, Rust since */
	if (strncmp(name, "_Z", 2) != 0 && strncmp(name, "_R", 2) != 0)
		return NULL;
	return cplus_demangle(name, DMGL_AUTO | DMGL_PARAMS | DMGL_ANSI);
}
