// SPDX-License-Identifier: Apache-2.0
/*
 * Prints a value of any C type for print(), as lines that look like a C initialiser.
 *
 * Members and elements whose bytes are all zero are left out; the next element has its index then.
 * Only the first bytes may have been recorded; where they end there is a line "...", then what is
 * open is closed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dtrace/data.h"
#include "print/print.h"

/* ---- scalars ---- */

static void put_char(struct buf *b, unsigned char c)
{
	buf_putc(b, '\'');
	print_escaped(b, c, '\'');
	buf_putc(b, '\'');
}

static void put_float(struct buf *b, const void *p, size_t size)
{
	long double value = 0;
	char text[64];
	double dbl;
	float flt;
	int prec = 6;

	if (size == sizeof(flt)) {
		memcpy(&flt, p, sizeof(flt));
		do
			snprintf(text, sizeof(text), "%.*g", prec, (double)flt);
		while (strtof(text, NULL) != flt && prec++ < 9);
	} else if (size == sizeof(dbl)) {
		memcpy(&dbl, p, sizeof(dbl));
		do
			snprintf(text, sizeof(text), "%.*g", prec, dbl);
		while (strtod(text, NULL) != dbl && prec++ < 17);
	} else {
		memcpy(&value, p, size < sizeof(value) ? size : sizeof(value));
		do
			snprintf(text, sizeof(text), "%.*Lg", prec, value);
		while (strtold(text, NULL) != value && prec++ < 21);
	}
	buf_puts(b, text);
}

static void put_text(struct buf *b, const char *text, size_t len)
{
	buf_putc(b, '"');
	for (size_t i = 0; i < len; i++)
		print_escaped(b, (unsigned char)text[i], '"');
	buf_putc(b, '"');
}

static void put_int(struct buf *b, const struct dtrace_value *v)
{
	if (v->size > sizeof(v->number) && v->len)
		buf_put(b, v->bytes, v->len);
	else if (v->is_char)
		put_char(b, (unsigned char)v->number);
	else if (v->is_signed)
		print_signed(b, (int64_t)v->number, 0);
	else
		print_unsigned(b, v->number, 0);
}

static void put_enum(struct buf *b, const struct dtrace_value *v)
{
	if (v->len)
		buf_put(b, v->bytes, v->len);
	else if (v->size > sizeof(int32_t))
		print_signed(b, (int64_t)v->number, 0);
	else
		print_signed(b, (int32_t)v->number, 0);
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
		put_float(b, v->bytes, v->len);
		break;
	case DTRACE_KIND_STRING:
		put_text(b, v->bytes, v->len);
		if (v->cut)
			buf_puts(b, "...");
		break;
	default:
		print_hex(b, v->number);
	}
}

/* ---- lines ---- */

/* Begins a line at DEPTH. */
static void put_indent(struct printer *pr, unsigned depth)
{
	buf_fill(&pr->buf, ' ', (print_has_columns(pr) ? PRINT_INDENT : 0) + depth);
}

static void put_value(
	struct printer *pr, const struct dtrace_value *v, const char *name, unsigned depth);

/* As in a C initialiser, "[INDEX] = " follows what is left out. */
static void put_index(struct buf *b, uint64_t index, uint64_t expected)
{
	if (index != expected)
		buf_printf(b, "[%" PRIu64 "] = ", index);
}

static void put_members(struct printer *pr, const struct dtrace_value *v, unsigned depth)
{
	bool array = v->kind == DTRACE_KIND_ARRAY;
	struct buf *b = &pr->buf;
	uint64_t next = 0;

	buf_puts(b, array ? " [\n" : " {\n");
	for (unsigned i = 0; i < v->nmembers; i++) {
		const struct dtrace_member *m = &v->members[i];

		put_indent(pr, depth + 1);
		if (array)
			put_index(b, m->index, next);
		put_value(pr, &m->value, m->name, depth + 1);
		next = m->index + 1ull;
	}
	if (v->cut) {
		put_indent(pr, depth + 1);
		buf_puts(b, "...\n");
	}
	put_indent(pr, depth);
	buf_putc(b, array ? ']' : '}');
	buf_puts(b, depth ? ",\n" : "\n");
}

static void put_value(
	struct printer *pr, const struct dtrace_value *v, const char *name, unsigned depth)
{
	struct buf *b = &pr->buf;

	if (*name) {
		buf_putc(b, '.');
		buf_puts(b, name);
		buf_puts(b, " = ");
	}
	buf_putc(b, '(');
	buf_puts(b, v->type);
	buf_putc(b, ')');
	if (v->kind == DTRACE_KIND_STRUCT || v->kind == DTRACE_KIND_UNION ||
		v->kind == DTRACE_KIND_ARRAY) {
		put_members(pr, v, depth);
		return;
	}
	put_scalar(b, v);
	buf_puts(b, ",\n");
}

/* ---- the action ---- */

/*
 * Prints the address of the value.  Without one the value begins on the line of the record's
 * columns, if there are any; they are as wide as the indentation.
 */
static void put_address(struct printer *pr, const struct dtrace_value *address)
{
	struct buf *b = &pr->buf;
	size_t line = b->len;

	if (address) {
		buf_printf(b, "0x%" PRIx64 " = *\n", address->number);
		line = b->len;
	}
	if (!print_has_columns(pr))
		return;
	while (line && b->data[line - 1] != '\n')
		line--;
	print_pad(pr, line, PRINT_INDENT);
}

void print_value(
	struct printer *pr, const struct dtrace_value *v, const struct dtrace_value *address)
{
	put_address(pr, address);
	if (v->kind == DTRACE_KIND_BYTES && v->cut)
		buf_puts(&pr->buf, "...\n");
	else
		put_value(pr, v, "", 0);
}
