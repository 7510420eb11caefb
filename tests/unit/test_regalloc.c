// SPDX-License-Identifier: Apache-2.0
/*
 * Register allocation over random functions: no two temporaries that are alive at the same time
 * share a register or slot, and what lives across a call is in r6-r9 or in memory.  Only numbers
 * whose bounds do not matter are in the scratch slot, and only where its address is known.
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
				!reg_in_memory(al->reg[x]) && al->reg[x] < 6;
		for (uint32_t y = x + 1; y <= n; y++) {
			bool overlap = life[y].last > life[y].first &&
				life[x].first < life[y].last && life[y].first < life[x].last;

			if (!overlap || al->reg[x] != al->reg[y])
				continue;
			clashes += !reg_in_memory(al->reg[x]) || al->slot[x] == al->slot[y];
		}
	}
	CHECK_INT(clashes, 0);
	CHECK_INT(clobbered, 0);
}

/* ---- numbers in the scratch slot ---- */

/* Makes a temporary of the function the address of the slot, and some sums with it addresses. */
static void give_scratch(struct ir_func *f)
{
	uint32_t from = 1 + rnd(f->blocks.len);

	for (uint32_t b = 0; b < f->blocks.len; b++) {
		vec_for (in, &f->blocks.data[b]->insns) {
			if (b + 1 == from && !f->spills.base) {
				f->spills.base = in->dst;
				f->spills.from = f->blocks.data[b];
			}
			if (!rnd(8))
				f->temps.data[in->dst] = IRT_MEM;
		}
	}
	f->temps.data[f->spills.base] = IRT_MEM;
}

/* Marks what the verifier must know more of; true if that was not marked before. */
static bool mark(const struct ir_func *f, const struct ir_insn *in, bool *bounded)
{
	bool wanted = bounded[in->dst] || f->temps.data[in->dst] != IRT_SCALAR, more = false;

	for (uint32_t i = 0; i < 2 + in->nargs; i++) {
		const struct ir_operand *o = i == 0 ? &in->a : i == 1 ? &in->b : &in->args[i - 2];

		if (o->kind != OP_TEMP || (i < 2 && !wanted) || bounded[o->temp])
			continue;
		more = bounded[o->temp] = true;
	}
	return more;
}

/* Returns how many temporaries are in the slot. */
static uint32_t check_scratch(const struct ir_func *f, const struct allocation *al)
{
	uint32_t at = 1, from = 0, base = 0, last = 0, first[MAX_TEMPS + 1] = {0}, n = 0;
	int early = 0, wrong = 0, lost = 0;
	bool bounded[MAX_TEMPS + 1] = {false}, more = true;

	while (more) {
		more = false;
		for (uint32_t b = 0; b < f->blocks.len; b++)
			vec_for (in, &f->blocks.data[b]->insns)
				more |= mark(f, in, bounded);
	}
	for (uint32_t b = 0; b < f->blocks.len; b++) {
		if (f->blocks.data[b] == f->spills.from)
			from = at;
		vec_for (in, &f->blocks.data[b]->insns) {
			if (!first[in->dst])
				first[in->dst] = at;
			last = at++;
		}
	}
	base = first[f->spills.base];
	for (uint32_t x = 1; x < f->temps.len; x++) {
		/* nobody else gets the register of the address */
		lost += x != f->spills.base && first[x] > base && first[x] < last &&
			al->reg[x] > 0 && al->reg[x] == al->reg[f->spills.base];
		if (al->reg[x] != REG_SCRATCH)
			continue;
		early += first[x] < from || first[x] <= base;
		wrong += bounded[x] || f->temps.data[x] != IRT_SCALAR ||
			al->slot[x] >= SPILL_ROOM / 8;
		n++;
	}
	CHECK_INT(early, 0);
	CHECK_INT(wrong, 0);
	CHECK_INT(lost, 0);
	return n;
}

int main(void)
{
	uint32_t n = 0;

	for (int i = 0; i < 500; i++) {
		struct arena *a = arena_new();
		struct ir_func *f = random_func(a, 5 + rnd(200), 2 + rnd(20));

		check(f, regalloc(a, f));
		arena_free(a);
	}
	for (int i = 0; i < 500; i++) { /* each temporary is set once */
		struct arena *a = arena_new();
		struct ir_func *f = random_func(a, 5 + rnd(MAX_TEMPS - 6), 2 + rnd(20));
		struct allocation *al;

		give_scratch(f);
		al = regalloc(a, f);
		check(f, al);
		n += check_scratch(f, al);
		arena_free(a);
	}
	CHECK(n > 100);
	return test_done();
}
