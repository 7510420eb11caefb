// SPDX-License-Identifier: Apache-2.0
/* Lowers statements, and the records that they fill. */
#include "abi/kernel.h"
#include "abi/record.h"
#include "abi/syscalls.h"
#include "ir/ir.h"
#include "ir/layout.h"
#include "ir/lower_buffer.h"
#include "ir/lower_build.h"
#include "ir/lower_builtin.h"
#include "ir/lower_expr.h"
#include "ir/lower_fault.h"
#include "ir/lower_piece.h"
#include "ir/lower_stmt.h"
#include "ir/lower_str.h"
#include "ir/lower_var.h"
#include "ir/target.h"
#include "lang/ast.h"
#include "probe/attach.h"
#include "sema/names.h"
#include "sema/typed.h"

/* ---- exit() ---- */

/* Sizes of the branches of a clause's end: exit() whose record was dropped still ends tracing. */
static bool ends_tracing(const struct rec_desc *d)
{
	for (uint32_t i = 0; i < d->nactions && !d->conditional; i++)
		if (d->actions[i].kind == REC_EXIT)
			return true;
	return false;
}

/* Lowers exit(): from now on nothing fires except END. */
static void emit_exit(struct lower *l, struct ir_operand status)
{
	uint32_t st = ir_emit_mov(l, ir_op_data(DT_SEC_STATE, 0));

	ir_emit_store(l, ir_op_temp(st), offsetof(struct dt_state, exit_status), status, 4);
	ir_emit_store(
		l, ir_op_temp(st), offsetof(struct dt_state, exited), ir_op_imm(DT_EXITED_NOW), 4);
	if (l->unit->plan.kind != ATTACH_END)
		ir_emit_store(l, ir_op_temp(st), offsetof(struct dt_state, activity),
			ir_op_imm(DT_DRAINING), 4);
}

void lower_exit(struct lower *l, struct ir_operand status)
{
	emit_exit(l, status);
	l->had_exit = true;
}

bool lower_find_exit(void *found, const struct expr *e)
{
	if (!is_recording(e) || e->info->func->id != FUNC_exit)
		return false;
	if (found)
		*(const struct expr **)found = e;
	return true;
}

/*
 * exit() in a clause one of whose records was dropped, which ends the clause, still stops tracing;
 * with its status if that is known.
 */
static void exit_without_record(struct lower *l)
{
	const struct expr *e = NULL;
	bool ends = false;

	for (uint32_t i = 0; i < l->clause.of->descs.len; i++)
		ends |= ends_tracing(l->clause.of->descs.data[i]);
	if (!ends || !sema_any_stmt(&l->clause.of->ast->stmts, lower_find_exit, NULL, &e))
		return;
	e = e->args.data[0];
	emit_exit(l, e->kind == EXPR_INT ? ir_op_imm((int32_t)e->value) : ir_op_imm(0));
}

/* ---- the room of speculations ---- */

static struct ir_operand spec_word(struct lower *l)
{
	return ir_op_temp(
		ir_emit_load(l, ir_op_temp(l->firing.scratch), (int32_t)l->clause.spec_off, 8));
}

/* A record of D that is opened after speculate() takes its room now; the others take it there. */
static void take_room(struct lower *l, const struct rec_desc *d)
{
	struct ir_block *room = ir_new_block(l, "room");
	uint32_t v;

	if (!d->speculative || !l->clause.spec_off ||
		(!l->loop.inside && l->clause.of->descs.len < 2))
		return;
	v = ir_emit_rt(l, "dt_spec_take", 3, spec_word(l), ir_op_imm(d->size),
		ir_op_imm((int64_t)l->s->target->specsize));
	ir_emit_br(l, COND_EQ, ir_op_temp(v), ir_op_imm(0), l->clause.skip, room);
	ir_place(l, room);
}

static void give_room_of(struct lower *l, const struct rec_desc *d)
{
	if (d->speculative && l->clause.spec_off)
		ir_emit_rt(l, "dt_spec_give", 2, spec_word(l), ir_op_imm(d->size));
}

void lower_give_room(struct lower *l)
{
	if (l->clause.record)
		give_room_of(l, l->clause.desc);
}

/* ---- records ---- */

static void store_thread(struct lower *l, const struct rec_desc *d)
{
	struct byte_place name = {.base = ir_op_temp(l->clause.record),
		.off = (int32_t)d->thread + 8,
		.room = 2 * RECORD_NAME,
		.scratch = -1};

	ir_emit_store(l, ir_op_temp(l->clause.record), (int32_t)d->thread,
		ir_op_temp(lower_current_thread(l)), 8);
	_Static_assert(RECORD_NAME == COMM_LEN, "a record has the kernel's names");
	lower_names_into(l, &name);
}

/*
 * True if no more of a record than is used goes to the buffer.  Elsewhere its room is counted
 * before its length is known: by a speculation, by a CPU's account, by another program.
 */
static bool is_shortened(const struct lower *l, const struct rec_desc *d)
{
	return d->tail && !d->speculative && !l->loop.inside && !l->unit->piece &&
		l->s->target->policy == POLICY_SWITCH;
}

