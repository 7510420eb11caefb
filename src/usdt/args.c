// SPDX-License-Identifier: Apache-2.0
/* Parses the operands of a USDT probe from the argument text of its note. */
#include "usdt/args.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "arch/operand.h"

/* A part of the text. */
struct text {
	const char *p, *end;
};

/* ['-'] digits ['f'] '@'; false: there is none, T stays. SIZE 0: none that we can read */
static bool read_size(struct text *t, int8_t *size)
{
	const char *p = t->p;
	bool minus = p < t->end && *p == '-';
	unsigned n = 0;

	p += minus;
	if (p == t->end || !isdigit((unsigned char)*p))
		return false;
	while (p < t->end && isdigit((unsigned char)*p) && n < 1000)
		n = n * 10 + (unsigned)(*p++ - '0');
	if (p < t->end && *p == 'f') {
		n = 0;
		p++;
	}
	if (p == t->end || *p != '@')
		return false;
	*size = (int8_t)(n == 1 || n == 2 || n == 4 || n == 8 ? (minus ? -(int)n : (int)n) : 0);
	t->p = p + 1;
	return true;
}

static void parse_one(
	struct text *t, operand_symbol_fn symbol, void *arg, struct dt_usdt_operand *op)
{
	struct dt_usdt_operand o = {.size = 8, .base = DT_USDT_NO_REG, .index = DT_USDT_NO_REG};
	bool sized = read_size(t, &o.size);

	*op = (struct dt_usdt_operand){.kind = DT_USDT_UNKNOWN, .size = 8};
	if (o.size && operand_parse(t->p, (size_t)(t->end - t->p), sized, symbol, arg, &o))
		*op = o;
}

/* ---- the list ---- */

static bool is_sized(const char *p, const char *end)
{
	struct text t = {p, end};
	int8_t size;

	return read_size(&t, &size);
}

/*
 * Returns the end of the word that begins at P: a blank outside brackets; NULL: a bracket is not
 * closed.
 */
static const char *word_end(const char *p)
{
	unsigned depth = 0;

	for (; *p && (depth || !isspace((unsigned char)*p)); p++) {
		if (*p == '(')
			depth++;
		else if (*p == ')' && depth)
			depth--;
	}
	return depth ? NULL : p;
}

static const char *past_blanks(const char *p)
{
	while (isspace((unsigned char)*p))
		p++;
	return p;
}

/*
 * Reads the next argument at *P and moves *P past it.  If the first has a size all have: words
 * without one belong to the word before (other syntaxes have blanks in operands). 0 = no more,
 * -EINVAL.
 */
static int next_arg(const char **p, bool all_sized, const char **start, const char **end)
{
	const char *q = past_blanks(*p);

	if (!*q)
		return 0;
	*start = q;
	*end = word_end(q);
	while (*end && all_sized) {
		q = past_blanks(*end);
		if (!*q || is_sized(q, q + strlen(q)))
			break;
		*end = word_end(q);
	}
	if (!*end)
		return -EINVAL;
	*p = *end;
	return 1;
}

static bool starts_sized(const char *args)
{
	const char *p = past_blanks(args);

	return is_sized(p, p + strlen(p));
}

int usdt_parse(const char *args, operand_symbol_fn symbol, void *arg,
	struct dt_usdt_operand out[DT_USDT_NARGS])
{
	const char *p = args ? args : "", *start, *end;
	bool sized = starts_sized(p);
	int n = 0, more;

	memset(out, 0, DT_USDT_NARGS * sizeof(*out));
	while ((more = next_arg(&p, sized, &start, &end)) > 0) {
		struct text t = {start, end};

		if (n < DT_USDT_NARGS)
			parse_one(&t, symbol, arg, &out[n]);
		n++;
	}
	if (!more)
		return n;
	for (int i = 0; i < DT_USDT_NARGS; i++)
		out[i] = (struct dt_usdt_operand){.kind = DT_USDT_UNKNOWN, .size = 8};
	return more;
}

size_t usdt_arg_text(const char *args, unsigned n, const char **start)
{
	const char *p = args ? args : "", *end;
	bool sized = starts_sized(p);

	while (next_arg(&p, sized, start, &end) > 0)
		if (!n--)
			return (size_t)(end - *start);
	return 0;
}

const char *usdt_why_unknown(const char *args, unsigned n, const struct dt_usdt_operand *op)
{
	const char *start = NULL, *at;
	size_t len = usdt_arg_text(args, n, &start);

	if (op->kind != DT_USDT_UNKNOWN)
		return NULL;
	if (!len)
		return "its text is malformed";
	at = memchr(start, '@', len);
	if (at && at > start && at[-1] == 'f')
		return "it is a floating-point number";
	return operand_why_unknown(start, len);
}
