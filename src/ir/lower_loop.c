// SPDX-License-Identifier: Apache-2.0
/*
 * Lowers loops.  The body is a function of its own that the kernel calls for each round,
 * bpf_loop() or bpf_for_each_map_elem() (bpf-helpers(7)): so a loop is verified once, however
 * often it runs.
 *
 * What the body needs of its surroundings is passed in a struct on the stack and never changes;
 * how a round ended is left in the scratch slot, since kernels before 6.7 take what a round finds
 * on the stack for what every round finds.
 */
#include "abi/kernel.h"
#include "abi/record.h"
#include "base/arena.h"
#include "base/vec.h"
#include "ir/ir.h"
#include "ir/layout.h"
#include "ir/lower_build.h"
#include "ir/lower_expr.h"
#include "ir/lower_fault.h"
#include "ir/lower_state.h"
#include "ir/lower_stmt.h"
#include "ir/lower_var.h"
#include "ir/units.h"
#include "lang/ast.h"
#include "sema/typed.h"
#include "types/type.h"

#include <stdlib.h>

/* The struct that the body gets. */
enum {
	LOOP_CTX = 0, /* the program's context */
	LOOP_SCRATCH = 8,
	LOOP_SLOT = 16,
	LOOP_PROBE = 24,
	LOOP_KEY = 32,
	LOOP_ARGS = 40, /* of clauses that are called: what with */
};

/* In the scratch slot, from flow_off on. */
enum {
	FLOW_HOW = 0,
	FLOW_CODE = 8,
	FLOW_VALUE = 16,
	FLOW_ROUNDS = 24,    /* of all loops of the firing so far */
	FLOW_CONTINUED = 32, /* DT_REC_CONTINUED once the clause has written a record */
	FLOW_SIZE = 40,
};

void loop_init(struct lower *l)
{
	l->loop.flow_off = ir_scratch_alloc(l, FLOW_SIZE);
	ir_emit_store(l, ir_op_temp(l->firing.scratch), (int32_t)l->loop.flow_off + FLOW_ROUNDS,
		ir_op_imm(0), 8);
}

void loop_clause(struct lower *l)
{
	ir_emit_store(l, ir_op_temp(l->firing.scratch), (int32_t)l->loop.flow_off + FLOW_CONTINUED,
		ir_op_imm(0), 8);
}

void loop_recorded(struct lower *l)
{
	ir_emit_store(l, ir_op_temp(l->firing.scratch), (int32_t)l->loop.flow_off + FLOW_CONTINUED,
		ir_op_imm(DT_REC_CONTINUED), 8);
}

uint32_t loop_continued(struct lower *l)
{
	return ir_emit_load(
		l, ir_op_temp(l->firing.scratch), (int32_t)l->loop.flow_off + FLOW_CONTINUED, 8);
}

/*
 * A firing's loops, nested or not, run so many rounds together: each bounded, their product
 * would not be.
 */
#define ROUNDS_MOST (1 << 20)

static void count_round(struct lower *l)
{
	int32_t at = (int32_t)l->loop.flow_off + FLOW_ROUNDS;
	int64_t most =
		l->s->target->loopbound > ROUNDS_MOST ? l->s->target->loopbound : ROUNDS_MOST;
	uint32_t n = ir_emit_load(l, ir_op_temp(l->firing.scratch), at, 8);

	check_or_fault(
		l, COND_LT, ir_op_temp(n), ir_op_imm(most), DT_FAULT_LOOPBOUND, ir_op_imm(most));
	ir_emit_store(l, ir_op_temp(l->firing.scratch), at,
		ir_op_temp(ir_emit_op(l, IR_ADD, ir_op_temp(n), ir_op_imm(1))), 8);
}

static void set_flow(struct lower *l, enum loop_flow how)
{
	ir_emit_store(l, ir_op_temp(l->firing.scratch), (int32_t)l->loop.flow_off + FLOW_HOW,
		ir_op_imm(how), 8);
}

