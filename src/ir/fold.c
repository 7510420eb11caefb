// SPDX-License-Identifier: Apache-2.0
/*
 * Constant folding.  The parameters of D functions are slots of the stack frame, so a constant
 * argument reaches its uses through a store and loads.  Values are followed along blocks with one
 * predecessor; where ways meet, nothing is known.
 */
#include "ir/fold.h"

#include <linux/bpf.h>

#include "base/arena.h"
#include "base/vec.h"
#include "ir/ir.h"

#define MAX_SLOTS 8

/* Slots of eight bytes in the stack frame that hold a constant. */
struct slots {
	uint32_t n;
	int64_t offset[MAX_SLOTS], value[MAX_SLOTS];
};

struct fold {
	struct ir_func *f;
	int64_t escaped; /* the lowest offset of the frame that is written through a pointer */
	uint32_t *defs;	 /* how often a temporary is assigned */
	bool *known;	 /* it is a constant */
	int64_t *value;
	uint32_t *preds;     /* predecessors of a block */
	struct slots *slots; /* at the begin of a block, if it has one predecessor */
};

/* Map functions read keys and values. */
static bool reads_only(const struct ir_insn *in)
{
	return in->op == IR_CALL &&
		(in->imm == BPF_FUNC_map_lookup_elem || in->imm == BPF_FUNC_map_update_elem ||
			in->imm == BPF_FUNC_map_delete_elem);
}

static void find_escapes(struct fold *x, const struct ir_insn *in)
{
	if (in->op == IR_MOV && in->b.kind == OP_FRAME && in->b.value < x->escaped)
		x->escaped = in->b.value;
	for (uint32_t i = 0; i < in->nargs && !reads_only(in); i++)
		if (in->args[i].kind == OP_FRAME && in->args[i].value < x->escaped)
			x->escaped = in->args[i].value;
}

static void scan(struct fold *x)
{
	for (uint32_t i = 0; i < x->f->nparams; i++)
		x->defs[i + 1] = 2;
	for (uint32_t b = 0; b < x->f->blocks.len; b++) {
		vec_for (in, &x->f->blocks.data[b]->insns) {
			if (in->dst)
				x->defs[in->dst]++;
			find_escapes(x, in);
		}
	}
}

static void forget(struct slots *s, int64_t offset, unsigned size)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		if (s->offset[i] + 8 > offset && s->offset[i] < offset + size)
			continue;
		s->offset[n] = s->offset[i];
		s->value[n++] = s->value[i];
	}
	s->n = n;
}

static void fold_store(const struct fold *x, struct slots *s, const struct ir_insn *in)
{
	int64_t offset = in->a.value + in->off;

	if (in->a.kind != OP_FRAME)
		return;
	forget(s, offset, in->size);
	if (in->op != IR_STORE || in->size != 8 || in->b.kind != OP_IMM || s->n == MAX_SLOTS ||
		offset + 8 > x->escaped)
		return;
	s->offset[s->n] = offset;
	s->value[s->n++] = in->b.value;
}

/* Turns IN into a move of V. */
static void become(struct ir_insn *in, int64_t v)
{
	in->op = IR_MOV;
	in->a = (struct ir_operand){.kind = OP_NONE};
	in->b = (struct ir_operand){.kind = OP_IMM, .value = v};
}

static void fold_load(const struct slots *s, struct ir_insn *in)
{
	int64_t offset = in->a.value + in->off;

	if (in->a.kind != OP_FRAME || in->size != 8)
		return;
	for (uint32_t i = 0; i < s->n; i++) {
		if (s->offset[i] == offset) {
			become(in, s->value[i]);
			return;
		}
	}
}

static int64_t extended(const struct ir_insn *in, int64_t v)
{
	unsigned bits = 64 - 8 * in->size;
	uint64_t high = (uint64_t)v << bits;

	return in->op == IR_SEXT ? (int64_t)high >> bits : (int64_t)(high >> bits);
}

