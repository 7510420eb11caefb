// SPDX-License-Identifier: Apache-2.0
/* Lowers one program: the gate, the dispatch by key, the scratch slot and the clauses in order. */
#include <linux/netfilter.h>
#include <string.h>

#include "abi/kernel.h"
#include "abi/returns.h"
#include "arch/arch.h"
#include "base/arena.h"
#include "base/vec.h"
#include "ir/ir.h"
#include "ir/lower.h"
#include "ir/lower_build.h"
#include "ir/lower_builtin.h"
#include "ir/lower_expr.h"
#include "ir/lower_fault.h"
#include "ir/lower_mem.h"
#include "ir/lower_piece.h"
#include "ir/lower_state.h"
#include "ir/lower_stmt.h"
#include "ir/lower_unit.h"
#include "ir/lower_var.h"
#include "ir/units.h"
#include "lang/ast.h"
#include "probe/attach.h"
#include "sema/names.h"
#include "sema/typed.h"

/* ---- the way in and out ---- */

void lower_emit_return(struct lower *l)
{
	ir_emit(l, IR_RET)->imm = l->unit->plan.kind == ATTACH_NETFILTER ? NF_ACCEPT : 0;
}

/*
 * Carries out the return instruction that was hit, so that the kernel does not single-step it: the
 * program goes on at the return address.
 */
static void carry_out(struct lower *l)
{
	struct ir_block *carry = ir_new_block(l, "carry"), *done = ir_new_block(l, "return");
	int32_t sp, ip;
	uint32_t to, v;

	if (!l->unit->plan.carries)
		return;
	sp = (int32_t)lower_regs_offset(l, ARCH_SP);
	ip = (int32_t)lower_regs_offset(l, ARCH_PC);
	to = ir_emit_rt(l, "dt_return_address", 1, ir_op_temp(l->firing.key));
	ir_emit_br(l, COND_EQ, ir_op_temp(to), ir_op_imm(0), done, carry);
	ir_place(l, carry);
	v = ir_emit_load(l, ir_op_ctx(l), sp, 8);
	v = ir_emit_op(l, IR_ADD, ir_op_temp(v), ir_op_imm(8));
	ir_emit_store(l, ir_op_ctx(l), sp, ir_op_temp(v), 8);
	ir_emit_store(l, ir_op_ctx(l), ip, ir_op_temp(to), 8);
	ir_place(l, done);
}

static void release_scratch(struct lower *l)
{
	ir_emit_rt(l, "dt_scratch_release", 1, ir_op_temp(l->firing.slot));
	vec_last(&l->build.cur->insns).of_scratch = true;
}

/* Release the scratch slot and return.  Each exit has its own copy: jumps have 16 bits. */
void leave_unit(struct lower *l)
{
	guard_leave(l);
	piece_leave(l);
	release_scratch(l);
	carry_out(l);
	lower_emit_return(l);
	l->build.cur = NULL;
}

void lower_gate(struct lower *l, struct ir_block *out)
{
	struct ir_block *go = ir_new_block(l, "active");
	enum dt_activity want = l->unit->plan.kind == ATTACH_BEGIN ? DT_BEGINNING
		: l->unit->plan.kind == ATTACH_END		   ? DT_ENDING
								   : DT_ACTIVE;
	uint32_t st, v;

	if (l->unit->is_error)
		return;
	st = ir_emit_mov(l, ir_op_data(DT_SEC_STATE, 0));
	v = ir_emit_load(l, ir_op_temp(st), offsetof(struct dt_state, activity), 4);
	ir_emit_br(l, COND_EQ, ir_op_temp(v), ir_op_imm(want), go, out);
	ir_place(l, go);
	if (l->s->target->cpu >= 0) {
		struct ir_block *here = ir_new_block(l, "cpu");

		v = ir_emit_call(l, BPF_FUNC_get_smp_processor_id, 0);
		ir_emit_br(l, COND_EQ, ir_op_temp(v), ir_op_imm(l->s->target->cpu), here, out);
		ir_place(l, here);
	}
}

