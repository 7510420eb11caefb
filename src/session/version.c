// SPDX-License-Identifier: Apache-2.0
/* Versions: of D, of this library, and of the libraries that it uses. */
#include <bpf/libbpf.h>
#include <elfutils/version.h>
#include <zlib.h>

#include "dtrace/dtrace.h"

#define TEXT(number)   #number
#define NUMBER(number) TEXT(number)

/* libbpf and zlib say what runs; elfutils only has the version of its headers */
int dtrace_version_libraries(char *buf, size_t size)
{
	return snprintf(buf, size, "libbpf %s, elfutils 0.%s, zlib %s", libbpf_version_string() + 1,
		NUMBER(_ELFUTILS_VERSION), zlibVersion());
}
