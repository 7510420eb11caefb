// SPDX-License-Identifier: Apache-2.0
/* Makes D's own and derived types; resolves and compares types. */
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "types/table.h"
#include "types/types.h"

/* Numbers are those of LP64, the only data model there is. */
static const struct basic {
	const char *name; /* NULL: has no name that a program can use */
	const char *spelled;
	enum type_kind kind;
	uint8_t size;
	bool is_signed, is_char, is_bool, is_user;
	enum type_basic ref; /* TYPE_TYPEDEF, TYPE_PTR */
} basics[T_BASIC_MAX] = {
	[T_VOID] = {"void", "void", TYPE_VOID, .size = 0},
	[T_CHAR] = {"char", "char", TYPE_INT, .size = 1, .is_signed = ARCH_CHAR_SIGNED,
		.is_char = true},
	[T_SCHAR] = {"signed char", "signed char", TYPE_INT, .size = 1, .is_signed = true},
	[T_UCHAR] = {"unsigned char", "unsigned char", TYPE_INT, .size = 1},
	[T_SHORT] = {"short", "short", TYPE_INT, .size = 2, .is_signed = true},
	[T_USHORT] = {"unsigned short", "unsigned short", TYPE_INT, .size = 2},
	[T_INT] = {"int", "int", TYPE_INT, .size = 4, .is_signed = true},
	[T_UINT] = {"unsigned int", "unsigned int", TYPE_INT, .size = 4},
	[T_LONG] = {"long", "long", TYPE_INT, .size = 8, .is_signed = true},
	[T_ULONG] = {"unsigned long", "unsigned long", TYPE_INT, .size = 8},
	[T_LLONG] = {"long long", "long long", TYPE_INT, .size = 8, .is_signed = true},
	[T_ULLONG] = {"unsigned long long", "unsigned long long", TYPE_INT, .size = 8},
	[T_FLOAT] = {"float", "float", TYPE_FLOAT, .size = 4},
	[T_DOUBLE] = {"double", "double", TYPE_FLOAT, .size = 8},
	[T_LDOUBLE] = {"long double", "long double", TYPE_FLOAT, .size = 16},
	[T_INT8] = {"int8_t", "int8_t", TYPE_TYPEDEF, .ref = T_SCHAR},
	[T_INT16] = {"int16_t", "int16_t", TYPE_TYPEDEF, .ref = T_SHORT},
	[T_INT32] = {"int32_t", "int32_t", TYPE_TYPEDEF, .ref = T_INT},
	[T_INT64] = {"int64_t", "int64_t", TYPE_TYPEDEF, .ref = T_LONG},
	[T_UINT8] = {"uint8_t", "uint8_t", TYPE_TYPEDEF, .ref = T_UCHAR},
	[T_UINT16] = {"uint16_t", "uint16_t", TYPE_TYPEDEF, .ref = T_USHORT},
	[T_UINT32] = {"uint32_t", "uint32_t", TYPE_TYPEDEF, .ref = T_UINT},
	[T_UINT64] = {"uint64_t", "uint64_t", TYPE_TYPEDEF, .ref = T_ULONG},
	[T_SIZE] = {"size_t", "size_t", TYPE_TYPEDEF, .ref = T_ULONG},
	[T_PTRDIFF] = {"ptrdiff_t", "ptrdiff_t", TYPE_TYPEDEF, .ref = T_LONG},
	[T_UINTPTR] = {"uintptr_t", "uintptr_t", TYPE_TYPEDEF, .ref = T_ULONG},
	[T_PID] = {"pid_t", "pid_t", TYPE_TYPEDEF, .ref = T_INT},
	[T_ID] = {"id_t", "id_t", TYPE_TYPEDEF, .ref = T_INT},
	[T_STRING] = {"string", "string", TYPE_STRING, .size = 0}, /* its size is the table's */
	/* the id of a kept stack (abi/stacks.h) */
	[T_STACK] = {NULL, "stack", TYPE_STACK, .size = 8},
	[T_USTACK] = {NULL, "ustack", TYPE_STACK, .size = 8, .is_user = true},
	[T_SYMADDR] = {NULL, "_symaddr", TYPE_SYMADDR, .size = 8},
	[T_USYMADDR] = {NULL, "_usymaddr", TYPE_USYMADDR, .size = 16}, /* process and address */
	[T_DYN] = {NULL, "<DYN>", TYPE_DYN, .size = 0},
	[T_VOIDPTR] = {NULL, NULL, TYPE_PTR, .size = 8, .ref = T_VOID},
};

