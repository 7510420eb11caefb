// SPDX-License-Identifier: Apache-2.0
/* Answers what needs no session: versions, and which characters are safe to show. */
#include <bpf/libbpf.h>
#include <elfutils/version.h>
#include <zlib.h>

#include "base/safe.h"
#include "dtrace/dtrace.h"

#define TEXT(number)   #number
#define NUMBER(number) TEXT(number)

/* libbpf and zlib say what runs; elfutils only has the version of its headers */
int dtrace_version_libraries(char *buf, size_t size)
{
	return snprintf(buf, size, "libbpf %s, elfutils 0.%s, zlib %s", libbpf_version_string() + 1,
		NUMBER(_ELFUTILS_VERSION), zlibVersion());
}

size_t dtrace_safe_char(const char *text, size_t len)
{
	return safe_char(text, len);
}
