// SPDX-License-Identifier: Apache-2.0
/*
 * Kernel memory.  What hangs off curthread is read with direct loads, which the verifier checks
 * by type; an address that the user computed goes through a checked read, so that a bad one
 * raises ERROR.  A NULL on the way of either faults as DTrace does: address = offset.
 */
#include "ir/lower_int.h"

bool is_memory_expr(const struct expr *e)
{
	switch (e->kind) {
	case EXPR_MEMBER:
		return true;
	case EXPR_INDEX:
		return !(e->info && (e->info->ref == REF_VAR || e->info->ref == REF_BUILTIN));
	case EXPR_UNARY:
		return e->op == TOK_MUL;
	default:
		return false;
	}
}

static bool is_curthread(const struct expr *e)
{
	return e->kind == EXPR_VAR && e->info && e->info->ref == REF_BUILTIN &&
		e->info->builtin->id == BUILTIN_curthread;
}

/* args[i] of a system call points into the process. */
bool is_user_argument(const struct lower *l, const struct expr *e)
{
	return l->unit->args.user_ptrs && e->info && e->info->ref == REF_BUILTIN &&
		e->info->builtin->id == BUILTIN_args;
}

/* Whether a direct load of E, a pointer member, gives a pointer that can be followed directly. */
static bool is_typed_pointer(const struct expr *e)
{
	const struct type *t = type_resolve(e->type);
	const struct type *to;

	if (e->kind != EXPR_MEMBER || t->kind != TYPE_PTR || t->is_user || t->is_percpu)
		return false;
	to = type_resolve(t->ref);
	return to->kind == TYPE_STRUCT && to->id && !e->info->member.bit_size;
}

/* The object that pointer expression E points to. */
static struct mem pointee(struct lower *l, const struct expr *e)
{
	struct mem m = {.kind = MEM_ADDRESS};

	if (is_curthread(e)) {
		m.kind = MEM_KERNEL;
		m.base = op_temp(current_task(l));
		return m;
	}
	if (is_user_argument(l, e)) {
		m.kind = MEM_USER;
		m.base = lower_expr(l, e);
		return m;
	}
	if (is_memory_expr(e) && type_resolve(e->type)->kind == TYPE_ARRAY)
		return lower_mem(l, e);
	if (is_typed_pointer(e)) {
		struct mem at = lower_mem(l, e);

		if (at.kind == MEM_KERNEL) {
			uint32_t p = emit_load(l, at.base, (int32_t)at.off, 8);

			l->f->temps.data[p] = IRT_KERNEL;
			m.kind = MEM_KERNEL;
			m.base = op_temp(p);
			return m;
		}
		m.base = mem_read(l, &at, e->type);
		return m;
	}
	m.base = lower_expr(l, e);
	return m;
}

/* A NULL pointer faults with the offset as the address. */
static void check_null(struct lower *l, struct mem *m, int64_t off)
{
	if (m->base.kind == OP_TEMP && m->kind == MEM_KERNEL && m->base.temp != l->task)
		check_or_fault(l, COND_NE, m->base, op_imm(0), DT_FAULT_BADADDR, op_imm(off));
}

static struct mem member(struct lower *l, const struct expr *e)
{
	const struct member_path *p = &e->info->member;
	struct mem m = e->op == TOK_ARROW ? pointee(l, e->a) : lower_mem(l, e->a);

	if (e->op == TOK_ARROW)
		check_null(l, &m, p->bit_offset / 8);
	m.off += p->bit_offset / 8;
	m.bit_size = p->bit_size;
	m.bit_offset = p->bit_offset % 8;
	/* the verifier takes the first member of a union that fits: do not rely on which */
	if (p->in_union || p->bit_size) {
		m.base = mem_address(l, &m);
		m.off = 0;
		m.kind = m.kind == MEM_USER ? MEM_USER : MEM_ADDRESS;
	}
	return m;
}

static struct mem index_mem(struct lower *l, const struct expr *e)
{
	const struct type *t = type_resolve(e->a->type);
	const struct expr *i = e->args.data[0];
	uint64_t size = type_resolve(t->ref)->size;
	struct mem m = pointee(l, e->a);
	struct ir_operand n;

