// SPDX-License-Identifier: Apache-2.0
/* Checks statements. */
#include "sema/hint.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "lang/ast.h"
#include "sema/names.h"
#include "sema/sema_int.h"
#include "sema/typed.h"

static bool is_action(const struct expr *e)
{
	const struct function *f;

	if (e->kind != EXPR_CALL || e->a->kind != EXPR_VAR || e->a->scope != SCOPE_GLOBAL)
		return false;
	f = function_find(e->a->name);
	return f &&
		(f->klass == CLASS_ACTION || f->klass == CLASS_SYMBOL || f->klass == CLASS_LATER);
}

/* x ? printf() : printf() alone as a statement chooses between actions: it is an if. */
static bool make_if(struct sema *s, struct stmt *st)
{
	struct expr *e = st->expr;
	struct stmt *yes, *no;

	if (e->kind != EXPR_COND || (!is_action(e->b) && !is_action(e->c)))
		return false;
	st->kind = STMT_IF;
	st->expr = e->a;
	yes = vec_add(s->arena, &st->body);
	*yes = (struct stmt){.kind = STMT_EXPR, .loc = e->b->loc, .expr = e->b};
	no = vec_add(s->arena, &st->orelse);
	*no = (struct stmt){.kind = STMT_EXPR, .loc = e->c->loc, .expr = e->c};
	return true;
}

static bool check_expr(struct sema *s, struct expr *e)
{
	if (e->kind == EXPR_AGG)
		return sema_error(s, e->loc, "D_AGG_NULL",
			       "@%s is not a statement: an aggregation must be assigned",
			       e->name) ||
			hint_text(s, "did you mean @%s = count( )?", e->name);
	if ((is_action(e) || (e->kind == EXPR_ASSIGN && e->a->kind == EXPR_AGG)) && s->no_actions)
		return sema_error(s, e->loc, "D_OP_ACT",
			"a function that is called for its value may not trace: %s( )",
			s->func->name);
	if (e->kind == EXPR_ASSIGN && e->a->kind == EXPR_AGG)
		return sema_agg_assign(s, e);
	if (e->kind == EXPR_CALL)
		return sema_call(s, e, true, false);
	return sema_expr(s, e);
}

static bool check_condition(struct sema *s, struct expr **e, const char *what)
{
	if (!sema_operand(s, *e))
		return false;
	sema_decay_rest(s, e);
	return sema_is_truth(*e) ||
		sema_error(
			s, (*e)->loc, "D_PRED_SCALAR", "%s condition must be of scalar type", what);
}

/*
 * Each loop is a function to the kernel, which calls 8 deep at most (MAX_CALL_FRAMES,
 * linux/bpf_verifier.h), the program and what the run-time library needs included.
 */
#define LOOPS_MAX 5

static bool enter_loop(struct sema *s, const struct stmt *st)
{
	if (s->loop_depth == LOOPS_MAX)
		return sema_error(s, st->loc, "D_UNKNOWN",
			"loops are nested too deeply: %d is the most, those of called functions included",
			LOOPS_MAX);
	s->loop_depth++;
	s->loops++;
	return true;
}

static void leave_loop(struct sema *s)
{
	s->loop_depth--;
	s->loops--;
}

static bool check_loop(struct sema *s, struct stmt *st)
{
	const char *what = st->kind == STMT_FOR ? "for" : "while";
	bool ok;

	if (st->init && !check_expr(s, st->init))
		return false;
	if (st->expr && !check_condition(s, &st->expr, what))
		return false;
	if (!enter_loop(s, st))
		return false;
	ok = sema_statements(s, &st->body);
	leave_loop(s);
	return ok && (!st->step || check_expr(s, st->step));
}

/* True in clauses that may run for as long as an array is large. */
static bool may_iterate(const struct sema *s)
{
	for (uint32_t i = 0; s->clause && i < s->clause->probes.len; i++) {
		const struct probe *p = s->clause->probes.data[i];

		if (strcmp(p->prov, "dtrace") && strncmp(p->name, "tick-", 5))
			return false;
	}
	return true;
}