static void ret(struct lower *l, int64_t v)
{
	ir_emit(l, IR_RET)->imm = v;
	l->build.cur = NULL;
}

void loop_leave(struct lower *l, enum loop_flow how)
{
	if (l->clause.record)
		lower_submit_record(l);
	set_flow(l, how);
	ret(l, 1);
}

/* ---- how often ---- */

static bool is_scalar_var(const struct expr *e, const struct variable *v)
{
	return e->kind == EXPR_VAR && e->info && e->info->ref == REF_VAR && e->info->var == v;
}

struct writes {
	const struct variable *var;
	const struct expr *not_this;
};

static bool writes_var(void *arg, const struct expr *e)
{
	const struct writes *w = arg;

	if (e == w->not_this)
		return false;
	return (e->kind == EXPR_ASSIGN || e->kind == EXPR_POSTFIX ||
		       (e->kind == EXPR_UNARY && (e->op == TOK_INC || e->op == TOK_DEC))) &&
		is_scalar_var(e->a, w->var);
}

/* Returns the amount that V grows by in STEP, an increment or V += constant; 0 = something else. */
static int64_t step_of(const struct expr *step, const struct variable *v)
{
	if (!step || !step->a || !is_scalar_var(step->a, v))
		return 0;
	if (step->kind == EXPR_POSTFIX || step->kind == EXPR_UNARY)
		return step->op == TOK_INC ? 1 : step->op == TOK_DEC ? -1 : 0;
	if (step->kind != EXPR_ASSIGN || step->b->kind != EXPR_INT)
		return 0;
	return step->op == TOK_ADD_ASSIGN    ? (int64_t)step->b->value
		: step->op == TOK_SUB_ASSIGN ? -(int64_t)step->b->value
					     : 0;
}

/* Returns E without the conversions that the type checker put around it. */
static const struct expr *bare(const struct expr *e)
{
	while (e->kind == EXPR_CAST && !e->tname)
		e = e->a;
	return e;
}

/*
 * True if neither the variable nor the comparison wraps round on the way from A to LAST, where
 * COND, a comparison with B, ends the loop.
 */
static bool stays_within(
	const struct variable *v, const struct expr *cond, int64_t a, int64_t b, int64_t last)
{
	const struct type *types[] = {type_resolve(v->type), type_resolve(cond->a->type)};
	int64_t low = a < last ? a : last, high = a < last ? last : a, most;

	low = low < b ? low : b;
	high = high > b ? high : b;
	for (int i = 0; i < 2; i++) {
		unsigned bits = (unsigned)types[i]->size * 8 - types[i]->is_signed;

		most = bits >= 63 ? INT64_MAX : (int64_t)((1ULL << bits) - 1);
		if (high > most || low < (types[i]->is_signed ? -most - 1 : 0))
			return false;
	}
	return true;
}

/*
 * Returns the number of rounds of for (this->i = A; this->i < B; this->i += C) with constants, if
 * nothing else writes the variable; -1 if it is unknown.
 */
static int64_t known_rounds(const struct stmt *st)
{
	const struct expr *init = st->init, *cond = st->expr, *left;
	struct writes w = {0};
	int64_t a, b, c, n;

	if (st->kind != STMT_FOR || !init || !cond || init->kind != EXPR_ASSIGN ||
		init->op != TOK_ASSIGN || init->a->kind != EXPR_VAR ||
		init->a->scope != SCOPE_THIS || bare(init->b)->kind != EXPR_INT)
		return -1;
	w.var = init->a->info->var;
	left = cond->kind == EXPR_BINARY ? bare(cond->a) : cond;
	if (cond->kind != EXPR_BINARY || !is_scalar_var(left, w.var) || cond->b->kind != EXPR_INT)
		return -1;
	w.not_this = st->step;
	if (sema_any_stmt(&st->body, writes_var, NULL, &w) ||
		sema_any_expr(cond, writes_var, NULL, &w))
		return -1;
	a = (int64_t)bare(init->b)->value;
	b = (int64_t)cond->b->value;
	c = step_of(st->step, w.var);
	if (cond->op == TOK_LE && b < INT64_MAX)
		b++;
	else if (cond->op == TOK_GE && b > INT64_MIN)
		b--;
	else if (cond->op != TOK_LT && cond->op != TOK_GT)
		return -1;
	if (cond->op == TOK_LT || cond->op == TOK_LE ? c <= 0 : c >= 0)
		return -1;
	if ((c > 0 && a >= b) || (c < 0 && a <= b))
		return 0;
	if (__builtin_sub_overflow(b, a, &n))
		return -1;
	n = (llabs(n) + llabs(c) - 1) / llabs(c);
	return stays_within(w.var, cond, a, b, a + n * c) ? n : -1;
}

