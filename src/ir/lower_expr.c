// SPDX-License-Identifier: Apache-2.0
/*
 * Lowers scalar expressions.  Integers are computed in 64 bits.  What memory holds is extended as
 * its type says; what an operator gives is cut to its type where it is cast, stored or recorded.
 */
#include "abi/kernel.h"
#include "ir/ir.h"
#include "ir/layout.h"
#include "ir/lower_build.h"
#include "ir/lower_builtin.h"
#include "ir/lower_expr.h"
#include "ir/lower_fault.h"
#include "ir/lower_mem.h"
#include "ir/lower_object.h"
#include "ir/lower_stack.h"
#include "ir/lower_state.h"
#include "ir/lower_stmt.h"
#include "ir/lower_str.h"
#include "ir/lower_var.h"
#include "lang/ast.h"
#include "lang/lex.h"
#include "sema/names.h"
#include "sema/typed.h"
#include "types/type.h"

struct ir_operand lower_extend(struct lower *l, struct ir_operand v, const struct type *t)
{
	const struct type *r = type_resolve(t);
	struct ir_insn *in;
	uint32_t src, dst;

	if ((r->kind != TYPE_INT && r->kind != TYPE_ENUM) || r->size >= 8 || !r->size)
		return v;
	if (v.kind == OP_IMM) {
		unsigned up = 64 - 8 * (unsigned)r->size;
		uint64_t x = (uint64_t)v.value << up;

		return ir_op_imm(r->is_signed ? (int64_t)x >> up : (int64_t)(x >> up));
	}
	src = ir_as_temp(l, v);
	if (r->is_bool) {
		struct ir_block *set = ir_new_block(l, "true"), *done = ir_new_block(l, "bool");

		dst = ir_new_temp(l, IRT_SCALAR);
		ir_emit_set(l, dst, ir_op_temp(src));
		ir_emit_br(l, COND_NE, ir_op_temp(src), ir_op_imm(0), set, done);
		ir_place(l, set);
		ir_emit_set(l, dst, ir_op_imm(1));
		ir_place(l, done);
		return ir_op_temp(dst);
	}
	dst = ir_new_temp(l, IRT_SCALAR);
	in = ir_emit(l, r->is_signed ? IR_SEXT : IR_ZEXT);
	in->dst = dst;
	in->a = ir_op_temp(src);
	in->size = (uint8_t)r->size;
	return ir_op_temp(dst);
}

/* ---- arithmetic ---- */

/* C's signed division on unsigned hardware: divide magnitudes, then give the result its sign. */
static struct ir_operand signed_divide(
	struct lower *l, enum ir_op op, struct ir_operand a, struct ir_operand b)
{
	uint32_t sa = ir_emit_op(l, IR_SAR, a, ir_op_imm(63)),
		 sb = ir_emit_op(l, IR_SAR, b, ir_op_imm(63));
	uint32_t ma, mb, q, sign;

	ma = ir_emit_op(l, IR_XOR, a, ir_op_temp(sa));
	ma = ir_emit_op(l, IR_SUB, ir_op_temp(ma), ir_op_temp(sa));
	mb = ir_emit_op(l, IR_XOR, b, ir_op_temp(sb));
	mb = ir_emit_op(l, IR_SUB, ir_op_temp(mb), ir_op_temp(sb));
	q = ir_emit_op(l, op, ir_op_temp(ma), ir_op_temp(mb));
	sign = op == IR_DIV ? ir_emit_op(l, IR_XOR, ir_op_temp(sa), ir_op_temp(sb)) : sa;
	q = ir_emit_op(l, IR_XOR, ir_op_temp(q), ir_op_temp(sign));
	return ir_op_temp(ir_emit_op(l, IR_SUB, ir_op_temp(q), ir_op_temp(sign)));
}

static struct ir_operand divide(struct lower *l, const struct expr *e, enum ir_op op,
	struct ir_operand a, struct ir_operand b)
{
	if (ir_is_zero_operand(b)) { /* a built-in that is always 0 here */
		emit_fault(l, DT_FAULT_DIVZERO, ir_op_imm(0));
		return ir_op_imm(0);
	}
	if (b.kind != OP_IMM)
		check_or_fault(l, COND_NE, b, ir_op_imm(0), DT_FAULT_DIVZERO, ir_op_imm(0));
	if (type_resolve(e->type)->is_signed && type_resolve(e->type)->kind != TYPE_PTR)
		return signed_divide(
			l, op, a, b.kind == OP_IMM ? ir_op_temp(ir_emit_mov(l, b)) : b);
	return ir_op_temp(ir_emit_op(l, op, a, b));
}

