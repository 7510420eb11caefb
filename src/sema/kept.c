// SPDX-License-Identifier: Apache-2.0
/*
 * Decides which members of translated objects variables keep: those that are read through the
 * variable anywhere in the session.  An assignment evaluates these members and copies them; what
 * one variable passes to another it must have kept itself, so all clauses are gone through until
 * nothing is added.
 */
#include "sema/sema_int.h"

#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "lang/ast.h"
#include "probe/args.h"
#include "sema/names.h"
#include "sema/typed.h"
#include "types/type.h"

struct keeping {
	struct sema *s;
	bool changed;
	bool last; /* nothing was added any more: report what does not fit together */
};

static bool use(struct keeping *k, struct expr *e);
static bool use_assignment(struct keeping *k, struct expr *e);
static bool use_effect(struct keeping *k, struct expr *e);
static bool use_stmts(struct keeping *k, stmt_vec *stmts);

/* ---- objects ---- */

static bool is_variable(const struct expr *e)
{
	return (e->kind == EXPR_VAR || e->kind == EXPR_INDEX) && e->info && e->info->ref == REF_VAR;
}

struct kept_member *sema_kept_member(const struct kept_object *o, const char *name)
{
	for (uint32_t i = 0; i < o->members.len; i++)
		if (!strcmp(o->members.data[i]->name, name))
			return o->members.data[i];
	return NULL;
}

struct kept_object *sema_kept_object(const struct expr *e)
{
	struct kept_member *m;
	struct kept_object *o;

	switch (e->kind) {
	case EXPR_VAR:
	case EXPR_INDEX:
		return is_variable(e) ? e->info->var->kept : NULL;
	case EXPR_MEMBER:
		o = sema_kept_object(e->a);
		m = o ? sema_kept_member(o, e->name) : NULL;
		return m ? m->object : NULL;
	case EXPR_UNARY:
		o = e->op == TOK_MUL ? sema_kept_object(e->a) : NULL;
		return o && o->pointer ? o : NULL;
	default:
		return NULL;
	}
}

/* True if members of T share bytes, so that one that is written shows in another. */
static bool overlaps(const struct type *t)
{
	const struct type *r = type_resolve(t);
	const struct member *m;
	uint32_t n;

	if (r->kind == TYPE_UNION)
		return true;
	m = type_members(r, &n);
	for (uint32_t i = 0; i < n; i++)
		if ((!m[i].name || !*m[i].name) && overlaps(m[i].type))
			return true;
	return false;
}

static struct kept_object *new_object(struct sema *s, const struct type *t)
{
	struct kept_object *o = arena_new_obj(s->arena, struct kept_object);
	const struct type *r = type_resolve(t);

	o->pointer = r->kind == TYPE_PTR;
	o->type = o->pointer ? r->ref : t;
	return o;
}

void sema_hold(struct sema *s, struct variable *v, const struct expr *value)
{
	v->plain |= overlaps(v->type);
	if (v->plain || !sema_is_translated(value) || !type_same(v->type, value->type))
		return;
	if (!v->kept)
		v->kept = new_object(s, v->type);
	v->nonscratch |= v->kept->pointer;
}

static void want_object(struct keeping *k, struct kept_object **o, const struct type *t)
{
	if (*o)
		return;
	*o = new_object(k->s, t);
	k->changed = true;
}

static void want_whole(struct keeping *k, struct kept_object *o)
{
	k->changed |= !o->whole;
	o->whole = true;
}

static struct kept_member *want_member(
	struct keeping *k, struct kept_object *o, const char *name, struct loc where)
{
	struct kept_member *m = sema_kept_member(o, name);

	if (!m) {
		m = arena_new_obj(k->s->arena, struct kept_member);
		m->name = name;
		type_find_member(o->type, name, &m->path);
		vec_push(k->s->arena, &o->members, m);
		k->changed = true;
	}
	if (!m->loc.src)
		m->loc = where;
	return m;
}

/* True if E is a member or element of an object. */
static bool is_part(const struct expr *e)
{
	return e->kind == EXPR_MEMBER || (e->kind == EXPR_INDEX && !is_variable(e));
}

/* The variable that E is or is part of holds values that are not translated objects. */
static void note_plain(struct keeping *k, const struct expr *e)
{
	while (is_part(e) && !sema_is_ptr(e->a->type))
		e = e->a;
	if (!is_variable(e) || sema_is_ptr(e->info->var->type))
		return;
	k->changed |= e->info->var->kept != NULL;
	e->info->var->kept = NULL;
	e->info->var->plain = true;
}

