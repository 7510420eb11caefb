// SPDX-License-Identifier: Apache-2.0
/* Resolves forward jumps, and relays those that are too long for 16 bits. */
#include "bpf/jumps.h"

#include "base/arena.h"
#include "bpf/code.h"
#include "ir/ir.h"

/* Of linux/bpf.h of kernels newer than the headers here: a jump of 32 bits, in imm. */
#define BPF_GOTOL (BPF_JMP32 | BPF_JA)

void jumps_begin(struct jumps *j, struct arena *a, struct bpf_code *code, const struct ir_func *f,
	const struct bpf_kernel *kernel)
{
	*j = (struct jumps){.arena = a, .code = code, .kernel = kernel};
	j->waiting = arena_new_array(a, uint32_t, f->blocks.len + 1);
	j->relays = arena_new_array(a, uint32_t, f->blocks.len + 1);
}

/* ---- distances ---- */

/*
 * Returns the most instructions that the kernel makes of IN: for the look-up of an array's element
 * and bpf_loop() it has its own code in place of the call, a division gets its tests (fixup code of
 * kernel/bpf/verifier.c), and with net.core.bpf_jit_harden=2 constants are hidden in three
 * instructions (bpf_jit_blind_insn() of kernel/bpf/core.c).
 */
static uint32_t length_of(const struct bpf_insn *in)
{
	uint8_t class = BPF_CLASS(in->code), op = BPF_OP(in->code);

	if (class == BPF_JMP && op == BPF_CALL)
		return 24;
	if ((class == BPF_ALU || class == BPF_ALU64) && (op == BPF_DIV || op == BPF_MOD))
		return 8;
	if (class == BPF_LDX)
		return 4; /* of the context */
	return class == BPF_STX ? 1 : 3;
}

static void measure(struct jumps *j)
{
	for (; j->measured < j->code->insns.len; j->measured++)
		j->at += length_of(&j->code->insns.data[j->measured]);
}

/* ---- jumps ---- */

static void add(struct jumps *j, uint32_t insn, uint32_t block, bool is_long)
{
	struct jump *jump;

	measure(j);
	jump = vec_add(j->arena, &j->all);
	*jump = (struct jump){.insn = insn,
		.block = block,
		.next = j->waiting[block],
		.at = j->at,
		.is_long = is_long};
	j->waiting[block] = j->all.len;
}

void jumps_add(struct jumps *j, uint32_t insn, uint32_t block)
{
	add(j, insn, block, false);
}

static void resolve(struct jumps *j, struct jump *jump, uint32_t to)
{
	struct bpf_insn *in = &j->code->insns.data[jump->insn];
	int32_t off = (int32_t)(to - jump->insn - 1);

	if (jump->is_long)
		in->imm = off;
	else
		in->off = (int16_t)off;
	jump->done = true;
}

void jumps_land(struct jumps *j, uint32_t block)
{
	for (uint32_t i = j->waiting[block]; i; i = j->all.data[i - 1].next)
		if (!j->all.data[i - 1].done)
			resolve(j, &j->all.data[i - 1], j->code->insns.len);
	j->waiting[block] = 0;
}

/* ---- relays ---- */

#define REACH INT16_MAX
#define LATE  (REACH / 4 * 3) /* a jump that has come so far is relayed at the next chance */
#define OLD   (REACH / 2)     /* and with it those that have come so far */

static void emit_jump(struct jumps *j, uint32_t block)
{
	struct bpf_insn *in = vec_add(j->arena, &j->code->insns);
	bool has_long = j->kernel && j->kernel->has_long_jumps(j->kernel->arg);

	in->code = has_long ? BPF_GOTOL : BPF_JMP | BPF_JA;
	add(j, j->code->insns.len - 1, block, has_long);
}

/* True if the next instruction is reached from the one before it. */
static bool falls_through(const struct jumps *j)
{
	const struct bpf_insn *last = &vec_last(&j->code->insns);

	return last->code != (BPF_JMP | BPF_JA) && last->code != (BPF_JMP | BPF_EXIT);
}

static bool waits(const struct jump *jump)
{
	return !jump->done && !jump->is_long;
}

/* Relay all jumps that are OLD, one relay for those to one block. */
static void relay(struct jumps *j)
{
	uint32_t n = j->all.len, first = j->code->insns.len, over = 0;
	bool passed = falls_through(j);

	if (passed) {
		over = first++;
		vec_add(j->arena, &j->code->insns)->code = BPF_JMP | BPF_JA;
	}
	for (uint32_t i = j->oldest; i < n && j->at - j->all.data[i].at > OLD; i++) {
		uint32_t block = j->all.data[i].block;

		if (!waits(&j->all.data[i]))
			continue;
		if (j->relays[block] < first) { /* of an earlier group, or none */
			j->relays[block] = j->code->insns.len;
			emit_jump(j, block);
		}
		resolve(j, &j->all.data[i], j->relays[block]);
	}
	if (passed)
		j->code->insns.data[over].off = (int16_t)(j->code->insns.len - over - 1);
}

void jumps_relay(struct jumps *j)
{
	measure(j);
	while (j->oldest < j->all.len && !waits(&j->all.data[j->oldest]))
		j->oldest++;
	if (j->oldest < j->all.len && j->at - j->all.data[j->oldest].at > LATE)
		relay(j);
}