/* Computes A op B as the processor does; false if OP is not folded. */
static bool compute(const struct ir_insn *in, int64_t a, int64_t b, int64_t *out)
{
	uint64_t ua = (uint64_t)a, ub = (uint64_t)b;

	switch (in->op) {
	case IR_ADD:
		*out = (int64_t)(ua + ub);
		return true;
	case IR_SUB:
		*out = (int64_t)(ua - ub);
		return true;
	case IR_MUL:
		*out = (int64_t)(ua * ub);
		return true;
	case IR_DIV:
	case IR_MOD:
		if (!ub)
			return false;
		*out = (int64_t)(in->op == IR_DIV ? ua / ub : ua % ub);
		return true;
	case IR_AND:
		*out = a & b;
		return true;
	case IR_OR:
		*out = a | b;
		return true;
	case IR_XOR:
		*out = a ^ b;
		return true;
	case IR_SHL:
	case IR_SHR:
	case IR_SAR:
		if (ub > 63)
			return false;
		*out = in->op == IR_SHL	   ? (int64_t)(ua << ub)
			: in->op == IR_SHR ? (int64_t)(ua >> ub)
					   : a >> ub;
		return true;
	default:
		return false;
	}
}

static bool holds(enum ir_cond cond, int64_t a, int64_t b)
{
	uint64_t ua = (uint64_t)a, ub = (uint64_t)b;

	switch (cond) {
	case COND_EQ:
		return a == b;
	case COND_NE:
		return a != b;
	case COND_LT:
		return ua < ub;
	case COND_LE:
		return ua <= ub;
	case COND_GT:
		return ua > ub;
	case COND_GE:
		return ua >= ub;
	case COND_SLT:
		return a < b;
	case COND_SLE:
		return a <= b;
	case COND_SGT:
		return a > b;
	case COND_SGE:
		return a >= b;
	case COND_SET:
		return (a & b) != 0;
	}
	return false;
}

static bool constant(const struct fold *x, const struct ir_operand *o, int64_t *v)
{
	if (o->kind == OP_IMM)
		*v = o->value;
	else if (o->kind == OP_TEMP && x->known[o->temp])
		*v = x->value[o->temp];
	else
		return false;
	return true;
}

/* Turns "x + 0" and "x - 0" into x, which costs nothing if both are in one register. */
static void drop_zero(const struct fold *x, struct ir_insn *in)
{
	const enum ir_type *types = x->f->temps.data;
	int64_t b;

	if ((in->op != IR_ADD && in->op != IR_SUB) || in->a.kind != OP_TEMP ||
		types[in->a.temp] != types[in->dst] || !constant(x, &in->b, &b) || b)
		return;
	in->op = IR_MOV;
	in->b = in->a;
	in->a = (struct ir_operand){.kind = OP_NONE};
}

static void fold_insn(struct fold *x, struct slots *s, struct ir_insn *in)
{
	int64_t a = 0, b = 0, v;

	switch (in->op) {
	case IR_STORE:
	case IR_XADD:
		if (in->op == IR_STORE && constant(x, &in->b, &b) && b == (int32_t)b)
			in->b = (struct ir_operand){.kind = OP_IMM, .value = b};
		fold_store(x, s, in);
		return;
	case IR_LOAD:
		fold_load(s, in);
		break;
	case IR_SEXT:
	case IR_ZEXT:
		if (constant(x, &in->a, &a))
			become(in, extended(in, a));
		break;
	case IR_BR:
		if (constant(x, &in->a, &a) && constant(x, &in->b, &b)) {
			in->op = IR_JMP;
			in->then = holds(in->cond, a, b) ? in->then : in->orelse;
			in->orelse = NULL;
			in->a = in->b = (struct ir_operand){.kind = OP_NONE};
		}
		return;
	default:
		if (constant(x, &in->a, &a) && constant(x, &in->b, &b) && compute(in, a, b, &v))
			become(in, v);
		drop_zero(x, in);
		break;
	}
	if (in->op == IR_MOV && x->defs[in->dst] == 1 && constant(x, &in->b, &b)) {
		become(in, b);
		x->known[in->dst] = true;
		x->value[in->dst] = b;
	}
}

/* True if IN is a store to the frame that no load reads; nothing at or above TAKEN has its address
 * taken. */
