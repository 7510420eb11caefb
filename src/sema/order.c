// SPDX-License-Identifier: Apache-2.0
/* Checks which actions may follow speculate() and commit() in a clause (d-language 17.1). */
#include "sema/sema_int.h"

#include "lang/ast.h"
#include "sema/names.h"
#include "sema/typed.h"

struct order {
	struct sema *s;
	bool data;	 /* something was recorded or aggregated */
	bool speculated; /* speculate() */
	bool committed;	 /* commit() */
};

static bool after(struct order *o, const struct expr *e, const char *tag, const char *what,
	const char *before)
{
	return sema_error(o->s, e->loc, tag, "%s may not follow %s( ) in a clause", what, before);
}

static bool data_after(struct order *o, const struct expr *e, const struct function *f)
{
	if (o->committed)
		return after(o, e, "D_DREC_COMM", "data-recording actions", "commit");
	if (o->speculated && f->id == FUNC_exit)
		return after(o, e, "D_EXIT_SPEC", "exit( )", "speculate");
	if (o->speculated && f->destructive)
		return after(o, e, "D_ACT_SPEC", "destructive actions", "speculate");
	o->data = true;
	return true;
}

static bool special(struct order *o, const struct expr *e, enum func_id id)
{
	if (id == FUNC_commit) {
		/* what went to the speculation does not count */
		if (o->data && !o->speculated)
			return after(o, e, "D_COMM_DREC", "commit( )", "data-recording action");
		o->committed = true;
		return true;
	}
	if (id == FUNC_discard)
		return true;
	if (o->speculated)
		return after(o, e, "D_SPEC_SPEC", "speculate( )", "speculate");
	if (o->committed)
		return after(o, e, "D_SPEC_COMM", "speculate( )", "commit");
	if (o->data)
		return after(o, e, "D_SPEC_DREC", "speculate( )", "data-recording action");
	o->speculated = true;
	return true;
}

static bool check_expr(struct order *o, const struct expr *e);

static bool check_all(struct order *o, const stmt_vec *stmts);

/* Only one branch of an if is run; after it, either may have been. */
static bool check_branches(struct order *o, const struct stmt *st)
{
	struct order other = *o;

	if (!check_all(o, &st->body) || !check_all(&other, &st->orelse))
		return false;
	o->data |= other.data;
	o->speculated |= other.speculated;
	o->committed |= other.committed;
	return true;
}

static bool check_all(struct order *o, const stmt_vec *stmts)
{
	for (uint32_t i = 0; i < stmts->len; i++) {
		const struct stmt *st = &stmts->data[i];

		if ((st->init && !check_expr(o, st->init)) ||
			(st->expr && !check_expr(o, st->expr)) || !check_branches(o, st) ||
			(st->step && !check_expr(o, st->step)))
			return false;
	}
	return true;
}

static bool check_expr(struct order *o, const struct expr *e)
{
	const struct function *f;

	if (e->kind == EXPR_ASSIGN && e->a->kind == EXPR_AGG) {
		if (o->committed)
			return after(o, e, "D_AGG_COMM", "aggregating actions", "commit");
		if (o->speculated)
			return after(o, e, "D_AGG_SPEC", "aggregating actions", "speculate");
		o->data = true;
		return true;
	}
	if (e->kind != EXPR_CALL || !e->info)
		return true;
	if (e->info->ref == REF_INLINED)
		return check_all(o, &e->info->inlined);
	f = e->info->func;
	if (e->info->ref != REF_FUNC)
		return true;
	if (f->id == FUNC_speculate || f->id == FUNC_commit || f->id == FUNC_discard)
		return special(o, e, f->id);
	if (f->klass == CLASS_ACTION || f->klass == CLASS_SYMBOL || f->destructive)
		return data_after(o, e, f);
	return true;
}

bool sema_spec_order(struct sema *s, const stmt_vec *stmts)
{
	struct order o = {.s = s};

	return check_all(&o, stmts);
}
