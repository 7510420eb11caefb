// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Buffers that are written over (struct dt_over in abi/kernel.h).  Programs can nest and be
 * preempted on a CPU, so room is taken and given back by one atomic operation each.
 */
#include "rt/rt.h"

struct rt_over_heads {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, 8);
	__uint(max_entries, 1);
};
struct rt_over_heads dt_over_heads SEC(".maps");

static inline __u64 *over_head(void)
{
	__u32 first = 0;

	return bpf_map_lookup_elem(&dt_over_heads, &first);
}

ulong dt_over_claim(ulong bytes)
{
	__u64 *head = over_head();

	return head ? __sync_fetch_and_sub(head, bytes) - bytes : 0;
}

ulong dt_over_unclaim(ulong pos, ulong bytes)
{
	__u64 *head = over_head();

	if (head)
		__sync_val_compare_and_swap(head, pos, pos + bytes);
	return 0;
}
