// SPDX-License-Identifier: Apache-2.0
/*
 * Lowers vtimestamp, the time that the current thread has run on a CPU.  The scheduler's own
 * account is as old as its last tick, and its clock cannot be read from BPF; so where a program
 * asks, one more of ours on sched_switch keeps the time of the threads that were asked about, in
 * their storage.
 */
#include "base/arena.h"
#include "base/vec.h"
#include "ir/ir.h"
#include "ir/lower_build.h"
#include "ir/lower_builtin.h"
#include "ir/lower_piece.h"
#include "ir/lower_state.h"
#include "ir/units.h"
#include "lang/ast.h"
#include "probe/attach.h"
#include "sema/names.h"
#include "sema/typed.h"

#define MAP_VTIME "dt_vtime"

/* The map's value. */
enum { VTIME_TOTAL = 0, VTIME_SINCE = 8, VTIME_SIZE = 16 }; /* ns; since 0 = not on a CPU */

static bool is_vtimestamp(void *arg, const struct expr *e)
{
	return e->kind == EXPR_VAR && e->info && e->info->ref == REF_BUILTIN &&
		e->info->builtin->id == BUILTIN_vtimestamp;
}

static bool session_uses(const struct lower_session *s)
{
	for (uint32_t i = 0; i < s->sema->clauses.len; i++) {
		const struct clause *c = s->sema->clauses.data[i]->ast;

		if (sema_any_expr(c->predicate, is_vtimestamp, NULL, NULL) ||
			sema_any_stmt(&c->stmts, is_vtimestamp, NULL, NULL))
			return true;
	}
	return false;
}

static uint32_t storage(struct lower *l, struct ir_operand task, bool create)
{
	return ir_emit_call(l, BPF_FUNC_task_storage_get, 4, ir_op_map(MAP_VTIME), task,
		ir_op_imm(0), ir_op_imm(create ? BPF_LOCAL_STORAGE_GET_F_CREATE : 0));
}

/* Returns the thread that CTX's word at OFF points to. */
static struct ir_operand switched(struct lower *l, int32_t off)
{
	return ir_op_temp(ir_emit_load_pointer(l, ir_op_ctx(l), off));
}

/* TP_PROTO(bool preempt, prev, next, ...), include/trace/events/sched.h */
static void lower_switch(struct lower *l)
{
	struct ir_block *off = ir_new_block(l, "noprev"), *on = ir_new_block(l, "nonext"),
			*ran = ir_new_block(l, "ran");
	uint32_t now = ir_emit_call(l, BPF_FUNC_ktime_get_ns, 0), p, since, total;

	p = ir_emit_nonnull(l, storage(l, switched(l, 8), false), off);
	since = ir_emit_load(l, ir_op_temp(p), VTIME_SINCE, 8);
	ir_emit_br(l, COND_NE, ir_op_temp(since), ir_op_imm(0), ran, off);
	ir_place(l, ran);
	total = ir_emit_load(l, ir_op_temp(p), VTIME_TOTAL, 8);
	total = ir_emit_op(l, IR_ADD, ir_op_temp(total), ir_op_temp(now));
	total = ir_emit_op(l, IR_SUB, ir_op_temp(total), ir_op_temp(since));
	ir_emit_store(l, ir_op_temp(p), VTIME_TOTAL, ir_op_temp(total), 8);
	ir_emit_store(l, ir_op_temp(p), VTIME_SINCE, ir_op_imm(0), 8);
	ir_place(l, off);
	p = ir_emit_nonnull(l, storage(l, switched(l, 16), false), on);
	ir_emit_store(l, ir_op_temp(p), VTIME_SINCE, ir_op_temp(now), 8);
	ir_place(l, on);
	ir_emit(l, IR_RET);
	l->build.cur = NULL;
}

void lower_vtime(struct lower_session *s)
{
	struct unit *u = arena_new_obj(s->arena, struct unit);
	struct lower *l = arena_new_obj(s->arena, struct lower);
	struct ir_prog *p;

	if (!session_uses(s))
		return;
	vec_push(s->arena, &s->out->module.maps,
		((struct ir_map){.name = MAP_VTIME,
			.type = IRMAP_TASK,
			.key_size = 4,
			.value_size = VTIME_SIZE}));
	if (s->out->keeps_vtime) /* a program that is loaded does */
		return;
	s->out->keeps_vtime = true;
	u->plan = (struct attach_plan){.kind = ATTACH_TP_BTF, .hook = "sched_switch"};
	l->s = s;
	l->arena = s->arena;
	l->unit = u;
	l->build.f = arena_new_obj(s->arena, struct ir_func);
	l->build.f->name = l->unit_name = "dt_switch";
	ir_new_temp(l, IRT_SCALAR); /* number 0 is not used */
	ir_place(l, ir_new_block(l, "entry"));
	lower_switch(l);
	l->build.f->frame_size = l->build.frame_max;
	p = vec_add(s->arena, &s->out->module.progs);
	p->func = l->build.f;
	p->plan = u->plan;
	p->label = "vtimestamp (sched_switch)";
}

/* Begin with what the scheduler knows; from the first look on it is to the ns. */
static uint32_t read_vtimestamp(struct lower *l)
{
	struct ir_block *none = ir_new_block(l, "nostorage"), *first = ir_new_block(l, "first"),
			*known = ir_new_block(l, "since"), *done = ir_new_block(l, "vtimestamp");
	uint32_t out = ir_new_temp(l, IRT_SCALAR), now, p, since;

	now = ir_emit_call(l, BPF_FUNC_ktime_get_ns, 0);
	ir_emit_set(l, out, lower_scheduler_time(l));
	p = ir_emit_nonnull(l, storage(l, ir_op_temp(lower_current_task(l)), true), none);
	since = ir_emit_load(l, ir_op_temp(p), VTIME_SINCE, 8);
	ir_emit_br(l, COND_EQ, ir_op_temp(since), ir_op_imm(0), first, known);
	ir_place(l, first);
	ir_emit_store(l, ir_op_temp(p), VTIME_TOTAL, ir_op_temp(out), 8);
	ir_emit_store(l, ir_op_temp(p), VTIME_SINCE, ir_op_temp(now), 8);
	ir_emit_jmp(l, done);
	ir_place(l, known);
	{
		uint32_t total = ir_emit_load(l, ir_op_temp(p), VTIME_TOTAL, 8);

		total = ir_emit_op(l, IR_ADD, ir_op_temp(total), ir_op_temp(now));
		ir_emit_set(l, out,
			ir_op_temp(ir_emit_op(l, IR_SUB, ir_op_temp(total), ir_op_temp(since))));
	}
	ir_place(l, none);
	ir_place(l, done);
	return out;
}

struct ir_operand lower_vtimestamp(struct lower *l)
{
	if (!l->seen.vtime)
		l->seen.vtime = piece_keeps(l) ? piece_value(l, PIECE_VTIME, read_vtimestamp)
					       : read_vtimestamp(l);
	return ir_op_temp(l->seen.vtime);
}
