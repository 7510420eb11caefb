// SPDX-License-Identifier: Apache-2.0
/* D variables: globals, thread-locals, clause-locals and associative arrays. */
#include "ir/lower_int.h"

#include <string.h>

/* An lvalue, located. */
struct element {
	const struct variable *var;
	/* of a scalar variable: where it is; of an element: its map value, possibly null */
	struct ir_operand base;
	int32_t off;
	uint32_t maybe;	       /* temporary: 0 = it is there for sure */
	struct ir_operand key; /* of an associative array */
};

static bool is_string_var(const struct variable *v)
{
	return type_resolve(v->type)->kind == TYPE_STRING;
}

static unsigned var_size(const struct variable *v)
{
	return (unsigned)type_resolve(v->type)->size;
}

/* Bytes of a string variable's storage without its flag. */
uint32_t var_room(const struct variable *v)
{
	return ((uint32_t)type_resolve(v->type)->size + 7) & ~7u;
}

/* ---- clause-local variables ---- */

static struct this_slot *this_slot(struct lower *l, const struct variable *v)
{
	vec_for (s, &l->this_slots)
		if (s->var == v)
			return s;
	return NULL;
}

static void add_this_slot(struct lower *l, const struct variable *v)
{
	struct this_slot *s = vec_add(l->arena, &l->this_slots);
	bool aggregate = is_aggregate(v->type);
	uint32_t size = is_string_var(v) ? var_room(v) + 8 : 8;

	if (aggregate)
		size = var_size(v) + index_overshoot(v->type);
	s->var = v;
	s->in_scratch = aggregate || size > 8 || l->frame_used >= 64 || l->unit->has_loops;
	s->offset = s->in_scratch ? scratch_alloc(l, size) : frame_alloc(l, 8);
	if (aggregate) {
		emit_zero(l, op_temp(l->scratch), (int32_t)s->offset, var_size(v));
	} else if (!s->in_scratch) {
		emit_store(l, op_frame(0), (int32_t)s->offset, op_imm(0), 8);
	} else {
		emit_store(l, op_temp(l->scratch), (int32_t)s->offset, op_imm(0), 8);
		if (size > 8) /* an unassigned string reads as "" */
			emit_store(l, op_temp(l->scratch), (int32_t)(s->offset + size - 8),
				op_imm(0), 8);
	}
}

static bool find_this(void *arg, const struct expr *e)
{
	struct lower *l = arg;

	if (e->kind == EXPR_VAR && e->scope == SCOPE_THIS && e->info && e->info->var &&
		!this_slot(l, e->info->var))
		add_this_slot(l, e->info->var);
	if (e->info && e->info->result && !this_slot(l, e->info->result))
		add_this_slot(l, e->info->result);
	return false;
}

/* The names of a foreach. */
static bool find_bound(void *arg, const struct stmt *st)
{
	struct lower *l = arg;

	for (uint32_t i = 0; i < st->keys.len; i++)
		if (st->keys.data[i].var && !this_slot(l, st->keys.data[i].var))
			add_this_slot(l, st->keys.data[i].var);
	return false;
}

/* Parameters of the D functions that a derived probe's expressions call. */
static void find_derived(struct lower *l)
{
	const struct sema_derived *d = l->unit->derived;

	if (!d)
		return;
	sema_any_expr(d->when, find_this, find_bound, l);
	sema_any_expr(d->task, find_this, find_bound, l);
	for (uint32_t i = 0; i < PROBE_NARGS; i++)
		sema_any_expr(d->args[i], find_this, find_bound, l);
}

void lower_this_init(struct lower *l)
{
	find_derived(l);
	for (uint32_t i = 0; i < l->unit->clauses.len; i++) {
		const struct clause *c = l->unit->clauses.data[i]->ast;

		sema_any_expr(c->predicate, find_this, find_bound, l);
		sema_any_stmt(&c->stmts, find_this, find_bound, l);
	}
}

/* ---- keys ---- */

