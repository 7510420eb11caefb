// SPDX-License-Identifier: Apache-2.0
/*
 * Checks translators and their uses.  A translated object has no bytes of its own: xlate<T>(e).m
 * becomes the translator's expression for m with e in the place of its parameter.  Variables keep
 * copies of members (kept.c).
 */
#include "sema/hint.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "lang/ast.h"
#include "sema/sema_int.h"
#include "sema/typed.h"
#include "types/type.h"

bool sema_is_translated(const struct expr *e)
{
	const struct kept_object *o;

	if (e->info && e->info->ref == REF_XLATE)
		return true;
	switch (e->kind) {
	case EXPR_COND:
		return sema_is_translated(e->b) || sema_is_translated(e->c);
	case EXPR_ASSIGN:
		return e->op == TOK_ASSIGN && sema_is_translated(e->a);
	case EXPR_COMMA:
		return sema_is_translated(e->b);
	case EXPR_CALL:
		return e->info && e->info->ref == REF_INLINED && e->info->result &&
			e->info->result->kept;
	case EXPR_UNARY:
		return e->op == TOK_MUL && sema_is_translated(e->a);
	default:
		o = sema_kept_object(e);
		return o && o->pointer;
	}
}

bool sema_is_dynamic(const struct expr *e)
{
	return sema_is_dyn(e->type) || sema_is_translated(e);
}

static const struct type *pointee(const struct type *t)
{
	const struct type *r = type_resolve(t);

	return r->kind == TYPE_PTR ? r->ref : t;
}

static bool same_type_exact(const struct type *a, const struct type *b)
{
	return a == b ||
		(type_same(a, b) && a->kind == TYPE_TYPEDEF && b->kind == TYPE_TYPEDEF &&
			!strcmp(a->name, b->name));
}

/* True if a value of type T may be given where the translator wants IN. */
static bool fits(const struct type *in, const struct type *t)
{
	struct expr e = {.kind = EXPR_VAR, .type = t};

	return sema_compatible(in, &e);
}

/*
 * Returns the translator to OUT from TYPE: exactly, without typedefs, or from what TYPE converts
 * to.
 */
static const struct translator *find_translator(
	struct sema *s, const struct type *out, const struct type *type)
{
	const struct translator *same = NULL, *close = NULL;

	vec_for (p, &s->translators) {
		const struct translator *t = *p;

		if (!type_same(t->out, out) || (s->cfg->version && t->version > s->cfg->version))
			continue;
		if (same_type_exact(t->in, type))
			return t;
		if (!same && type_same(t->in, type))
			same = t;
		if (!close && fits(t->in, type))
			close = t;
	}
	return same ? same : close;
}

static struct expr *member_value(struct sema *s, const struct translator *t, struct expr *from,
	const struct expr *value, struct loc use)
{
	struct scope scope = {.name = t->ast->param, .type = t->in, .value = from};
	const struct scope *outer = s->scope;
	struct expansion x;
	struct expr *v;
	bool ok;

	sema_expand_begin(s, &x, sema_type_text(s, t->out), use);
	v = sema_expand(s, value);
	s->scope = &scope;
	ok = v && sema_expr(s, v);
	s->scope = outer;
	sema_expand_end(s);
	return ok ? v : NULL;
}

/* Put a conversion around a member's value, so that it has the member's type. */
static struct expr *converted(struct sema *s, struct expr *v, const struct type *to)
{
	const struct type *r = type_resolve(to);

	/* a string for a char array stays the string that it is */
	if (r->kind == TYPE_ARRAY && sema_is_stringy(r) && sema_is_stringy(v->type))
		return v;
	if (!sema_is_dynamic(v)) {
		sema_convert(s, &v, to);
		if (type_same(v->type, to))
			v->type = to;
	}
	return v;
}

static struct expr *shift(struct sema *s, struct expr *v, enum token_kind op, uint32_t bits)
{
	struct expr *e = arena_new_obj(s->arena, struct expr),
		    *by = arena_new_obj(s->arena, struct expr);

