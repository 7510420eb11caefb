// SPDX-License-Identifier: Apache-2.0
/* Lowers structs, unions and arrays as values. */
#include "ir/ir.h"
#include "ir/lower_build.h"
#include "ir/lower_expr.h"
#include "ir/lower_fault.h"
#include "ir/lower_mem.h"
#include "ir/lower_object.h"
#include "ir/lower_state.h"
#include "ir/lower_stmt.h"
#include "ir/lower_str.h"
#include "ir/lower_var.h"
#include "lang/ast.h"
#include "sema/typed.h"
#include "types/type.h"

bool lower_is_aggregate(const struct type *t)
{
	enum type_kind k = type_resolve(t)->kind;

	/* there is no arithmetic on floating-point values: they are so many bytes */
	return k == TYPE_STRUCT || k == TYPE_UNION || k == TYPE_ARRAY || k == TYPE_FLOAT;
}

static void into_conditional(
	struct lower *l, const struct expr *e, struct ir_operand base, int32_t off)
{
	struct ir_block *yes = ir_new_block(l, "yes"), *no = ir_new_block(l, "no"),
			*done = ir_new_block(l, "join");
	struct cached c;

	lower_condition(l, e->a, yes, no);
	c = lower_cached(l);
	ir_place(l, yes);
	lower_struct_into(l, e->b, base, off);
	ir_emit_jmp(l, done);
	lower_restore(l, c);
	ir_place(l, no);
	lower_struct_into(l, e->c, base, off);
	lower_restore(l, c);
	ir_place(l, done);
}

/* String VALUE to P; NULL gives an empty one. */
static void put_string(struct lower *l, const struct expr *value, const struct byte_place *p)
{
	if (!lower_may_be_null(value)) {
		lower_string_into(l, value, p);
		return;
	}
	ir_emit_store(l, p->base, p->off, ir_op_imm(0), 1);
	lower_string_maybe(l, value, p, ir_new_temp(l, IRT_SCALAR));
}

void lower_put_member(struct lower *l, const struct expr *value, const struct member_path *path,
	struct ir_operand base, int32_t off)
{
	struct mem m = {.kind = MEM_OWN, .base = base, .off = off};
	const struct type *t = type_resolve(path->type);

	mem_add_member(&m, path);
	if (type_resolve(value->type)->kind == TYPE_STRING) {
		struct byte_place p = {base, (int32_t)m.off, (uint32_t)t->size, -1};

		put_string(l, value, &p);
	} else if (lower_is_aggregate(t)) {
		lower_struct_into(l, value, base, (int32_t)m.off);
	} else {
		mem_write(l, &m, lower_expr(l, value), path->type);
	}
}

void lower_translated_into(
	struct lower *l, const struct expr *e, struct ir_operand base, int32_t off)
{
	const struct sema_expr *info = e->info;

	lower_effect(l, e->a); /* members may not need it, but it may fault */
	ir_emit_zero(l, base, off, (uint32_t)type_resolve(info->xlate->out)->size);
	for (uint32_t i = 0; i < info->xmembers.len; i++)
		lower_put_member(
			l, info->xmembers.data[i].value, &info->xmembers.data[i].path, base, off);
}

/* True if assignment E deletes its left side. */
static bool is_deletion(const struct expr *e)
{
	return e->b->kind == EXPR_INT || lower_is_null_constant(e->b);
}

/*
 * Lowers assignment E of a struct or union, not of 0.  Returns the value, which is in the scratch
 * slot: the right side may fault, or refer to the left.
 */
static struct mem assign_value(struct lower *l, const struct expr *e)
{
	uint32_t size = (uint32_t)type_resolve(e->a->type)->size;
	struct mem from = {.kind = MEM_OWN, .base = ir_op_temp(l->firing.scratch)}, to;

	from.off = ir_scratch_alloc(l, size + lower_index_overshoot(e->a->type) + 8);
	lower_struct_into(l, e->b, from.base, (int32_t)from.off);
	if (lower_is_variable(e->a)) {
		store_struct(l, e->a, (uint32_t)from.off);
		return from;
	}
	to = lower_mem_to_write(l, e->a, (struct ir_operand){0});
	if (to.kind != MEM_OWN)
		to = scratch_access(l, &to, size);
	mem_copy(l, to.base, (int32_t)to.off, &from, size);
	return from;
}

/* The value of assignment E: evaluating its left side again could have an effect. */
static void assigned_into(
	struct lower *l, const struct expr *e, struct ir_operand base, int32_t off)
{
	struct mem value;

	if (is_deletion(e)) {
		lower_effect(l, e);
		lower_struct_into(l, e->a, base, off);
		return;
	}
	value = assign_value(l, e);
	mem_copy(l, base, off, &value, (uint32_t)type_resolve(e->type)->size);
}

void lower_struct_into(struct lower *l, const struct expr *e, struct ir_operand base, int32_t off)
{
	LOWER_AT(l, e);
	struct mem m;

	if (is_object(e)) {
		lower_object_into(l, e, base, off);
		return;
	}
	switch (e->kind) {
	case EXPR_COND:
		into_conditional(l, e, base, off);
		return;
	case EXPR_COMMA:
		lower_effect(l, e->a);
		lower_struct_into(l, e->b, base, off);
		return;
	case EXPR_ASSIGN:
		assigned_into(l, e, base, off);
		return;
	case EXPR_CAST:
		lower_struct_into(l, e->a, base, off);
		return;
	default:
		m = lower_mem(l, e);
		mem_copy(l, base, off, &m, (uint32_t)type_resolve(e->type)->size);
	}
}

void lower_assign_struct(struct lower *l, const struct expr *e)
{
	if (is_deletion(e)) {
		lower_keep_key(l, e->a);
		lower_delete_variable(l, e->a);
	} else {
		assign_value(l, e);
	}
}