void lower_find_scratch(struct lower *l, struct ir_block *out)
{
	l->firing.scratch = ir_emit_nonnull(
		l, ir_array_lookup(l, DT_MAP_SCRATCH, ir_op_temp(l->firing.slot)), out);
}

/* The claim of a scratch slot in a program, for settle_scratch(). */
struct claim {
	struct ir_block *block;
	uint32_t insns; /* of the block, before it */
	uint32_t frame; /* bytes of the stack frame that it takes */
};

static struct claim claim_scratch(struct lower *l, struct ir_block *out)
{
	struct ir_block *none = ir_new_block(l, "noslot"), *have = ir_new_block(l, "slot");
	uint32_t most = l->build.frame_max;
	struct claim at = {l->build.cur, l->build.cur->insns.len, 0};

	l->firing.slot = ir_emit_rt(l, "dt_scratch_claim", 0);
	ir_emit_br(l, COND_EQ, ir_op_temp(l->firing.slot), ir_op_imm(-1), none, have);
	ir_place(l, none);
	lower_emit_drop(l, DT_DROP_NESTED);
	ir_emit_jmp(l, out);
	ir_place(l, have);
	lower_find_scratch(l, out);
	at.frame = l->build.frame_max;
	if (!l->unit->piece)
		l->build.frame_max = most; /* until it is known whether the claim stays */
	return at;
}

/*
 * Most programs keep nothing in the slot, which is known when they are lowered: the claim, after
 * which the program goes on at BODY, and all releases are taken out.
 */
static void settle_scratch(struct lower *l, const struct claim *at, struct ir_block *body)
{
	struct ir_func *f = l->build.f;

	if (l->firing.scratch_max || l->unit->piece || l->unit->short_stack) {
		l->build.frame_max =
			l->build.frame_max > at->frame ? l->build.frame_max : at->frame;
		return;
	}
	l->build.cur = at->block;
	l->build.cur->insns.len = at->insns;
	ir_emit_jmp(l, body);
	for (uint32_t b = 0; b < f->blocks.len; b++) {
		struct ir_block *bl = f->blocks.data[b];
		uint32_t n = 0;

		vec_for (in, &bl->insns)
			if (!in->of_scratch)
				bl->insns.data[n++] = *in;
		bl->insns.len = n;
	}
}

/* ---- the scratch slot ---- */

static bool is_strtok(void *arg, const struct expr *e)
{
	return e->kind == EXPR_CALL && e->info && e->info->ref == REF_FUNC &&
		e->info->func->id == FUNC_strtok;
}

static bool is_speculate(void *arg, const struct expr *e)
{
	return e->kind == EXPR_CALL && e->info && e->info->ref == REF_FUNC &&
		e->info->func->id == FUNC_speculate;
}

static bool no_expr(void *arg, const struct expr *e)
{
	return false;
}

static bool is_loop(void *arg, const struct stmt *st)
{
	return st->kind == STMT_FOR || st->kind == STMT_WHILE || st->kind == STMT_FOREACH;
}

/* Room in the scratch slot for a firing's state other than variables. */
static void unit_scratch(struct lower *l)
{
	bool spills = l->unit->short_stack;

	/* offset 0 says that something is not used */
	if (spills || unit_has(l->unit, is_speculate, NULL) || unit_has(l->unit, is_strtok, NULL) ||
		scratch_memory_used(l))
		ir_scratch_alloc(l, 8);
	if (spills) {
		/* the program's, and its pieces', which may be functions that it calls */
		l->firing.spill_off = ir_scratch_alloc(l, 2 * SPILL_ROOM);
		ir_put_spills(l, l->firing.spill_off);
	}
	piece_begin_unit(l);
	l->unit->has_loops = unit_has(l->unit, no_expr, is_loop);
	if (l->unit->has_loops)
		loop_init(l);
	if (unit_has(l->unit, is_speculate, NULL))
		l->clause.spec_off = ir_scratch_alloc(l, 8);
	if (unit_has(l->unit, is_strtok, NULL)) {
		l->clause.strtok_off = ir_scratch_alloc(l, string_room(l->s->target) + 16);
		ir_emit_zero(l, ir_op_temp(l->firing.scratch), (int32_t)l->clause.strtok_off, 16);
	}
	scratch_memory_init(l);
}

