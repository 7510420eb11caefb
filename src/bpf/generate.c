// SPDX-License-Identifier: Apache-2.0
/* Selects BPF instructions for IR whose registers are allocated. */
#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "bpf/code.h"
#include "bpf/jumps.h"
#include "bpf/regalloc.h"
#include "ir/ir.h"

#include <string.h>

#define REG_A BPF_REG_0 /* free for a value that is in memory, and for results */
#define REG_B BPF_REG_5

struct gen {
	struct arena *arena;
	const struct ir_func *f;
	struct allocation *al;
	struct bpf_code *c;
	struct jumps jumps;
	struct loc loc;
	const struct bpf_kernel *kernel; /* or NULL */
};

/* ---- single instructions ---- */

static void put_insn(struct gen *g, uint8_t code, int dst, int src, int32_t off, int32_t imm)
{
	struct bpf_insn *in = vec_add(g->arena, &g->c->insns);

	in->code = code;
	in->dst_reg = (uint8_t)dst & 0xf;
	in->src_reg = (uint8_t)src & 0xf;
	in->off = (int16_t)off;
	in->imm = imm;
}

static void load_imm64(struct gen *g, int dst, int src, int64_t v)
{
	put_insn(g, BPF_LD | BPF_DW | BPF_IMM, dst, src, 0, (int32_t)v);
	put_insn(g, 0, 0, 0, 0, (int32_t)(v >> 32));
}

static void load_symbol(
	struct gen *g, int dst, enum bpf_reloc_kind kind, const char *sym, int64_t off)
{
	struct bpf_reloc *r = vec_add(g->arena, &g->c->relocs);

	r->insn = g->c->insns.len;
	r->kind = kind;
	r->sym = sym;
	load_imm64(g, dst, 0, off);
}

