// SPDX-License-Identifier: Apache-2.0
/* Lays out variables, records and keys in maps, and describes them to the consumer. */
#include "abi/aggregation.h"
#include "abi/flags.h"
#include "abi/kernel.h"
#include "abi/record.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "ir/ir.h"
#include "ir/layout.h"
#include "ir/lower_builtin.h"
#include "ir/lower_mem.h"
#include "ir/lower_object.h"
#include "ir/lower_state.h"
#include "ir/lower_var.h"
#include "ir/share.h"
#include "ir/target.h"
#include "lang/ast.h"
#include "sema/names.h"
#include "sema/typed.h"
#include "types/type.h"

#include <string.h>

static uint32_t align8(uint32_t n)
{
	return (n + 7) & ~7u;
}

/* ---- data ---- */

static const enum datum_kind symbol_kinds[FUNC_MAX] = {
	[FUNC_sym] = DATUM_SYM,
	[FUNC_func] = DATUM_SYM,
	[FUNC_mod] = DATUM_MOD,
	[FUNC_usym] = DATUM_USYM,
	[FUNC_ufunc] = DATUM_USYM,
	[FUNC_umod] = DATUM_UMOD,
	[FUNC_uaddr] = DATUM_UADDR,
	[FUNC_stack] = DATUM_STACK,
	[FUNC_ustack] = DATUM_USTACK,
	[FUNC_jstack] = DATUM_USTACK,
};

static bool is_stack(const struct type *t)
{
	return type_resolve(t)->kind == TYPE_STACK;
}

/* A stack that is not recorded as it is taken. */
static struct datum stack_datum(const struct type *t)
{
	bool user = type_resolve(t)->is_user;

	return (struct datum){.kind = user ? DATUM_USTACK_ID : DATUM_STACK_ID, .size = 8};
}

/* In a key a stack is kept apart, and named by its id. */
static struct datum symbol_datum(const struct expr *e, bool key)
{
	struct datum d = {.kind = symbol_kinds[e->info->func->id]};

	if (key && is_stack(e->type))
		return stack_datum(e->type);
	switch (d.kind) {
	case DATUM_STACK:
		d.size = 8 * (e->info->frames + DT_STACK_EXTRA);
		break;
	case DATUM_USTACK:
		d.size = 8 + 8 * e->info->frames;
		break;
	case DATUM_SYM:
	case DATUM_MOD:
		d.size = 8;
		break;
	default:
		d.size = sizeof(struct dt_uaddr);
		break;
	}
	return d;
}

const struct builtin_text *layout_builtin_text(const struct expr *e)
{
	static const struct builtin_text none = {.source = TEXT_NONE};

	if (e->kind != EXPR_VAR || !e->info || e->info->ref != REF_BUILTIN)
		return &none;
	return &e->info->builtin->text;
}

/* Bytes of strings, from which on the texts of different numbers differ. */
#define FLAGS_UNCUT 256

static struct datum string_datum(
	struct lower_session *s, const struct expr *e, const struct type *t, bool key)
{
	uint32_t size = (uint32_t)type_resolve(t)->size;
	struct datum d = {
		.kind = DATUM_STRING, .size = key ? align8(size) : size, .string_size = size};
	const struct builtin_text *text;
	uint32_t literal;

	if (!e)
		return d;
	literal = e->kind == EXPR_STRING && e->str_len + 1 < size ? e->str_len + 1 : size;
	text = layout_builtin_text(e);
	if (text->source == TEXT_PROBE) {
		/* kept as the probe's id: the consumer knows its parts */
		d.kind = key ? DATUM_PROBEID : text->part;
		d.part = text->part;
		d.size = key ? 8 : 0;
	} else if (sema_flags(e) != FLAGS_MAX && (!key || size >= FLAGS_UNCUT)) {
		/* kept as the number: the consumer has its text; in keys unless texts may be cut */
		d.kind = DATUM_FLAGS;
		d.flags = sema_flags(e);
		d.size = 8;
	} else if (e->kind == EXPR_STRING && !key) {
		d.kind = DATUM_LITERAL;
		d.string_size = literal;
		d.literal = e->str_len > s->target->strsize
			? arena_strndup(s->arena, e->str, s->target->strsize)
			: e->str;
		d.size = 0;
	} else if (text->source == TEXT_COMM || text->source == TEXT_THREAD) {
		d.size = d.size < COMM_LEN ? d.size : COMM_LEN;
	} else if (e->kind == EXPR_STRING) {
		d.string_size = literal;
		d.size = align8(literal);
	}
	return d;
}