static void put_key(struct lower *l, const struct expr *e, const struct datum *d,
	struct ir_operand base, int32_t off)
{
	if (d->kind == DATUM_STRING && is_null_constant(e)) {
		emit_zero(l, base, off + (int32_t)d->offset, d->size);
		return;
	}
	/* the map compares all bytes: those behind a string's NUL must be zero */
	if (d->kind == DATUM_STRING && !(is_execname(e) && d->size == COMM_LEN))
		emit_zero(l, base, off + (int32_t)d->offset, d->size);
	lower_datum(l, e, d, base, off + (int32_t)d->offset);
}

/* A small integer alone in its word: stored as the whole word, so that hashing it does not stall.
 */
static void put_word(struct lower *l, const struct expr *e, const struct datum *d,
	struct ir_operand base, int32_t off)
{
	struct ir_operand v = lower_expr(l, e);

	if (v.kind == OP_IMM) {
		v.value &= (1LL << 8 * d->size) - 1;
	} else {
		struct ir_insn *in;
		uint32_t src = as_temp(l, v), dst = new_temp(l, IRT_SCALAR);

		in = emit(l, IR_ZEXT);
		in->dst = dst;
		in->a = op_temp(src);
		in->size = (uint8_t)d->size;
		v = op_temp(dst);
	}
	emit_store(l, base, off + (int32_t)d->offset, v, 8);
}

/* Zero bytes FROM to TO, which end at a word. */
static void put_padding(
	struct lower *l, struct ir_operand base, int32_t off, uint32_t from, uint32_t to)
{
	for (; from < to && from % 2; from++)
		emit_store(l, base, off + (int32_t)from, op_imm(0), 1);
	for (; from < to && from % 4; from += 2)
		emit_store(l, base, off + (int32_t)from, op_imm(0), 2);
	for (; from < to && from % 8; from += 4)
		emit_store(l, base, off + (int32_t)from, op_imm(0), 4);
	if (from < to)
		emit_zero(l, base, off + (int32_t)from, to - from);
}

struct ir_operand lower_keys(struct lower *l, const struct expr *e, const struct datum *keys,
	uint32_t nkeys, uint32_t first, uint32_t key_size)
{
	int32_t off;
	struct ir_operand base = temp_space(l, key_size, &off);
	uint32_t end = first;

	for (uint32_t i = 0; i < nkeys; i++) {
		const struct datum *k = &keys[i];
		uint32_t next = i + 1 < nkeys ? keys[i + 1].offset : key_size;

		put_padding(l, base, off, end, k->offset);
		end = k->offset + k->size;
		if (k->kind == DATUM_INT && k->size < 8 && k->offset % 8 == 0 &&
			next >= k->offset + 8) {
			put_word(l, e->args.data[i], k, base, off);
			end = k->offset + 8;
		} else {
			put_key(l, e->args.data[i], k, base, off);
		}
	}
	if (nkeys)
		put_padding(l, base, off, end, key_size);
	return address(l, base, off);
}

/*
 * The thread that keys a thread-local array: its id and, for the idle threads, which all have
 * id 0, the CPU.
 */
static struct ir_operand thread_key(struct lower *l)
{
	struct ir_block *idle = new_block(l, "idle"), *done = new_block(l, "thread");
	uint32_t v = current_ids(l);
	uint32_t out = new_temp(l, IRT_SCALAR);

	emit_set(l, out, op_temp(v));
	emit_br(l, COND_EQ, op_temp(v), op_imm(0), idle, done);
	place(l, idle);
	emit_set(l, out, op_temp(emit_call(l, BPF_FUNC_get_smp_processor_id, 0)));
	place(l, done);
	return op_temp(out);
}

static struct ir_operand element_key(
	struct lower *l, const struct variable *v, const struct expr *e)
{
	struct datum keys[SEMA_MAX_KEYS];
	uint32_t key_size = assoc_layout(l->s, v, keys);
	bool self = v->scope == SCOPE_SELF;
	struct ir_operand key = lower_keys(l, e, keys, v->nkeys, self ? 8 : 0, key_size);

	if (self) {
		struct ir_operand thread = thread_key(l);

		emit_store(l, key, 0, thread, 8);
	}
	return key;
}

/* ---- locating ---- */

static struct element locate_self(struct lower *l, const struct variable *v, bool create)
{
	struct element el = {.var = v, .off = (int32_t)v->offset};

