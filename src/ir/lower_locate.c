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

unsigned var_size(const struct variable *v)
{
	return (unsigned)type_resolve(v->type)->size;
}

uint32_t var_room(const struct variable *v)
{
	return ((uint32_t)type_resolve(v->type)->size + 7) & ~7u;
}

uint32_t struct_room(const struct variable *v)
{
	return (var_size(v) + index_overshoot(v->type) + 7) & ~7u;
}

static uint32_t get_self(struct lower *l, const char *map, uint64_t flags)
{
	return emit_call(l, BPF_FUNC_task_storage_get, 4, op_map(map), op_temp(current_task(l)),
		op_imm(0), op_imm((int64_t)flags));
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

void keep_key(struct lower *l, const struct expr *element)
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
		el.maybe = emit_call(l, BPF_FUNC_map_lookup_elem, 2, op_map(v->map), el.key);
		return el;
	}
	switch (v->scope) {
	case SCOPE_SELF:
		el.maybe = find_self(l, v->map, create);
		el.off = (int32_t)v->offset;
		return el;
	case SCOPE_THIS:
		s = this_slot(l, v);
		el.base = s->in_scratch ? op_temp(l->firing.scratch) : op_frame(0);
		el.off = (int32_t)s->offset;
		return el;
	default:
		el.base = op_data(v->map, v->offset);
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
	struct ir_data *d = data_section(l, ".bss.unset");

	d->size = d->size < size ? size : d->size;
	return op_data(d->section, 0);
}

struct ir_operand load_element(struct lower *l, const struct element *el)
{
	const struct variable *v = el->var;
	unsigned size = v->is_assoc || v->scope == SCOPE_THIS ? 8 : var_size(v);
	bool all_precise;
	struct attempt a;
	uint32_t out, p;

	if (!el->maybe)
		return extend(l, op_temp(emit_load(l, el->base, el->off, size)), v->type);
	/* paths with different numbers are verified each by itself: one number fewer */
	all_precise = !target_has(l->s->target, FEATURE_PRECISE_FUNCTIONS);
	a = attempt(l, "unset", "read");
	out = new_temp(l, IRT_SCALAR);
	if (!all_precise)
		emit_set(l, out, op_imm(0));
	p = emit_nonnull(l, el->maybe, a.failed);
	emit_load_to(l, out, op_temp(p), el->off, size);
	if (all_precise) {
		attempt_else(l, &a);
		emit_load_to(l, out, any_zeros(l, 8), 0, 8);
		place(l, a.done);
	} else {
		attempt_end(l, &a, NO_DROP);
	}
	return extend(l, op_temp(out), v->type);
}

struct ir_operand lower_load_var(struct lower *l, const struct expr *e)
{
	struct element el = locate(l, e, false);

	return load_element(l, &el);
}

struct mem element_or_zeros(struct lower *l, const struct element *el, uint32_t room)
{
	struct mem m = {.kind = MEM_OWN, .base = op_temp(new_temp(l, IRT_MEM))};
	struct attempt a = attempt(l, "unset", "object");
	uint32_t p = emit_nonnull(l, el->maybe, a.failed);

	emit_set(l, m.base.temp, address(l, op_temp(p), el->off));
	attempt_else(l, &a);
	emit_set(l, m.base.temp, any_zeros(l, room));
	place(l, a.done);
	return m;
}

struct mem variable_mem(struct lower *l, const struct expr *e)
{
	bool writes = e == l->written.variable;
	struct element el = locate(l, e, writes && !is_zero_operand(l->written.value));
	struct mem m = {.kind = MEM_OWN, .base = el.base, .off = el.off};

	if (el.maybe)
		return writes ? element_to_write(l, &el, l->written.value)
			      : element_or_zeros(l, &el, struct_room(el.var));
	if (el.base.kind != OP_FRAME)
		m.base = op_temp(as_temp(l, el.base));
	return m;
}

struct ir_operand string_variable(struct lower *l, const struct expr *e, struct ir_operand *nul)
{
	struct element el = locate(l, e, false);
	const struct variable *v = el.var;
	int32_t flag = el.off + (int32_t)var_room(v);
	uint32_t at, isnull, p;
	struct attempt a;