static void open_shortened(struct lower *l, const struct rec_desc *d, struct ir_block *full)
{
	uint32_t used = ir_new_temp(l, IRT_SCALAR);

	l->clause.record_off = ir_scratch_alloc(l, d->tail + DT_SYSCALL_ROOM);
	l->firing.scratch_kept = l->firing.scratch_used; /* until the clause ends */
	buffer_room(l, d->size, full);
	l->clause.record = ir_emit_op(
		l, IR_ADD, ir_op_temp(l->firing.scratch), ir_op_imm((int32_t)l->clause.record_off));
	ir_emit_set(l, used, ir_op_imm(d->tail));
	l->clause.record_used = used;
}

void lower_open_record(struct lower *l, const struct rec_desc *d)
{
	struct ir_block *full = ir_new_block(l, "full"), *go = ir_new_block(l, "reserved");
	uint32_t cpu;

	take_room(l, d);
	if (is_shortened(l, d))
		open_shortened(l, d, full);
	else
		l->clause.record = piece_keeps(l) ? piece_record(l, d->size, full)
						  : buffer_reserve(l, BUFFER_RECORD, d->size, full);
	ir_emit_jmp(l, go);
	ir_place(l, full);
	lower_emit_drop(l, DT_DROP_PRINCIPAL);
	if (l->loop.inside || l->clause.of->descs.len > 1)
		give_room_of(l, d);
	exit_without_record(l);
	ir_emit_jmp(l, l->clause.skip);
	ir_place(l, go);
	l->clause.desc = d;
	ir_emit_store(l, ir_op_temp(l->clause.record), offsetof(struct dt_rec, probe),
		ir_fired_probe(l), 4);
	ir_emit_store(l, ir_op_temp(l->clause.record), offsetof(struct dt_rec, clause),
		ir_op_imm(d->number), 2);
	cpu = lower_current_cpu(l);
	if (l->unit->has_loops)
		cpu = ir_emit_op(l, IR_OR, ir_op_temp(cpu), ir_op_temp(loop_continued(l)));
	ir_emit_store(
		l, ir_op_temp(l->clause.record), offsetof(struct dt_rec, cpu), ir_op_temp(cpu), 2);
	if (d->speculative)
		ir_emit_store(l, ir_op_temp(l->clause.record), (int32_t)d->spec, ir_op_imm(0), 8);
	if (d->by_process)
		ir_emit_store(l, ir_op_temp(l->clause.record), (int32_t)d->process,
			ir_op_temp(lower_current_process(l)), 8);
	if (d->timed)
		ir_emit_store(l, ir_op_temp(l->clause.record), (int32_t)d->time,
			ir_op_temp(ir_emit_call(l, BPF_FUNC_ktime_get_ns, 0)), 8);
	if (d->with_thread)
		store_thread(l, d);
	for (uint32_t i = 0; d->conditional && i < (d->nactions + 63) / 64; i++)
		ir_emit_store(l, ir_op_temp(l->clause.record), (int32_t)(d->ran + 8 * i),
			ir_op_imm(0), 8);
	l->clause.outer_fault = l->clause.fault;
	l->clause.outer_skip = l->clause.skip;
	l->clause.fault = ir_new_block(l, "discard");
	l->clause.skip = ir_new_block(l, "leave");
}

static void discard(struct lower *l)
{
	lower_give_room(l);
	if (!piece_keeps(l) && !l->clause.record_used)
		buffer_discard(l, l->clause.record, l->clause.desc->size);
}

static void submit_shortened(struct lower *l)
{
	struct attempt a = lower_attempt(l, "full", "submitted");

	buffer_output(l, l->clause.record, l->clause.record_used, a.failed);
	lower_attempt_end(l, &a, DT_DROP_PRINCIPAL);
}

static void submit(struct lower *l)
{
	if (l->clause.record_used)
		submit_shortened(l);
	else if (piece_keeps(l))
		piece_submit(l, l->clause.desc->size);
	else
		buffer_submit(l, BUFFER_RECORD, l->clause.record, l->clause.desc->size);
	if (l->unit->has_loops)
		loop_recorded(l);
}

void lower_submit_record(struct lower *l)
{
	const struct rec_desc *d = l->clause.desc;
	struct ir_block *some, *none, *done;
	uint32_t ran = 0;

	if (d->speculative && l->clause.spec_off)
		ir_emit_store(l, ir_op_temp(l->clause.record), (int32_t)d->spec,
			ir_op_temp(ir_emit_load(
				l, ir_op_temp(l->firing.scratch), (int32_t)l->clause.spec_off, 8)),
			8);
	if (!d->may_be_empty) {
		submit(l);
		return;
	}
	/* a record none of whose actions ran is not written */
	some = ir_new_block(l, "some");
	none = ir_new_block(l, "none");
	done = ir_new_block(l, "written");
	for (uint32_t i = 0; i < (d->nactions + 63) / 64; i++) {
		uint32_t w =
			ir_emit_load(l, ir_op_temp(l->clause.record), (int32_t)(d->ran + 8 * i), 8);

		ran = i ? ir_emit_op(l, IR_OR, ir_op_temp(ran), ir_op_temp(w)) : w;
	}
	ir_emit_br(l, COND_NE, ir_op_temp(ran), ir_op_imm(0), some, none);
	ir_place(l, some);
	submit(l);
	ir_emit_jmp(l, done);
	ir_place(l, none);
	discard(l);
	ir_place(l, done);
}