	el.maybe = emit_call(l, BPF_FUNC_task_storage_get, 4, op_map(MAP_SELF),
		op_temp(current_task(l)), op_imm(0),
		op_imm(create ? BPF_LOCAL_STORAGE_GET_F_CREATE : 0));
	return el;
}

static struct element locate(struct lower *l, const struct expr *e, bool create)
{
	const struct variable *v = e->info->var;
	struct element el = {.var = v};
	struct this_slot *s;

	if (e == l->cached_lvalue)
		return *l->cached_element;
	if (v->is_assoc) {
		el.key = element_key(l, v, e);
		el.maybe = emit_call(l, BPF_FUNC_map_lookup_elem, 2, op_map(v->map), el.key);
		return el;
	}
	switch (v->scope) {
	case SCOPE_SELF:
		return locate_self(l, v, create);
	case SCOPE_THIS:
		s = this_slot(l, v);
		el.base = s->in_scratch ? op_temp(l->scratch) : op_frame(0);
		el.off = (int32_t)s->offset;
		return el;
	default:
		el.base = op_data(DT_SEC_GLOBALS, v->offset);
		return el;
	}
}

/* ---- reading ---- */

static bool is_array(const struct variable *v)
{
	return type_resolve(v->type)->kind == TYPE_ARRAY;
}

/* Bytes of a struct variable's storage without its flag. */
uint32_t struct_room(const struct variable *v)
{
	return (var_size(v) + index_overshoot(v->type) + 7) & ~7u;
}

static struct ir_operand load_element(struct lower *l, const struct element *el)
{
	const struct variable *v = el->var;
	unsigned size = v->is_assoc || v->scope == SCOPE_THIS ? 8 : var_size(v);
	struct ir_block *none, *done;
	uint32_t out, p;

	if (!el->maybe)
		return extend(l, op_temp(emit_load(l, el->base, el->off, size)), v->type);
	none = new_block(l, "unset");
	done = new_block(l, "read");
	out = new_temp(l, IRT_SCALAR);
	emit_set(l, out, op_imm(0));
	p = emit_nonnull(l, el->maybe, none);
	emit_set(l, out, op_temp(emit_load(l, op_temp(p), el->off, size)));
	emit_jmp(l, done);
	place(l, none);
	place(l, done);
	return extend(l, op_temp(out), v->type);
}

/* The struct, union or array that E names; an unset element or thread-local faults. */
struct mem variable_mem(struct lower *l, const struct expr *e)
{
	const struct variable *v = e->info->var;
	bool flagged = v->scope == SCOPE_SELF && !v->is_assoc && !is_array(v);
	struct element el = locate(l, e, is_array(v));
	struct mem m = {.kind = MEM_OWN, .base = el.base, .off = el.off};
	struct ir_block *none, *found;

	if (!el.maybe) {
		m.base = op_temp(as_temp(l, el.base));
		if (el.base.kind == OP_FRAME)
			m.base = el.base;
		return m;
	}
	none = new_block(l, "unset");
	found = new_block(l, "object");
	m.base = op_temp(emit_nonnull(l, el.maybe, none));
	emit_jmp(l, found);
	place(l, none);
	emit_fault(l, DT_FAULT_BADADDR, op_imm(0));
	place(l, found);
	if (flagged) {
		uint32_t set = emit_load(l, m.base, el.off + (int32_t)struct_room(v), 8);

		check_or_fault(l, COND_NE, op_temp(set), op_imm(0), DT_FAULT_BADADDR, op_imm(0));
	}
	return m;
}

struct ir_operand lower_load_var(struct lower *l, const struct expr *e)
{
	struct element el = locate(l, e, false);

	return load_element(l, &el);
}

struct ir_operand string_variable(struct lower *l, const struct expr *e, struct ir_operand *nul)
{
	struct element el = locate(l, e, false);
	const struct variable *v = el.var;
	int32_t flag = el.off + (int32_t)var_room(v);
	struct ir_block *none, *done;
	uint32_t at, isnull, p;

