// SPDX-License-Identifier: Apache-2.0
/* Makes struct type from BTF, vmlinux's or a module's, each on the first use of its id. */
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "types/table.h"
#include "types/types.h"

static const struct type *build_type(struct type_source *src, uint32_t id, unsigned depth);

void *source_corrupt(struct type_source *src)
{
	src->types->error = -EINVAL;
	return NULL;
}

/* ---- walking ids ---- */

static bool is_qualifier(uint32_t kind)
{
	return kind == BTF_KIND_CONST || kind == BTF_KIND_VOLATILE || kind == BTF_KIND_RESTRICT;
}

bool source_strip(struct type_source *src, uint32_t *id, const struct btf_type **out)
{
	for (unsigned n = 0; n < TYPE_MAX_DEPTH; n++) {
		const struct btf_type *bt = btf_by_id(src->btf, *id);
		uint32_t kind;

		if (!bt) {
			if (*id)
				source_corrupt(src);
			return false;
		}
		kind = btf_kind(bt);
		if (kind != BTF_KIND_TYPEDEF && kind != BTF_KIND_TYPE_TAG && !is_qualifier(kind)) {
			*out = bt;
			return true;
		}
		*id = bt->type;
	}
	source_corrupt(src);
	return false;
}

/* ID without type tags in front; the tags say where the pointer to it may point. */
static bool skip_tags(struct type_source *src, uint32_t *id)
{
	for (unsigned n = 0; n < TYPE_MAX_DEPTH; n++) {
		const struct btf_type *bt = btf_by_id(src->btf, *id);

		if (!bt || btf_kind(bt) != BTF_KIND_TYPE_TAG)
			return true;
		*id = bt->type;
	}
	source_corrupt(src);
	return false;
}

/*
 * Reads __user and __percpu, which are tags between a pointer and its target
 * (include/linux/compiler_types.h).
 */
static void read_tags(struct type_source *src, uint32_t id, struct type *ptr)
{
	for (unsigned n = 0; n < TYPE_MAX_DEPTH; n++) {
		const struct btf_type *bt = btf_by_id(src->btf, id);
		uint32_t kind = bt ? btf_kind(bt) : BTF_KIND_UNKN;

		if (kind == BTF_KIND_TYPE_TAG) {
			const char *tag = btf_string(src->btf, bt->name_off);

			ptr->is_user |= !strcmp(tag, "user");
			ptr->is_percpu |= !strcmp(tag, "percpu");
		} else if (kind != BTF_KIND_TYPEDEF && !is_qualifier(kind)) {
			return;
		}
		id = bt->type;
	}
}

const struct btf_type *source_proto(struct type_source *src, const struct btf_type *bt)
{
	if (bt && btf_kind(bt) == BTF_KIND_FUNC)
		bt = btf_by_id(src->btf, bt->type);
	if (!bt || btf_kind(bt) != BTF_KIND_FUNC_PROTO)
		return source_corrupt(src);
	return bt;
}

/* ---- making types ---- */

static const char *name_of(struct type_source *src, const struct btf_type *bt)
{
	/* btf_open() has checked the names of types */
	const char *s = btf_string(src->btf, bt->name_off);

	return *s ? s : NULL;
}

/* DWARF, and so BTF, says "long unsigned int". */
static void fill_int(struct type_source *src, struct type *type, const struct btf_type *bt)
{
	const uint32_t *info = btf_trailer(bt);
	uint32_t enc = BTF_INT_ENCODING(*info);
	char canon[32];

	type->kind = TYPE_INT;
	type->size = bt->size;
	if (type->name && type_canonical_int(type->name, canon, sizeof(canon)) &&
		strcmp(canon, type->name))
		type->name = arena_strdup(src->types->arena, canon);
	type->is_char = type->name && !strcmp(type->name, "char");
	type->is_signed = enc & BTF_INT_SIGNED || type->is_char;
	type->is_bool = enc & BTF_INT_BOOL;
}

