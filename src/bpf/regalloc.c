// SPDX-License-Identifier: Apache-2.0
/* Assigns registers to temporaries by linear scan, and spills the rest. */
#include "bpf/regalloc.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/vec.h"
#include "ir/ir.h"

struct interval {
	uint32_t temp;
	uint32_t start, end; /* instruction numbers, counted from 1; 0 is the function's entry */
	bool used;
	bool crosses;  /* a call that happens while it is alive */
	bool bounded;  /* the verifier needs its bounds */
	uint32_t hint; /* a temporary whose register would save a move; 0 = none */
};

/* The temporaries in one spill slot, in the order of their starts: no two live at a time. */
struct slot {
	VEC(const struct interval *) held;
};

typedef VEC(struct slot) slots_vec;

struct scan {
	struct arena *arena;
	const struct ir_func *f;
	struct interval *iv; /* by temporary; one more for the context */
	uint32_t n;
	VEC(uint32_t) calls;
	struct allocation *out;
	struct interval *holder[10]; /* by register */
	slots_vec stack, scratch;
	uint32_t from; /* the first instruction that may use the scratch slot; 0 = none */
};

static void use(struct scan *s, const struct ir_operand *o, uint32_t at)
{
	struct interval *iv;

	if (o->kind == OP_CTX) {
		s->out->ctx = s->n - 1;
		iv = &s->iv[s->n - 1];
		iv->used = true;
	} else if (o->kind == OP_TEMP) {
		iv = &s->iv[o->temp];
	} else {
		return;
	}
	if (at > iv->end)
		iv->end = at;
}

static void define(struct scan *s, const struct ir_insn *in, uint32_t at)
{
	struct interval *iv = &s->iv[in->dst];
	const struct ir_operand *from = in->op == IR_MOV ? &in->b : &in->a;

	if (!iv->used) {
		iv->used = true;
		iv->start = at;
		if (from->kind == OP_TEMP)
			iv->hint = from->temp;
	}
	if (at > iv->end)
		iv->end = at;
}

/* True if a call happens between the start and the end of IV; calls are in order. */
static bool crosses_call(const struct scan *s, const struct interval *iv)
{
	uint32_t low = 0, high = s->calls.len; /* the first call after the start is here */

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (s->calls.data[middle] > iv->start)
			high = middle;
		else
			low = middle + 1;
	}
	return low < s->calls.len && s->calls.data[low] < iv->end;
}

/* ---- numbers for the scratch slot ---- */

static void bound(struct scan *s, const struct ir_operand *o)
{
	if (o->kind == OP_TEMP)
		s->iv[o->temp].bounded = true;
}

/*
 * The verifier tracks the bounds of numbers on the stack, not of those in map values.  It needs the
 * bounds of offsets and arguments, and of the numbers from which these are computed.
 */
static void bound_operands(struct scan *s, const struct ir_insn *in)
{
	bool wanted =
		in->dst && (s->iv[in->dst].bounded || s->f->temps.data[in->dst] != IRT_SCALAR);

	for (uint32_t i = 0; i < in->nargs; i++)
		bound(s, &in->args[i]);
	if (!wanted || in->op == IR_LOAD || (in->op == IR_AND && in->b.kind == OP_IMM))
		return;
	bound(s, &in->a);
	bound(s, &in->b);
}

/* Blocks jump forward only, so a backward pass meets each use before what it uses. */
static void find_bounded(struct scan *s)
{
	for (uint32_t b = s->f->blocks.len; b-- > 0;)
		for (uint32_t i = s->f->blocks.data[b]->insns.len; i-- > 0;)
			bound_operands(s, &s->f->blocks.data[b]->insns.data[i]);
}

/* True if IV may be spilled to the scratch slot, and the address of that is known. */
static bool fits_scratch(const struct scan *s, const struct interval *iv)
{
	return s->from && iv->temp != s->n - 1 && iv->temp > s->f->nparams && !iv->bounded &&
		s->f->temps.data[iv->temp] == IRT_SCALAR && iv->start >= s->from &&
		iv->start > s->iv[s->f->spills.base].start;
}

/* ---- intervals ---- */

static void find_intervals(struct scan *s)
{
	uint32_t at = 1;

	for (uint32_t i = 0; i < s->n; i++)
		s->iv[i].temp = i;
	for (uint32_t i = 1; i <= s->f->nparams; i++)
		s->iv[i].used = true;
	for (uint32_t b = 0; b < s->f->blocks.len; b++) {
		if (s->f->spills.base && s->f->blocks.data[b] == s->f->spills.from)
			s->from = at;
		vec_for (in, &s->f->blocks.data[b]->insns) {
			use(s, &in->a, at);
			use(s, &in->b, at);
			for (uint32_t i = 0; i < in->nargs; i++)
				use(s, &in->args[i], at);
			if (in->op == IR_CALL || in->op == IR_RT)
				vec_push(s->arena, &s->calls, at);
			if (in->dst)
				define(s, in, at);
			at++;
		}
	}
	if (s->from) {
		s->iv[s->f->spills.base].end = at;
		find_bounded(s);
	}
	for (uint32_t i = 0; i < s->n; i++) {
		struct interval *iv = &s->iv[i];

		iv->crosses = iv->used && crosses_call(s, iv);
		/* parameters arrive in r1-r4: they move out of each other's way */
		iv->crosses |= i >= 1 && i <= s->f->nparams;
	}
}