	if (!el.maybe) {
		*nul = op_temp(emit_load(l, el.base, flag, 8));
		return address(l, el.base, el.off);
	}
	/* the address is used for a checked read only, so a plain number will do */
	none = new_block(l, "unset");
	done = new_block(l, "string");
	at = new_temp(l, IRT_SCALAR);
	isnull = new_temp(l, IRT_SCALAR);
	emit_set(l, at, op_imm(0));
	emit_set(l, isnull, op_imm(1));
	p = emit_nonnull(l, el.maybe, none);
	{
		uint32_t off = scratch_alloc(l, 8);

		emit_store(l, op_temp(l->scratch), (int32_t)off, op_temp(p), 8);
		emit_set(l, at, op_temp(emit_load(l, op_temp(l->scratch), (int32_t)off, 8)));
	}
	if (v->is_assoc) {
		emit_set(l, isnull, op_imm(0));
	} else { /* a thread-local's flag says that it is set */
		uint32_t set = emit_load(l, op_temp(p), flag, 8);

		emit_set(l, isnull, op_temp(emit_op(l, IR_XOR, op_temp(set), op_imm(1))));
		emit_set(l, at, op_temp(emit_op(l, IR_ADD, op_temp(at), op_imm(el.off))));
	}
	emit_jmp(l, done);
	place(l, none);
	place(l, done);
	*nul = op_temp(isnull);
	return op_temp(at);
}

/* ---- writing ---- */

/* Store the value at VALUE (an address) or the integer V into an element that may not exist. */
static void update(struct lower *l, const struct element *el, struct ir_operand value)
{
	struct ir_block *full = new_block(l, "full"), *done = new_block(l, "stored");
	uint32_t err = emit_call(l, BPF_FUNC_map_update_elem, 4, op_map(el->var->map), el->key,
		value, op_imm(BPF_ANY));

	emit_br(l, COND_EQ, op_temp(err), op_imm(0), done, full);
	place(l, full);
	emit_drop(l, DT_DROP_DYNAMIC);
	place(l, done);
}

static void delete_element(struct lower *l, const struct element *el)
{
	emit_call(l, BPF_FUNC_map_delete_elem, 2, op_map(el->var->map), el->key);
}

static void store_nonzero(struct lower *l, const struct element *el, struct ir_operand v)
{
	struct ir_block *none = new_block(l, "new"), *done = new_block(l, "stored");
	uint32_t p = emit_nonnull(l, el->maybe, none), slot;

	emit_store(l, op_temp(p), 0, v, 8);
	emit_jmp(l, done);
	place(l, none);
	slot = frame_alloc(l, 8);
	emit_store(l, op_frame(0), (int32_t)slot, v, 8);
	update(l, el, op_frame(slot));
	place(l, done);
}

/* Assigning 0 deletes the element. */
static void store_assoc(struct lower *l, const struct element *el, struct ir_operand v)
{
	struct ir_block *zero, *nonzero, *done;

	if (v.kind == OP_IMM) {
		if (v.value)
			store_nonzero(l, el, op_temp(emit_mov(l, v)));
		else
			delete_element(l, el);
		return;
	}
	zero = new_block(l, "zero");
	nonzero = new_block(l, "nonzero");
	done = new_block(l, "assigned");
	emit_br(l, COND_EQ, v, op_imm(0), zero, nonzero);
	place(l, zero);
	delete_element(l, el);
	emit_jmp(l, done);
	place(l, nonzero);
	store_nonzero(l, el, v);
	place(l, done);
}

static void store_scalar(struct lower *l, const struct element *el, struct ir_operand v)
{
	const struct variable *var = el->var;
	struct ir_block *full, *done;
	uint32_t p;

	if (var->is_assoc) {
		store_assoc(l, el, v);
		return;
	}
	if (!el->maybe) {
		emit_store(l, el->base, el->off, v, var->scope == SCOPE_THIS ? 8 : var_size(var));
		return;
	}
	full = new_block(l, "full");
	done = new_block(l, "stored");
	p = emit_nonnull(l, el->maybe, full);
	emit_store(l, op_temp(p), el->off, v, var_size(var));
	emit_jmp(l, done);
	place(l, full);
	/* storing 0 allocates nothing, so nothing was lost */
	if (!(v.kind == OP_IMM && !v.value))
		emit_drop(l, DT_DROP_DYNAMIC);
	place(l, done);
}