/* ---- one clause ---- */

/* After exit(), no further clause of the firing runs. */
static void recheck_activity(struct lower *l)
{
	struct ir_block *go = ir_new_block(l, "active"), *gone = ir_new_block(l, "exited");
	uint32_t st, v;

	st = ir_emit_mov(l, ir_op_data(DT_SEC_STATE, 0));
	v = ir_emit_load(l, ir_op_temp(st), offsetof(struct dt_state, exited), 4);
	ir_emit_br(l, COND_NE, ir_op_temp(v), ir_op_imm(DT_EXITED_NOW), go, gone);
	ir_place(l, gone);
	leave_unit(l);
	ir_place(l, go);
}

static void lower_clause(struct lower *l, uint32_t i)
{
	const struct sema_clause *c = l->unit->clauses.data[i];
	struct ir_block *report = ir_new_block(l, "fault");
	struct cached before = l->seen;
	uint32_t scratch = l->firing.scratch_used, frame = l->build.frame_used;

	piece_boundary(l);
	l->clause.of = c;
	l->clause.action = 0;
	l->clause.at = (struct lower_at){0};
	l->build.loc = c->loc;
	l->clause.skip = ir_new_block(l, "nextclause");
	l->clause.record = 0;
	l->clause.fault = report;
	l->clause.fault_code = ir_new_temp(l, IRT_SCALAR);
	l->clause.fault_value = ir_new_temp(l, IRT_SCALAR);
	if (l->had_exit)
		recheck_activity(l);
	dispatch_clause(l, i, l->clause.skip);
	scratch_memory_begin(l);
	piece_clause(l);
	if (l->unit->has_loops)
		loop_clause(l);
	if (c->ast->predicate) {
		struct ir_block *run = ir_new_block(l, "run");

		l->build.loc = c->ast->predicate->loc;
		lower_condition(l, c->ast->predicate, run, l->clause.skip);
		ir_place(l, run);
	}
	if (l->clause.spec_off)
		ir_emit_store(l, ir_op_temp(l->firing.scratch), (int32_t)l->clause.spec_off,
			ir_op_imm(0), 8);
	if (c->default_action)
		lower_open_record(l, c->default_action);
	lower_statements(l, &c->ast->stmts);
	if (c->default_action)
		lower_close_record(l);
	ir_emit_jmp(l, l->clause.skip);
	l->build.loc = c->loc;
	if (report->used) {
		ir_place(l, report);
		lower_fault_block(l, l->clause.skip);
	}
	ir_place(l, l->clause.skip);
	lower_restore(l, before);
	l->firing.scratch_used = scratch;
	l->firing.scratch_kept = 0;
	l->build.frame_used = frame;
}

/* ---- the program ---- */

/* A probe made from a hook fires when its condition holds. */
static void derived_condition(struct lower *l)
{
	const struct sema_derived *d = l->unit->derived;
	struct ir_block *no = ir_new_block(l, "notfired"), *yes = ir_new_block(l, "fired");
	struct cached before = l->seen;

	if (!d || !d->when)
		return;
	l->clause.fault_code = ir_new_temp(l, IRT_SCALAR);
	l->clause.fault_value = ir_new_temp(l, IRT_SCALAR);
	l->clause.fault = l->clause.skip = no;
	ir_emit_set(l, l->clause.fault_code, ir_op_imm(0));
	ir_emit_set(l, l->clause.fault_value, ir_op_imm(0));
	lower_condition(l, d->when, yes, no);
	ir_place(l, no);
	leave_unit(l);
	ir_place(l, yes);
	l->seen = before;
}

