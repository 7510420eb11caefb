// SPDX-License-Identifier: Apache-2.0
/* Matches text against DTrace's shell-style patterns. */
#include "probe/glob.h"

#include <stddef.h>
#include <string.h>

/* One character of a set, "\c" being c; false at the end of the pattern. */
static bool set_char(const char **p, unsigned char *c)
{
	if (**p == '\\')
		++*p;
	if (!**p)
		return false;
	*c = (unsigned char)*(*p)++;
	return true;
}

/*
 * set: "[" "!"? (char | char "-" char)+ "]"
 * P is after the "["; a "]" that comes first is an ordinary member.  Returns what follows the
 * set, or NULL when it never ends.
 */
static const char *match_set(const char *p, unsigned char c, bool *matched)
{
	bool negated = *p == '!', found = false;
	unsigned char low, high;

	p += negated;
	do {
		if (!set_char(&p, &low))
			return NULL;
		high = low;
		if (p[0] == '-' && p[1] && p[1] != ']') {
			p++;
			if (!set_char(&p, &high))
				return NULL;
		}
		found |= low <= c && c <= high;
	} while (*p != ']');
	*matched = found != negated;
	return p + 1;
}

/*
 * Matches the element at P (anything except a star) against character C of the text.  Returns what
 * follows the element, or NULL when it does not match.
 */
static const char *match_one(const char *p, char c)
{
	bool matched;

	switch (*p) {
	case '\0':
		return NULL;
	case '?':
		return p + 1;
	case '[':
		p = match_set(p + 1, (unsigned char)c, &matched);
		return p && matched ? p : NULL;
	case '\\':
		/* A backslash at the end escapes nothing and so matches nothing. */
		p++;
		return *p && *p == c ? p + 1 : NULL;
	default:
		return *p == c ? p + 1 : NULL;
	}
}

bool glob_match(const char *pattern, const char *text)
{
	const char *p = pattern;
	const char *star = NULL;  /* after the last star seen */
	const char *retry = NULL; /* where in the text that star's successor is tried next */

	if (!*p)
		return true;
	/*
	 * Only the last star is ever retried: an earlier one took the shortest text that lets
	 * what is between them match, and a longer one cannot help.  So the cost is at most the
	 * product of the lengths.
	 */
	while (*text) {
		const char *next;

		if (*p == '*') {
			star = ++p;
			retry = text;
			continue;
		}
		next = match_one(p, *text);
		if (next) {
			p = next;
			text++;
		} else if (star) {
			p = star;
			text = ++retry;
		} else {
			return false;
		}
	}
	while (*p == '*')
		p++;
	return !*p;
}

bool glob_is_pattern(const char *pattern)
{
	return !*pattern || strpbrk(pattern, "*?[\\");
}