static void assign_null(struct lower *l, const struct expr *e)
{
	struct element el = locate(l, e, false);
	int32_t flag = el.off + (int32_t)var_room(el.var);
	struct ir_block *none;
	uint32_t p;

	if (el.var->is_assoc) {
		delete_element(l, &el);
		return;
	}
	if (!el.maybe) {
		emit_store(l, el.base, flag, op_imm(1), 8);
		return;
	}
	none = new_block(l, "unset");
	p = emit_nonnull(l, el.maybe, none);
	emit_store(l, op_temp(p), flag, op_imm(0), 8);
	place(l, none);
}

static void copy_string(
	struct lower *l, const struct variable *v, struct ir_operand dst, uint32_t scratch_off)
{
	emit_call(l, BPF_FUNC_probe_read_kernel_str, 3, dst, op_imm(var_size(v)),
		address(l, op_temp(l->scratch), scratch_off));
}

/* Cut the string at scratch offset OFF to what V holds: elements are stored as they are there. */
static void cut_string(struct lower *l, const struct variable *v, uint32_t off)
{
	if (var_size(v) < l->s->target->strsize + 1)
		emit_store(l, op_temp(l->scratch), (int32_t)(off + var_size(v) - 1), op_imm(0), 1);
}

/* Store the string at scratch offset OFF. */
static void store_string(struct lower *l, const struct expr *target, uint32_t off)
{
	struct element el = locate(l, target, true);
	uint32_t room = var_room(el.var), p;
	struct ir_block *full, *done;

	cut_string(l, el.var, off);
	if (el.var->is_assoc) {
		update(l, &el, address(l, op_temp(l->scratch), off));
		return;
	}
	if (!el.maybe) {
		copy_string(l, el.var, address(l, el.base, el.off), off);
		emit_store(l, el.base, el.off + (int32_t)room, op_imm(0), 8);
		return;
	}
	full = new_block(l, "full");
	done = new_block(l, "stored");
	p = emit_nonnull(l, el.maybe, full);
	copy_string(l, el.var, address(l, op_temp(p), el.off), off);
	emit_store(l, op_temp(p), el.off + (int32_t)room, op_imm(1), 8);
	emit_jmp(l, done);
	place(l, full);
	emit_drop(l, DT_DROP_DYNAMIC);
	place(l, done);
}

/* A string that is a member of a struct; returns where its value is in scratch. */
static uint32_t assign_string_member(struct lower *l, const struct expr *e)
{
	uint32_t size = (uint32_t)type_resolve(e->a->type)->size, off;
	struct place p;
	struct mem m;

	off = lower_string_scratch(l, e->b);
	if (size < l->s->target->strsize + 1)
		emit_store(l, op_temp(l->scratch), (int32_t)(off + size - 1), op_imm(0), 1);
	m = lower_mem(l, e->a);
	if (m.kind == MEM_SCRATCH)
		m = scratch_access(l, &m, size);
	p = (struct place){m.base, (int32_t)m.off, size, -1};
	read_string(
		l, address(l, op_temp(l->scratch), off), &p, BPF_FUNC_probe_read_kernel_str, size);
	return off;
}

