// SPDX-License-Identifier: Apache-2.0
/* kernel: struct type made from the kernel's BTF, each on the first use of its id. */
#include <errno.h>
#include <string.h>

#include "types/table.h"

/* One find through anonymous members looks at no more: task_struct has about 270. */
#define MAX_VISITED (1u << 20)

static const struct type *build(struct types *t, uint32_t id, unsigned depth);

/* Takes note that the bytes make no sense; NULL for the caller to return. */
static void *corrupt(struct types *t)
{
	t->error = -EINVAL;
	return NULL;
}

/* ---- ids to nodes ---- */

static uint32_t slot_of(const struct node_map *m, uint32_t id)
{
	uint32_t i = id * 2654435761u >> 7 & (m->nslots - 1);

	while (m->slots[i] && m->slots[i]->type.id != id)
		i = (i + 1) & (m->nslots - 1);
	return i;
}

static struct node *map_get(const struct node_map *m, uint32_t id)
{
	return m->nslots ? m->slots[slot_of(m, id)] : NULL;
}

static void map_put(struct types *t, struct node *n)
{
	struct node_map *m = &t->by_id, old = *m;

	if (m->used * 2 >= m->nslots) {
		m->nslots = m->nslots ? m->nslots * 2 : 64;
		m->slots = arena_new_array(t->arena, struct node *, m->nslots);
		for (uint32_t i = 0; i < old.nslots; i++) {
			if (old.slots[i])
				m->slots[slot_of(m, old.slots[i]->type.id)] = old.slots[i];
		}
	}
	m->slots[slot_of(m, n->type.id)] = n;
	m->used++;
}

/* ---- walking ids ---- */

static bool is_qualifier(uint32_t kind)
{
	return kind == BTF_KIND_CONST || kind == BTF_KIND_VOLATILE || kind == BTF_KIND_RESTRICT;
}

/* ID without typedefs, qualifiers and tags, *OUT; false when it is void or corrupt. */
static bool strip(struct types *t, uint32_t *id, const struct btf_type **out)
{
	for (unsigned n = 0; n < TYPE_MAX_DEPTH; n++) {
		const struct btf_type *bt = btf_by_id(t->btf, *id);
		uint32_t kind;

		if (!bt) {
			if (*id)
				corrupt(t);
			return false;
		}
		kind = btf_kind(bt);
		if (kind != BTF_KIND_TYPEDEF && kind != BTF_KIND_TYPE_TAG && !is_qualifier(kind)) {
			*out = bt;
			return true;
		}
		*id = bt->type;
	}
	corrupt(t);
	return false;
}

/* ID without type tags in front; the tags say where the pointer to it may point. */
static bool skip_tags(struct types *t, uint32_t *id)
{
	for (unsigned n = 0; n < TYPE_MAX_DEPTH; n++) {
		const struct btf_type *bt = btf_by_id(t->btf, *id);

		if (!bt || btf_kind(bt) != BTF_KIND_TYPE_TAG)
			return true;
		*id = bt->type;
	}
	corrupt(t);
	return false;
}

/* __user and __percpu are tags between a pointer and what it points to
 * (include/linux/compiler_types.h). */
static void read_tags(struct types *t, uint32_t id, struct type *ptr)
{
	for (unsigned n = 0; n < TYPE_MAX_DEPTH; n++) {
		const struct btf_type *bt = btf_by_id(t->btf, id);
		uint32_t kind = bt ? btf_kind(bt) : BTF_KIND_UNKN;

		if (kind == BTF_KIND_TYPE_TAG) {
			const char *tag = btf_string(t->btf, bt->name_off);

			ptr->is_user |= !strcmp(tag, "user");
			ptr->is_percpu |= !strcmp(tag, "percpu");
		} else if (kind != BTF_KIND_TYPEDEF && !is_qualifier(kind)) {
			return;
		}
		id = bt->type;
	}
}

/* The prototype behind a FUNC or FUNC_PROTO. */
static const struct btf_type *proto_of(struct types *t, const struct btf_type *bt)
{
	if (bt && btf_kind(bt) == BTF_KIND_FUNC)
		bt = btf_by_id(t->btf, bt->type);
	if (!bt || btf_kind(bt) != BTF_KIND_FUNC_PROTO)
		return corrupt(t);
	return bt;
}

/* ---- making types ---- */

static const char *own_name(struct types *t, const struct btf_type *bt)
{
	/* btf_open() has checked the names of types */
	const char *s = btf_string(t->btf, bt->name_off);

	return *s ? s : NULL;
}