/* ---- the body ---- */

static uint32_t param(struct lower *l, enum ir_type type)
{
	l->build.f->nparams++;
	return ir_new_temp(l, type);
}

static uint32_t passed(struct lower *l, uint32_t from, int32_t off, enum ir_type type)
{
	uint32_t t = ir_emit_load(l, ir_op_temp(from), off, 8);

	l->build.f->temps.data[t] = type;
	return t;
}

/* A lower for the body: what does not change is taken over, the rest begins anew. */
static struct lower *body_lower(struct lower *outer, bool foreach, uint32_t *args)
{
	struct lower *l = arena_new_obj(outer->arena, struct lower);
	struct ir_module *m = &outer->s->out->module;
	uint32_t ctx;

	*l = *outer;
	l->build.f = arena_new_obj(l->arena, struct ir_func);
	l->build.f->name = arena_printf(
		l->arena, "%s_loop_%u", outer->unit_name, m->callbacks.len + l->unit->nloops++);
	l->build.f->unit = outer->build.f->unit;
	l->build.f->is_callback = true;
	l->build.f->loc = outer->build.loc;
	l->build.cur = NULL;
	l->build.frame_used = l->build.frame_max = 0;
	l->loop.inside = true;
	l->clause.record = 0;
	l->clause.desc = NULL;
	l->clause.returns = NULL;
	l->seen = (struct cached){0};
	l->cached_lvalue = NULL;
	l->kept_keys.data = NULL;
	l->kept_keys.len = l->kept_keys.cap = 0;
	ir_new_temp(l, IRT_SCALAR); /* number 0 is not used */
	for (int i = 0; i < (foreach ? 3 : 1); i++)
		args[i] = param(l, foreach && i ? IRT_MEM : IRT_SCALAR);
	l->loop.passed = ctx = param(l, IRT_MEM);
	ir_place(l, ir_new_block(l, "round"));
	l->firing.ctx = passed(l, ctx, LOOP_CTX, IRT_CTX);
	l->firing.scratch =
		passed(l, ctx, LOOP_SCRATCH, outer->build.f->temps.data[outer->firing.scratch]);
	if (l->firing.spill_off)
		ir_put_spills(l, ir_scratch_alloc(l, SPILL_ROOM));
	l->firing.slot = passed(l, ctx, LOOP_SLOT, IRT_SCALAR);
	l->firing.probe_id = l->firing.probe_id ? passed(l, ctx, LOOP_PROBE, IRT_SCALAR) : 0;
	l->firing.key = l->firing.key ? passed(l, ctx, LOOP_KEY, IRT_SCALAR) : 0;
	for (int i = 0; i < unit_params(l->unit); i++)
		l->firing.params[i] = passed(l, ctx, LOOP_ARGS + 8 * i, IRT_SCALAR);
	l->clause.fault_code = ir_new_temp(l, IRT_SCALAR);
	l->clause.fault_value = ir_new_temp(l, IRT_SCALAR);
	l->clause.fault = ir_new_block(l, "fault");
	l->clause.skip = ir_new_block(l, "skip");
	l->loop.again = ir_new_block(l, "again");
	return l;
}

