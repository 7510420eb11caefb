// SPDX-License-Identifier: Apache-2.0
/* Keeps D text with its origin, and returns its lines. */
#include "lang/source.h"

#include <string.h>

#include "base/arena.h"

struct source *source_new(struct arena *a, const char *name, bool is_file, enum spec_level level,
	const char *text, size_t len)
{
	struct source *s = arena_new_obj(a, struct source);

	s->name = s->own = name;
	s->is_file = is_file;
	s->level = level;
	s->text = text;
	s->len = len;
	s->phys_line = s->first_line = 1;
	return s;
}

const char *source_line(struct arena *a, const struct source *src, unsigned line)
{
	const char *p = src->text, *end = src->text + src->len, *nl;
	unsigned phys;

	if (line < src->first_line)
		return NULL;
	phys = line - src->first_line + src->phys_line;
	while (--phys > 0) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			return NULL;
		p = nl + 1;
	}
	nl = memchr(p, '\n', (size_t)(end - p));
	return arena_strndup(a, p, (size_t)((nl ? nl : end) - p));
}
