// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>

#include "consume/agg_value.h"
#include "out/print.h"

#define STRING_WIDTH 50

static void print_value(struct printer *pr, const struct agg_value *v)
{
	if (agg_is_distribution(v->desc))
		print_distribution(pr, v);
	else
		buf_printf(&pr->buf, " %16" PRId64, agg_number(v));
}

/* The value and, where they were asked for, those of the CPUs it is made of. */
static void print_values(struct printer *pr, const struct agg_value *v)
{
	print_value(pr, v);
	for (uint32_t cpu = 0; v->cpus && cpu < v->ncpus; cpu++) {
		buf_printf(&pr->buf, "\n    [CPU %u]", cpu);
		print_value(pr, &v->cpus[cpu]);
	}
}

static bool is_printable(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];

		if (!isprint(c) && !isspace(c) && c != '\b' && c != '\a')
			return false;
	}
	return true;
}

static void key_text(struct printer *pr, const char *text, size_t len)
{
	size_t from;

	buf_puts(&pr->buf, "  ");
	from = pr->buf.len;
	buf_put(&pr->buf, text, len);
	print_pad(pr, from, STRING_WIDTH);
}

static void key_string(struct printer *pr, const struct datum *d, const struct rec_view *src)
{
	bool nul, in_key = d->kind == DATUM_STRING || d->kind == DATUM_CHARS;
	size_t len;
	const char *text = datum_text(pr, d, src, &len, &nul);

	if (is_printable(text, len))
		key_text(pr, text, len);
	else
		print_hexdump(pr, text, in_key ? d->size : len + 1);
}

/* Bytes of no known type are text where they look like it: printable, then NULs only. */
static void key_bytes(struct printer *pr, const struct datum *d, const struct rec_view *src)
{
	const char *p = datum_bytes(d, src);
	size_t len = 0, tail;

	while (len < d->size && p[len])
		len++;
	for (tail = len; tail < d->size && !p[tail]; tail++)
		;
	if (len && tail == d->size && is_printable(p, len))
		key_text(pr, p, len);
	else
		print_hexdump(pr, p, d->size);
}

/* The short ones are shown unsigned, the long ones signed, whatever their type. */
static bool key_int(struct printer *pr, const struct datum *d, const struct rec_view *src)
{
	uint64_t n;

	if (!datum_unsigned(d, src, &n))
		return false;
	switch (d->size) {
	case 1:
		buf_printf(&pr->buf, " %3" PRIu64, n);
		return true;
	case 2:
		buf_printf(&pr->buf, " %5" PRIu64, n);
		return true;
	case 4:
		buf_printf(&pr->buf, " %8" PRId32, (int32_t)n);
		return true;
	default:
		buf_printf(&pr->buf, " %16" PRId64, (int64_t)n);
		return true;
	}
}

static void print_key(struct printer *pr, const struct datum *d, const struct rec_view *src)
{
	switch (d->kind) {
	case DATUM_INT:
	case DATUM_PTR:
		if (!key_int(pr, d, src))
			key_bytes(pr, d, src);
		break;
	case DATUM_FLOAT:
	case DATUM_BYTES:
		key_bytes(pr, d, src);
		break;
	case DATUM_STACK:
	case DATUM_USTACK:
		print_stack(pr, d, src, pr->opts.stackindent);
		break;
	case DATUM_SYM:
	case DATUM_MOD:
	case DATUM_USYM:
	case DATUM_UADDR:
	case DATUM_UMOD:
		print_sym(pr, d, src);
		break;
	default:
		key_string(pr, d, src);
		break;
	}
}

static void print_row(struct printer *pr, const struct agg_row *row)
{
	const struct rec_view src = {.base = row->key};

	for (uint32_t i = 0; i < row->desc->nkeys; i++)
		print_key(pr, &row->desc->keys[i], &src);
	for (uint32_t i = 0; i < row->nvalues; i++)
		print_values(pr, &row->values[i]);
	buf_putc(&pr->buf, '\n');
}

int print_table(struct printer *pr, const struct agg_table *t)
{
	if (!t->format && !t->final)
		buf_putc(&pr->buf, '\n');
	for (uint32_t i = 0; i < t->nrows; i++) {
		const struct agg_row *row = &t->rows[i];
		struct format_args args = {
			.data = row->desc->keys,
			.ndata = row->desc->nkeys,
			.values = row->values,
			.nvalues = row->nvalues,
			.src = {.base = row->key},
		};
		int err;

		if (!t->format) {
			print_row(pr, row);
			continue;
		}
		err = print_format(pr, t->format, &args);
		if (err)
			return err;
	}
	return 0;
}
