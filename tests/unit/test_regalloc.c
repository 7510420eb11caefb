// SPDX-License-Identifier: Apache-2.0
/*
 * Register allocation over random functions: no two temporaries that are alive at the same time
 * share a register or slot, and what lives across a call is in r6-r9 or in memory.
 */
#include "base/arena.h"
#include "base/vec.h"
#include "bpf/regalloc.h"
#include "ir/ir.h"
#include "test.h"

static uint32_t seed = 1;

static uint32_t rnd(uint32_t n)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % n;
}

#define MAX_TEMPS 64

/* Straight code in several blocks: each instruction uses temporaries that are set already. */
static struct ir_func *random_func(struct arena *a, uint32_t ninsns, uint32_t call_each)
{
	struct ir_func *f = arena_new_obj(a, struct ir_func);
	struct ir_block *b = NULL;

	vec_push(a, &f->temps, IRT_SCALAR);
	for (uint32_t i = 0; i < ninsns; i++) {
		struct ir_insn in = {.op = IR_ADD};

		if (!b || !rnd(10)) {
			b = arena_new_obj(a, struct ir_block);
			b->number = f->blocks.len;
			vec_push(a, &f->blocks, b);
		}
		if (f->temps.len < 3 || !rnd(4)) {
			in.op = IR_MOV;
			in.b = (struct ir_operand){.kind = rnd(5) ? OP_IMM : OP_CTX};
		} else if (!rnd(call_each)) {
			in.op = IR_CALL;
			in.nargs = rnd(4);
			in.args = arena_new_array(a, struct ir_operand, 3);
			for (uint32_t k = 0; k < in.nargs; k++)
				in.args[k] = (struct ir_operand){
					.kind = OP_TEMP, .temp = 1 + rnd(f->temps.len - 1)};
		} else {
			in.a = (struct ir_operand){
				.kind = OP_TEMP, .temp = 1 + rnd(f->temps.len - 1)};
			in.b = (struct ir_operand){
				.kind = OP_TEMP, .temp = 1 + rnd(f->temps.len - 1)};
		}
		if (f->temps.len < MAX_TEMPS) {
			in.dst = f->temps.len;
			vec_push(a, &f->temps, IRT_SCALAR);
		} else { /* set again: a join */
			in.dst = 1 + rnd(f->temps.len - 1);
		}
		vec_push(a, &b->insns, in);
	}
	return f;
}

struct life {
	uint32_t first, last;
};

static void touch(struct life *l, uint32_t at)
{
	if (!l->first)
		l->first = at;
	l->last = at;
}

static void check(const struct ir_func *f, const struct allocation *al)
{
	struct life life[MAX_TEMPS + 1] = {{0}};
	uint32_t calls[1024], ncalls = 0, at = 1, n = f->temps.len;
	int clashes = 0, clobbered = 0;

	for (uint32_t b = 0; b < f->blocks.len; b++) {
		vec_for (in, &f->blocks.data[b]->insns) {
			const struct ir_operand *ops[] = {
				&in->a, &in->b, &in->args[0], &in->args[1], &in->args[2]};

			for (uint32_t i = 0; i < 2 + in->nargs; i++) {
				if (ops[i]->kind == OP_TEMP)
					touch(&life[ops[i]->temp], at);
				else if (ops[i]->kind == OP_CTX)
					life[n] = (struct life){0, at};
			}
			if (in->op == IR_CALL)
				calls[ncalls++] = at;
			touch(&life[in->dst], at);
			at++;
		}
	}
	for (uint32_t x = 1; x <= n; x++) {
		if (life[x].last <= life[x].first)
			continue;
		for (uint32_t c = 0; c < ncalls; c++)
			clobbered += calls[c] > life[x].first && calls[c] < life[x].last &&
				al->reg[x] != REG_SPILLED && al->reg[x] < 6;
		for (uint32_t y = x + 1; y <= n; y++) {
			bool overlap = life[y].last > life[y].first &&
				life[x].first < life[y].last && life[y].first < life[x].last;

			if (!overlap || al->reg[x] != al->reg[y])
				continue;
			clashes += al->reg[x] != REG_SPILLED || al->slot[x] == al->slot[y];
		}
	}
	CHECK_INT(clashes, 0);
	CHECK_INT(clobbered, 0);
}

int main(void)
{
	for (int i = 0; i < 500; i++) {
		struct arena *a = arena_new();
		struct ir_func *f = random_func(a, 5 + rnd(200), 2 + rnd(20));

		check(f, regalloc(a, f));
		arena_free(a);
	}
	return test_done();
}
