// SPDX-License-Identifier: Apache-2.0
/*
 * Lowers updates of aggregations.  Values are per CPU and updated in place; atomically only where
 * programs that can interrupt each other share one.
 */
#include "abi/aggregation.h"
#include "abi/kernel.h"
#include "abi/record.h"
#include "ir/ir.h"
#include "ir/lower_build.h"
#include "ir/lower_builtin.h"
#include "ir/lower_expr.h"
#include "ir/lower_fault.h"
#include "ir/lower_stmt.h"
#include "ir/lower_var.h"

static void add_atomically(struct lower *l, uint32_t p, int32_t off, struct ir_operand v)
{
	uint32_t t = ir_as_temp(l, v);
	struct ir_insn *in = ir_emit(l, IR_XADD);

	in->a = ir_op_temp(p);
	in->off = off;
	in->b = ir_op_temp(t);
	in->size = 8;
}

static void add_to_word(
	struct lower *l, const struct aggregation *a, uint32_t p, int32_t off, struct ir_operand v)
{
	uint32_t old;

	if (a->in_irq && a->in_task) {
		add_atomically(l, p, off, v);
		return;
	}
	old = ir_emit_load(l, ir_op_temp(p), off, 8);
	ir_emit_store(
		l, ir_op_temp(p), off, ir_op_temp(ir_emit_op(l, IR_ADD, ir_op_temp(old), v)), 8);
}

/* ---- the functions: update_NAME() adds V to the value at P ---- */

static void update_count(
	struct lower *l, const struct aggregation *a, uint32_t p, struct ir_operand v)
{
	add_to_word(l, a, p, 0, ir_op_imm(1));
}

static void update_sum(
	struct lower *l, const struct aggregation *a, uint32_t p, struct ir_operand v)
{
	add_to_word(l, a, p, 0, v);
	if (!a->nkeys) /* tells a sum of 0 from none */
		add_to_word(l, a, p, offsetof(struct dt_agg_sum, count), ir_op_imm(1));
}

static void update_avg(
	struct lower *l, const struct aggregation *a, uint32_t p, struct ir_operand v)
{
	add_to_word(l, a, p, offsetof(struct dt_agg_avg, count), ir_op_imm(1));
	add_to_word(l, a, p, offsetof(struct dt_agg_avg, sum), v);
}

/* Keep V if there is no value, or if it is BETTER than the old one. */
static void keep_better(struct lower *l, uint32_t p, struct ir_operand v, enum ir_cond better)
{
	struct ir_block *set = ir_new_block(l, "set"), *cmp = ir_new_block(l, "compare"),
			*done = ir_new_block(l, "done");
	uint32_t count = ir_emit_load(l, ir_op_temp(p), offsetof(struct dt_agg_kept, count), 8),
		 old;

	v = ir_op_temp(ir_as_temp(l, v));
	ir_emit_br(l, COND_EQ, ir_op_temp(count), ir_op_imm(0), set, cmp);
	ir_place(l, cmp);
	old = ir_emit_load(l, ir_op_temp(p), offsetof(struct dt_agg_kept, value), 8);
	ir_emit_br(l, better, v, ir_op_temp(old), set, done);
	/* blocks only jump forward, so `set` comes after `compare` */
	ir_place(l, set);
	ir_emit_store(l, ir_op_temp(p), offsetof(struct dt_agg_kept, value), v, 8);
	ir_emit_store(l, ir_op_temp(p), offsetof(struct dt_agg_kept, count), ir_op_imm(1), 8);
	ir_place(l, done);
}

static void update_min(
	struct lower *l, const struct aggregation *a, uint32_t p, struct ir_operand v)
{
	keep_better(l, p, v, COND_SLT);
}

static void update_max(
	struct lower *l, const struct aggregation *a, uint32_t p, struct ir_operand v)
{
	keep_better(l, p, v, COND_SGT);
}