/* The count is taken modulo 64. */
static struct ir_operand shift(
	struct lower *l, const struct expr *e, struct ir_operand a, struct ir_operand n)
{
	enum ir_op op = e->op == TOK_SHL || e->op == TOK_SHL_ASSIGN ? IR_SHL
		: type_resolve(e->type)->is_signed		    ? IR_SAR
								    : IR_SHR;

	if (n.kind == OP_IMM)
		return ir_op_temp(ir_emit_op(l, op, a, ir_op_imm(n.value & 63)));
	return ir_op_temp(
		ir_emit_op(l, op, a, ir_op_temp(ir_emit_op(l, IR_AND, n, ir_op_imm(63)))));
}

static uint64_t pointee_size(const struct expr *e)
{
	const struct type *t = type_resolve(e->type);

	return t->kind == TYPE_PTR || t->kind == TYPE_ARRAY ? type_resolve(t->ref)->size : 0;
}

static struct ir_operand scaled(struct lower *l, struct ir_operand n, uint64_t by)
{
	if (by <= 1)
		return n;
	if (n.kind == OP_IMM)
		return ir_op_imm(n.value * (int64_t)by);
	return ir_op_temp(ir_emit_op(l, IR_MUL, n, ir_op_imm((int64_t)by)));
}

static struct ir_operand add_sub(struct lower *l, const struct expr *e, enum ir_op op,
	struct ir_operand a, struct ir_operand b)
{
	uint64_t pa = pointee_size(e->a), pb = pointee_size(e->b);

	if (pa && pb) {
		uint32_t d = ir_emit_op(l, IR_SUB, a, b);

		return pa > 1 ? signed_divide(l, IR_DIV, ir_op_temp(d),
					ir_op_temp(ir_emit_mov(l, ir_op_imm((int64_t)pa))))
			      : ir_op_temp(d);
	}
	if (pa)
		b = scaled(l, b, pa);
	else if (pb)
		a = scaled(l, a, pb);
	return ir_op_temp(ir_emit_op(l, op, a, b));
}

/* Lowers A op B for the binary expression E, whose operands are lowered already. */
static struct ir_operand lower_binary(
	struct lower *l, const struct expr *e, struct ir_operand a, struct ir_operand b)
{
	switch (e->op) {
	case TOK_ADD:
		return add_sub(l, e, IR_ADD, a, b);
	case TOK_SUB:
		return add_sub(l, e, IR_SUB, a, b);
	case TOK_MUL:
		return ir_op_temp(ir_emit_op(l, IR_MUL, a, b));
	case TOK_DIV:
		return divide(l, e, IR_DIV, a, b);
	case TOK_MOD:
		return divide(l, e, IR_MOD, a, b);
	case TOK_AND:
		return ir_op_temp(ir_emit_op(l, IR_AND, a, b));
	case TOK_OR:
		return ir_op_temp(ir_emit_op(l, IR_OR, a, b));
	case TOK_XOR:
		return ir_op_temp(ir_emit_op(l, IR_XOR, a, b));
	default:
		return shift(l, e, a, b);
	}
}

/* ---- truth ---- */

static bool is_comparison(enum token_kind op)
{
	return op == TOK_EQ || op == TOK_NE || op == TOK_LT || op == TOK_LE || op == TOK_GT ||
		op == TOK_GE;
}

static bool is_unsigned(const struct type *t)
{
	t = type_resolve(t);
	return t->kind == TYPE_PTR || !t->is_signed;
}

static enum ir_cond condition(const struct expr *e)
{
	bool u = is_unsigned(e->a->type);

	switch (e->op) {
	case TOK_EQ:
		return COND_EQ;
	case TOK_NE:
		return COND_NE;
	case TOK_LT:
		return u ? COND_LT : COND_SLT;
	case TOK_LE:
		return u ? COND_LE : COND_SLE;
	case TOK_GT:
		return u ? COND_GT : COND_SGT;
	default:
		return u ? COND_GE : COND_SGE;
	}
}

static bool is_string(const struct expr *e)
{
	return type_resolve(e->type)->kind == TYPE_STRING;
}

void lower_condition(
	struct lower *l, const struct expr *e, struct ir_block *yes, struct ir_block *no)
{
	LOWER_AT(l, e);
	const struct expr *object = object_tested(e);
	struct ir_operand a, b;

