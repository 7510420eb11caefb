// SPDX-License-Identifier: Apache-2.0
/*
 * Lowers scratch memory, which alloca() and copyin() give to the clause until its end.  Pointers
 * into it are real addresses, so that they can be read and printed as any other.  An access through
 * an expression that is known to hold one is checked against what is allocated, and so is each
 * write through a pointer that may be one.  Faults name offsets from the beginning of scratch
 * memory, whose first byte has offset 8.
 */
#include "abi/kernel.h"
#include "ir/ir.h"
#include "ir/lower_build.h"
#include "ir/lower_expr.h"
#include "ir/lower_fault.h"
#include "ir/lower_mem.h"
#include "ir/lower_state.h"
#include "ir/lower_str.h"
#include "ir/units.h"
#include "lang/ast.h"
#include "sema/typed.h"
#include "types/type.h"

#define FIRST 8 /* offset 0 is NULL's */
#define NEAR  (1 << 20)

static uint32_t mask(const struct lower *l)
{
	uint32_t m = 1;

	while (m < l->s->target->scratchsize + FIRST)
		m = m << 1 | 1;
	return m;
}

/* True if E writes through a pointer, which must then lead to scratch memory. */
static bool writes_through(const struct expr *e)
{
	switch (e->kind) {
	case EXPR_ASSIGN:
	case EXPR_POSTFIX:
		return sema_is_pointed(e->a);
	case EXPR_UNARY:
		return (e->op == TOK_INC || e->op == TOK_DEC) && sema_is_pointed(e->a);
	default:
		return false;
	}
}

static bool uses_memory(void *arg, const struct expr *e)
{
	if (writes_through(e))
		return true;
	if (sema_is_scratch_call(e))
		return true;
	return e->type && type_resolve(e->type)->kind == TYPE_PTR && sema_is_scratch(e);
}

bool scratch_memory_used(const struct lower *l)
{
	return unit_has(l->unit, uses_memory, NULL);
}

void scratch_memory_init(struct lower *l)
{
	if (!scratch_memory_used(l))
		return;
	l->clause.top_off = ir_scratch_alloc(l, 8);
	/* an offset and a size are each below the mask to the verifier */
	l->clause.memory_off = ir_scratch_alloc(l, 2 * (mask(l) + 1));
}

static uint32_t memory_address(struct lower *l)
{
	struct mem m = {.kind = MEM_OWN,
		.base = ir_op_temp(l->firing.scratch),
		.off = l->clause.memory_off};

	return ir_as_temp(l, mem_address(l, &m));
}

/* A clause begins with none of it allocated. */
void scratch_memory_begin(struct lower *l)
{
	if (l->clause.memory_off)
		ir_emit_store(l, ir_op_temp(l->firing.scratch), (int32_t)l->clause.top_off,
			ir_op_imm(FIRST), 8);
}

static uint32_t load_top(struct lower *l)
{
	return ir_emit_load(l, ir_op_temp(l->firing.scratch), (int32_t)l->clause.top_off, 8);
}

/* Returns the verifier's pointer to offset D, which is below the top. */
static struct ir_operand memory_at(struct lower *l, uint32_t d)
{
	uint32_t v = ir_emit_op(l, IR_AND, ir_op_temp(d), ir_op_imm(mask(l)));

	v = ir_emit_op(l, IR_ADD, ir_op_temp(l->firing.scratch), ir_op_temp(v));
	return ir_address(l, ir_op_temp(v), l->clause.memory_off);
}

/*
 * Checks the access of SIZE bytes at number ADDR; SIZE is constant or a temporary.  Returns the
 * offset.
 */
static uint32_t check_access(struct lower *l, struct ir_operand addr, struct ir_operand size)
{
	struct ir_block *above = ir_new_block(l, "above"), *ordered = ir_new_block(l, "ordered"),
			*outside = ir_new_block(l, "outside"), *near = ir_new_block(l, "near"),
			*bad = ir_new_block(l, "bad"), *good = ir_new_block(l, "inside");
	uint32_t d, end, far, value = ir_new_temp(l, IRT_SCALAR);

	d = ir_emit_op(l, IR_SUB, addr, ir_op_temp(memory_address(l)));
	end = ir_emit_op(l, IR_ADD, ir_op_temp(d), size);
	ir_emit_set(l, value, addr);
	ir_emit_br(l, COND_LT, ir_op_temp(d), ir_op_imm(FIRST), outside, above);
	ir_place(l, above);
	ir_emit_br(l, COND_LE, ir_op_temp(d), ir_op_temp(end), ordered,
		outside); /* no wrapping round */
	ir_place(l, ordered);
	ir_emit_br(l, COND_LE, ir_op_temp(end), ir_op_temp(load_top(l)), good, outside);
	ir_place(l, outside);
	/* what is near scratch memory is named by its offset */
	far = ir_emit_op(l, IR_ADD, ir_op_temp(d), ir_op_imm(NEAR));
	ir_emit_br(l, COND_LT, ir_op_temp(far), ir_op_imm(2 * NEAR), near, bad);
	ir_place(l, near);
	ir_emit_set(l, value, ir_op_temp(d));
	ir_place(l, bad);
	emit_fault(l, DT_FAULT_BADADDR, ir_op_temp(value));
	ir_place(l, good);
	return d;
}