/* E, part of a variable or of what it points to, is written to. */
static bool write_to(struct keeping *k, const struct expr *e)
{
	const struct kept_object *o;

	const struct expr *m = e;

	while (is_part(m) && !sema_is_ptr(m->a->type))
		m = m->a;
	o = m->kind == EXPR_MEMBER ? sema_kept_object(m->a) : NULL;
	if (o && o->pointer)
		return sema_error(k->s, e->loc, "D_OP_WRITE",
			"a member of a translated object cannot be written to");
	note_plain(k, e);
	return true;
}

/* ---- what an assignment copies ---- */

/* True if all that E may be is translated objects, or NULL. */
static bool gives_object(const struct expr *e)
{
	if (sema_is_zero(e) || (e->info && e->info->ref == REF_XLATE))
		return true;
	switch (e->kind) {
	case EXPR_COND:
		return gives_object(e->b) && gives_object(e->c);
	case EXPR_ASSIGN:
		return gives_object(e->a);
	case EXPR_COMMA:
		return gives_object(e->b);
	case EXPR_CALL:
		return e->info && e->info->ref == REF_INLINED && e->info->result &&
			e->info->result->kept;
	default:
		return sema_kept_object(e) != NULL;
	}
}

static bool mixed(struct keeping *k, struct loc loc, const char *name)
{
	return sema_error(k->s, loc, "D_OP_INCOMPAT",
		"%s may not hold both translated objects and other values", name);
}

/* O gets what FROM has. */
static bool link(struct keeping *k, struct kept_object *o, struct kept_object *from)
{
	if (!from || o == from)
		return true;
	if (o->pointer && from->pointer && o->flagged != from->flagged)
		o->flagged = from->flagged = k->changed = true;
	if (o->whole) {
		want_whole(k, from);
		for (uint32_t i = 0; i < from->members.len; i++)
			want_member(k, o, from->members.data[i]->name, (struct loc){0});
	}
	for (uint32_t i = 0; i < o->members.len; i++) {
		struct kept_member *m = o->members.data[i];
		struct kept_member *there = want_member(k, from, m->name, m->loc);

		if (there->object)
			want_object(k, &m->object, m->path.type);
		else if (m->object && k->last)
			return mixed(k, m->loc, m->name);
		if (m->object && !link(k, m->object, there->object))
			return false;
	}
	return true;
}

static bool fill(struct keeping *k, struct kept_object *o, struct expr *e);
static bool use_whole(struct keeping *k, struct expr *e);

/* Member M of O is copied from E, an xlate expression. */
static bool fill_member(
	struct keeping *k, struct kept_object *o, struct kept_member *m, struct expr *e)
{
	struct expr *value = sema_xlate_value(k->s, e, m->name, m->loc);

	if (!value)
		return false;
	if (sema_is_translated(value) && overlaps(m->path.type))
		return use_whole(k, value);
	if (sema_is_translated(value))
		want_object(k, &m->object, m->path.type);
	if (!m->object)
		return use(k, value);
	if (!gives_object(value))
		return !k->last || mixed(k, m->loc, m->name);
	if (o->whole && !m->object->pointer)
		want_whole(k, m->object);
	return fill(k, m->object, value);
}

static bool fill_translated(struct keeping *k, struct kept_object *o, struct expr *e)
{
	const struct translator_ast *t = e->info->xlate->ast;

	if (!use(k, e->a))
		return false;
	if (o->pointer && !o->flagged && !sema_is_ptr(e->a->type))
		o->flagged = k->changed = true;
	for (uint32_t i = 0; o->whole && i < t->members.len; i++)
		want_member(k, o, t->members.data[i].name, (struct loc){0});
	for (uint32_t i = 0; i < o->members.len; i++) {
		struct kept_member *m = o->members.data[i];
		bool defined = false;

		for (uint32_t j = 0; j < t->members.len; j++)
			defined |= !strcmp(t->members.data[j].name, m->name);
		/* 0 in a struct, as what another translator defines for a whole one */
		if (!defined && (!m->loc.src || !o->pointer))
			continue;
		if (!fill_member(k, o, m, e))
			return false;
	}
	return true;
}

