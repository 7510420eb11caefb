// SPDX-License-Identifier: Apache-2.0
/*
 * Decides which actions share a record, and where their data lie in it.
 *
 * The actions of a clause go into one record, which is reserved when the clause begins.  Where
 * an action stands in a loop, each round writes a record of its own, and so do the statements
 * before and after the loop: records are printed in the order in which they were reserved.
 */
#include "abi/action.h"
#include "abi/flags.h"
#include "ir/layout.h"

#include "abi/kernel.h"
#include "abi/record.h"
#include "abi/syscalls.h"
#include "base/arena.h"
#include "base/units.h"
#include "base/vec.h"
#include "ir/lower.h"
#include "ir/lower_state.h"
#include "ir/target.h"
#include "lang/ast.h"
#include "probe/attach.h"
#include "sema/names.h"
#include "sema/typed.h"
#include "types/cxx.h"
#include "types/type.h"

#include <string.h>

static uint32_t align8(uint32_t n)
{
	return (n + 7) & ~7u;
}

uint32_t layout_action_data(const struct expr *call, const struct expr **out, uint32_t max)
{
	uint32_t first = 0, n = 0, last = call->args.len;

	switch (call->info->func->id) {
	case FUNC_printf:
	case FUNC_system:
	case FUNC_freopen:
	case FUNC_trunc:
	case FUNC_normalize:
		first = 1;
		break;
	case FUNC_printa:
	case FUNC_clear:
	case FUNC_denormalize:
	case FUNC_ftruncate:
	case FUNC_raise: /* these are done in the kernel */
	case FUNC_stop:
	case FUNC_chill:
	case FUNC_keepsys:
	case FUNC_copyout:
	case FUNC_copyoutstr:
	case FUNC_pcap: /* their data are no expressions */
	case FUNC_tracesys:
		return 0;
	case FUNC_print: /* of a pointer: what it points to, then where that is */
		out[n++] = call->args.data[0];
		if (type_resolve(call->args.data[0]->type)->kind == TYPE_PTR)
			out[n++] = call->args.data[0];
		return n;
	case FUNC_tracemem: /* the size is a constant of the description */
		out[n++] = call->args.data[0];
		first = 2;
		break;
	case FUNC_trace:
	case FUNC_exit:
	case FUNC_setopt:
		break;
	default: /* symbol actions are their own datum */
		out[0] = call;
		return 1;
	}
	for (uint32_t i = first; i < last && n < max; i++)
		out[n++] = call->args.data[i];
	return n;
}

static const enum rec_action_kind rec_kinds[FUNC_MAX] = {
#define ACTION(function, kind, classic) [FUNC_##function] = REC_##kind,
#include "abi/actions.def"
};

/* Returns the type that print() shows: of what a pointer points to, else the value's own. */
static const struct type *printed_type(const struct expr *call)
{
	const struct type *t = call->args.data[0]->type, *r = type_resolve(t);

	return r->kind == TYPE_PTR ? r->ref : t;
}

static struct datum print_datum(struct lower_session *s, const struct expr *call)
{
	const struct type *t = printed_type(call);
	uint64_t size = type_resolve(t)->size, most = s->out->print_most;
	struct datum d = {.kind = DATUM_BYTES};
	char name[128];

	d.size = (uint32_t)(size < most ? size : most);
	d.type = arena_strdup(s->arena, type_name(t, name, sizeof(name)));
	return d;
}

/* The strings of C++ whose texts a print() records. */
struct text_layout {
	struct rec_text *texts;
	uint32_t n, most, room, *end;
};

#define MAX_TEXTS 16
#define TEXT_ROOM 8192 /* bytes of all of them, unless one has more */

static bool lay_text(void *arg, uint64_t at, const struct cxx_string *string)
{
	struct text_layout *l = arg;
	struct rec_text *t = &l->texts[l->n++];

	t->at = (uint32_t)at;
	t->string = *string;
	t->offset = *l->end = align8(*l->end);
	t->most = l->most;
	t->room = l->room;
	*l->end += 8 + t->room;
	return l->n < MAX_TEXTS && (l->n + 1) * l->room <= TEXT_ROOM;
}

/* Makes room for the texts of the strings in A's value, of which D is recorded. */
static void lay_texts(
	struct lower_session *s, struct rec_action *a, const struct datum *d, uint32_t *end)
{
	struct text_layout l = {
		.texts = arena_new_array(s->arena, struct rec_text, MAX_TEXTS),
		.most = s->target->strsize,
		.room = 8,
		.end = end,
	};

