// SPDX-License-Identifier: Apache-2.0
/* Places clause-local variables: a slot for each in the stack frame or the scratch slot. */
#include "abi/record.h"
#include "base/intmap.h"
#include "base/vec.h"
#include "ir/ir.h"
#include "ir/lower_build.h"
#include "ir/lower_expr.h"
#include "ir/lower_mem.h"
#include "ir/lower_object.h"
#include "ir/lower_state.h"
#include "ir/lower_var.h"
#include "ir/units.h"
#include "lang/ast.h"
#include "probe/args.h"
#include "sema/typed.h"
#include "types/type.h"

struct this_slot *this_slot(struct lower *l, const struct variable *v)
{
	const struct intmap_slot *at = intmap_find(&l->this_by_var, (uintptr_t)v);

	return at ? &l->this_slots.data[at->value] : NULL;
}

#define OBJECT_IN_FRAME 64 /* bytes of a translated object that the stack frame may hold */

static void add_object_slot(struct lower *l, struct this_slot *s)
{
	const struct kept_object *o = s->var->kept;

	s->in_scratch = !object_is_words(o) || o->size > OBJECT_IN_FRAME ||
		l->build.frame_used >= 64 || l->unit->has_loops || l->unit->piece ||
		l->unit->short_stack;
	s->offset = s->in_scratch ? ir_scratch_alloc(l, o->size) : ir_frame_alloc(l, o->size);
	if (!s->in_scratch)
		ir_emit_zero(l, ir_op_frame(0), (int32_t)s->offset, o->size);
	else /* nobody reads the members of NULL */
		ir_emit_zero(l, ir_op_temp(l->firing.scratch), (int32_t)s->offset,
			o->pointer ? object_header(o) : o->size);
}

static void add_this_slot(struct lower *l, const struct variable *v)
{
	struct this_slot *s = vec_add(l->arena, &l->this_slots);
	bool aggregate = lower_is_aggregate(v->type);
	uint32_t size = type_resolve(v->type)->kind == TYPE_STRING ? lower_var_room(v) + 8 : 8;

	if (aggregate)
		size = lower_var_size(v) + lower_index_overshoot(v->type);
	s->var = v;
	intmap_put(&l->this_by_var, (uintptr_t)v, l->this_slots.len - 1);
	if (v->kept) {
		add_object_slot(l, s);
		return;
	}
	s->in_scratch = aggregate || size > 8 || l->build.frame_used >= 64 || l->unit->has_loops ||
		l->unit->piece || l->unit->short_stack;
	s->offset = s->in_scratch ? ir_scratch_alloc(l, size) : ir_frame_alloc(l, 8);
	if (aggregate) {
		ir_emit_zero(
			l, ir_op_temp(l->firing.scratch), (int32_t)s->offset, lower_var_size(v));
	} else if (!s->in_scratch) {
		ir_emit_store(l, ir_op_frame(0), (int32_t)s->offset, ir_op_imm(0), 8);
	} else {
		ir_emit_store(
			l, ir_op_temp(l->firing.scratch), (int32_t)s->offset, ir_op_imm(0), 8);
		if (v->subscripted)
			ir_emit_zero(l, ir_op_temp(l->firing.scratch), (int32_t)s->offset,
				lower_var_room(v));
		if (size > 8) /* an unassigned string reads as "" */
			ir_emit_store(l, ir_op_temp(l->firing.scratch),
				(int32_t)(s->offset + size - 8), ir_op_imm(0), 8);
	}
}

static bool find_this(void *arg, const struct expr *e)
{
	struct lower *l = arg;

	if (e->kind == EXPR_VAR && e->scope == SCOPE_THIS && e->info && e->info->var &&
		!this_slot(l, e->info->var))
		add_this_slot(l, e->info->var);
	if (e->info && e->info->result && !this_slot(l, e->info->result))
		add_this_slot(l, e->info->result);
	return false;
}

/* The names of a foreach. */
static bool find_bound(void *arg, const struct stmt *st)
{
	struct lower *l = arg;

	for (uint32_t i = 0; i < st->keys.len; i++)
		if (st->keys.data[i].var && !this_slot(l, st->keys.data[i].var))
			add_this_slot(l, st->keys.data[i].var);
	return false;
}

/* Parameters of the D functions that a derived probe's expressions call. */
static void find_derived(struct lower *l)
{
	const struct sema_derived *d = l->unit->derived;

	if (!d)
		return;
	sema_any_expr(d->when, find_this, find_bound, l);
	sema_any_expr(d->task, find_this, find_bound, l);
	for (uint32_t i = 0; i < PROBE_NARGS; i++)
		sema_any_expr(d->args[i], find_this, find_bound, l);
}

void lower_this_init(struct lower *l)
{
	l->this_by_var.arena = l->arena;
	find_derived(l);
	for (uint32_t i = 0; i < l->unit->clauses.len; i++) {
		const struct clause *c = l->unit->clauses.data[i]->ast;

		sema_any_expr(c->predicate, find_this, find_bound, l);
		sema_any_stmt(&c->stmts, find_this, find_bound, l);
	}
}

void lower_bind(struct lower *l, const struct variable *v, uint32_t key, const struct datum *d)
{
	struct this_slot *s = this_slot(l, v);
	struct ir_operand to = ir_op_temp(l->firing.scratch),
			  from = ir_address(l, ir_op_temp(key), d->offset);
	int32_t off = (int32_t)s->offset;

	if (type_resolve(v->type)->kind == TYPE_STRING) {
		ir_emit_call(l, BPF_FUNC_probe_read_kernel_str, 3, ir_address(l, to, off),
			ir_op_imm(lower_var_size(v)), from);
		ir_emit_store(l, to, off + (int32_t)lower_var_room(v), ir_op_imm(0), 8);
	} else if (lower_is_aggregate(v->type)) {
		ir_emit_call(l, BPF_FUNC_probe_read_kernel, 3, ir_address(l, to, off),
			ir_op_imm(lower_var_size(v)), from);
	} else {
		uint32_t x = ir_emit_load(l, ir_op_temp(key), (int32_t)d->offset, d->size);

		ir_emit_store(l, to, off, lower_extend(l, ir_op_temp(x), v->type), 8);
	}
}

struct ir_operand lower_result(struct lower *l, const struct expr *call)
{
	struct this_slot *s = this_slot(l, call->info->result);

	return lower_extend(l,
		ir_op_temp(ir_emit_load(l,
			s->in_scratch ? ir_op_temp(l->firing.scratch) : ir_op_frame(0),
			(int32_t)s->offset, 8)),
		call->type);
}
