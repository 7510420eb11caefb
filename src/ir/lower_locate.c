// SPDX-License-Identifier: Apache-2.0
/* Finds variables and elements of associative arrays, and reads them. */
#include "abi/kernel.h"
#include "base/vec.h"
#include "ir/ir.h"
#include "ir/lower_build.h"
#include "ir/lower_builtin.h"
#include "ir/lower_expr.h"
#include "ir/lower_fault.h"
#include "ir/lower_mem.h"
#include "ir/lower_state.h"
#include "ir/lower_str.h"
#include "ir/lower_var.h"
#include "ir/target.h"
#include "lang/ast.h"
#include "sema/typed.h"
#include "types/type.h"

unsigned lower_var_size(const struct variable *v)
{
	return (unsigned)type_resolve(v->type)->size;
}

uint32_t lower_var_room(const struct variable *v)
{
	return ((uint32_t)type_resolve(v->type)->size + 7) & ~7u;
}

uint32_t lower_struct_room(const struct variable *v)
{
	return (lower_var_size(v) + lower_index_overshoot(v->type) + 7) & ~7u;
}

static uint32_t get_self(struct lower *l, const char *map, uint64_t flags)
{
	return ir_emit_call(l, BPF_FUNC_task_storage_get, 4, ir_op_map(map),
		ir_op_temp(lower_current_task(l)), ir_op_imm(0), ir_op_imm((int64_t)flags));
}

/*
 * Returns the thread's storage, which stays until the thread ends.  If there was none, that is true
 * until a look-up makes it: one in a branch that is over, or in a loop, may have done so.
 */
static uint32_t find_self(struct lower *l, const char *map, bool create)
{
	struct cached *seen = &l->seen;

	if (seen->self_map != map) {
		seen->self_map = map;
		seen->self = seen->self_made = 0;
	}
	if (seen->self_made)
		return seen->self_made;
	if (create) {
		l->self_makes++;
		return seen->self_made = get_self(l, map, BPF_LOCAL_STORAGE_GET_F_CREATE);
	}
	if (!seen->self || seen->self_then != l->self_makes) {
		seen->self = get_self(l, map, 0);
		seen->self_then = l->self_makes;
	}
	return seen->self;
}

static struct kept_key *find_key(struct lower *l, const struct expr *element)
{
	vec_for (k, &l->kept_keys)
		if (k->element == element)
			return k;
	return NULL;
}

void lower_keep_key(struct lower *l, const struct expr *element)
{
	if (!find_key(l, element))
		vec_push(l->arena, &l->kept_keys, ((struct kept_key){.element = element}));
}

static struct ir_operand key_of(struct lower *l, const struct expr *e)
{
	struct kept_key *kept = find_key(l, e);
	struct ir_operand key;

	if (kept && kept->key.kind != OP_NONE)
		return kept->key;
	key = element_key(l, e->info->var, e);
	kept = find_key(l, e); /* a subscript may have moved it */
	if (kept)
		kept->key = key;
	return key;
}

struct element locate(struct lower *l, const struct expr *e, bool create)
{
	const struct variable *v = e->info->var;
	struct element el = {.var = v};
	struct this_slot *s;

	if (e == l->cached_lvalue)
		return *l->cached_element;
	if (v->is_assoc) {
		el.key = key_of(l, e);
		el.maybe = ir_emit_call(l, BPF_FUNC_map_lookup_elem, 2, ir_op_map(v->map), el.key);
		return el;
	}
	switch (v->scope) {
	case SCOPE_SELF:
		el.maybe = find_self(l, v->map, create);
		el.off = (int32_t)v->offset;
		return el;
	case SCOPE_THIS:
		s = this_slot(l, v);
		el.base = s->in_scratch ? ir_op_temp(l->firing.scratch) : ir_op_frame(0);
		el.off = (int32_t)s->offset;
		return el;
	default:
		el.base = ir_op_data(v->map, v->offset);
		return el;
	}
}

/*
 * Returns SIZE bytes of an element that does not exist, all 0, in memory where the verifier takes
 * them for any bytes, as it takes those of one that does exist: otherwise the ways through N reads,
 * whose results are all kept, were 2^N to a verifier that looks at each.
 */