/* Add the 128-bit square of V. */
static void add_square(struct lower *l, uint32_t p, struct ir_operand v)
{
	struct ir_block *carry = ir_new_block(l, "carry"), *done = ir_new_block(l, "done");
	int32_t lo = offsetof(struct dt_agg_stddev, sq_lo),
		hi = offsetof(struct dt_agg_stddev, sq_hi);
	uint32_t high = ir_emit_rt(l, "dt_square_high", 1, v);
	uint32_t low = ir_emit_op(l, IR_MUL, v, v);
	uint32_t old = ir_emit_load(l, ir_op_temp(p), lo, 8), sum, h;

	sum = ir_emit_op(l, IR_ADD, ir_op_temp(old), ir_op_temp(low));
	ir_emit_store(l, ir_op_temp(p), lo, ir_op_temp(sum), 8);
	h = ir_emit_load(l, ir_op_temp(p), hi, 8);
	h = ir_emit_op(l, IR_ADD, ir_op_temp(h), ir_op_temp(high));
	ir_emit_store(l, ir_op_temp(p), hi, ir_op_temp(h), 8);
	ir_emit_br(l, COND_LT, ir_op_temp(sum), ir_op_temp(low), carry, done);
	ir_place(l, carry);
	ir_emit_store(l, ir_op_temp(p), hi,
		ir_op_temp(ir_emit_op(l, IR_ADD, ir_op_temp(h), ir_op_imm(1))), 8);
	ir_place(l, done);
}

static void update_stddev(
	struct lower *l, const struct aggregation *a, uint32_t p, struct ir_operand v)
{
	add_to_word(l, a, p, offsetof(struct dt_agg_stddev, count), ir_op_imm(1));
	add_to_word(l, a, p, offsetof(struct dt_agg_stddev, sum), v);
	add_square(l, p, ir_op_temp(ir_as_temp(l, v)));
}

/* ---- distributions: bucket_NAME() is the number of V's bucket ---- */

static uint32_t bucket_quantize(struct lower *l, const struct aggregation *a, struct ir_operand v)
{
	return ir_emit_rt(l, "dt_quantize", 1, v);
}

static uint32_t bucket_lquantize(struct lower *l, const struct aggregation *a, struct ir_operand v)
{
	return ir_emit_rt(l, "dt_lquantize", 4, v, ir_op_imm(a->params.base),
		ir_op_imm(a->params.step), ir_op_imm((int64_t)a->desc->nbuckets - 2));
}

static uint32_t bucket_llquantize(struct lower *l, const struct aggregation *a, struct ir_operand v)
{
	const struct agg_params *p = &a->params;

	return ir_emit_rt(l, "dt_llquantize", 5, v, ir_op_imm(p->factor), ir_op_imm(p->lmag),
		ir_op_imm(p->hmag), ir_op_imm(p->steps));
}

/* Of a distribution V is the increment, and P the bucket's value. */
static void update_bucket(
	struct lower *l, const struct aggregation *a, uint32_t p, struct ir_operand v)
{
	add_to_word(l, a, p, 0, v);
}

/* ---- the table ---- */

#define LOWER_ADDS(name)            \
	{                           \
		update_##name, NULL \
	}
#define LOWER_KEEPS(name)           \
	{                           \
		update_##name, NULL \
	}
#define LOWER_DISTRIBUTION(name)             \
	{                                    \
		update_bucket, bucket_##name \
	}

static const struct {
	void (*update)(
		struct lower *l, const struct aggregation *a, uint32_t p, struct ir_operand v);
	uint32_t (*bucket)(struct lower *l, const struct aggregation *a, struct ir_operand v);
} lowerings[AGG_FUNCS] = {
#define AGGREGATION(name, params, traits, help, kind, ...) [AGG_##name] = LOWER_##kind(name),
#include "abi/aggregations.def"
};

static void update_value(
	struct lower *l, const struct aggregation *a, uint32_t p, struct ir_operand v)
{
	lowerings[a->desc->func].update(l, a, p, v);
}

