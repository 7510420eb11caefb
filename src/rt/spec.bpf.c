// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Starts and ends speculations.  A word of DT_MAP_SPECS (abi/kernel.h) changes from free to active
 * and back by one compare-and-swap each: so no CPU waits for another and none is given out twice.
 */
#include "rt/rt.h"

#define SPEC_STATE_MASK 0xffull
#define SPEC_ID_SHIFT	8
#define SPEC_GEN_SHIFT	32

/* Both weak: another object may look at them, too. */

/* The loader sets max_entries. */
struct rt_specs {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, 4);
	__type(value, struct dt_spec);
	__uint(max_entries, 1);
};
__weak struct rt_specs dt_specs SEC(".maps");
__weak struct rt_drops dt_drops SEC(".maps");

/* Returns speculation ID; NULL when there is no such. */
static inline struct dt_spec *spec_of(ulong id)
{
	__u32 i = (__u32)id - 1;

	if (id != (__u32)id)
		return NULL;
	return bpf_map_lookup_elem(&dt_specs, &i);
}

static inline __u64 spec_state(__u64 word)
{
	return word & SPEC_STATE_MASK;
}

struct take {
	__u64 id; /* what was taken */
};

static long take_free(__u32 i, struct take *take)
{
	struct dt_spec *spec = bpf_map_lookup_elem(&dt_specs, &i);
	__u64 old, new;

	if (!spec)
		return 1;
	old = *(volatile __u64 *)&spec->word;
	if (spec_state(old) != DT_SPEC_FREE)
		return 0;
	new = ((old >> SPEC_GEN_SHIFT) + 1) << SPEC_GEN_SHIFT | ((__u64)i + 1) << SPEC_ID_SHIFT |
		DT_SPEC_ACTIVE;
	if (__sync_val_compare_and_swap(&spec->word, old, new) != old)
		return 0; /* somebody else was faster */
	spec->used = 0;
	take->id = (__u64)i + 1;
	return 1;
}

ulong dt_speculation(void)
{
	struct take take = {0};

	bpf_loop(dt_conf.nspec, take_free, &take, 0);
	if (!take.id)
		count_drop(DT_DROP_SPECUNAVAIL);
	return take.id;
}

/* Takes SIZE of the LIMIT bytes of SPEC; returns 0, and counts a drop, if there are fewer left. */
static inline int take_room(struct dt_spec *spec, ulong size, ulong limit)
{
	if (__sync_fetch_and_add(&spec->used, (__s64)size) + (__s64)size <= (__s64)limit)
		return 1;
	__sync_fetch_and_add(&spec->used, -(__s64)size);
	count_drop(DT_DROP_SPEC);
	return 0;
}

ulong dt_spec_enter(ulong id, ulong size, ulong limit)
{
	struct dt_spec *spec = spec_of(id);
	__u64 now;

	if (!spec)
		return 0;
	now = *(volatile __u64 *)&spec->word;
	if (spec_state(now) != DT_SPEC_ACTIVE || !take_room(spec, size, limit))
		return 0;
	return now & ~SPEC_STATE_MASK;
}

/* The number of the speculation that WORD names. */
static inline ulong spec_id(ulong word)
{
	return (__u32)word >> SPEC_ID_SHIFT;
}

ulong dt_spec_take(ulong word, ulong size, ulong limit)
{
	struct dt_spec *spec = spec_of(spec_id(word));

	return !spec || take_room(spec, size, limit);
}

ulong dt_spec_give(ulong word, ulong size)
{
	struct dt_spec *spec = spec_of(spec_id(word));

	if (spec)
		__sync_fetch_and_add(&spec->used, -(__s64)size);
	return 0;
}

ulong dt_spec_end(ulong id)
{
	struct dt_spec *spec = spec_of(id);
	__u64 old, name;

	if (!spec)
		return 0;
	old = *(volatile __u64 *)&spec->word;
	if (spec_state(old) != DT_SPEC_ACTIVE)
		return 0;
	name = old & ~SPEC_STATE_MASK;
	return __sync_val_compare_and_swap(&spec->word, old, name | DT_SPEC_FREE) == old ? name : 0;
}