/* The value passes through scratch, so that s = strjoin(s, "x") reads the old s. */
int32_t lower_assign_string(struct lower *l, const struct expr *e, uint32_t nul)
{
	struct ir_block *isnull, *isset, *done;
	uint32_t room = string_room(l->s->target), off;
	struct cached c;
	struct place p;

	if (!is_variable(e->a)) {
		off = assign_string_member(l, e);
		if (nul)
			emit_set(l, nul, op_imm(0));
		return (int32_t)off;
	}
	if (is_null_constant(e->b)) {
		assign_null(l, e->a);
		if (nul)
			emit_set(l, nul, op_imm(1));
		return -1;
	}
	if (!may_be_null(e->b)) {
		off = lower_string_scratch(l, e->b);
		store_string(l, e->a, off);
		if (nul)
			emit_set(l, nul, op_imm(0));
		return (int32_t)off;
	}
	if (!nul)
		nul = new_temp(l, IRT_SCALAR);
	off = scratch_alloc(l, room);
	p = (struct place){op_temp(l->scratch), (int32_t)off, room, (int32_t)off};
	lower_string_maybe(l, e->b, &p, nul);
	isnull = new_block(l, "null");
	isset = new_block(l, "set");
	done = new_block(l, "assigned");
	emit_br(l, COND_EQ, op_temp(nul), op_imm(0), isset, isnull);
	c = cached(l);
	place(l, isset);
	store_string(l, e->a, off); /* it may evaluate subscripts */
	emit_jmp(l, done);
	restore(l, c);
	place(l, isnull);
	assign_null(l, e->a);
	restore(l, c);
	place(l, done);
	return (int32_t)off;
}

/* ---- objects in memory ---- */

/* What the object at M holds of V after it was stored there: a bit-field, so many bits. */
static struct ir_operand held(
	struct lower *l, const struct mem *m, const struct type *t, struct ir_operand v)
{
	uint32_t up = 64 - m->bit_size;

	if (!m->bit_size)
		return v;
	v = op_temp(emit_op(l, IR_SHL, v, op_imm(up)));
	return op_temp(emit_op(l, type_resolve(t)->is_signed ? IR_SAR : IR_SHR, v, op_imm(up)));
}

/* x.m = v, a[i] = v, *p = v: the right side first, but for a compound assignment. */
static struct ir_operand assign_object(struct lower *l, const struct expr *e)
{
	const struct mem *outer_mem = l->cached_mem;
	const struct expr *outer = l->cached_lvalue;
	struct ir_operand v;
	struct mem m;

	if (e->op == TOK_ASSIGN) {
		v = lower_expr(l, e->b);
		if (v.kind != OP_IMM)
			v = op_temp(as_temp(l, v));
		m = lower_mem(l, e->a);
	} else {
		m = lower_mem(l, e->a);
		if (m.base.kind != OP_FRAME)
			m.base = op_temp(as_temp(l, m.base));
		l->cached_lvalue = e->a;
		l->cached_mem = &m;
		v = lower_expr(l, e->c);
		l->cached_lvalue = outer;
		l->cached_mem = outer_mem;
	}
	mem_write(l, &m, v, e->a->type);
	return held(l, &m, e->a->type, v);
}

/* The struct at scratch offset OFF to the variable or element that TARGET names. */
void store_struct(struct lower *l, const struct expr *target, uint32_t off)
{
	struct element el = locate(l, target, true);
	struct ir_operand from = address(l, op_temp(l->scratch), off);
	struct ir_block *full, *done;
	uint32_t p, size = var_size(el.var);

	if (el.var->is_assoc) {
		update(l, &el, from);
		return;
	}
	if (!el.maybe) {
		emit_call(l, BPF_FUNC_probe_read_kernel, 3, address(l, el.base, el.off),
			op_imm(size), from);
		return;
	}
	full = new_block(l, "full");
	done = new_block(l, "stored");
	p = emit_nonnull(l, el.maybe, full);
	emit_call(l, BPF_FUNC_probe_read_kernel, 3, address(l, op_temp(p), el.off), op_imm(size),
		from);
	emit_store(l, op_temp(p), el.off + (int32_t)struct_room(el.var), op_imm(1), 8);
	emit_jmp(l, done);
	place(l, full);
	emit_drop(l, DT_DROP_DYNAMIC);
	place(l, done);
}

/* x[k] = 0 or self->x = 0, whatever it holds. */
void delete_variable(struct lower *l, const struct expr *target)
{
	struct element el = locate(l, target, false);
	struct ir_block *none;
	uint32_t p;

	if (el.var->is_assoc) {
		delete_element(l, &el);
		return;
	}
	none = new_block(l, "unset");
	p = emit_nonnull(l, el.maybe, none);
	emit_store(l, op_temp(p), el.off + (int32_t)struct_room(el.var), op_imm(0), 8);
	place(l, none);
}

/* ---- names that loops and functions give ---- */

