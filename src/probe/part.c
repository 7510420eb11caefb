// SPDX-License-Identifier: Apache-2.0
/* Returns the provider, module, function or name of a probe. */
#include "probe/part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "probe/glob.h"
#include "probe/probe.h"

const char *probe_provider_in(const struct probe *p, uint32_t pid, char *buf)
{
	if (!p->shared || !pid)
		return p->prov;
	snprintf(buf, PROBE_PROV_SIZE, "%.*s%u", (int)p->shared, p->prov, pid);
	return buf;
}

const char *probe_part(const struct probe *p, enum datum_kind part)
{
	switch (part) {
	case DATUM_PROBEPROV:
		return p->prov;
	case DATUM_PROBEMOD:
		return p->mod;
	case DATUM_PROBEFUNC:
		return p->func;
	default:
		return p->name;
	}
}

/* A name with brackets is one, too: operator[](int). */
static bool is_or_matches(const char *pattern, const char *name)
{
	return glob_match(pattern, name) || !strcmp(pattern, name);
}

bool probe_func_matches(const struct probe *p, const char *func)
{
	if (!p->mangled)
		return glob_match(func, p->func);
	return is_or_matches(func, p->func) || glob_match(func, p->mangled);
}

bool func_matches(const char *func, const char *name, bool demangled)
{
	char *plain;
	bool matches;

	if (glob_match(func, name))
		return true;
	plain = demangled ? demangle(name) : NULL;
	matches = plain && is_or_matches(func, plain);
	free(plain);
	return matches;
}

void probe_part_fixed(const struct probe *p, enum datum_kind part, char *text, size_t size)
{
	size_t n = part == DATUM_PROBEPROV && p->shared ? p->shared : size - 1;

	memset(text, 0, size);
	memcpy(text, probe_part(p, part), strnlen(probe_part(p, part), n < size ? n : size - 1));
}
