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
	uint32_t st = emit_mov(l, op_data(DT_SEC_STATE, 0));

	emit_store(l, op_temp(st), offsetof(struct dt_state, exit_status), status, 4);
	emit_store(l, op_temp(st), offsetof(struct dt_state, exited), op_imm(DT_EXITED_NOW), 4);
	if (l->unit->plan.kind != ATTACH_END)
		emit_store(l, op_temp(st), offsetof(struct dt_state, activity), op_imm(DT_DRAINING),
			4);
}

void lower_exit(struct lower *l, struct ir_operand status)
{
	emit_exit(l, status);
	l->had_exit = true;
}

bool find_exit(void *found, const struct expr *e)
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
	if (!ends || !sema_any_stmt(&l->clause.of->ast->stmts, find_exit, NULL, &e))
		return;
	e = e->args.data[0];
	emit_exit(l, e->kind == EXPR_INT ? op_imm((int32_t)e->value) : op_imm(0));
}

/* ---- the room of speculations ---- */

static struct ir_operand spec_word(struct lower *l)
{
	return op_temp(emit_load(l, op_temp(l->firing.scratch), (int32_t)l->clause.spec_off, 8));
}

/* A record of D that is opened after speculate() takes its room now; the others take it there. */
static void take_room(struct lower *l, const struct rec_desc *d)
{
	struct ir_block *room = new_block(l, "room");
	uint32_t v;

	if (!d->speculative || !l->clause.spec_off ||
		(!l->loop.inside && l->clause.of->descs.len < 2))
		return;
	v = emit_rt(l, "dt_spec_take", 3, spec_word(l), op_imm(d->size),
		op_imm((int64_t)l->s->target->specsize));
	emit_br(l, COND_EQ, op_temp(v), op_imm(0), l->clause.skip, room);
	place(l, room);
}

static void give_room_of(struct lower *l, const struct rec_desc *d)
{
	if (d->speculative && l->clause.spec_off)
		emit_rt(l, "dt_spec_give", 2, spec_word(l), op_imm(d->size));
}

void give_room(struct lower *l)
{
	if (l->clause.record)
		give_room_of(l, l->clause.desc);
}

/* ---- records ---- */

static void store_thread(struct lower *l, const struct rec_desc *d)
{
	struct byte_place name = {.base = op_temp(l->clause.record),
		.off = (int32_t)d->thread + 8,
		.room = 2 * RECORD_NAME,
		.scratch = -1};

	emit_store(l, op_temp(l->clause.record), (int32_t)d->thread, op_temp(current_thread(l)), 8);
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
	uint32_t used = new_temp(l, IRT_SCALAR);

	l->clause.record_off = scratch_alloc(l, d->tail + DT_SYSCALL_ROOM);
	l->firing.scratch_kept = l->firing.scratch_used; /* until the clause ends */
	buffer_room(l, d->size, full);
	l->clause.record = emit_op(
		l, IR_ADD, op_temp(l->firing.scratch), op_imm((int32_t)l->clause.record_off));
	emit_set(l, used, op_imm(d->tail));
	l->clause.record_used = used;
}

void open_record(struct lower *l, const struct rec_desc *d)
{
	struct ir_block *full = new_block(l, "full"), *go = new_block(l, "reserved");
	uint32_t cpu;

	take_room(l, d);
	if (is_shortened(l, d))
		open_shortened(l, d, full);
	else
		l->clause.record = piece_keeps(l) ? piece_record(l, d->size, full)
						  : buffer_reserve(l, BUFFER_RECORD, d->size, full);
	emit_jmp(l, go);
	place(l, full);
	emit_drop(l, DT_DROP_PRINCIPAL);
	if (l->loop.inside || l->clause.of->descs.len > 1)
		give_room_of(l, d);
	exit_without_record(l);
	emit_jmp(l, l->clause.skip);
	place(l, go);
	l->clause.desc = d;
	emit_store(l, op_temp(l->clause.record), offsetof(struct dt_rec, probe), fired_probe(l), 4);
	emit_store(l, op_temp(l->clause.record), offsetof(struct dt_rec, clause), op_imm(d->number),
		2);
	cpu = current_cpu(l);
	if (l->unit->has_loops)
		cpu = emit_op(l, IR_OR, op_temp(cpu), op_temp(loop_continued(l)));
	emit_store(l, op_temp(l->clause.record), offsetof(struct dt_rec, cpu), op_temp(cpu), 2);
	if (d->speculative)
		emit_store(l, op_temp(l->clause.record), (int32_t)d->spec, op_imm(0), 8);
	if (d->by_process)
		emit_store(l, op_temp(l->clause.record), (int32_t)d->process,
			op_temp(current_process(l)), 8);
	if (d->timed)
		emit_store(l, op_temp(l->clause.record), (int32_t)d->time,
			op_temp(emit_call(l, BPF_FUNC_ktime_get_ns, 0)), 8);
	if (d->with_thread)
		store_thread(l, d);
	for (uint32_t i = 0; d->conditional && i < (d->nactions + 63) / 64; i++)
		emit_store(l, op_temp(l->clause.record), (int32_t)(d->ran + 8 * i), op_imm(0), 8);
	l->clause.outer_fault = l->clause.fault;
	l->clause.outer_skip = l->clause.skip;
	l->clause.fault = new_block(l, "discard");
	l->clause.skip = new_block(l, "leave");
}

