// SPDX-License-Identifier: Apache-2.0
/*
 * Lowers translated objects: the variables that keep members of them (sema/kept.c), and objects as
 * whole structs.  What is kept lies one after the other, in words: the input and the flag, if there
 * are any, then the members.
 */
#include "abi/kernel.h"
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
#include "sema/names.h"
#include "sema/typed.h"
#include "types/type.h"

#include <string.h>

/* ---- layout ---- */

/* True if a member is a value of one word, which is how it is kept. */
static bool is_word(const struct kept_member *m)
{
	enum type_kind k = type_resolve(m->path.type)->kind;

	return !m->object && (k == TYPE_INT || k == TYPE_ENUM || k == TYPE_PTR);
}

static uint32_t member_size(const struct kept_member *m)
{
	uint32_t size = (uint32_t)type_resolve(m->path.type)->size;

	if (m->object)
		return m->object->size;
	return is_word(m) ? 8 : (size + lower_index_overshoot(m->path.type) + 7) & ~7u;
}

uint32_t object_header(const struct kept_object *o)
{
	return (o->pointer ? 8 : 0) + (o->flagged ? 8 : 0);
}

void layout_object(struct kept_object *o)
{
	uint32_t end = object_header(o);

	for (uint32_t i = 0; i < o->members.len; i++) {
		struct kept_member *m = o->members.data[i];

		if (m->object)
			layout_object(m->object);
		m->offset = end;
		end += member_size(m);
	}
	o->size = end ? end : 8;
}

bool object_is_words(const struct kept_object *o)
{
	for (uint32_t i = 0; i < o->members.len; i++) {
		const struct kept_member *m = o->members.data[i];

		if (m->object ? !object_is_words(m->object) : !is_word(m))
			return false;
	}
	return true;
}

/* ---- reading ---- */

bool is_object_variable(const struct expr *e)
{
	return lower_is_variable(e) && e->info->var->kept;
}

bool is_object(const struct expr *e)
{
	return lower_is_aggregate(e->type) && (sema_kept_object(e) || sema_is_translated(e));
}

/* Returns the offset of the word that is 0 where there is no object; -1 = there always is one. */
static int32_t presence(const struct kept_object *o)
{
	if (o->flagged)
		return o->pointer ? 8 : 0;
	return o->pointer ? 0 : -1;
}

static void check_present(struct lower *l, const struct kept_object *o, const struct mem *m)
{
	int32_t at = presence(o);

	if (at >= 0)
		check_or_fault(l, COND_NE,
			ir_op_temp(ir_emit_load(l, m->base, (int32_t)m->off + at, 8)), ir_op_imm(0),
			DT_FAULT_BADADDR, ir_op_imm(0));
}

static struct mem element_mem(struct lower *l, const struct element *el)
{
	struct mem m = {.kind = MEM_OWN, .base = el->base, .off = el->off};

	if (el->base.kind != OP_FRAME)
		m.base = ir_op_temp(ir_as_temp(l, el->base));
	return m;
}

/*
 * Returns what is kept of object E, part of a variable; that there is none at a pointer faults, and
 * an object that is no pointer is all 0 before it is assigned.
 */
static struct mem object_mem(struct lower *l, const struct expr *e)
{
	struct element el;
	struct attempt a;
	struct mem m;

	if (e->kind == EXPR_UNARY)
		return object_mem(l, e->a);
	if (e->kind == EXPR_MEMBER) {
		m = object_member(l, e);
	} else {
		el = locate(l, e, false);
		if (el.maybe && !el.var->kept->pointer)
			return lower_element_or_zeros(l, &el, el.var->kept->size);
		if (el.maybe) {
			a = lower_attempt(l, "unset", "object");
			el.base = ir_op_temp(ir_emit_nonnull(l, el.maybe, a.failed));
			lower_attempt_else(l, &a);
			emit_fault(l, DT_FAULT_BADADDR, ir_op_imm(0));
			ir_place(l, a.done);
		}
		m = element_mem(l, &el);
	}
	check_present(l, sema_kept_object(e), &m);
	return m;
}

struct mem object_member(struct lower *l, const struct expr *e)
{
	const struct kept_member *m = sema_kept_member(sema_kept_object(e->a), e->name);
	struct mem at = object_mem(l, e->a);

	at.off += m->offset;
	return at;
}

struct ir_operand object_input(struct lower *l, const struct expr *e)
{
	const struct expr *in = e->a;
	struct mem m;