static void filter_other_task(struct lower *l)
{
	struct ir_block *no, *yes;

	if (!lower_task_filtered(l) || !lower_about_other_task(l))
		return;
	no = ir_new_block(l, "othertask");
	yes = ir_new_block(l, "traced");
	lower_task_filter(l, no);
	ir_emit_jmp(l, yes);
	ir_place(l, no);
	leave_unit(l);
	ir_place(l, yes);
}

/* At an entry: count the call if the kernel will not remember its return, and end. */
static void count_deep(struct lower *l, struct ir_block *out)
{
	struct ir_block *entry, *deep, *ret;
	struct cached before = l->seen;
	uint32_t n;

	if (!l->firing.entry)
		return;
	entry = ir_new_block(l, "entry");
	deep = ir_new_block(l, "deep");
	ret = ir_new_block(l, "return");
	ir_emit_br(l, COND_NE, ir_op_temp(l->firing.entry), ir_op_imm(0), entry, ret);
	ir_place(l, entry);
	n = ir_emit_rt(l, "dt_return_depth", 0);
	ir_emit_br(l, COND_LT, ir_op_temp(n), ir_op_imm(DT_RETURNS_KEPT), out, deep);
	ir_place(l, deep);
	lower_emit_drop(l, DT_DROP_RETURN);
	ir_emit_jmp(l, out);
	l->seen = before;
	ir_place(l, ret);
}

/* True if E adds up what fires on a CPU, or on all: without keys, or by the CPU. */
static bool counts_all(void *arg, const struct expr *e)
{
	if (e->kind != EXPR_ASSIGN || e->a->kind != EXPR_AGG)
		return false;
	for (uint32_t i = 0; i < e->a->args.len; i++) {
		const struct expr *key = e->a->args.data[i];

		if (key->kind != EXPR_VAR || !key->info || key->info->ref != REF_BUILTIN ||
			key->info->builtin->id != BUILTIN_cpu)
			return false;
	}
	return true;
}

/*
 * Counts the firings of profile-N on each CPU, for the consumer to compare with the time: their
 * number misleads if some kernel hides idle tasks (docs/design/probes.md).  Clauses with a
 * predicate or other keys look for something that runs.
 */
static void count_clock(struct lower *l)
{
	struct attach_plan *plan = &l->unit->plan;

	if (plan->kind != ATTACH_CPU_CLOCK || !plan->all_cpus || l->s->target->cpu >= 0)
		return;
	vec_for (c, &l->unit->clauses)
		plan->counted |= !(*c)->ast->predicate &&
			sema_any_stmt(&(*c)->ast->stmts, counts_all, NULL, NULL);
	if (plan->counted)
		lower_emit_drop(l, DT_COUNT_CLOCK);
}

static struct lower *lower_body(struct lower_session *s, struct unit *u, const char *name)
{
	struct lower *l = arena_new_obj(s->arena, struct lower);
	struct ir_block *out, *body;
	struct claim claim;

	l->s = s;
	l->arena = s->arena;
	l->unit = u;
	l->build.f = arena_new_obj(s->arena, struct ir_func);
	l->build.f->name = l->unit_name = name;
	l->build.f->unit = u->index;
	l->build.f->is_global = is_called(u);
	l->build.f->loc = u->clauses.data[0]->loc;
	l->build.loc = l->build.f->loc;
	ir_new_temp(l, IRT_SCALAR); /* number 0 is not used */
	l->build.f->nparams = (uint32_t)unit_params(u);
	for (int i = 0; i < unit_params(u); i++)
		l->firing.params[i] = ir_new_temp(l, IRT_SCALAR);
	ir_place(l, ir_new_block(l, "entry"));
	out = ir_new_block(l, "out");
	count_clock(l);
	lower_gate(l, out);
	guard_test(l, out);
	lower_dispatch(l, out);
	if (lower_task_filtered(l) && !lower_about_other_task(l))
		lower_task_filter(l, out);
	count_deep(l, out);
	claim = claim_scratch(l, out);
	body = ir_new_block(l, "body");
	ir_emit_jmp(l, body);
	ir_place(l, out);
	lower_emit_return(l);
	l->build.cur = NULL;
	ir_place(l, body);
	guard_enter(l);
	unit_scratch(l);
	lower_this_init(l);
	lower_current_task(l);
	derived_condition(l);
	filter_other_task(l);
	for (uint32_t i = 0; i < u->clauses.len; i++)
		lower_clause(l, i);
	leave_unit(l);
	settle_scratch(l, &claim, body);
	l->build.f->frame_size = l->build.frame_max;
	piece_end_unit(l);
	return l;
}

