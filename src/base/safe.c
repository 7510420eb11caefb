// SPDX-License-Identifier: Apache-2.0
/* Tells the characters that a terminal only shows from those that it obeys. */
#include "base/safe.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"

/* Line and paragraph separators, marks, embeddings, overrides and isolates of direction. */
static bool moves_text(uint32_t c)
{
	return c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
		(c >= 0x2066 && c <= 0x2069);
}

size_t safe_char(const char *s, size_t len)
{
	unsigned char c = (unsigned char)*s;
	size_t n = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	uint32_t code;

	if (n == 1)
		return c == '\n' || c == '\t' || (c >= ' ' && c != 0x7f);
	/* 0x80 to 0x9f are controls, too; no byte of less than 0xc2 begins a character */
	if (c < 0xc2 || c > 0xf4 || n > len)
		return 0;
	code = c & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if (((unsigned char)s[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | ((unsigned char)s[i] & 0x3f);
	}
	return code >= 0xa0 &&
			code >= (n == 2			 ? 0x80u
						: n == 3 ? 0x800u
							 : 0x10000u) &&
			!moves_text(code)
		? n
		: 0;
}

bool safe_is(const char *s, size_t len)
{
	size_t n;

	for (; len; s += n, len -= n) {
		n = safe_char(s, len);
		if (!n)
			return false;
	}
	return true;
}

const char *safe_line(struct arena *a, const char *s, bool terminal)
{
	char *text, *to;

	if (terminal)
		s = safe_text(a, s);
	if (!strpbrk(s, "\n\t"))
		return s;
	to = text = arena_alloc(a, 2 * strlen(s) + 1);
	for (; *s; s++)
		if (*s == '\n' || *s == '\t') {
			*to++ = '\\';
			*to++ = *s == '\n' ? 'n' : 't';
		} else {
			*to++ = *s;
		}
	*to = '\0';
	return text;
}

const char *safe_text(struct arena *a, const char *s)
{
	size_t len = strlen(s), n;
	char *text, *to;

	if (safe_is(s, len))
		return s;
	to = text = arena_alloc(a, 4 * len + 1);
	for (; len; s += n, len -= n) {
		n = safe_char(s, len);
		if (n) {
			memcpy(to, s, n);
			to += n;
		} else {
			to += sprintf(to, "\\%03o", (unsigned char)*s);
			n = 1;
		}
	}
	*to = '\0';
	return text;
}

void safe_put(FILE *out, const char *s, size_t len)
{
	int fd = fileno(out); /* there may be none: open_memstream(3) */
	size_t n;

	if (fd < 0 || !isatty(fd) || safe_is(s, len)) {
		fwrite(s, 1, len, out);
		return;
	}
	for (; len; s += n, len -= n) {
		n = safe_char(s, len);
		if (n)
			fwrite(s, 1, n, out);
		else
			fprintf(out, "\\%03o", (unsigned char)*s);
		n = n ? n : 1;
	}
}