	switch (type_resolve(in->type)->kind) {
	case TYPE_STRING:
	case TYPE_ARRAY:
		return lower_pointer_value(l, in);
	case TYPE_STRUCT:
	case TYPE_UNION:
		m = lower_mem(l, in);
		return mem_address(l, &m);
	default:
		return lower_expr(l, in);
	}
}

/* ---- conditions ---- */

/* The variable that holds the result of a D function. */
static struct expr result_variable(const struct expr *call, struct sema_expr *info)
{
	*info = (struct sema_expr){.ref = REF_VAR, .var = call->info->result};
	return (struct expr){.kind = EXPR_VAR,
		.scope = SCOPE_THIS,
		.name = info->var->name,
		.loc = call->loc,
		.type = info->var->type,
		.info = info};
}

static const struct expr *without_casts(const struct expr *e)
{
	while (e->kind == EXPR_CAST)
		e = e->a;
	return e;
}

static bool is_zero(const struct expr *e)
{
	return e->kind == EXPR_INT && !e->value;
}

const struct expr *object_tested(const struct expr *e)
{
	if (e->kind == EXPR_BINARY && (e->op == TOK_EQ || e->op == TOK_NE)) {
		const struct expr *a = without_casts(e->a), *b = without_casts(e->b);

		e = is_zero(b) ? a : is_zero(a) ? b : e;
	}
	/* of type int64_t if it is a variable that was read before the type was known */
	return !lower_is_aggregate(e->type) && sema_is_translated(e) ? e : NULL;
}

static void test_choice(
	struct lower *l, const struct expr *e, struct ir_block *yes, struct ir_block *no)
{
	struct ir_block *first = ir_new_block(l, "yes"), *second = ir_new_block(l, "no");
	struct cached c;

	lower_condition(l, e->a, first, second);
	c = lower_cached(l);
	ir_place(l, first);
	lower_object_condition(l, e->b, yes, no);
	lower_restore(l, c);
	ir_place(l, second);
	lower_object_condition(l, e->c, yes, no);
	lower_restore(l, c);
}

static void test_kept(
	struct lower *l, const struct expr *e, struct ir_block *yes, struct ir_block *no)
{
	struct mem m;

	if (e->kind == EXPR_MEMBER) {
		m = object_member(l, e);
	} else {
		struct element el = locate(l, e, false);

		if (el.maybe)
			el.base = ir_op_temp(ir_emit_nonnull(l, el.maybe, no));
		m = element_mem(l, &el);
	}
	ir_emit_br(l, COND_NE,
		ir_op_temp(
			ir_emit_load(l, m.base, (int32_t)m.off + presence(sema_kept_object(e)), 8)),
		ir_op_imm(0), yes, no);
}

void lower_object_condition(
	struct lower *l, const struct expr *e, struct ir_block *yes, struct ir_block *no)
{
	struct sema_expr info;
	struct expr result;

	if (e->info && e->info->ref == REF_XLATE) {
		struct ir_operand v = object_input(l, e);

		if (type_resolve(e->a->type)->kind == TYPE_PTR)
			ir_emit_br(l, COND_NE, ir_op_temp(ir_as_temp(l, v)), ir_op_imm(0), yes, no);
		else
			ir_emit_jmp(l, yes);
		return;
	}
	switch (e->kind) {
	case EXPR_INT:
		ir_emit_jmp(l, e->value ? yes : no);
		break;
	case EXPR_COND:
		test_choice(l, e, yes, no);
		break;
	case EXPR_COMMA:
		lower_effect(l, e->a);
		lower_object_condition(l, e->b, yes, no);
		break;
	case EXPR_ASSIGN:
		lower_effect(l, e);
		test_kept(l, e->a, yes, no);
		break;
	case EXPR_CALL:
		lower_inlined(l, e);
		result = result_variable(e, &info);
		test_kept(l, &result, yes, no);
		break;
	default:
		test_kept(l, e, yes, no);
		break;
	}
}

/* ---- making ---- */

static void put_object(struct lower *l, const struct kept_object *o, const struct expr *e,
	struct ir_operand base, int32_t off);

/* The value of a bit-field's bits. */
static struct ir_operand cut_bits(struct lower *l, struct ir_operand v, const struct member_path *p)
{
	uint32_t up = 64 - p->bit_size;