/* The subscripts of the variable that E is or is part of, and the members on the way. */
static bool use_base(struct keeping *k, struct expr *e)
{
	struct kept_object *o;

	switch (e->kind) {
	case EXPR_VAR:
		return true;
	case EXPR_INDEX:
		for (uint32_t i = 0; i < e->args.len; i++)
			if (!use(k, e->args.data[i]))
				return false;
		return true;
	case EXPR_MEMBER:
		o = sema_kept_object(e->a);
		if (!o)
			return use(k, e);
		want_member(k, o, e->name, e->loc);
		return use_base(k, e->a);
	default: /* *p */
		return use_base(k, e->a);
	}
}

static bool fill(struct keeping *k, struct kept_object *o, struct expr *e)
{
	if (sema_is_zero(e))
		return true;
	if (e->info && e->info->ref == REF_XLATE)
		return fill_translated(k, o, e);
	switch (e->kind) {
	case EXPR_COND:
		return use(k, e->a) && fill(k, o, e->b) && fill(k, o, e->c);
	case EXPR_ASSIGN:
		return use_assignment(k, e) && link(k, o, sema_kept_object(e->a));
	case EXPR_COMMA:
		return use_effect(k, e->a) && fill(k, o, e->b);
	case EXPR_CALL:
		return use(k, e) && link(k, o, e->info->result->kept);
	default:
		return use_base(k, e) && link(k, o, sema_kept_object(e));
	}
}

/* All members of E, a translated object, are wanted where it stands. */
static bool use_whole(struct keeping *k, struct expr *e)
{
	struct kept_object *o = sema_kept_object(e);

	if (e->info && e->info->ref == REF_XLATE) {
		struct kept_object all = {.type = e->info->xlate->out, .whole = true};
		bool changed = k->changed, ok = fill_translated(k, &all, e);

		k->changed = changed;
		return ok;
	}
	switch (e->kind) {
	case EXPR_COND:
		return use(k, e->a) && use_whole(k, e->b) && use_whole(k, e->c);
	case EXPR_ASSIGN:
		return use_assignment(k, e) && use_whole(k, e->a);
	case EXPR_COMMA:
		return use_effect(k, e->a) && use_whole(k, e->b);
	case EXPR_CALL:
		if (e->info && e->info->result && e->info->result->kept)
			want_whole(k, e->info->result->kept);
		return use(k, e);
	case EXPR_UNARY:
		if (e->op == TOK_MUL && sema_is_translated(e->a))
			return use_whole(k, e->a);
		break;
	default:
		break;
	}
	if (!o)
		return use(k, e);
	want_whole(k, o);
	return use_base(k, e);
}

/* Variable V is assigned E. */
static bool give(struct keeping *k, struct expr *target, struct variable *v, struct expr *e)
{
	bool pointer = sema_is_ptr(v->type);

	if (!gives_object(e) || !type_same(v->type, e->type)) {
		if (v->kept && pointer && !sema_is_zero(e))
			return !k->last || mixed(k, e->loc, v->name);
		if (target && !pointer && !sema_is_zero(e))
			note_plain(k, target);
		return use_whole(k, e);
	}
	if (sema_is_zero(e))
		return true;
	v->plain |= overlaps(v->type);
	if (v->plain)
		return use_whole(k, e);
	want_object(k, &v->kept, v->type);
	v->nonscratch |= pointer;
	return fill(k, v->kept, e);
}

/* ---- uses ---- */

static bool use_all(struct keeping *k, struct expr *e)
{
	struct sema_expr *info = (struct sema_expr *)e->info;
	bool inlined = info && info->ref == REF_INLINED;

	if (!use(k, e->a) || !use(k, e->b) || !use(k, e->c))
		return false;
	for (uint32_t i = 0; i < e->args.len && !inlined; i++)
		if (!use(k, e->args.data[i]))
			return false;
	for (uint32_t i = 0; info && i < info->xmembers.len; i++)
		if (!use(k, info->xmembers.data[i].value))
			return false;
	return !info || use_stmts(k, &info->inlined);
}

static bool use_member(struct keeping *k, struct expr *e)
{
	struct kept_object *o = sema_kept_object(e->a), *part;

	/* of a variable that holds objects only since a later assignment */
	if (!o && sema_is_translated(e->a)) {
		k->changed = true;
		return sema_member_of_choice(k->s, e) && use(k, e);
	}
	if (!o)
		return use_all(k, e);
	part = want_member(k, o, e->name, e->loc)->object;
	if (part && !part->pointer)
		want_whole(k, part);
	return use_base(k, e->a);
}