struct datum layout_datum(
	struct lower_session *s, const struct expr *e, const struct type *t, bool key)
{
	const struct type *r = type_resolve(t);
	struct datum d = {0};
	char name[128];

	if (e && e->kind == EXPR_CALL && e->info && e->info->ref == REF_FUNC &&
		e->info->func->klass == CLASS_SYMBOL)
		return symbol_datum(e, key);
	switch (r->kind) {
	case TYPE_STRING:
		d = string_datum(s, e, t, key);
		break;
	case TYPE_STACK:
		d = stack_datum(t);
		break;
	case TYPE_PTR:
		d.kind = DATUM_PTR;
		d.size = 8;
		break;
	case TYPE_FLOAT:
		d.kind = DATUM_FLOAT;
		d.size = (uint32_t)r->size;
		break;
	case TYPE_ARRAY:
		d.kind = sema_is_stringy(r) ? DATUM_CHARS : DATUM_BYTES;
		d.is_char = type_resolve(r->ref)->is_char;
		d.size = (uint32_t)r->size;
		break;
	case TYPE_STRUCT:
	case TYPE_UNION:
		d.kind = DATUM_BYTES;
		d.size = (uint32_t)r->size;
		break;
	default:
		d.kind = DATUM_INT;
		d.size = (uint32_t)r->size;
		d.is_signed = r->is_signed;
		break;
	}
	d.type = arena_strdup(s->arena, type_name(t, name, sizeof(name)));
	return d;
}

/* Put D after *END at its alignment. */
static void put_datum(struct datum *d, uint32_t *end)
{
	uint32_t align = d->kind == DATUM_INT && d->size && d->size < 8 ? d->size : 8;

	*end = (*end + align - 1) & ~(align - 1);
	d->offset = *end;
	*end += d->size;
}

/* ---- variables ---- */

static uint32_t storage_size(struct lower_session *s, const struct variable *v)
{
	const struct type *r = type_resolve(v->type);

	if (v->kept)
		return v->kept->size;
	/* a string is followed by its flag: NULL, or for thread-locals: set */
	if (r->kind == TYPE_STRING)
		return align8((uint32_t)r->size) + 8;
	return lower_is_aggregate(r) ? lower_struct_room(v) : (uint32_t)r->size;
}

static void place_in(uint32_t *end, struct variable *v, uint32_t size)
{
	uint32_t align = size < 8 && size ? size : 8;

	*end = (*end + align - 1) & ~(align - 1);
	v->offset = *end;
	*end += size;
}

uint32_t assoc_layout(struct lower_session *s, const struct variable *v, struct datum *keys)
{
	uint32_t end = v->scope == SCOPE_SELF ? 8 : 0; /* the thread comes first */

	for (uint32_t i = 0; i < v->nkeys; i++) {
		keys[i] = layout_datum(s, NULL, v->keys[i], true);
		put_datum(&keys[i], &end);
	}
	return align8(end);
}

static void add_map(struct lower_session *s, struct ir_map m)
{
	vec_push(s->arena, &s->out->variable_maps, m);
}

/* share_variable_maps() adds them, if they are too many. */
static void add_variable_map(struct lower_session *s, struct variable_map m)
{
	m.map.of_variables = true;
	if (s->plan->variable_maps)
		vec_push(s->arena, &s->wanted, m);
	else
		add_map(s, m.map);
}

static uint32_t entries(uint64_t bytes, uint64_t each, uint32_t most)
{
	uint64_t n = bytes / (each ? each : 1);

	return n > most ? most : (uint32_t)n;
}

static void layout_assoc(struct lower_session *s, struct variable *v)
{
	struct datum keys[SEMA_MAX_KEYS];
	uint32_t key_size = assoc_layout(s, v, keys);
	const struct type *r = type_resolve(v->type);
	uint32_t value = v->kept	 ? v->kept->size
		: r->kind == TYPE_STRING ? align8((uint32_t)r->size)
		: lower_is_aggregate(r)	 ? lower_struct_room(v)
					 : 8;
	struct ir_map m = {
		.name = lower_name(s, arena_printf(s->arena, "dt_var_%u", v->id)),
		.type = IRMAP_HASH,
		.key_size = key_size,
		.value_size = value,
		.max_entries = entries(s->target->dynvarsize, key_size + value, 1 << 20),
		.prealloc = true,
	};

	v->map = m.name;
	v->map_key_size = key_size;
	v->map_value_size = value;
	v->shared = false;
	if (!m.max_entries) {
		struct loc none = {0};

		diag_add(s->diags, "D_UNKNOWN", none, "Enabling exceeds size of buffer");
		s->failed = true;
	}
	add_variable_map(s, (struct variable_map){.map = m, .var = v});
}

