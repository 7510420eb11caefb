// SPDX-License-Identifier: Apache-2.0
/*
 * Checks derivations: the D expressions by which a provider makes a probe out of a hook that is
 * not its own, and the clauses that keep state for them (probe/provider.h).
 */
#include "sema/sema_int.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "lang/ast.h"
#include "lang/lex.h"
#include "lang/parse.h"
#include "lang/source.h"
#include "probe/args.h"
#include "probe/attach.h"
#include "probe/provider.h"
#include "probe/registry.h"
#include "probe/stability.h"
#include "sema/typed.h"

static bool is_type(void *arg, const char *name)
{
	return sema_is_type(arg, name);
}

static void no_pragma(void *arg, struct loc loc, const char *text)
{
}

/* TEXT, a provider's, as the parser wants it; NAME is what an error in it is located by. */
static struct parse_input input(
	struct sema *s, const char *name, const char *text, struct lex_macros *macros)
{
	return (struct parse_input){
		.arena = s->arena,
		.src = source_new(s->arena, name, true, SPEC_NAME, text, strlen(text)),
		.diags = s->diags,
		.macros = macros,
		.hooks = {.pragma = no_pragma, .is_type = is_type, .arg = s},
	};
}

/* The hook's arguments under their names: PARAMS has one word for each. */
static const struct scope *hook_scope(struct sema *s, const struct derivation *from)
{
	const char *p = from->params ? from->params : "";
	const struct scope *outer = NULL;

	for (uint32_t i = 0; *p && i < from->hook.nargs; i++) {
		size_t len = strcspn(p, " ");
		struct scope *sc = arena_new_obj(s->arena, struct scope);
		struct expr *e = arena_new_obj(s->arena, struct expr);

		sc->outer = outer;
		sc->name = arena_strndup(s->arena, p, len);
		sc->type = from->hook.types[i];
		sc->value = e;
		e->kind = EXPR_VAR;
		e->name = sc->name;
		e->value = i;
		e->type = sc->type;
		sema_info(s, e)->ref = REF_HOOK;
		if (sc->type)
			outer = sc;
		p += len;
		p += *p == ' ';
	}
	return outer;
}

static struct expr *expression(
	struct sema *s, const struct derivation *from, const char *name, const char *text)
{
	struct lex_macros macros = {.name0 = name};
	struct parse_input in = input(s, name, text, &macros);
	const struct scope *outer = s->scope;
	struct expr *e = parse_expression_text(&in);
	bool ok;

	if (!e)
		return NULL;
	s->scope = hook_scope(s, from);
	ok = sema_expr(s, e);
	s->scope = outer;
	if (ok && !sema_is_scalar(e->type))
		ok = sema_error(
			s, e->loc, "D_UNKNOWN", "%s: '%s' is not of a scalar type", name, text);
	return ok ? e : NULL;
}

/* ---- state ---- */

static bool state(struct sema *s, struct sema_derived *d, const char *name)
{
	struct lex_macros macros = {.name0 = name};
	struct parse_input in = input(s, name, d->from.state, &macros);
	struct sema_program kept = {0};
	struct program *prog;

	vec_for (have, &s->session.derived) {
		const struct sema_derived *o = *have;

		if (!o->state.len || strcmp(o->from.state, d->from.state))
			continue;
		for (uint32_t i = 0; i < o->state.len; i++)
			vec_push(s->arena, &d->state, o->state.data[i]);
		return true;
	}
	prog = parse_program(&in);
	kept.src = in.src;
	for (uint32_t i = 0; i < prog->items.len; i++)
		if (!sema_clause(s, prog, prog->items.data[i].clause, &kept))
			return false;
	vec_for (c, &kept.clauses) {
		(*c)->is_state = true;
		vec_push(s->arena, &d->state, *c);
	}
	return true;
}

/* ---- derivations ---- */

const struct sema_derived *sema_derived_of(
	const struct sema_session *session, const struct probe *probe, unsigned plan)
{
	for (uint32_t i = 0; i < session->derived.len; i++) {
		const struct sema_derived *d = session->derived.data[i];

		if (d->probe == probe && d->plan == plan)
			return d;
	}
	return NULL;
}

static bool note_argument(void *arg, const struct expr *e)
{
	uint32_t *used = arg;

	if (e->info && e->info->ref == REF_BUILTIN && e->info->builtin->id >= BUILTIN_arg0 &&
		e->info->builtin->id <= BUILTIN_arg9)
		*used |= 1u << (e->info->builtin->id - BUILTIN_arg0);
	return false;
}

/* Type what is not typed yet of D: the arguments in the set USED are wanted. */
static bool expressions(struct sema *s, struct sema_derived *d, uint32_t used)
{
	const struct derivation *f = &d->from;
	const char *name = arena_printf(s->arena, "%s:::%s", d->probe->prov, d->probe->name);

	if (f->state && !d->state.len && !state(s, d, name))
		return false;
	if (f->when && !d->when && !(d->when = expression(s, f, name, f->when)))
		return false;
	if (f->task && !d->task && !(d->task = expression(s, f, name, f->task)))
		return false;
	for (uint32_t i = PROBE_NARGS; i-- > 0;) {
		if (!f->args[i] || d->args[i] || !(used & 1u << i))
			continue;
		d->args[i] = expression(s, f, name, f->args[i]);
		if (!d->args[i])
			return false;
		sema_any_expr(d->args[i], note_argument, NULL, &used);
	}
	return true;
}

static struct sema_derived *derived(
	struct sema *s, const struct probe *p, unsigned i, const struct derivation *from)
{
	struct sema_derived *d = (struct sema_derived *)sema_derived_of(&s->session, p, i);

	if (d)
		return d;
	d = arena_new_obj(s->arena, struct sema_derived);
	d->probe = p;
	d->plan = i;
	d->from = *from;
	vec_push(s->arena, &s->session.derived, d);
	return d;
}

bool sema_derive(struct sema *s, const struct probe *p, uint32_t used)
{
	struct sema_clause *clause = s->clause;
	struct attributes attrs = s->attrs;
	bool ok = true;

	s->clause = NULL;
	for (unsigned i = 0; ok; i++) {
		struct attach_plan plan = {0};

		if (p->provider->plan(registry_env(s->registry), p, i, &plan) < 0)
			break;
		if (plan.from)
			ok = expressions(s, derived(s, p, i, plan.from), used);
	}
	s->clause = clause;
	s->attrs = attrs; /* what a probe is made of is not what it promises */
	return ok;
}