/* DWARF, and so BTF, says "long unsigned int". */
static void fill_int(struct types *t, struct type *type, const struct btf_type *bt)
{
	const uint32_t *info = btf_trailer(bt);
	uint32_t enc = BTF_INT_ENCODING(*info);
	char canon[32];

	type->kind = TYPE_INT;
	type->size = bt->size;
	if (type->name && type_canonical_int(type->name, canon, sizeof(canon)) &&
		strcmp(canon, type->name))
		type->name = arena_strdup(t->arena, canon);
	type->is_char = type->name && !strcmp(type->name, "char");
	type->is_signed = enc & BTF_INT_SIGNED || type->is_char;
	type->is_bool = enc & BTF_INT_BOOL;
}

static bool fill_ref(
	struct types *t, struct type *type, enum type_kind kind, uint32_t id, unsigned depth)
{
	struct node *n = type_node(type);

	type->kind = kind;
	type->ref = build(t, id, depth + 1);
	if (!type->ref)
		return false;
	/* no chain gets longer than DEPTH allows by being built from its far end */
	n->depth = type_node(type->ref)->depth + 1;
	if (n->depth > TYPE_MAX_DEPTH)
		return false;
	if (kind == TYPE_TYPEDEF || kind == TYPE_QUAL)
		type->size = type->ref->size;
	return true;
}

static bool fill_ptr(struct types *t, struct type *type, const struct btf_type *bt, unsigned depth)
{
	type->size = sizeof(void *);
	read_tags(t, bt->type, type);
	return fill_ref(t, type, TYPE_PTR, bt->type, depth);
}

static bool fill_array(
	struct types *t, struct type *type, const struct btf_type *bt, unsigned depth)
{
	const struct btf_array *a = btf_trailer(bt);

	type->nelems = a->nelems;
	if (!fill_ref(t, type, TYPE_ARRAY, a->type, depth))
		return false;
	return !__builtin_mul_overflow(type->ref->size, a->nelems, &type->size);
}

static bool fill_func(struct types *t, struct type *type, const struct btf_type *bt, unsigned depth)
{
	const struct btf_type *proto = proto_of(t, bt);

	return proto && fill_ref(t, type, TYPE_FUNC, proto->type, depth);
}

static bool fill(struct types *t, struct type *type, const struct btf_type *bt, unsigned depth)
{
	uint32_t kind = btf_kind(bt);

	switch (kind) {
	case BTF_KIND_INT:
		fill_int(t, type, bt);
		return true;
	case BTF_KIND_FLOAT:
		type->kind = TYPE_FLOAT;
		type->size = bt->size;
		return true;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		type->kind = TYPE_ENUM;
		type->size = bt->size;
		type->is_signed = btf_kflag(bt);
		return true;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		type->kind = kind == BTF_KIND_STRUCT ? TYPE_STRUCT : TYPE_UNION;
		type->size = bt->size;
		return true;
	case BTF_KIND_FWD:
		type->kind = TYPE_FWD;
		type->is_union = btf_kflag(bt);
		return true;
	case BTF_KIND_PTR:
		return fill_ptr(t, type, bt, depth);
	case BTF_KIND_ARRAY:
		return fill_array(t, type, bt, depth);
	case BTF_KIND_TYPEDEF:
		return fill_ref(t, type, TYPE_TYPEDEF, bt->type, depth);
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
		type->qual = kind == BTF_KIND_CONST ? 'c' : kind == BTF_KIND_VOLATILE ? 'v' : 'r';
		return fill_ref(t, type, TYPE_QUAL, bt->type, depth);
	case BTF_KIND_FUNC:
	case BTF_KIND_FUNC_PROTO:
		return fill_func(t, type, bt, depth);
	default: /* variables, sections and declaration tags are no types */
		return false;
	}
}

static const struct type *build(struct types *t, uint32_t id, unsigned depth)
{
	const struct btf_type *bt;
	struct node *n;

	if (depth > TYPE_MAX_DEPTH || !skip_tags(t, &id))
		return corrupt(t);
	if (!id)
		return t->basic[T_VOID];
	n = map_get(&t->by_id, id);
	if (n)
		return n->state == NODE_READY ? &n->type : corrupt(t);
	bt = btf_by_id(t->btf, id);
	if (!bt)
		return corrupt(t);
	n = node_new(t, TYPE_VOID);
	n->type.id = id;
	n->type.name = own_name(t, bt);
	n->state = NODE_BUILDING;
	map_put(t, n);
	if (!fill(t, &n->type, bt, depth)) {
		n->state = NODE_BAD;
		return corrupt(t);
	}
	n->state = NODE_READY;
	return &n->type;
}