/* The ways out that were jumped to. */
static void body_ends(struct lower *l)
{
	ir_place(l, l->clause.fault);
	ir_emit_store(l, ir_op_temp(l->firing.scratch), (int32_t)l->loop.flow_off + FLOW_CODE,
		ir_op_temp(l->clause.fault_code), 8);
	ir_emit_store(l, ir_op_temp(l->firing.scratch), (int32_t)l->loop.flow_off + FLOW_VALUE,
		ir_op_temp(l->clause.fault_value), 8);
	set_flow(l, FLOW_FAULT);
	ret(l, 1);
	ir_place(l, l->clause.skip);
	set_flow(l, FLOW_SKIP);
	ret(l, 1);
	l->build.f->frame_size = l->build.frame_max;
}

/* Put the names of a foreach to the key at KEY. */
static void bind_keys(struct lower *l, const struct stmt *st, uint32_t key)
{
	const struct variable *v = st->over->info->var;
	struct datum keys[SEMA_MAX_KEYS];

	assoc_layout(l->s, v, keys);
	for (uint32_t i = 0; i < st->keys.len; i++)
		lower_bind(l, st->keys.data[i].var, key, &keys[i]);
}

/* Goes on to the next element if that with the key at KEY is another array's. */
static void skip_others(struct lower *l, const struct variable *v, uint32_t key)
{
	struct ir_block *other = ir_new_block(l, "otherarray"), *own = ir_new_block(l, "ownarray");
	uint32_t id;

	if (!v->shared)
		return;
	id = ir_emit_load(l, ir_op_temp(key), (int32_t)v->map_key_size - 8, 8);
	ir_emit_br(l, COND_EQ, ir_op_temp(id), ir_op_imm(v->id), own, other);
	ir_place(l, other);
	ret(l, 0);
	ir_place(l, own);
}

static struct ir_func *lower_round(struct lower *outer, const struct stmt *st, int64_t bound)
{
	bool foreach = st->kind == STMT_FOREACH;
	uint32_t args[3];
	struct lower *l = body_lower(outer, foreach, args);
	struct ir_block *run = ir_new_block(l, "body"), *end = ir_new_block(l, "end");

	if (foreach) {
		skip_others(l, st->over->info->var, args[1]);
		bind_keys(l, st, args[1]);
	}
	if (st->expr && !foreach)
		lower_condition(l, st->expr, run, end);
	ir_place(l, run);
	if (bound) /* one round more than allowed is begun, to see whether it would run */
		check_or_fault(l, COND_LT, ir_op_temp(args[0]), ir_op_imm(bound),
			DT_FAULT_LOOPBOUND, ir_op_imm(bound));
	count_round(l);
	lower_statements(l, &st->body);
	l->seen = (struct cached){0};
	ir_place(l, l->loop.again);
	if (st->step)
		lower_action(l, st->step);
	ret(l, 0);
	ir_place(l, end);
	ret(l, 1);
	body_ends(l);
	if (l->firing.scratch_max > outer->firing.scratch_max)
		outer->firing.scratch_max = l->firing.scratch_max;
	outer->self_makes = l->self_makes;
	outer->had_exit |= l->had_exit;
	outer->build.emitted = l->build.emitted;
	vec_push(l->arena, &l->s->out->module.callbacks, l->build.f);
	return l->build.f;
}

/* ---- around it ---- */

/* A loop in a loop gets what that one got: it is the same, and stack is short. */
static struct ir_operand pass(struct lower *l)
{
	uint32_t at;
	const struct {
		int32_t off;
		uint32_t temp;
	} fields[] = {{LOOP_SCRATCH, l->firing.scratch}, {LOOP_SLOT, l->firing.slot},
		{LOOP_PROBE, l->firing.probe_id}, {LOOP_KEY, l->firing.key}};

