// SPDX-License-Identifier: Apache-2.0
/*
 * Puts associative arrays and aggregations into shared maps, where a program would refer to more
 * maps than the kernel lets it.
 */
#include "ir/share.h"

#include "abi/record.h"
#include "abi/runtime.h"
#include "base/arena.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "ir/ir.h"
#include "ir/lower_state.h"
#include "sema/typed.h"

#include <string.h>

/* ---- shapes ---- */

/* Variables with equal shapes can share a map. */
struct shape {
	enum ir_map_type type;
	bool is_agg, iterated;
	uint32_t key_size, value_size;
};

/* A map to be. */
struct group {
	struct shape shape;
	struct ir_map map;
	uint64_t sum, largest; /* elements of its variables' own maps */
	uint32_t n;
	const struct variable_map *first;
};

typedef VEC(struct group) groups_vec;

/*
 * How far sizes are rounded up: only as far as needed, since a longer key takes longer to hash.
 * Values of 8 bytes are programs' own words on the stack: they stay as long as they are.
 */
enum rounding { ROUND_NOTHING, ROUND_KEYS, ROUND_BOTH, ONE_KEY, ONE_SHAPE };

static uint32_t power_of_two(uint32_t n)
{
	uint32_t p = 8;

	while (p < n)
		p *= 2;
	return p;
}

/* Returns the shape of W's map; sizes 0 stand for those of the largest variable. */
static struct shape shape_of(const struct variable_map *w, enum rounding how)
{
	struct shape s = {.type = w->map.type,
		.is_agg = w->agg != NULL,
		.iterated = w->var && w->var->iterated,
		.key_size = w->map.key_size,
		.value_size = w->map.value_size};

	if (w->map.type == IRMAP_PERCPU_ARRAY)
		return s; /* three sizes of values at most */
	if (how >= ROUND_KEYS)
		s.key_size = how >= ONE_KEY ? 0 : power_of_two(s.key_size);
	if (how >= ROUND_BOTH && s.value_size > 8)
		s.value_size = how >= ONE_SHAPE ? 0 : power_of_two(s.value_size);
	return s;
}

static bool same_shape(const struct shape *a, const struct shape *b)
{
	return a->type == b->type && a->is_agg == b->is_agg && a->iterated == b->iterated &&
		a->key_size == b->key_size && a->value_size == b->value_size;
}