static void move(struct gen *g, int dst, int src)
{
	if (dst != src)
		put_insn(g, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

static int slot_offset(struct gen *g, uint32_t temp)
{
	return -8 * (int)(g->al->slot[temp] + 1);
}

static bool far(int32_t off)
{
	return off != (int16_t)off;
}

/* Returns the register for base B: B, or SPARE, to which an offset beyond 16 bits is added. */
static int near_base(struct gen *g, int b, int spare, int32_t *off)
{
	if (!far(*off))
		return b;
	move(g, spare, b);
	put_insn(g, BPF_ALU64 | BPF_ADD | BPF_K, spare, 0, 0, *off);
	*off = 0;
	return spare;
}

/* Returns the base register of spilled temporary T, which may be SPARE; *OFF: its offset. */
static int memory_base(struct gen *g, uint32_t t, int spare, int32_t *off)
{
	uint32_t scratch = g->f->spills.base;
	int base = g->al->reg[scratch];

	if (g->al->reg[t] == REG_SPILLED) {
		*off = slot_offset(g, t);
		return BPF_REG_10;
	}
	*off = (int32_t)(g->f->spills.off + 8 * g->al->slot[t]);
	if (reg_in_memory(base)) {
		put_insn(g, BPF_LDX | BPF_MEM | BPF_DW, spare, BPF_REG_10, slot_offset(g, scratch),
			0);
		base = spare;
	}
	return near_base(g, base, spare, off);
}

static void load_spilled(struct gen *g, int reg, uint32_t t)
{
	int32_t off;
	int base = memory_base(g, t, reg, &off);

	put_insn(g, BPF_LDX | BPF_MEM | BPF_DW, reg, base, off, 0);
}

static int frame_offset(struct gen *g, int64_t value)
{
	return -8 * (int)g->al->nslots - (int)g->f->frame_size + (int)value;
}

static uint32_t temp_of(struct gen *g, const struct ir_operand *o)
{
	return o->kind == OP_CTX ? g->al->ctx : o->temp;
}

/* Put operand O into register REG. */
static void load_operand(struct gen *g, int reg, const struct ir_operand *o)
{
	switch (o->kind) {
	case OP_CTX:
	case OP_TEMP: {
		uint32_t t = temp_of(g, o);

		if (reg_in_memory(g->al->reg[t]))
			load_spilled(g, reg, t);
		else
			move(g, reg, g->al->reg[t]);
		break;
	}
	case OP_IMM:
		if (o->value == (int32_t)o->value)
			put_insn(g, BPF_ALU64 | BPF_MOV | BPF_K, reg, 0, 0, (int32_t)o->value);
		else
			load_imm64(g, reg, 0, o->value);
		break;
	case OP_FRAME:
		move(g, reg, BPF_REG_10);
		put_insn(g, BPF_ALU64 | BPF_ADD | BPF_K, reg, 0, 0, frame_offset(g, o->value));
		break;
	case OP_MAP:
		load_symbol(g, reg, RELOC_MAP, o->sym, 0);
		break;
	case OP_DATA:
		load_symbol(g, reg, RELOC_DATA, o->sym, o->value);
		break;
	case OP_FUNC:
		load_symbol(g, reg, RELOC_FUNC, o->sym, 0);
		break;
	case OP_NONE:
		break;
	}
}

/* Returns the register that holds O; loads it into SPARE if it is in none. */
static int in_register(struct gen *g, const struct ir_operand *o, int spare)
{
	if ((o->kind == OP_TEMP || o->kind == OP_CTX) && !reg_in_memory(g->al->reg[temp_of(g, o)]))
		return g->al->reg[temp_of(g, o)];
	load_operand(g, spare, o);
	return spare;
}

/*
 * Returns the register to compute temporary T in; store_back() moves it to memory if it lives
 * there.
 */
static int target(struct gen *g, uint32_t t)
{
	return reg_in_memory(g->al->reg[t]) ? REG_A : g->al->reg[t];
}

static void store_back(struct gen *g, uint32_t t)
{
	int32_t off;
	int base;

	if (!reg_in_memory(g->al->reg[t]))
		return;
	base = memory_base(g, t, REG_B, &off);
	put_insn(g, BPF_STX | BPF_MEM | BPF_DW, base, REG_A, off, 0);
}

static bool fits_imm(const struct ir_operand *o)
{
	return o->kind == OP_IMM && o->value == (int32_t)o->value;
}

/* ---- arithmetic ---- */

static const uint8_t alu_ops[IR_OP_MAX] = {
	[IR_ADD] = BPF_ADD,
	[IR_SUB] = BPF_SUB,
	[IR_MUL] = BPF_MUL,
	[IR_DIV] = BPF_DIV,
	[IR_MOD] = BPF_MOD,
	[IR_AND] = BPF_AND,
	[IR_OR] = BPF_OR,
	[IR_XOR] = BPF_XOR,
	[IR_SHL] = BPF_LSH,
	[IR_SHR] = BPF_RSH,
	[IR_SAR] = BPF_ARSH,
};

static void gen_alu(struct gen *g, const struct ir_insn *in)
{
	int dst = target(g, in->dst);
	int work = dst;

	if (fits_imm(&in->b)) {
		load_operand(g, work, &in->a);
		put_insn(g, BPF_ALU64 | alu_ops[in->op] | BPF_K, work, 0, 0, (int32_t)in->b.value);
	} else {
		int b = in_register(g, &in->b, REG_B);

		if (b == work) /* loading a would destroy b */
			work = REG_A;
		load_operand(g, work, &in->a);
		put_insn(g, BPF_ALU64 | alu_ops[in->op] | BPF_X, work, b, 0, 0);
	}
	move(g, dst, work);
	store_back(g, in->dst);
}

static void gen_extend(struct gen *g, const struct ir_insn *in)
{
	int dst = target(g, in->dst), up = 64 - 8 * in->size;

	if (in->op == IR_ZEXT && in->size == 4) {
		int a = in_register(g, &in->a, REG_B);

		put_insn(g, BPF_ALU | BPF_MOV | BPF_X, dst, a, 0, 0);
	} else {
		load_operand(g, dst, &in->a);
		if (in->op == IR_ZEXT) {
			put_insn(g, BPF_ALU64 | BPF_AND | BPF_K, dst, 0, 0,
				in->size == 1 ? 0xff : 0xffff);
		} else {
			put_insn(g, BPF_ALU64 | BPF_LSH | BPF_K, dst, 0, 0, up);
			put_insn(g, BPF_ALU64 | BPF_ARSH | BPF_K, dst, 0, 0, up);
		}
	}
	store_back(g, in->dst);
}

static void gen_swap(struct gen *g, const struct ir_insn *in)
{
	int dst = target(g, in->dst);

	load_operand(g, dst, &in->a);
	put_insn(g, BPF_ALU | BPF_END | BPF_TO_BE, dst, 0, 0, 8 * in->size);
	store_back(g, in->dst);
}

/* ---- memory ---- */

static uint8_t size_bits(unsigned size)
{
	return size == 1 ? BPF_B : size == 2 ? BPF_H : size == 4 ? BPF_W : BPF_DW;
}

/* The base register of an access; *OFF becomes the instruction's offset. */
static int base(struct gen *g, const struct ir_insn *in, int32_t *off)
{
	*off = in->off;
	if (in->a.kind == OP_FRAME) {
		*off = frame_offset(g, in->a.value + in->off);
		return BPF_REG_10;
	}
	return in_register(g, &in->a, REG_B);
}

static void gen_load(struct gen *g, const struct ir_insn *in)
{
	int dst = target(g, in->dst);
	int32_t off;
	int b = base(g, in, &off);

	b = near_base(g, b, REG_B, &off);
	put_insn(g, BPF_LDX | BPF_MEM | size_bits(in->size), dst, b, off, 0);
	store_back(g, in->dst);
}

/* With it an addition is ordered; older kernels run on machines here whose additions always are. */
static bool fetches(const struct gen *g)
{
	return !g->kernel || g->kernel->has_fetch(g->kernel->arg);
}

static void gen_store(struct gen *g, const struct ir_insn *in)
{
	int32_t off;
	int b = base(g, in, &off), v;

	b = near_base(g, b, REG_B, &off);
	if (in->op == IR_STORE && fits_imm(&in->b)) {
		put_insn(
			g, BPF_ST | BPF_MEM | size_bits(in->size), b, 0, off, (int32_t)in->b.value);
		return;
	}
	v = in_register(g, &in->b, REG_A);
	if (in->op == IR_XADD)
		put_insn(g, BPF_STX | BPF_ATOMIC | size_bits(in->size), b, v, off,
			BPF_ADD | (in->publishes && fetches(g) ? BPF_FETCH : 0));
	else
		put_insn(g, BPF_STX | BPF_MEM | size_bits(in->size), b, v, off, 0);
}

/* ---- calls ---- */

#define NO_REG (-1)

/* The register that an argument of a call comes from; NO_REG: a constant, address or slot. */
static int arg_source(struct gen *g, const struct ir_operand *o)
{
	int reg;

	if (o->kind != OP_TEMP && o->kind != OP_CTX)
		return NO_REG;
	reg = g->al->reg[temp_of(g, o)];
	return reg_in_memory(reg) ? NO_REG : reg;
}

/* Move arguments to r1.. as if all at once: one may sit in another's target. */
static void gen_args(struct gen *g, const struct ir_insn *in)
{
	bool done[IR_MAX_ARGS] = {false};
	int from[IR_MAX_ARGS];
	uint32_t left = in->nargs;

	for (uint32_t i = 0; i < in->nargs; i++)
		from[i] = arg_source(g, &in->args[i]);
	while (left) {
		bool moved = false;

		for (uint32_t i = 0; i < in->nargs; i++) {
			bool blocked = false;

			for (uint32_t k = 0; k < in->nargs; k++)
				blocked |= !done[k] && k != i && from[k] == (int)i + 1;
			if (done[i] || blocked)
				continue;
			if (from[i] != NO_REG)
				move(g, (int)i + 1, from[i]);
			else
				load_operand(g, (int)i + 1, &in->args[i]);
			done[i] = moved = true;
			left--;
		}
		if (moved)
			continue;
		/* a cycle: free one register by way of r0 */
		for (uint32_t i = 0; i < in->nargs; i++) {
			if (!done[i] && from[i] != NO_REG) {
				int old = from[i];

				move(g, REG_A, old);
				for (uint32_t k = 0; k < in->nargs; k++)
					if (!done[k] && from[k] == old)
						from[k] = REG_A;
				break;
			}
		}
	}
}

static void gen_call(struct gen *g, const struct ir_insn *in)
{
	gen_args(g, in);
	if (in->op == IR_RT) {
		struct bpf_reloc *r = vec_add(g->arena, &g->c->relocs);

		r->insn = g->c->insns.len;
		r->kind = RELOC_CALL;
		r->sym = in->sym;
		put_insn(g, BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, -1);
	} else {
		put_insn(g, BPF_JMP | BPF_CALL, 0, 0, 0, (int32_t)in->imm);
	}
	if (!in->dst || g->al->reg[in->dst] == 0)
		return;
	if (reg_in_memory(g->al->reg[in->dst]))
		store_back(g, in->dst);
	else
		move(g, g->al->reg[in->dst], BPF_REG_0);
}

/* ---- jumps ---- */

static void jump_to(
	struct gen *g, uint8_t code, int dst, int src, int32_t imm, const struct ir_block *to)
{
	put_insn(g, code, dst, src, 0, imm);
	jumps_add(&g->jumps, g->c->insns.len - 1, to->number);
}

static const uint8_t jump_ops[] = {
	[COND_EQ] = BPF_JEQ,
	[COND_NE] = BPF_JNE,
	[COND_LT] = BPF_JLT,
	[COND_LE] = BPF_JLE,
	[COND_GT] = BPF_JGT,
	[COND_GE] = BPF_JGE,
	[COND_SLT] = BPF_JSLT,
	[COND_SLE] = BPF_JSLE,
	[COND_SGT] = BPF_JSGT,
	[COND_SGE] = BPF_JSGE,
	[COND_SET] = BPF_JSET,
};

static const enum ir_cond opposite[] = {
	[COND_EQ] = COND_NE,
	[COND_NE] = COND_EQ,
	[COND_LT] = COND_GE,
	[COND_LE] = COND_GT,
	[COND_GT] = COND_LE,
	[COND_GE] = COND_LT,
	[COND_SLT] = COND_SGE,
	[COND_SLE] = COND_SGT,
	[COND_SGT] = COND_SLE,
	[COND_SGE] = COND_SLT,
	[COND_SET] = COND_SET,
};

/*
 * True if block number TO is what follows when NEXT is: no instructions are made of the blocks
 * between.  (For each jump to the next instruction the kernel would move the rest of the program.)
 */
static bool follows(const struct gen *g, uint32_t next, uint32_t to)
{
	for (; next < to; next++) {
		const struct ir_block *b = g->f->blocks.data[next];

		if (b->insns.len != 1 || b->insns.data[0].op != IR_JMP ||
			b->insns.data[0].then->number > to)
			return false;
	}
	return next == to;
}

static void gen_branch(struct gen *g, const struct ir_insn *in, uint32_t next)
{
	const struct ir_block *yes = in->then, *no = in->orelse;
	enum ir_cond cond = in->cond;
	int a = in_register(g, &in->a, REG_A);

	if (yes->number == next && cond != COND_SET) {
		cond = opposite[cond];
		yes = in->orelse;
		no = in->then;
	}
	if (fits_imm(&in->b)) {
		jump_to(g, BPF_JMP | jump_ops[cond] | BPF_K, a, 0, (int32_t)in->b.value, yes);
	} else {
		int b = in_register(g, &in->b, REG_B);

		jump_to(g, BPF_JMP | jump_ops[cond] | BPF_X, a, b, 0, yes);
	}
	if (!follows(g, next, no->number))
		jump_to(g, BPF_JMP | BPF_JA, 0, 0, 0, no);
}

/* ---- the function ---- */

static void gen_insn(struct gen *g, const struct ir_insn *in, uint32_t next)
{
	switch (in->op) {
	case IR_MOV:
		load_operand(g, target(g, in->dst), &in->b);
		store_back(g, in->dst);
		break;
	case IR_SEXT:
	case IR_ZEXT:
		gen_extend(g, in);
		break;
	case IR_SWAP:
		gen_swap(g, in);
		break;
	case IR_LOAD:
		gen_load(g, in);
		break;
	case IR_STORE:
	case IR_XADD:
		gen_store(g, in);
		break;
	case IR_CALL:
	case IR_RT:
		gen_call(g, in);
		break;
	case IR_JMP:
		if (!follows(g, next, in->then->number))
			jump_to(g, BPF_JMP | BPF_JA, 0, 0, 0, in->then);
		break;
	case IR_BR:
		gen_branch(g, in, next);
		break;
	case IR_RET:
		put_insn(g, BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, (int32_t)in->imm);
		put_insn(g, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
		break;
	default:
		gen_alu(g, in);
		break;
	}
}

static void mark_line(struct gen *g, const struct loc *loc)
{
	struct bpf_line *l;

	if (!loc->src || (g->c->lines.len && loc->src == g->loc.src && loc->line == g->loc.line))
		return;
	if (g->c->lines.len && vec_last(&g->c->lines).insn == g->c->insns.len)
		l = &vec_last(&g->c->lines);
	else
		l = vec_add(g->arena, &g->c->lines);
	l->insn = g->c->insns.len;
	l->loc = g->loc = *loc;
}

/* Parameters and the context arrive in r1.. and go to where they were allocated. */
static void gen_entry(struct gen *g)
{
	mark_line(g, &g->f->loc);
	for (uint32_t i = 1; i <= g->f->nparams; i++) {
		if (g->al->reg[i] == REG_SPILLED)
			put_insn(g, BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, (int)i,
				slot_offset(g, i), 0);
		else
			move(g, g->al->reg[i], (int)i);
	}
	if (g->al->ctx) {
		if (g->al->reg[g->al->ctx] == REG_SPILLED)
			put_insn(g, BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, BPF_REG_1,
				slot_offset(g, g->al->ctx), 0);
		else
			move(g, g->al->reg[g->al->ctx], BPF_REG_1);
	}
}

/* A block's last instruction may fall through to the next block, or be a jump. */
static bool is_last(const struct ir_block *b, const struct ir_insn *in)
{
	return in == &vec_last(&b->insns);
}

struct bpf_code *bpf_generate(
	struct arena *a, const struct ir_func *f, const struct bpf_kernel *kernel)
{
	struct gen g = {.arena = a, .f = f, .kernel = kernel};

	g.c = arena_new_obj(a, struct bpf_code);
	g.c->func = f;
	g.al = regalloc(a, f);
	jumps_begin(&g.jumps, a, g.c, f, kernel);
	g.c->stack = 8 * g.al->nslots + f->frame_size;
	gen_entry(&g);
	for (uint32_t b = 0; b < f->blocks.len; b++) {
		jumps_relay(&g.jumps);
		jumps_land(&g.jumps, b);
		vec_for (in, &f->blocks.data[b]->insns) {
			mark_line(&g, &in->loc);
			gen_insn(&g, in, b + 1);
			if (!is_last(f->blocks.data[b], in))
				jumps_relay(&g.jumps);
		}
	}
	return g.c;
}
