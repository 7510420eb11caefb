// SPDX-License-Identifier: Apache-2.0
/* Lowers assignment operators and increments. */
#include "ir/ir.h"
#include "ir/lower_build.h"
#include "ir/lower_expr.h"
#include "ir/lower_mem.h"
#include "ir/lower_object.h"
#include "ir/lower_state.h"
#include "ir/lower_stmt.h"
#include "ir/lower_str.h"
#include "ir/lower_var.h"
#include "lang/ast.h"
#include "sema/typed.h"
#include "types/type.h"

/* ---- strings ---- */

/* A string that is a member of a struct; returns where its value is in scratch. */
static uint32_t assign_string_member(struct lower *l, const struct expr *e)
{
	uint32_t size = (uint32_t)type_resolve(e->a->type)->size, off;
	struct byte_place p;
	struct mem m;

	off = lower_string_scratch(l, e->b);
	if (size < l->s->target->strsize + 1)
		ir_emit_store(l, ir_op_temp(l->firing.scratch), (int32_t)(off + size - 1),
			ir_op_imm(0), 1);
	m = lower_mem_to_write(l, e->a, (struct ir_operand){0});
	if (m.kind != MEM_OWN)
		m = scratch_access(l, &m, size);
	p = (struct byte_place){m.base, (int32_t)m.off, size, -1};
	read_string(l, ir_address(l, ir_op_temp(l->firing.scratch), off), &p,
		BPF_FUNC_probe_read_kernel_str, size);
	return off;
}

/*
 * Lowers the assignment of a string.  The value passes through scratch, so that s = strjoin(s, "x")
 * reads the old s.
 */
int32_t lower_assign_string(struct lower *l, const struct expr *e, uint32_t nul)
{
	struct ir_block *isnull, *isset, *done;
	uint32_t room = string_room(l->s->target), off;
	struct cached c;
	struct byte_place p;

	if (!lower_is_variable(e->a)) {
		off = assign_string_member(l, e);
		if (nul)
			ir_emit_set(l, nul, ir_op_imm(0));
		return (int32_t)off;
	}
	if (lower_is_null_constant(e->b)) {
		store_null(l, e->a);
		if (nul)
			ir_emit_set(l, nul, ir_op_imm(1));
		return -1;
	}
	if (!lower_may_be_null(e->b)) {
		off = lower_string_scratch(l, e->b);
		store_string(l, e->a, off);
		if (nul)
			ir_emit_set(l, nul, ir_op_imm(0));
		return (int32_t)off;
	}
	if (!nul)
		nul = ir_new_temp(l, IRT_SCALAR);
	off = ir_scratch_alloc(l, room);
	p = (struct byte_place){ir_op_temp(l->firing.scratch), (int32_t)off, room, (int32_t)off};
	lower_string_maybe(l, e->b, &p, nul);
	isnull = ir_new_block(l, "null");
	isset = ir_new_block(l, "set");
	done = ir_new_block(l, "assigned");
	ir_emit_br(l, COND_EQ, ir_op_temp(nul), ir_op_imm(0), isset, isnull);
	c = lower_cached(l);
	ir_place(l, isset);
	store_string(l, e->a, off); /* it may evaluate subscripts */
	ir_emit_jmp(l, done);
	lower_restore(l, c);
	ir_place(l, isnull);
	store_null(l, e->a);
	lower_restore(l, c);
	ir_place(l, done);
	return (int32_t)off;
}

/* ---- scalars ---- */

/*
 * Returns the value of the object at M after V was stored there: a bit-field keeps only its bits.
 */
static struct ir_operand held(
	struct lower *l, const struct mem *m, const struct type *t, struct ir_operand v)
{
	uint32_t up = 64 - m->bit_size;

	if (!m->bit_size)
		return v;
	v = ir_op_temp(ir_emit_op(l, IR_SHL, v, ir_op_imm(up)));
	return ir_op_temp(
		ir_emit_op(l, type_resolve(t)->is_signed ? IR_SAR : IR_SHR, v, ir_op_imm(up)));
}

/* Returns the object that E names, to be written; V, if it is known, goes there. */
static struct mem written(struct lower *l, const struct expr *e, struct ir_operand v)
{
	if (e->kind == EXPR_INDEX && type_resolve(e->a->type)->kind == TYPE_STRING)
		return lower_string_character(l, e);
	return lower_mem_to_write(l, e, v);
}

