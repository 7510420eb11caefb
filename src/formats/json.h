/* SPDX-License-Identifier: Apache-2.0 */
/* json: the parts of JSON text, appended to a buffer; docs/json.md says what they look like. */
#ifndef FORMATS_JSON_H
#define FORMATS_JSON_H

#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "dtrace/data.h"

/* As buf_put() and buf_putc(), without a call where there is room: most of JSON is short pieces. */
static inline void put_bytes(struct buf *b, const void *p, size_t len)
{
	if (!len)
		return;
	if (b->failed || b->cap - b->len <= len) {
		buf_put(b, p, len);
		return;
	}
	memcpy(b->data + b->len, p, len);
	b->len += len;
	b->data[b->len] = '\0';
}

static inline void put_char(struct buf *b, char c)
{
	put_bytes(b, &c, 1);
}

/* Text that is known here: a key with its quotes and colon, a bracket. */
#define put_literal(b, text) put_bytes((b), "" text, sizeof(text) - 1)

void json_put_unsigned(struct buf *b, uint64_t n);
void json_put_signed(struct buf *b, int64_t n);
void json_put_unsigned128(struct buf *b, unsigned __int128 n);
void json_put_hex(struct buf *b, const void *bytes, size_t len);

/*
 * The shortest decimal number that reads back as the same value of a floating type of SIZE bytes.
 * False: it is none (infinite, or not a number), and the text is "inf", "-inf" or "nan".
 */
bool json_put_double(struct buf *b, long double value, uint32_t size);

/*
 * Writes LEN bytes as valid UTF-8: a byte that belongs to no character becomes the character U+EF00
 * + byte (U+EF80..U+EFFF), and these characters count as such bytes.  ESCAPED: put one ASCII
 * character, for what a syntax reserves; false: put it unchanged.
 */
void json_put_utf8(
	struct buf *b, const char *s, size_t len, bool (*escaped)(struct buf *b, unsigned char c));

/* Writes the character that stands for BYTE. */
void json_put_byte_as_character(struct buf *b, unsigned char byte);

/* The names of kinds of values, by enum dtrace_kind. */
#define JSON_KINDS (DTRACE_KIND_ENUM + 1)
extern const char *const json_kinds[JSON_KINDS];

/* Writes a JSON string with its quotes. */
void json_put_string(struct buf *b, const char *s, size_t len);
void json_put_text(struct buf *b, const char *s);

/* Writes a number as json_put_double() does, and anything else as a string. */
void json_put_float(struct buf *b, long double value, uint32_t size);

#endif
