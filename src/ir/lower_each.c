// SPDX-License-Identifier: Apache-2.0
/*
 * Lowers probes that fire once for each element of a list that their hook is given.  The clauses
 * are a function, dt_each(); the hook's program hands its arguments to a run-time function, which
 * goes through the list and calls dt_each() for each.
 */
#include "base/arena.h"
#include "ir/ir.h"
#include "ir/lower_build.h"
#include "ir/lower_state.h"
#include "ir/lower_unit.h"

struct ir_func *lower_each_entry(struct lower_session *s, struct unit *u, const char *name)
{
	struct lower *l = arena_new_obj(s->arena, struct lower);
	struct ir_block *out;
	struct ir_operand args[3];

	l->s = s;
	l->arena = s->arena;
	l->unit = u;
	l->build.f = arena_new_obj(s->arena, struct ir_func);
	l->build.f->name = l->unit_name = name;
	l->build.f->loc = l->build.loc = u->clauses.data[0]->loc;
	ir_new_temp(l, IRT_SCALAR); /* number 0 is not used */
	ir_place(l, ir_new_block(l, "entry"));
	out = ir_new_block(l, "out");
	lower_gate(l, out);
	guard_test(l, out);
	guard_enter(l);
	for (int i = 0; i < 3; i++) /* an untyped hook's: plain numbers, as a function wants them */
		args[i] = ir_op_temp(ir_emit_load(l, ir_op_ctx(l), 8 * i, 8));
	ir_emit_rt(l, u->plan.from->each, 3, args[0], args[1], args[2]);
	guard_leave(l);
	ir_emit_jmp(l, out);
	ir_place(l, out);
	ir_emit(l, IR_RET)->imm = 0;
	l->build.f->frame_size = l->build.frame_max;
	return l->build.f;
}
