// SPDX-License-Identifier: Apache-2.0
/* Parses the format strings of printf() and printa() into conversions. */
#include "lang/format.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"

static const struct conv_info conversions[] = {
#define CONV(letter, klass, sizes, proto) {letter, klass, sizes, proto},
#include "lang/format.def"
#undef CONV
};

struct format_parser {
	struct arena *arena;
	const char *p, *end;
	uint32_t number; /* of the conversion being read, from 1; %% counts too */
	const char *error;
	VEC(struct conv) convs;
};

const struct conv_info *format_conv(char letter)
{
	for (size_t i = 0; i < sizeof(conversions) / sizeof(conversions[0]); i++)
		if (conversions[i].letter == letter)
			return &conversions[i];
	return NULL;
}

/* True if SIZE ("" always does) is one of INFO's prefixes. */
static bool accepts_size(const struct conv_info *info, const char *size, size_t len)
{
	const char *s = info->sizes;

	if (!len)
		return true;
	while (*s) {
		size_t n = strcspn(s, ",");

		if (n == len && !memcmp(s, size, len))
			return true;
		s += n + (s[n] == ',');
	}
	return false;
}

static bool is_digit(const struct format_parser *ps)
{
	return ps->p < ps->end && *ps->p >= '0' && *ps->p <= '9';
}

static int parse_number(struct format_parser *ps)
{
	int n = 0;

	for (; is_digit(ps); ps->p++)
		n = n > (INT_MAX - 9) / 10 ? INT_MAX : n * 10 + (*ps->p - '0');
	return n;
}

/* '0' and '-' cancel each other: the later one counts. */
static bool parse_flag(struct conv *c, char ch)
{
	switch (ch) {
	case '#':
		c->flags |= FLAG_ALT;
		return true;
	case '0':
		c->flags = (c->flags & ~FLAG_LEFT) | FLAG_ZERO;
		return true;
	case '-':
		c->flags = (c->flags & ~FLAG_ZERO) | FLAG_LEFT;
		return true;
	case '+':
		c->flags |= FLAG_PLUS;
		return true;
	case ' ':
		c->flags |= FLAG_SPACE;
		return true;
	case '\'':
		c->flags |= FLAG_GROUP;
		return true;
	case '?': /* as wide as a pointer in hexadecimal */
		c->width = 2 * (int)sizeof(void *);
		return true;
	case '@':
		c->flags |= FLAG_AGG;
		return true;
	default:
		return false;
	}
}

static bool fail(struct format_parser *ps, const char *why)
{
	ps->error = arena_printf(ps->arena, "format conversion #%u %s", ps->number, why);
	return false;
}

static bool parse_precision(struct format_parser *ps, struct conv *c, bool *seen)
{
	if (*seen)
		return fail(ps, "has more than one '.' specified");
	*seen = true;
	ps->p++;
	if (is_digit(ps)) {
		c->prec = parse_number(ps);
		return true;
	}
	if (ps->p == ps->end || *ps->p != '*')
		return true;
	c->flags |= FLAG_DYNPREC;
	ps->p++;
	if (ps->p < ps->end && *ps->p == '*')
		return fail(ps, "has more than one '*' specified for the output precision");
	return true;
}

/* Flags, width and precision, in whatever order they come, as DTrace takes them. */
static bool parse_modifiers(struct format_parser *ps, struct conv *c)
{
	bool prec_seen = false;

	while (ps->p < ps->end) {
		char ch = *ps->p;

		if (ch == '.') {
			if (!parse_precision(ps, c, &prec_seen))
				return false;
		} else if (ch == '*') {
			if (c->flags & FLAG_DYNWIDTH)
				return fail(
					ps, "has more than one '*' specified for the output width");
			c->flags |= FLAG_DYNWIDTH;
			ps->p++;
		} else if (parse_flag(c, ch)) {
			ps->p++;
		} else if (is_digit(ps)) {
			c->width = parse_number(ps);
			if (ps->p < ps->end && *ps->p == '$')
				return fail(ps, "uses unsupported positional format (%n$)");
		} else {
			return true;
		}
	}
	return true;
}

/* conversion: '%' modifiers size letter; ps->p is after the '%'. */
static bool parse_conversion(struct format_parser *ps, struct conv *c)
{
	const char *begin = ps->p - 1, *size;
	size_t size_len;

	ps->number++;
	if (!parse_modifiers(ps, c))
		return false;
	size = ps->p;
	while (ps->p < ps->end && *ps->p && strchr("hlLw", *ps->p))
		ps->p++;
	size_len = (size_t)(ps->p - size);
	if (ps->p < ps->end)
		c->info = format_conv(*ps->p++);
	if (!c->info || !accepts_size(c->info, size, size_len) ||
		(c->info->klass == CONV_SHARE && !(c->flags & FLAG_AGG))) {
		const char *name = arena_strndup(ps->arena, size, (size_t)(ps->p - size));

		return fail(ps, arena_printf(ps->arena, "is undefined: %%%s", name));
	}
	if (c->info->klass == CONV_LITERAL && ps->p - begin != 2)
		return fail(ps, "cannot be combined with other format flags: %%");
	memcpy(c->size, size, size_len);
	c->spelled = arena_strndup(ps->arena, begin, (size_t)(ps->p - begin));
	return true;
}

const struct format *format_parse(struct arena *a, const char *text, size_t len, const char **error)
{
	const char *source = arena_strndup(a, text, len);
	struct format_parser ps = {.arena = a, .p = source, .end = source + len};
	struct format *f;

	*error = NULL;
	while (ps.p < ps.end) {
		const char *percent = memchr(ps.p, '%', (size_t)(ps.end - ps.p));
		struct conv c = {.text = ps.p};

		c.text_len = (uint32_t)((percent ? percent : ps.end) - ps.p);
		ps.p = percent ? percent + 1 : ps.end;
		if (percent && !parse_conversion(&ps, &c)) {
			*error = ps.error;
			return NULL;
		}
		vec_push(a, &ps.convs, c);
	}
	f = arena_new_obj(a, struct format);
	f->source = source;
	f->convs = ps.convs.data;
	f->nconvs = ps.convs.len;
	return f;
}

bool format_has(const struct format *f, enum conv_class klass)
{
	for (uint32_t i = 0; i < f->nconvs; i++)
		if (f->convs[i].info && f->convs[i].info->klass == klass)
			return true;
	return false;
}