	if (!p->bit_size)
		return v;
	v = ir_op_temp(ir_emit_op(l, IR_SHL, ir_op_temp(ir_as_temp(l, v)), ir_op_imm(up)));
	return ir_op_temp(ir_emit_op(
		l, type_resolve(p->type)->is_signed ? IR_SAR : IR_SHR, v, ir_op_imm(up)));
}

static void put_kept(struct lower *l, const struct kept_member *m, const struct expr *value,
	struct ir_operand base, int32_t off)
{
	struct member_path path = {.type = m->path.type};

	if (m->object) {
		put_object(l, m->object, value, base, off);
	} else if (is_word(m)) {
		ir_emit_store(l, base, off, cut_bits(l, lower_expr(l, value), &m->path), 8);
	} else {
		if (base.kind == OP_FRAME) /* the verifier wants all of it written to */
			ir_emit_zero(l, base, off, member_size(m));
		lower_put_member(l, value, &path, base, off);
	}
}

static const struct expr *value_of(const struct expr *e, const struct kept_member *m)
{
	for (uint32_t i = 0; i < e->info->xmembers.len; i++)
		if (!strcmp(e->info->xmembers.data[i].name, m->name))
			return e->info->xmembers.data[i].value;
	return NULL;
}

static void put_members(struct lower *l, const struct kept_object *o, const struct expr *e,
	struct ir_operand base, int32_t off)
{
	for (uint32_t i = 0; i < o->members.len; i++) {
		const struct kept_member *m = o->members.data[i];
		const struct expr *value = value_of(e, m);

		if (value)
			put_kept(l, m, value, base, off + (int32_t)m->offset);
		else /* of another translator's objects */
			ir_emit_zero(l, base, off + (int32_t)m->offset, member_size(m));
	}
}

static bool is_curthread(const struct expr *e)
{
	return e->info && e->info->ref == REF_BUILTIN && e->info->builtin->id == BUILTIN_curthread;
}

/* E, an xlate expression.  What a NULL pointer is translated to is NULL. */
static void put_translated(struct lower *l, const struct kept_object *o, const struct expr *e,
	struct ir_operand base, int32_t off)
{
	bool nullable =
		o->pointer && type_resolve(e->a->type)->kind == TYPE_PTR && !is_curthread(e->a);
	struct ir_block *none, *some, *done;
	struct ir_operand v;
	struct cached c;

	if (o->pointer) {
		v = ir_op_temp(ir_as_temp(l, object_input(l, e)));
		ir_emit_store(l, base, off, v, 8);
	} else {
		/* what is kept may not need it, but it may fault */
		lower_effect(l, e->a);
	}
	if (!nullable) {
		if (o->flagged)
			ir_emit_store(l, base, off + presence(o), ir_op_imm(1), 8);
		put_members(l, o, e, base, off);
		return;
	}
	none = ir_new_block(l, "null");
	some = ir_new_block(l, "input");
	done = ir_new_block(l, "translated");
	ir_emit_br(l, COND_EQ, v, ir_op_imm(0), none, some);
	c = lower_cached(l);
	ir_place(l, some);
	if (o->flagged)
		ir_emit_store(l, base, off + presence(o), ir_op_imm(1), 8);
	put_members(l, o, e, base, off);
	ir_emit_jmp(l, done);
	lower_restore(l, c);
	ir_place(l, none);
	ir_emit_zero(l, base, off, o->size);
	lower_restore(l, c);
	ir_place(l, done);
}

/* ---- copying ---- */

static void copy_word(
	struct lower *l, struct ir_operand to, int32_t off, const struct mem *from, int64_t at)
{
	uint32_t v = ir_emit_load(l, from->base, (int32_t)(from->off + at), 8);

	ir_emit_store(l, to, off, ir_op_temp(v), 8);
}

/* What O wants of the object at M, of which FROM is kept. */
static void copy_members(struct lower *l, const struct kept_object *o,
	const struct kept_object *from, const struct mem *m, struct ir_operand base, int32_t off)
{
	if (o->pointer)
		copy_word(l, base, off, m, 0);
	if (o->flagged && from->pointer && o->pointer)
		copy_word(l, base, off + presence(o), m, presence(from));
	else if (o->flagged)
		ir_emit_store(l, base, off + presence(o), ir_op_imm(1), 8);
	for (uint32_t i = 0; i < o->members.len; i++) {
		const struct kept_member *k = o->members.data[i];
		const struct kept_member *there = sema_kept_member(from, k->name);
		int32_t to = off + (int32_t)k->offset;
		struct mem part = *m;

		part.off += there->offset;
		if (k->object)
			copy_members(l, k->object, there->object, &part, base, to);
		else if (is_word(k))
			copy_word(l, base, to, &part, 0);
		else
			mem_copy(l, base, to, &part, member_size(k));
	}
}