/* x.m = v, a[i] = v, *p = v.  The right side is first, except in a compound assignment. */
static struct ir_operand assign_object(struct lower *l, const struct expr *e)
{
	const struct mem *outer_mem = l->cached_mem;
	const struct expr *outer = l->cached_lvalue;
	struct ir_operand v;
	struct mem m;

	if (e->op == TOK_ASSIGN) {
		v = lower_expr(l, e->b);
		if (v.kind != OP_IMM)
			v = ir_op_temp(ir_as_temp(l, v));
		m = written(l, e->a, v);
	} else {
		m = written(l, e->a, (struct ir_operand){0});
		if (m.base.kind != OP_FRAME)
			m.base = ir_op_temp(ir_as_temp(l, m.base));
		l->cached_lvalue = e->a;
		l->cached_mem = &m;
		v = lower_expr(l, e->c);
		l->cached_lvalue = outer;
		l->cached_mem = outer_mem;
	}
	mem_write(l, &m, v, e->a->type);
	return held(l, &m, e->a->type, v);
}

struct ir_operand lower_assign(struct lower *l, const struct expr *e)
{
	struct element el;
	struct ir_operand v;

	if (type_resolve(e->a->type)->kind == TYPE_STACK)
		l->s->out->module.stores_stacks = true;
	if (is_object_variable(e->a)) {
		lower_assign_object(l, e);
		return ir_op_imm(0);
	}
	if (type_resolve(e->a->type)->kind == TYPE_STRING) {
		lower_assign_string(l, e, 0);
		return ir_op_imm(0);
	}
	if (lower_is_aggregate(e->a->type)) {
		lower_assign_struct(l, e);
		return ir_op_imm(0);
	}
	if (!lower_is_variable(e->a))
		return assign_object(l, e);
	if (e->op == TOK_ASSIGN) {
		/* the right side first, then the target's subscripts */
		v = lower_expr(l, e->b);
		if (v.kind != OP_IMM)
			v = ir_op_temp(ir_as_temp(l, v));
		el = locate(l, e->a, !ir_is_zero_operand(v));
		store_scalar(l, &el, v);
		return v;
	}
	el = locate(l, e->a, true);
	l->cached_lvalue = e->a;
	l->cached_element = &el;
	v = lower_expr(l, e->c);
	l->cached_lvalue = NULL;
	store_scalar(l, &el, v);
	return v;
}

struct ir_operand lower_increment(struct lower *l, const struct expr *e, bool want)
{
	const struct type *t = type_resolve(e->type);
	int64_t step = t->kind == TYPE_PTR ? (int64_t)type_resolve(t->ref)->size : 1;
	struct ir_operand old, v;
	struct element el;

	if (!lower_is_variable(e->a)) {
		struct mem m = written(l, e->a, (struct ir_operand){0});

		if (m.base.kind != OP_FRAME)
			m.base = ir_op_temp(ir_as_temp(l, m.base));
		old = ir_op_temp(ir_as_temp(l, mem_read(l, &m, e->type)));
		v = lower_extend(l,
			ir_op_temp(ir_emit_op(
				l, IR_ADD, old, ir_op_imm(e->op == TOK_INC ? step : -step))),
			e->type);
		mem_write(l, &m, v, e->type);
		return want && e->kind == EXPR_POSTFIX ? old : held(l, &m, e->type, v);
	}
	el = locate(l, e->a, true);
	old = ir_op_temp(ir_as_temp(l, lower_load_element(l, &el)));
	v = lower_extend(l,
		ir_op_temp(ir_emit_op(l, IR_ADD, old, ir_op_imm(e->op == TOK_INC ? step : -step))),
		e->type);
	store_scalar(l, &el, v);
	return want && e->kind == EXPR_POSTFIX ? old : v;
}

void lower_set_variable(struct lower *l, struct variable *v, const struct expr *e)
{
	struct sema_expr info = {.ref = REF_VAR, .var = v};
	struct expr target = {.kind = EXPR_VAR,
		.scope = SCOPE_THIS,
		.name = v->name,
		.loc = e->loc,
		.type = v->type,
		.info = &info};
	struct expr set = {.kind = EXPR_ASSIGN,
		.op = TOK_ASSIGN,
		.loc = e->loc,
		.a = &target,
		.b = (struct expr *)e,
		.type = v->type};

	lower_effect(l, &set);
}