	while (l.room < l.most)
		l.room *= 2;
	cxx_each_string(a->ctype, d->size, lay_text, &l);
	a->texts = l.texts;
	a->ntexts = l.n;
}

/* Put D after *END at its alignment. */
static void put_datum(struct datum *d, uint32_t *end)
{
	uint32_t align = d->kind == DATUM_INT && d->size && d->size < 8 ? d->size : 8;

	*end = (*end + align - 1) & ~(align - 1);
	d->offset = *end;
	*end += d->size;
}

/* Bytes captured, link type, the bytes, the packet's whole length, the time (abi/record.h). */
static uint32_t pcap_data(struct lower_session *s, struct datum **data, uint32_t *end)
{
	struct datum *d = arena_new_array(s->arena, struct datum, 5);
	uint32_t room = 2; /* a power of two, which a length cut to its bits cannot exceed */

	while (room <= s->target->pcapsize)
		room *= 2;
	for (int i = 0; i < 5; i++) {
		d[i].kind = i == 2 ? DATUM_BYTES : DATUM_INT;
		d[i].size = i == 2 ? room : i == 4 ? 8 : 4;
		put_datum(&d[i], end);
	}
	*data = d;
	return 5;
}

static void layout_action(
	struct lower_session *s, const struct expr *e, struct rec_action *a, uint32_t *end)
{
	const struct function *f = e->info->func;
	const struct expr *exprs[MAX_DATA];
	uint32_t n = layout_action_data(e, exprs, MAX_DATA), naggs = 0;
	struct datum *data = arena_new_array(s->arena, struct datum, n + 1);
	const struct agg_desc **aggs =
		arena_new_array(s->arena, const struct agg_desc *, e->args.len + 1);

	a->kind = rec_kinds[f->id];
	a->name = f->name;
	a->format = e->info->format;
	for (uint32_t i = 0; i < n; i++) {
		const struct expr *x = exprs[i];

		if (f->id == FUNC_tracemem && i == 0) {
			data[i].kind = DATUM_BYTES;
			data[i].size = (uint32_t)e->args.data[1]->value;
		} else if (f->id == FUNC_print && i == 0) {
			data[i] = print_datum(s, e);
			a->ctype = printed_type(e);
		} else {
			/* setopt() takes its strings from the record */
			data[i] = layout_datum(s,
				f->id == FUNC_setopt && sema_flags(x) != FLAGS_MAX ? NULL : x,
				x->type, false);
		}
		put_datum(&data[i], end);
	}
	if (f->id == FUNC_trace && data[0].kind >= DATUM_STACK && data[0].kind < DATUM_SYM)
		a->kind = REC_STACK;
	else if (f->id == FUNC_trace && data[0].kind >= DATUM_SYM)
		a->kind = REC_SYM;
	for (uint32_t i = 0; i < e->args.len; i++)
		if (e->args.data[i]->kind == EXPR_AGG)
			aggs[naggs++] = e->args.data[i]->info->agg->desc;
	if (f->id == FUNC_pcap)
		n = pcap_data(s, &data, end);
	if (f->id == FUNC_tracesys) {
		data[0] = (struct datum){.kind = DATUM_SYSCALL,
			.size = DT_SYSCALL_RECORD,
			.type = "string",
			.newer = layout_newer_names(s)};
		put_datum(&data[0], end);
		n = 1;
	}
	if (f->id == FUNC_print)
		lay_texts(s, a, &data[0], end);
	a->data = data;
	a->ndata = n;
	a->aggs = aggs;
	a->naggs = naggs;
}

bool is_recording(const struct expr *e)
{
	return e->kind == EXPR_CALL && e->info && e->info->ref == REF_FUNC &&
		(e->info->func->klass == CLASS_ACTION || e->info->func->klass == CLASS_SYMBOL);
}

/* ---- which actions share a record ---- */

/* A record that is being laid out. */
struct segment {
	struct lower_session *s;
	struct sema_clause *clause;
	VEC(struct expr *) actions;
	VEC(bool) optional; /* of each: it stands in a branch */
};

static bool visit_action(void *arg, const struct expr *e)
{
	return is_recording(e);
}

static bool visit_loop(void *arg, const struct stmt *st)
{
	return (st->kind == STMT_FOR || st->kind == STMT_WHILE || st->kind == STMT_FOREACH) &&
		sema_any_stmt(&st->body, visit_action, NULL, NULL);
}