/* E is a variable or part of one; an element that does not exist is NULL. */
static void put_copy(struct lower *l, const struct kept_object *o, const struct expr *e,
	struct ir_operand base, int32_t off)
{
	const struct kept_object *from = sema_kept_object(e);
	struct element el;
	struct attempt a;
	struct mem m;

	if (e->kind == EXPR_MEMBER) {
		m = object_member(l, e);
	} else if (e->kind == EXPR_UNARY || !o->pointer) {
		m = object_mem(l, e);
	} else {
		el = locate(l, e, false);
		if (el.maybe) {
			a = lower_attempt(l, "unset", "copied");
			el.base = ir_op_temp(ir_emit_nonnull(l, el.maybe, a.failed));
			m = element_mem(l, &el);
			copy_members(l, o, from, &m, base, off);
			lower_attempt_else(l, &a);
			ir_emit_zero(l, base, off, o->size);
			ir_place(l, a.done);
			return;
		}
		m = element_mem(l, &el);
	}
	copy_members(l, o, from, &m, base, off);
}

static void put_choice(struct lower *l, const struct kept_object *o, const struct expr *e,
	struct ir_operand base, int32_t off)
{
	struct ir_block *yes = ir_new_block(l, "yes"), *no = ir_new_block(l, "no"),
			*done = ir_new_block(l, "join");
	struct cached c;

	lower_condition(l, e->a, yes, no);
	c = lower_cached(l);
	ir_place(l, yes);
	put_object(l, o, e->b, base, off);
	ir_emit_jmp(l, done);
	lower_restore(l, c);
	ir_place(l, no);
	put_object(l, o, e->c, base, off);
	lower_restore(l, c);
	ir_place(l, done);
}

/* What O keeps of the object that E gives, to BASE + OFF. */
static void put_object(struct lower *l, const struct kept_object *o, const struct expr *e,
	struct ir_operand base, int32_t off)
{
	struct sema_expr info;
	struct expr result;

	if (e->info && e->info->ref == REF_XLATE) {
		put_translated(l, o, e, base, off);
		return;
	}
	switch (e->kind) {
	case EXPR_INT:
		ir_emit_zero(l, base, off, o->size);
		break;
	case EXPR_COND:
		put_choice(l, o, e, base, off);
		break;
	case EXPR_COMMA:
		lower_effect(l, e->a);
		put_object(l, o, e->b, base, off);
		break;
	case EXPR_ASSIGN:
		lower_effect(l, e);
		put_copy(l, o, e->a, base, off);
		break;
	case EXPR_CALL:
		lower_inlined(l, e);
		result = result_variable(e, &info);
		put_copy(l, o, &result, base, off);
		break;
	default:
		put_copy(l, o, e, base, off);
		break;
	}
}

/* ---- storing ---- */

static bool names(void *arg, const struct expr *e)
{
	return e->info && (e->info->var == arg || e->info->result == arg);
}

/* Lowers x = NULL. */
static void clear(struct lower *l, const struct expr *target)
{
	const struct variable *v = target->info->var;
	uint32_t header = object_header(v->kept), size = header ? header : v->kept->size;
	struct element el;
	struct attempt a;

	if (v->is_assoc) {
		lower_delete_variable(l, target);
		return;
	}
	el = locate(l, target, false);
	if (!el.maybe) {
		ir_emit_zero(l, el.base, el.off, size);
		return;
	}
	a = lower_attempt(l, "unset", "cleared");
	ir_emit_zero(l, ir_op_temp(ir_emit_nonnull(l, el.maybe, a.failed)), el.off, size);
	lower_attempt_end(l, &a, NO_DROP);
}

void lower_assign_object(struct lower *l, const struct expr *e)
{
	const struct variable *v = e->a->info->var;
	const struct kept_object *o = v->kept;
	uint32_t size = o->size;
	struct ir_operand base;
	struct element el;
	int32_t off;

	lower_keep_key(l, e->a);
	if (e->b->kind == EXPR_INT) {
		clear(l, e->a);
		return;
	}
	if (v->scope == SCOPE_THIS && !sema_any_expr(e->b, names, NULL, (void *)v)) {
		el = locate(l, e->a, true);
		put_object(l, o, e->b, el.base, el.off);
		return;
	}
	/* first to memory of the statement's own: a member may fault, or refer to the variable */
	if (v->is_assoc && v->map_value_size > size) /* shared maps pad their values */
		size = v->map_value_size;
	base = ir_temp_space(l, size, &off);
	if (size > o->size)
		ir_emit_zero(l, base, off + (int32_t)o->size, size - o->size);
	put_object(l, o, e->b, base, off);
	store_object(l, e->a, base, off);
}

