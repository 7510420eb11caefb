// SPDX-License-Identifier: Apache-2.0
/* Demangles names of C++ and Rust, each once. */
#include <stdlib.h>

#include "base/demangle.h"
#include "base/intmap.h"
#include "sym/sym_priv.h"

struct demangler {
	/* name to name: they live as long as we do, so that their addresses tell them apart */
	struct intmap names; /* NULL: it is not mangled */
};

struct demangler *demangler_new(void)
{
	return calloc(1, sizeof(struct demangler));
}

void demangler_free(struct demangler *d)
{
	if (!d)
		return;
	intmap_for (s, &d->names)
		free(s->ptr);
	intmap_free(&d->names);
	free(d);
}

const char *demangler_name(struct demangler *d, const char *name)
{
	struct intmap_slot *known;
	char *to;

	if (*name != '_')
		return name;
	known = intmap_find(&d->names, (uintptr_t)name);
	if (known)
		return known->ptr ? known->ptr : name;
	to = demangle(name);
	if (intmap_put_ptr(&d->names, (uintptr_t)name, to)) {
		free(to);
		return name;
	}
	return to ? to : name;
}