	by->loc = e->loc = v->loc;
	sema_make_int(by, bits, basic(s, T_INT));
	e->kind = EXPR_BINARY;
	e->op = op;
	e->a = v;
	e->b = by;
	e->type = v->type;
	sema_fold(s, e);
	return e;
}

/* Returns V as the value of a member: of a bit-field the bits that it has. */
static struct expr *stored(struct sema *s, struct expr *v, const struct member_path *path)
{
	uint32_t up = 64 - path->bit_size;

	v = converted(s, v, path->type);
	if (!path->bit_size || sema_is_dynamic(v))
		return v;
	v = converted(s, v, basic(s, type_resolve(path->type)->is_signed ? T_LONG : T_ULONG));
	v = shift(s, shift(s, v, TOK_SHL, up), TOK_SHR, up);
	return converted(s, v, path->type);
}

static bool assignable(const struct type *to, const struct expr *v)
{
	const struct type *r = type_resolve(to);

	if (r->kind == TYPE_ARRAY && sema_is_stringy(r))
		return sema_is_stringy(v->type);
	return sema_compatible(to, v);
}

static bool check_member(
	struct sema *s, const struct translator *t, const struct translator_member *m)
{
	struct scope scope = {.name = t->ast->param, .type = t->in};
	const struct scope *outer = s->scope;
	struct expr *v = sema_clone(s->arena, m->value);
	struct member_path path;
	bool ok;

	if (!type_find_member(t->out, m->name, &path))
		return sema_error(s, m->loc, "D_XLATE_MEMB",
			       "translator member %s is not a member of %s", m->name,
			       sema_type_text(s, t->out)) ||
			hint_member(s, type_resolve(t->out), m->name);
	s->scope = &scope;
	ok = sema_expr(s, v);
	s->scope = outer;
	if (!ok)
		return false;
	if (!assignable(path.type, v))
		return sema_error(s, m->loc, "D_XLATE_INCOMPAT",
			"translator member %s definition uses incompatible types: \"%s\" = \"%s\"",
			m->name, sema_type_text(s, path.type), sema_type_text(s, v->type));
	return true;
}

static const struct expr *find_value(const struct translator_ast *t, const char *name)
{
	for (uint32_t i = 0; i < t->members.len; i++)
		if (!strcmp(t->members.data[i].name, name))
			return t->members.data[i].value;
	return NULL;
}

/*
 * Returns the definition without what does not compile on this kernel: of a member that is defined
 * more than once the first definition that does is left.
 */
static const struct translator_ast *without_bad_members(struct sema *s, const struct translator *t)
{
	struct translator_ast *kept = arena_new_obj(s->arena, struct translator_ast);
	const struct sema clean = *s;

	*kept = *t->ast;
	kept->members.len = 0;
	kept->members.data = NULL;
	kept->members.cap = 0;
	for (uint32_t i = 0; i < t->ast->members.len; i++) {
		uint32_t errors = s->diags->list.len;

		if (find_value(kept, t->ast->members.data[i].name))
			continue;
		if (check_member(s, t, &t->ast->members.data[i])) {
			vec_push(s->arena, &kept->members, t->ast->members.data[i]);
		} else {
			sema_leave_out(s, sema_type_text(s, t->out), t->ast->members.data[i].name);
			s->diags->list.len = errors;
			sema_leave(s, &clean);
		}
	}
	return kept;
}

static bool check_members(struct sema *s, struct translator *t)
{
	if (s->cfg->lenient) {
		t->ast = without_bad_members(s, t);
		return true;
	}
	for (uint32_t i = 0; i < t->ast->members.len; i++)
		if (!check_member(s, t, &t->ast->members.data[i]))
			return false;
	return true;
}