void lower_bind(struct lower *l, const struct variable *v, uint32_t key, const struct datum *d)
{
	struct this_slot *s = this_slot(l, v);
	struct ir_operand to = op_temp(l->scratch), from = address(l, op_temp(key), d->offset);
	int32_t off = (int32_t)s->offset;

	if (is_string_var(v)) {
		emit_call(l, BPF_FUNC_probe_read_kernel_str, 3, address(l, to, off),
			op_imm(var_size(v)), from);
		emit_store(l, to, off + (int32_t)var_room(v), op_imm(0), 8);
	} else if (is_aggregate(v->type)) {
		emit_call(l, BPF_FUNC_probe_read_kernel, 3, address(l, to, off),
			op_imm(var_size(v)), from);
	} else {
		uint32_t x = emit_load(l, op_temp(key), (int32_t)d->offset, d->size);

		emit_store(l, to, off, extend(l, op_temp(x), v->type), 8);
	}
}

void lower_set_variable(struct lower *l, struct variable *v, const struct expr *e)
{
	struct sema_expr info = {.ref = REF_VAR, .var = v};
	struct expr target = {.kind = EXPR_VAR,
		.scope = SCOPE_THIS,
		.name = v->name,
		.loc = e->loc,
		.type = v->type,
		.info = &info};
	struct expr set = {.kind = EXPR_ASSIGN,
		.op = TOK_ASSIGN,
		.loc = e->loc,
		.a = &target,
		.b = (struct expr *)e,
		.type = v->type};

	lower_effect(l, &set);
}

struct ir_operand lower_result(struct lower *l, const struct expr *call)
{
	struct this_slot *s = this_slot(l, call->info->result);

	return extend(l,
		op_temp(emit_load(l, s->in_scratch ? op_temp(l->scratch) : op_frame(0),
			(int32_t)s->offset, 8)),
		call->type);
}

struct ir_operand lower_assign(struct lower *l, const struct expr *e)
{
	struct element el;
	struct ir_operand v;

	if (type_resolve(e->a->type)->kind == TYPE_STRING) {
		lower_assign_string(l, e, 0);
		return op_imm(0);
	}
	if (is_aggregate(e->a->type)) {
		lower_assign_struct(l, e);
		return op_imm(0);
	}
	if (!is_variable(e->a))
		return assign_object(l, e);
	if (e->op == TOK_ASSIGN) {
		/* the right side first, then the target's subscripts */
		v = lower_expr(l, e->b);
		if (v.kind != OP_IMM)
			v = op_temp(as_temp(l, v));
		el = locate(l, e->a, !(v.kind == OP_IMM && !v.value));
		store_scalar(l, &el, v);
		return v;
	}
	el = locate(l, e->a, true);
	l->cached_lvalue = e->a;
	l->cached_element = &el;
	v = lower_expr(l, e->c);
	l->cached_lvalue = NULL;
	store_scalar(l, &el, v);
	return v;
}

struct ir_operand lower_increment(struct lower *l, const struct expr *e, bool want)
{
	const struct type *t = type_resolve(e->type);
	int64_t step = t->kind == TYPE_PTR ? (int64_t)type_resolve(t->ref)->size : 1;
	struct ir_operand old, v;
	struct element el;

	if (!is_variable(e->a)) {
		struct mem m = lower_mem(l, e->a);

		if (m.base.kind != OP_FRAME)
			m.base = op_temp(as_temp(l, m.base));
		old = op_temp(as_temp(l, mem_read(l, &m, e->type)));
		v = extend(l,
			op_temp(emit_op(l, IR_ADD, old, op_imm(e->op == TOK_INC ? step : -step))),
			e->type);
		mem_write(l, &m, v, e->type);
		return want && e->kind == EXPR_POSTFIX ? old : held(l, &m, e->type, v);
	}
	el = locate(l, e->a, true);
	old = op_temp(as_temp(l, load_element(l, &el)));
	v = extend(l, op_temp(emit_op(l, IR_ADD, old, op_imm(e->op == TOK_INC ? step : -step))),
		e->type);
	store_scalar(l, &el, v);
	return want && e->kind == EXPR_POSTFIX ? old : v;
}