static void discard(struct lower *l)
{
	give_room(l);
	if (!piece_keeps(l) && !l->clause.record_used)
		buffer_discard(l, l->clause.record, l->clause.desc->size);
}

static void submit_shortened(struct lower *l)
{
	struct attempt a = attempt(l, "full", "submitted");

	buffer_output(l, l->clause.record, l->clause.record_used, a.failed);
	attempt_end(l, &a, DT_DROP_PRINCIPAL);
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

void submit_record(struct lower *l)
{
	const struct rec_desc *d = l->clause.desc;
	struct ir_block *some, *none, *done;
	uint32_t ran = 0;

	if (d->speculative && l->clause.spec_off)
		emit_store(l, op_temp(l->clause.record), (int32_t)d->spec,
			op_temp(emit_load(
				l, op_temp(l->firing.scratch), (int32_t)l->clause.spec_off, 8)),
			8);
	if (!d->may_be_empty) {
		submit(l);
		return;
	}
	/* a record none of whose actions ran is not written */
	some = new_block(l, "some");
	none = new_block(l, "none");
	done = new_block(l, "written");
	for (uint32_t i = 0; i < (d->nactions + 63) / 64; i++) {
		uint32_t w = emit_load(l, op_temp(l->clause.record), (int32_t)(d->ran + 8 * i), 8);

		ran = i ? emit_op(l, IR_OR, op_temp(ran), op_temp(w)) : w;
	}
	emit_br(l, COND_NE, op_temp(ran), op_imm(0), some, none);
	place(l, some);
	submit(l);
	emit_jmp(l, done);
	place(l, none);
	discard(l);
	place(l, done);
}

/* Where something jumps to AT, the record is discarded on the way to NEXT. */
static void discard_at(struct lower *l, struct ir_block *at, struct ir_block *next)
{
	if (!at->used)
		return;
	place(l, at);
	discard(l);
	emit_jmp(l, next);
}

/* The record is complete; a fault or an early end on the way here discards it. */
void close_record(struct lower *l)
{
	struct ir_block *done = new_block(l, "recorded");

	submit_record(l);
	emit_jmp(l, done);
	discard_at(l, l->clause.skip, l->clause.outer_skip);
	discard_at(l, l->clause.fault, l->clause.outer_fault);
	place(l, done);
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
struct cached cached(const struct lower *l)
{
	return l->seen;
}

void restore(struct lower *l, struct cached c)
{
	uint32_t piece = l->seen.piece;

	if (c.piece != piece) /* the branch ended in another program */
		c = (struct cached){.piece = piece};
	l->seen = c;
}

static void lower_if(struct lower *l, const struct stmt *st)
{
	struct ir_block *yes = new_block(l, "then"), *no = new_block(l, "else"),
			*done = new_block(l, "endif");
	struct cached c;

	l->build.loc = st->loc;
	lower_condition(l, st->expr, yes, no);
	c = cached(l);
	place(l, yes);
	lower_statements(l, &st->body);
	emit_jmp(l, done);
	restore(l, c);
	place(l, no);
	lower_statements(l, &st->orelse);
	restore(l, c);
	place(l, done);
}

/* Leave a loop's round or a function: what was recorded so far counts. */
void leave_to(struct lower *l, struct ir_block *to, uint32_t record)
{
	if (l->clause.record && l->clause.record != record)
		submit_record(l);
	emit_jmp(l, to);
}

static void lower_return(struct lower *l, const struct stmt *st)
{
	if (st->expr)
		lower_set_variable(l, st->result, st->expr);
	if (l->clause.returns)
		leave_to(l, l->clause.returns, l->clause.returns_record);
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
		leave_to(l, l->loop.again, 0);
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
			open_record(l, st->open);
		lower_one(l, st);
		l->build.frame_used = frame;
		l->firing.scratch_used =
			scratch > l->firing.scratch_kept ? scratch : l->firing.scratch_kept;
		if (st->close)
			close_record(l);
	}
}

/* Lowers the body of a D function in place of its call. */
void lower_inlined(struct lower *l, const struct expr *e)
{
	struct ir_block *outer = l->clause.returns;
	uint32_t record = l->clause.returns_record;
	struct cached c = cached(l);

	l->clause.returns = new_block(l, "return");
	l->clause.returns_record = l->clause.record;
	lower_statements(l, &e->info->inlined);
	place(l, l->clause.returns);
	restore(l, c);
	l->clause.returns = outer;
	l->clause.returns_record = record;
}