static bool fill_ref(struct type_source *src, struct type *type, enum type_kind kind, uint32_t id,
	unsigned depth)
{
	struct node *n = type_node(type);

	type->kind = kind;
	type->ref = build_type(src, id, depth + 1);
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

static bool fill_ptr(
	struct type_source *src, struct type *type, const struct btf_type *bt, unsigned depth)
{
	type->size = sizeof(void *);
	read_tags(src, bt->type, type);
	return fill_ref(src, type, TYPE_PTR, bt->type, depth);
}

static bool fill_array(
	struct type_source *src, struct type *type, const struct btf_type *bt, unsigned depth)
{
	const struct btf_array *a = btf_trailer(bt);

	type->nelems = a->nelems;
	if (!fill_ref(src, type, TYPE_ARRAY, a->type, depth))
		return false;
	return !__builtin_mul_overflow(type->ref->size, a->nelems, &type->size);
}

static bool fill_func(
	struct type_source *src, struct type *type, const struct btf_type *bt, unsigned depth)
{
	const struct btf_type *proto = source_proto(src, bt);

	return proto && fill_ref(src, type, TYPE_FUNC, proto->type, depth);
}

static bool fill_type(
	struct type_source *src, struct type *type, const struct btf_type *bt, unsigned depth)
{
	uint32_t kind = btf_kind(bt);

	switch (kind) {
	case BTF_KIND_INT:
		fill_int(src, type, bt);
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
		return fill_ptr(src, type, bt, depth);
	case BTF_KIND_ARRAY:
		return fill_array(src, type, bt, depth);
	case BTF_KIND_TYPEDEF:
		return fill_ref(src, type, TYPE_TYPEDEF, bt->type, depth);
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
		type->qual = kind == BTF_KIND_CONST ? 'c' : kind == BTF_KIND_VOLATILE ? 'v' : 'r';
		return fill_ref(src, type, TYPE_QUAL, bt->type, depth);
	case BTF_KIND_FUNC:
	case BTF_KIND_FUNC_PROTO:
		return fill_func(src, type, bt, depth);
	default: /* variables, sections and declaration tags are no types */
		return false;
	}
}

static const struct type *build_type(struct type_source *src, uint32_t id, unsigned depth)
{
	const struct btf_type *bt;
	struct node *n;

	if (src->btf->base && id < src->btf->first_id)
		src = &src->types->kernel;
	if (depth > TYPE_MAX_DEPTH || !skip_tags(src, &id))
		return source_corrupt(src);
	if (!id)
		return src->types->basic[T_VOID];
	n = intmap_get_ptr(&src->by_id, id);
	if (n)
		return n->state == NODE_READY ? &n->type : source_corrupt(src);
	bt = btf_by_id(src->btf, id);
	if (!bt)
		return source_corrupt(src);
	n = node_new(src->types, TYPE_VOID);
	n->id = id;
	n->src = src;
	n->type.id = src->name ? 0 : id;
	n->type.name = name_of(src, bt);
	n->state = NODE_BUILDING;
	(void)intmap_put_ptr(&src->by_id, n->id, n);
	if (!fill_type(src, &n->type, bt, depth)) {
		n->state = NODE_BAD;
		return source_corrupt(src);
	}
	n->state = NODE_READY;
	return &n->type;
}

const struct type *source_type(struct type_source *src, uint32_t id)
{
	return build_type(src, id, 0);
}

/* ---- names ---- */

struct type_source *types_kernel(struct types *t)
{
	struct type_source *src = &t->kernel;
	const void *data = NULL;
	size_t len = 0;

	if (!t->loaded) {
		t->loaded = true;
		t->error = t->load ? t->load(t->load_arg, &data, &len) : -ENOENT;
		if (!t->error)
			src->btf = btf_open(t->arena, data, len, NULL, &t->error);
		src->types = t;
		src->by_id.arena = t->arena;
	}
	return src->btf ? src : NULL;
}

/* Returns the type NAME of SRC without vmlinux's. */
static const struct type *source_find_own(
	struct type_source *src, enum btf_class klass, const char *name)
{
	uint32_t id = btf_find(src->btf, klass, name);

	return id ? build_type(src, id, 0) : NULL;
}

const struct type *source_find(struct type_source *src, enum btf_class klass, const char *name)
{
	const struct type *type = source_find_own(src, klass, name);

	return type || !src->btf->base ? type : source_find_own(&src->types->kernel, klass, name);
}

const struct type *kernel_type(struct types *t, enum btf_class klass, const char *name)
{
	struct type_source *src = types_kernel(t);

	return src ? source_find(src, klass, name) : NULL;
}

/* ---- functions ---- */

const struct type *types_function(struct types *t, const char *name)
{
	return kernel_type(t, BTF_CLASS_FUNC, name);
}

const struct type *types_function_in(struct types *t, const char *module, const char *name)
{
	bool unknown;
	struct type_source *src = source_named(t, module, &unknown);

	return src ? source_find_own(src, BTF_CLASS_FUNC, name) : NULL;
}

void types_each_function(
	struct types *t, const char *prefix, void (*visit)(void *arg, const char *name), void *arg)
{
	struct type_source *src = types_kernel(t);

	if (src)
		btf_each(src->btf, BTF_CLASS_FUNC, prefix, visit, arg);
}

struct each_tag {
	struct arena *arena; /* of `seen` */
	struct strmap seen;  /* the kernel may have several structs of a name */
	void (*visit)(void *arg, const char *name);
	void *arg;
};

static void on_tag(void *arg, const char *name)
{
	struct each_tag *e = arg;

	if (!*name || strmap_get(&e->seen, name))
		return;
	strmap_put(e->arena, &e->seen, name, e);
	e->visit(e->arg, name);
}

void types_each_tag(struct types *t, enum type_space space, const char *prefix,
	void (*visit)(void *arg, const char *name), void *arg)
{
	struct each_tag e = {.arena = t->arena, .visit = visit, .arg = arg};
	struct type_source *src = types_kernel(t);

	vec_for (tag, &t->tags[space].entries)
		if (!strncmp(tag->key, prefix, strlen(prefix)))
			on_tag(&e, tag->key);
	if (src)
		btf_each(src->btf, space_class(space), prefix, on_tag, &e);
}

#define TRACEPOINT_PREFIX "btf_trace_"

struct each_tracepoint {
	void (*visit)(void *arg, const char *name);
	void *arg;
};

static void on_tracepoint(void *arg, const char *name)
{
	struct each_tracepoint *e = arg;

	e->visit(e->arg, name + sizeof(TRACEPOINT_PREFIX) - 1);
}

void types_each_tracepoint(struct types *t, void (*visit)(void *arg, const char *name), void *arg)
{
	struct each_tracepoint e = {visit, arg};
	struct type_source *src = types_kernel(t);

	if (src)
		btf_each(src->btf, BTF_CLASS_ORDINARY, TRACEPOINT_PREFIX, on_tracepoint, &e);
}

/*
 * Returns the kernel declares `typedef void (*btf_trace_EVENT)(void *, ...)`
 * (include/trace/bpf_probe.h).
 */
uint32_t types_tracepoint(struct types *t, const char *event, const struct type **proto)
{
	static const char prefix[] = TRACEPOINT_PREFIX;
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
		n->stripped->src = n->src;
		n->stripped->id = n->id;
		n->stripped->skip_first = true;
	}
	if (proto)
		*proto = &n->stripped->type;
	return def->id;
}
