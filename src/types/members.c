// SPDX-License-Identifier: Apache-2.0
/* Looks into structs, unions, enums and functions, whether BTF, DWARF or D defines them. */
#include <string.h>

#include "base/arena.h"
#include "types/table.h"

/* One search through anonymous members looks at no more: task_struct has about 270. */
#define MAX_VISITED (1u << 14)

static bool is_record(const struct type *res)
{
	return res->kind == TYPE_STRUCT || res->kind == TYPE_UNION;
}

/* Returns the BTF type of RES, which BTF defines. */
static const struct btf_type *btf_of(const struct type *res)
{
	const struct node *n = type_node(res);

	return btf_by_id(n->src->btf, n->id);
}

/* ---- members ---- */

/*
 * Finds the offset of member M of struct BT and its width if it is a bit-field; false if corrupt.
 */
static bool place_member(struct type_source *src, const struct btf_type *bt,
	const struct btf_member *m, uint32_t *bit_offset, uint32_t *bit_size)
{
	const struct btf_type *target;
	uint32_t id = m->type;

	*bit_offset = m->offset;
	*bit_size = 0;
	if (btf_kflag(bt)) {
		*bit_offset = BTF_MEMBER_BIT_OFFSET(m->offset);
		*bit_size = BTF_MEMBER_BITFIELD_SIZE(m->offset);
	} else if (source_strip(src, &id, &target) && btf_kind(target) == BTF_KIND_INT) {
		/* the older way: the bit-field's own integer type has its width and place */
		const uint32_t *info = btf_trailer(target);

		if (BTF_INT_BITS(*info) != (uint64_t)target->size * 8) {
			*bit_size = BTF_INT_BITS(*info);
			*bit_offset += BTF_INT_OFFSET(*info);
		}
	}
	return *bit_offset <= (uint64_t)bt->size * 8;
}

/* Make all members of NODE, which BTF defines; corrupt ones are remembered as none. */
static void read_members(struct node *node)
{
	const struct btf_type *bt = btf_of(&node->type);
	const struct btf_member *m = btf_trailer(bt);
	uint32_t vlen = btf_vlen(bt);
	struct type_source *src = node->src;
	struct member *list = arena_new_array(src->types->arena, struct member, vlen + 1);

	node->members = list;
	for (uint32_t i = 0; i < vlen; i++) {
		list[i].name = btf_string(src->btf, m[i].name_off);
		list[i].type = source_type(src, m[i].type);
		if (!list[i].name || !list[i].type ||
			!place_member(src, bt, &m[i], &list[i].bit_offset, &list[i].bit_size)) {
			source_corrupt(src);
			return;
		}
	}
	node->nmembers = vlen;
}

const struct member *type_members(const struct type *type, uint32_t *n)
{
	const struct type *res = type_resolve(type);
	struct node *node = type_node(res);

	*n = 0;
	if (!is_record(res))
		return NULL;
	if (!node_read(node)->members)
		read_members(node);
	*n = node->nmembers;
	return *n ? node->members : NULL;
}

/* ---- finding a member ---- */

struct search {
	const char *name;
	uint32_t visited;
	struct member_path *out;
};

/*
 * Ends a search that is deeper than any type: a record contains itself, often more than once, so
 * there would be 2^64 places to look at.
 */
static void give_up(struct search *s)
{
	s->visited = MAX_VISITED + 1;
}

/* The position of a search: in a struct at bit BASE of the outermost one. */
struct place {
	uint32_t base;
	bool in_union;
	unsigned depth;
};

static bool search_btf(
	struct search *s, struct type_source *src, const struct btf_type *bt, struct place at);

/* Member M of BT, or what is in it when it is anonymous. */
static bool search_btf_member(struct search *s, struct type_source *src, const struct btf_type *bt,
	const struct btf_member *m, struct place at)
{
	const char *name = btf_string(src->btf, m->name_off);
	uint32_t bit_offset, bit_size, id = m->type;
	const struct btf_type *inner;

	if (!name || ++s->visited > MAX_VISITED)
		return source_corrupt(src);
	if (*name && strcmp(name, s->name))
		return false;
	if (!place_member(src, bt, m, &bit_offset, &bit_size) ||
		__builtin_add_overflow(bit_offset, at.base, &bit_offset))
		return source_corrupt(src);
	if (*name) {
		s->out->type = source_type(src, m->type);
		s->out->bit_offset = bit_offset;
		s->out->bit_size = bit_size;
		s->out->in_union = at.in_union;
		return s->out->type;
	}
	at.base = bit_offset;
	at.depth++;
	return source_strip(src, &id, &inner) && search_btf(s, src, inner, at);
}

/* Walks the kernel's bytes, so that only the type of the one member asked for is made. */
static bool search_btf(
	struct search *s, struct type_source *src, const struct btf_type *bt, struct place at)
{
	const struct btf_member *m = btf_trailer(bt);
	uint32_t kind = btf_kind(bt);

