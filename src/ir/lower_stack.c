// SPDX-License-Identifier: Apache-2.0
/*
 * stackdepth, caller and the user's: what bpf_get_stack() gives, without the frames of the tracing
 * machinery that stand on top: the bodies of loops, the program, bpf_trace_runN(), and on some
 * kernels __bpf_trace_HOOK().  How many they are is counted where the kernel's symbols are known.
 */
#include "ir/lower_int.h"

#include <stdio.h>

#define MACHINERY_MOST 8

struct range {
	uint64_t addr, size;
};

/* Frames of the current stack into the scratch slot; returns the bytes, or a negative error. */
static uint32_t read_stack(struct lower *l, uint32_t frames, bool user, uint32_t *off)
{
	*off = scratch_alloc(l, 8 * frames);
	return emit_call(l, BPF_FUNC_get_stack, 4, op_ctx(l), address(l, op_temp(l->scratch), *off),
		op_imm(8 * frames), op_imm(user ? BPF_F_USER_STACK : 0));
}

/* BEGIN and END run in our own system call, ERROR has no context. */
static bool has_stack(const struct lower *l, bool user)
{
	return !l->unit->is_error &&
		(user || (l->unit->plan.kind != ATTACH_BEGIN && l->unit->plan.kind != ATTACH_END));
}

/* The saved registers' stack, or the user's. */
static bool is_bare(const struct lower *l, bool user)
{
	return user || l->unit->plan.kind == ATTACH_CPU_CLOCK;
}

static bool symbol_range(const struct lower *l, const char *name, struct range *r)
{
	const struct target *t = l->s->target;

	return t->symbol && t->symbol(name, &r->addr, &r->size) && r->size;
}

/* typedef void (*btf_trace_HOOK)(void *, ...): its other arguments' number chooses the function. */
static bool runner_range(const struct lower *l, struct range *r)
{
	char name[128];
	const struct type *t;

	snprintf(name, sizeof(name), "btf_trace_%s", l->unit->plan.hook);
	t = types_lookup(l->s->target->types, SPACE_ORDINARY, name);
	t = t ? type_resolve(t) : NULL;
	t = t && t->kind == TYPE_PTR ? type_resolve(t->ref) : NULL;
	if (!t || t->kind != TYPE_FUNC)
		return false;
	snprintf(name, sizeof(name), "bpf_trace_run%u", type_params(t, NULL, NULL, 0) - 1);
	return symbol_range(l, name, r);
}

static bool glue_range(const struct lower *l, struct range *r)
{
	char name[128];

	snprintf(name, sizeof(name), "__bpf_trace_%s", l->unit->plan.hook);
	return symbol_range(l, name, r);
}

/* Is frame I of those at OFF in R? */
static void frame_in(struct lower *l, uint32_t off, uint32_t i, const struct range *r,
	struct ir_block *in, struct ir_block *out)
{
	uint32_t pc = emit_load(l, op_temp(l->scratch), (int32_t)(off + 8 * i), 8);

	pc = emit_op(l, IR_SUB, op_temp(pc), op_imm((int64_t)r->addr));
	emit_br(l, COND_LT, op_temp(pc), op_imm((int64_t)r->size), in, out);
}

/* How many of the frames at OFF are the machinery's. */
static struct ir_operand machinery(struct lower *l, bool user, uint32_t off)
{
	struct ir_block *done, *next, *found, *more;
	struct range runner, glue;
	bool has_glue;
	uint32_t n;

	if (is_bare(l, user))
		return op_imm(0);
	if (!runner_range(l, &runner))
		return op_imm(DT_STACK_GLUE);
	has_glue = glue_range(l, &glue);
	n = new_temp(l, IRT_SCALAR);
	emit_set(l, n, op_imm(DT_STACK_GLUE));
	done = new_block(l, "machinery");
	for (uint32_t i = 1; i < MACHINERY_MOST - 1; i++) {
		found = new_block(l, "runner");
		next = new_block(l, "norunner");
		frame_in(l, off, i, &runner, found, next);
		place(l, found);
		emit_set(l, n, op_imm(i + 1));
		if (has_glue) {
			more = new_block(l, "glue");
			frame_in(l, off, i + 1, &glue, more, done);
			place(l, more);
			emit_set(l, n, op_imm(i + 2));
		}
		emit_jmp(l, done);
		place(l, next);
	}
	place(l, done);
	return op_temp(n);
}

/* The number of frames that stack() or ustack() can show. */
struct ir_operand lower_stack_depth(struct lower *l, bool user)
{
	struct ir_block *some = new_block(l, "stack"), *deeper = new_block(l, "deeper"),
			*cut = new_block(l, "maxframes"), *done = new_block(l, "depth");
	uint32_t most = l->s->target->maxframes;
	uint32_t n, off, out = new_temp(l, IRT_SCALAR);

	if (!has_stack(l, user))
		return op_imm(0);
	n = read_stack(l, most + (is_bare(l, user) ? 0 : MACHINERY_MOST), user, &off);
	emit_set(l, out, op_imm(0));
	emit_br(l, COND_SGT, op_temp(n), op_imm(0), some, done);
	place(l, some);
	n = emit_op(l, IR_SHR, op_temp(n), op_imm(3));
	n = emit_op(l, IR_SUB, op_temp(n), machinery(l, user, off));
	emit_br(l, COND_SGT, op_temp(n), op_imm(0), deeper, done);
	place(l, deeper);
	emit_set(l, out, op_temp(n));
	emit_br(l, COND_GT, op_temp(n), op_imm(most), cut, done);
	place(l, cut);
	emit_set(l, out, op_imm(most));
	place(l, done);
	return op_temp(out);
}

/* The return address of the function that the probe is in: frame 1, where 0 is the probe's. */
struct ir_operand lower_caller(struct lower *l, bool user)
{
	struct ir_block *some = new_block(l, "stack"), *known = new_block(l, "known"),
			*done = new_block(l, "caller");
	uint32_t n, off, at, out = new_temp(l, IRT_SCALAR);

	if (!has_stack(l, user))
		return op_imm(0);
	n = read_stack(l, 2 * MACHINERY_MOST, user, &off); /* a power of two: masked below */
	emit_set(l, out, op_imm(0));
	emit_br(l, COND_SGT, op_temp(n), op_imm(8), some, done);
	place(l, some);
	at = emit_mov(l, machinery(l, user, off));
	at = emit_op(l, IR_ADD, op_temp(at), op_imm(1));
	at = emit_op(l, IR_SHL, op_temp(at), op_imm(3));
	emit_br(l, COND_SGT, op_temp(n), op_temp(at), known, done);
	place(l, known);
	at = emit_op(l, IR_AND, op_temp(at), op_imm(8 * (2 * MACHINERY_MOST - 1)));
	at = emit_op(l, IR_ADD, op_temp(l->scratch), op_temp(at));
	emit_set(l, out, op_temp(emit_load(l, op_temp(at), (int32_t)off, 8)));
	place(l, done);
	return op_temp(out);
}
