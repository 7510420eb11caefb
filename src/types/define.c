// SPDX-License-Identifier: Apache-2.0
/* Makes the structs, unions, enums, functions and strings that a D program defines. */
#include <string.h>

#include "base/arena.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "types/define.h"
#include "types/table.h"
#include "types/types.h"

/* ---- tags ---- */

const struct type *types_own_tag(struct types *t, enum type_space space, const char *name)
{
	struct node *n = strmap_get(&t->tags[space], name);

	return n ? &n->type : NULL;
}

static enum type_space record_space(bool is_union)
{
	return is_union ? SPACE_UNION : SPACE_STRUCT;
}

/* Returns the one node of a tag, made now if it was not yet; a new one for a NULL name. */
static struct node *tag_node(struct types *t, enum type_space space, const char *name)
{
	struct node *n = name ? strmap_get(&t->tags[space], name) : NULL;

	if (n)
		return n;
	n = node_new(t, TYPE_FWD);
	n->type.is_union = space == SPACE_UNION;
	if (name) {
		n->type.name = arena_strdup(t->arena, name);
		strmap_put(t->arena, &t->tags[space], n->type.name, n);
	}
	return n;
}

const struct type *types_forward(struct types *t, enum type_space space, const char *name)
{
	const struct type *body = types_own_tag(t, space, name);

	if (space != SPACE_STRUCT && space != SPACE_UNION)
		return types_lookup(t, space, name);
	if (!body)
		body = kernel_type(t, space_class(space), name);
	/* where the kernel says no more than D, the tag is D's to complete */
	if (!body || (body->kind == TYPE_FWD && type_node(body)->src))
		body = &tag_node(t, space, name)->type;
	return body;
}

const struct type *types_begin_record(struct types *t, bool is_union, const char *name)
{
	struct node *n = tag_node(t, record_space(is_union), name);

	if (n->made)
		return NULL;
	n->begun = true;
	return &n->type;
}

/* Passes the size of TYPE on to the types that were derived from it while it was incomplete. */
static void spread_size(const struct type *type)
{
	struct node *n = type_node(type);

	for (size_t i = 0; i < sizeof(n->quals) / sizeof(n->quals[0]); i++) {
		if (n->quals[i]) {
			n->quals[i]->type.size = type->size;
			spread_size(&n->quals[i]->type);
		}
	}
	for (struct node *a = n->arrays; a; a = a->next_array) {
		if (__builtin_mul_overflow(type->size, a->type.nelems, &a->type.size))
			a->type.size = UINT64_MAX;
		spread_size(&a->type);
	}
}

/* ---- structs and unions ---- */

struct layout {
	bool is_union, too_big;
	uint64_t bits;	/* used so far, of a union by the widest member */
	uint32_t align; /* bytes */
};

static uint64_t round_up(uint64_t n, uint64_t to)
{
	return (n + to - 1) / to * to;
}

/* Put WIDTH bits at the next multiple of ALIGN bits; returns where. */
static uint32_t put_bits(struct layout *l, uint64_t width, uint64_t align)
{
	uint64_t at = l->is_union ? 0 : round_up(l->bits, align), end;

	if (__builtin_add_overflow(at, width, &end) || end > UINT32_MAX) {
		l->too_big = true;
		return 0;
	}
	if (end > l->bits)
		l->bits = end;
	return (uint32_t)at;
}

static void need_align(struct layout *l, uint32_t align)
{
	if (align > l->align)
		l->align = align;
}

/*
 * After #pragma pack, which matters more than the attribute packed, a bit-field may cross units,
 * but aligns the record, and one of no width does what it always does (as gcc has it).
 */
static uint32_t put_limited(
	struct layout *l, const struct type_member_def *m, uint32_t width, uint32_t unit)
{
	if (m->name)
		need_align(l, m->most < unit ? m->most : unit);
	return put_bits(l, width, width ? 1 : unit * 8);
}

/* A bit-field does not cross from one storage unit of its type into the next (psABI 3.1.2). */
static uint32_t put_bitfield(struct layout *l, const struct type_member_def *m, uint32_t unit)
{
	uint32_t width = m->bits < unit * 8 ? m->bits : unit * 8;
	bool fits = l->bits % (unit * 8) + width <= unit * 8;

	if (m->most)
		return put_limited(l, m, width, unit);
	if (m->packed && width)
		return put_bits(l, width, m->align ? m->align * 8 : 1);
	if (m->name)
		need_align(l, unit);
	return put_bits(l, width, width && fits ? 1 : unit * 8);
}

static uint32_t place(struct layout *l, const struct type_member_def *m)
{
	uint32_t align = type_align(m->type);
	uint64_t size = type_resolve(m->type)->size;

	if (m->is_bits)
		return put_bitfield(l, m, align);
	if (m->packed)
		align = 1;
	if (m->align > align)
		align = m->align;
	if (m->most && align > m->most)
		align = m->most;
	need_align(l, align);
	if (__builtin_mul_overflow(size, 8, &size))
		l->too_big = true;
	return put_bits(l, size, (uint64_t)align * 8);
}