static bool use_assignment(struct keeping *k, struct expr *e)
{
	if (e->op == TOK_ASSIGN && is_variable(e->a))
		return use_base(k, e->a) && give(k, e->a, e->a->info->var, e->b);
	if (!write_to(k, e->a))
		return false;
	if (e->op == TOK_ASSIGN)
		return use(k, e->a) && use_whole(k, e->b);
	return use_all(k, e);
}

static bool use(struct keeping *k, struct expr *e)
{
	struct kept_object *o;

	if (!e)
		return true;
	switch (e->kind) {
	case EXPR_VAR:
	case EXPR_INDEX:
		o = sema_kept_object(e);
		if (o && !o->pointer)
			want_whole(k, o);
		return is_variable(e) ? use_base(k, e) : use_all(k, e);
	case EXPR_MEMBER:
		return use_member(k, e);
	case EXPR_ASSIGN:
		if (!use_assignment(k, e))
			return false;
		o = sema_kept_object(e->a);
		if (o && !o->pointer)
			want_whole(k, o);
		return true;
	case EXPR_POSTFIX:
		return write_to(k, e->a) && use_all(k, e);
	case EXPR_UNARY:
		if ((e->op == TOK_INC || e->op == TOK_DEC) && !write_to(k, e->a))
			return false;
		return e->op == TOK_MUL && sema_is_translated(e->a) ? use_whole(k, e)
								    : use_all(k, e);
	case EXPR_CALL:
		if (e->info && e->info->ref == REF_FUNC && e->info->func->id == FUNC_print)
			return use_whole(k, e->args.data[0]);
		return use_all(k, e);
	default:
		return use_all(k, e);
	}
}

/* E, the expression of a statement: nobody takes the value of an assignment. */
static bool use_effect(struct keeping *k, struct expr *e)
{
	return e && e->kind == EXPR_ASSIGN ? use_assignment(k, e) : use(k, e);
}

static bool use_stmts(struct keeping *k, stmt_vec *stmts)
{
	for (uint32_t i = 0; i < stmts->len; i++) {
		struct stmt *st = &stmts->data[i];

		if (st->kind == STMT_RETURN && st->result ? !give(k, NULL, st->result, st->expr)
							  : !use_effect(k, st->expr))
			return false;
		if (!use_effect(k, st->init) || !use_effect(k, st->step) ||
			!use_stmts(k, &st->body) || !use_stmts(k, &st->orelse))
			return false;
	}
	return true;
}

/* What statements said that are not part of any clause in the end does not count. */
static void forget_variables(struct sema *s)
{
	vec_for (p, &s->session.vars) {
		(*p)->kept = NULL;
		(*p)->plain = false;
	}
}

static bool use_clause(struct keeping *k, struct sema_clause *c)
{
	uint32_t used = c->args_used;
	bool ok;

	k->s->clause = c;
	k->s->diags->region = REGION_PREDICATE;
	ok = use(k, c->ast->predicate);
	k->s->diags->region = REGION_ACTIONS;
	ok = ok && use_stmts(k, &c->ast->stmts);
	k->s->diags->region = REGION_NONE;
	k->s->clause = NULL;
	for (uint32_t i = 0; ok && i < c->probes.len && c->derived && c->args_used != used; i++)
		ok = sema_derive(k->s, c->probes.data[i], c->args_used);
	return ok;
}

/* What providers make their probes of. */
static bool use_derived(struct keeping *k)
{
	for (uint32_t i = 0; i < k->s->session.derived.len; i++) {
		struct sema_derived *d = k->s->session.derived.data[i];

		if (!use(k, d->when) || !use(k, d->task))
			return false;
		for (uint32_t j = 0; j < PROBE_NARGS; j++)
			if (!use(k, d->args[j]))
				return false;
	}
	return true;
}

bool sema_keep_members(struct sema *s)
{
	struct keeping k = {.s = s, .changed = true};

	if (!s->translates)
		return true;
	forget_variables(s);
	while (!k.last) {
		k.last = !k.changed;
		k.changed = false;
		for (uint32_t i = 0; i < s->session.clauses.len; i++)
			if (!use_clause(&k, s->session.clauses.data[i]))
				return false;
		if (!use_derived(&k))
			return false;
	}
	return true;
}