#define GLOBALS_MAX (256u << 20)

/* The kernel's map values, and addresses in them, end at 512M. */
static bool fits(struct lower_session *s, const struct variable *v)
{
	struct loc none = {0};

	if (type_resolve(v->type)->size < GLOBALS_MAX && s->globals_size < GLOBALS_MAX)
		return true;
	diag_add(s->diags, "D_UNKNOWN", none,
		"variable %s needs %llu bytes: all of them may have %u at most", v->name,
		(unsigned long long)type_resolve(v->type)->size, GLOBALS_MAX);
	s->failed = true;
	return false;
}

/* ---- thread-local variables ---- */

#define SELF_LEAST 8000	 /* what any kernel has room for */
#define SELF_MAX   65000 /* BPF_LOCAL_STORAGE_MAX_VALUE_SIZE is somewhat below 64K */
#define SELF_MAPS  16

/* Returns SIZE, bytes of a value, if the kernel may have room for it, else the most it has. */
static uint32_t self_fits(const struct lower_session *s, uint32_t size)
{
	if (size <= SELF_LEAST)
		return size;
	if (!target_has(s->target, FEATURE_LARGE_STORAGE))
		return SELF_LEAST;
	return size <= SELF_MAX ? size : SELF_MAX;
}

/* The map that is being filled: task storage, one value a thread. */
struct self_map {
	const char *name;
	uint32_t number, used;
};

static void add_self_map(struct lower_session *s, const struct self_map *m)
{
	if (m->used)
		add_map(s,
			(struct ir_map){.name = m->name,
				.type = IRMAP_TASK,
				.key_size = 4,
				.value_size = align8(m->used)});
}

static bool fits_thread(struct lower_session *s, const struct variable *v, uint32_t maps)
{
	uint32_t size = storage_size(s, v), most = self_fits(s, size);
	struct loc none = {0};

	if (size <= most && maps <= SELF_MAPS)
		return true;
	if (size > most)
		diag_add(s->diags, "D_UNKNOWN", none,
			"thread-local variable %s needs %u bytes, the kernel allows %u", v->name,
			size, most);
	else
		diag_add(s->diags, "D_UNKNOWN", none,
			"the thread-local variables need more than %u bytes a thread",
			self_fits(s, SELF_MAX) * SELF_MAPS);
	s->failed = true;
	return false;
}

/* Place V in a map of thread-local variables: in the next one, if it does not fit in M. */
static bool place_self(struct lower_session *s, struct self_map *m, struct variable *v)
{
	uint32_t end = m->used;

	place_in(&end, v, storage_size(s, v));
	if (align8(end) > self_fits(s, align8(end)) && m->used) {
		add_self_map(s, m);
		m->number++;
		m->used = 0;
		m->name = lower_name(s, arena_printf(s->arena, "%s_%u", MAP_SELF, m->number));
	}
	place_in(&m->used, v, storage_size(s, v));
	v->map = m->name;
	return fits_thread(s, v, m->number + 1);
}

/* ---- variables that programs use already ---- */

struct user {
	const struct variable *var;
	const struct aggregation *agg;
};

static bool visit_user(void *arg, const struct expr *e)
{
	const struct user *u = arg;

	return e->info &&
		((e->info->ref == REF_VAR && e->info->var == u->var) ||
			(e->info->ref == REF_AGG && e->info->agg == u->agg));
}

/* Reports that a clause that is new wants NAME, which is U's, in another way. */
static void refuse_change(struct lower_session *s, struct user u, const char *name)
{
	struct loc at = {0};

	vec_for (c, &s->sema->clauses)
		if ((*c)->fresh &&
			(!at.src || sema_any_stmt(&(*c)->ast->stmts, visit_user, NULL, &u)))
			at = (*c)->loc;
	diag_add(s->diags, "D_UNKNOWN", at,
		"%s has another form than in the clauses that are traced already", name);
	s->failed = true;
}

