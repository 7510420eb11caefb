// SPDX-License-Identifier: Apache-2.0
/* Prints numbers and strings as JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "dtrace/data.h"
#include "formats/json.h"

const char *const json_kinds[JSON_KINDS] = {
	[DTRACE_KIND_INT] = "int",
	[DTRACE_KIND_POINTER] = "pointer",
	[DTRACE_KIND_FLOAT] = "float",
	[DTRACE_KIND_STRING] = "string",
	[DTRACE_KIND_BYTES] = "bytes",
	[DTRACE_KIND_STACK] = "stack",
	[DTRACE_KIND_USTACK] = "ustack",
	[DTRACE_KIND_SYMBOL] = "symbol",
	[DTRACE_KIND_USYMBOL] = "usymbol",
	[DTRACE_KIND_STRUCT] = "struct",
	[DTRACE_KIND_UNION] = "union",
	[DTRACE_KIND_ARRAY] = "array",
	[DTRACE_KIND_ENUM] = "enum",
};

/* ---- numbers ---- */

void json_put_unsigned(struct buf *b, uint64_t n)
{
	char digits[20];
	size_t i = sizeof(digits);

	do {
		digits[--i] = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	put_bytes(b, digits + i, sizeof(digits) - i);
}

void json_put_signed(struct buf *b, int64_t n)
{
	if (n < 0)
		put_char(b, '-');
	json_put_unsigned(b, n < 0 ? -(uint64_t)n : (uint64_t)n);
}

void json_put_unsigned128(struct buf *b, unsigned __int128 n)
{
	if (n > UINT64_MAX) {
		json_put_unsigned128(b, n / 10);
		put_char(b, (char)('0' + (int)(n % 10)));
	} else {
		json_put_unsigned(b, (uint64_t)n);
	}
}

void json_put_hex(struct buf *b, const void *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *p = bytes;

	for (size_t i = 0; i < len; i++) {
		char two[2] = {digits[p[i] >> 4], digits[p[i] & 15]};

		put_bytes(b, two, sizeof(two));
	}
}

static bool reads_back(const char *text, long double value, uint32_t size)
{
	switch (size) {
	case sizeof(float):
		return strtof(text, NULL) == (float)value;
	case sizeof(double):
		return strtod(text, NULL) == (double)value;
	default:
		return strtold(text, NULL) == value;
	}
}

bool json_put_double(struct buf *b, long double value, uint32_t size)
{
	char text[64];
	int prec = 6;

	if (!isfinite(value)) {
		buf_puts(b, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
		return false;
	}
	do
		snprintf(text, sizeof(text), "%.*Lg", prec, value);
	while (!reads_back(text, value, size) && prec++ < 21);
	for (char *p = text; *p; p++)
		/* the program that uses the library may have set a locale with another point */
		put_char(b, strchr("0123456789+-e", *p) ? *p : '.');
	return true;
}

void json_put_float(struct buf *b, long double value, uint32_t size)
{
	size_t from = b->len;

	put_char(b, '"');
	if (!json_put_double(b, value, size)) {
		put_char(b, '"');
	} else if (!b->failed) {
		memmove(b->data + from, b->data + from + 1, b->len - from);
		b->len--;
	}
}

/* ---- text ---- */

static bool is_tail(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

/* Returns the bytes of the character at P, of which LEN follow; 0 = there is none. */
static size_t character(const unsigned char *p, size_t len)
{
	unsigned char c = p[0];

	if (c < 0x80)
		return 1;
	if (c < 0xc2 || c > 0xf4 || len < 2 || !is_tail(p[1]))
		return 0;
	if (c < 0xe0)
		return 2;
	if (len < 3 || !is_tail(p[2]))
		return 0;
	if (c < 0xf0) {
		/* not in the shortest form; a surrogate; one of those that stand for bytes */
		if ((c == 0xe0 && p[1] < 0xa0) || (c == 0xed && p[1] > 0x9f) ||
			(c == 0xee && p[1] >= 0xbe))
			return 0;
		return 3;
	}
	if (len < 4 || !is_tail(p[3]) || (c == 0xf0 && p[1] < 0x90) || (c == 0xf4 && p[1] > 0x8f))
		return 0;
	return 4;
}

void json_put_byte_as_character(struct buf *b, unsigned char byte)
{
	unsigned c = 0xef00u + byte;
	char three[3] = {
		(char)(0xe0 | c >> 12), (char)(0x80 | (c >> 6 & 0x3f)), (char)(0x80 | (c & 0x3f))};

	put_bytes(b, three, sizeof(three));
}

/* The characters that no syntax reserves. */
static const bool plain[256] = {
	[0x20 ... 0x21] = true, /* not " */
	[0x23 ... 0x25] = true, /* not & */
	[0x27 ... 0x3b] = true, /* not < */
	[0x3d] = true,		/* not > */
	[0x3f ... 0x5b] = true, /* not \ */
	[0x5d ... 0x7f] = true,
};

void json_put_utf8(
	struct buf *b, const char *s, size_t len, bool (*escaped)(struct buf *b, unsigned char c))
{
	const unsigned char *p = (const unsigned char *)s, *end = p + len, *from = p;

	while (p < end) {
		size_t n;

		if (plain[*p]) {
			p++;
			continue;
		}
		n = character(p, (size_t)(end - p));
		if (n > 1) {
			p += n;
			continue;
		}
		put_bytes(b, from, (size_t)(p - from));
		if (!n)
			json_put_byte_as_character(b, *p);
		else if (!escaped(b, *p))
			put_char(b, (char)*p);
		from = ++p;
	}
	put_bytes(b, from, (size_t)(p - from));
}

static bool json_escaped(struct buf *b, unsigned char c)
{
	static const char from[] = "\b\f\n\r\t\"\\", to[] = "bfnrt\"\\";
	const char *p = c ? strchr(from, c) : NULL;
	char two[2] = {'\\'};

	if (p) {
		two[1] = to[p - from];
		put_bytes(b, two, sizeof(two));
		return true;
	}
	if (c >= ' ')
		return false;
	put_literal(b, "\\u00");
	json_put_hex(b, &c, 1);
	return true;
}

void json_put_string(struct buf *b, const char *s, size_t len)
{
	put_char(b, '"');
	json_put_utf8(b, s, len, json_escaped);
	put_char(b, '"');
}

void json_put_text(struct buf *b, const char *s)
{
	json_put_string(b, s, strlen(s));
}
