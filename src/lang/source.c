// SPDX-License-Identifier: Apache-2.0
/* Keeps D text with its origin, and returns its lines. */
#include "lang/source.h"

#include <string.h>

#include "base/arena.h"

static void find_lines(struct arena *a, struct source *s)
{
	const char *end = s->text + s->len;
	uint32_t *lines, n = 1;

	for (const char *p = s->text; (p = memchr(p, '\n', (size_t)(end - p))); p++)
		n++;
	s->lines = lines = arena_new_array(a, uint32_t, n);
	for (const char *p = s->text; (p = memchr(p, '\n', (size_t)(end - p))); p++)
		lines[++s->nlines] = (uint32_t)(p + 1 - s->text);
	s->nlines++;
}

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
	find_lines(a, s);
	return s;
}

size_t source_mark(const char *text, size_t len)
{
	return len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
}

const char *source_line(struct arena *a, const struct source *src, unsigned line)
{
	unsigned phys = line - src->first_line + src->phys_line;
	size_t from, to;

	if (line < src->first_line || !phys || phys > src->nlines)
		return NULL;
	from = src->lines[phys - 1];
	to = phys < src->nlines ? src->lines[phys] - 1 : src->len;
	return arena_strndup(a, src->text + from, to - from);
}