	if (object) {
		bool negated = e->kind == EXPR_BINARY && e->op == TOK_EQ;

		lower_object_condition(l, object, negated ? no : yes, negated ? yes : no);
		return;
	}
	if (e->kind == EXPR_BINARY && (e->op == TOK_LAND || e->op == TOK_LOR)) {
		struct ir_block *next = ir_new_block(l, "next");
		struct cached c;

		lower_condition(
			l, e->a, e->op == TOK_LAND ? next : yes, e->op == TOK_LAND ? no : next);
		ir_place(l, next);
		c = lower_cached(l);
		lower_condition(l, e->b, yes, no);
		/* what the right side read does not dominate what follows */
		lower_restore(l, c);
		return;
	}
	if (e->kind == EXPR_UNARY && e->op == TOK_LNOT) {
		lower_condition(l, e->a, no, yes);
		return;
	}
	if (e->kind == EXPR_BINARY && is_comparison(e->op) && is_string(e->a)) {
		struct cached c;

		lower_current_task(l);
		c = lower_cached(l);

		lower_string_condition(l, e, yes, no);
		lower_restore(l, c);
		return;
	}
	if (e->kind == EXPR_BINARY && is_comparison(e->op)) {
		a = lower_expr(l, e->a);
		if (e->b->kind != EXPR_INT)
			a = ir_op_temp(ir_as_temp(l, a));
		b = lower_expr(l, e->b);
		ir_emit_br(l, condition(e), a, b, yes, no);
		return;
	}
	a = lower_expr(l, e);
	if (a.kind == OP_IMM)
		ir_emit_jmp(l, a.value ? yes : no);
	else
		ir_emit_br(l, COND_NE, a, ir_op_imm(0), yes, no);
}

/* 1 or 0 by the truth of E. */
static struct ir_operand truth(struct lower *l, const struct expr *e)
{
	struct ir_block *yes = ir_new_block(l, "yes"), *no = ir_new_block(l, "no"),
			*done = ir_new_block(l, "truth");
	uint32_t v = ir_new_temp(l, IRT_SCALAR);
	struct cached c;

	lower_condition(l, e, yes, no);
	c = lower_cached(l);
	ir_place(l, yes);
	ir_emit_set(l, v, ir_op_imm(1));
	ir_emit_jmp(l, done);
	ir_place(l, no);
	ir_emit_set(l, v, ir_op_imm(0));
	ir_place(l, done);
	lower_restore(l, c);
	return ir_op_temp(v);
}

static struct ir_operand logical_xor(struct lower *l, const struct expr *e)
{
	struct expr not_a = {.kind = EXPR_UNARY, .op = TOK_LNOT, .a = e->a, .type = e->type};
	struct expr not_b = {.kind = EXPR_UNARY, .op = TOK_LNOT, .a = e->b, .type = e->type};
	struct ir_operand a = truth(l, &not_a), b = truth(l, &not_b);

	return ir_op_temp(ir_emit_op(l, IR_XOR, a, b));
}

static struct ir_operand conditional(struct lower *l, const struct expr *e)
{
	struct ir_block *yes = ir_new_block(l, "yes"), *no = ir_new_block(l, "no"),
			*done = ir_new_block(l, "join");
	uint32_t v = ir_new_temp(l, IRT_SCALAR);
	struct cached c;

	lower_condition(l, e->a, yes, no);
	c = lower_cached(l);
	ir_place(l, yes);
	ir_emit_set(l, v, lower_expr(l, e->b));
	ir_emit_jmp(l, done);
	lower_restore(l, c);
	ir_place(l, no);
	ir_emit_set(l, v, lower_expr(l, e->c));
	lower_restore(l, c);
	ir_place(l, done);
	return ir_op_temp(v);
}

/* ---- the rest ---- */

static struct ir_operand unary(struct lower *l, const struct expr *e)
{
	struct mem m;

	switch (e->op) {
	case TOK_ADD:
		return lower_expr(l, e->a);
	case TOK_SUB:
		return ir_op_temp(ir_emit_op(l, IR_SUB, ir_op_imm(0), lower_expr(l, e->a)));
	case TOK_NOT:
		return ir_op_temp(ir_emit_op(l, IR_XOR, lower_expr(l, e->a), ir_op_imm(-1)));
	case TOK_LNOT:
		return truth(l, e);
	case TOK_INC:
	case TOK_DEC:
		return lower_increment(l, e, true);
	case TOK_AND:
		m = lower_mem(l, e->a);
		return mem_address(l, &m);
	default:
		m = lower_mem(l, e);
		return mem_read(l, &m, e->type);
	}
}

