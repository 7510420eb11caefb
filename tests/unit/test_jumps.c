// SPDX-License-Identifier: Apache-2.0
/*
 * Jumps over any distance: followed through their relays, each comes to its block, no jump of 16
 * bits is longer than the kernel's rewriting leaves room for, and code with short jumps alone has
 * no relays.
 */
#include "base/arena.h"
#include "base/vec.h"
#include "bpf/code.h"
#include "bpf/jumps.h"
#include "ir/ir.h"
#include "test.h"

#define MARK  (BPF_ALU64 | BPF_MOV | BPF_K) /* imm: what stands here */
#define GOTOL (BPF_JMP32 | BPF_JA)

struct made {
	struct bpf_code *code;
	struct ir_func func;
	struct jumps jumps;
	VEC(uint32_t) from, to; /* of each jump: the instruction that follows it, its block */
	uint32_t *at;		/* by block */
};

static void put(struct arena *a, struct made *m, uint8_t code, int32_t imm)
{
	struct bpf_insn *in = vec_add(a, &m->code->insns);

	in->code = code;
	in->imm = imm;
}

static void jump(struct arena *a, struct made *m, uint8_t code, uint32_t block)
{
	put(a, m, code, 0);
	jumps_add(&m->jumps, m->code->insns.len - 1, block);
	vec_push(a, &m->from, m->code->insns.len - 1);
	vec_push(a, &m->to, block);
}

static bool yes(void *arg)
{
	(void)arg;
	return true;
}

/* NBLOCKS blocks of FILL instructions; each jumps to the next one, to one far on and to the last.
 */
static void make(struct arena *a, struct made *m, uint32_t nblocks, uint32_t fill, bool has_long)
{
	static const struct bpf_kernel kernel = {yes, yes, NULL};

	*m = (struct made){.code = arena_new_obj(a, struct bpf_code)};
	m->at = arena_new_array(a, uint32_t, nblocks);
	for (uint32_t b = 0; b < nblocks; b++)
		vec_push(a, &m->func.blocks, arena_new_obj(a, struct ir_block));
	jumps_begin(&m->jumps, a, m->code, &m->func, has_long ? &kernel : NULL);
	for (uint32_t b = 0; b < nblocks; b++) {
		uint32_t far = b + nblocks / 3;

		jumps_relay(&m->jumps);
		jumps_land(&m->jumps, b);
		m->at[b] = m->code->insns.len;
		put(a, m, MARK, (int32_t)b);
		for (uint32_t i = 0; i < fill; i++) {
			jumps_relay(&m->jumps);
			put(a, m, i % 7 ? MARK : BPF_JMP | BPF_CALL, -1);
		}
		if (b + 1 == nblocks)
			break;
		jump(a, m, BPF_JMP | BPF_JEQ | BPF_K, nblocks - 1);
		jump(a, m, BPF_JMP | BPF_JNE | BPF_X, far < nblocks ? far : nblocks - 1);
		if (b % 2)
			jump(a, m, BPF_JMP | BPF_JA, b + 1);
	}
	put(a, m, BPF_JMP | BPF_EXIT, 0);
}

/* Returns where the jump at INSN ends, through relays. */
static uint32_t follow(const struct made *m, uint32_t insn)
{
	const struct bpf_insn *in = &m->code->insns.data[insn];

	for (;;) {
		CHECK(in->code == GOTOL || in->off >= 0);
		insn += 1 + (uint32_t)(in->code == GOTOL ? in->imm : in->off);
		in = &m->code->insns.data[insn];
		if (in->code != GOTOL && in->code != (BPF_JMP | BPF_JA))
			return insn;
	}
}

/* The longest jump of 16 bits, in instructions as the kernel may make of them: they grow. */
static uint32_t longest(struct arena *a, const struct made *m)
{
	uint32_t n = m->code->insns.len, *sum = arena_new_array(a, uint32_t, n + 1), most = 0;

	for (uint32_t i = 0; i < n; i++)
		sum[i + 1] =
			sum[i] + (m->code->insns.data[i].code == (BPF_JMP | BPF_CALL) ? 20 : 3);
	for (uint32_t i = 0; i < n; i++) {
		const struct bpf_insn *in = &m->code->insns.data[i];
		uint32_t length;

		if (BPF_CLASS(in->code) != BPF_JMP || BPF_OP(in->code) == BPF_CALL ||
			BPF_OP(in->code) == BPF_EXIT)
			continue;
		length = sum[i + 1 + (uint32_t)in->off] - sum[i + 1];
		most = length > most ? length : most;
	}
	return most;
}

static uint32_t count(const struct made *m, uint8_t code)
{
	uint32_t n = 0;

	vec_for (in, &m->code->insns)
		n += in->code == code;
	return n;
}

static void check_made(struct arena *a, const struct made *m)
{
	for (uint32_t i = 0; i < m->from.len; i++)
		CHECK_INT(follow(m, m->from.data[i]), m->at[m->to.data[i]]);
	CHECK(longest(a, m) <= INT16_MAX);
}

int main(void)
{
	struct arena *a = arena_new();
	struct made m;

	make(a, &m, 10, 20, true); /* short */
	check_made(a, &m);
	CHECK_INT(m.code->insns.len, 10 * 21 + 9 * 2 + 4 + 1);
	for (int has_long = 0; has_long < 2; has_long++) {
		make(a, &m, 3000, 40, has_long);
		check_made(a, &m);
		CHECK((count(&m, GOTOL) > 0) == has_long);
		make(a, &m, 4, 30000, has_long);
		check_made(a, &m);
		make(a, &m, 6000, 1, has_long);
		check_made(a, &m);
	}
	arena_free(a);
	return test_done();
}