	if (kind != BTF_KIND_STRUCT && kind != BTF_KIND_UNION)
		return false; /* an unnamed bit-field */
	if (at.depth > TYPE_MAX_DEPTH) {
		give_up(s);
		return source_corrupt(src);
	}
	at.in_union |= kind == BTF_KIND_UNION;
	for (uint32_t i = 0; i < btf_vlen(bt) && s->visited <= MAX_VISITED; i++) {
		if (search_btf_member(s, src, bt, &m[i], at))
			return true;
	}
	return false;
}

static bool search_made(struct search *s, const struct node *n, struct place at);

static bool search_type(struct search *s, const struct type *type, struct place at)
{
	const struct type *res = type_resolve(type);
	struct node *n = type_node(res);

	if (!is_record(res))
		return false;
	if (at.depth > TYPE_MAX_DEPTH) {
		give_up(s);
		return false;
	}
	return n->made ? search_made(s, node_read(n), at) : search_btf(s, n->src, btf_of(res), at);
}

/* A member of its own hides one of the same name in what has none: C++'s base classes. */
static bool search_made(struct search *s, const struct node *n, struct place at)
{
	at.in_union |= n->type.kind == TYPE_UNION;
	for (uint32_t i = 0; i < n->nmembers && s->visited++ < MAX_VISITED; i++) {
		const struct member *m = &n->members[i];

		if (*m->name && !strcmp(m->name, s->name)) {
			*s->out = (struct member_path){
				m->type, at.base + m->bit_offset, m->bit_size, at.in_union};
			return true;
		}
	}
	for (uint32_t i = 0; i < n->nmembers && s->visited++ < MAX_VISITED; i++) {
		const struct member *m = &n->members[i];
		struct place in = {at.base + m->bit_offset, at.in_union, at.depth + 1};

		if (!*m->name && search_type(s, m->type, in))
			return true;
	}
	return false;
}

bool type_find_member(const struct type *type, const char *name, struct member_path *out)
{
	struct search s = {name, 0, out};

	memset(out, 0, sizeof(*out));
	return *name && search_type(&s, type, (struct place){0});
}

struct visitor {
	void (*visit)(void *arg, const char *name);
	void *arg;
	uint32_t visited;
};

static void each_member(struct visitor *v, const struct type *type, unsigned depth)
{
	uint32_t n;
	const struct member *m = type_members(type, &n);

	for (uint32_t i = 0; i < n && v->visited++ < MAX_VISITED; i++) {
		if (*m[i].name)
			v->visit(v->arg, m[i].name);
		else if (depth < TYPE_MAX_DEPTH)
			each_member(v, m[i].type, depth + 1);
		else
			v->visited = MAX_VISITED; /* it contains itself */
	}
}

void type_each_member(
	const struct type *type, void (*visit)(void *arg, const char *name), void *arg)
{
	each_member(&(struct visitor){visit, arg, 0}, type, 0);
}

/* ---- numbers ---- */

static bool is_number_at(const struct type *type, uint64_t off, uint64_t size, unsigned depth);

/* The same of what M, a member that is not a bit-field, has at OFF of its struct. */
static bool is_number_in(const struct member *m, uint64_t off, uint64_t size, unsigned depth)
{
	uint64_t at = m->bit_offset / 8;

	return off >= at && is_number_at(m->type, off - at, size, depth);
}

static bool is_number_at(const struct type *type, uint64_t off, uint64_t size, unsigned depth)
{
	const struct type *res = type_resolve(type), *of;
	const struct member *m;
	bool found = false;
	uint32_t n;

	if (depth > TYPE_MAX_DEPTH || off + size > res->size)
		return false;
	if (res->kind == TYPE_INT || res->kind == TYPE_ENUM)
		return true;
	if (res->kind == TYPE_ARRAY) {
		of = type_resolve(res->ref);
		return of->size && is_number_at(of, off % of->size, size, depth + 1);
	}
	m = type_members(res, &n);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t at = m[i].bit_offset / 8, bytes = type_resolve(m[i].type)->size;

		if (at >= off + size || off >= at + bytes)
			continue;
		if (m[i].bit_size || !is_number_in(&m[i], off, size, depth + 1))
			return false;
		found = true;
	}
	return found;
}

bool type_is_number_at(const struct type *type, uint64_t off, uint64_t size)
{
	return is_number_at(type, off, size, 0);
}

/* ---- alignment ---- */

static uint32_t align_of(const struct type *type, unsigned depth);

/*
 * BTF does not say how a struct is aligned.  One with a member that is not where its type wants
 * to be must be packed, the others are as their most demanding member is.
 */
static uint32_t align_record(const struct type *res, unsigned depth)
{
	struct node *node = type_node(res);
	const struct member *m;
	uint32_t n, max = 1;

	if (node->align)
		return node->align;
	node->align = 1; /* one that contains itself is corrupt */
	m = depth < TYPE_MAX_DEPTH ? type_members(res, &n) : NULL;
	for (uint32_t i = 0; m && i < n; i++) {
		uint32_t align = align_of(m[i].type, depth + 1);

		if (!m[i].bit_size && m[i].bit_offset % (align * 8))
			return 1;
		if (align > max && (*m[i].name || !m[i].bit_size))
			max = align;
	}
	if (res->size % max == 0)
		node->align = max;
	return node->align;
}

