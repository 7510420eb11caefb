// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* An object of the compiler's shape, for test_load.c to load. */
#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>

#include "abi/kernel.h"

struct dt_state dt_state SEC(DT_SEC_STATE);

/* Counts of firings; the process and the system call to count. */
struct counts {
	__u64 begin, end, enter, clock[64];
	__u64 tgid, nr;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__type(key, __u32);
	__type(value, struct counts);
	__uint(max_entries, 1);
} counts SEC(".maps");

static inline struct counts *get(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&counts, &zero);
}

static inline int is(enum dt_activity activity)
{
	return *(volatile __u32 *)&dt_state.activity == activity;
}

SEC("dt/begin")
int begin(__u64 *ctx)
{
	struct counts *c = get();

	if (c && is(DT_BEGINNING))
		c->begin += 1 + ctx[5];
	return 0;
}

SEC("dt/end")
int end(__u64 *ctx)
{
	struct counts *c = get();

	if (c && is(DT_ENDING))
		c->end++;
	return 0;
}

/* sys_enter(struct pt_regs *regs, long id) */
SEC("dt/enter")
int enter(__u64 *ctx)
{
	struct counts *c = get();

	if (!c || !is(DT_ACTIVE) || ctx[1] != c->nr)
		return 0;
	if (bpf_get_current_pid_tgid() >> 32 == c->tgid)
		__sync_fetch_and_add(&c->enter, 1);
	return 0;
}

SEC("dt/clock")
int clock(void *ctx)
{
	struct counts *c = get();
	__u32 cpu = bpf_get_smp_processor_id();

	if (c && cpu < 64 && is(DT_ACTIVE))
		c->clock[cpu]++;
	return 0;
}

/* The verifier refuses it: there are no hundred arguments. */
SEC("dt/refused")
int refused(__u64 *ctx)
{
	return ctx[100] != 0;
}

char test_license[] SEC("license") = "Dual BSD/GPL";
