// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Writes records into buffers of bufpolicy=ring, which are written over (struct dt_over in
 * abi/kernel.h).  Programs nest on a CPU, so room is taken and given back by one atomic operation
 * each; and as long as a record is open those inside it may not come round to it, for it would
 * then be written into the newest ones.
 */
#include "rt/rt.h"

struct rt_over_heads {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, sizeof(struct dt_over_head));
	__uint(max_entries, 1);
};
struct rt_over_heads dt_over_heads SEC(".maps");

static inline struct dt_over_head *over_head(void)
{
	__u32 first = 0;

	return bpf_map_lookup_elem(&dt_over_heads, &first);
}

ulong dt_over_claim(ulong bytes, ulong size)
{
	struct dt_over_head *h = over_head();
	__u64 open;

	if (!h)
		return 0;
	open = __sync_val_compare_and_swap(&h->open, 0, h->newest | 1);
	if (open && (open & ~7ull) - (h->newest - bytes) > size)
		return 0;
	return (__sync_fetch_and_sub(&h->newest, bytes) - bytes) | (open ? 0 : DT_OVER_OUTERMOST);
}

static inline void closed(struct dt_over_head *h, ulong pos)
{
	if (pos & DT_OVER_OUTERMOST)
		h->open = 0;
}

ulong dt_over_complete(ulong pos)
{
	struct dt_over_head *h = over_head();

	if (h)
		closed(h, pos);
	return 0;
}

#define NESTING 8 /* how often at most another program gets in between */

static inline void lower(struct dt_over_head *h, __u64 pos)
{
	for (int i = 0; i < NESTING; i++) {
		__u64 lowest = h->lowest;

		if ((__s64)(lowest - pos) <= 0 ||
			__sync_val_compare_and_swap(&h->lowest, lowest, pos) == lowest)
			return;
	}
}

ulong dt_over_unclaim(ulong pos, ulong bytes)
{
	struct dt_over_head *h = over_head();
	__u64 at = pos & ~7ul;

	if (!h)
		return 0;
	lower(h, at);
	__sync_val_compare_and_swap(&h->newest, at, at + bytes);
	closed(h, pos);
	return 0;
}