/* Stores the value that one update by V makes, of an aggregation with keys, at BASE + OFF. */
static void first_value(struct lower *l, const struct aggregation *a, struct ir_operand base,
	int32_t off, struct ir_operand v)
{
	const struct agg_desc *d = a->desc;

	if (d->value_size == 8) { /* what is added up is all that there is */
		ir_emit_store(l, base, off, d->func == AGG_count ? ir_op_imm(1) : v, 8);
		return;
	}
	ir_emit_zero(l, base, off, d->value_size);
	update_value(l, a, ir_emit_mov(l, ir_address(l, base, off)), v);
}

/* ---- a statement ---- */

/*
 * The key of an update with keys and what is beside it, at BASE + OFF: struct dt_agg_rest, the key,
 * the value that this update alone makes.  One without keys has KEY.
 */
struct update {
	struct ir_operand base, key;
	int32_t off;
};

/* Counts a key after it was made: who has read the count finds the key. */
static void count_new_key(struct lower *l)
{
	uint32_t state = ir_emit_mov(l, ir_op_data(DT_SEC_STATE, 0)),
		 one = ir_emit_mov(l, ir_op_imm(1));
	struct ir_insn *in = ir_emit(l, IR_XADD);

	in->a = ir_op_temp(state);
	in->off = offsetof(struct dt_state, new_keys);
	in->b = ir_op_temp(one);
	in->size = 8;
	in->publishes = true;
}

/* Makes the key with the value of this update, and goes on at DONE; falls through if it cannot. */
static void make_key(struct lower *l, const struct aggregation *a, const struct update *u,
	struct ir_operand v, struct ir_block *done)
{
	const struct agg_desc *d = a->desc;
	struct ir_block *failed = ir_new_block(l, "notmade");
	int32_t value = u->off + (int32_t)(sizeof(struct dt_agg_rest) + d->map_key_size);
	uint32_t err;

	first_value(l, a, u->base, value, v);
	err = ir_emit_call(l, BPF_FUNC_map_update_elem, 4, ir_op_map(d->map), u->key,
		ir_address(l, u->base, value), ir_op_imm(BPF_NOEXIST));
	count_new_key(l);
	ir_emit_br(l, COND_EQ, ir_op_temp(err), ir_op_imm(0), done, failed);
	ir_place(l, failed);
}

/*
 * Hands the update to the consumer, because the key has no room or another program has just made
 * it; goes on at DONE, and falls through if there is no room for that either.
 */
static void hand_over(
	struct lower *l, const struct agg_desc *d, const struct update *u, struct ir_block *done)
{
	uint32_t size = sizeof(struct dt_agg_rest) + d->map_key_size + d->value_size, err;
	int32_t cpu = u->off + (int32_t)offsetof(struct dt_agg_rest, cpu);
	struct ir_block *full = ir_new_block(l, "full");

	ir_emit_store(l, u->base, u->off, ir_op_imm(d->id), 8);
	if (l->s->target->aggpercpu)
		ir_emit_store(l, u->base, cpu,
			ir_op_temp(ir_emit_call(l, BPF_FUNC_get_smp_processor_id, 0)), 4);
	err = ir_emit_call(l, BPF_FUNC_ringbuf_output, 4, ir_op_map(DT_MAP_AGG_REST),
		ir_address(l, u->base, u->off), ir_op_imm(size), ir_op_imm(0));
	ir_emit_br(l, COND_EQ, ir_op_temp(err), ir_op_imm(0), done, full);
	ir_place(l, full);
}

/* The same where nothing is handed over: the key may have been made meanwhile. */
static void update_made(struct lower *l, const struct aggregation *a, const struct update *u,
	struct ir_operand v, struct ir_block *done)
{
	struct ir_block *none = ir_new_block(l, "drop");
	uint32_t p = ir_emit_call(l, BPF_FUNC_map_lookup_elem, 2, ir_op_map(a->desc->map), u->key);

	p = ir_emit_nonnull(l, p, none);
	update_value(l, a, p, v);
	ir_emit_jmp(l, done);
	ir_place(l, none);
}

