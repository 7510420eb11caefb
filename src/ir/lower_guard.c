// SPDX-License-Identifier: Apache-2.0
/*
 * Keeps programs from running within programs.  Clauses take locks of the kernel, of a hash's
 * bucket or of the ring buffer, and wait for them; hooks on locks run then.  A program that ran
 * there and wanted the same lock would wait for ever (kernels from 6.15 on notice).  So in a
 * session with such hooks each CPU counts the programs that it is in, and those hooks' programs do
 * nothing unless they are the first.
 */
#include "abi/kernel.h"
#include "base/vec.h"
#include "ir/ir.h"
#include "ir/lower_build.h"
#include "ir/lower_state.h"
#include "ir/lower_unit.h"
#include "ir/units.h"

static void find_busy(struct lower *l, struct ir_block *out)
{
	l->firing.busy = ir_emit_nonnull(l, ir_array_lookup(l, DT_MAP_BUSY, ir_op_imm(0)), out);
}

void guard_again(struct lower *l, struct ir_block *out)
{
	if (l->firing.busy)
		find_busy(l, out);
}

void guard_test(struct lower *l, struct ir_block *out)
{
	struct ir_block *alone;
	uint32_t v;

	if (!l->s->out->guarded || is_called(l->unit))
		return;
	find_busy(l, out);
	if (!l->unit->plan.inner)
		return;
	alone = ir_new_block(l, "alone");
	v = ir_emit_load(l, ir_op_temp(l->firing.busy), 0, 8);
	ir_emit_br(l, COND_EQ, ir_op_temp(v), ir_op_imm(0), alone, out);
	ir_place(l, alone);
}

/* Atomically: who interrupts, or is run instead, counts too. */
static void count_busy(struct lower *l, int by)
{
	uint32_t n;
	struct ir_insn *in;

	if (!l->firing.busy)
		return;
	n = ir_emit_mov(l, ir_op_imm(by));
	in = ir_emit(l, IR_XADD);
	in->a = ir_op_temp(l->firing.busy);
	in->b = ir_op_temp(n);
	in->size = 8;
}

void guard_enter(struct lower *l)
{
	count_busy(l, 1);
}

void guard_leave(struct lower *l)
{
	count_busy(l, -1);
}

void guard_maps(struct lower_session *s)
{
	if (s->out->guarded)
		vec_push(s->arena, &s->out->module.maps,
			((struct ir_map){.name = DT_MAP_BUSY,
				.type = IRMAP_PERCPU_ARRAY,
				.key_size = 4,
				.value_size = 8,
				.max_entries = 1}));
}
