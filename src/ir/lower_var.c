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
	uint32_t size = is_string_var(v) ? string_room(l->s->target) + 8 : 8;

	s->var = v;
	s->in_scratch = size > 8 || l->frame_used >= 64;
	s->offset = s->in_scratch ? scratch_alloc(l, size) : frame_alloc(l, 8);
	if (!s->in_scratch) {
		emit_store(l, op_frame(0), (int32_t)s->offset, op_imm(0), 8);
	} else {
		emit_store(l, op_temp(l->scratch), (int32_t)s->offset, op_imm(0), 8);
		if (size > 8) /* an unassigned string reads as "" */
			emit_store(l, op_temp(l->scratch), (int32_t)(s->offset + size - 8),
				op_imm(0), 8);
	}
}

static void find_this(struct lower *l, const struct expr *e)
{
	if (!e)
		return;
	if (e->kind == EXPR_VAR && e->scope == SCOPE_THIS && e->info && e->info->var &&
		!this_slot(l, e->info->var))
		add_this_slot(l, e->info->var);
	find_this(l, e->a);
	find_this(l, e->b);
	find_this(l, e->c);
	for (uint32_t i = 0; i < e->args.len; i++)
		find_this(l, e->args.data[i]);
}

void lower_this_init(struct lower *l)
{
	for (uint32_t i = 0; i < l->unit->clauses.len; i++) {
		const struct clause *c = l->unit->clauses.data[i]->ast;

		find_this(l, c->predicate);
		for (uint32_t k = 0; k < c->stmts.len; k++)
			find_this(l, c->stmts.data[k].expr);
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
	uint32_t v = emit_call(l, BPF_FUNC_get_current_pid_tgid, 0);
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

struct ir_operand lower_load_var(struct lower *l, const struct expr *e)
{
	struct element el = locate(l, e, false);

	return load_element(l, &el);
}

struct ir_operand string_variable(struct lower *l, const struct expr *e, struct ir_operand *nul)
{
	struct element el = locate(l, e, false);
	const struct variable *v = el.var;
	int32_t flag = el.off + (int32_t)string_room(l->s->target);
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
	int32_t flag = el.off + (int32_t)string_room(l->s->target);
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

static void copy_string(struct lower *l, struct ir_operand dst, uint32_t scratch_off)
{
	emit_call(l, BPF_FUNC_probe_read_kernel_str, 3, dst, op_imm(l->s->target->strsize + 1),
		address(l, op_temp(l->scratch), scratch_off));
}

/* Store the string at scratch offset OFF. */
static void store_string(struct lower *l, const struct expr *target, uint32_t off)
{
	uint32_t room = string_room(l->s->target), p;
	struct element el = locate(l, target, true);
	struct ir_block *full, *done;

	if (el.var->is_assoc) {
		update(l, &el, address(l, op_temp(l->scratch), off));
		return;
	}
	if (!el.maybe) {
		copy_string(l, address(l, el.base, el.off), off);
		emit_store(l, el.base, el.off + (int32_t)room, op_imm(0), 8);
		return;
	}
	full = new_block(l, "full");
	done = new_block(l, "stored");
	p = emit_nonnull(l, el.maybe, full);
	copy_string(l, address(l, op_temp(p), el.off), off);
	emit_store(l, op_temp(p), el.off + (int32_t)room, op_imm(1), 8);
	emit_jmp(l, done);
	place(l, full);
	emit_drop(l, DT_DROP_DYNAMIC);
	place(l, done);
}

/* The value passes through scratch, so that s = strjoin(s, "x") reads the old s. */
int32_t lower_assign_string(struct lower *l, const struct expr *e, uint32_t nul)
{
	struct ir_block *isnull, *isset, *done;
	uint32_t room = string_room(l->s->target), off;
	struct place p;

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
	place(l, isset);
	store_string(l, e->a, off);
	emit_jmp(l, done);
	place(l, isnull);
	assign_null(l, e->a);
	place(l, done);
	return (int32_t)off;
}

struct ir_operand lower_assign(struct lower *l, const struct expr *e)
{
	struct element el;
	struct ir_operand v;

	if (is_string_var(e->a->info->var)) {
		lower_assign_string(l, e, 0);
		return op_imm(0);
	}
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
	struct element el = locate(l, e->a, true);
	struct ir_operand old = load_element(l, &el), v;

	old = op_temp(as_temp(l, old));
	v = extend(l, op_temp(emit_op(l, IR_ADD, old, op_imm(e->op == TOK_INC ? step : -step))),
		e->type);
	store_scalar(l, &el, v);
	return want && e->kind == EXPR_POSTFIX ? old : v;
}