/* Where something jumps to AT, the record is discarded on the way to NEXT. */
static void discard_at(struct lower *l, struct ir_block *at, struct ir_block *next)
{
	if (!at->used)
		return;
	ir_place(l, at);
	discard(l);
	ir_emit_jmp(l, next);
}

/* The record is complete; a fault or an early end on the way here discards it. */
void lower_close_record(struct lower *l)
{
	struct ir_block *done = ir_new_block(l, "recorded");

	lower_submit_record(l);
	ir_emit_jmp(l, done);
	discard_at(l, l->clause.skip, l->clause.outer_skip);
	discard_at(l, l->clause.fault, l->clause.outer_fault);
	ir_place(l, done);
	l->clause.fault = l->clause.outer_fault;
	l->clause.skip = l->clause.outer_skip;
	l->clause.record = 0;
	l->clause.record_used = 0;
	l->clause.desc = NULL;
}

/* ---- control flow ---- */

/*
 * Values that were read once and kept (the task, the clock) are only there where they were read:
 * forget those of a branch after it.
 */
struct cached lower_cached(const struct lower *l)
{
	return l->seen;
}

void lower_restore(struct lower *l, struct cached c)
{
	uint32_t piece = l->seen.piece;

	if (c.piece != piece) /* the branch ended in another program */
		c = (struct cached){.piece = piece};
	l->seen = c;
}

static void lower_if(struct lower *l, const struct stmt *st)
{
	struct ir_block *yes = ir_new_block(l, "then"), *no = ir_new_block(l, "else"),
			*done = ir_new_block(l, "endif");
	struct cached c;

	l->build.loc = st->loc;
	lower_condition(l, st->expr, yes, no);
	c = lower_cached(l);
	ir_place(l, yes);
	lower_statements(l, &st->body);
	ir_emit_jmp(l, done);
	lower_restore(l, c);
	ir_place(l, no);
	lower_statements(l, &st->orelse);
	lower_restore(l, c);
	ir_place(l, done);
}

/* Leave a loop's round or a function: what was recorded so far counts. */
void lower_leave_to(struct lower *l, struct ir_block *to, uint32_t record)
{
	if (l->clause.record && l->clause.record != record)
		lower_submit_record(l);
	ir_emit_jmp(l, to);
}

static void lower_return(struct lower *l, const struct stmt *st)
{
	if (st->expr)
		lower_set_variable(l, st->result, st->expr);
	if (l->clause.returns)
		lower_leave_to(l, l->clause.returns, l->clause.returns_record);
	else
		loop_leave(l, FLOW_RETURN);
}

static void lower_one(struct lower *l, const struct stmt *st)
{
	switch (st->kind) {
	case STMT_EXPR:
		lower_action(l, st->expr);
		break;
	case STMT_BLOCK:
		lower_statements(l, &st->body);
		break;
	case STMT_IF:
		lower_if(l, st);
		break;
	case STMT_FOR:
	case STMT_WHILE:
	case STMT_FOREACH:
		lower_loop(l, st);
		break;
	case STMT_BREAK:
		loop_leave(l, FLOW_BREAK);
		break;
	case STMT_CONTINUE:
		lower_leave_to(l, l->loop.again, 0);
		break;
	case STMT_RETURN:
		lower_return(l, st);
		break;
	}
}

void lower_statements(struct lower *l, const stmt_vec *stmts)
{
	for (uint32_t i = 0; i < stmts->len; i++) {
		const struct stmt *st = &stmts->data[i];
		uint32_t frame = l->build.frame_used, scratch = l->firing.scratch_used;

		piece_boundary(l);
		if (l->clause.of && stmts == &l->clause.of->ast->stmts) /* else the condition of a
									   derived probe */
			l->clause.action = i + 1;
		if (st->open)
			lower_open_record(l, st->open);
		lower_one(l, st);
		l->build.frame_used = frame;
		l->firing.scratch_used =
			scratch > l->firing.scratch_kept ? scratch : l->firing.scratch_kept;
		if (st->close)
			lower_close_record(l);
	}
}

/* Lowers the body of a D function in place of its call. */
void lower_inlined(struct lower *l, const struct expr *e)
{
	struct ir_block *outer = l->clause.returns;
	uint32_t record = l->clause.returns_record;
	struct cached c = lower_cached(l);

	l->clause.returns = ir_new_block(l, "return");
	l->clause.returns_record = l->clause.record;
	lower_statements(l, &e->info->inlined);
	ir_place(l, l->clause.returns);
	lower_restore(l, c);
	l->clause.returns = outer;
	l->clause.returns_record = record;
}
