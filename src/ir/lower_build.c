// SPDX-License-Identifier: Apache-2.0
/* Builds blocks and instructions, and hands out space for temporaries. */
#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "ir/ir.h"
#include "ir/lower_build.h"
#include "ir/lower_builtin.h"
#include "ir/lower_state.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

struct ir_operand ir_op_imm(int64_t v)
{
	return (struct ir_operand){.kind = OP_IMM, .value = v};
}

bool ir_is_zero_operand(struct ir_operand v)
{
	return v.kind == OP_IMM && !v.value;
}

struct ir_operand ir_op_temp(uint32_t t)
{
	return (struct ir_operand){.kind = OP_TEMP, .temp = t};
}

struct ir_operand ir_op_frame(int64_t off)
{
	return (struct ir_operand){.kind = OP_FRAME, .value = off};
}

struct ir_operand ir_op_map(const char *name)
{
	return (struct ir_operand){.kind = OP_MAP, .sym = name};
}

struct ir_operand ir_op_data(const char *section, int64_t off)
{
	return (struct ir_operand){.kind = OP_DATA, .sym = section, .value = off};
}

struct ir_operand ir_op_ctx(const struct lower *l)
{
	if (l->firing.ctx)
		return ir_op_temp(l->firing.ctx);
	return (struct ir_operand){.kind = OP_CTX};
}

uint32_t ir_new_temp(struct lower *l, enum ir_type type)
{
	vec_push(l->arena, &l->build.f->temps, type);
	return l->build.f->temps.len - 1;
}

struct ir_block *ir_new_block(struct lower *l, const char *label)
{
	struct ir_block *b = arena_new_obj(l->arena, struct ir_block);

	b->label = label;
	return b;
}

static void append(struct lower *l, struct ir_block *b)
{
	b->number = l->build.f->blocks.len;
	b->piece = l->seen.piece;
	b->placed = true;
	vec_push(l->arena, &l->build.f->blocks, b);
	l->build.cur = b;
}

void ir_place(struct lower *l, struct ir_block *b)
{
	if (l->build.cur)
		ir_emit_jmp(l, b);
	append(l, b);
}

struct ir_insn *ir_emit(struct lower *l, enum ir_op op)
{
	struct ir_insn *in;

	if (!l->build.cur) /* after a jump: unreachable, but keep the code well formed */
		append(l, ir_new_block(l, "dead"));
	l->build.emitted++;
	in = vec_add(l->arena, &l->build.cur->insns);
	in->op = op;
	in->loc = l->build.loc;
	return in;
}

uint32_t ir_emit_mov(struct lower *l, struct ir_operand v)
{
	enum ir_type t = IRT_SCALAR;
	uint32_t dst;

	if (v.kind == OP_TEMP)
		t = l->build.f->temps.data[v.temp];
	else if (v.kind == OP_FRAME)
		t = IRT_FRAME;
	else if (v.kind == OP_DATA)
		t = IRT_MEM;
	else if (v.kind == OP_CTX)
		t = IRT_CTX;
	dst = ir_new_temp(l, t);
	ir_emit_set(l, dst, v);
	return dst;
}

void ir_emit_set(struct lower *l, uint32_t dst, struct ir_operand v)
{
	struct ir_insn *in = ir_emit(l, IR_MOV);

	in->dst = dst;
	in->b = v;
}

uint32_t ir_as_temp(struct lower *l, struct ir_operand v)
{
	return v.kind == OP_TEMP ? v.temp : ir_emit_mov(l, v);
}

uint32_t ir_emit_op(struct lower *l, enum ir_op op, struct ir_operand a, struct ir_operand b)
{
	uint32_t at = ir_as_temp(l, a);
	enum ir_type t = l->build.f->temps.data[at];
	uint32_t dst = ir_new_temp(l, op == IR_ADD || op == IR_SUB ? t : IRT_SCALAR);
	struct ir_insn *in = ir_emit(l, op);

	in->dst = dst;
	in->a = ir_op_temp(at);
	in->b = b;
	return dst;
}

/* As a load from a kernel object of known type, memory that cannot be read gives 0. */
static void load_by_helper(
	struct lower *l, uint32_t dst, struct ir_operand base, int32_t off, unsigned size)
{
	const uint32_t frame = l->build.frame_used;
	uint32_t at = ir_frame_alloc(l, 8);

	ir_emit_call(l, BPF_FUNC_probe_read_kernel, 3, ir_op_frame(at), ir_op_imm(size),
		ir_address(l, base, off));
	ir_emit_load_to(l, dst, ir_op_frame(at), 0, size);
	l->build.frame_used = frame;
}

