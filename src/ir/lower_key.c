// SPDX-License-Identifier: Apache-2.0
/* Lowers keys: the bytes by which elements of associative arrays and aggregations are found. */
#include "abi/record.h"
#include "ir/ir.h"
#include "ir/layout.h"
#include "ir/lower_build.h"
#include "ir/lower_builtin.h"
#include "ir/lower_expr.h"
#include "ir/lower_stmt.h"
#include "ir/lower_str.h"
#include "ir/lower_var.h"
#include "lang/ast.h"
#include "sema/names.h"
#include "sema/typed.h"

/* True for the names that are stored with zeros after them. */
static bool is_name(const struct expr *e)
{
	enum text_source source = layout_builtin_text(e)->source;

	return source == TEXT_COMM || source == TEXT_THREAD;
}

static void put_key(struct lower *l, const struct expr *e, const struct datum *d,
	struct ir_operand base, int32_t off)
{
	if (d->kind == DATUM_STRING && lower_is_null_constant(e)) {
		ir_emit_zero(l, base, off + (int32_t)d->offset, d->size);
		return;
	}
	/* the map compares all bytes: those after a string's NUL must be zero */
	if (d->kind == DATUM_STRING &&
		!(is_name(e) && d->size == COMM_LEN && d->string_size >= COMM_LEN))
		ir_emit_zero(l, base, off + (int32_t)d->offset, d->size);
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
		uint32_t src = ir_as_temp(l, v), dst = ir_new_temp(l, IRT_SCALAR);

		in = ir_emit(l, IR_ZEXT);
		in->dst = dst;
		in->a = ir_op_temp(src);
		in->size = (uint8_t)d->size;
		v = ir_op_temp(dst);
	}
	ir_emit_store(l, base, off + (int32_t)d->offset, v, 8);
}

/* Zero bytes FROM to TO, which end at a word. */
static void put_padding(
	struct lower *l, struct ir_operand base, int32_t off, uint32_t from, uint32_t to)
{
	for (; from < to && from % 2; from++)
		ir_emit_store(l, base, off + (int32_t)from, ir_op_imm(0), 1);
	for (; from < to && from % 4; from += 2)
		ir_emit_store(l, base, off + (int32_t)from, ir_op_imm(0), 2);
	for (; from < to && from % 8; from += 4)
		ir_emit_store(l, base, off + (int32_t)from, ir_op_imm(0), 4);
	if (from < to)
		ir_emit_zero(l, base, off + (int32_t)from, to - from);
}

void lower_keys_at(struct lower *l, const struct expr *e, const struct datum *keys, uint32_t nkeys,
	uint32_t first, uint32_t key_size, struct ir_operand base, int32_t off)
{
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
}

static struct ir_operand lower_keys(struct lower *l, const struct expr *e, const struct datum *keys,
	uint32_t nkeys, uint32_t first, uint32_t key_size)
{
	int32_t off;
	struct ir_operand base = ir_temp_space(l, key_size, &off);

	lower_keys_at(l, e, keys, nkeys, first, key_size, base, off);
	return ir_address(l, base, off);
}

/*
 * Returns the thread that keys a thread-local array: its id and, for the idle threads, which all
 * have id 0, the CPU.
 */
static struct ir_operand thread_key(struct lower *l)
{
	struct ir_block *idle = ir_new_block(l, "idle"), *done = ir_new_block(l, "thread");
	uint32_t v = lower_current_ids(l);
	uint32_t out = ir_new_temp(l, IRT_SCALAR);

	ir_emit_set(l, out, ir_op_temp(v));
	ir_emit_br(l, COND_EQ, ir_op_temp(v), ir_op_imm(0), idle, done);
	ir_place(l, idle);
	ir_emit_set(l, out, ir_op_temp(ir_emit_call(l, BPF_FUNC_get_smp_processor_id, 0)));
	ir_place(l, done);
	return ir_op_temp(out);
}

struct ir_operand element_key(struct lower *l, const struct variable *v, const struct expr *e)
{
	struct datum keys[SEMA_MAX_KEYS];
	bool self = v->scope == SCOPE_SELF;
	struct ir_operand key;

	assoc_layout(l->s, v, keys);
	key = lower_keys(l, e, keys, v->nkeys, self ? 8 : 0, v->map_key_size);
	if (v->shared)
		ir_emit_store(l, key, (int32_t)v->map_key_size - 8, ir_op_imm(v->id), 8);
	if (self) {
		struct ir_operand thread = thread_key(l);

		ir_emit_store(l, key, 0, thread, 8);
	}
	return key;
}