static void lay_out(struct types *t, struct node *n, const struct type_member_def *defs,
	uint32_t ndefs, uint32_t align)
{
	struct layout l = {.is_union = n->type.is_union, .align = align ? align : 1};
	struct member *list = arena_new_array(t->arena, struct member, ndefs + 1);
	uint32_t nlist = 0;

	for (uint32_t i = 0; i < ndefs; i++) {
		const struct type_member_def *d = &defs[i];
		struct member *m = &list[nlist];

		m->bit_offset = place(&l, d);
		if (d->is_bits && !d->name)
			continue;
		m->name = d->name ? arena_strdup(t->arena, d->name) : "";
		m->type = d->type;
		m->bit_size = d->is_bits ? d->bits : 0;
		nlist++;
	}
	n->members = list;
	n->nmembers = nlist;
	n->align = l.align;
	n->type.size = l.too_big ? UINT64_MAX : round_up(l.bits, l.align * 8) / 8;
}

const struct type *types_define_record(struct types *t, bool is_union, const char *name,
	const struct type_member_def *members, uint32_t n)
{
	return types_define_aligned(t, is_union, name, members, n, 0);
}

const struct type *types_define_aligned(struct types *t, bool is_union, const char *name,
	const struct type_member_def *members, uint32_t n, uint32_t align)
{
	struct node *node = tag_node(t, record_space(is_union), name);

	if (node->made)
		return NULL;
	lay_out(t, node, members, n, align);
	node->made = true;
	node->begun = false;
	node->type.kind = is_union ? TYPE_UNION : TYPE_STRUCT;
	node->type.is_union = false;
	spread_size(&node->type);
	return &node->type;
}

/* ---- the others ---- */

static struct node *define_enum(struct types *t, const char *name, const char *const *names,
	const int64_t *values, uint32_t n)
{
	struct node *node = tag_node(t, SPACE_ENUM, name);
	struct type_enumerator *list;

	if (node->made)
		return NULL;
	list = arena_new_array(t->arena, struct type_enumerator, n + 1);
	for (uint32_t i = 0; i < n; i++) {
		list[i].name = arena_strdup(t->arena, names[i]);
		list[i].value = values[i];
	}
	node->made = true;
	node->enums = list;
	node->nenums = n;
	node->type.kind = TYPE_ENUM;
	node->type.is_signed = true;
	node->type.size = sizeof(int);
	return node;
}

const struct type *types_define_enum(struct types *t, const char *name, const char *const *names,
	const int64_t *values, uint32_t n)
{
	struct node *node = define_enum(t, name, names, values, n);

	if (!node)
		return NULL;
	spread_size(&node->type);
	return &node->type;
}

const struct type *types_define_c_enum(struct types *t, const char *name, const char *const *names,
	const int64_t *values, uint32_t n)
{
	struct node *node = define_enum(t, name, names, values, n);
	bool negative = false, above_int = false, is_long = false;

	if (!node)
		return NULL;
	for (uint32_t i = 0; i < n; i++) {
		negative |= values[i] < 0;
		above_int |= values[i] > INT32_MAX;
		is_long |= values[i] < INT32_MIN || values[i] > UINT32_MAX;
	}
	node->type.is_signed = negative || !above_int;
	if (is_long || (negative && above_int))
		node->type.size = sizeof(long);
	spread_size(&node->type);
	return &node->type;
}

const struct type *types_aligned(
	struct types *t, const char *name, const struct type *of, uint32_t align)
{
	struct node *n = node_new(t, TYPE_TYPEDEF);

	n->type.name = arena_strdup(t->arena, name);
	n->type.ref = of;
	n->type.size = of->size;
	n->align = align;
	return &n->type;
}

const struct type *types_func(struct types *t, const struct type *result,
	const struct type *const *params, uint32_t n, bool variadic)
{
	struct node *node = node_new(t, TYPE_FUNC);

	node->made = true;
	node->type.ref = result;
	node->params = arena_new_array(t->arena, const struct type *, n + 1);
	node->nparams = n;
	node->variadic = variadic;
	for (uint32_t i = 0; i < n; i++) {
		const struct type *r = type_resolve(params[i]);

		if (r->kind == TYPE_ARRAY)
			node->params[i] = types_ptr(t, r->ref);
		else
			node->params[i] = r->kind == TYPE_FUNC ? types_ptr(t, r) : params[i];
	}
	return &node->type;
}

const struct type *types_string(struct types *t, uint32_t strsize)
{
	struct node *n;

	vec_for (s, &t->strings) {
		if ((*s)->size == (uint64_t)strsize + 1)
			return *s;
	}
	n = node_new(t, TYPE_STRING);
	n->type.size = (uint64_t)strsize + 1;
	n->type.name = arena_printf(t->arena, "string<%u>", strsize);
	vec_push(t->arena, &t->strings, &n->type);
	return &n->type;
}