static struct ir_operand any_zeros(struct lower *l, uint32_t size)
{
	struct ir_data *d = ir_data_section(l, ".bss.unset");

	d->size = d->size < size ? size : d->size;
	return ir_op_data(d->section, 0);
}

struct ir_operand lower_load_element(struct lower *l, const struct element *el)
{
	const struct variable *v = el->var;
	unsigned size = v->is_assoc || v->scope == SCOPE_THIS ? 8 : lower_var_size(v);
	bool all_precise;
	struct attempt a;
	uint32_t out, p;

	if (!el->maybe)
		return lower_extend(
			l, ir_op_temp(ir_emit_load(l, el->base, el->off, size)), v->type);
	/* paths with different numbers are verified each by itself: one number fewer */
	all_precise = !target_has(l->s->target, FEATURE_PRUNED_NUMBERS);
	a = lower_attempt(l, "unset", "read");
	out = ir_new_temp(l, IRT_SCALAR);
	if (!all_precise)
		ir_emit_set(l, out, ir_op_imm(0));
	p = ir_emit_nonnull(l, el->maybe, a.failed);
	ir_emit_load_to(l, out, ir_op_temp(p), el->off, size);
	if (all_precise) {
		lower_attempt_else(l, &a);
		ir_emit_load_to(l, out, any_zeros(l, 8), 0, 8);
		ir_place(l, a.done);
	} else {
		lower_attempt_end(l, &a, NO_DROP);
	}
	return lower_extend(l, ir_op_temp(out), v->type);
}

struct ir_operand lower_load_var(struct lower *l, const struct expr *e)
{
	struct element el = locate(l, e, false);

	return lower_load_element(l, &el);
}

struct mem lower_element_or_zeros(struct lower *l, const struct element *el, uint32_t room)
{
	struct mem m = {.kind = MEM_OWN, .base = ir_op_temp(ir_new_temp(l, IRT_MEM))};
	struct attempt a = lower_attempt(l, "unset", "object");
	uint32_t p = ir_emit_nonnull(l, el->maybe, a.failed);

	ir_emit_set(l, m.base.temp, ir_address(l, ir_op_temp(p), el->off));
	lower_attempt_else(l, &a);
	ir_emit_set(l, m.base.temp, any_zeros(l, room));
	ir_place(l, a.done);
	return m;
}

struct mem lower_variable_mem(struct lower *l, const struct expr *e)
{
	bool writes = e == l->written.variable;
	struct element el = locate(l, e, writes && !ir_is_zero_operand(l->written.value));
	struct mem m = {.kind = MEM_OWN, .base = el.base, .off = el.off};

	if (el.maybe)
		return writes ? lower_element_to_write(l, &el, l->written.value)
			      : lower_element_or_zeros(l, &el, lower_struct_room(el.var));
	if (el.base.kind != OP_FRAME)
		m.base = ir_op_temp(ir_as_temp(l, el.base));
	return m;
}

struct ir_operand lower_string_variable(
	struct lower *l, const struct expr *e, struct ir_operand *nul)
{
	struct element el = locate(l, e, false);
	const struct variable *v = el.var;
	int32_t flag = el.off + (int32_t)lower_var_room(v);
	uint32_t at, isnull, p;
	struct attempt a;