static uint32_t align_of(const struct type *type, unsigned depth)
{
	const struct type *res = type_resolve(type);

	/* a typedef of D's may have an alignment of its own */
	for (; type->kind == TYPE_TYPEDEF || type->kind == TYPE_QUAL || type->kind == TYPE_ARRAY;
		type = type->ref)
		if (type->kind == TYPE_TYPEDEF && type_node(type)->align)
			return type_node(type)->align;
	while (res->kind == TYPE_ARRAY)
		res = type_resolve(res->ref);
	switch (res->kind) {
	case TYPE_INT:
	case TYPE_FLOAT:
	case TYPE_ENUM:
	case TYPE_PTR:
		/* the odd sizes are corrupt */
		return res->size && res->size <= 16 && !(res->size & (res->size - 1))
			? (uint32_t)res->size
			: 1;
	case TYPE_STRUCT:
	case TYPE_UNION:
		return align_record(res, depth);
	case TYPE_STACK:
	case TYPE_SYMADDR:
	case TYPE_USYMADDR:
		return sizeof(uint64_t);
	default:
		return 1;
	}
}

uint32_t type_align(const struct type *type)
{
	return align_of(type, 0);
}

/* ---- enumerators ---- */

/* Enumerator I of BT; false when it is corrupt. */
static bool read_enumerator(
	const struct type *res, const struct btf_type *bt, uint32_t i, struct type_enumerator *out)
{
	struct type_source *src = type_node(res)->src;

	if (btf_kind(bt) == BTF_KIND_ENUM64) {
		const struct btf_enum64 *e = (const struct btf_enum64 *)btf_trailer(bt) + i;

		out->name = btf_string(src->btf, e->name_off);
		out->value = (int64_t)((uint64_t)e->val_hi32 << 32 | e->val_lo32);
	} else {
		const struct btf_enum *e = (const struct btf_enum *)btf_trailer(bt) + i;

		out->name = btf_string(src->btf, e->name_off);
		out->value = res->is_signed ? e->val : (int64_t)(uint32_t)e->val;
	}
	return out->name || source_corrupt(src);
}

void type_enumerators(
	const struct type *type, bool (*visit)(void *, const char *, int64_t), void *arg)
{
	const struct type *res = type_resolve(type);
	const struct node *node = type_node(res);
	const struct btf_type *bt = NULL;
	uint32_t n;

	if (res->kind != TYPE_ENUM)
		return;
	node_read(type_node(res));
	if (!node->made)
		bt = btf_of(res);
	n = bt ? btf_vlen(bt) : node->nenums;
	for (uint32_t i = 0; i < n; i++) {
		struct type_enumerator e;

		if (!bt)
			e = node->enums[i];
		else if (!read_enumerator(res, bt, i, &e))
			return;
		if (visit(arg, e.name, e.value))
			return;
	}
}

/* ---- parameters ---- */

uint32_t func_nparams(const struct type *func, bool *variadic)
{
	const struct node *node = node_read(type_node(func));
	const struct btf_type *proto;
	const struct btf_param *p;
	uint32_t n;

	*variadic = node->variadic;
	if (node->made)
		return node->nparams;
	proto = source_proto(node->src, btf_of(func));
	p = btf_trailer(proto);
	n = btf_vlen(proto);
	/* "..." is a last parameter without name and type (btf.rst) */
	*variadic = n && !p[n - 1].name_off && !p[n - 1].type;
	n -= *variadic;
	return node->skip_first && n ? n - 1 : n;
}

const struct type *func_param(const struct type *func, uint32_t i, const char **name)
{
	const struct node *node = node_read(type_node(func));
	const struct btf_param *p;
	const char *s;

	if (name)
		*name = "";
	if (name && node->param_names)
		*name = node->param_names[i];
	if (node->made)
		return node->params[i];
	p = btf_trailer(source_proto(node->src, btf_of(func)));
	p += i + node->skip_first;
	s = btf_string(node->src->btf, p->name_off);
	if (name)
		*name = s;
	return s ? source_type(node->src, p->type) : source_corrupt(node->src);
}

uint32_t type_params(
	const struct type *func, const struct type **out, const char **names, uint32_t max)
{
	const struct type *res = type_resolve(func);
	bool variadic;
	uint32_t n;

	if (res->kind != TYPE_FUNC)
		return 0;
	n = func_nparams(res, &variadic);
	for (uint32_t i = 0; i < n && i < max; i++) {
		const char *name;
		const struct type *p = func_param(res, i, &name);

		if (!p)
			return 0;
		if (out)
			out[i] = p;
		if (names)
			names[i] = name;
	}
	return n;
}
