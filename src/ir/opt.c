// SPDX-License-Identifier: Apache-2.0
/* Clean-up: constants to where they are used, dead code out. */
#include "ir/fold.h"

#include <linux/bpf.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "ir/ir.h"

/* True if the instruction may go when nobody uses its result. */
static bool is_pure(const struct ir_insn *in)
{
	if (in->op == IR_CALL)
		return in->imm == BPF_FUNC_get_current_task_btf ||
			in->imm == BPF_FUNC_get_current_task || in->imm == BPF_FUNC_ktime_get_ns ||
			in->imm == BPF_FUNC_get_smp_processor_id ||
			in->imm == BPF_FUNC_get_current_pid_tgid ||
			in->imm == BPF_FUNC_get_current_uid_gid;
	return ir_has_result(in->op) && in->op != IR_RT;
}

struct facts {
	uint32_t *uses, *defs;
	const struct ir_insn **def; /* of temporaries that are set once */
	int64_t *value;		    /* of temporaries that are set once, to a constant */
	bool *constant;
};

static void count_operand(struct facts *f, const struct ir_operand *o, int by)
{
	if (o->kind == OP_TEMP)
		f->uses[o->temp] += (uint32_t)by;
}

static void count_insn(struct facts *f, const struct ir_insn *in, int by)
{
	count_operand(f, &in->a, by);
	count_operand(f, &in->b, by);
	for (uint32_t i = 0; i < in->nargs; i++)
		count_operand(f, &in->args[i], by);
}

static void count_uses(const struct ir_func *fn, struct facts *f)
{
	memset(f->uses, 0, fn->temps.len * sizeof(*f->uses));
	if (fn->spills.base)
		f->uses[fn->spills.base] = 1; /* by spills */
	for (uint32_t b = 0; b < fn->blocks.len; b++) {
		vec_for (in, &fn->blocks.data[b]->insns)
			count_insn(f, in, 1);
	}
}

static void find_constants(const struct ir_func *fn, struct facts *f)
{
	for (uint32_t b = 0; b < fn->blocks.len; b++)
		vec_for (in, &fn->blocks.data[b]->insns)
			if (in->dst)
				f->defs[in->dst]++;
	for (uint32_t b = 0; b < fn->blocks.len; b++) {
		vec_for (in, &fn->blocks.data[b]->insns) {
			if (in->op == IR_MOV && in->b.kind == OP_IMM && f->defs[in->dst] == 1) {
				f->constant[in->dst] = true;
				f->value[in->dst] = in->b.value;
			}
		}
	}
}

static void use_constant(const struct facts *f, struct ir_operand *o, bool small)
{
	if (o->kind != OP_TEMP || !f->constant[o->temp])
		return;
	if (small && f->value[o->temp] != (int32_t)f->value[o->temp])
		return;
	o->kind = OP_IMM;
	o->value = f->value[o->temp];
}

static void propagate(const struct ir_func *fn, const struct facts *f)
{
	for (uint32_t b = 0; b < fn->blocks.len; b++) {
		vec_for (in, &fn->blocks.data[b]->insns) {
			if (in->op != IR_XADD)
				use_constant(f, &in->b, in->op != IR_MOV);
			for (uint32_t i = 0; i < in->nargs; i++)
				use_constant(f, &in->args[i], false);
		}
	}
}

/* Extending again to the same size, other sign: the first time was for nothing. */
static void merge_extends(const struct ir_func *fn, struct facts *f)
{
	for (uint32_t b = 0; b < fn->blocks.len; b++)
		vec_for (in, &fn->blocks.data[b]->insns)
			if (in->dst && f->defs[in->dst] == 1)
				f->def[in->dst] = in;
	for (uint32_t b = 0; b < fn->blocks.len; b++) {
		vec_for (in, &fn->blocks.data[b]->insns) {
			const struct ir_insn *d =
				in->op == IR_SEXT || in->op == IR_ZEXT ? f->def[in->a.temp] : NULL;

			if (d && (d->op == IR_SEXT || d->op == IR_ZEXT) && d->size == in->size &&
				d->a.kind == OP_TEMP && f->defs[d->a.temp] == 1)
				in->a = d->a;
			d = in->op == IR_ZEXT ? f->def[in->a.temp] : NULL;
			if (d && d->op == IR_LOAD && d->size <= in->size) {
				in->op = IR_MOV; /* a load extends with zeros already */
				in->b = in->a;
				in->a.kind = OP_NONE;
			}
		}
	}
}

/* From the end: what only dead instructions use is dead in its turn. */
static void drop_dead(struct ir_func *fn, struct facts *f)
{
	count_uses(fn, f);
	for (uint32_t b = fn->blocks.len; b-- > 0;) {
		struct ir_block *bl = fn->blocks.data[b];
		uint32_t at = bl->insns.len, n = 0;

		for (uint32_t i = bl->insns.len; i-- > 0;) {
			const struct ir_insn *in = &bl->insns.data[i];

			if (is_pure(in) && !f->uses[in->dst])
				count_insn(f, in, -1);
			else
				bl->insns.data[--at] = *in;
		}
		while (at < bl->insns.len)
			bl->insns.data[n++] = bl->insns.data[at++];
		bl->insns.len = n;
	}
}

static void mark_targets(struct ir_block *b, bool *seen)
{
	/* targets have higher numbers: one pass in order suffices */
	struct ir_insn *last = b->insns.len ? &vec_last(&b->insns) : NULL;

	if (!last)
		return;
	if (last->then)
		seen[last->then->number] = true;
	if (last->orelse)
		seen[last->orelse->number] = true;
}

/* The verifier refuses code that cannot be reached. */
static void drop_unreachable(struct arena *a, struct ir_func *fn)
{
	bool *seen = arena_alloc(a, fn->blocks.len + 1);
	uint32_t n = 0;

	seen[0] = true;
	for (uint32_t i = 0; i < fn->blocks.len; i++)
		if (seen[i])
			mark_targets(fn->blocks.data[i], seen);
	for (uint32_t i = 0; i < fn->blocks.len; i++)
		if (seen[i])
			fn->blocks.data[n++] = fn->blocks.data[i];
	fn->blocks.len = n;
	for (uint32_t i = 0; i < n; i++)
		fn->blocks.data[i]->number = i;
}

void ir_optimise(struct arena *a, struct ir_func *fn)
{
	struct facts f = {
		.uses = arena_new_array(a, uint32_t, fn->temps.len),
		.defs = arena_new_array(a, uint32_t, fn->temps.len),
		.value = arena_new_array(a, int64_t, fn->temps.len),
		.constant = arena_new_array(a, bool, fn->temps.len),
		.def = arena_new_array(a, const struct ir_insn *, fn->temps.len),
	};

	ir_fold(a, fn);
	drop_unreachable(a, fn);
	for (uint32_t i = 1; i <= fn->nparams; i++)
		f.defs[i] = 1;
	find_constants(fn, &f);
	propagate(fn, &f);
	merge_extends(fn, &f);
	drop_dead(fn, &f);
}