	if (l->loop.inside)
		return ir_op_temp(l->loop.passed);
	at = ir_frame_alloc(l, LOOP_ARGS + 8 * (uint32_t)unit_params(l->unit));
	ir_emit_store(l, ir_op_frame(0), (int32_t)at + LOOP_CTX,
		is_called(l->unit) ? ir_op_imm(0) : ir_op_temp(ir_as_temp(l, ir_op_ctx(l))), 8);
	for (unsigned i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		ir_emit_store(l, ir_op_frame(0), (int32_t)at + fields[i].off,
			fields[i].temp ? ir_op_temp(fields[i].temp) : ir_op_imm(0), 8);
	for (int i = 0; i < unit_params(l->unit); i++)
		ir_emit_store(l, ir_op_frame(0), (int32_t)at + LOOP_ARGS + 8 * i,
			ir_op_temp(l->firing.params[i]), 8);
	return ir_op_frame(at);
}

static uint32_t flow(struct lower *l, int32_t which)
{
	return ir_emit_load(l, ir_op_temp(l->firing.scratch), (int32_t)l->loop.flow_off + which, 8);
}

/* Go on as the last round said. */
static void after_loop(struct lower *l)
{
	struct ir_block *special = ir_new_block(l, "left"), *done = ir_new_block(l, "looped");
	uint32_t how = flow(l, FLOW_HOW);
	struct ir_block *fault = ir_new_block(l, "loopfault"), *other = ir_new_block(l, "other"),
			*skip = ir_new_block(l, "loopskip"), *back = ir_new_block(l, "loopreturn");

	ir_emit_br(l, COND_LE, ir_op_temp(how), ir_op_imm(FLOW_BREAK), done, special);
	ir_place(l, special);
	ir_emit_br(l, COND_EQ, ir_op_temp(how), ir_op_imm(FLOW_FAULT), fault, other);
	ir_place(l, fault);
	set_fault_code(l, ir_op_temp(flow(l, FLOW_CODE)));
	set_fault_value(l, ir_op_temp(flow(l, FLOW_VALUE)));
	ir_emit_jmp(l, l->clause.fault);
	ir_place(l, other);
	ir_emit_br(l, COND_EQ, ir_op_temp(how), ir_op_imm(FLOW_RETURN), back, skip);
	ir_place(l, back);
	if (l->clause.returns)
		lower_leave_to(l, l->clause.returns, l->clause.returns_record);
	else if (l->loop.inside)
		loop_leave(l, FLOW_RETURN);
	else
		ir_emit_jmp(l, l->clause.skip); /* only functions return */
	ir_place(l, skip);
	ir_emit_jmp(l, l->clause.skip);
	ir_place(l, done);
}

#define LOOP_MOST (1 << 23) /* BPF_MAX_LOOPS (linux/bpf_verifier.h) */

void lower_loop(struct lower *l, const struct stmt *st)
{
	int64_t known = known_rounds(st), rounds = known >= 0 ? known : l->s->target->loopbound;
	struct ir_operand func = {.kind = OP_FUNC}, ctx;
	struct cached c;

	l->build.loc = st->loc;
	if (st->init)
		lower_action(l, st->init);
	if (!known) /* the kernel refuses a body that is never called */
		return;
	if (known >= LOOP_MOST) { /* more than the kernel does: it will fault */
		known = -1;
		rounds = LOOP_MOST - 1;
	}
	c = lower_cached(l);
	func.sym = lower_round(l, st, known >= 0 || st->kind == STMT_FOREACH ? 0 : rounds)->name;
	l->build.loc = st->loc;
	set_flow(l, FLOW_NEXT);
	ctx = pass(l);
	if (st->kind == STMT_FOREACH)
		ir_emit_call(l, BPF_FUNC_for_each_map_elem, 4, ir_op_map(st->over->info->var->map),
			func, ctx, ir_op_imm(0));
	else
		ir_emit_call(l, BPF_FUNC_loop, 4, ir_op_imm(known >= 0 ? rounds : rounds + 1), func,
			ctx, ir_op_imm(0));
	lower_restore(l, c);
	after_loop(l);
}
