// SPDX-License-Identifier: Apache-2.0
/* Stores values to variables and elements of associative arrays. */
#include "abi/kernel.h"
#include "ir/ir.h"
#include "ir/lower_build.h"
#include "ir/lower_fault.h"
#include "ir/lower_mem.h"
#include "ir/lower_state.h"
#include "ir/lower_var.h"
#include "lang/ast.h"
#include "sema/typed.h"

/* ---- elements ---- */

/* Store the value at address VALUE into an element that may not exist. */
static void update(struct lower *l, const struct element *el, struct ir_operand value)
{
	struct attempt a = lower_attempt(l, "full", "stored");
	uint32_t err = ir_emit_call(l, BPF_FUNC_map_update_elem, 4, ir_op_map(el->var->map),
		el->key, value, ir_op_imm(BPF_ANY));

	ir_emit_br(l, COND_EQ, ir_op_temp(err), ir_op_imm(0), a.done, a.failed);
	lower_attempt_end(l, &a, DT_DROP_DYNAMIC);
}

/* The same for the value at offset OFF of the scratch slot, which a shared map may pad. */
static void update_from_scratch(struct lower *l, const struct element *el, uint32_t off)
{
	if (l->firing.scratch_max < off + el->var->map_value_size)
		l->firing.scratch_max = off + el->var->map_value_size;
	update(l, el, ir_address(l, ir_op_temp(l->firing.scratch), off));
}

static void delete_element(struct lower *l, const struct element *el)
{
	ir_emit_call(l, BPF_FUNC_map_delete_elem, 2, ir_op_map(el->var->map), el->key);
}

static void store_nonzero(struct lower *l, const struct element *el, struct ir_operand v)
{
	struct attempt a = lower_attempt(l, "new", "stored");
	uint32_t p = ir_emit_nonnull(l, el->maybe, a.failed), slot;

	ir_emit_store(l, ir_op_temp(p), 0, v, 8);
	lower_attempt_else(l, &a);
	slot = ir_frame_alloc(l, 8);
	ir_emit_store(l, ir_op_frame(0), (int32_t)slot, v, 8);
	update(l, el, ir_op_frame(slot));
	ir_place(l, a.done);
}

/* Stores to an element of an associative array; 0 deletes it. */
static void store_assoc(struct lower *l, const struct element *el, struct ir_operand v)
{
	struct ir_block *zero, *nonzero, *done;

	if (v.kind == OP_IMM) {
		if (v.value)
			store_nonzero(l, el, ir_op_temp(ir_emit_mov(l, v)));
		else
			delete_element(l, el);
		return;
	}
	zero = ir_new_block(l, "zero");
	nonzero = ir_new_block(l, "nonzero");
	done = ir_new_block(l, "assigned");
	ir_emit_br(l, COND_EQ, v, ir_op_imm(0), zero, nonzero);
	ir_place(l, zero);
	delete_element(l, el);
	ir_emit_jmp(l, done);
	ir_place(l, nonzero);
	store_nonzero(l, el, v);
	ir_place(l, done);
}

/* ---- scalars ---- */

void store_scalar(struct lower *l, const struct element *el, struct ir_operand v)
{
	const struct variable *var = el->var;
	struct attempt a;
	uint32_t p;

	if (var->is_assoc) {
		store_assoc(l, el, v);
		return;
	}
	if (!el->maybe) {
		ir_emit_store(l, el->base, el->off, v,
			var->scope == SCOPE_THIS ? 8 : lower_var_size(var));
		return;
	}
	a = lower_attempt(l, "full", "stored");
	p = ir_emit_nonnull(l, el->maybe, a.failed);
	ir_emit_store(l, ir_op_temp(p), el->off, v, lower_var_size(var));
	/* storing 0 allocates nothing, so nothing was lost */
	lower_attempt_end(l, &a, ir_is_zero_operand(v) ? NO_DROP : DT_DROP_DYNAMIC);
}

/* ---- strings ---- */

