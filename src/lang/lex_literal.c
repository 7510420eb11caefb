// SPDX-License-Identifier: Apache-2.0
/* Reads integer, character and string literals. */
#include "lang/lex_int.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "lang/lex.h"

/* The first type in the list for RADIX and suffix that holds V; false when none does. */
static bool pick_type(uint64_t v, unsigned radix, bool u, int l, enum int_kind *out)
{
	bool any = radix != 10 && !u; /* octal and hex may turn unsigned on their own */

	if (!l && !u && v <= INT_MAX)
		*out = INT_INT;
	else if (!l && (u || any) && v <= UINT_MAX)
		*out = INT_UINT;
	else if (l < 2 && !u && v <= LONG_MAX)
		*out = INT_LONG;
	else if (l < 2 && (u || any))
		*out = INT_ULONG;
	else if (l == 2 && !u && v <= LLONG_MAX)
		*out = INT_LLONG;
	else if (l == 2 && (u || any))
		*out = INT_ULLONG;
	else
		return false;
	return true;
}

/* Scan [uU][lL|ll|LL] in either order; returns characters taken. */
static size_t scan_suffix(const char *p, const char *end, bool *u, int *l)
{
	const char *s = p;

	*u = false;
	*l = 0;
	while (p < end && strchr("uUlL", *p) && *p) {
		if ((*p == 'u' || *p == 'U') && !*u) {
			*u = true;
			p++;
		} else if ((*p == 'l' || *p == 'L') && !*l) {
			*l = p + 1 < end && p[1] == *p ? 2 : 1;
			p += *l;
		} else {
			break;
		}
	}
	return (size_t)(p - s);
}

enum scan { SCAN_OK, SCAN_NONE, SCAN_DIGIT, SCAN_OFLOW };

/* Scans an unsigned integer constant at P; *USED characters were taken. */
static enum scan scan_integer(const char *p, const char *end, struct token *t, size_t *used)
{
	const char *s = p;
	unsigned radix = 10;
	uint64_t v = 0;
	bool oflow = false, digit = false, u;
	int l;

	if (p >= end || !isdigit((unsigned char)*p))
		return SCAN_NONE;
	if (*p == '0' && p + 1 < end && (p[1] == 'x' || p[1] == 'X')) {
		radix = 16;
		p += 2;
		if (p >= end || !isxdigit((unsigned char)*p))
			return SCAN_NONE;
	} else if (*p == '0') {
		radix = 8;
	}
	for (; p < end && (radix == 16 ? isxdigit((unsigned char)*p) : isdigit((unsigned char)*p));
		p++) {
		unsigned d = isdigit((unsigned char)*p) ? (unsigned)(*p - '0')
							: (unsigned)(tolower(*p) - 'a' + 10);

		digit |= d >= radix;
		oflow |= __builtin_mul_overflow(v, radix, &v);
		oflow |= __builtin_add_overflow(v, d, &v);
	}
	p += scan_suffix(p, end, &u, &l);
	*used = (size_t)(p - s);
	if (digit)
		return SCAN_DIGIT;
	t->value = v;
	if (oflow || !pick_type(v, radix, u, l, &t->ikind))
		return SCAN_OFLOW;
	return SCAN_OK;
}

/* Returns the end of a name such as 9p`sym, which begins like a number; NULL when there is none. */
static const char *module_name(const struct lexer *lx)
{
	const char *p = lx->p;
	bool scoped = false;

	for (; p < lx->end && (isalnum((unsigned char)*p) || *p == '_' || *p == '`'); p++)
		scoped |= *p == '`';
	return scoped ? p : NULL;
}

bool lex_number(struct lexer *lx, struct token *t)
{
	size_t used = 0;
	const char *p;
	enum scan s = scan_integer(lx->p, lx->end, t, &used);

	p = module_name(lx);
	if (p) {
		t->kind = TOK_IDENT;
		t->str = arena_strndup(lx->arena, lx->p, (size_t)(p - lx->p));
		t->str_len = (uint32_t)(p - lx->p);
		lx->p = p;
		return true;
	}
	p = lx->p + used;
	if (p < lx->end && (*p == '.' || *p == 'e' || *p == 'E') && *lx->p != '0') {
		lex_error(lx, lx->p, "D_SYNTAX", "floating-point constants are not permitted");
		s = SCAN_NONE;
	} else if (s == SCAN_DIGIT) {
		lex_error(lx, lx->p, "D_INT_DIGIT", "invalid digit in integer constant %.*s",
			(int)used, lx->p);
	} else if (s == SCAN_OFLOW) {
		lex_error(lx, lx->p, "D_INT_OFLOW",
			"integer constant %.*s cannot be represented in any built-in integral type",
			(int)used, lx->p);
	} else if (s == SCAN_NONE && *lx->p == '.') {
		lex_error(lx, lx->p, "D_SYNTAX", "floating-point constants are not permitted");
	} else if (s == SCAN_NONE || (p < lx->end && (isalnum((unsigned char)*p) || *p == '_'))) {
		lex_error(
			lx, lx->p, "D_SYNTAX", "syntax error near \"%.*s\"", (int)used + 1, lx->p);
		s = SCAN_NONE;
	}
	lx->p = p + !used;
	return s == SCAN_OK;
}