static bool same_object(const struct kept_object *a, const struct kept_object *b)
{
	if (!a || !b)
		return a == b;
	if (a->size != b->size || a->pointer != b->pointer || a->flagged != b->flagged ||
		a->members.len != b->members.len)
		return false;
	for (uint32_t i = 0; i < a->members.len; i++) {
		const struct kept_member *m = a->members.data[i], *n = b->members.data[i];

		if (strcmp(m->name, n->name) != 0 || m->offset != n->offset ||
			!same_object(m->object, n->object))
			return false;
	}
	return true;
}

static void check_variable(struct lower_session *s, const struct variable *v)
{
	static const char *const prefixes[] = {
		[SCOPE_GLOBAL] = "", [SCOPE_SELF] = "self->", [SCOPE_THIS] = "this->"};

	if (!same_object(v->kept, v->laid_object))
		refuse_change(s, (struct user){.var = v},
			arena_printf(s->arena, "%s%s", prefixes[v->scope], v->name));
}

/* ---- all variables ---- */

static bool layout_var(
	struct lower_session *s, struct variable *v, const char *section, struct self_map *self)
{
	v->laid = true;
	v->laid_object = v->kept;
	if (!fits(s, v))
		return false;
	if (v->is_assoc) {
		layout_assoc(s, v);
	} else if (v->scope == SCOPE_GLOBAL) {
		place_in(&s->globals_size, v, storage_size(s, v));
		v->map = section;
	}
	return v->is_assoc || v->scope != SCOPE_SELF || place_self(s, self, v);
}

static void layout_vars(struct lower_session *s)
{
	struct self_map self = {.name = lower_name(s, MAP_SELF)};
	const char *section = lower_name(s, DT_SEC_GLOBALS);

	for (uint32_t i = 0; i < s->sema->vars.len; i++) {
		struct variable *v = s->sema->vars.data[i];

		if (v->kept)
			layout_object(v->kept);
		if (s->before && v->fixed)
			check_variable(s, v);
		else if (!layout_var(s, v, section, &self))
			return;
	}
	s->globals_size = align8(s->globals_size);
	if (s->globals_size) {
		struct ir_data *d = vec_add(s->arena, &s->out->variable_data);

		d->section = section;
		d->size = s->globals_size;
	}
	add_self_map(s, &self);
}

/* ---- aggregations ---- */

#define BY_CPU_MOST (16u << 20) /* bytes of such a map, unless the user chose aggsize */
#define IN_ADVANCE  (64u << 20) /* bytes that are allocated in advance, at most */
#define CPU_KEYS    (1u << 20)	/* keys of a CPU, at most: reading goes through all buckets */
#define KEYS_MOST   (1u << 24)	/* and of all of them */
#define ELEMENT	    48		/* bytes of an element besides its key and value, about */

/*
 * A per-CPU hash gives a CPU room for new keys only as fast as a kernel thread finds it: too slow
 * in interrupts, and for a burst.  A hash with the CPU in its key is fast enough; who has said how
 * much room there is to be gets one.
 */
static bool keyed_by_cpu(const struct lower_session *s, const struct aggregation *a)
{
	return a->nkeys && (a->in_irq || s->target->aggsize_given);
}

/* A large one is not allocated in advance, which would take a second for each 100 MB or so. */
static void size_by_cpu(const struct lower_session *s, const struct agg_desc *d, struct ir_map *m)
{
	const struct target *t = s->target;
	uint64_t each = d->map_key_size + d->value_size, most = (uint64_t)CPU_KEYS * t->ncpus;

	if (most > KEYS_MOST)
		most = KEYS_MOST;
	if (!t->aggsize_given)
		most = BY_CPU_MOST / (each + ELEMENT);
	m->type = IRMAP_HASH;
	m->max_entries = entries(t->aggsize * t->ncpus, each, (uint32_t)most);
	m->prealloc = m->max_entries * (each + ELEMENT) <= IN_ADVANCE;
}

/* What all uses of key I of A have in common; the strings of those to come may be longer. */
static const struct expr *key_expr(const struct aggregation *a, uint32_t i)
{
	const struct expr *e = a->key_exprs[i];
	bool varies = e && (e->kind == EXPR_STRING || sema_flags(e) != FLAGS_MAX);

	return varies && a->awaited ? NULL : e;
}

/* Describes A, and the map that it has of its own in *M. */
static struct agg_desc *describe_agg(
	struct lower_session *s, const struct aggregation *a, struct ir_map *m)
{
	struct agg_desc *d = arena_new_obj(s->arena, struct agg_desc);
	struct datum *keys = arena_new_array(s->arena, struct datum, a->nkeys + 1);
	uint32_t end = 0;