void store_null(struct lower *l, const struct expr *target)
{
	struct element el = locate(l, target, false);
	int32_t flag = el.off + (int32_t)lower_var_room(el.var);
	struct ir_block *none;
	uint32_t p;

	if (el.var->is_assoc) {
		delete_element(l, &el);
		return;
	}
	if (!el.maybe) {
		ir_emit_store(l, el.base, flag, ir_op_imm(1), 8);
		return;
	}
	none = ir_new_block(l, "unset");
	p = ir_emit_nonnull(l, el.maybe, none);
	ir_emit_store(l, ir_op_temp(p), flag, ir_op_imm(0), 8);
	ir_place(l, none);
}

static void copy_string(
	struct lower *l, const struct variable *v, struct ir_operand dst, uint32_t scratch_off)
{
	ir_emit_call(l, BPF_FUNC_probe_read_kernel_str, 3, dst, ir_op_imm(lower_var_size(v)),
		ir_address(l, ir_op_temp(l->firing.scratch), scratch_off));
}

/* Cut the string at scratch offset OFF to what V holds: elements are stored as they are there. */
static void cut_string(struct lower *l, const struct variable *v, uint32_t off)
{
	if (lower_var_size(v) < l->s->target->strsize + 1)
		ir_emit_store(l, ir_op_temp(l->firing.scratch),
			(int32_t)(off + lower_var_size(v) - 1), ir_op_imm(0), 1);
}

void store_string(struct lower *l, const struct expr *target, uint32_t off)
{
	struct element el = locate(l, target, true);
	uint32_t room = lower_var_room(el.var), p;
	struct attempt a;

	cut_string(l, el.var, off);
	if (el.var->is_assoc) {
		update_from_scratch(l, &el, off);
		return;
	}
	if (!el.maybe) {
		copy_string(l, el.var, ir_address(l, el.base, el.off), off);
		ir_emit_store(l, el.base, el.off + (int32_t)room, ir_op_imm(0), 8);
		return;
	}
	a = lower_attempt(l, "full", "stored");
	p = ir_emit_nonnull(l, el.maybe, a.failed);
	copy_string(l, el.var, ir_address(l, ir_op_temp(p), el.off), off);
	ir_emit_store(l, ir_op_temp(p), el.off + (int32_t)room, ir_op_imm(1), 8);
	lower_attempt_end(l, &a, DT_DROP_DYNAMIC);
}

/* ---- structs ---- */

/*
 * Make the element EL, which did not exist, of zeros; its address goes to BASE, then to DONE.  Goes
 * on here if there is no room for it, or if V, the value to be stored in it, is 0.
 */
static void make_element(struct lower *l, const struct element *el, struct ir_operand v,
	uint32_t base, struct ir_block *done)
{
	uint32_t size = el->var->map_value_size, p;
	struct ir_block *unset = ir_new_block(l, "zero"), *make = ir_new_block(l, "make"),
			*full = ir_new_block(l, "full");

	if (v.kind == OP_TEMP) {
		ir_emit_br(l, COND_EQ, v, ir_op_imm(0), unset, make);
		ir_place(l, make);
	}
	/* another CPU may have made it meanwhile, and stored a member */
	ir_emit_call(l, BPF_FUNC_map_update_elem, 4, ir_op_map(el->var->map), el->key,
		ir_zeros(l, size), ir_op_imm(BPF_NOEXIST));
	p = ir_emit_call(l, BPF_FUNC_map_lookup_elem, 2, ir_op_map(el->var->map), el->key);
	ir_emit_set(l, base, ir_op_temp(ir_emit_nonnull(l, p, full)));
	ir_emit_jmp(l, done);
	ir_place(l, full);
	lower_emit_drop(l, DT_DROP_DYNAMIC);
	ir_place(l, unset);
}