void ir_emit_load_to(
	struct lower *l, uint32_t dst, struct ir_operand base, int32_t off, unsigned size)
{
	struct ir_insn *in;

	if (base.kind == OP_TEMP && l->build.f->temps.data[base.temp] == IRT_ADDRESS) {
		load_by_helper(l, dst, base, off, size);
		return;
	}
	if (base.kind == OP_DATA) {
		base = ir_op_temp(ir_emit_mov(l, ir_op_data(base.sym, base.value)));
	} else if (base.kind == OP_FRAME || base.kind == OP_CTX) {
		off += (int32_t)base.value;
		base.value = 0;
	}
	in = ir_emit(l, IR_LOAD);
	in->dst = dst;
	in->a = base;
	in->off = off;
	in->size = (uint8_t)size;
}

uint32_t ir_emit_load(struct lower *l, struct ir_operand base, int32_t off, unsigned size)
{
	uint32_t dst = ir_new_temp(l, IRT_SCALAR);

	ir_emit_load_to(l, dst, base, off, size);
	return dst;
}

uint32_t ir_emit_load_pointer(struct lower *l, struct ir_operand base, int32_t off)
{
	uint32_t dst = ir_emit_load(l, base, off, 8);
	bool by_helper = base.kind == OP_TEMP && l->build.f->temps.data[base.temp] == IRT_ADDRESS;

	l->build.f->temps.data[dst] = by_helper ? IRT_ADDRESS : IRT_KERNEL;
	return dst;
}

void ir_emit_store(
	struct lower *l, struct ir_operand base, int32_t off, struct ir_operand v, unsigned size)
{
	struct ir_insn *in;

	if (base.kind == OP_DATA) {
		base = ir_op_temp(ir_emit_mov(l, ir_op_data(base.sym, base.value)));
	} else if (base.kind == OP_FRAME) {
		off += (int32_t)base.value;
		base.value = 0;
	}
	if (v.kind == OP_IMM && v.value != (int32_t)v.value)
		v = ir_op_temp(ir_emit_mov(l, v));
	in = ir_emit(l, IR_STORE);
	in->a = base;
	in->off = off;
	in->b = v;
	in->size = (uint8_t)size;
}

static void set_args(
	struct lower *l, struct ir_insn *in, const struct ir_operand *args, uint32_t nargs)
{
	in->nargs = nargs;
	in->args = arena_new_array(l->arena, struct ir_operand, nargs);
	memcpy(in->args, args, nargs * sizeof(*args));
}

static void put_call(
	struct lower *l, uint32_t dst, int helper, const struct ir_operand *args, uint32_t nargs)
{
	struct ir_insn *in = ir_emit(l, IR_CALL);

	in->dst = dst;
	in->imm = helper;
	set_args(l, in, args, nargs);
}

#define PAGE	   4096
#define MOST_PAGES 32 /* of a string that are waited for */

/*
 * Reads the string of ARGS again, after each page of it that was waited for: those behind its end
 * stay absent.  Goes to DONE with what the last read returned in DST.
 */
static void wait_for_string(
	struct lower *l, uint32_t dst, const struct ir_operand *args, struct ir_block *done)
{
	struct ir_operand byte[] = {ir_op_frame(ir_frame_alloc(l, 8)), ir_op_imm(1), args[2]};
	uint32_t pages = (uint32_t)((args[1].value + PAGE - 2) / PAGE + 1), there, again;

	if (pages > MOST_PAGES)
		pages = MOST_PAGES;
	for (uint32_t i = 0; i < pages; i++) {
		struct ir_block *present = ir_new_block(l, "present"),
				*next = ir_new_block(l, "next");
		int64_t at = i * PAGE < args[1].value ? i * PAGE : args[1].value - 1;

		if (i)
			byte[2] = ir_op_temp(ir_emit_op(l, IR_ADD, args[2], ir_op_imm(at)));
		there = ir_new_temp(l, IRT_SCALAR);
		put_call(l, there, BPF_FUNC_copy_from_user, byte, 3);
		ir_emit_br(l, COND_SGE, ir_op_temp(there), ir_op_imm(0), present, done);
		ir_place(l, present);
		again = ir_new_temp(l, IRT_SCALAR);
		put_call(l, again, BPF_FUNC_probe_read_user_str, args, 3);
		ir_emit_set(l, dst, ir_op_temp(again));
		ir_emit_br(l, COND_SGE, ir_op_temp(again), ir_op_imm(0), done, next);
		ir_place(l, next);
	}
	ir_emit_jmp(l, done);
}