	if (!el.maybe) {
		*nul = op_temp(emit_load(l, el.base, flag, 8));
		return address(l, el.base, el.off);
	}
	/* the address is used for a checked read only, so a plain number will do */
	a = attempt(l, "unset", "string");
	at = new_temp(l, IRT_SCALAR);
	isnull = new_temp(l, IRT_SCALAR);
	emit_set(l, at, op_imm(0));
	emit_set(l, isnull, op_imm(1));
	p = emit_nonnull(l, el.maybe, a.failed);
	{
		uint32_t off = scratch_alloc(l, 8);

		emit_store(l, op_temp(l->firing.scratch), (int32_t)off, op_temp(p), 8);
		emit_set(l, at, op_temp(emit_load(l, op_temp(l->firing.scratch), (int32_t)off, 8)));
	}
	if (v->is_assoc) {
		emit_set(l, isnull, op_imm(0));
	} else { /* a thread-local's flag says that it is set */
		uint32_t set = emit_load(l, op_temp(p), flag, 8);

		emit_set(l, isnull, op_temp(emit_op(l, IR_XOR, op_temp(set), op_imm(1))));
		emit_set(l, at, op_temp(emit_op(l, IR_ADD, op_temp(at), op_imm(el.off))));
	}
	attempt_end(l, &a, NO_DROP);
	*nul = op_temp(isnull);
	return op_temp(at);
}

/* Returns where string variable E is; NULL faults with INDEX as the address. */
static struct mem string_storage(struct lower *l, const struct expr *e, struct ir_operand index)
{
	struct element el = locate(l, e, false);
	struct mem m = {.kind = MEM_OWN, .base = el.base, .off = el.off};
	int32_t flag = el.off + (int32_t)var_room(el.var);
	struct attempt a;

	if (!el.maybe) {
		m.base = op_temp(as_temp(l, el.base));
		check_or_fault(l, COND_EQ, op_temp(emit_load(l, m.base, flag, 8)), op_imm(0),
			DT_FAULT_BADADDR, index);
		return m;
	}
	a = attempt(l, "unset", "string");
	m.base = op_temp(emit_nonnull(l, el.maybe, a.failed));
	attempt_else(l, &a);
	emit_fault(l, DT_FAULT_BADADDR, index);
	place(l, a.done);
	if (!el.var->is_assoc) /* a thread-local's flag says that it is set */
		check_or_fault(l, COND_NE, op_temp(emit_load(l, m.base, flag, 8)), op_imm(0),
			DT_FAULT_BADADDR, index);
	return m;
}

/*
 * Returns N, which is below LIMIT, so that the verifier sees it in the value: the lowest LOW of the
 * numbers by their bits, the others counted from the end.
 */
static uint32_t below(struct lower *l, struct ir_operand n, uint32_t limit)
{
	struct ir_block *high = new_block(l, "high"), *done = new_block(l, "index");
	uint32_t low = 1, out = new_temp(l, IRT_SCALAR), v;

	while (2 * low <= limit)
		low *= 2;
	emit_set(l, out, op_temp(emit_op(l, IR_AND, n, op_imm(low - 1))));
	if (low < limit) {
		emit_br(l, COND_LT, n, op_imm(low), done, high);
		place(l, high);
		v = emit_op(l, IR_SUB, n, op_imm(limit - low));
		v = emit_op(l, IR_AND, op_temp(v), op_imm(low - 1));
		emit_set(l, out, op_temp(emit_op(l, IR_ADD, op_temp(v), op_imm(limit - low))));
	}
	place(l, done);
	return out;
}

struct mem string_character(struct lower *l, const struct expr *e)
{
	uint32_t size = (uint32_t)type_resolve(e->a->type)->size;
	struct ir_operand n = lower_expr(l, e->args.data[0]);
	struct mem m;

	n = op_temp(as_temp(l, n));
	if (is_variable(e->a)) {
		m = string_storage(l, e->a, n);
	} else {
		m = lower_mem_to_write(l, e->a, (struct ir_operand){0});
		if (m.kind != MEM_OWN)
			m = scratch_access(l, &m, size);
	}
	check_or_fault(l, COND_LT, n, op_imm(size - 1), DT_FAULT_BADINDEX, n);
	m.base = op_temp(emit_op(l, IR_ADD, m.base, op_temp(below(l, n, size - 1))));
	return m;
}