static const char *label_of(struct lower_session *s, const struct unit *u)
{
	const struct probe *p = u->probes.len ? u->probes.data[0] : NULL;
	const struct probe_pattern *pat = &u->clauses.data[0]->pat;

	return p ? arena_printf(s->arena, "%s:%s:%s:%s", p->prov, p->mod, p->func, p->name)
		 : arena_printf(s->arena, "%s:%s:%s:%s", pat->prov, pat->mod, pat->func, pat->name);
}

/* Note what attaching the program to more places needs. */
static void note_open(struct lower_session *s, const struct unit *u)
{
	struct ir_module *m = &s->out->module;
	struct open_prog *o = vec_add(s->arena, &s->out->open);

	*o = (struct open_prog){.prog = s->out->first + m->progs.len - 1,
		.kind = u->plan.kind,
		.group = u->plan.group,
		.scope = u->plan.scope};
	for (uint32_t i = 0; i < u->clauses.len; i++)
		vec_push(s->arena, &o->clauses, u->clauses.data[i]);
	o->pids = u->pids;
	memcpy(o->names, u->names, sizeof(o->names));
	o->lines = u->lines;
}

/* What the session had before a unit was lowered. */
struct attempted {
	uint32_t data, callbacks, errors;
	bool failed;
};

static struct lower *lower_again(
	struct lower_session *s, struct unit *u, const char *name, const struct attempted *before)
{
	struct ir_module *m = &s->out->module;

	m->data.len = before->data;
	m->callbacks.len = before->callbacks;
	u->nloops = 0;
	s->diags->list.len = before->errors;
	s->failed = before->failed;
	return lower_body(s, u, name);
}

static struct lower *lower_function(struct lower_session *s, struct unit *u, const char *name)
{
	struct ir_module *m = &s->out->module;
	const struct attempted before = {.data = m->data.len,
		.callbacks = m->callbacks.len,
		.errors = s->diags->list.len,
		.failed = s->failed};
	struct lower *l = lower_body(s, u, name);

	u->piece = piece_size(l, m->callbacks.len - before.callbacks);
	u->piece_loops = m->callbacks.len - before.callbacks;
	u->piece_functions = pieces_are_functions(u);
	if (u->piece) /* its length was not known */
		l = lower_again(s, u, name, &before);
	if (l->firing.scratch_max > m->scratch_size)
		m->scratch_size = l->firing.scratch_max;
	return l;
}

void lower_unit(struct lower_session *s, struct unit *u)
{
	struct ir_module *m = &s->out->module;
	const char *prog = lower_name(s, arena_printf(s->arena, "dt_prog_%u", u->index));
	const char *name = u->is_error ? "dt_error" : u->is_each ? "dt_each" : prog;
	struct lower *l = lower_function(s, u, name);
	struct ir_prog *p;

	if (u->is_error) {
		m->error = piece_first(l);
		piece_programs(l);
		return;
	}
	if (u->is_each)
		vec_push(s->arena, &m->callbacks, piece_first(l));
	p = vec_add(s->arena, &m->progs);
	p->func = u->is_each ? lower_each_entry(s, u, prog) : piece_first(l);
	p->plan = u->plan;
	for (uint32_t i = 0; i < u->sites.len; i++)
		vec_push(s->arena, &p->sites, u->sites.data[i]);
	p->label = label_of(s, u);
	for (uint32_t i = 0; i < u->clauses.len; i++)
		vec_push(s->arena, &p->clauses, u->clauses.data[i]);
	if (u->is_open)
		note_open(s, u);
	piece_programs(l);
}