bool sema_translator(struct sema *s, const struct translator_ast *ast, struct loc loc)
{
	struct translator *t = arena_new_obj(s->arena, struct translator);
	const struct type *r;

	t->ast = ast;
	t->out = sema_type_name(s, ast->out);
	t->in = t->out ? sema_type_name(s, ast->in) : NULL;
	if (!t->in)
		return false;
	r = type_resolve(t->out);
	if (r->kind != TYPE_STRUCT && r->kind != TYPE_UNION)
		return sema_error(s, loc, "D_XLATE_SOU",
			"translator output type must be a struct or union: %s",
			sema_type_text(s, t->out));
	vec_for (p, &s->translators)
		if (type_same((*p)->out, t->out) && type_same((*p)->in, t->in))
			return sema_error(s, loc, "D_XLATE_REDECL",
				"translator from %s to %s has already been declared",
				sema_type_text(s, t->in), sema_type_text(s, t->out));
	t->version = sema_bind_translator(s, loc);
	if (!check_members(s, t))
		return false;
	vec_push(s->arena, &s->translators, t);
	return true;
}

/* ---- use ---- */

bool sema_translate(struct sema *s, struct expr *e, const struct type *t)
{
	const struct translator *x = find_translator(s, pointee(t), e->a->type);

	if (!x && sema_from_library(s, ""))
		x = find_translator(s, pointee(t), e->a->type);
	if (!x)
		return false;
	if (!type_same(e->a->type, x->in))
		sema_convert(s, &e->a, x->in);
	sema_info(s, e)->ref = REF_XLATE;
	sema_info(s, e)->xlate = x;
	e->type = t;
	s->translates = true;
	return true;
}

static bool has_effect(void *arg, const struct expr *e)
{
	(void)arg;
	switch (e->kind) {
	case EXPR_ASSIGN:
	case EXPR_POSTFIX:
		return true;
	case EXPR_UNARY:
		return e->op == TOK_INC || e->op == TOK_DEC;
	case EXPR_CALL:
		if (!e->info || e->info->ref != REF_FUNC)
			return e->info && e->info->ref == REF_INLINED;
		return e->info->func->id == FUNC_strtok || e->info->func->id == FUNC_rand ||
			e->info->func->id == FUNC_speculation || e->info->func->id == FUNC_alloca;
	default:
		return false;
	}
}

/*
 * Makes xlate<T>(n++) to (v = n++, xlate<T>(v)) with a variable of its own: members of the object
 * evaluate the input each time they use it.
 */
static bool evaluate_once(struct sema *s, struct expr *e)
{
	struct expr *object = arena_new_obj(s->arena, struct expr), *in = e->a;
	struct expr *set = arena_new_obj(s->arena, struct expr), **value = &in;
	struct variable *v;

	if (in->kind == EXPR_UNARY && in->op == TOK_MUL) /* *p++: its place, not its bytes */
		value = &in->a;
	v = sema_new_variable(s, SCOPE_THIS,
		arena_printf(s->arena, "xlate#%u", s->session.vars.len), (*value)->type);
	v->hidden = true;
	if (!sema_note_pointer(s, v, *value))
		return false;
	sema_hold(s, v, *value);
	*object = *e;
	*set = (struct expr){.kind = EXPR_ASSIGN, .op = TOK_ASSIGN, .loc = in->loc};
	set->a = sema_variable_expr(s, v, in->loc);
	set->b = *value;
	set->type = v->type;
	*value = sema_variable_expr(s, v, in->loc);
	object->a = in;
	e->kind = EXPR_COMMA;
	e->op = TOK_COMMA;
	e->a = set;
	e->b = object;
	e->info = NULL;
	return true;
}

bool sema_xlate(struct sema *s, struct expr *e)
{
	const struct type *t = sema_type_name(s, e->tname);

	if (!t || !sema_expr(s, e->a))
		return false;
	if (!sema_translate(s, e, t))
		return sema_error(s, e->loc, "D_XLATE_NONE",
			"translator from %s to %s is not defined", sema_type_text(s, e->a->type),
			sema_type_text(s, t));
	return !sema_any_expr(e->a, has_effect, NULL, NULL) || evaluate_once(s, e);
}

