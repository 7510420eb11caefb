// SPDX-License-Identifier: Apache-2.0
/* Explains types, and the names that D libraries give to variables, functions and constants. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "help/help.h"
#include "sema/sema.h"
#include "session/session.h"
#include "types/type.h"
#include "types/types.h"

#define NAME_MAX_LEN 256

static bool is_record(const struct type *t)
{
	return t->kind == TYPE_STRUCT || t->kind == TYPE_UNION;
}

/* T without typedefs, qualifiers and pointers. */
static const struct type *pointee(const struct type *t)
{
	t = type_resolve(t);
	while (t->kind == TYPE_PTR)
		t = type_resolve(t->ref);
	return t;
}

/* ---- members ---- */

static unsigned longest_name(const struct member *m, uint32_t n)
{
	unsigned longest = 0;

	for (uint32_t i = 0; i < n; i++)
		if (m[i].name && strlen(m[i].name) > longest)
			longest = (unsigned)strlen(m[i].name);
	return longest;
}

static void write_member(const struct member *m, unsigned width, struct buf *out)
{
	const struct type *t = type_resolve(m->type);
	const char *name = m->name && *m->name ? m->name : "(unnamed)";
	char text[NAME_MAX_LEN];

	type_name(m->type, text, sizeof(text));
	buf_printf(out, "    %-*s  %s", (int)width, name, text);
	if (m->bit_size)
		buf_printf(out, ", %u bit%s", m->bit_size, m->bit_size == 1 ? "" : "s");
	buf_putc(out, '\n');
	/* the members of an unnamed struct are used as if they were the outer one's */
	if (is_record(t) && (!m->name || !*m->name)) {
		uint32_t n;
		const struct member *inner = type_members(t, &n);

		for (uint32_t i = 0; i < n; i++)
			write_member(&inner[i], width, out);
	}
}

static bool write_enumerator(void *arg, const char *name, int64_t value)
{
	buf_printf(arg, "    %-24s  %lld\n", name, (long long)value);
	return false;
}

/* Write the members or enumerators of T, or of what it points to, one a line. */
static void help_members(const struct type *t, struct buf *out)
{
	const struct member *m;
	unsigned width;
	uint32_t n;

	t = pointee(t);
	m = type_members(t, &n);
	width = longest_name(m, n);
	for (uint32_t i = 0; i < n; i++)
		write_member(&m[i], width, out);
	if (t->kind == TYPE_ENUM)
		type_enumerators(t, write_enumerator, out);
}

/* ---- types ---- */

/* NAME as C has it, "struct file" or "bufinfo_t"; with TAGS the tag alone, "file", as well. */
static const struct type *find_type(struct dtrace *d, const char *name, bool tags)
{
	static const struct {
		const char *word;
		enum type_space space;
	} words[] = {{"struct ", SPACE_STRUCT}, {"union ", SPACE_UNION}, {"enum ", SPACE_ENUM}};
	struct types *types = d->compiling.types;
	const struct type *t = sema_typedef(d->compiling.sema, name);
	char plain[NAME_MAX_LEN];

	if (!t)
		t = types_lookup(types, SPACE_ORDINARY, name);
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]) && !t; i++) {
		size_t len = strlen(words[i].word);

		if (!strncmp(name, words[i].word, len))
			return types_lookup(types, words[i].space, name + len);
	}
	if (!t && type_canonical_int(name, plain, sizeof(plain)))
		t = types_lookup(types, SPACE_ORDINARY, plain);
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]) && !t && tags; i++)
		t = types_lookup(types, words[i].space, name);
	return t;
}

/* "struct file *" as "struct file". */
static const char *without_stars(struct arena *a, const char *name)
{
	size_t len = strlen(name);

	while (len && (name[len - 1] == '*' || name[len - 1] == ' '))
		len--;
	return arena_strndup(a, name, len);
}

bool help_type(struct dtrace *d, const char *name, const char *example, struct buf *out)
{
	const struct help_row *row;
	const struct type *t, *inner;
	char spelled[NAME_MAX_LEN];

	name = without_stars(d->arena, name);
	t = find_type(d, name, !out->len);
	if (!t)
		return false;
	inner = type_resolve(t);
	buf_printf(out, "%s: type",
		t->name && t->kind == TYPE_TYPEDEF ? name : type_name(t, spelled, sizeof(spelled)));
	type_name(t, spelled, sizeof(spelled));
	if (t->kind == TYPE_TYPEDEF && !is_record(inner)) {
		char same[NAME_MAX_LEN];

		buf_printf(out, ", the same as %s", type_name(inner, same, sizeof(same)));
	}
	if (inner->size)
		buf_printf(out, ", %llu byte%s", (unsigned long long)inner->size,
			inner->size == 1 ? "" : "s");
	buf_putc(out, '\n');
	row = help_row_find(HELP_LIBRARY, name);
	if (row)
		buf_printf(out, "    %s\n", row->help);
	help_members(inner, out);
	if (example || row)
		help_example(out, example ? example : row->example);
	else if (inner->size)
		help_example(out, arena_printf(d->arena, "BEGIN { trace(sizeof (%s)); }", spelled));
	return true;
}

/* ---- names of libraries ---- */

bool help_library(struct dtrace *d, const char *name, struct buf *out)
{
	const struct help_row *row = help_row_find(HELP_LIBRARY, name);
	struct sema_name n;
	char text[NAME_MAX_LEN];

	if (!sema_named(d->compiling.sema, name, &n) || !n.type)
		return false;
	type_name(n.type, text, sizeof(text));
	if (n.is_constant) {
		buf_printf(out, "%s: constant %lld, %s\n", name, (long long)n.value, text);
		help_example(out, arena_printf(d->arena, "BEGIN { trace(%s); }", name));
		return true;
	}
	buf_printf(out, "%s%s: %s of type %s\n", name, n.has_params && !n.is_function ? "[]" : "",
		n.is_function ? "function" : "variable", text);
	if (row)
		buf_printf(out, "    %s\n", row->help);
	help_members(n.type, out);
	if (row)
		help_example(out, row->example);
	return true;
}
