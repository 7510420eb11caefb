// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Keeps stacks in the table of abi/stacks.h.
 *
 * Programs on all CPUs share the table and wait for nobody: room in the ring is taken by one
 * addition, an entry becomes visible when its bucket is stored, and a reader looks at the ring's
 * head after it has read an entry.
 */
#include "abi/stacks.h"
#include "rt/rt.h"

/* Sizes are nominal, the loader sets the real ones. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, 4096);
	__uint(max_entries, 1);
	__uint(map_flags, BPF_F_MMAPABLE);
} dt_stacks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} dt_stacks_new SEC(".maps");

/* A stack that is being kept, and the table's parts. */
struct keeper {
	struct dt_stacks *table;
	struct dt_kept_stack *stack; /* in the scratch slot */
	volatile __u64 *note; /* a word of the slot: what it has is anything to the verifier */
};

#define TAG	  ((1ull << DT_STACK_TAG) - 1)
#define UNITS	  ((1ull << (64 - DT_STACK_TAG)) - 1)
#define WAY(i)	  ((i) & (DT_STACK_WAYS - 1))
#define NOT_FOUND DT_STACK_WAYS

static inline volatile __u64 *group_of(const struct keeper *k, __u64 id)
{
	ulong groups = DT_STACK_GROUPS(dt_conf.stack_ring);

	return (volatile __u64 *)((char *)k->table + DT_STACK_BUCKETS_AT +
		dt_stack_group(id, groups) * (DT_STACK_WAYS * sizeof(__u64)));
}

/* Returns the entry at a position, in units. */
static inline struct dt_kept_stack *entry_at(const struct keeper *k, __u64 unit)
{
	ulong ring = dt_conf.stack_ring;

	return (struct dt_kept_stack *)((char *)k->table + DT_STACK_RING_AT(ring) +
		(unit & (ring / DT_STACK_UNIT - 1)) * DT_STACK_UNIT);
}

static inline __u64 unit_of(__u64 bucket)
{
	return (bucket >> DT_STACK_TAG) - 1;
}

/* Returns how far the head is after the entry of BUCKET, in units; a free one is the oldest. */
static inline __u64 age_of(const struct keeper *k, __u64 bucket)
{
	__u64 head = *(volatile __u64 *)&k->table->head / DT_STACK_UNIT;

	return (head - unit_of(bucket)) & UNITS;
}

/*
 * Returns the number of frames.  It is read anew for each loop: what the verifier learns of it in
 * one loop would make the rest of the function another one for each round in which the loop can
 * end.
 */
static inline ulong frames_of(const struct keeper *k)
{
	return DT_STACK_FRAMES(*(volatile __u64 *)&k->stack->who);
}

/* For each I, the first of DT_STACK_ROUND frames, of which there are N and at most MOST. */
#define EACH_ROUND(i, n, most) \
	for (ulong i = 0; i < DT_STACK_FULL(most) && i < n; i += DT_STACK_ROUND)

static inline int same_frames(const struct keeper *k, const struct dt_kept_stack *e)
{
	const struct dt_kept_stack *s = k->stack;
	__u64 differ = (e->who ^ s->who) & ~DT_STACK_PART;
	ulong n = frames_of(k), most = dt_conf.stack_frames;

	EACH_ROUND(i, n, most)
	differ |= (e->pc[i] ^ s->pc[i]) | (e->pc[i + 1] ^ s->pc[i + 1]) |
		(e->pc[i + 2] ^ s->pc[i + 2]) | (e->pc[i + 3] ^ s->pc[i + 3]);
	return !differ;
}

/* Returns the bucket with the tag of ID, of which a group has one. */
static inline __u64 find_tag(const struct keeper *k, const volatile __u64 *group, __u64 id)
{
	*k->note = NOT_FOUND;
#pragma unroll
	for (ulong i = 0; i < DT_STACK_WAYS; i++) {
		if ((group[i] ^ id) << (64 - DT_STACK_TAG))
			continue;
		*k->note = i;
		break;
	}
	return *k->note;
}

/*
 * Returns the bucket with the oldest entry; without branches, of which there would be many.
 * Multiplies by 0 or 1: a verifier (6.18) that sees -1 or 0 in an AND continues with each of them.
 */
static inline __u64 find_oldest(const struct keeper *k, const volatile __u64 *group)
{
	__u64 most = 0, at = 0;

#pragma unroll
	for (ulong i = 0; i < DT_STACK_WAYS; i++) {
		__u64 age = age_of(k, group[i]), older = most - age;

		RT_FORGET(older);
		older >>= 63;
		RT_FORGET(older);
		most += (age - most) * older;
		at += (i - at) * older;
	}
	*k->note = at;
	return *k->note;
}

