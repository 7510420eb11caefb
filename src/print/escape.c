// SPDX-License-Identifier: Apache-2.0
/* Pads and escapes text. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/safe.h"
#include "print/print.h"

void print_pad(struct printer *pr, size_t from, size_t width)
{
	size_t len = pr->buf.len - from;

	if (!pr->buf.failed && len < width)
		buf_fill(&pr->buf, ' ', width - len);
}

void print_escaped(struct buf *b, unsigned char c, char quote)
{
	static const char from[] = "\a\b\f\n\r\t\v";
	static const char to[] = "abfnrtv";
	const char *p = c ? strchr(from, c) : NULL;

	if (p)
		buf_printf(b, "\\%c", to[p - from]);
	else if (!c)
		buf_puts(b, "\\0");
	else if (quote && (c == (unsigned char)quote || c == '\\'))
		buf_printf(b, "\\%c", c);
	else if (c >= ' ' && c <= '~')
		buf_putc(b, (char)c);
	else
		buf_printf(b, "\\%03o", c);
}

/* Escapes what is not safe if UNSAFE, and what is on no line if BLANKS, from FROM on. */
static void escape(struct buf *b, size_t from, bool unsafe, bool blanks)
{
	size_t len = b->len - from, n;
	char *text;

	text = malloc(len);
	if (!text) {
		b->failed = true;
		return;
	}
	memcpy(text, b->data + from, len);
	b->len = from;
	for (size_t i = 0; i < len; i += n) {
		n = unsafe ? safe_char(text + i, len - i) : 1;
		if (blanks && (text[i] == '\n' || text[i] == '\t'))
			n = 0;
		if (n)
			buf_put(b, text + i, n);
		else
			print_escaped(b, (unsigned char)text[i], '\0');
		n = n ? n : 1;
	}
	free(text);
}

void print_safe(struct printer *pr, size_t from)
{
	if (pr->opts.termsafe)
		print_unsafe_escaped(&pr->buf, from);
}

void print_name_safe(struct printer *pr, size_t from)
{
	struct buf *b = &pr->buf;
	size_t len = b->failed ? 0 : b->len - from;

	if (len && (memchr(b->data + from, '\n', len) || memchr(b->data + from, '\t', len)))
		escape(b, from, pr->opts.termsafe, true);
	else
		print_safe(pr, from);
}

void print_unsafe_escaped(struct buf *b, size_t from)
{
	if (!b->failed && !safe_is(b->data + from, b->len - from))
		escape(b, from, true, false);
}

bool print_is_text(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];

		if (!isprint(c) && !isspace(c) && c != '\b' && c != '\a')
			return false;
	}
	return true;
}