static const struct basic more[] = {
	{"_Bool", "_Bool", TYPE_INT, .size = 1, .is_bool = true},
	{"intptr_t", "intptr_t", TYPE_TYPEDEF, .ref = T_LONG},
	{"ssize_t", "ssize_t", TYPE_TYPEDEF, .ref = T_LONG},
	{"uchar_t", "uchar_t", TYPE_TYPEDEF, .ref = T_UCHAR},
	{"ushort_t", "ushort_t", TYPE_TYPEDEF, .ref = T_USHORT},
	{"uint_t", "uint_t", TYPE_TYPEDEF, .ref = T_UINT},
	{"ulong_t", "ulong_t", TYPE_TYPEDEF, .ref = T_ULONG},
	{"longlong_t", "longlong_t", TYPE_TYPEDEF, .ref = T_LLONG},
	{"u_longlong_t", "u_longlong_t", TYPE_TYPEDEF, .ref = T_ULLONG},
	{"boolean_t", "boolean_t", TYPE_TYPEDEF, .ref = T_INT},
	{"hrtime_t", "hrtime_t", TYPE_TYPEDEF, .ref = T_LLONG},
	{"offset_t", "offset_t", TYPE_TYPEDEF, .ref = T_LLONG},
	{"u_offset_t", "u_offset_t", TYPE_TYPEDEF, .ref = T_ULLONG},
	{"diskaddr_t", "diskaddr_t", TYPE_TYPEDEF, .ref = T_ULLONG},
	{"daddr_t", "daddr_t", TYPE_TYPEDEF, .ref = T_LONG},
	{"pgcnt_t", "pgcnt_t", TYPE_TYPEDEF, .ref = T_ULONG},
	{"spgcnt_t", "spgcnt_t", TYPE_TYPEDEF, .ref = T_LONG},
	{"pfn_t", "pfn_t", TYPE_TYPEDEF, .ref = T_ULONG},
	{"index_t", "index_t", TYPE_TYPEDEF, .ref = T_SHORT},
	{"major_t", "major_t", TYPE_TYPEDEF, .ref = T_UINT},
	{"minor_t", "minor_t", TYPE_TYPEDEF, .ref = T_UINT},
	{"cnt_t", "cnt_t", TYPE_TYPEDEF, .ref = T_SHORT},
	{"paddr_t", "paddr_t", TYPE_TYPEDEF, .ref = T_ULONG},
	{"u_char", "u_char", TYPE_TYPEDEF, .ref = T_UCHAR},
	{"u_short", "u_short", TYPE_TYPEDEF, .ref = T_USHORT},
	{"u_int", "u_int", TYPE_TYPEDEF, .ref = T_UINT},
	{"u_long", "u_long", TYPE_TYPEDEF, .ref = T_ULONG},
	{"quad_t", "quad_t", TYPE_TYPEDEF, .ref = T_LONG},
	{"u_quad_t", "u_quad_t", TYPE_TYPEDEF, .ref = T_ULONG},
	{"intmax_t", "intmax_t", TYPE_TYPEDEF, .ref = T_LONG},
	{"uintmax_t", "uintmax_t", TYPE_TYPEDEF, .ref = T_ULONG},
	{"__int128", "__int128", TYPE_INT, .size = 16, .is_signed = true},
	{"unsigned __int128", "unsigned __int128", TYPE_INT, .size = 16},
};
#define NMORE (sizeof(more) / sizeof(more[0]))