struct mem lower_element_to_write(struct lower *l, const struct element *el, struct ir_operand v)
{
	struct mem m = {.kind = MEM_OWN, .base = ir_op_temp(ir_new_temp(l, IRT_MEM))};
	struct attempt a = lower_attempt(l, "unset", "object");
	uint32_t p = ir_emit_nonnull(l, el->maybe, a.failed), room = lower_struct_room(el->var);
	uint32_t off = ir_scratch_alloc(l, room);

	ir_emit_set(l, m.base.temp, ir_address(l, ir_op_temp(p), el->off));
	lower_attempt_else(l, &a);
	if (!ir_is_zero_operand(v) && el->var->is_assoc)
		make_element(l, el, v, m.base.temp, a.done);
	else if (!ir_is_zero_operand(v))
		lower_emit_drop(l, DT_DROP_DYNAMIC);
	/* what cannot be stored, or need not be, goes to scratch */
	ir_emit_zero(l, ir_op_temp(l->firing.scratch), (int32_t)off, room);
	ir_emit_set(l, m.base.temp, ir_address(l, ir_op_temp(l->firing.scratch), off));
	ir_place(l, a.done);
	return m;
}

void store_struct(struct lower *l, const struct expr *target, uint32_t off)
{
	struct element el = locate(l, target, true);
	struct ir_operand from = ir_address(l, ir_op_temp(l->firing.scratch), off);
	struct attempt a;
	uint32_t p, size = lower_var_size(el.var);

	if (el.var->is_assoc) {
		update_from_scratch(l, &el, off);
		return;
	}
	if (!el.maybe) {
		ir_emit_call(l, BPF_FUNC_probe_read_kernel, 3, ir_address(l, el.base, el.off),
			ir_op_imm(size), from);
		return;
	}
	a = lower_attempt(l, "full", "stored");
	p = ir_emit_nonnull(l, el.maybe, a.failed);
	ir_emit_call(l, BPF_FUNC_probe_read_kernel, 3, ir_address(l, ir_op_temp(p), el.off),
		ir_op_imm(size), from);
	lower_attempt_end(l, &a, DT_DROP_DYNAMIC);
}

/* ---- translated objects ---- */

#define WORDS_INLINE 64 /* bytes that are copied word by word */

static void copy_bytes(struct lower *l, struct ir_operand to, int32_t to_off,
	struct ir_operand from, int32_t off, uint32_t size)
{
	if (size > WORDS_INLINE) {
		ir_emit_call(l, BPF_FUNC_probe_read_kernel, 3, ir_address(l, to, to_off),
			ir_op_imm(size), ir_address(l, from, off));
		return;
	}
	for (int32_t i = 0; i < (int32_t)size; i += 8)
		ir_emit_store(l, to, to_off + i, ir_op_temp(ir_emit_load(l, from, off + i, 8)), 8);
}

void store_object(struct lower *l, const struct expr *target, struct ir_operand base, int32_t off)
{
	struct element el = locate(l, target, true);
	uint32_t size = el.var->kept->size, p;
	struct attempt a;

	if (el.var->is_assoc) {
		update(l, &el, ir_address(l, base, off));
		return;
	}
	if (!el.maybe) {
		copy_bytes(l, ir_op_temp(ir_as_temp(l, el.base)), el.off, base, off, size);
		return;
	}
	a = lower_attempt(l, "full", "stored");
	p = ir_emit_nonnull(l, el.maybe, a.failed);
	copy_bytes(l, ir_op_temp(p), el.off, base, off, size);
	lower_attempt_end(l, &a, DT_DROP_DYNAMIC);
}

void lower_delete_variable(struct lower *l, const struct expr *target)
{
	struct element el = locate(l, target, false);
	struct ir_block *none;
	uint32_t p;

	if (el.var->is_assoc) {
		delete_element(l, &el);
		return;
	}
	none = ir_new_block(l, "unset");
	p = ir_emit_nonnull(l, el.maybe, none);
	ir_emit_zero(l, ir_op_temp(p), el.off, lower_var_size(el.var));
	ir_place(l, none);
}