	d->name = a->name;
	d->id = a->id;
	d->func = function_agg(a->func);
	d->params = a->params;
	d->nbuckets = agg_nbuckets(d->func, &a->params);
	d->keys = keys;
	d->nkeys = a->nkeys;
	d->value_size = agg_value_size(d->func, a->nkeys);
	d->map = lower_name(s, arena_printf(s->arena, "dt_agg_%u", a->id));
	for (uint32_t i = 0; i < a->nkeys; i++) {
		/* a literal or probe name in one use may be another string in the next */
		keys[i] = layout_datum(s, key_expr(a, i), a->keys[i], true);
		put_datum(&keys[i], &end);
	}
	end = align8(end);
	d->bucket_off = end;
	d->key_size = a->nkeys ? end + (d->nbuckets ? 8 : 0) : 4;
	d->by_cpu = keyed_by_cpu(s, a);
	d->map_key_size = d->key_size + (d->by_cpu ? 8 : 0);
	m->name = d->map;
	m->key_size = d->map_key_size;
	m->value_size = d->value_size;
	if (d->by_cpu) {
		size_by_cpu(s, d, m);
	} else if (a->nkeys) {
		m->type = IRMAP_PERCPU_HASH;
		m->max_entries = entries(s->target->aggsize, d->key_size + d->value_size, 1 << 20);
	} else {
		m->type = IRMAP_PERCPU_ARRAY;
		m->max_entries = agg_unkeyed_entries(d);
	}
	return d;
}

static bool same_datum(const struct datum *a, const struct datum *b)
{
	return a->kind == b->kind && a->offset == b->offset && a->size == b->size &&
		a->string_size == b->string_size && a->is_signed == b->is_signed &&
		a->part == b->part;
}

/* True if A's updates are those of the programs that are loaded; D is how they would be now. */
static bool same_agg(const struct aggregation *a, const struct agg_desc *d)
{
	const struct agg_desc *was = a->desc;

	if (a->atomic != (a->in_irq && a->in_task) || was->func != d->func ||
		was->nkeys != d->nkeys || was->key_size != d->key_size || was->by_cpu != d->by_cpu)
		return false;
	for (uint32_t i = 0; i < d->nkeys; i++)
		if (!same_datum(&was->keys[i], &d->keys[i]))
			return false;
	return true;
}

static void layout_agg(struct lower_session *s, struct aggregation *a)
{
	struct ir_map m = {0};
	struct agg_desc *d = describe_agg(s, a, &m);

	if (s->before && a->fixed) {
		if (!same_agg(a, d))
			refuse_change(
				s, (struct user){.agg = a}, arena_printf(s->arena, "@%s", a->name));
		return;
	}
	if (!m.max_entries) {
		struct loc none = {0};

		diag_add(s->diags, "D_UNKNOWN", none, "Enabling exceeds size of buffer");
		s->failed = true;
	}
	a->atomic = a->in_irq && a->in_task;
	if (a->desc) /* records and the consumer know it by its address */
		*a->desc = *d;
	else
		a->desc = d;
	add_variable_map(s, (struct variable_map){.map = m, .agg = a->desc});
}

static void layout_aggs(struct lower_session *s)
{
	struct lowered *out = s->out;

	out->naggs = s->sema->aggs.len;
	out->aggs = arena_new_array(s->arena, const struct agg_desc *, out->naggs + 1);
	for (uint32_t i = 0; i < out->naggs; i++) {
		struct aggregation *a = s->sema->aggs.data[i];

		if (!a->func)
			continue;
		layout_agg(s, a);
		out->aggs[i] = a->desc;
	}
}

/* The table of stacks has room for stacks of so many frames, and no more. */
static void keep_stack_table(struct lower_session *s)
{
	if (s->sema->stack_frames > s->out->kept_frames)
		refuse_change(s, (struct user){0}, "the table of stacks");
	s->out->module.stack_frames = s->out->kept_frames;
}

void layout_session(struct lower_session *s)
{
	s->out->module.stack_frames = s->sema->stack_frames;
	if (s->out->kept_frames)
		keep_stack_table(s);
	layout_vars(s);
	layout_aggs(s);
	share_variable_maps(s);
	vec_for (m, &s->out->variable_maps)
		vec_push(s->arena, &s->out->module.maps, *m);
	vec_for (d, &s->out->variable_data)
		vec_push(s->arena, &s->out->module.data, *d);
	layout_records(s);
}