static void update_key(
	struct lower *l, const struct aggregation *a, const struct update *u, struct ir_operand v)
{
	const struct agg_desc *d = a->desc;
	struct ir_block *none = ir_new_block(l, "newkey"), *done = ir_new_block(l, "updated"),
			*found = ir_new_block(l, "found");
	uint32_t p = ir_emit_call(l, BPF_FUNC_map_lookup_elem, 2, ir_op_map(d->map), u->key),
		 joined;

	if (!a->nkeys) { /* an array's entry is always there */
		p = ir_emit_nonnull(l, p, done);
		update_value(l, a, p, v);
		ir_place(l, done);
		return;
	}
	joined = ir_new_temp(l, IRT_MEM);
	ir_emit_br(l, COND_EQ, ir_op_temp(p), ir_op_imm(0), none, found);
	ir_place(l, none);
	make_key(l, a, u, v, done);
	/* who has said how much room there is to be gets no more */
	if (l->s->target->aggsize_given)
		update_made(l, a, u, v, done);
	else
		hand_over(l, d, u, done);
	lower_emit_drop(l, DT_DROP_AGGREGATION);
	ir_emit_jmp(l, done);
	ir_place(l, found);
	ir_emit_set(l, joined, ir_op_temp(p));
	update_value(l, a, joined, v);
	ir_place(l, done);
}

/* Puts the key of E, an aggregation with keys, where it is updated. */
static struct update put_keys(struct lower *l, const struct expr *e, const struct agg_desc *d)
{
	uint32_t head = sizeof(struct dt_agg_rest);
	struct update u;

	u.base = ir_temp_space(l, head + d->map_key_size + d->value_size, &u.off);
	lower_keys_at(l, e, d->keys, d->nkeys, 0, d->map_key_size, u.base, u.off + (int32_t)head);
	u.key = ir_address(l, u.base, u.off + (int32_t)head);
	if (d->by_cpu)
		ir_emit_store(
			l, u.key, (int32_t)agg_cpu_offset(d), ir_op_temp(lower_current_cpu(l)), 8);
	if (d->shared)
		ir_emit_store(l, u.key, (int32_t)agg_id_offset(d), ir_op_imm(d->id), 8);
	return u;
}

/*
 * Counts the update of a distribution without keys by weight V, unless V is known to be seen in its
 * buckets: one that adds up to nothing is not one that was never updated.
 */
static void note_weight(
	struct lower *l, const struct aggregation *a, const struct update *u, struct ir_operand v)
{
	if (a->nkeys || (v.kind == OP_IMM && v.value > 0))
		return;
	ir_emit_store(l, u->key, 0, ir_op_imm(a->desc->base + a->desc->nbuckets), 4);
	update_key(l, a, u, ir_op_imm(1));
}

/* statement: @name[keys] = function(arguments) */
void lower_agg_update(struct lower *l, const struct expr *e)
{
	const struct aggregation *a = e->a->info->agg;
	const struct agg_desc *d = a->desc;
	const struct expr *call = e->b;
	struct ir_operand v = ir_op_imm(1);
	struct update u = {0};
	uint32_t inc = agg_desc_info(d)->increment, b;

	if (a->nkeys) {
		u = put_keys(l, e->a, d);
	} else {
		u.key = ir_op_frame(ir_frame_alloc(l, 8));
		ir_emit_store(l, u.key, 0, ir_op_imm(d->base), 4);
	}
	if (call->args.len) {
		v = lower_expr(l, call->args.data[0]);
		if (v.kind != OP_IMM)
			v = ir_op_temp(ir_as_temp(l, v));
	}
	if (d->nbuckets) {
		b = lowerings[d->func].bucket(l, a, v);
		v = call->args.len > inc ? lower_expr(l, call->args.data[inc]) : ir_op_imm(1);
		if (d->base)
			b = ir_emit_op(l, IR_ADD, ir_op_temp(b), ir_op_imm(d->base));
		ir_emit_store(l, u.key, a->nkeys ? (int32_t)d->bucket_off : 0, ir_op_temp(b),
			a->nkeys ? 8 : 4);
	}
	update_key(l, a, &u, v);
	if (d->nbuckets)
		note_weight(l, a, &u, v);
}