static bool no_expr(void *arg, const struct expr *e)
{
	return false;
}

/* True if an action stands in a loop somewhere in ST. */
static bool loops_record(const struct stmt *st)
{
	stmt_vec one = {.data = (struct stmt *)st, .len = 1};

	return sema_any_stmt(&one, no_expr, visit_loop, NULL);
}

static void collect_stmts(struct segment *g, const stmt_vec *stmts, bool optional);

static void collect_expr(struct segment *g, struct expr *e, bool optional)
{
	if (is_recording(e)) {
		vec_push(g->s->arena, &g->actions, e);
		vec_push(g->s->arena, &g->optional, optional);
	} else if (e->kind == EXPR_CALL && e->info && e->info->ref == REF_INLINED) {
		collect_stmts(g, &e->info->inlined, optional);
	}
}

static bool leaves(void *arg, const struct stmt *st)
{
	return st->kind == STMT_RETURN || st->kind == STMT_BREAK || st->kind == STMT_CONTINUE;
}

/* True if what follows ST may be left out. */
static bool may_leave(const struct stmt *st)
{
	stmt_vec one = {.data = (struct stmt *)st, .len = 1};

	return sema_any_stmt(&one, no_expr, leaves, NULL);
}

static void collect_stmts(struct segment *g, const stmt_vec *stmts, bool optional)
{
	for (uint32_t i = 0; i < stmts->len; i++) {
		struct stmt *st = &stmts->data[i];

		if (st->kind == STMT_EXPR)
			collect_expr(g, st->expr, optional);
		collect_stmts(g, &st->body, optional || st->kind != STMT_BLOCK);
		collect_stmts(g, &st->orelse, true);
		optional |= may_leave(st);
	}
}

static bool visit_speculate(void *arg, const struct expr *e)
{
	return e->kind == EXPR_CALL && e->info && e->info->ref == REF_FUNC &&
		e->info->func->id == FUNC_speculate;
}

static bool speculates(const struct sema_clause *c)
{
	return sema_any_stmt(&c->ast->stmts, visit_speculate, NULL, NULL);
}

/* Returns where the last datum begins if a record can end within it, else 0. */
static uint32_t tail_of(const struct rec_action *actions, uint32_t n, uint32_t end)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct datum *d = actions[i].data;

		if (actions[i].ndata == 1 && d->kind == DATUM_SYSCALL && d->offset + d->size == end)
			return d->offset;
	}
	return 0;
}

static struct rec_desc *lay_out(struct segment *g)
{
	struct lower_session *s = g->s;
	struct rec_desc *d = arena_new_obj(s->arena, struct rec_desc);
	uint32_t n = g->actions.len, end = sizeof(struct dt_rec);
	struct rec_action *actions = arena_new_array(s->arena, struct rec_action, n + 1);

	d->clause = g->clause->number;
	d->speculative = speculates(g->clause);
	d->may_be_empty = n > 0;
	for (uint32_t i = 0; i < n; i++) {
		d->conditional |= g->optional.data[i];
		d->may_be_empty &= g->optional.data[i];
	}
	if (d->speculative) {
		d->spec = end;
		end += 8;
	}
	d->by_process = g->clause->scope != IN_PROCESS || g->clause->joins;
	if (d->by_process) {
		d->process = end;
		end += 8;
	}
	d->timed = s->target->times;
	if (d->timed) {
		d->time = end;
		end += 8;
	}
	d->with_thread = s->target->threads;
	if (d->with_thread) {
		d->thread = end;
		end += 8 + 2 * RECORD_NAME;
	}
	if (d->conditional) {
		d->ran = end;
		end += 8 * ((n + 63) / 64);
	}
	for (uint32_t i = 0; i < n; i++) {
		struct sema_expr *info = (struct sema_expr *)g->actions.data[i]->info;

		layout_action(s, g->actions.data[i], &actions[i], &end);
		info->rec = d;
		info->rec_index = i;
	}
	d->size = align8(end);
	d->tail = tail_of(actions, n, end);
	d->actions = actions;
	d->nactions = n;
	/* the clause's first record has the clause's number */
	d->number = g->clause->descs.len ? s->out->nrecs++ : g->clause->number;
	vec_push(s->arena, &g->clause->descs, d);
	vec_push(s->arena, &s->recs, d);
	return d;
}

