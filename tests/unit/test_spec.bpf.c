// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* Calls the speculation functions on behalf of test_spec.c: the argument is the context's first. */
#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>

#include "abi/kernel.h"

extern unsigned long dt_speculation(void);
extern unsigned long dt_spec_enter(unsigned long, unsigned long, unsigned long);
extern unsigned long dt_spec_take(unsigned long, unsigned long, unsigned long);
extern unsigned long dt_spec_give(unsigned long, unsigned long);
extern unsigned long dt_spec_end(unsigned long);

/* As the run-time library has it. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, 4);
	__type(value, struct dt_spec);
	__uint(max_entries, 1);
} dt_specs SEC(".maps");

#define LIMIT	100 /* bytes of a speculation */
#define ROUNDS	50
#define MAX_IDS 8

/* Of each number, how many think that they have it; then how often too many did, and how often it
 * was given out. */
struct owners {
	__u64 now[MAX_IDS], wrong, taken;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__type(key, __u32);
	__type(value, struct owners);
	__uint(max_entries, 1);
} owners SEC(".maps");

SEC("dt/take")
int take(void *ctx)
{
	return (int)dt_speculation();
}

/* 0 when WORD is 0, 1 when it is as it should be. */
static inline int shape(__u64 word, __u64 id)
{
	if (!word)
		return 0;
	return (word & 0xff) || (__u32)word >> 8 != id || !(word >> 32) ? 2 : 1;
}

SEC("dt/active")
int active(struct bpf_raw_tracepoint_args *ctx)
{
	return shape(dt_spec_enter(ctx->args[0], ctx->args[1], LIMIT), ctx->args[0]);
}

SEC("dt/more")
int more(struct bpf_raw_tracepoint_args *ctx)
{
	return (int)dt_spec_take(ctx->args[0], ctx->args[1], LIMIT);
}

SEC("dt/give")
int give(struct bpf_raw_tracepoint_args *ctx)
{
	return (int)dt_spec_give(ctx->args[0], ctx->args[1]);
}

SEC("dt/end")
int end(struct bpf_raw_tracepoint_args *ctx)
{
	return shape(dt_spec_end(ctx->args[0]), ctx->args[0]);
}

static inline void own(struct owners *o, __u32 id)
{
	__u32 i = id - 1;
	__u64 *now;

	if (!bpf_map_lookup_elem(&dt_specs, &i))
		return;
	now = &o->now[id % MAX_IDS];
	__sync_fetch_and_add(&o->taken, 1);
	if (__sync_fetch_and_add(now, 1) || !dt_spec_enter(id, 8, LIMIT))
		__sync_fetch_and_add(&o->wrong, 1);
	__sync_fetch_and_add(now, -1ull);
	if (!dt_spec_end(id)) /* from here on it may be another's */
		__sync_fetch_and_add(&o->wrong, 1);
}

/* Take and give back, again and again. */
SEC("dt/hammer")
int hammer(void *ctx)
{
	__u32 zero = 0;
	struct owners *o = bpf_map_lookup_elem(&owners, &zero);

	for (int i = 0; o && i < ROUNDS; i++)
		own(o, (__u32)dt_speculation());
	return 0;
}

char test_license[] SEC("license") = "Dual BSD/GPL";