/*
 * User code can wait until a page of its memory is there: where the read of ARGS (to, size, from)
 * failed, with *DST, it is done again by a program that may sleep.
 */
static void wait_for_page(struct lower *l, uint32_t dst, int helper, const struct ir_operand *args)
{
	struct ir_block *absent = ir_new_block(l, "absent"), *done = ir_new_block(l, "read");
	uint32_t frame = l->build.frame_used;

	l->unit->plan.sleepable = true;
	ir_emit_br(l, COND_SGE, ir_op_temp(dst), ir_op_imm(0), done, absent);
	ir_place(l, absent);
	if (helper == BPF_FUNC_probe_read_user) {
		uint32_t again = ir_new_temp(l, IRT_SCALAR);

		put_call(l, again, BPF_FUNC_copy_from_user, args, 3);
		ir_emit_set(l, dst, ir_op_temp(again));
	} else {
		wait_for_string(l, dst, args, done);
	}
	ir_place(l, done);
	l->build.frame_used = frame;
}

uint32_t ir_emit_call(struct lower *l, int helper, uint32_t nargs, ...)
{
	bool user = helper == BPF_FUNC_probe_read_user || helper == BPF_FUNC_probe_read_user_str;
	struct ir_operand args[IR_MAX_ARGS];
	uint32_t dst = ir_new_temp(l, IRT_SCALAR);
	va_list ap;

	/* the memory at hand is not that of the thread that the probe is about */
	if (user && lower_about_other_task(l)) {
		ir_emit_set(l, dst, ir_op_imm(-EFAULT));
		return dst;
	}
	va_start(ap, nargs);
	for (uint32_t i = 0; i < nargs; i++)
		args[i] = va_arg(ap, struct ir_operand);
	va_end(ap);
	if (user && l->unit->is_open) {
		uint32_t first = ir_new_temp(l, IRT_SCALAR);

		put_call(l, first, helper, args, nargs);
		ir_emit_set(l, dst, ir_op_temp(first));
		wait_for_page(l, dst, helper, args);
		return dst;
	}
	put_call(l, dst, helper, args, nargs);
	if (helper == BPF_FUNC_map_lookup_elem || helper == BPF_FUNC_ringbuf_reserve ||
		helper == BPF_FUNC_task_storage_get)
		l->build.f->temps.data[dst] = IRT_MAYBE_NULL;
	else if (helper == BPF_FUNC_get_current_task_btf)
		l->build.f->temps.data[dst] = IRT_KERNEL;
	return dst;
}

uint32_t ir_emit_rt_args(
	struct lower *l, const char *name, uint32_t nargs, const struct ir_operand *args)
{
	uint32_t dst = ir_new_temp(l, IRT_SCALAR);
	struct ir_insn *in = ir_emit(l, IR_RT);

	in->dst = dst;
	in->sym = name;
	set_args(l, in, args, nargs);
	return dst;
}

uint32_t ir_emit_rt(struct lower *l, const char *name, uint32_t nargs, ...)
{
	struct ir_operand args[IR_MAX_ARGS];
	va_list ap;

	va_start(ap, nargs);
	for (uint32_t i = 0; i < nargs; i++)
		args[i] = va_arg(ap, struct ir_operand);
	va_end(ap);
	return ir_emit_rt_args(l, name, nargs, args);
}

void ir_emit_jmp(struct lower *l, struct ir_block *to)
{
	if (!l->build.cur)
		return;
	ir_emit(l, IR_JMP)->then = to;
	to->used = true;
	l->build.cur = NULL;
}

void ir_emit_br(struct lower *l, enum ir_cond cond, struct ir_operand a, struct ir_operand b,
	struct ir_block *then, struct ir_block *orelse)
{
	struct ir_insn *in;
	uint32_t at = ir_as_temp(l, a);

	in = ir_emit(l, IR_BR);
	in->cond = cond;
	in->a = ir_op_temp(at);
	in->b = b;
	in->then = then;
	in->orelse = orelse;
	then->used = orelse->used = true;
	l->build.cur = NULL;
}

struct ir_operand ir_address(struct lower *l, struct ir_operand base, int64_t off)
{
	if (base.kind == OP_FRAME || base.kind == OP_DATA || base.kind == OP_CTX) {
		base.value += off;
		return base;
	}
	return off ? ir_op_temp(ir_emit_op(l, IR_ADD, base, ir_op_imm(off))) : base;
}