/* Tells who reads the ring that a part of it, or more, is new, if SIZE bytes at AT end one. */
static inline void tell_reader(__u64 at, __u64 size)
{
	__u64 part = dt_conf.stack_ring / DT_STACK_PARTS;

	if ((at ^ (at + size)) & ~(part - 1))
		bpf_ringbuf_output(&dt_stacks_new, &at, sizeof(at), BPF_RB_FORCE_WAKEUP);
}

/* Write the entry, and store it in bucket AT of GROUP, or in the next if that has changed. */
static inline int add_entry(const struct keeper *k, volatile __u64 *group, __u64 at)
{
	ulong most = DT_STACK_ENTRY(dt_conf.stack_frames);
	long size = rt_bounded(DT_STACK_ENTRY(frames_of(k)), most);
	__u64 position, unit, bucket;

	if (size < 0)
		return 0;
	position = __sync_fetch_and_add(&k->table->head, (__u64)size);
	unit = position / DT_STACK_UNIT;
	k->stack->at = position;
	bucket = (unit + 1) << DT_STACK_TAG | (k->stack->id & TAG);
	if (bpf_probe_read_kernel(entry_at(k, unit), (ulong)size, k->stack))
		return 0;
	tell_reader(position, (__u64)size);
#pragma unroll
	for (ulong i = 0; i < 3; i++) {
		volatile __u64 *b = &group[WAY(at + i)];
		__u64 old = *b;

		if (__sync_val_compare_and_swap(b, old, bucket) == old)
			return 1;
	}
	return 0;
}

enum kept { NO_PLACE, KEPT, OTHER };

/*
 * Keep the stack by its id, which may be that of another stack.  An entry is read first, then
 * whether it is still there.
 */
static inline enum kept keep(const struct keeper *k, __u64 id)
{
	volatile __u64 *group = group_of(k, id);
	__u64 at = find_tag(k, group, id), bucket;
	struct dt_kept_stack *e;
	int same;

	if (at == NOT_FOUND) {
		at = find_oldest(k, group);
	} else {
		bucket = group[WAY(at)];
		e = entry_at(k, unit_of(bucket));
		same = same_frames(k, e);
		if (e->id == id && age_of(k, bucket) <= dt_conf.stack_ring / DT_STACK_UNIT) {
			if (same && e->who & ~k->stack->who & DT_STACK_PART)
				__sync_fetch_and_and(&e->who, ~DT_STACK_PART);
			return same ? KEPT : OTHER;
		}
	}
	return add_entry(k, group, at) ? KEPT : NO_PLACE;
}

static inline struct dt_stack_hash hash_of(const struct keeper *k)
{
	const struct dt_kept_stack *s = k->stack;
	struct dt_stack_hash h = dt_stack_begin(s->who);
	ulong n = frames_of(k), most = dt_conf.stack_frames;

	EACH_ROUND(i, n, most)
	dt_stack_add(&h, &s->pc[i]);
	return h;
}

/* Prepare the scratch slot: what is at OFF has FRAMES frames, and zeros after them. */
static inline int open_stack(struct keeper *k, ulong slot, ulong off, ulong frames, ulong who)
{
	/* the zeros are as many as any number of frames can need */
	ulong room = DT_STACK_ENTRY(dt_conf.stack_frames) + sizeof(__u64) * DT_STACK_ROUND;
	long n = rt_bounded(frames, dt_conf.stack_frames);
	__u32 key = (__u32)slot, zero = 0;
	struct rt_mem mem;

	if (n < 0 || slot != key || dt_conf.scratch_size < room)
		return 0;
	mem.slot = bpf_map_lookup_elem(&dt_scratch, &key);
	if (!mem.slot)
		return 0;
	k->stack = (struct dt_kept_stack *)rt_at(&mem, off, dt_conf.scratch_size - room);
	k->table = bpf_map_lookup_elem(&dt_stacks, &zero);
	if (!k->stack || !k->table)
		return 0;
	k->stack->who = who | (ulong)n << DT_STACK_COUNT;
	k->stack->pc[n] = k->stack->pc[n + 1] = k->stack->pc[n + 2] = 0;
	k->note = &k->stack->pc[n + 3];
	return 1;
}

ulong dt_stack_keep(ulong slot, ulong off, ulong frames, ulong who)
{
	enum kept kept = OTHER;
	struct keeper k;
	__u64 id;

	if (open_stack(&k, slot, off, frames, who)) {
		id = dt_stack_id(hash_of(&k));
		for (ulong i = 0; i < DT_STACK_IDS && kept == OTHER; i++) {
			k.stack->id = id;
			kept = keep(&k, id);
			if (kept == KEPT)
				return id;
			id = dt_stack_next(id);
		}
	}
	count_drop(DT_DROP_STACK);
	return 0;
}
