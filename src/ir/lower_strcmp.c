// SPDX-License-Identifier: Apache-2.0
/*
 * Lowers string comparisons.  Each side is evaluated once, left to right; with a literal it is
 * compared in place, in chunks, where it lies in memory that may be read directly.
 */
#include "abi/record.h"
#include "base/arena.h"
#include "base/demangle.h"
#include "ir/ir.h"
#include "ir/layout.h"
#include "ir/lower.h"
#include "ir/lower_build.h"
#include "ir/lower_builtin.h"
#include "ir/lower_mem.h"
#include "ir/lower_state.h"
#include "ir/lower_str.h"
#include "ir/lower_var.h"
#include "lang/ast.h"
#include "lang/lex.h"
#include "sema/names.h"
#include "sema/typed.h"
#include "types/type.h"
#include "types/types.h"

#include <stdlib.h>
#include <string.h>

struct side {
	const struct expr *e;
	/* where the string can be loaded from; `size` 0 = it has yet to be put somewhere */
	struct ir_operand home;
	int32_t off;
	uint32_t size;
	bool located;		   /* a variable: at, nul */
	struct ir_operand at, nul; /* nul: OP_NONE = it cannot be NULL */
};

static void in_scratch(struct lower *l, struct side *s, uint32_t off)
{
	s->home = ir_op_temp(l->firing.scratch);
	s->off = (int32_t)off;
	s->size = string_room(l->s->target);
}

static bool is_memory(const struct lower *l, const struct ir_operand *o)
{
	return o->kind == OP_DATA || o->kind == OP_FRAME ||
		(o->kind == OP_TEMP && l->build.f->temps.data[o->temp] == IRT_MEM);
}

/* threadname is the current task's comm, which the kernel keeps terminated. */
static bool thread_home(struct lower *l, struct side *s)
{
	const struct type *t = types_lookup(l->s->target->types, SPACE_STRUCT, "task_struct");
	struct member_path m;

	if (!t || !type_find_member(t, "comm", &m) || l->s->target->strsize + 1 < COMM_LEN)
		return false;
	s->home = ir_op_temp(lower_current_task(l));
	s->off = (int32_t)(m.bit_offset / 8);
	s->size = COMM_LEN;
	return true;
}

static bool exec_home(struct lower *l, struct side *s)
{
	uint32_t at;

	if (l->s->target->strsize + 1 < COMM_LEN || !lower_exec_name(l, &at))
		return false;
	s->home = ir_op_frame(0);
	s->off = (int32_t)at;
	s->size = COMM_LEN;
	return true;
}

/* Finds the bytes of S if it is a character array in a struct; false if it is not. */
static bool array_home(struct lower *l, struct side *s)
{
	const struct expr *a = s->e->kind == EXPR_CAST ? s->e->a : NULL;
	const struct type *t = a ? type_resolve(a->type) : NULL;
	struct mem m;

	if (!a || t->kind != TYPE_ARRAY || !t->nelems || !is_memory_expr(a))
		return false;
	m = lower_mem(l, a);
	if (m.kind != MEM_KERNEL) {
		uint32_t off = ir_scratch_alloc(l, string_room(l->s->target));
		struct byte_place p = {ir_op_temp(l->firing.scratch), (int32_t)off,
			string_room(l->s->target), (int32_t)off};

		lower_string_into(l, s->e, &p);
		in_scratch(l, s, off);
		return true;
	}
	s->home = m.base;
	s->off = (int32_t)m.off;
	s->size = t->nelems;
	return true;
}

static void evaluate(struct lower *l, struct side *s)
{
	uint32_t room = string_room(l->s->target), off = ir_scratch_alloc(l, room), nul;
	struct byte_place p = {ir_op_temp(l->firing.scratch), (int32_t)off, room, (int32_t)off};

	in_scratch(l, s, off);
	if (!lower_may_be_null(s->e)) {
		lower_string_into(l, s->e, &p);
		return;
	}
	nul = ir_new_temp(l, IRT_SCALAR);
	lower_string_maybe(l, s->e, &p, nul);
	s->nul = ir_op_temp(nul);
}

static bool may_assign(void *arg, const struct expr *e)
{
	return e->kind == EXPR_ASSIGN || (e->info && e->info->ref == REF_INLINED);
}

