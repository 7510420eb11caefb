// SPDX-License-Identifier: Apache-2.0
/*
 * Makes the programs that keep the processes that are followed, on fork and exit: only what the
 * kernel itself does then is in time for a child's first instruction.
 */
#include "abi/kernel.h"
#include "base/arena.h"
#include "base/vec.h"
#include "ir/ir.h"
#include "ir/lower_build.h"
#include "ir/lower_fault.h"
#include "ir/lower_state.h"
#include "ir/units.h"
#include "probe/attach.h"

/* Counts a child for which there was no room: FULL is 1 then. */
static void count_unfollowed(struct lower *l, uint32_t full)
{
	struct ir_block *lost = ir_new_block(l, "lost"), *done = ir_new_block(l, "done");

	ir_emit_br(l, COND_EQ, ir_op_temp(full), ir_op_imm(0), done, lost);
	ir_place(l, lost);
	lower_emit_drop(l, DT_DROP_UNPLACED);
	ir_place(l, done);
}

/* The program FUNC on raw tracepoint HOOK hands its first NARGS arguments to run-time function RT.
 */
static void call_on(
	struct lower_session *s, const char *func, const char *hook, const char *rt, uint32_t nargs)
{
	struct unit *u = arena_new_obj(s->arena, struct unit);
	struct lower *l = arena_new_obj(s->arena, struct lower);
	const struct attach_site site = {.hook = hook};
	struct ir_operand args[2];
	struct ir_prog *p;

	u->plan = (struct attach_plan){.kind = ATTACH_RAW_TP, .hook = hook};
	l->s = s;
	l->arena = s->arena;
	l->unit = u;
	l->build.f = arena_new_obj(s->arena, struct ir_func);
	l->build.f->name = l->unit_name = func;
	ir_new_temp(l, IRT_SCALAR); /* number 0 is not used */
	ir_place(l, ir_new_block(l, "entry"));
	for (uint32_t i = 0; i < nargs; i++)
		args[i] = ir_op_temp(ir_emit_load(l, ir_op_ctx(l), (int32_t)(8 * i), 8));
	if (nargs == 2)
		count_unfollowed(l, ir_emit_rt(l, rt, 2, args[0], args[1]));
	else
		ir_emit_rt(l, rt, 1, args[0]);
	ir_emit(l, IR_RET);
	l->build.cur = NULL;
	l->build.f->frame_size = l->build.frame_max;
	p = vec_add(s->arena, &s->out->module.progs);
	p->func = l->build.f;
	p->plan = u->plan;
	p->label = arena_printf(s->arena, "--follow (%s)", hook);
	vec_push(s->arena, &p->sites, site);
}

void lower_follow(struct lower_session *s, const units_vec *units)
{
	bool follows = false;

	if (s->before) /* its programs know the processes */
		return;
	for (uint32_t i = 0; i < units->len; i++)
		vec_for (c, &units->data[i]->clauses)
			follows |= (*c)->scope == IN_FAMILY;
	vec_for (c, &s->sema->clauses)
		follows |=
			(*c)->enabled && (*c)->late && (*c)->unchecked && (*c)->scope == IN_FAMILY;
	if (!follows)
		return;
	call_on(s, "dt_fork", "sched_process_fork", "dt_follow_fork", 2);
	call_on(s, "dt_exit", "sched_process_exit", "dt_follow_exit", 1);
}