_Static_assert(NMORE == NMORE_TYPES, "struct types has a place for each row");

struct node *node_new(struct types *t, enum type_kind kind)
{
	struct node *n = arena_new_obj(t->arena, struct node);

	n->type.kind = kind;
	n->type.owner = t;
	return n;
}

static const struct type *make_basic(struct types *t, const struct basic *b)
{
	struct node *n;

	if (b->kind == TYPE_PTR)
		return types_ptr(t, t->basic[b->ref]);
	n = node_new(t, b->kind);
	n->type.name = b->spelled;
	n->type.size = b->size;
	n->type.is_signed = b->is_signed;
	n->type.is_char = b->is_char;
	n->type.is_bool = b->is_bool;
	n->type.is_user = b->is_user;
	if (b->kind == TYPE_TYPEDEF) {
		n->type.ref = t->basic[b->ref];
		n->type.size = n->type.ref->size;
	}
	return &n->type;
}

struct types *types_new(struct arena *a, uint32_t strsize, types_load_fn load, void *arg)
{
	struct types *t = arena_new_obj(a, struct types);

	t->arena = a;
	t->load = load;
	t->load_arg = arg;
	for (uint32_t i = 0; i < T_BASIC_MAX; i++)
		t->basic[i] = make_basic(t, &basics[i]);
	for (uint32_t i = 0; i < NMORE; i++)
		t->more[i] = make_basic(t, &more[i]);
	type_node(t->basic[T_STRING])->type.size = (uint64_t)strsize + 1;
	return t;
}

void types_set_strsize(struct types *t, uint32_t strsize)
{
	type_node(t->basic[T_STRING])->type.size = (uint64_t)strsize + 1;
}

int types_error(const struct types *t)
{
	return t->error;
}

const struct type *types_basic(struct types *t, enum type_basic which)
{
	return t->basic[which];
}

const struct type *types_int(struct types *t, unsigned size, bool is_signed)
{
	switch (size) {
	case 1:
		return t->basic[!is_signed ? T_UCHAR : ARCH_CHAR_SIGNED ? T_CHAR : T_SCHAR];
	case 2:
		return t->basic[is_signed ? T_SHORT : T_USHORT];
	case 4:
		return t->basic[is_signed ? T_INT : T_UINT];
	case 8:
		return t->basic[is_signed ? T_LONG : T_ULONG];
	default:
		return NULL;
	}
}

/* ---- names ---- */

const struct type *own_type(struct types *t, const char *name)
{
	for (uint32_t i = 0; i < T_BASIC_MAX; i++) {
		if (basics[i].name && !strcmp(basics[i].name, name))
			return t->basic[i];
	}
	for (uint32_t i = 0; i < NMORE; i++) {
		if (!strcmp(more[i].name, name))
			return t->more[i];
	}
	return NULL;
}

enum btf_class space_class(enum type_space space)
{
	static const enum btf_class classes[] = {
		[SPACE_ORDINARY] = BTF_CLASS_ORDINARY,
		[SPACE_STRUCT] = BTF_CLASS_STRUCT,
		[SPACE_UNION] = BTF_CLASS_UNION,
		[SPACE_ENUM] = BTF_CLASS_ENUM,
	};

	return classes[space];
}

const struct type *types_lookup(struct types *t, enum type_space space, const char *name)
{
	const struct type *type =
		space == SPACE_ORDINARY ? own_type(t, name) : types_own_tag(t, space, name);

	return type ? type : kernel_type(t, space_class(space), name);
}

/* The number of times that each declaration word occurs. */
struct words {
	uint8_t sign, unsign, chr, shrt, intg, lng, int128, flt, dbl;
};