/*
 * Prepares a side.  IN_PLACE: the other side is a constant, so that comparing in place will do.
 * AFTER: what is evaluated before the strings are compared, or NULL.
 */
static struct side side(
	struct lower *l, const struct expr *e, bool in_place, const struct expr *after)
{
	struct side s = {.e = e, .nul = {.kind = OP_NONE}};

	if (lower_is_null_constant(e)) {
		s.nul = ir_op_imm(1);
	} else if (lower_is_variable(e) && !sema_any_expr(after, may_assign, NULL, NULL)) {
		s.located = true;
		s.at = lower_string_variable(l, e, &s.nul);
		if (is_memory(l, &s.at)) {
			s.home = s.at;
			s.size = lower_var_room(e->info->var);
		}
	} else if (e->kind == EXPR_STRING) {
		/* nothing to do before it is needed */
	} else if (!in_place ||
		!((layout_builtin_text(e)->source == TEXT_COMM && exec_home(l, &s)) ||
			(layout_builtin_text(e)->source == TEXT_THREAD && thread_home(l, &s)) ||
			array_home(l, &s))) {
		evaluate(l, &s);
	}
	return s;
}

/* Returns the side's string in the scratch slot. */
static uint32_t side_scratch(struct lower *l, const struct side *s)
{
	uint32_t room = string_room(l->s->target), off;
	struct byte_place p;

	if (s->size && s->home.kind == OP_TEMP && s->home.temp == l->firing.scratch)
		return (uint32_t)s->off;
	if (!s->located)
		return lower_string_scratch(l, s->e);
	off = ir_scratch_alloc(l, room);
	p = (struct byte_place){ir_op_temp(l->firing.scratch), (int32_t)off, room, (int32_t)off};
	read_string(l, s->at, &p, BPF_FUNC_probe_read_kernel_str, l->s->target->strsize + 1);
	return off;
}

/* Jump to SAME or DIFFER by the LEN + 1 bytes of literal TEXT. */
static void compare_literal(struct lower *l, const struct side *s, const char *text, uint32_t len,
	struct ir_block *same, struct ir_block *differ)
{
	struct ir_operand home = s->home;
	int32_t off = s->off;
	uint32_t n = len + 1;

	if (!s->size) {
		home = ir_op_temp(l->firing.scratch);
		off = (int32_t)side_scratch(l, s);
	} else if (n > s->size) { /* too long for what it is compared with */
		ir_emit_jmp(l, differ);
		return;
	}
	if (home.kind == OP_DATA)
		home = ir_op_temp(ir_emit_mov(l, home));
	for (uint32_t i = 0; i < n;) {
		unsigned size = n - i >= 8 ? 8 : n - i >= 4 ? 4 : n - i >= 2 ? 2 : 1;
		struct ir_block *next = i + size < n ? ir_new_block(l, "same") : same;
		uint64_t want = 0;
		struct ir_operand w;
		uint32_t v;

		memcpy(&want, text + i, size);
		v = ir_emit_load(l, home, off + (int32_t)i, size);
		w = ir_op_imm((int64_t)want);
		if ((int64_t)want != (int32_t)want)
			w = ir_op_temp(ir_emit_mov(l, w));
		ir_emit_br(l, COND_EQ, ir_op_temp(v), w, next, differ);
		if (next != same)
			ir_place(l, next);
		i += size;
	}
}

static const struct {
	enum token_kind op;
	enum ir_cond cond;
} conds[] = {{TOK_EQ, COND_EQ}, {TOK_NE, COND_NE}, {TOK_LT, COND_SLT}, {TOK_LE, COND_SLE},
	{TOK_GT, COND_SGT}, {TOK_GE, COND_SGE}};

static enum ir_cond condition(enum token_kind op)
{
	for (unsigned i = 0; i < sizeof(conds) / sizeof(conds[0]); i++)
		if (conds[i].op == op)
			return conds[i].cond;
	return COND_EQ;
}

/* dt_strcmp() gives 0, 1 or ~0: as a signed number compared with 0 */
static void compare_any(struct lower *l, const struct expr *e, const struct side *sa,
	const struct side *sb, struct ir_block *yes, struct ir_block *no)
{
	uint32_t a = side_scratch(l, sa), b = side_scratch(l, sb);
	uint32_t v = ir_emit_rt(
		l, "dt_strcmp", 3, ir_op_temp(l->firing.slot), ir_op_imm(a), ir_op_imm(b));

	ir_emit_br(l, condition(e->op), ir_op_temp(v), ir_op_imm(0), yes, no);
}