int lex_integer_text(const char *text, size_t len, struct token *t)
{
	size_t sign = len && (*text == '-' || *text == '+'), used = 0;
	enum scan s = scan_integer(text + sign, text + len, t, &used);

	if (s == SCAN_NONE || s == SCAN_DIGIT || used + sign != len)
		return -1;
	if (s == SCAN_OFLOW)
		return 0;
	if (*text == '-') {
		t->value = -t->value;
		if (t->ikind == INT_INT && (int64_t)t->value < INT_MIN)
			t->ikind = INT_LONG;
	}
	return 1;
}

/* Reads an escape after a backslash at P; *USED characters; -1 = not an escape, keep both. */
static int escape(const char *p, const char *end, size_t *used)
{
	static const char from[] = "abfnrtv\"\\", to[] = "\a\b\f\n\r\t\v\"\\";
	const char *hit;
	unsigned v = 0;

	*used = 1;
	if (*p >= '0' && *p <= '7') {
		for (*used = 0; *used < 3 && p + *used < end; (*used)++) {
			char c = p[*used];

			if (c < '0' || c > '7')
				break;
			v = v * 8 + (unsigned)(c - '0');
		}
		return v & 0xff;
	}
	if (*p == 'x' && p + 1 < end && isxdigit((unsigned char)p[1])) {
		for (; p + *used < end && isxdigit((unsigned char)p[*used]); (*used)++) {
			char c = p[*used];

			v = v * 16 +
				(unsigned)(isdigit((unsigned char)c) ? c - '0'
								     : tolower(c) - 'a' + 10);
		}
		return v & 0xff;
	}
	hit = *p ? strchr(from, *p) : NULL;
	return hit ? (unsigned char)to[hit - from] : -1;
}

/* Replace escapes in TEXT into OUT (as long as TEXT); returns the length. */
static size_t unescape(const char *text, size_t len, char *out)
{
	const char *p = text, *end = text + len;
	char *o = out;

	while (p < end) {
		size_t used;
		int c;

		if (*p != '\\' || p + 1 >= end) {
			*o++ = *p++;
			continue;
		}
		c = escape(p + 1, end, &used);
		if (c < 0)
			*o++ = *p++;
		else {
			*o++ = (char)c;
			p += 1 + used;
			continue;
		}
		*o++ = *p++;
	}
	return (size_t)(o - out);
}

const char *lex_unescape(struct arena *a, const char *text, size_t len, uint32_t *out_len)
{
	char *s = arena_alloc(a, len + 1);

	s[unescape(text, len, s)] = '\0';
	*out_len = (uint32_t)strlen(s); /* content ends at the first NUL */
	return s;
}

/* Find the quote that closes the literal at lx->p; NULL when an error was reported. */
static const char *closing_quote(struct lexer *lx, const char *tag)
{
	char quote = *lx->p;
	const char *nl;

	for (const char *p = lx->p + 1; p < lx->end; p++) {
		if (*p == '\\' && p + 1 < lx->end && p[1] != '\n')
			p++;
		else if (*p == '\n')
			break;
		else if (*p == quote)
			return p;
	}
	nl = memchr(lx->p, '\n', (size_t)(lx->end - lx->p));
	if (nl) {
		lex_error(lx, lx->p, tag, "newline encountered in %s",
			quote == '"' ? "string literal" : "character constant");
		diag_line(lx->diags, lx->line + 1); /* as DTrace counts */
	} else {
		lex_error(
			lx, lx->p, "D_SYNTAX", "end-of-file encountered before matching %c", quote);
	}
	lx->p = nl ? nl : lx->end;
	return NULL;
}

bool lex_string(struct lexer *lx, struct token *t)
{
	const char *close = closing_quote(lx, "D_STR_NL");

	if (!close)
		return false;
	t->str = lex_unescape(lx->arena, lx->p + 1, (size_t)(close - lx->p - 1), &t->str_len);
	lx->p = close + 1;
	return true;
}

bool lex_char(struct lexer *lx, struct token *t)
{
	const char *close = closing_quote(lx, "D_CHR_NL");
	char bytes[64];
	size_t len, n;

	if (!close)
		return false;
	len = (size_t)(close - lx->p - 1);
	n = len < sizeof(bytes) ? unescape(lx->p + 1, len, bytes) : sizeof(bytes);
	if (!n)
		lex_error(lx, lx->p, "D_CHR_NULL", "empty character constant");
	else if (n > 8)
		lex_error(lx, lx->p, "D_CHR_OFLOW", "character constant is too long");
	lx->p = close + 1;
	if (!n || n > 8)
		return false;
	/* the first character takes the most significant byte */
	for (size_t i = 0; i < n; i++)
		t->value = t->value << 8 | (unsigned char)bytes[i];
	if (n == 1)
		t->value = (uint64_t)(int64_t)(signed char)bytes[0];
	t->ikind = (int64_t)t->value > INT_MAX ? INT_LONG : INT_INT;
	return true;
}
