// SPDX-License-Identifier: Apache-2.0
/* Checks IR for what the verifier would refuse. */
#include "ir/ir.h"

#include "base/arena.h"

struct checker {
	struct arena *arena;
	const struct ir_func *f;
	const struct ir_block *block;
	bool *defined;
	const char *error;
};

static void fail(struct checker *c, const char *what, uint32_t temp)
{
	if (!c->error)
		c->error = arena_printf(
			c->arena, "%s: b%u: %s: %%%u", c->f->name, c->block->number, what, temp);
}

static void use(struct checker *c, const struct ir_operand *o)
{
	if (o->kind != OP_TEMP)
		return;
	if (!o->temp || o->temp >= c->f->temps.len)
		fail(c, "no such temporary", o->temp);
	else if (!c->defined[o->temp])
		fail(c, "used before it is set", o->temp);
}

static void check_base(struct checker *c, const struct ir_insn *in)
{
	enum ir_type t;

	if (in->a.kind == OP_FRAME || in->a.kind == OP_CTX)
		return;
	if (in->a.kind != OP_TEMP) {
		fail(c, "memory access without a base", 0);
		return;
	}
	t = c->f->temps.data[in->a.temp];
	if (t == IRT_MAYBE_NULL)
		fail(c, "access through a possibly null pointer", in->a.temp);
	else if (t == IRT_SCALAR || t == IRT_ADDRESS)
		fail(c, "access through a number", in->a.temp);
	else if (t == IRT_KERNEL && in->op != IR_LOAD)
		fail(c, "store to kernel memory", in->a.temp);
}

static void check_insn(struct checker *c, const struct ir_insn *in)
{
	use(c, &in->a);
	use(c, &in->b);
	for (uint32_t i = 0; i < in->nargs; i++)
		use(c, &in->args[i]);
	if (in->op == IR_LOAD || in->op == IR_STORE || in->op == IR_XADD)
		check_base(c, in);
	if ((in->then && in->then->number <= c->block->number) ||
		(in->orelse && in->orelse->number <= c->block->number))
		fail(c, "jump backward", 0);
	if (in->dst)
		c->defined[in->dst] = true;
}

const char *ir_check(struct arena *a, const struct ir_func *f)
{
	struct checker c = {.arena = a, .f = f, .defined = arena_alloc(a, f->temps.len + 1)};

	for (uint32_t i = 1; i <= f->nparams; i++)
		c.defined[i] = true;
	for (uint32_t b = 0; b < f->blocks.len; b++) {
		c.block = f->blocks.data[b];
		for (uint32_t i = 0; i < c.block->insns.len; i++) {
			const struct ir_insn *in = &c.block->insns.data[i];
			bool last = i + 1 == c.block->insns.len;
			bool jumps = in->op == IR_JMP || in->op == IR_BR || in->op == IR_RET;

			if (last != jumps)
				fail(&c, last ? "block without an end" : "jump inside a block", 0);
			check_insn(&c, in);
		}
	}
	return c.error;
}