static bool check_foreach(struct sema *s, struct stmt *st)
{
	struct scope *scopes = arena_new_array(s->arena, struct scope, st->keys.len + 1);
	const struct scope *outer = s->scope;
	struct variable *v = strmap_get(&s->names[st->over->scope], st->over->name);
	bool ok;

	if (!v)
		return sema_error(s, st->over->loc, "D_VAR_UNDEF",
			       "%s has not yet been declared or assigned", st->over->name) ||
			hint_variable(s, st->over);
	if (!v->is_assoc)
		return sema_error(s, st->over->loc, "D_ARR_BADREF",
			"foreach goes over an associative array: %s is none", st->over->name);
	if (v->scope != SCOPE_GLOBAL)
		return sema_error(s, st->over->loc, "D_ARR_BADREF",
			"foreach cannot go over a thread-local array: self->%s", st->over->name);
	if (!may_iterate(s))
		return sema_error(s, st->loc, "D_ARR_BADREF",
			"foreach may only be used in BEGIN, END, ERROR and tick probes");
	if (st->keys.len != v->nkeys)
		return sema_error(s, st->loc, "D_PROTO_LEN",
			"%s[ ] prototype mismatch: %u key%s passed, %u expected", v->name,
			st->keys.len, st->keys.len == 1 ? "" : "s", v->nkeys);
	sema_info(s, st->over)->ref = REF_VAR;
	sema_info(s, st->over)->var = v;
	v->iterated = true;
	for (uint32_t i = 0; i < st->keys.len; i++) {
		struct binding *b = &st->keys.data[i];

		b->type = v->keys[i];
		b->var = sema_new_variable(s, SCOPE_THIS,
			arena_printf(s->arena, "foreach#%u.%s", s->session.vars.len, b->name),
			b->type);
		b->var->hidden = true;
		b->var->nonscratch = true;
		scopes[i] = (struct scope){
			.outer = s->scope, .name = b->name, .type = b->type, .var = b->var};
		s->scope = &scopes[i];
	}
	if (!enter_loop(s, st))
		return false;
	ok = sema_statements(s, &st->body);
	leave_loop(s);
	s->scope = outer;
	return ok;
}

static bool check_return(struct sema *s, struct stmt *st)
{
	if (!s->func)
		return sema_error(
			s, st->loc, "D_SYNTAX", "\"return\" may only be used in a function");
	if (!st->expr)
		return !s->result ||
			sema_error(s, st->loc, "D_OP_INCOMPAT",
				"function %s must return a value of type %s", s->func->name,
				sema_type_text(s, s->func->result));
	if (!sema_expr(s, st->expr))
		return false;
	if (!s->result || !sema_compatible(s->result->type, st->expr))
		return sema_error(s, st->loc, "D_OP_INCOMPAT",
			"function %s returns %s, not a value of type %s", s->func->name,
			sema_type_text(s, s->func->result), sema_type_text(s, st->expr->type));
	if (!sema_note_pointer(s, s->result, st->expr))
		return false;
	sema_hold(s, s->result, st->expr);
	sema_convert(s, &st->expr, s->result->type);
	st->result = s->result;
	return true;
}

static bool check_statement(struct sema *s, struct stmt *st)
{
	switch (st->kind) {
	case STMT_EXPR:
		if (!make_if(s, st))
			return check_expr(s, st->expr);
		/* fallthrough */
	case STMT_IF:
		return check_condition(s, &st->expr, "if") && sema_statements(s, &st->body) &&
			sema_statements(s, &st->orelse);
	case STMT_BLOCK:
		return sema_statements(s, &st->body);
	case STMT_FOR:
	case STMT_WHILE:
		return check_loop(s, st);
	case STMT_FOREACH:
		return check_foreach(s, st);
	case STMT_BREAK:
	case STMT_CONTINUE:
		return s->loops ||
			sema_error(s, st->loc, "D_SYNTAX", "\"%s\" may only be used in a loop",
				st->kind == STMT_BREAK ? "break" : "continue");
	case STMT_RETURN:
		return check_return(s, st);
	}
	return false;
}

bool sema_statements(struct sema *s, stmt_vec *stmts)
{
	if (++s->depth > SEMA_MAX_DEPTH) {
		s->depth--;
		return sema_error(s, stmts->len ? stmts->data[0].loc : (struct loc){0}, "D_UNKNOWN",
			"statements are nested too deeply");
	}
	for (uint32_t i = 0; i < stmts->len; i++) {
		if (!check_statement(s, &stmts->data[i])) {
			s->depth--;
			return false;
		}
	}
	s->depth--;
	return true;
}