/*
 * Returns the result of a comparison with NULL (rank 0, others 1): NULL equals NULL and sorts
 * first.
 */
static bool null_result(enum token_kind op, int a, int b)
{
	switch (op) {
	case TOK_EQ:
		return a == b;
	case TOK_NE:
		return a != b;
	case TOK_LT:
		return a < b;
	case TOK_LE:
		return a <= b;
	case TOK_GT:
		return a > b;
	default:
		return a >= b;
	}
}

/* Decide the comparison where a side is NULL; what follows is reached where neither is. */
static void compare_nulls(struct lower *l, const struct expr *e, struct ir_operand na,
	struct ir_operand nb, struct ir_block *yes, struct ir_block *no)
{
	for (int a = 0; a < 2; a++) { /* a: the left side's rank */
		struct ir_block *left = ir_new_block(l, "left"), *rest = ir_new_block(l, "rest");
		struct ir_block *right = ir_new_block(l, "right"), *set = ir_new_block(l, "set");

		if (!a) {
			ir_emit_br(l, COND_NE, na, ir_op_imm(0), left, rest);
			ir_place(l, left);
		}
		ir_emit_br(l, COND_NE, nb, ir_op_imm(0), right, set);
		ir_place(l, right);
		ir_emit_jmp(l, null_result(e->op, a, 0) ? yes : no);
		ir_place(l, set);
		if (a)
			return; /* neither is NULL */
		ir_emit_jmp(l, null_result(e->op, 0, 1) ? yes : no);
		ir_place(l, rest);
	}
}

/*
 * Returns the text that literal LIT is compared as with E, and its length in *LEN: probefunc is a
 * demangled name, and a mangled one means the same function.
 */
static const char *literal_text(
	struct lower *l, const struct expr *lit, const struct expr *e, uint32_t *len)
{
	const char *text = arena_strndup(l->arena, lit->str, lit->str_len);
	const struct builtin_text *b = layout_builtin_text(e);
	char *plain = NULL;

	*len = lit->str_len;
	if (l->s->target->demangle && b->source == TEXT_PROBE && b->part == DATUM_PROBEFUNC)
		plain = demangle(text);
	arena_own(l->arena, free, plain);
	if (plain) {
		text = arena_strdup(l->arena, plain);
		*len = (uint32_t)strlen(text);
	}
	arena_release(l->arena, plain);
	/* tables of names have the beginning of a long one */
	if (l->firing.key && b->source == TEXT_PROBE && b->part != DATUM_PROBEPROV &&
		*len >= LOWER_NAME)
		*len = LOWER_NAME - 1;
	return text;
}

void lower_string_condition(
	struct lower *l, const struct expr *e, struct ir_block *yes, struct ir_block *no)
{
	const struct expr *lit = e->b->kind == EXPR_STRING ? e->b
		: e->a->kind == EXPR_STRING		   ? e->a
							   : NULL;
	bool equality = e->op == TOK_EQ || e->op == TOK_NE;
	struct side a = side(l, e->a, lit && equality, e->b);
	struct side b = side(l, e->b, lit && equality, NULL);
	const char *text;
	uint32_t len;

	if (a.nul.kind != OP_NONE || b.nul.kind != OP_NONE)
		compare_nulls(l, e, a.nul.kind == OP_NONE ? ir_op_imm(0) : a.nul,
			b.nul.kind == OP_NONE ? ir_op_imm(0) : b.nul, yes, no);
	if (lower_is_null_constant(e->a) || lower_is_null_constant(e->b)) {
		ir_emit_jmp(l, no); /* never reached: the NULL side has decided */
	} else if (lit && equality) {
		text = literal_text(l, lit, lit == e->b ? e->a : e->b, &len);
		if (len > l->s->target->strsize)
			len = l->s->target->strsize;
		compare_literal(l, lit == e->b ? &a : &b, arena_strndup(l->arena, text, len), len,
			e->op == TOK_EQ ? yes : no, e->op == TOK_EQ ? no : yes);
	} else {
		compare_any(l, e, &a, &b, yes, no);
	}
}