uint32_t ir_emit_nonnull(struct lower *l, uint32_t maybe, struct ir_block *none)
{
	struct ir_block *some = ir_new_block(l, "nonnull");
	uint32_t dst;
	struct ir_insn *in;

	ir_emit_br(l, COND_EQ, ir_op_temp(maybe), ir_op_imm(0), none, some);
	ir_place(l, some);
	dst = ir_new_temp(l, IRT_MEM);
	in = ir_emit(l, IR_MOV);
	in->dst = dst;
	in->b = ir_op_temp(maybe);
	return dst;
}

struct ir_data *ir_data_section(struct lower *l, const char *name)
{
	struct ir_data *d;

	vec_for (have, &l->s->out->module.data)
		if (!strcmp(have->section, name))
			return have;
	d = vec_add(l->arena, &l->s->out->module.data);
	d->section = name;
	return d;
}

struct ir_operand ir_zeros(struct lower *l, uint32_t size)
{
	static const char name[] = ".rodata.zero";
	struct ir_data *d = ir_data_section(l, name);

	if (d->size < size) {
		d->readonly = true;
		d->size = size;
		d->bytes = arena_alloc(l->arena, size);
	}
	return ir_op_data(name, 0);
}

#define ZERO_INLINE 256 /* bytes; more are copied by a helper */

void ir_emit_zero(struct lower *l, struct ir_operand base, int32_t off, uint32_t size)
{
	uint32_t i = 0;

	if (base.kind == OP_DATA)
		base = ir_op_temp(ir_emit_mov(l, base));
	if (size > ZERO_INLINE) {
		ir_emit_call(l, BPF_FUNC_probe_read_kernel, 3, ir_address(l, base, off),
			ir_op_imm(size), ir_zeros(l, size));
		return;
	}
	for (; i + 8 <= size; i += 8)
		ir_emit_store(l, base, off + (int32_t)i, ir_op_imm(0), 8);
	for (; i < size; i++)
		ir_emit_store(l, base, off + (int32_t)i, ir_op_imm(0), 1);
}

void ir_emit_bytes(
	struct lower *l, struct ir_operand base, int32_t off, const void *bytes, uint32_t size)
{
	const char *p = bytes;
	uint32_t i = 0;

	while (i < size) {
		unsigned n = size - i >= 4 ? 4 : size - i >= 2 ? 2 : 1;
		int32_t v = 0;

		memcpy(&v, p + i, n);
		ir_emit_store(l, base, off + (int32_t)i, ir_op_imm(v), n);
		i += n;
	}
}

uint32_t ir_frame_alloc(struct lower *l, uint32_t size)
{
	uint32_t off = l->build.frame_used;

	l->build.frame_used += (size + 7) & ~7u;
	if (l->build.frame_used > l->build.frame_max)
		l->build.frame_max = l->build.frame_used;
	return off;
}

uint32_t ir_array_lookup(struct lower *l, const char *map, struct ir_operand index)
{
	uint32_t frame = l->build.frame_used, p;
	int32_t key = (int32_t)ir_frame_alloc(l, 4);

	ir_emit_store(l, ir_op_frame(0), key, index, 4);
	p = ir_emit_call(l, BPF_FUNC_map_lookup_elem, 2, ir_op_map(map), ir_op_frame(key));
	l->build.frame_used = frame;
	return p;
}

uint32_t ir_scratch_alloc(struct lower *l, uint32_t size)
{
	uint32_t off = l->firing.scratch_used;

	l->firing.scratch_used += (size + 7) & ~7u;
	if (l->firing.scratch_used > l->firing.scratch_max)
		l->firing.scratch_max = l->firing.scratch_used;
	return off;
}

void ir_put_spills(struct lower *l, uint32_t off)
{
	l->build.f->spills.base = l->firing.scratch;
	l->build.f->spills.off = off;
	l->build.f->spills.from = l->build.cur;
}

/* Of the 512 bytes of a call chain, what explicit slots may take; the rest is for spills. */
#define FRAME_BUDGET 192

struct ir_operand ir_temp_space(struct lower *l, uint32_t size, int32_t *off)
{
	if (size <= 96 && l->build.frame_used + size <= FRAME_BUDGET && !l->unit->short_stack) {
		*off = (int32_t)ir_frame_alloc(l, size);
		return ir_op_frame(0);
	}
	*off = (int32_t)ir_scratch_alloc(l, size);
	return ir_op_temp(l->firing.scratch);
}

void lower_error(struct lower *l, const char *tag, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_vadd(l->s->diags, tag, l->build.loc, fmt, ap);
	va_end(ap);
	l->s->failed = true;
}

struct ir_operand ir_fired_probe(const struct lower *l)
{
	return l->firing.probe_id ? ir_op_temp(l->firing.probe_id)
				  : ir_op_imm(l->unit->probes.data[0]->id);
}