struct mem scratch_access(struct lower *l, const struct mem *m, uint32_t size)
{
	struct mem own = *m;
	struct ir_operand addr = ir_op_temp(ir_as_temp(l, mem_address(l, m)));

	own.kind = MEM_OWN;
	own.base = memory_at(l, check_access(l, addr, ir_op_imm(size)));
	own.off = 0;
	return own;
}

/* ---- allocation ---- */

/* N bytes more; returns the offset of the first. */
static uint32_t allocate(struct lower *l, struct ir_operand n, enum dt_fault_code code)
{
	int64_t most = l->s->target->scratchsize;
	uint32_t top = load_top(l), end, up;

	check_or_fault(
		l, COND_LE, n, ir_op_imm(most), code, code == DT_FAULT_BADSIZE ? n : ir_op_imm(0));
	up = ir_emit_op(l, IR_ADD, n, ir_op_imm(7));
	up = ir_emit_op(l, IR_AND, ir_op_temp(up), ir_op_imm(-8));
	end = ir_emit_op(l, IR_ADD, ir_op_temp(top), ir_op_temp(up));
	check_or_fault(l, COND_LE, ir_op_temp(end), ir_op_imm(most + FIRST), DT_FAULT_NOSCRATCH,
		ir_op_imm(0));
	ir_emit_store(
		l, ir_op_temp(l->firing.scratch), (int32_t)l->clause.top_off, ir_op_temp(end), 8);
	return top;
}

static struct ir_operand temp_value(struct lower *l, const struct expr *e)
{
	return ir_op_temp(ir_as_temp(l, lower_expr(l, e)));
}

struct ir_operand lower_alloca(struct lower *l, const struct expr *e)
{
	struct ir_operand n = temp_value(l, e->args.data[0]);
	uint32_t at = allocate(l, n, DT_FAULT_NOSCRATCH);

	return ir_op_temp(ir_emit_op(l, IR_ADD, ir_op_temp(memory_address(l)), ir_op_temp(at)));
}

/* A size as the verifier wants it: bounded in its value. */
static struct ir_operand bounded(struct lower *l, struct ir_operand n)
{
	return ir_op_temp(ir_emit_op(l, IR_AND, n, ir_op_imm(mask(l))));
}

static void read_user(
	struct lower *l, struct ir_operand dst, struct ir_operand n, struct ir_operand addr)
{
	uint32_t err = ir_emit_call(l, BPF_FUNC_probe_read_user, 3, dst, n, addr);

	check_or_fault(l, COND_EQ, ir_op_temp(err), ir_op_imm(0), DT_FAULT_BADADDR, addr);
}

struct ir_operand lower_copyin(struct lower *l, const struct expr *e)
{
	struct ir_operand addr = temp_value(l, e->args.data[0]), n = temp_value(l, e->args.data[1]);
	uint32_t at = allocate(l, n, DT_FAULT_BADSIZE);

	read_user(l, memory_at(l, at), bounded(l, n), addr);
	return ir_op_temp(ir_emit_op(l, IR_ADD, ir_op_temp(memory_address(l)), ir_op_temp(at)));
}

void lower_copyinto(struct lower *l, const struct expr *e)
{
	struct ir_operand addr = temp_value(l, e->args.data[0]), n = temp_value(l, e->args.data[1]);
	struct ir_operand dst = ir_op_temp(ir_as_temp(l, lower_pointer_value(l, e->args.data[2])));

	check_or_fault(l, COND_LE, n, ir_op_imm(l->s->target->scratchsize), DT_FAULT_BADSIZE, n);
	dst = memory_at(l, check_access(l, dst, n));
	read_user(l, dst, bounded(l, n), addr);
}

/* A pointer, array or string as an address. */
struct ir_operand lower_pointer_value(struct lower *l, const struct expr *e)
{
	const struct type *t = type_resolve(e->type);
	struct mem m;

	if (t->kind == TYPE_STRING)
		return lower_string_pointer(l, e);
	if (t->kind != TYPE_ARRAY)
		return lower_expr(l, e);
	m = lower_mem(l, e);
	return mem_address(l, &m);
}

