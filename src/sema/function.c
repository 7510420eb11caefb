// SPDX-License-Identifier: Apache-2.0
/*
 * Checks functions that D programs define.  A call is the function's body put in place: parameters
 * and result are clause-local variables of that call.  There is no recursion, since a function's
 * name is not known before its end.
 */
#include "sema/sema_int.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "lang/ast.h"
#include "sema/names.h"
#include "sema/typed.h"

static bool parameters_named(struct sema *s, const struct user_function *f, struct loc loc)
{
	for (uint32_t i = 0; i < f->params.len; i++)
		if (!f->params.data[i].name)
			return sema_error(s, loc, "D_DECL_PROTO_NAME",
				"parameter #%u of function %s has no name", i + 1, f->name);
	return true;
}

/* A copy of the body with variables of its own, checked as one call of F. */
static bool expand(struct sema *s, struct user_function *f, stmt_vec *body,
	struct variable **params, struct variable **result)
{
	struct scope *scopes = arena_new_array(s->arena, struct scope, f->params.len + 1);
	const struct scope *outer = s->scope, *inner = NULL;
	struct user_function *caller = s->func;
	struct variable *outer_result = s->result;
	unsigned loops = s->loops;
	uint32_t call = f->calls++;
	bool ok;

	for (uint32_t i = 0; i < f->params.len; i++) {
		const struct binding *b = &f->params.data[i];

		params[i] = sema_new_variable(s, SCOPE_THIS,
			arena_printf(s->arena, "%s#%u.%s", f->name, call, b->name), b->type);
		params[i]->hidden = true;
		scopes[i] = (struct scope){
			.outer = inner, .name = b->name, .type = b->type, .var = params[i]};
		inner = &scopes[i];
	}
	*result = NULL;
	if (!sema_is_void(f->result)) {
		*result = sema_new_variable(
			s, SCOPE_THIS, arena_printf(s->arena, "%s#%u", f->name, call), f->result);
		(*result)->hidden = true;
	}
	if (!sema_expand_stmts(s, f->body, body))
		return false;
	s->scope = inner;
	s->func = f;
	s->result = *result;
	s->loops = 0;
	ok = sema_statements(s, body);
	s->scope = outer;
	s->func = caller;
	s->result = outer_result;
	s->loops = loops;
	return ok;
}

bool sema_function(struct sema *s, const struct item *it)
{
	struct declarator d = *it->decl->names.data[0];
	struct type_name tn = {it->decl->spec, &d};
	struct user_function *f = arena_new_obj(s->arena, struct user_function);
	struct variable **params, *result;
	stmt_vec body = {0};

	f->name = d.name;
	f->body = &it->body;
	if (!sema_params(s, &d.mods.data[0], &f->params) || !parameters_named(s, f, d.loc))
		return false;
	d.mods.data++;
	d.mods.len--;
	f->result = sema_type_name(s, &tn);
	if (!f->result)
		return false;
	if (!sema_is_void(f->result) && !sema_is_scalar(f->result) && !sema_is_string(f->result))
		return sema_error(s, d.loc, "D_DECL_PROTO_TYPE",
			"a function may not return a value of type %s",
			sema_type_text(s, f->result));
	if (builtin_find(d.name) || function_find(d.name) || strmap_get(&s->inlines, d.name) ||
		strmap_get(&s->functions, d.name) || strmap_get(&s->names[SCOPE_GLOBAL], d.name))
		return sema_error(s, d.loc, "D_DECL_IDRED", "identifier redeclared: %s", d.name);
	params = arena_new_array(s->arena, struct variable *, f->params.len + 1);
	if (!expand(s, f, &body, params, &result))
		return false;
	strmap_put(s->arena, &s->functions, d.name, f);
	return true;
}

struct expr *sema_variable_expr(struct sema *s, struct variable *v, struct loc loc)
{
	struct expr *e = arena_new_obj(s->arena, struct expr);

	e->kind = EXPR_VAR;
	e->scope = SCOPE_THIS;
	e->name = v->name;
	e->loc = loc;
	e->type = v->type;
	sema_info(s, e)->ref = REF_VAR;
	sema_info(s, e)->var = v;
	return e;
}

static bool pass_argument(
	struct sema *s, struct expr *e, struct user_function *f, uint32_t i, struct variable *param)
{
	struct expr **a = &e->args.data[i], *set;
	struct stmt *st;

	if (!sema_operand(s, *a))
		return false;
	if (!sema_compatible(f->params.data[i].type, *a))
		return sema_error(s, e->loc, "D_PROTO_ARG",
			"%s( ) argument #%u is incompatible with prototype:\n\tprototype: %s\n"
			"\t argument: %s",
			f->name, i + 1, sema_type_text(s, f->params.data[i].type),
			sema_type_text(s, (*a)->type));
	if (!sema_note_pointer(s, param, *a))
		return false;
	sema_hold(s, param, *a);
	sema_convert(s, a, param->type);
	set = arena_new_obj(s->arena, struct expr);
	set->kind = EXPR_ASSIGN;
	set->op = TOK_ASSIGN;
	set->loc = (*a)->loc;
	set->a = sema_variable_expr(s, param, (*a)->loc);
	set->b = *a;
	set->type = param->type;
	st = vec_add(s->arena, &sema_info(s, e)->inlined);
	st->kind = STMT_EXPR;
	st->loc = set->loc;
	st->expr = set;
	return true;
}

bool sema_call_user(struct sema *s, struct expr *e, struct user_function *f, bool statement)
{
	struct variable **params = arena_new_array(s->arena, struct variable *, f->params.len + 1);
	struct sema_expr *info = sema_info(s, e);
	bool no_actions = s->no_actions;
	struct variable *result;
	struct expansion x;
	stmt_vec body;
	bool ok;

	if (info->ref == REF_INLINED) /* checked before: by a compound assignment */
		return true;
	if (e->args.len != f->params.len)
		return sema_error(s, e->loc, "D_PROTO_LEN",
			"%s( ) prototype mismatch: %u arg%s passed, %u expected", f->name,
			e->args.len, e->args.len == 1 ? "" : "s", f->params.len);
	if (!sema_use_named(s, e->loc, f->name))
		return false;
	if (++s->depth > SEMA_MAX_DEPTH)
		return sema_error(s, e->loc, "D_UNKNOWN", "functions are nested too deeply");
	s->no_actions |= !statement;
	sema_expand_begin(s, &x, f->name, e->loc);
	ok = expand(s, f, &body, params, &result);
	sema_expand_end(s);
	s->no_actions = no_actions;
	s->depth--;
	if (!ok)
		return false;
	for (uint32_t i = 0; i < e->args.len; i++)
		if (!pass_argument(s, e, f, i, params[i]))
			return false;
	for (uint32_t i = 0; i < body.len; i++)
		vec_push(s->arena, &info->inlined, body.data[i]);
	info->ref = REF_INLINED;
	info->result = result;
	e->type = f->result;
	return true;
}