	if (i->kind == EXPR_INT && (t->kind == TYPE_PTR || t->nelems > 1)) {
		if (t->kind == TYPE_PTR && m.kind == MEM_KERNEL) {
			check_null(l, &m, (int64_t)(i->value * size));
			m.base = mem_address(l, &m);
			m.off = 0;
			m.kind = MEM_ADDRESS;
		}
		m.off += (int64_t)(i->value * size);
		return m;
	}
	n = op_temp(as_temp(l, lower_expr(l, i)));
	if (t->kind == TYPE_ARRAY && t->nelems > 1)
		check_or_fault(l, COND_LT, n, op_imm(t->nelems), DT_FAULT_BADINDEX, n);
	n = op_temp(emit_op(l, IR_MUL, n, op_imm((int64_t)size)));
	/* an address plus a variable is a number to the verifier: read it, checked */
	m.base = op_temp(emit_op(l, IR_ADD, op_temp(as_temp(l, mem_address(l, &m))), n));
	m.off = 0;
	m.kind = m.kind == MEM_USER ? MEM_USER : MEM_ADDRESS;
	return m;
}

struct mem lower_mem(struct lower *l, const struct expr *e)
{
	struct mem m;

	switch (e->kind) {
	case EXPR_MEMBER:
		return member(l, e);
	case EXPR_INDEX:
		return index_mem(l, e);
	default: /* *p */
		m = pointee(l, e->a);
		check_null(l, &m, 0);
		return m;
	}
}

/*
 * The address as a plain number: a typed pointer is laundered through the scratch slot, because
 * the verifier allows no arithmetic on one.
 */
struct ir_operand mem_address(struct lower *l, const struct mem *m)
{
	struct ir_operand base = m->base;

	if (m->kind == MEM_KERNEL) {
		uint32_t off = scratch_alloc(l, 8);

		emit_store(l, op_temp(l->scratch), (int32_t)off, base, 8);
		base = op_temp(emit_load(l, op_temp(l->scratch), (int32_t)off, 8));
	}
	return m->off ? op_temp(emit_op(l, IR_ADD, base, op_imm(m->off))) : base;
}

static struct ir_operand read_bits(
	struct lower *l, struct ir_operand word, const struct mem *m, const struct type *t)
{
	uint32_t up = 64 - m->bit_offset - m->bit_size;
	uint32_t v = emit_op(l, IR_SHL, word, op_imm(up));

	return op_temp(emit_op(l, type_resolve(t)->is_signed ? IR_SAR : IR_SHR, op_temp(v),
		op_imm(64 - m->bit_size)));
}

struct ir_operand mem_read(struct lower *l, const struct mem *m, const struct type *t)
{
	const struct type *r = type_resolve(t);
	unsigned size = m->bit_size ? (m->bit_offset + m->bit_size + 7) / 8 : (unsigned)r->size;
	struct ir_operand addr;
	uint32_t slot, err;

	if (m->kind == MEM_KERNEL && r->kind != TYPE_PTR && !m->bit_size)
		return extend(l, op_temp(emit_load(l, m->base, (int32_t)m->off, size)), t);
	slot = frame_alloc(l, 8);
	addr = m->kind == MEM_KERNEL ? address(l, m->base, m->off)
				     : op_temp(as_temp(l, mem_address(l, m)));
	if (m->bit_size)
		emit_store(l, op_frame(0), (int32_t)slot, op_imm(0), 8);
	err = emit_call(l,
		m->kind == MEM_USER ? BPF_FUNC_probe_read_user : BPF_FUNC_probe_read_kernel, 3,
		op_frame(slot), op_imm(size), addr);
	check_or_fault(l, COND_EQ, op_temp(err), op_imm(0), DT_FAULT_BADADDR,
		m->kind == MEM_KERNEL ? op_imm(m->off) : addr);
	if (m->bit_size)
		return read_bits(l, op_temp(emit_load(l, op_frame(0), (int32_t)slot, 8)), m, t);
	return extend(l, op_temp(emit_load(l, op_frame(0), (int32_t)slot, size)), t);
}