/* ---- as structs ---- */

/* The object at M as the struct that its type says, to BASE + OFF. */
static void expand(struct lower *l, const struct kept_object *o, const struct mem *m,
	struct ir_operand base, int32_t off)
{
	ir_emit_zero(l, base, off, (uint32_t)type_resolve(o->type)->size);
	for (uint32_t i = 0; i < o->members.len; i++) {
		const struct kept_member *k = o->members.data[i];
		struct mem from = *m, to = {.kind = MEM_OWN, .base = base, .off = off};

		from.off += k->offset;
		mem_add_member(&to, &k->path);
		if (is_word(k) || (k->object && k->object->pointer))
			mem_write(l, &to,
				ir_op_temp(ir_emit_load(l, from.base, (int32_t)from.off, 8)),
				k->path.type);
		else if (k->object)
			expand(l, k->object, &from, base, (int32_t)to.off);
		else
			mem_copy(l, base, (int32_t)to.off, &from,
				(uint32_t)type_resolve(k->path.type)->size);
	}
}

/* The destination of an object; NUMBER, if not NULL, gets the pointer to it. */
struct object_place {
	struct ir_operand base;
	int32_t off;
	const struct mem *number;
};

static void object_to(struct lower *l, const struct expr *e, const struct object_place *p);

static void choice_to(struct lower *l, const struct expr *e, const struct object_place *p)
{
	struct ir_block *yes = ir_new_block(l, "yes"), *no = ir_new_block(l, "no"),
			*done = ir_new_block(l, "join");
	struct cached c;

	lower_condition(l, e->a, yes, no);
	c = lower_cached(l);
	ir_place(l, yes);
	object_to(l, e->b, p);
	ir_emit_jmp(l, done);
	lower_restore(l, c);
	ir_place(l, no);
	object_to(l, e->c, p);
	lower_restore(l, c);
	ir_place(l, done);
}

static void keep_key_of_root(struct lower *l, const struct expr *e)
{
	while (e->kind == EXPR_MEMBER || e->kind == EXPR_UNARY)
		e = e->a;
	if (is_object_variable(e))
		lower_keep_key(l, e);
}

/* An object that is not chosen or made by another expression. */
static void plain_to(struct lower *l, const struct expr *e, const struct object_place *p)
{
	const struct kept_object *o = sema_kept_object(e);
	struct mem m;

	if (o) {
		keep_key_of_root(l, e);
		m = object_mem(l, e);
		expand(l, o, &m, p->base, p->off);
	} else {
		lower_translated_into(l, e, p->base, p->off);
	}
	if (p->number)
		ir_emit_store(l, p->number->base, (int32_t)p->number->off, lower_expr(l, e), 8);
}

static void object_to(struct lower *l, const struct expr *e, const struct object_place *p)
{
	struct sema_expr info;
	struct expr result;

	if (sema_kept_object(e) || (e->info && e->info->ref == REF_XLATE)) {
		plain_to(l, e, p);
		return;
	}
	switch (e->kind) {
	case EXPR_COND:
		choice_to(l, e, p);
		break;
	case EXPR_COMMA:
		lower_effect(l, e->a);
		object_to(l, e->b, p);
		break;
	case EXPR_ASSIGN:
		lower_effect(l, e);
		object_to(l, e->a, p);
		break;
	case EXPR_CALL:
		lower_inlined(l, e);
		result = result_variable(e, &info);
		object_to(l, &result, p);
		break;
	case EXPR_UNARY: /* *p */
		object_to(l, e->a, p);
		break;
	default: /* NULL */
		emit_fault(l, DT_FAULT_BADADDR, ir_op_imm(0));
		break;
	}
}

void lower_object_into(struct lower *l, const struct expr *e, struct ir_operand base, int32_t off)
{
	object_to(l, e, &(struct object_place){base, off, NULL});
}

void lower_pointed_object(struct lower *l, const struct expr *e, struct ir_operand base,
	int32_t off, const struct mem *number)
{
	object_to(l, e, &(struct object_place){base, off, number});
}
