// SPDX-License-Identifier: Apache-2.0
/* Prints the value of print() from its members, as value.c does from its bytes. */
#include <inttypes.h>

#include "dtrace/data.h"
#include "out/image.h"
#include "out/print.h"

static void put_int(struct buf *b, const struct dtrace_value *v)
{
	if (v->size > sizeof(v->number) && v->len)
		buf_put(b, v->bytes, v->len);
	else if (v->is_char)
		image_put_char(b, (unsigned char)v->number);
	else if (v->is_signed)
		buf_printf(b, "%" PRId64, (int64_t)v->number);
	else
		buf_printf(b, "%" PRIu64, v->number);
}

static void put_enum(struct buf *b, const struct dtrace_value *v)
{
	if (v->len)
		buf_put(b, v->bytes, v->len);
	else if (v->size > sizeof(int32_t))
		buf_printf(b, "%" PRId64, (int64_t)v->number);
	else
		buf_printf(b, "%" PRId32, (int32_t)v->number);
}

static void put_scalar(struct buf *b, const struct dtrace_value *v)
{
	switch (v->kind) {
	case DTRACE_KIND_INT:
		put_int(b, v);
		break;
	case DTRACE_KIND_ENUM:
		put_enum(b, v);
		break;
	case DTRACE_KIND_FLOAT:
		image_put_float(b, v->bytes, v->len);
		break;
	case DTRACE_KIND_STRING:
		image_put_text(b, v->bytes, v->len);
		if (v->cut)
			buf_puts(b, "...");
		break;
	default:
		buf_printf(b, "0x%" PRIx64, v->number);
	}
}

static void put_value(
	struct printer *pr, const struct dtrace_value *v, const char *name, unsigned depth);

static void put_members(struct printer *pr, const struct dtrace_value *v, unsigned depth)
{
	bool array = v->kind == DTRACE_KIND_ARRAY;
	struct buf *b = &pr->buf;
	uint64_t next = 0;

	buf_puts(b, array ? " [\n" : " {\n");
	for (unsigned i = 0; i < v->nmembers; i++) {
		const struct dtrace_member *m = &v->members[i];

		print_value_indent(pr, depth + 1);
		if (array)
			print_value_index(b, m->index, next);
		put_value(pr, &m->value, m->name, depth + 1);
		next = m->index + 1ull;
	}
	if (v->cut) {
		print_value_indent(pr, depth + 1);
		buf_puts(b, "...\n");
	}
	print_value_indent(pr, depth);
	buf_putc(b, array ? ']' : '}');
	buf_puts(b, depth ? ",\n" : "\n");
}

static void put_value(
	struct printer *pr, const struct dtrace_value *v, const char *name, unsigned depth)
{
	struct buf *b = &pr->buf;

	if (*name)
		buf_printf(b, ".%s = ", name);
	buf_printf(b, "(%s)", v->type);
	if (v->kind == DTRACE_KIND_STRUCT || v->kind == DTRACE_KIND_UNION ||
		v->kind == DTRACE_KIND_ARRAY) {
		put_members(pr, v, depth);
		return;
	}
	put_scalar(b, v);
	buf_puts(b, ",\n");
}

void print_saved_value(struct printer *pr, const struct dtrace_value *v)
{
	if (v->kind == DTRACE_KIND_BYTES && v->cut)
		buf_puts(&pr->buf, "...\n");
	else
		put_value(pr, v, "", 0);
}
