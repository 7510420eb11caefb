// SPDX-License-Identifier: Apache-2.0
/* Lowers run-time faults and drops. */
#include "abi/kernel.h"
#include "base/intmap.h"
#include "base/vec.h"
#include "ir/ir.h"
#include "ir/lower.h"
#include "ir/lower_buffer.h"
#include "ir/lower_build.h"
#include "ir/lower_fault.h"
#include "ir/lower_piece.h"
#include "ir/lower_state.h"
#include "ir/lower_stmt.h"
#include "lang/ast.h"
#include "probe/attach.h"
#include "sema/typed.h"

/* ---- places ---- */

static bool is_in_clause(const struct sema_clause *c, const struct expr *e)
{
	return c && e->text >= c->ast->text && e->text < c->ast->text + c->ast->text_len;
}

struct lower_outer lower_at_begin(struct lower *l, const struct expr *e)
{
	const struct lower_outer outer = {l, l->clause.at};

	if (e->text) { /* else the compiler made it: it may be gone soon */
		l->clause.at.expr = e;
		if (is_in_clause(l->clause.of, e))
			l->clause.at.use = e;
	}
	return outer;
}

void lower_at_end(struct lower_outer *outer)
{
	outer->l->clause.at = outer->at;
}

static bool same_place(const struct fault_place *a, const struct fault_place *b)
{
	return a->clause == b->clause && a->action == b->action && a->loc.line == b->loc.line &&
		a->loc.col == b->loc.col && a->use == b->use && a->definition == b->definition;
}

uint32_t fault_place_number(struct lower *l)
{
	const struct expr *e = l->clause.at.expr;
	const struct fault_place p = {.clause = l->clause.of,
		.action = l->clause.action,
		.loc = l->clause.at.use ? l->clause.at.use->loc : l->build.loc,
		.use = l->clause.at.use,
		.definition = e && e->definition ? e->definition
			: e != l->clause.at.use	 ? e
						 : NULL};
	uint64_t key = (uintptr_t)(e ? (const void *)e : l->clause.of);
	const struct intmap_slot *have = intmap_find(&l->s->faults, key);
	struct lowered *out = l->s->out;

	if (have && same_place(&out->fault_places.data[have->value - 1], &p))
		return (uint32_t)have->value;
	if (!p.clause || out->fault_places.len >= DT_FAULT_PLACE_MOST)
		return 0;
	vec_push(l->arena, &out->fault_places, p);
	intmap_put(&l->s->faults, key, out->fault_places.len);
	return out->fault_places.len;
}

/* ---- raising faults ---- */

void set_fault_code(struct lower *l, struct ir_operand code)
{
	if (piece_keeps(l))
		piece_keep_code(l, code);
	else
		ir_emit_set(l, l->clause.fault_code, code);
}

void set_fault_value(struct lower *l, struct ir_operand value)
{
	if (piece_keeps(l))
		piece_keep_value(l, value);
	else
		ir_emit_set(l, l->clause.fault_value, value);
}

void emit_fault_code(struct lower *l, struct ir_operand code, struct ir_operand value)
{
	int64_t place;

	if (!l->build.cur)
		return;
	place = (int64_t)fault_place_number(l) << DT_FAULT_PLACE;
	if (code.kind == OP_IMM)
		code.value |= place;
	else
		code = ir_op_temp(ir_emit_op(l, IR_OR, code, ir_op_imm(place)));
	set_fault_code(l, code);
	set_fault_value(l, value);
	ir_emit_jmp(l, l->clause.fault);
}

void emit_fault(struct lower *l, enum dt_fault_code code, struct ir_operand value)
{
	emit_fault_code(l, ir_op_imm(code), value);
}

void check_or_fault(struct lower *l, enum ir_cond cond, struct ir_operand a, struct ir_operand b,
	enum dt_fault_code code, struct ir_operand value)
{
	struct ir_block *good = ir_new_block(l, "ok"), *bad = ir_new_block(l, "bad");

	/* the stub stands here, not at the clause's end: VALUE need not stay alive until then */
	ir_emit_br(l, cond, a, b, good, bad);
	ir_place(l, bad);
	emit_fault(l, code, value);
	ir_place(l, good);
}

static void count_drop(struct lower *l, enum dt_drop which)
{
	struct ir_block *none;
	uint32_t p;

	if (piece_calls_drop(l)) {
		ir_emit_rt(l, "dt_drop", 1, ir_op_imm(which));
		return;
	}
	none = ir_new_block(l, "nodrop");
	p = ir_emit_nonnull(l, ir_array_lookup(l, DT_MAP_DROPS, ir_op_imm(which)), none);
	/* programs nest: counted atomically, it is off every fast path */
	{
		uint32_t one = ir_emit_mov(l, ir_op_imm(1));
		struct ir_insn *in = ir_emit(l, IR_XADD);

		in->a = ir_op_temp(p);
		in->b = ir_op_temp(one);
		in->size = 8;
	}
	ir_place(l, none);
}

