// SPDX-License-Identifier: Apache-2.0
/* Returns the provider, module, function, name or source file of a probe. */
#include "probe/part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clone.h"
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
	case DATUM_PROBEFILE:
		return p->file ? p->file : "";
	default:
		return p->name;
	}
}

/* True if the texts are the same but for blanks after commas: f(int, char), f(int,char). */
static bool is_same(const char *a, const char *b)
{
	for (char last = '\0';; last = *a++, b++) {
		while (last == ',' && *a == ' ')
			a++;
		while (last == ',' && *b == ' ')
			b++;
		if (*a != *b || !*a)
			return *a == *b;
	}
}

bool part_func_is(const char *pattern, const char *name)
{
	return glob_match(pattern, name) || is_same(pattern, name) || clone_is_of(name, pattern);
}

bool probe_func_matches(const struct probe *p, const char *func)
{
	return part_func_is(func, p->func) ||
		(p->mangled && (glob_match(func, p->mangled) || clone_is_of(p->mangled, func)));
}

bool part_func_matches(const char *func, const char *name, bool demangled)
{
	char *plain;
	bool matches;

	if (glob_match(func, name) || clone_is_of(name, func))
		return true;
	plain = demangled ? demangle(name) : NULL;
	matches = plain && part_func_is(func, plain);
	free(plain);
	return matches;
}

void probe_part_fixed(const struct probe *p, enum datum_kind part, char *text, size_t size)
{
	size_t n = part == DATUM_PROBEPROV && p->shared ? p->shared : size - 1;

	memset(text, 0, size);
	memcpy(text, probe_part(p, part), strnlen(probe_part(p, part), n < size ? n : size - 1));
}