const struct type *kernel_type(struct types *t, enum btf_class klass, const char *name)
{
	struct btf_image *b = types_btf(t);
	uint32_t id = b ? btf_find(b, klass, name) : 0;

	return id ? build(t, id, 0) : NULL;
}

/* ---- members ---- */

/* Where member M of struct BT lies, and whether it is a bit-field; false when corrupt. */
static bool place_member(struct types *t, const struct btf_type *bt, const struct btf_member *m,
	uint32_t *bit_offset, uint32_t *bit_size)
{
	const struct btf_type *target;
	uint32_t id = m->type;

	*bit_offset = m->offset;
	*bit_size = 0;
	if (btf_kflag(bt)) {
		*bit_offset = BTF_MEMBER_BIT_OFFSET(m->offset);
		*bit_size = BTF_MEMBER_BITFIELD_SIZE(m->offset);
	} else if (strip(t, &id, &target) && btf_kind(target) == BTF_KIND_INT) {
		/* the older way: the bit-field's own integer type has its width and place */
		const uint32_t *info = btf_trailer(target);

		if (BTF_INT_BITS(*info) != (uint64_t)target->size * 8) {
			*bit_size = BTF_INT_BITS(*info);
			*bit_offset += BTF_INT_OFFSET(*info);
		}
	}
	return *bit_offset <= (uint64_t)bt->size * 8;
}

const struct member *type_members(const struct type *type, uint32_t *n)
{
	const struct type *res = type_resolve(type);
	struct node *node = type_node(res);
	struct types *t = res->owner;
	const struct btf_member *m;
	const struct btf_type *bt;
	struct member *list;
	uint32_t vlen;

	*n = 0;
	if (res->kind != TYPE_STRUCT && res->kind != TYPE_UNION)
		return NULL;
	if (!node->members) { /* corrupt ones are remembered as none */
		bt = btf_by_id(t->btf, res->id);
		m = btf_trailer(bt);
		vlen = btf_vlen(bt);
		list = arena_new_array(t->arena, struct member, vlen + 1);
		node->members = list;
		for (uint32_t i = 0; i < vlen; i++) {
			list[i].name = btf_string(t->btf, m[i].name_off);
			list[i].type = build(t, m[i].type, 0);
			if (!list[i].name || !list[i].type ||
				!place_member(t, bt, &m[i], &list[i].bit_offset, &list[i].bit_size))
				return corrupt(t);
		}
		node->nmembers = vlen;
	}
	*n = node->nmembers;
	return *n ? node->members : NULL;
}

struct search {
	struct types *t;
	const char *name;
	uint32_t visited;
	struct member_path *out;
};

static bool search_struct(
	struct search *s, const struct btf_type *bt, uint32_t base, bool in_union, unsigned depth);

/* Member M, at bit BASE + its own offset, or what is in it when it is anonymous. */
static bool search_member(struct search *s, const struct btf_type *bt, const struct btf_member *m,
	uint32_t base, bool in_union, unsigned depth)
{
	const char *name = btf_string(s->t->btf, m->name_off);
	uint32_t bit_offset, bit_size, id = m->type;
	const struct btf_type *inner;

	if (!name || ++s->visited > MAX_VISITED)
		return corrupt(s->t);
	if (*name && strcmp(name, s->name))
		return false;
	if (!place_member(s->t, bt, m, &bit_offset, &bit_size) ||
		__builtin_add_overflow(bit_offset, base, &bit_offset))
		return corrupt(s->t);
	if (*name) {
		s->out->type = build(s->t, m->type, 0);
		s->out->bit_offset = bit_offset;
		s->out->bit_size = bit_size;
		s->out->in_union = in_union;
		return s->out->type;
	}
	return strip(s->t, &id, &inner) && search_struct(s, inner, bit_offset, in_union, depth + 1);
}

static bool search_struct(
	struct search *s, const struct btf_type *bt, uint32_t base, bool in_union, unsigned depth)
{
	const struct btf_member *m = btf_trailer(bt);
	uint32_t kind = btf_kind(bt);