static bool is_dead_store(const struct ir_insn *in, const bool *read, int64_t taken)
{
	int64_t offset = in->a.value + in->off;

	if (in->op != IR_STORE || in->a.kind != OP_FRAME || offset + in->size > taken)
		return false;
	for (unsigned i = 0; i < in->size; i++)
		if (read[offset + i])
			return false;
	return true;
}

static bool names_frame(const struct ir_insn *in)
{
	for (uint32_t i = 0; i < in->nargs; i++)
		if (in->args[i].kind == OP_FRAME)
			return true;
	return in->a.kind == OP_FRAME || in->b.kind == OP_FRAME;
}

/*
 * True if instruction I of BL writes a slot that is written again before anything can read it: a
 * key is cleared before its parts are known.
 */
static bool is_overwritten(const struct fold *x, const struct ir_block *bl, uint32_t i)
{
	const struct ir_insn *in = &bl->insns.data[i];
	int64_t from = in->a.value + in->off, to = from + in->size;

	if (in->op != IR_STORE || in->a.kind != OP_FRAME || to > x->escaped)
		return false;
	for (uint32_t j = i + 1; j < bl->insns.len; j++) {
		const struct ir_insn *next = &bl->insns.data[j];
		int64_t at = next->a.value + next->off;

		if (next->op != IR_STORE || next->a.kind != OP_FRAME || next->b.kind == OP_FRAME) {
			if (names_frame(next))
				return false;
		} else if (at <= from && at + next->size >= to) {
			return true;
		}
	}
	return false;
}

/* Slots of parameters and results that were constants are never read. */
static void drop_dead_stores(struct arena *a, const struct fold *x)
{
	struct ir_func *f = x->f;
	bool *read = arena_new_array(a, bool, f->frame_size + 1);
	int64_t taken = f->frame_size;

	for (uint32_t b = 0; b < f->blocks.len; b++) {
		if (b && !x->preds[b])
			continue;
		vec_for (in, &f->blocks.data[b]->insns) {
			for (uint32_t i = 0; i < in->nargs; i++)
				if (in->args[i].kind == OP_FRAME && in->args[i].value < taken)
					taken = in->args[i].value;
			if (in->b.kind == OP_FRAME && in->b.value < taken)
				taken = in->b.value;
			if (in->op != IR_LOAD || in->a.kind != OP_FRAME)
				continue;
			for (unsigned i = 0; i < in->size; i++)
				read[in->a.value + in->off + i] = true;
		}
	}
	for (uint32_t b = 0; b < f->blocks.len; b++) {
		struct ir_block *bl = f->blocks.data[b];
		uint32_t n = 0;

		for (uint32_t i = 0; i < bl->insns.len; i++)
			if (!is_dead_store(&bl->insns.data[i], read, taken) &&
				!is_overwritten(x, bl, i))
				bl->insns.data[n++] = bl->insns.data[i];
		bl->insns.len = n;
	}
}

/* Passes what is known at the end of a block to TO; where ways join, nothing is known. */
static void reach(struct fold *x, const struct ir_block *to, const struct slots *s)
{
	if (!to)
		return;
	if (x->preds[to->number]++)
		x->slots[to->number].n = 0;
	else
		x->slots[to->number] = *s;
}

void ir_fold(struct arena *a, struct ir_func *f)
{
	struct fold x = {
		.f = f,
		.escaped = INT64_MAX,
		.defs = arena_new_array(a, uint32_t, f->temps.len),
		.known = arena_new_array(a, bool, f->temps.len),
		.value = arena_new_array(a, int64_t, f->temps.len),
		.preds = arena_new_array(a, uint32_t, f->blocks.len + 1),
		.slots = arena_new_array(a, struct slots, f->blocks.len + 1),
	};

	scan(&x);
	/* jumps go forward: all predecessors of a block come before it */
	for (uint32_t b = 0; b < f->blocks.len; b++) {
		struct ir_block *bl = f->blocks.data[b];
		struct slots s = x.slots[b];

		if (b && !x.preds[b])
			continue;
		vec_for (in, &bl->insns)
			fold_insn(&x, &s, in);
		if (bl->insns.len) {
			reach(&x, vec_last(&bl->insns).then, &s);
			reach(&x, vec_last(&bl->insns).orelse, &s);
		}
	}
	drop_dead_stores(a, &x);
}