static struct ir_operand binary(struct lower *l, const struct expr *e)
{
	struct ir_operand a, b;

	if (e->op == TOK_LXOR)
		return logical_xor(l, e);
	if (e->op == TOK_LAND || e->op == TOK_LOR || is_comparison(e->op))
		return truth(l, e);
	a = lower_expr(l, e->a);
	if (e->b->kind != EXPR_INT)
		a = ir_op_temp(ir_as_temp(l, a));
	b = lower_expr(l, e->b);
	return lower_binary(l, e, a, b);
}

static struct ir_operand cast(struct lower *l, const struct expr *e)
{
	struct mem m;

	if (type_resolve(e->type)->kind == TYPE_VOID) {
		lower_effect(l, e->a);
		return ir_op_imm(0);
	}
	if (type_resolve(e->a->type)->kind == TYPE_ARRAY) {
		m = lower_mem(l, e->a); /* an array is the address of its first element */
		return mem_address(l, &m);
	}
	if (type_resolve(e->a->type)->kind == TYPE_STRING)
		return lower_string_pointer(l, e->a);
	return e->retyped ? lower_expr(l, e->a) : lower_extend(l, lower_expr(l, e->a), e->type);
}

/* hton*(), ntoh*(): the machine's order is the low byte first. */
static struct ir_operand swapped(struct lower *l, const struct expr *e)
{
	uint32_t dst = ir_new_temp(l, IRT_SCALAR),
		 src = ir_as_temp(l, lower_expr(l, e->args.data[0]));
	struct ir_insn *in = ir_emit(l, IR_SWAP);

	in->dst = dst;
	in->a = ir_op_temp(src);
	in->size = (uint8_t)type_resolve(e->type)->size;
	return ir_op_temp(dst);
}

static struct ir_operand place_of(struct lower *l, const struct expr *e, const char *rt)
{
	struct ir_operand a = ir_op_imm(lower_string_scratch(l, e->args.data[0]));
	struct ir_operand b = ir_op_imm(lower_string_scratch(l, e->args.data[1])),
			  start = ir_op_imm(0);

	if (e->args.len > 2)
		start = lower_expr(l, e->args.data[2]);
	else if (e->info->func->id == FUNC_rindex)
		start = ir_op_imm(INT64_MAX);
	if (start.kind != OP_IMM)
		start = ir_op_temp(ir_as_temp(l, start));
	return ir_op_temp(ir_emit_rt(l, rt, 4, ir_op_temp(l->firing.slot), a, b, start));
}

static struct ir_operand to_integer(struct lower *l, const struct expr *e)
{
	struct ir_operand s = ir_op_imm(lower_string_scratch(l, e->args.data[0])),
			  base = ir_op_imm(10);

	if (e->args.len > 1)
		base = lower_expr(l, e->args.data[1]);
	return ir_op_temp(ir_emit_rt(l, "dt_strtoll", 3, ir_op_temp(l->firing.slot), s, base));
}

static struct ir_operand call(struct lower *l, const struct expr *e)
{
	if (e->info->ref == REF_INLINED) {
		lower_inlined(l, e);
		return e->info->result ? lower_result(l, e) : ir_op_imm(0);
	}
	switch (e->info->func->id) {
	case FUNC_htons:
	case FUNC_htonl:
	case FUNC_htonll:
	case FUNC_ntohs:
	case FUNC_ntohl:
	case FUNC_ntohll:
		return swapped(l, e);
	case FUNC_index:
		return place_of(l, e, "dt_index");
	case FUNC_rindex:
		return place_of(l, e, "dt_rindex");
	case FUNC_strtoll:
		return to_integer(l, e);
	case FUNC_progenyof:
		return ir_op_temp(ir_emit_rt(l, "dt_progenyof", 3, lower_expr(l, e->args.data[0]),
			lower_task_address(l), ir_op_imm(l->s->target->own_pidns)));
	case FUNC__task_id:
		return lower_task_id(l, e);
	case FUNC_speculation:
		return ir_op_temp(ir_emit_rt(l, "dt_speculation", 0));
	case FUNC_alloca:
		return lower_alloca(l, e);
	case FUNC_copyinto:
		lower_copyinto(l, e);
		return ir_op_imm(0);
	case FUNC_bcopy:
		lower_bcopy(l, e);
		return ir_op_imm(0);
	case FUNC_strlen:
		return lower_strlen(l, e->args.data[0]);
	case FUNC_rand:
		return lower_extend(
			l, ir_op_temp(ir_emit_call(l, BPF_FUNC_get_prandom_u32, 0)), e->type);
	case FUNC_copyin:
		return lower_copyin(l, e);
	case FUNC_stack:
	case FUNC_ustack:
	case FUNC_jstack:
		return lower_kept_stack(l, e);
	default:
		lower_error(l, "D_UNKNOWN", "%s( ) has no integer value", e->info->func->name);
		return ir_op_imm(0);
	}
}