	if (!el.maybe) {
		*nul = ir_op_temp(ir_emit_load(l, el.base, flag, 8));
		return ir_address(l, el.base, el.off);
	}
	/* the address is used for a checked read only, so a plain number will do */
	a = lower_attempt(l, "unset", "string");
	at = ir_new_temp(l, IRT_SCALAR);
	isnull = ir_new_temp(l, IRT_SCALAR);
	ir_emit_set(l, at, ir_op_imm(0));
	ir_emit_set(l, isnull, ir_op_imm(1));
	p = ir_emit_nonnull(l, el.maybe, a.failed);
	{
		uint32_t off = ir_scratch_alloc(l, 8);

		ir_emit_store(l, ir_op_temp(l->firing.scratch), (int32_t)off, ir_op_temp(p), 8);
		ir_emit_set(l, at,
			ir_op_temp(
				ir_emit_load(l, ir_op_temp(l->firing.scratch), (int32_t)off, 8)));
	}
	if (v->is_assoc) {
		ir_emit_set(l, isnull, ir_op_imm(0));
	} else { /* a thread-local's flag says that it is set */
		uint32_t set = ir_emit_load(l, ir_op_temp(p), flag, 8);

		ir_emit_set(l, isnull,
			ir_op_temp(ir_emit_op(l, IR_XOR, ir_op_temp(set), ir_op_imm(1))));
		ir_emit_set(l, at,
			ir_op_temp(ir_emit_op(l, IR_ADD, ir_op_temp(at), ir_op_imm(el.off))));
	}
	lower_attempt_end(l, &a, NO_DROP);
	*nul = ir_op_temp(isnull);
	return ir_op_temp(at);
}

/* Returns where string variable E is; NULL faults with INDEX as the address. */
static struct mem string_storage(struct lower *l, const struct expr *e, struct ir_operand index)
{
	struct element el = locate(l, e, false);
	struct mem m = {.kind = MEM_OWN, .base = el.base, .off = el.off};
	int32_t flag = el.off + (int32_t)lower_var_room(el.var);
	struct attempt a;

	if (!el.maybe) {
		m.base = ir_op_temp(ir_as_temp(l, el.base));
		check_or_fault(l, COND_EQ, ir_op_temp(ir_emit_load(l, m.base, flag, 8)),
			ir_op_imm(0), DT_FAULT_BADADDR, index);
		return m;
	}
	a = lower_attempt(l, "unset", "string");
	m.base = ir_op_temp(ir_emit_nonnull(l, el.maybe, a.failed));
	lower_attempt_else(l, &a);
	emit_fault(l, DT_FAULT_BADADDR, index);
	ir_place(l, a.done);
	if (!el.var->is_assoc) /* a thread-local's flag says that it is set */
		check_or_fault(l, COND_NE, ir_op_temp(ir_emit_load(l, m.base, flag, 8)),
			ir_op_imm(0), DT_FAULT_BADADDR, index);
	return m;
}

/*
 * Returns N, which is below LIMIT, so that the verifier sees it in the value: the lowest LOW of the
 * numbers by their bits, the others counted from the end.
 */
static uint32_t below(struct lower *l, struct ir_operand n, uint32_t limit)
{
	struct ir_block *high = ir_new_block(l, "high"), *done = ir_new_block(l, "index");
	uint32_t low = 1, out = ir_new_temp(l, IRT_SCALAR), v;

	while (2 * low <= limit)
		low *= 2;
	ir_emit_set(l, out, ir_op_temp(ir_emit_op(l, IR_AND, n, ir_op_imm(low - 1))));
	if (low < limit) {
		ir_emit_br(l, COND_LT, n, ir_op_imm(low), done, high);
		ir_place(l, high);
		v = ir_emit_op(l, IR_SUB, n, ir_op_imm(limit - low));
		v = ir_emit_op(l, IR_AND, ir_op_temp(v), ir_op_imm(low - 1));
		ir_emit_set(l, out,
			ir_op_temp(ir_emit_op(l, IR_ADD, ir_op_temp(v), ir_op_imm(limit - low))));
	}
	ir_place(l, done);
	return out;
}

struct mem lower_string_character(struct lower *l, const struct expr *e)
{
	uint32_t size = (uint32_t)type_resolve(e->a->type)->size;
	struct ir_operand n = lower_expr(l, e->args.data[0]);
	struct mem m;

	n = ir_op_temp(ir_as_temp(l, n));
	if (lower_is_variable(e->a)) {
		m = string_storage(l, e->a, n);
	} else {
		m = lower_mem_to_write(l, e->a, (struct ir_operand){0});
		if (m.kind != MEM_OWN)
			m = scratch_access(l, &m, size);
	}
	check_or_fault(l, COND_LT, n, ir_op_imm(size - 1), DT_FAULT_BADINDEX, n);
	m.base = ir_op_temp(ir_emit_op(l, IR_ADD, m.base, ir_op_temp(below(l, n, size - 1))));
	return m;
}
