// SPDX-License-Identifier: Apache-2.0
/* Reads recorded integers and strings, and pads and escapes text. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "abi/flags.h"
#include "abi/record.h"
#include "base/safe.h"
#include "out/print.h"
#include "probe/part.h"

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

bool datum_is_all_text(const struct printer *pr, const struct datum *d, const struct rec_view *src)
{
	const char *text = datum_bytes(d, src);
	size_t end = d->size;

	while (end && !text[end - 1])
		end--;
	return datum_is_text(pr, d, src) && strnlen(text, d->size) == end;
}

bool datum_is_text(const struct printer *pr, const struct datum *d, const struct rec_view *src)
{
	const char *text = datum_bytes(d, src);

	return d->kind == DATUM_CHARS && d->is_char && !pr->opts.rawbytes &&
		print_is_text(text, strnlen(text, d->size));
}

bool datum_unsigned(const struct datum *d, const struct rec_view *src, uint64_t *value)
{
	const void *p = datum_bytes(d, src);
	uint16_t v16;
	uint32_t v32;

	switch (d->size) {
	case 1:
		*value = *(const uint8_t *)p;
		return true;
	case 2:
		memcpy(&v16, p, sizeof(v16));
		*value = v16;
		return true;
	case 4:
		memcpy(&v32, p, sizeof(v32));
		*value = v32;
		return true;
	case 8:
		memcpy(value, p, sizeof(*value));
		return true;
	default:
		return false;
	}
}

bool datum_signed(const struct datum *d, const struct rec_view *src, int64_t *value)
{
	uint64_t v;

	if (!datum_unsigned(d, src, &v))
		return false;
	if (d->is_signed) {
		int unused = 64 - 8 * (int)d->size;

		*value = (int64_t)(v << unused) >> unused;
	} else {
		*value = (int64_t)v;
	}
	return true;
}

size_t datum_string_size(const struct datum *d, size_t len)
{
	if (d->string_size)
		return d->string_size;
	return d->kind == DATUM_STRING ? d->size : len + 1;
}

static const char *probe_by_id(
	const struct printer *pr, const struct datum *d, const struct rec_view *src)
{
	const struct probe *p = NULL;
	uint64_t id;

	if (pr->env.probe && datum_unsigned(d, src, &id))
		p = pr->env.probe(pr->env.arg, id);
	return p ? probe_part(p, d->part) : "";
}

const char *datum_text(const struct printer *pr, const struct datum *d, const struct rec_view *src,
	struct datum_room *room, size_t *len, bool *nul)
{
	uint64_t number;

	const char *text;

	switch (d->kind) {
	case DATUM_STRING:
	case DATUM_CHARS:
		text = datum_bytes(d, src);
		*len = strnlen(text, d->size);
		*nul = *len < d->size;
		return text;
	case DATUM_FLAGS:
		memcpy(&number, datum_bytes(d, src), sizeof(number));
		flag_text(d->flags, number, room->text, sizeof(room->text));
		text = room->text;
		break;
	case DATUM_LITERAL:
		text = d->literal;
		break;
	case DATUM_PROBEPROV:
	case DATUM_PROBEMOD:
	case DATUM_PROBEFUNC:
	case DATUM_PROBENAME:
	case DATUM_PROBEFILE:
		text = probe_part(src->probe, d->kind);
		break;
	case DATUM_PROBEID:
		text = probe_by_id(pr, d, src);
		break;
	default:
		return NULL;
	}
	*len = d->string_size ? strnlen(text, d->string_size - 1) : strlen(text);
	*nul = true;
	return text;
}