	if (kind != BTF_KIND_STRUCT && kind != BTF_KIND_UNION)
		return false; /* an unnamed bit-field */
	if (depth > TYPE_MAX_DEPTH)
		return corrupt(s->t);
	in_union |= kind == BTF_KIND_UNION;
	for (uint32_t i = 0; i < btf_vlen(bt) && s->visited <= MAX_VISITED; i++) {
		if (search_member(s, bt, &m[i], base, in_union, depth))
			return true;
	}
	return false;
}

/* Walks the kernel's bytes, so that only the type of the one member asked for is made. */
bool type_find_member(const struct type *type, const char *name, struct member_path *out)
{
	const struct type *res = type_resolve(type);
	struct search s = {res->owner, name, 0, out};

	memset(out, 0, sizeof(*out));
	if ((res->kind != TYPE_STRUCT && res->kind != TYPE_UNION) || !*name)
		return false;
	return search_struct(&s, btf_by_id(s.t->btf, res->id), 0, false, 0);
}

/* ---- enumerators ---- */

void type_enumerators(
	const struct type *type, bool (*visit)(void *, const char *, int64_t), void *arg)
{
	const struct type *res = type_resolve(type);
	struct types *t = res->owner;
	const struct btf_type *bt;

	if (res->kind != TYPE_ENUM)
		return;
	bt = btf_by_id(t->btf, res->id);
	for (uint32_t i = 0; i < btf_vlen(bt); i++) {
		const char *name;
		int64_t value;

		if (btf_kind(bt) == BTF_KIND_ENUM64) {
			const struct btf_enum64 *e = (const struct btf_enum64 *)btf_trailer(bt) + i;

			name = btf_string(t->btf, e->name_off);
			value = (int64_t)((uint64_t)e->val_hi32 << 32 | e->val_lo32);
		} else {
			const struct btf_enum *e = (const struct btf_enum *)btf_trailer(bt) + i;

			name = btf_string(t->btf, e->name_off);
			value = res->is_signed ? e->val : (int64_t)(uint32_t)e->val;
		}
		if (!name) {
			corrupt(t);
			return;
		}
		if (visit(arg, name, value))
			return;
	}
}

/* ---- functions ---- */

uint32_t func_nparams(const struct type *func, bool *variadic)
{
	struct types *t = func->owner;
	const struct btf_type *proto = proto_of(t, btf_by_id(t->btf, func->id));
	const struct btf_param *p = btf_trailer(proto);
	uint32_t n = btf_vlen(proto);

	/* "..." is a last parameter without name and type (btf.rst) */
	*variadic = n && !p[n - 1].name_off && !p[n - 1].type;
	n -= *variadic;
	return type_node(func)->skip_first && n ? n - 1 : n;
}

const struct type *func_param(const struct type *func, uint32_t i, const char **name)
{
	struct types *t = func->owner;
	const struct btf_type *proto = proto_of(t, btf_by_id(t->btf, func->id));
	const struct btf_param *p = btf_trailer(proto);
	const char *s;

	p += i + type_node(func)->skip_first;
	s = btf_string(t->btf, p->name_off);
	if (name)
		*name = s;
	return s ? build(t, p->type, 0) : corrupt(t);
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

const struct type *types_function(struct types *t, const char *name)
{
	return kernel_type(t, BTF_CLASS_FUNC, name);
}

void types_each_function(
	struct types *t, const char *prefix, void (*visit)(void *arg, const char *name), void *arg)
{
	struct btf_image *b = types_btf(t);

	if (b)
		btf_each(b, BTF_CLASS_FUNC, prefix, visit, arg);
}

/* The kernel declares `typedef void (*btf_trace_EVENT)(void *, ...)` (include/trace/bpf_probe.h).
 */
uint32_t types_tracepoint(struct types *t, const char *event, const struct type **proto)
{
	static const char prefix[] = "btf_trace_";
	const struct type *def, *func;
	char name[128];
	struct node *n;

	if (strlen(event) >= sizeof(name) - sizeof(prefix))
		return 0;
	strcpy(name, prefix);
	strcat(name, event);
	def = kernel_type(t, BTF_CLASS_ORDINARY, name);
	if (!def || def->kind != TYPE_TYPEDEF || def->ref->kind != TYPE_PTR ||
		def->ref->ref->kind != TYPE_FUNC)
		return 0;
	func = def->ref->ref;
	n = type_node(func);
	if (!n->stripped) {
		n->stripped = node_new(t, TYPE_FUNC);
		n->stripped->type = *func;
		n->stripped->skip_first = true;
	}
	if (proto)
		*proto = &n->stripped->type;
	return def->id;
}
