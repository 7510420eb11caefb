// SPDX-License-Identifier: Apache-2.0
/* Finds strings of C++'s library in objects, by the names of their types and members. */
#include "types/cxx.h"

#include <string.h>

#include "abi/record.h"

#include "types/type.h"

#define STRING "basic_string<char,"
#define VIEW   "basic_string_view<char,"

static const struct form {
	const char *name;		    /* how the type's name begins, after its namespace */
	const char *within, *text, *length; /* length: NULL = before the text */
} forms[] = {
	{STRING, "_M_dataplus", "_M_p", "_M_string_length"},
	{STRING, "_M_dataplus", "_M_p", NULL},
	{VIEW, NULL, "_M_str", "_M_len"},
	{VIEW, NULL, "__data_", "__size_"},
	{VIEW, NULL, "__data", "__size"},
};

/* Returns NAME without its namespaces: "std::__cxx11::basic_string<..." has two. */
static const char *after_namespaces(const char *name)
{
	const char *end = name + strcspn(name, "<"), *p = name;

	while (p < end && (p = strstr(p, "::")) && p < end)
		name = p += 2;
	return name;
}

/* Finds member NAME of T, which is 8 bytes long, and stores where it is. */
static bool find_word(const struct type *t, const char *name, uint32_t *at)
{
	struct member_path p;

	if (!type_find_member(t, name, &p) || p.bit_size || type_resolve(p.type)->size != 8)
		return false;
	*at = p.bit_offset / 8;
	return true;
}

static bool has_form(const struct type *t, const struct form *f, struct cxx_string *out)
{
	struct member_path within = {.type = t};

	*out = (struct cxx_string){.form = f->length ? CXX_PLAIN : CXX_COW};
	if (f->within && (!type_find_member(t, f->within, &within) || within.bit_size))
		return false;
	if (!find_word(within.type, f->text, &out->text) ||
		(f->length && !find_word(t, f->length, &out->length)))
		return false;
	out->text += within.bit_offset / 8;
	return out->text + 8ull <= t->size && out->length + 8ull <= t->size;
}

#define INNER_DEPTH 8 /* libc++ wraps its members in pairs and unions */

/* Finds the struct NAME among the members of T and in them, and adds where it is to *AT. */
static const struct type *find_inner(
	const struct type *type, const char *name, uint32_t *at, unsigned depth)
{
	const struct type *t = type_resolve(type), *found;
	const struct member *m;
	uint32_t n;

	if (depth > INNER_DEPTH || (t->kind != TYPE_STRUCT && t->kind != TYPE_UNION))
		return NULL;
	m = type_members(t, &n);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t off = *at + m[i].bit_offset / 8;

		if (m[i].bit_size)
			continue;
		found = m[i].name && !strcmp(m[i].name, name)
			? type_resolve(m[i].type)
			: find_inner(m[i].type, name, &off, depth + 1);
		if (found) {
			*at = off;
			return found;
		}
	}
	return NULL;
}

/*
 * libc++: a union of `__l`, with a pointer, a length and a capacity, and `__s`, with a text and a
 * byte that has its length.  The capacity comes last and its highest bit is the flag, or it comes
 * first, and then the lowest is; the byte of `__s` shares the flag.
 */
static bool has_short_form(const struct type *t, struct cxx_string *out)
{
	uint32_t at = 0, short_at = 0;
	const struct type *longer = find_inner(t, "__l", &at, 0);
	const struct type *shorter = find_inner(t, "__s", &short_at, 0);
	struct member_path here;
	bool last;

	if (!longer || !shorter || longer->size != 24 || at != short_at || at + 24ull > t->size ||
		!find_word(longer, "__data_", &out->text) ||
		!find_word(longer, "__size_", &out->length) ||
		!type_find_member(shorter, "__data_", &here) || here.bit_size)
		return false;
	last = out->text < out->length;
	out->form = CXX_SHORT;
	out->text += at;
	out->length += at;
	out->flag = at + (last ? 23 : 0);
	out->flag_bit = last ? 7 : 0;
	out->shift = last ? 0 : 1;
	out->here = at + here.bit_offset / 8;
	return true;
}

bool cxx_is_string(const struct type *type, struct cxx_string *out)
{
	const struct type *t = type_resolve(type);
	const char *name;

	if (t->kind != TYPE_STRUCT || !t->name)
		return false;
	name = after_namespaces(t->name);
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (!strncmp(name, forms[i].name, strlen(forms[i].name)) &&
			has_form(t, &forms[i], out))
			return true;
	*out = (struct cxx_string){0};
	return !strncmp(name, STRING, strlen(STRING)) && has_short_form(t, out);
}

struct walk {
	uint64_t size;
	bool (*visit)(void *arg, uint64_t at, const struct cxx_string *s);
	void *arg;
	bool any, done;
};

static void walk_into(struct walk *w, const struct type *type, uint64_t at, unsigned depth);

static void walk_elements(struct walk *w, const struct type *t, uint64_t at, unsigned depth)
{
	bool outer = w->any;

	w->any = false;
	for (uint32_t i = 0; i < t->nelems && !w->done; i++) {
		walk_into(w, t->ref, at + i * t->ref->size, depth);
		if (!w->any) /* nor has any other element */
			break;
	}
	w->any |= outer;
}

static void walk_into(struct walk *w, const struct type *type, uint64_t at, unsigned depth)
{
	const struct type *t = type_resolve(type);
	const struct member *m;
	struct cxx_string s;
	uint32_t n;

	if (at >= w->size || depth >= CXX_MAX_DEPTH)
		return;
	if (cxx_is_string(t, &s)) {
		w->any = true;
		w->done |= at + t->size <= w->size && !w->visit(w->arg, at, &s);
	} else if (t->kind == TYPE_ARRAY) {
		walk_elements(w, t, at, depth + 1);
	} else if (t->kind == TYPE_STRUCT) {
		m = type_members(t, &n);
		for (uint32_t i = 0; i < n && !w->done; i++)
			if (!m[i].bit_size)
				walk_into(w, m[i].type, at + m[i].bit_offset / 8, depth + 1);
	}
}

void cxx_each_string(const struct type *type, uint64_t size,
	bool (*visit)(void *arg, uint64_t at, const struct cxx_string *s), void *arg)
{
	struct walk w = {.size = size, .visit = visit, .arg = arg};

	walk_into(&w, type, 0, 0);
}
