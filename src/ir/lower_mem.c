// SPDX-License-Identifier: Apache-2.0
/*
 * Lowers accesses to objects in memory.  What hangs off curthread is read with direct loads, which
 * the verifier checks by type; an address that the user computed goes through a checked read, so
 * that a bad one raises ERROR.  A NULL on the way of either faults as DTrace does: address =
 * offset.  D's own variables and scratch memory are map values, read and written directly.
 */
#include "abi/kernel.h"
#include "ir/ir.h"
#include "ir/lower_build.h"
#include "ir/lower_builtin.h"
#include "ir/lower_expr.h"
#include "ir/lower_fault.h"
#include "ir/lower_mem.h"
#include "ir/lower_object.h"
#include "ir/lower_state.h"
#include "ir/lower_str.h"
#include "ir/lower_var.h"
#include "lang/ast.h"
#include "probe/args.h"
#include "probe/attach.h"
#include "sema/names.h"
#include "sema/typed.h"
#include "types/type.h"
#include "types/types.h"

#include <string.h>

bool is_memory_expr(const struct expr *e)
{
	switch (e->kind) {
	case EXPR_MEMBER:
	case EXPR_SYMBOL:
		return true;
	case EXPR_VAR:
		return lower_is_variable(e) && lower_is_aggregate(e->type);
	case EXPR_INDEX:
		if (e->info && e->info->ref == REF_VAR)
			return lower_is_aggregate(e->type);
		return !(e->info && e->info->ref == REF_BUILTIN);
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

/* args[i] of a system call points into the process, as does what a probe takes of one. */
bool lower_is_user_pointer(const struct lower *l, const struct expr *e)
{
	const struct type *t = type_resolve(e->type);

	/* what programs' own types point to, unless a copy is of such a type */
	if (t && t->kind == TYPE_PTR && t->is_user && !lower_about_other_task(l))
		return !sema_is_scratch(e);
	if (e->info && e->info->ref == REF_HOOK)
		return l->unit->derived->from.hook.user_ptrs;
	return lower_clause_args(l)->user_ptrs && e->info && e->info->ref == REF_BUILTIN &&
		e->info->builtin->id == BUILTIN_args;
}

/* For args[i] of a derived probe the expression that it is. */
static const struct expr *derived_arg(const struct lower *l, const struct expr *e)
{
	uint32_t i;

	if (!l->unit->derived || !e->info || e->info->ref != REF_BUILTIN ||
		e->info->builtin->id != BUILTIN_args)
		return e;
	i = l->unit->args.from[e->args.data[0]->value];
	return l->unit->derived->args[i] ? l->unit->derived->args[i] : e;
}

/* True if E is an argument of a hook whose types the verifier knows, and a pointer to a struct. */
static bool is_typed_argument(const struct lower *l, const struct expr *e)
{
	const struct type *t = type_resolve(e->type), *to;
	const struct probe_args *args = &l->unit->args;
	uint32_t i;

	if (!e->info || !attach_is_typed(l->unit->plan.kind) ||
		l->unit->plan.key_source != KEY_NONE || t->kind != TYPE_PTR || t->is_user ||
		t->is_percpu)
		return false;
	if (e->info->ref == REF_HOOK) {
		args = &l->unit->derived->from.hook;
		i = (uint32_t)e->value;
	} else if (e->info->ref == REF_BUILTIN && e->info->builtin->id == BUILTIN_args) {
		i = (uint32_t)e->args.data[0]->value;
	} else {
		return false;
	}
	to = type_resolve(t->ref);
	return !args->user_ptrs && args->raw[args->from[i]].where == WHERE_CTX &&
		to->kind == TYPE_STRUCT && to->id;
}

/* True if a direct load of E, a pointer member, gives a pointer that can be followed directly. */
static bool is_typed_pointer(const struct expr *e)
{
	const struct type *t = type_resolve(e->type);
	const struct type *to;

	if (e->kind != EXPR_MEMBER || t->kind != TYPE_PTR || t->is_user || t->is_percpu)
		return false;
	to = type_resolve(t->ref);
	return to->kind == TYPE_STRUCT && to->id && !e->info->member.bit_size;
}

/*
 * Pointers that the kernel also uses for small numbers (SEND_SIG_PRIV): verifiers from 6.12 on
 * take them for numbers, older ones for pointers; a checked read suits both.
 */
static bool is_number_too(const struct type *to)
{
	const struct type *t = type_resolve(to);

	return t->name && !strcmp(t->name, "kernel_siginfo");
}

/* Returns the object that pointer, array or string expression E points to. */
static struct mem pointee(struct lower *l, const struct expr *e)
{
	LOWER_AT(l, e);
	const struct type *t = type_resolve(e->type);
	const struct expr *whole = e;
	struct mem m = {.kind = MEM_ADDRESS};

	e = derived_arg(l, e);
	if (is_typed_argument(l, e)) {
		uint32_t p = ir_as_temp(l, lower_expr(l, e));

		l->build.f->temps.data[p] = IRT_KERNEL;
		m.kind = MEM_KERNEL;
		m.base = ir_op_temp(p);
		if (is_number_too(t->ref)) {
			m.base = mem_address(l, &m);
			m.kind = MEM_ADDRESS;
		}
		return m;
	}
	if (is_curthread(e)) {
		m.kind = MEM_KERNEL;
		m.base = ir_op_temp(lower_current_task(l));
		return m;
	}
	if (lower_is_user_pointer(l, e)) {
		m.kind = MEM_USER;
		m.base = lower_expr(l, e);
		return m;
	}
	if (t->kind == TYPE_STRING) {
		m.base = lower_string_pointer(l, e);
		return m;
	}
	if (t->kind == TYPE_ARRAY)
		return lower_mem(l, e);
	if (sema_is_scratch(e)) {
		m.kind = MEM_SCRATCH;
		m.base = ir_op_temp(ir_as_temp(l, lower_expr(l, e)));
		return m;
	}
	if (is_typed_pointer(e)) {
		struct mem at = lower_mem(l, e);

		if (at.kind == MEM_KERNEL) {
			m.kind = MEM_KERNEL;
			m.base = ir_op_temp(ir_emit_load_pointer(l, at.base, (int32_t)at.off));
			return m;
		}
		m.base = mem_read(l, &at, e->type);
		return m;
	}
	m.base = lower_expr(l, whole); /* once for all its uses */
	return m;
}

uint32_t lower_kernel_pointer(struct lower *l, const struct expr *e)
{
	struct mem m = pointee(l, e);

	if (m.kind != MEM_KERNEL)
		lower_error(l, "D_UNKNOWN", "the thread of this probe cannot be followed");
	return ir_as_temp(l, m.base);
}

/* A NULL pointer faults with the offset as the address. */
static void check_null(struct lower *l, struct mem *m, int64_t off)
{
	if (m->base.kind == OP_TEMP && m->kind == MEM_KERNEL && m->base.temp != l->seen.task)
		check_or_fault(l, COND_NE, m->base, ir_op_imm(0), DT_FAULT_BADADDR, ir_op_imm(off));
}

/*
 * A bit-field is reached through the unit of its type that holds it, which lies within the record,
 * unless it crosses units, as it may in a packed one.
 */
void mem_add_member(struct mem *m, const struct member_path *p)
{
	uint64_t unit = 8 * type_resolve(p->type)->size, at = p->bit_offset;

	if (p->bit_size && at % unit + p->bit_size <= unit)
		at -= at % unit;
	else
		at -= at % 8;
	m->off += (int64_t)(at / 8);
	m->bit_size = p->bit_size;
	m->bit_offset = (uint32_t)(p->bit_offset - at);
}

/* True if the verifier may see something else than a number at P of the record that E is about. */
static bool is_ambiguous(const struct expr *e, const struct member_path *p)
{
	const struct type *in = type_resolve(e->a->type);

	if (p->bit_size)
		return true;
	return p->in_union &&
		!type_is_number_at(e->op == TOK_ARROW ? in->ref : in, p->bit_offset / 8,
			type_resolve(p->type)->size);
}

static struct mem member(struct lower *l, const struct expr *e)
{
	const struct member_path *p = &e->info->member;
	struct mem m;

	if (sema_kept_object(e->a))
		return object_member(l, e);
	m = e->op == TOK_ARROW ? pointee(l, e->a) : lower_mem(l, e->a);

	if (e->op == TOK_ARROW)
		check_null(l, &m, p->bit_offset / 8);
	mem_add_member(&m, p);
	/* the verifier takes the first member of a union that fits: do not rely on which */
	if (m.kind == MEM_KERNEL && is_ambiguous(e, p)) {
		m.base = mem_address(l, &m);
		m.off = 0;
		m.kind = MEM_ADDRESS;
	}
	return m;
}

static uint64_t power_mask(uint64_t n)
{
	uint64_t mask = 1;

	while (mask < n - 1)
		mask = mask << 1 | 1;
	return n > 1 ? mask : 0;
}

/*
 * Returns the bytes beyond an object of type T that an index can reach of which the verifier knows
 * only a power of two; variables have that much room after them.
 */
uint32_t lower_index_overshoot(const struct type *t)
{
	const struct type *r = type_resolve(t);
	uint32_t most = 0, n;
	const struct member *m;

	if (r->kind == TYPE_ARRAY && r->nelems)
		return (uint32_t)((power_mask(r->nelems) + 1 - r->nelems) *
			       type_resolve(r->ref)->size) +
			lower_index_overshoot(r->ref);
	m = type_members(r, &n);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t o = lower_index_overshoot(m[i].type);

		most = o > most ? o : most;
	}
	return most;
}

/* An index into our own memory: in bounds, and so that the verifier sees it in the value. */
static struct mem index_own(
	struct lower *l, struct mem m, struct ir_operand n, uint32_t nelems, uint64_t size)
{
	check_or_fault(l, COND_LT, n, ir_op_imm(nelems), DT_FAULT_BADINDEX, n);
	n = ir_op_temp(ir_emit_op(l, IR_AND, n, ir_op_imm((int64_t)power_mask(nelems))));
	n = ir_op_temp(ir_emit_op(l, IR_MUL, n, ir_op_imm((int64_t)size)));
	m.base = ir_op_temp(ir_emit_op(l, IR_ADD, ir_op_temp(ir_as_temp(l, m.base)), n));
	return m;
}

static struct mem index_mem(struct lower *l, const struct expr *e)
{
	const struct type *t = type_resolve(e->a->type);
	const struct expr *i = e->args.data[0];
	uint64_t size = t->kind == TYPE_STRING ? 1 : type_resolve(t->ref)->size;
	struct mem m = pointee(l, e->a);
	bool bounded = t->kind == TYPE_ARRAY && (t->nelems > 1 || m.kind == MEM_OWN);
	struct ir_operand n;

	if (i->kind == EXPR_INT && (t->kind != TYPE_ARRAY || bounded)) {
		if (bounded && i->value >= t->nelems) {
			lower_error(l, "D_ARR_BOUNDS", "index %lld is out of bounds",
				(long long)i->value);
			return m;
		}
		if (t->kind == TYPE_PTR && m.kind == MEM_KERNEL) {
			check_null(l, &m, (int64_t)(i->value * size));
			m.base = mem_address(l, &m);
			m.off = 0;
			m.kind = MEM_ADDRESS;
		}
		m.off += (int64_t)(i->value * size);
		return m;
	}
	n = ir_op_temp(ir_as_temp(l, lower_expr(l, i)));
	if (m.kind == MEM_OWN)
		return index_own(l, m, n, t->nelems, size);
	if (bounded)
		check_or_fault(l, COND_LT, n, ir_op_imm(t->nelems), DT_FAULT_BADINDEX, n);
	n = ir_op_temp(ir_emit_op(l, IR_MUL, n, ir_op_imm((int64_t)size)));
	/* an address plus a variable is a number to the verifier: read it, checked */
	m.base =
		ir_op_temp(ir_emit_op(l, IR_ADD, ir_op_temp(ir_as_temp(l, mem_address(l, &m))), n));
	m.off = 0;
	if (m.kind == MEM_KERNEL)
		m.kind = MEM_ADDRESS;
	return m;
}

/* A variable of the kernel or the target; of one that each CPU has, this CPU's. */
static struct mem symbol_mem(struct lower *l, const struct expr *e)
{
	const struct symbol *sym = e->info->symbol;
	struct mem m = {.kind = sym->is_user ? MEM_USER : MEM_ADDRESS,
		.base = ir_op_temp(ir_emit_mov(l, ir_op_imm((int64_t)sym->addr)))};
	struct mem area = {.kind = MEM_ADDRESS};
	uint32_t cpu;

	if (!sym->percpu)
		return m;
	cpu = ir_emit_call(l, BPF_FUNC_get_smp_processor_id, 0);
	cpu = ir_emit_op(l, IR_SHL, ir_op_temp(cpu), ir_op_imm(3));
	area.base = ir_op_temp(ir_emit_op(l, IR_ADD,
		ir_op_temp(ir_emit_mov(l, ir_op_imm((int64_t)sym->percpu_base))), ir_op_temp(cpu)));
	m.base = ir_op_temp(ir_emit_op(
		l, IR_ADD, m.base, mem_read(l, &area, types_basic(l->s->target->types, T_ULONG))));
	return m;
}

/* A struct that an expression gives: put into scratch, where its members can be had. */
static struct mem materialised(struct lower *l, const struct expr *e)
{
	uint32_t size = (uint32_t)type_resolve(e->type)->size;
	uint32_t off = ir_scratch_alloc(l, size + lower_index_overshoot(e->type) + 8);

	lower_struct_into(l, e, ir_op_temp(l->firing.scratch), (int32_t)off);
	return (struct mem){.kind = MEM_OWN, .base = ir_op_temp(l->firing.scratch), .off = off};
}

struct mem lower_mem(struct lower *l, const struct expr *e)
{
	LOWER_AT(l, e);
	struct mem m;

	if (e == l->cached_lvalue && l->cached_mem)
		return *l->cached_mem;
	if (is_object(e))
		return materialised(l, e);
	if (lower_is_variable(e))
		return lower_variable_mem(l, e);
	switch (e->kind) {
	case EXPR_MEMBER:
		return member(l, e);
	case EXPR_INDEX:
		return index_mem(l, e);
	case EXPR_SYMBOL:
		return symbol_mem(l, e);
	case EXPR_UNARY: /* *p */
		m = pointee(l, e->a);
		check_null(l, &m, 0);
		return m;
	default:
		return materialised(l, e);
	}
}

/* Returns the variable or element that E, an object in memory, is or is a part of; or NULL. */
static const struct expr *whole_variable(const struct expr *e)
{
	while (!lower_is_variable(e)) {
		bool part = e->kind == EXPR_MEMBER && e->op != TOK_ARROW;

		/* a[i], a->m and *a are parts of a if that is an array */
		if (!part && e->kind != EXPR_MEMBER && e->kind != EXPR_INDEX &&
			!(e->kind == EXPR_UNARY && e->op == TOK_MUL))
			return NULL;
		if (!part && type_resolve(e->a->type)->kind != TYPE_ARRAY)
			return NULL;
		e = e->a;
	}
	return e;
}

struct mem lower_mem_to_write(struct lower *l, const struct expr *e, struct ir_operand v)
{
	struct written outer = l->written;
	struct mem m;

	l->written = (struct written){whole_variable(e), v};
	m = lower_mem(l, e);
	l->written = outer;
	return m;
}

/*
 * Returns the address as a plain number: a pointer is laundered through the scratch slot, because
 * the verifier allows no arithmetic on one, nor it to be kept.
 */
struct ir_operand mem_address(struct lower *l, const struct mem *m)
{
	struct ir_operand base = m->base;

	if (m->kind == MEM_KERNEL || m->kind == MEM_OWN) {
		uint32_t off = ir_scratch_alloc(l, 8);

		ir_emit_store(l, ir_op_temp(l->firing.scratch), (int32_t)off,
			ir_op_temp(ir_as_temp(l, base)), 8);
		base = ir_op_temp(ir_emit_load(l, ir_op_temp(l->firing.scratch), (int32_t)off, 8));
	}
	return m->off ? ir_op_temp(ir_emit_op(l, IR_ADD, base, ir_op_imm(m->off))) : base;
}

/* ---- bit-fields ---- */

static struct ir_operand read_bits(
	struct lower *l, struct ir_operand word, const struct mem *m, const struct type *t)
{
	uint32_t up = 64 - m->bit_offset - m->bit_size;
	uint32_t v = ir_emit_op(l, IR_SHL, word, ir_op_imm(up));

	return ir_op_temp(ir_emit_op(l, type_resolve(t)->is_signed ? IR_SAR : IR_SHR, ir_op_temp(v),
		ir_op_imm(64 - m->bit_size)));
}

/* Bytes of the word that holds a bit-field of our own memory: a size that can be loaded. */
static unsigned bits_size(const struct mem *m)
{
	unsigned n = (m->bit_offset + m->bit_size + 7) / 8;

	return n > 4 ? 8 : n > 2 ? 4 : n;
}

static void write_bits(struct lower *l, const struct mem *m, struct ir_operand v)
{
	uint64_t ones = m->bit_size == 64 ? ~0ULL : (1ULL << m->bit_size) - 1;
	unsigned size = bits_size(m);
	uint32_t old = ir_emit_load(l, m->base, (int32_t)m->off, size), bits;

	old = ir_emit_op(l, IR_AND, ir_op_temp(old), ir_op_imm((int64_t) ~(ones << m->bit_offset)));
	bits = ir_emit_op(l, IR_AND, ir_op_temp(ir_as_temp(l, v)), ir_op_imm((int64_t)ones));
	bits = ir_emit_op(l, IR_SHL, ir_op_temp(bits), ir_op_imm(m->bit_offset));
	ir_emit_store(l, m->base, (int32_t)m->off,
		ir_op_temp(ir_emit_op(l, IR_OR, ir_op_temp(old), ir_op_temp(bits))), size);
}

/* ---- reading and writing ---- */

struct ir_operand mem_read(struct lower *l, const struct mem *at, const struct type *t)
{
	const struct type *r = type_resolve(t);
	struct mem own, *m = &own;
	unsigned size = at->bit_size ? (at->bit_offset + at->bit_size + 7) / 8 : (unsigned)r->size;
	struct ir_operand addr;
	uint32_t slot, err, v;

	own = at->kind == MEM_SCRATCH ? scratch_access(l, at, size) : *at;
	if (m->kind == MEM_OWN && m->bit_size)
		return read_bits(l,
			ir_op_temp(ir_emit_load(l, m->base, (int32_t)m->off, bits_size(m))), m, t);
	if (m->kind == MEM_OWN || (m->kind == MEM_KERNEL && r->kind != TYPE_PTR && !m->bit_size))
		return lower_extend(
			l, ir_op_temp(ir_emit_load(l, m->base, (int32_t)m->off, size)), t);
	slot = ir_frame_alloc(l, 8);
	addr = m->kind == MEM_KERNEL ? ir_address(l, m->base, m->off)
				     : ir_op_temp(ir_as_temp(l, mem_address(l, m)));
	if (m->bit_size)
		ir_emit_store(l, ir_op_frame(0), (int32_t)slot, ir_op_imm(0), 8);
	err = ir_emit_call(l,
		m->kind == MEM_USER ? BPF_FUNC_probe_read_user : BPF_FUNC_probe_read_kernel, 3,
		ir_op_frame(slot), ir_op_imm(size), addr);
	check_or_fault(l, COND_EQ, ir_op_temp(err), ir_op_imm(0), DT_FAULT_BADADDR,
		m->kind == MEM_KERNEL ? ir_op_imm(m->off) : addr);
	v = ir_emit_load(l, ir_op_frame(0), (int32_t)slot, m->bit_size ? 8 : size);
	l->build.frame_used = slot;
	return m->bit_size ? read_bits(l, ir_op_temp(v), m, t) : lower_extend(l, ir_op_temp(v), t);
}

void mem_write(struct lower *l, const struct mem *at, struct ir_operand v, const struct type *t)
{
	unsigned size = (unsigned)type_resolve(t)->size;
	struct mem m = *at;

	if (m.bit_size)
		size = bits_size(&m);
	if (m.kind != MEM_OWN) /* only scratch memory may be written */
		m = scratch_access(l, &m, size);
	if (m.bit_size)
		write_bits(l, &m, v);
	else
		ir_emit_store(l, m.base, (int32_t)m.off, v, size);
}

void mem_copy(
	struct lower *l, struct ir_operand base, int32_t off, const struct mem *from, uint32_t size)
{
	struct mem m = from->kind == MEM_SCRATCH ? scratch_access(l, from, size) : *from;
	bool direct = m.kind == MEM_KERNEL || m.kind == MEM_OWN;
	struct ir_operand addr = direct ? ir_address(l, m.base, m.off) : mem_address(l, &m);
	uint32_t err;

	addr = ir_op_temp(ir_as_temp(l, addr));
	err = ir_emit_call(l,
		m.kind == MEM_USER ? BPF_FUNC_probe_read_user : BPF_FUNC_probe_read_kernel, 3,
		ir_address(l, base, off), ir_op_imm(size), addr);
	if (m.kind == MEM_OWN)
		return;
	check_or_fault(l, COND_EQ, ir_op_temp(err), ir_op_imm(0), DT_FAULT_BADADDR,
		direct ? ir_op_imm(m.off) : addr);
}