void lower_bcopy(struct lower *l, const struct expr *e)
{
	struct ir_operand src = ir_op_temp(ir_as_temp(l, lower_pointer_value(l, e->args.data[0])));
	struct ir_operand dst = ir_op_temp(ir_as_temp(l, lower_pointer_value(l, e->args.data[1])));
	struct ir_operand n = temp_value(l, e->args.data[2]);
	struct ir_block *some = ir_new_block(l, "some"), *done = ir_new_block(l, "copied");
	uint32_t err;

	ir_emit_br(l, COND_EQ, n, ir_op_imm(0), done, some);
	ir_place(l, some);
	check_or_fault(l, COND_LE, n, ir_op_imm(l->s->target->scratchsize), DT_FAULT_BADSIZE, n);
	if (sema_is_scratch(e->args.data[0]))
		check_access(l, src, n);
	dst = memory_at(l, check_access(l, dst, n));
	err = ir_emit_call(l,
		lower_is_user_pointer(l, e->args.data[0]) ? BPF_FUNC_probe_read_user
							  : BPF_FUNC_probe_read_kernel,
		3, dst, bounded(l, n), src);
	check_or_fault(l, COND_EQ, ir_op_temp(err), ir_op_imm(0), DT_FAULT_BADADDR, src);
	ir_place(l, done);
}

/* ---- to the process ---- */

#define COPYOUT_MAX 4096 /* bytes at a time; a power of two */

/* A size that is not 0, as the verifier wants it. */
static struct ir_operand at_least_one(struct lower *l, struct ir_operand n, uint32_t ones)
{
	n = ir_op_temp(ir_emit_op(l, IR_SUB, n, ir_op_imm(1)));
	n = ir_op_temp(ir_emit_op(l, IR_AND, n, ir_op_imm(ones)));
	return ir_op_temp(ir_emit_op(l, IR_ADD, n, ir_op_imm(1)));
}

void lower_copyout(struct lower *l, const struct expr *e)
{
	struct ir_operand src = ir_op_temp(ir_as_temp(l, lower_pointer_value(l, e->args.data[0])));
	struct ir_operand addr = temp_value(l, e->args.data[1]), n = temp_value(l, e->args.data[2]);
	uint32_t off = ir_scratch_alloc(l, 2 * COPYOUT_MAX), err;
	struct ir_block *some = ir_new_block(l, "some"), *done = ir_new_block(l, "copied");

	ir_emit_br(l, COND_EQ, n, ir_op_imm(0), done, some);
	ir_place(l, some);
	check_or_fault(l, COND_LT, n, ir_op_imm(COPYOUT_MAX), DT_FAULT_BADSIZE, n);
	if (sema_is_scratch(e->args.data[0]))
		check_access(l, src, n);
	n = at_least_one(l, n, COPYOUT_MAX - 1);
	err = ir_emit_call(l, BPF_FUNC_probe_read_kernel, 3,
		ir_address(l, ir_op_temp(l->firing.scratch), off), n, src);
	check_or_fault(l, COND_EQ, ir_op_temp(err), ir_op_imm(0), DT_FAULT_BADADDR, src);
	err = ir_emit_call(l, BPF_FUNC_probe_write_user, 3, addr,
		ir_address(l, ir_op_temp(l->firing.scratch), off), n);
	check_or_fault(l, COND_EQ, ir_op_temp(err), ir_op_imm(0), DT_FAULT_BADADDR, addr);
	ir_place(l, done);
}

void lower_copyoutstr(struct lower *l, const struct expr *e)
{
	uint32_t room = string_room(l->s->target), most = 1, err, len;
	uint32_t src = lower_string_scratch(l, e->args.data[0]);
	struct ir_operand addr = temp_value(l, e->args.data[1]), n = temp_value(l, e->args.data[2]);
	struct ir_block *fits = ir_new_block(l, "fits"), *some = ir_new_block(l, "some"),
			*cut = ir_new_block(l, "cut"), *done = ir_new_block(l, "copied");
	uint32_t size = ir_new_temp(l, IRT_SCALAR), tmp;

	while (most < l->s->target->strsize + 1)
		most = most << 1 | 1;
	tmp = ir_scratch_alloc(l, room > most + 1 ? room : most + 1);
	len = ir_emit_call(l, BPF_FUNC_probe_read_kernel_str, 3,
		ir_address(l, ir_op_temp(l->firing.scratch), tmp),
		ir_op_imm(l->s->target->strsize + 1),
		ir_address(l, ir_op_temp(l->firing.scratch), src));
	ir_emit_set(l, size, ir_op_temp(len));
	ir_emit_br(l, COND_LT, n, ir_op_temp(len), cut, fits);
	ir_place(l, cut);
	ir_emit_set(l, size, n);
	ir_emit_jmp(l, fits);
	ir_place(l, fits);
	ir_emit_br(l, COND_EQ, ir_op_temp(size), ir_op_imm(0), done, some);
	ir_place(l, some);
	n = at_least_one(l, ir_op_temp(size), most);
	err = ir_emit_call(l, BPF_FUNC_probe_write_user, 3, addr,
		ir_address(l, ir_op_temp(l->firing.scratch), tmp), n);
	check_or_fault(l, COND_EQ, ir_op_temp(err), ir_op_imm(0), DT_FAULT_BADADDR, addr);
	ir_place(l, done);
}
