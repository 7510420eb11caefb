// SPDX-License-Identifier: Apache-2.0
/* Finds the end of a probe description. */
#include "lang/spec.h"

#include <ctype.h>
#include <string.h>

#define OPERATOR "operator"

static bool spec_char(char c)
{
	return c && (isalnum((unsigned char)c) || strchr("-$:._?*\\[]!`", c));
}

static bool begins(const char *p, const char *end, const char *text)
{
	size_t len = strlen(text);

	return (size_t)(end - p) >= len && !memcmp(p, text, len);
}

/*
 * Returns the end of the path that the module field of a description is, at P, or P: "pid*:" and a
 * slash begin one, in which no colon, comma, brace or blank can be.
 */
static const char *path_end(const char *start, const char *p, const char *end)
{
	if (p == end || *p != '/' || p[-1] != ':' || strncmp(start, "pid", 3) ||
		memchr(start, ':', (size_t)(p - start)) != p - 1)
		return p;
	while (p < end && isgraph((unsigned char)*p) && !strchr(":,{", *p))
		p++;
	return p;
}

size_t spec_operator(const char *start, const char *p, const char *end)
{
	/* the longest first (C++20, [over.oper.general]) */
	static const char *const operators[] = {"<=>", "<<=", ">>=", "->*", "()", "[]", "<<", ">>",
		"<=", ">=", "==", "!=", "&&", "||", "++", "--",
		"+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "->", "<", ">", "=", "+", "-", "*",
		"/", "%", "^", "&", "|", "~", "!", ","};
	const size_t len = sizeof(OPERATOR) - 1;
	const char *word = p - len;

	if ((size_t)(p - start) <= len || memcmp(word, OPERATOR, len) ||
		isalnum((unsigned char)word[-1]) || word[-1] == '_')
		return 0;
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
		if (begins(p, end, operators[i]))
			return strlen(operators[i]);
	return 0;
}

/* Returns the end of what begins with a bracket at P, which none of a program's are in, or P. */
static const char *brackets_end(const char *start, const char *p, const char *end)
{
	unsigned depth = 0;

	for (const char *q = p; q < end && !strchr(";\n\"", *q); q++) {
		size_t op = spec_operator(start, q, end);

		if (op) {
			q += op - 1;
			continue;
		}
		depth += strchr("(<{", *q) != NULL;
		if (*q == '>' && q[-1] == '-') /* -> */
			continue;
		if (strchr(")>}", *q) && !--depth)
			return q + 1;
	}
	return p;
}

/* True for what compilers call without a name: lambdas, closures, types. */
static bool is_nameless(const char *p, const char *end)
{
	static const char *const texts[] = {"{lambda(", "{unnamed type#", "{default arg#",
		"{{closure}}", "{{constructor}}", "{{constant}}", "{{vtable.shim}}", "{closure#",
		"{closure_env#", "{impl#", "{constant#", "{constructor#", "{shim:"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (begins(p, end, texts[i]))
			return true;
	return false;
}

/*
 * True if the blank at P is part of a name: "int twice<int>(int):entry", "work() const:entry". What
 * follows a description is a comma, a predicate, a clause or the end of its line.
 */
static bool is_inner_blank(const char *p, const char *end)
{
	const char *q = p + 1;

	if (q == end || isspace((unsigned char)*q) || strchr("{/,;", *q))
		return false;
	while (q < end && !strchr("{/;\n\"", *q)) {
		const char *after = strchr("(<", *q) ? brackets_end(p, q, end) : q;

		if (after > q) {
			q = after;
			continue;
		}
		if (*q == ':')
			return true;
		if (*q == ',')
			return false;
		q++;
	}
	return false;
}

/*
 * Returns the end of the part of a function's name at P that only these languages have, or P.  It
 * follows a colon, so no declaration has it; FUNCTION: it need not.
 */
static const char *name_end(const char *start, const char *p, const char *end, bool function)
{
	size_t op;

	if (p == start || (!function && !memchr(start, ':', (size_t)(p - start))))
		return p;
	op = spec_operator(start, p, end);
	if (op)
		return p + op;
	switch (*p) {
	case '~':
		return p[-1] == ':' ? p + 1 : p;
	case '@': /* a version */
	case '+': /* libstdc++ */
		return p + 1;
	case '&': /* work() & */
	case '#': /* Rust: r#type */
		return p[-1] == ' ' || p[-1] == '&' || p[-1] == 'r' ? p + 1 : p;
	case '{':
		return is_nameless(p, end) ? brackets_end(start, p, end) : p;
	case ' ':
		return is_inner_blank(p, end) ? p + 1 : p;
	case '(':
	case '<':
		return brackets_end(start, p, end);
	default:
		return p;
	}
}

const char *spec_end(const char *start, const char *end, bool function)
{
	const char *p = start, *q = start;

	for (; q < end; p = q) {
		size_t op = spec_operator(start, q, end);

		if (op) {
			q = name_end(start, q, end, function);
		} else if (spec_char(*q)) {
			q += *q == '\\' && q + 1 < end ? 2 : 1;
			q = path_end(start, q, end);
		} else {
			q = name_end(start, q, end, function);
		}
		if (q == p)
			break;
	}
	return p;
}
