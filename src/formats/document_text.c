// SPDX-License-Identifier: Apache-2.0
/* Writes the syntax of documents: JSON, XML and HTML. */
#include <string.h>

#include "base/buf.h"
#include "formats/document.h"
#include "formats/json.h"

/* ---- text ---- */

/* XML has no way to write control characters: they become what bytes that are no text do. */
static bool xml_escaped(struct buf *b, unsigned char c)
{
	switch (c) {
	case '<':
		put_literal(b, "&lt;");
		return true;
	case '>':
		put_literal(b, "&gt;");
		return true;
	case '&':
		put_literal(b, "&amp;");
		return true;
	case '"':
		put_literal(b, "&quot;");
		return true;
	case '\r': /* readers make a newline of it */
		put_literal(b, "&#13;");
		return true;
	case '\t':
	case '\n':
		return false;
	default:
		if (c >= ' ')
			return false;
		json_put_byte_as_character(b, c);
		return true;
	}
}

/* ---- lines and brackets ---- */

static void indent(struct document *d)
{
	if (!d->pretty)
		return;
	buf_putc(&d->s.buf, '\n');
	for (unsigned i = 0; i < d->depth; i++)
		put_literal(&d->s.buf, "  ");
}

/* A further member of what is open; in JSON with its name, in a list without. */
static void begin_member(struct document *d, const char *name)
{
	struct buf *b = &d->s.buf;

	if (d->comma && d->syntax == DOCUMENT_JSON)
		buf_putc(b, ',');
	d->comma = true;
	indent(d);
	if (name && d->syntax == DOCUMENT_JSON) {
		json_put_text(b, name);
		buf_puts(b, d->pretty ? ": " : ":");
	}
}

static void open_bracket(struct document *d, const char *text)
{
	buf_puts(&d->s.buf, text);
	d->depth++;
	d->comma = false;
}

static void close_bracket(struct document *d, const char *text)
{
	d->depth--;
	if (d->comma)
		indent(d);
	buf_puts(&d->s.buf, text);
	d->comma = true;
}

static void open_named(struct document *d, const char *name)
{
	struct buf *b = &d->s.buf;

	switch (d->syntax) {
	case DOCUMENT_JSON:
		open_bracket(d, "{");
		break;
	case DOCUMENT_XML:
		buf_putc(b, '<');
		buf_puts(b, name);
		open_bracket(d, ">");
		break;
	case DOCUMENT_HTML:
		put_literal(b, "<div class=\"");
		buf_puts(b, name);
		open_bracket(d, "\">");
		break;
	}
}

static void close_named(struct document *d, const char *name)
{
	switch (d->syntax) {
	case DOCUMENT_JSON:
		close_bracket(d, "}");
		break;
	case DOCUMENT_XML:
		close_bracket(d, "</");
		buf_puts(&d->s.buf, name);
		buf_putc(&d->s.buf, '>');
		break;
	case DOCUMENT_HTML:
		close_bracket(d, "</div>");
		break;
	}
}

void document_begin(struct document *d)
{
	struct buf *b = &d->s.buf;

	switch (d->syntax) {
	case DOCUMENT_JSON:
		open_bracket(d, "{");
		break;
	case DOCUMENT_XML:
		put_literal(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
		if (!d->pretty)
			buf_putc(b, '\n');
		break;
	case DOCUMENT_HTML:
		put_literal(b,
			"<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>dtrace</title></head><body>");
		break;
	}
}

void document_end(struct document *d)
{
	struct buf *b = &d->s.buf;

	if (d->syntax == DOCUMENT_JSON)
		close_bracket(d, "}");
	else if (d->syntax == DOCUMENT_HTML)
		buf_puts(b, d->pretty ? "\n</body></html>" : "</body></html>");
	buf_putc(b, '\n');
}

void document_open_container(struct document *d, const char *name)
{
	begin_member(d, name);
	open_named(d, name);
}

void document_close_container(struct document *d, const char *name)
{
	close_named(d, name);
}

/* Opens a list, which is a repeated element except in JSON. */
void document_open_list(struct document *d, const char *name)
{
	if (d->syntax != DOCUMENT_JSON)
		return;
	begin_member(d, name);
	open_bracket(d, "[");
}

void document_close_list(struct document *d)
{
	if (d->syntax == DOCUMENT_JSON)
		close_bracket(d, "]");
}

void document_open_instance(struct document *d, const char *name)
{
	begin_member(d, NULL);
	open_named(d, name);
}

void document_close_instance(struct document *d, const char *name)
{
	close_named(d, name);
}

/* ---- fields ---- */

static void open_field(struct document *d, const char *name, const char *list)
{
	struct buf *b = &d->s.buf;
	const char *tag = name ? name : list;

	begin_member(d, name);
	if (d->syntax == DOCUMENT_XML) {
		buf_putc(b, '<');
		buf_puts(b, tag);
		buf_putc(b, '>');
	} else if (d->syntax == DOCUMENT_HTML) {
		put_literal(b, "<div class=\"data\" data-tag=\"");
		buf_puts(b, tag);
		put_literal(b, "\">");
	}
}

static void close_field(struct document *d, const char *name, const char *list)
{
	struct buf *b = &d->s.buf;

	if (d->syntax == DOCUMENT_XML) {
		put_literal(b, "</");
		buf_puts(b, name ? name : list);
		buf_putc(b, '>');
	} else if (d->syntax == DOCUMENT_HTML) {
		put_literal(b, "</div>");
	}
}

void document_put_signed(struct document *d, const char *name, const char *list, int64_t n)
{
	open_field(d, name, list);
	json_put_signed(&d->s.buf, n);
	close_field(d, name, list);
}

void document_put_unsigned(struct document *d, const char *name, const char *list, uint64_t n)
{
	open_field(d, name, list);
	json_put_unsigned(&d->s.buf, n);
	close_field(d, name, list);
}

void document_put_string(
	struct document *d, const char *name, const char *list, const char *s, size_t len)
{
	open_field(d, name, list);
	if (d->syntax == DOCUMENT_JSON)
		json_put_string(&d->s.buf, s, len);
	else
		json_put_utf8(&d->s.buf, s, len, xml_escaped);
	close_field(d, name, list);
}

void document_put_text(struct document *d, const char *name, const char *list, const char *s)
{
	document_put_string(d, name, list, s, strlen(s));
}

void document_put_float(
	struct document *d, const char *name, const char *list, long double value, uint32_t size)
{
	open_field(d, name, list);
	if (d->syntax == DOCUMENT_JSON)
		json_put_float(&d->s.buf, value, size);
	else
		json_put_double(&d->s.buf, value, size);
	close_field(d, name, list);
}