/*
 * Stops tracing if the consumer has been away for too long: whoever has no room for a record looks
 * (option deadman).
 */
static void emit_deadman(struct lower *l)
{
	struct ir_block *dead = ir_new_block(l, "dead"), *alive = ir_new_block(l, "alive");
	uint32_t st = ir_emit_mov(l, ir_op_data(DT_SEC_STATE, 0));
	uint32_t at = ir_emit_load(l, ir_op_temp(st), offsetof(struct dt_state, dead_at), 8);
	uint32_t now = ir_emit_call(l, BPF_FUNC_ktime_get_ns, 0);

	ir_emit_br(l, COND_GT, ir_op_temp(now), ir_op_temp(at), dead, alive);
	ir_place(l, dead);
	ir_emit_store(l, ir_op_temp(st), offsetof(struct dt_state, dead), ir_op_imm(1), 4);
	ir_emit_store(
		l, ir_op_temp(st), offsetof(struct dt_state, activity), ir_op_imm(DT_DRAINING), 4);
	ir_emit_jmp(l, alive);
	ir_place(l, alive);
}

static bool ends_if_dead(const struct lower *l, enum dt_drop which)
{
	enum attach_kind kind = l->unit->plan.kind;

	return which == DT_DROP_PRINCIPAL && kind != ATTACH_BEGIN && kind != ATTACH_END &&
		!l->unit->is_error;
}

void lower_emit_drop(struct lower *l, enum dt_drop which)
{
	if (ends_if_dead(l, which))
		emit_deadman(l);
	count_drop(l, which);
}

/* ---- code for memory that may be missing ---- */

struct attempt lower_attempt(struct lower *l, const char *failed, const char *done)
{
	return (struct attempt){ir_new_block(l, failed), ir_new_block(l, done)};
}

void lower_attempt_else(struct lower *l, const struct attempt *a)
{
	ir_emit_jmp(l, a->done);
	ir_place(l, a->failed);
}

void lower_attempt_end(struct lower *l, const struct attempt *a, enum dt_drop which)
{
	lower_attempt_else(l, a);
	if (which != NO_DROP)
		lower_emit_drop(l, which);
	ir_place(l, a->done);
}

/* ---- the end of a clause that faulted ---- */

/* Write the record of a fault into the ring buffer. */
static void report(struct lower *l)
{
	struct attempt a = lower_attempt(l, "full", "reported");
	uint32_t p = buffer_reserve(l, BUFFER_FAULT, sizeof(struct dt_fault), a.failed), cpu;

	ir_emit_store(l, ir_op_temp(p), offsetof(struct dt_rec, probe), ir_fired_probe(l), 4);
	ir_emit_store(
		l, ir_op_temp(p), offsetof(struct dt_rec, clause), ir_op_imm(DT_REC_FAULT), 2);
	ir_emit_store(l, ir_op_temp(p), offsetof(struct dt_fault, clause),
		ir_op_imm(l->clause.of->number), 4);
	ir_emit_store(l, ir_op_temp(p), offsetof(struct dt_fault, fault),
		ir_op_temp(l->clause.fault_code), 4);
	ir_emit_store(l, ir_op_temp(p), offsetof(struct dt_fault, value),
		ir_op_temp(l->clause.fault_value), 8);
	cpu = ir_emit_call(l, BPF_FUNC_get_smp_processor_id, 0);
	ir_emit_store(l, ir_op_temp(p), offsetof(struct dt_rec, cpu), ir_op_temp(cpu), 2);
	buffer_submit(l, BUFFER_FAULT, p, sizeof(struct dt_fault));
	lower_attempt_end(l, &a, DT_DROP_PRINCIPAL);
}

void lower_fault_block(struct lower *l, struct ir_block *next)
{
	if (l->unit->is_error) { /* a fault inside ERROR must not raise ERROR */
		lower_emit_drop(l, DT_DROP_DBLERROR);
		ir_emit_jmp(l, next);
		return;
	}
	if (piece_keeps(l))
		piece_get_fault(l);
	report(l);
	if (l->s->target->errexit)
		lower_exit(l, ir_op_imm(0)); /* the consumer does the rest */
	if (l->s->has_error_clauses)
		ir_emit_rt(l, "dt_error", 4, ir_fired_probe(l), ir_op_imm(l->clause.of->number),
			ir_op_temp(ir_emit_op(l, IR_AND, ir_op_temp(l->clause.fault_code),
				ir_op_imm(DT_FAULT_CODE_MASK))),
			ir_op_temp(l->clause.fault_value));
	l->had_exit |= l->s->error_exits;
	ir_emit_jmp(l, next);
}