static struct group *find_group(groups_vec *groups, const struct shape *shape)
{
	vec_for (g, groups)
		if (same_shape(&g->shape, shape))
			return g;
	return NULL;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* Make the groups of all variables; false if they are more than MOST. */
static bool group_all(struct lower_session *s, enum rounding how, uint32_t most, groups_vec *groups)
{
	groups->len = 0;
	vec_for (w, &s->wanted) {
		struct shape shape = shape_of(w, how);
		struct group *g = find_group(groups, &shape);

		if (!g) {
			if (groups->len == most)
				return false;
			g = vec_add(s->arena, groups);
			*g = (struct group){.shape = shape, .map = w->map, .first = w};
		}
		g->map.key_size = larger(g->map.key_size, larger(w->map.key_size, shape.key_size));
		g->map.value_size =
			larger(g->map.value_size, larger(w->map.value_size, shape.value_size));
		g->map.prealloc &= w->map.prealloc;
		g->sum += w->map.max_entries;
		g->largest = larger((uint32_t)g->largest, w->map.max_entries);
		g->n++;
	}
	return true;
}

/* ---- sizes ---- */

#define SHARED_BYTES                                                                 \
	(32u << 20) /* that a shared map takes at once, unless one variable has more \
		     */
#define BUCKET	16  /* bytes of a bucket of a hash */
#define ELEMENT 48  /* bytes of an element besides its key and value, about */

/*
 * Returns the elements of G's map: as many as the maps of its variables would have, as long as
 * that costs little before they are used.
 */
static uint32_t shared_entries(const struct group *g)
{
	uint64_t each = BUCKET, most;

	if (g->map.type == IRMAP_PERCPU_ARRAY)
		return (uint32_t)g->sum;
	if (g->map.prealloc)
		each += ELEMENT + g->map.key_size + g->map.value_size;
	most = SHARED_BYTES / each;
	if (most < g->largest)
		most = g->largest;
	return (uint32_t)(g->sum < most ? g->sum : most);
}

/* ---- maps ---- */

static void finish_group(struct lower_session *s, struct group *g, uint32_t number)
{
	if (g->n == 1) {
		g->map = g->first->map;
		return;
	}
	g->map.name = lower_name(s,
		arena_printf(s->arena, "%s_%u", g->shape.is_agg ? "dt_aggs" : "dt_vars", number));
	g->map.max_entries = shared_entries(g);
	if (g->map.type != IRMAP_PERCPU_ARRAY)
		g->map.key_size += 8; /* the variable's number */
	g->sum = 0;
}

/* Tell W's variable that it is in G, after those of which it was told before. */
static void join(struct group *g, struct variable_map *w)
{
	if (w->var) {
		w->var->map = g->map.name;
		w->var->map_key_size = g->map.key_size;
		w->var->map_value_size = g->map.value_size;
		w->var->shared = true;
		return;
	}
	w->agg->map = g->map.name;
	w->agg->map_key_size = g->map.key_size;
	w->agg->value_size = g->map.value_size;
	w->agg->shared = true;
	w->agg->base = w->agg->nkeys ? 0 : (uint32_t)g->sum;
	g->sum += w->map.max_entries;
}

void share_variable_maps(struct lower_session *s)
{
	groups_vec groups = {0};
	enum rounding how = ROUND_NOTHING;

	while (!group_all(s, how, how == ONE_SHAPE ? UINT32_MAX : s->plan->variable_maps, &groups))
		how++;
	for (uint32_t i = 0; i < groups.len; i++)
		finish_group(s, &groups.data[i], i);
	vec_for (w, &s->wanted) {
		struct shape shape = shape_of(w, how);
		struct group *g = find_group(&groups, &shape);

		if (g->n > 1)
			join(g, w);
	}
	vec_for (g, &groups)
		vec_push(s->arena, &s->out->variable_maps, g->map);
}

/* ---- counting ---- */

#define KERNEL_MAPS 64 /* of one program: MAX_USED_MAPS (linux/bpf_verifier.h) */
#define SPARE_MAPS  4  /* longer keys may need scratch memory, which takes three */
#define LEAST_MAPS  8  /* even one for each kind is not more */

/* The last program that was found to refer to a map or to call a function. */
struct mark {
	const struct ir_func *func; /* of a function */
	bool of_variables;	    /* of a map */
	uint32_t prog;
};

struct counter {
	struct arena *arena;
	const struct ir_module *m;
	struct strmap maps, funcs; /* struct mark, by name */
	uint32_t prog;		   /* that is being looked at; from 1 */
	uint32_t all, of_variables;
};

static void count_map(struct counter *c, const char *name)
{
	struct mark *mark = strmap_get(&c->maps, name);

	if (!mark) {
		mark = arena_new_obj(c->arena, struct mark);
		strmap_put(c->arena, &c->maps, name, mark);
	}
	if (mark->prog == c->prog)
		return;
	mark->prog = c->prog;
	c->all++;
	c->of_variables += mark->of_variables;
}

static void count_callee(struct counter *c, const char *name);

static void count_operand(struct counter *c, const struct ir_operand *o)
{
	if (o->kind == OP_MAP || o->kind == OP_DATA)
		count_map(c, o->sym);
	else if (o->kind == OP_FUNC)
		count_callee(c, o->sym);
}

static void count_func(struct counter *c, const struct ir_func *f)
{
	for (uint32_t b = 0; b < f->blocks.len; b++) {
		vec_for (in, &f->blocks.data[b]->insns) {
			count_operand(c, &in->a);
			count_operand(c, &in->b);
			for (uint32_t i = 0; i < in->nargs; i++)
				count_operand(c, &in->args[i]);
			if (in->op == IR_RT)
				count_callee(c, in->sym);
		}
	}
}

/* A function of the module, or of the run-time library. */
static void count_callee(struct counter *c, const char *name)
{
	struct mark *mark = strmap_get(&c->funcs, name);
	const struct rt_function *rt = mark ? NULL : rt_function(name);

	if (mark && mark->prog != c->prog) {
		mark->prog = c->prog;
		count_func(c, mark->func);
	}
	for (unsigned i = 0; rt && i < RT_MAP_MAX; i++)
		if (rt->reads >> i & 1)
			count_map(c, rt_map_name(i));
	if (rt && rt->reads & RT_EACH)
		count_callee(c, "dt_each");
}

static void add_function(struct counter *c, const struct ir_func *f)
{
	struct mark *mark = arena_new_obj(c->arena, struct mark);

	mark->func = f;
	strmap_put(c->arena, &c->funcs, f->name, mark);
}

static void add_names(struct counter *c)
{
	vec_for (map, &c->m->maps) {
		struct mark *mark = arena_new_obj(c->arena, struct mark);

		mark->of_variables = map->of_variables;
		strmap_put(c->arena, &c->maps, map->name, mark);
	}
	for (uint32_t i = 0; i < c->m->callbacks.len; i++)
		add_function(c, c->m->callbacks.data[i]);
	if (c->m->error)
		add_function(c, c->m->error);
}

uint32_t share_count_variable_maps(struct arena *a, const struct ir_module *m)
{
	struct counter c = {.arena = a, .m = m};
	uint32_t most = 0, others = 0;

	if (m->maps.len + m->data.len + RT_MAP_MAX <= KERNEL_MAPS)
		return 0;
	add_names(&c);
	vec_for (p, &m->progs) {
		c.prog++;
		c.all = c.of_variables = 0;
		count_func(&c, p->func);
		most = larger(most, c.all);
		others = larger(others, c.all - c.of_variables);
	}
	if (most <= KERNEL_MAPS)
		return 0;
	others += SPARE_MAPS;
	return others + LEAST_MAPS < KERNEL_MAPS ? KERNEL_MAPS - others : LEAST_MAPS;
}