/* Returns the translator's expression for member NAME, and its place in the object in *PATH. */
static const struct expr *definition(struct sema *s, const struct translator *t, const char *name,
	struct loc where, struct member_path *path)
{
	const struct expr *value = find_value(t->ast, name);
	const char *why;

	if (!type_find_member(t->out, name, path)) {
		if (!sema_error(s, where, "D_TYPE_MEMBER", "%s is not a member of %s", name,
			    sema_type_text(s, t->out)))
			hint_member(s, type_resolve(t->out), name);
		return NULL;
	}
	why = value ? NULL : sema_left_out(s, sema_type_text(s, t->out), name);
	if (why)
		sema_error(s, where, "D_XLATE_NOCONV",
			"translator for %s has no conversion for member %s on this kernel: %s",
			sema_type_text(s, t->out), name, why);
	else if (!value)
		sema_error(s, where, "D_XLATE_NOCONV",
			"translator for %s has no conversion for member %s: it is not defined by the translation from %s",
			sema_type_text(s, t->out), name, sema_type_text(s, t->in));
	return value;
}

bool sema_xlate_member(struct sema *s, struct expr *e)
{
	const struct translator *t = e->a->info->xlate;
	struct member_path path;
	const struct expr *value = definition(s, t, e->name, e->loc, &path);
	struct expr *v = value ? member_value(s, t, e->a->a, value, e->loc) : NULL;

	if (!v)
		return false;
	sema_put_definition(e, stored(s, v, &path), value);
	return true;
}

struct expr *sema_xlate_value(struct sema *s, struct expr *e, const char *name, struct loc where)
{
	struct sema_expr *info = sema_info(s, e);
	const struct expr *value;
	struct xlate_member *x;
	struct member_path path;
	struct expr *v;

	for (uint32_t i = 0; i < info->xmembers.len; i++)
		if (!strcmp(info->xmembers.data[i].name, name))
			return info->xmembers.data[i].value;
	value = definition(s, info->xlate, name, where, &path);
	v = value ? member_value(s, info->xlate, e->a, value, e->loc) : NULL;
	if (!v)
		return NULL;
	x = vec_add(s->arena, &info->xmembers);
	x->name = name;
	x->path = path;
	x->value = converted(s, v, path.type);
	return x->value;
}

/* ---- members of expressions that give objects ---- */

static struct expr *member_of(struct sema *s, const struct expr *e, struct expr *object)
{
	struct expr *m = arena_new_obj(s->arena, struct expr);

	*m = *e;
	m->info = NULL;
	m->a = object;
	return sema_member(s, m) ? m : NULL;
}

/* The object is that of variable V after EFFECT, an assignment to it or the call that made it. */
static bool member_after(struct sema *s, struct expr *e, struct expr *effect, struct expr *v)
{
	e->b = member_of(s, e, v);
	e->kind = EXPR_COMMA;
	e->op = TOK_COMMA;
	e->a = effect;
	e->info = NULL;
	if (e->b)
		e->type = e->b->type;
	return e->b != NULL;
}

bool sema_member_of_choice(struct sema *s, struct expr *e)
{
	struct expr *o = e->a, *b, *c;

	if (o->kind == EXPR_UNARY && o->op == TOK_MUL) { /* (*p).m is p->m */
		e->op = TOK_ARROW;
		e->a = o->a;
		e->info = NULL;
		return sema_member(s, e);
	}
	switch (o->kind) {
	case EXPR_ASSIGN:
		return member_after(s, e, o, o->a);
	case EXPR_CALL:
		return member_after(s, e, o, sema_variable_expr(s, o->info->result, o->loc));
	case EXPR_COMMA:
		return member_after(s, e, o->a, o->b);
	default: /* ?: */
		b = member_of(s, e, o->b);
		c = b ? member_of(s, e, o->c) : NULL;
		if (!c)
			return false;
		*e = (struct expr){.kind = EXPR_COND,
			.loc = e->loc,
			.text = e->text,
			.text_len = e->text_len,
			.a = o->a,
			.b = b,
			.c = c};
		return sema_choice(s, e);
	}
}