static void layout_sequence(struct lower_session *s, struct sema_clause *c, stmt_vec *stmts);

/* Statements FROM to TO - 1, none of which records in a loop. */
static void layout_run(
	struct lower_session *s, struct sema_clause *c, stmt_vec *stmts, uint32_t from, uint32_t to)
{
	struct segment g = {.s = s, .clause = c};
	stmt_vec run;

	if (from == to)
		return;
	run = (stmt_vec){.data = stmts->data + from, .len = to - from};
	collect_stmts(&g, &run, false);
	if (!g.actions.len)
		return;
	stmts->data[from].open = lay_out(&g);
	stmts->data[to - 1].close = true;
}

static void layout_inside(struct lower_session *s, struct sema_clause *c, struct stmt *st)
{
	layout_sequence(s, c, &st->body);
	layout_sequence(s, c, &st->orelse);
	if (st->kind == STMT_EXPR && st->expr->info && st->expr->info->ref == REF_INLINED)
		layout_sequence(s, c, (stmt_vec *)&st->expr->info->inlined);
}

static void layout_sequence(struct lower_session *s, struct sema_clause *c, stmt_vec *stmts)
{
	uint32_t from = 0;

	for (uint32_t i = 0; i < stmts->len; i++) {
		if (!loops_record(&stmts->data[i]))
			continue;
		layout_run(s, c, stmts, from, i);
		layout_inside(s, c, &stmts->data[i]);
		from = i + 1;
	}
	layout_run(s, c, stmts, from, stmts->len);
}

/* A clause without statements, or with speculate() alone, records that it fired. */
static bool has_default_action(const struct sema_clause *c)
{
	const stmt_vec *v = &c->ast->stmts;

	for (uint32_t i = 0; i < v->len; i++)
		if (v->data[i].kind != STMT_EXPR || !visit_speculate(NULL, v->data[i].expr))
			return false;
	return true;
}

static void layout_clause(struct lower_session *s, struct sema_clause *c)
{
	struct segment g = {.s = s, .clause = c};
	stmt_vec *v = &c->ast->stmts;

	c->descs.len = 0; /* it may be done again, with other sizes */
	if (!has_default_action(c)) {
		layout_sequence(s, c, v);
		return;
	}
	c->default_action = lay_out(&g);
}

/* Returns what setopt(), a call of which E is, may make of printsize; 0 if E sets another option.
 */
static uint32_t set_print_size(const struct expr *e)
{
	const struct expr *name = e->args.data[0],
			  *value = e->args.len > 1 ? e->args.data[1] : NULL;
	int64_t n = 0;

	if (name->kind == EXPR_STRING && strcmp(name->str, "printsize"))
		return 0;
	if (name->kind != EXPR_STRING || (value && value->kind != EXPR_STRING))
		return TARGET_PRINT_MOST;
	return value && units_parse_size(value->str, &n) ? 0 : target_print_size(n);
}

static bool visit_setopt(void *arg, const struct expr *e)
{
	uint32_t *most = arg, n;

	if (e->kind != EXPR_CALL || !e->info || e->info->ref != REF_FUNC ||
		e->info->func->id != FUNC_setopt)
		return false;
	n = set_print_size(e);
	if (n > *most)
		*most = n;
	return false;
}

/* Lays out the records of the clauses that are new, after those of the programs before. */
static void layout_fresh(struct lower_session *s)
{
	vec_for (c, &s->sema->clauses)
		if ((*c)->fresh)
			layout_clause(s, *c);
}

static void layout_all(struct lower_session *s)
{
	struct lowered *out = s->out;

	out->print_most = s->target->printsize;
	vec_for (c, &s->sema->clauses)
		sema_any_stmt(&(*c)->ast->stmts, visit_setopt, NULL, &out->print_most);
	out->nrecs = s->sema->clauses.len;
	vec_for (c, &s->sema->clauses)
		layout_clause(s, *c);
}

void layout_records(struct lower_session *s)
{
	const struct lowered *before = s->before;
	struct lowered *out = s->out;

	if (before)
		layout_fresh(s);
	else
		layout_all(s);
	out->recs = arena_new_array(s->arena, const struct rec_desc *, out->nrecs + 1);
	for (uint32_t i = 0; before && i < before->nrecs; i++)
		out->recs[i] = before->recs[i];
	for (uint32_t i = 0; i < s->recs.len; i++)
		out->recs[s->recs.data[i]->number] = s->recs.data[i];
}
