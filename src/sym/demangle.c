// SPDX-License-Identifier: Apache-2.0
/* Names of C++ and Rust as programmers write them, each worked out once. */
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

#include "sym/sym_priv.h"

struct name {
	const char *from; /* names live as long as we do: the pointer tells them apart */
	char *to;	  /* NULL: it is not mangled */
};

struct demangler {
	struct name *v; /* hash table of CAP slots, a power of two */
	size_t n, cap;
};

struct demangler *demangler_new(void)
{
	return calloc(1, sizeof(struct demangler));
}

void demangler_free(struct demangler *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->cap; i++)
		free(d->v[i].to);
	free(d->v);
	free(d);
}

static struct name *slot(const struct demangler *d, const char *from)
{
	size_t at = (uintptr_t)from * UINT64_C(0x9e3779b97f4a7c15) >> 20 & (d->cap - 1);

	while (d->v[at].from && d->v[at].from != from)
		at = (at + 1) & (d->cap - 1);
	return &d->v[at];
}

static bool grow(struct demangler *d)
{
	struct demangler old = *d;

	if (2 * (d->n + 1) <= d->cap)
		return true;
	d->cap = d->cap ? 2 * d->cap : 256;
	d->v = calloc(d->cap, sizeof(*d->v));
	if (!d->v) {
		*d = old;
		return false;
	}
	for (size_t i = 0; i < old.cap; i++)
		if (old.v[i].from)
			*slot(d, old.v[i].from) = old.v[i];
	free(old.v);
	return true;
}

const char *demangler_name(struct demangler *d, const char *name)
{
	struct name *s;

	/* C++ and Rust until 2021, Rust since */
	if ((strncmp(name, "_Z", 2) != 0 && strncmp(name, "_R", 2) != 0) || !grow(d))
		return name;
	s = slot(d, name);
	if (!s->from) {
		s->from = name;
		s->to = cplus_demangle(name, DMGL_AUTO | DMGL_PARAMS | DMGL_ANSI);
		d->n++;
	}
	return s->to ? s->to : name;
}
