// SPDX-License-Identifier: Apache-2.0
/* Parses C parameter lists into types. */
#include "prov/cdecl.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "types/type.h"
#include "types/types.h"

#define MAX_WORD 64

static void skip_space(const char **p)
{
	*p += strspn(*p, " \t\n");
}

/* The identifier at *P into WORD; false when there is none (or one that is too long). */
static bool next_word(const char **p, char word[MAX_WORD])
{
	size_t n = 0;

	skip_space(p);
	if (isdigit((unsigned char)**p))
		return false;
	while (isalnum((unsigned char)(*p)[n]) || (*p)[n] == '_')
		n++;
	if (!n || n >= MAX_WORD)
		return false;
	memcpy(word, *p, n);
	word[n] = '\0';
	*p += n;
	return true;
}

/* Returns the letter types_qual() takes, 0 for any other word. */
static char qualifier(const char *word)
{
	if (!strcmp(word, "const"))
		return 'c';
	if (!strcmp(word, "volatile"))
		return 'v';
	return strcmp(word, "restrict") ? 0 : 'r';
}

/* True if WORD is one of those that make up a base type; they come in any order and number. */
static bool is_base_word(const char *word)
{
	static const char *const words[] = {
		"char",
		"short",
		"int",
		"long",
		"signed",
		"unsigned",
		"float",
		"double",
	};

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(word, words[i]))
			return true;
	return false;
}

/* qualifiers: ("const" | "volatile" | "restrict")* */
static const struct type *qualifiers(struct types *t, const char **p, const struct type *type)
{
	char word[MAX_WORD];

	for (;;) {
		const char *before = *p;

		if (!next_word(p, word) || !qualifier(word)) {
			*p = before;
			return type;
		}
		if (type)
			type = types_qual(t, type, qualifier(word));
	}
}

/* base: ("unsigned" | "long" | ...)+, of which FIRST was read already */
static const struct type *base(struct types *t, const char **p, const char *first)
{
	char word[MAX_WORD], words[4 * MAX_WORD], canonical[MAX_WORD];
	size_t len = (size_t)snprintf(words, sizeof(words), "%s", first);

	for (;;) {
		const char *before = *p;

		if (!next_word(p, word) || !is_base_word(word)) {
			*p = before;
			break;
		}
		if (len + strlen(word) + 2 > sizeof(words))
			return NULL;
		len += (size_t)sprintf(words + len, " %s", word);
	}
	if (!type_canonical_int(words, canonical, sizeof(canonical)))
		return NULL;
	return types_lookup(t, SPACE_ORDINARY, canonical);
}

/* specifier: base | "void" | ("struct" | "union" | "enum") tag | typedef */
static const struct type *specifier(struct types *t, const char **p)
{
	char word[MAX_WORD], tag[MAX_WORD];
	enum type_space space;

	if (!next_word(p, word))
		return NULL;
	if (is_base_word(word))
		return base(t, p, word);
	if (!strcmp(word, "void"))
		return types_basic(t, T_VOID);
	if (!strcmp(word, "struct"))
		space = SPACE_STRUCT;
	else if (!strcmp(word, "union"))
		space = SPACE_UNION;
	else if (!strcmp(word, "enum"))
		space = SPACE_ENUM;
	else
		return types_lookup(t, SPACE_ORDINARY, word);
	return next_word(p, tag) ? types_lookup(t, space, tag) : NULL;
}

/* param: qualifiers specifier qualifiers ("*" qualifiers)* identifier? */
const struct type *cdecl_param(struct types *t, const char **p)
{
	bool is_const = false, is_volatile = false;
	const struct type *type;
	char word[MAX_WORD];

	for (;;) {
		const char *before = *p;

		if (!next_word(p, word) || !qualifier(word)) {
			*p = before;
			break;
		}
		is_const |= qualifier(word) == 'c';
		is_volatile |= qualifier(word) == 'v';
	}
	type = specifier(t, p);
	if (type && is_const)
		type = types_qual(t, type, 'c');
	if (type && is_volatile)
		type = types_qual(t, type, 'v');
	type = qualifiers(t, p, type);
	for (skip_space(p); type && **p == '*'; skip_space(p)) {
		++*p;
		type = qualifiers(t, p, types_ptr(t, type));
	}
	if (type) {
		next_word(p, word);
		skip_space(p);
		if (**p && **p != ',')
			type = NULL;
	}
	*p += strcspn(*p, ",");
	return type;
}

uint32_t cdecl_count(const char *list)
{
	uint32_t n = *list ? 1 : 0;

	for (; *list; list++)
		n += *list == ',';
	return n;
}

void cdecl_types(struct types *t, const char *list, const struct type **out, uint32_t max)
{
	uint32_t n = cdecl_count(list);

	for (uint32_t i = 0; i < n && i < max; i++) {
		out[i] = cdecl_param(t, &list);
		list += *list == ',';
	}
}