static bool count_words(const char *s, struct words *w)
{
	static const struct {
		const char *word;
		size_t counter;
		uint8_t max;
	} table[] = {
		{"signed", offsetof(struct words, sign), 1},
		{"unsigned", offsetof(struct words, unsign), 1},
		{"char", offsetof(struct words, chr), 1},
		{"short", offsetof(struct words, shrt), 1},
		{"int", offsetof(struct words, intg), 1},
		{"long", offsetof(struct words, lng), 2},
		{"__int128", offsetof(struct words, int128), 1},
		{"float", offsetof(struct words, flt), 1},
		{"double", offsetof(struct words, dbl), 1},
	};

	for (s += strspn(s, " \t"); *s; s += strspn(s, " \t")) {
		size_t len = strcspn(s, " \t"), i, n = sizeof(table) / sizeof(table[0]);
		uint8_t *count;

		for (i = 0; i < n; i++) {
			if (strlen(table[i].word) == len && !memcmp(s, table[i].word, len))
				break;
		}
		if (i == n)
			return false;
		count = (uint8_t *)w + table[i].counter;
		if (++*count > table[i].max)
			return false;
		s += len;
	}
	return true;
}

/*
 * Returns the canonical name of a combination of words, NULL for one that C does not have (C11
 * 6.7.2).
 */
static const char *words_name(const struct words *w)
{
	uint32_t bases = w->chr + w->flt + w->dbl + w->int128;
	bool u = w->unsign;

	if ((w->sign && u) || bases > 1 || (w->shrt && w->lng))
		return NULL;
	if (w->flt || w->dbl) {
		if (w->sign || u || w->shrt || w->intg || w->lng > (w->dbl ? 1 : 0))
			return NULL;
		return w->flt ? "float" : w->lng ? "long double" : "double";
	}
	if (bases && (w->shrt || w->intg || w->lng))
		return NULL;
	if (w->chr)
		return u ? "unsigned char" : w->sign ? "signed char" : "char";
	if (w->int128)
		return u ? "unsigned __int128" : "__int128";
	if (w->shrt)
		return u ? "unsigned short" : "short";
	if (w->lng == 2)
		return u ? "unsigned long long" : "long long";
	if (w->lng)
		return u ? "unsigned long" : "long";
	if (w->intg || w->sign || u)
		return u ? "unsigned int" : "int";
	return NULL;
}

bool type_canonical_int(const char *words, char *buf, size_t size)
{
	struct words w = {0};
	const char *name = count_words(words, &w) ? words_name(&w) : NULL;

	if (!name || strlen(name) >= size)
		return false;
	strcpy(buf, name);
	return true;
}

/* ---- derived types ---- */

const struct type *types_ptr(struct types *t, const struct type *to)
{
	struct node *of = type_node(to);

	if (!of->ptr) {
		of->ptr = node_new(t, TYPE_PTR);
		of->ptr->type.size = sizeof(void *);
		of->ptr->type.ref = to;
		of->ptr->type.is_user = of->dwarf;
		of->ptr->dwarf = of->dwarf;
	}
	return &of->ptr->type;
}

const struct type *types_array(struct types *t, const struct type *of, uint32_t n)
{
	struct node *elem = type_node(of), *a = elem->arrays;

	while (a && a->type.nelems != n)
		a = a->next_array;
	if (!a) {
		a = node_new(t, TYPE_ARRAY);
		a->type.nelems = n;
		a->type.ref = of;
		a->dwarf = elem->dwarf;
		if (__builtin_mul_overflow(of->size, n, &a->type.size))
			a->type.size = UINT64_MAX;
		a->next_array = elem->arrays;
		elem->arrays = a;
	}
	return &a->type;
}

const struct type *types_qual(struct types *t, const struct type *of, char qual)
{
	struct node **slot = &type_node(of)->quals[qual == 'c' ? 0 : qual == 'v' ? 1 : 2];

	if (!*slot) {
		*slot = node_new(t, TYPE_QUAL);
		(*slot)->type.qual = qual;
		(*slot)->type.size = of->size;
		(*slot)->type.ref = of;
		(*slot)->dwarf = type_node(of)->dwarf;
	}
	return &(*slot)->type;
}

/* ---- resolving and comparing ---- */