static int by_start(const void *a, const void *b)
{
	const struct interval *x = *(struct interval *const *)a, *y = *(struct interval *const *)b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->temp < y->temp ? -1 : x->temp > y->temp;
}

/* Returns the place of IV among those of a slot: those before it begin no later. */
static uint32_t place_in(const struct slot *slot, const struct interval *iv)
{
	uint32_t n = slot->held.len;

	while (n && slot->held.data[n - 1]->start > iv->start)
		n--;
	return n;
}

/* True if none of the slot is alive together with IV, which would be at place AT. */
static bool is_free(const struct slot *slot, const struct interval *iv, uint32_t at)
{
	return (!at || slot->held.data[at - 1]->end <= iv->start) &&
		(at == slot->held.len || slot->held.data[at]->start >= iv->end);
}

static void put_in(struct scan *s, struct slot *slot, const struct interval *iv, uint32_t at)
{
	vec_push(s->arena, &slot->held, iv);
	for (uint32_t i = slot->held.len - 1; i > at; i--)
		slot->held.data[i] = slot->held.data[i - 1];
	slot->held.data[at] = iv;
}

/* Put IV in the first free slot of MOST; false if there is none. */
static bool put(struct scan *s, slots_vec *to, struct interval *iv, uint32_t most)
{
	uint32_t n = 0, at = 0;

	for (; n < to->len; n++) {
		at = place_in(&to->data[n], iv);
		if (is_free(&to->data[n], iv, at))
			break;
	}
	if (n == most)
		return false;
	if (n == to->len) {
		vec_add(s->arena, to);
		at = 0;
	}
	put_in(s, &to->data[n], iv, at);
	s->out->slot[iv->temp] = n;
	return true;
}

/* Spill IV for its whole life. */
static void spill(struct scan *s, struct interval *iv)
{
	if (fits_scratch(s, iv) && put(s, &s->scratch, iv, SPILL_ROOM / 8)) {
		s->out->reg[iv->temp] = REG_SCRATCH;
		return;
	}
	put(s, &s->stack, iv, UINT32_MAX);
	s->out->reg[iv->temp] = REG_SPILLED;
	s->out->nslots = s->stack.len;
}

static void give_register(struct scan *s, struct interval *iv, int reg)
{
	s->out->reg[iv->temp] = reg;
	s->holder[reg] = iv;
}

static bool suits(const struct interval *iv, int reg)
{
	return reg >= 6 || !iv->crosses;
}

static void allocate(struct scan *s, struct interval *iv)
{
	static const int order[] = {1, 2, 3, 4, 6, 7, 8, 9};
	struct interval *last = NULL;
	int hint = iv->hint ? s->out->reg[iv->hint] : 0;

	if (hint > 0 && suits(iv, hint) && !s->holder[hint]) {
		give_register(s, iv, hint);
		return;
	}
	for (unsigned i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (suits(iv, order[i]) && !s->holder[order[i]]) {
			give_register(s, iv, order[i]);
			return;
		}
	}
	/* none is free: what is needed last goes to the stack */
	for (unsigned i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		struct interval *h = s->holder[order[i]];

		if (suits(iv, order[i]) && (!last || h->end > last->end))
			last = h;
	}
	if (last && last->end > iv->end) {
		int reg = s->out->reg[last->temp];

		spill(s, last);
		give_register(s, iv, reg);
	} else {
		spill(s, iv);
	}
}

struct allocation *regalloc(struct arena *a, const struct ir_func *f)
{
	struct scan s = {.arena = a, .f = f, .n = f->temps.len + 1};
	struct interval **sorted = arena_new_array(a, struct interval *, s.n);
	uint32_t n = 0;

	s.out = arena_new_obj(a, struct allocation);
	s.out->reg = arena_new_array(a, int, s.n);
	s.out->slot = arena_new_array(a, uint32_t, s.n);
	s.iv = arena_new_array(a, struct interval, s.n);
	find_intervals(&s);
	for (uint32_t i = 0; i < s.n; i++)
		if (s.iv[i].used && (s.iv[i].end > s.iv[i].start || i <= f->nparams))
			sorted[n++] = &s.iv[i]; /* else nobody reads it: register 0 */
	qsort(sorted, n, sizeof(*sorted), by_start);
	for (uint32_t i = 0; i < n; i++) {
		for (int r = 0; r < 10; r++)
			if (s.holder[r] && s.holder[r]->end <= sorted[i]->start &&
				s.holder[r]->start < sorted[i]->start)
				s.holder[r] = NULL;
		allocate(&s, sorted[i]);
	}
	return s.out;
}