struct ir_operand lower_expr(struct lower *l, const struct expr *e)
{
	LOWER_AT(l, e);
	struct mem m;

	switch (e->kind) {
	case EXPR_INT:
		return ir_op_imm((int64_t)e->value);
	case EXPR_VAR:
	case EXPR_INDEX:
		if (lower_is_variable(e) && !lower_is_aggregate(e->type))
			return lower_load_var(l, e);
		if (e->info && e->info->ref == REF_BUILTIN)
			return lower_builtin(l, e);
		if (e->info && e->info->ref == REF_HOOK)
			return lower_hook_arg(l, e);
		/* fallthrough */
	case EXPR_MEMBER:
	case EXPR_SYMBOL:
		m = lower_mem(l, e);
		if (type_resolve(e->type)->kind == TYPE_ARRAY ||
			type_resolve(e->type)->kind == TYPE_FUNC)
			return mem_address(l, &m);
		return mem_read(l, &m, e->type);
	case EXPR_XLATE:
		return object_input(l, e);
	case EXPR_CALL:
		return call(l, e);
	case EXPR_UNARY:
		return unary(l, e);
	case EXPR_POSTFIX:
		return lower_increment(l, e, true);
	case EXPR_BINARY:
		return binary(l, e);
	case EXPR_ASSIGN:
		if (!is_object_variable(e->a))
			return lower_assign(l, e);
		lower_assign_object(l, e);
		return lower_load_var(l, e->a);
	case EXPR_COND:
		return conditional(l, e);
	case EXPR_COMMA:
		lower_effect(l, e->a);
		return lower_expr(l, e->b);
	case EXPR_CAST:
		return cast(l, e);
	default:
		lower_error(l, "D_UNKNOWN", "expression has no integer value");
		return ir_op_imm(0);
	}
}

/* A string that nobody uses: NULL is no fault. */
static void string_effect(struct lower *l, const struct expr *e)
{
	uint32_t room = string_room(l->s->target), off = ir_scratch_alloc(l, room);
	struct byte_place p = {ir_op_temp(l->firing.scratch), (int32_t)off, room, (int32_t)off};

	lower_string_maybe(l, e, &p, ir_new_temp(l, IRT_SCALAR));
}

void lower_effect(struct lower *l, const struct expr *e)
{
	LOWER_AT(l, e);
	const struct type *t = type_resolve(e->type);

	l->build.loc = e->loc;
	if (e->kind == EXPR_ASSIGN)
		lower_assign(l, e);
	else if (e->kind == EXPR_POSTFIX ||
		(e->kind == EXPR_UNARY && (e->op == TOK_INC || e->op == TOK_DEC)))
		lower_increment(l, e, false);
	else if (e->kind == EXPR_COMMA) {
		lower_effect(l, e->a);
		lower_effect(l, e->b);
	} else if (e->kind == EXPR_CALL && e->info->ref == REF_INLINED) {
		lower_inlined(l, e);
	} else if (e->kind == EXPR_COND && t->kind == TYPE_VOID) {
		conditional(l, e);
	} else if (lower_is_aggregate(t)) {
		if (e->info && e->info->ref == REF_XLATE)
			object_input(l, e);
		else if (is_memory_expr(e))
			lower_mem(l, e);
	} else if (t->kind == TYPE_STRING) {
		if (e->kind != EXPR_STRING && layout_builtin_text(e)->source != TEXT_PROBE)
			string_effect(l, e);
	} else if (t->kind == TYPE_INT || t->kind == TYPE_ENUM || t->kind == TYPE_PTR ||
		t->kind == TYPE_VOID) {
		lower_expr(l, e);
	}
}