/*
 * Finds the body of FWD: with the kernel's types, else in D for a struct that the kernel only
 * declares, else in a module.
 */
static const struct type *find_body(const struct type *fwd)
{
	struct node *n = type_node(fwd);
	struct types *t = fwd->owner;
	enum type_space space = fwd->is_union ? SPACE_UNION : SPACE_STRUCT;
	enum btf_class klass = space_class(space);
	const struct type *body;

	if (n->begun)
		return NULL;
	if (n->dwarf)
		return dwarf_body(n);
	body = n->src ? source_find(n->src, klass, fwd->name) : kernel_type(t, klass, fwd->name);
	if (!body || body->kind == TYPE_FWD)
		body = types_own_tag(t, space, fwd->name);
	if (!body || body->kind == TYPE_FWD)
		body = module_body(t, klass, fwd->name);
	return body;
}

/* Completes a program's typedefs and qualifiers around a struct when its body is found. */
static const struct type *completed(const struct type *type, const struct type *body)
{
	for (; type->kind == TYPE_TYPEDEF || type->kind == TYPE_QUAL; type = type->ref) {
		if (type_node(type)->dwarf)
			type_node(type)->type.size = body->size;
	}
	return body;
}

const struct type *type_resolve(const struct type *type)
{
	const struct type *whole = type;

	while (type->kind == TYPE_TYPEDEF || type->kind == TYPE_QUAL)
		type = type->ref;
	if (type->kind == TYPE_FWD && type->name) {
		const struct type *body = find_body(type);

		if (body)
			return completed(whole, body);
	}
	return type;
}

static bool same(const struct type *a, const struct type *b, uint32_t *budget);

static bool same_name(const struct type *a, const struct type *b)
{
	if (!a->name || !b->name)
		return false;
	return !strcmp(a->name, b->name);
}

static bool same_func(const struct type *a, const struct type *b, uint32_t *budget)
{
	bool dots_a, dots_b;
	uint32_t n = func_nparams(a, &dots_a);

	if (func_nparams(b, &dots_b) != n || dots_a != dots_b || !same(a->ref, b->ref, budget))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		const struct type *p = func_param(a, i, NULL), *q = func_param(b, i, NULL);

		if (!p || !q || !same(p, q, budget))
			return false;
	}
	return true;
}

static bool of_programs(const struct type *type)
{
	return type_node(type)->dwarf;
}

static bool is_ds_own(const struct type *type)
{
	return type_node(type)->made && !of_programs(type);
}

/* BUDGET bounds the work, and so the depth, that corrupt prototypes could ask for. */
static bool same(const struct type *a, const struct type *b, uint32_t *budget)
{
	if (!*budget)
		return false;
	--*budget;
	a = type_resolve(a);
	b = type_resolve(b);
	if (a == b)
		return true;
	if (a->kind != b->kind)
		return false;
	if (a->kind != TYPE_FUNC && (is_ds_own(a) || is_ds_own(b)))
		return false;
	switch (a->kind) {
	case TYPE_INT:
	case TYPE_FLOAT:
		return a->size == b->size && a->is_signed == b->is_signed && same_name(a, b);
	case TYPE_ENUM:
	case TYPE_STRUCT:
	case TYPE_UNION:
		return of_programs(a) == of_programs(b) && a->size == b->size && same_name(a, b);
	case TYPE_FWD:
		return of_programs(a) == of_programs(b) && a->is_union == b->is_union &&
			same_name(a, b);
	case TYPE_PTR:
		return same(a->ref, b->ref, budget);
	case TYPE_ARRAY:
		return a->nelems == b->nelems && same(a->ref, b->ref, budget);
	case TYPE_FUNC:
		return same_func(a, b, budget);
	case TYPE_STACK:
		return a->is_user == b->is_user;
	default: /* void and the rest of D's own: one of each */
		return true;
	}
}

bool type_same(const struct type *a, const struct type *b)
{
	uint32_t budget = 2000;

	return same(a, b, &budget);
}
