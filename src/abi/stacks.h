/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * stacks: the table of stacks that variables and aggregation keys name.  Written by src/rt, read by
 * src/consume; compiled by cc and by clang -target bpf, holds plain data and its hash only.
 *
 * A stack is kept once, under an id that is the hash of its frames, its process and its kind: it
 * has the same id when it is taken again, also after it was evicted, and whoever reads an entry
 * sees by its id that the entry is whole.  The frames are compared when an id is found; a stack
 * that has the id of another one gets the next id, dt_stack_next(), of DT_STACK_IDS.  If others
 * have all of them, it is dropped, and counted.
 *
 * DT_MAP_STACKS is an array map of one value:
 *
 *	struct dt_stacks	the header
 *	groups of buckets	each DT_STACK_WAYS words, a power of two of groups
 *	the ring		entries, a power of two of bytes, and room for one entry after it
 *
 * An entry is written at the ring's head, which only grows; its place is the low bits of its
 * position, and it is not split at the ring's end: the next one is where it ends.  It is evicted
 * when the head is more than the ring's size after its position.  Whoever reads the ring follows
 * the head: a program that writes across a quarter of the ring tells it by DT_MAP_STACKS_NEW.  A
 *bucket is 0 or has the low DT_STACK_TAG bits of an id and, above them, the entry's position in
 *units, and 1.
 */
#ifndef ABI_STACKS_H
#define ABI_STACKS_H

#include <linux/types.h>

#define DT_MAP_STACKS	  "dt_stacks"
#define DT_MAP_STACKS_NEW "dt_stacks_new" /* a ring buffer; what is written has no meaning */

struct dt_stacks {
	__u64 head; /* where the next entry goes, bytes */
	__u64 pad[7];
};

struct dt_kept_stack {
	__u64 id;
	__u64 who; /* the process of a user stack, DT_STACK_*, the number of frames */
	__u64 at;  /* its position, bytes */
	__u64 pad;
	__u64 pc[]; /* innermost first; to a multiple of DT_STACK_ROUND, with zeros */
};

#define DT_STACK_TGID(who) ((__u32)(who))
/* It may lack callers: DT_USTACK_PART.  Cleared when the stack is taken again and does not. */
#define DT_STACK_PART	     (1ull << 32)
#define DT_STACK_USER	     (1ull << 33)
#define DT_STACK_UNWANTED    (1ull << 34) /* no frames were asked for: ustackframes=0 */
#define DT_STACK_COUNT	     48		  /* from this bit on: the number of frames */
#define DT_STACK_FRAMES(who) ((__u32)((who) >> DT_STACK_COUNT))

#define DT_STACK_ROUND	4  /* frames that are hashed and compared at a time */
#define DT_STACK_WAYS	8  /* buckets of a group */
#define DT_STACK_IDS	3  /* that a stack may have */
#define DT_STACK_TAG	24 /* bits */
#define DT_STACK_UNIT	16 /* bytes of the ring; entries are multiples of it */
#define DT_STACK_BUCKET 64 /* bytes of the ring for each bucket */
#define DT_STACK_PARTS	4  /* of the ring: whoever writes across the end of one tells it */

/* The numbers of a table, from the size of its ring and the frames of its deepest stack. */
#define DT_STACK_FULL(frames) (((frames) + DT_STACK_ROUND - 1) & ~(DT_STACK_ROUND - 1))
/* Bytes of an entry, with the zeros that its last round may need. */
#define DT_STACK_ENTRY(frames)	     (32 + 8 * DT_STACK_FULL(frames))
#define DT_STACK_GROUPS(ring)	     ((ring) / DT_STACK_BUCKET / DT_STACK_WAYS)
#define DT_STACK_BUCKETS_AT	     sizeof(struct dt_stacks)
#define DT_STACK_RING_AT(ring)	     (DT_STACK_BUCKETS_AT + (ring) / DT_STACK_BUCKET * 8)
#define DT_STACK_TABLE(ring, frames) (DT_STACK_RING_AT(ring) + (ring) + DT_STACK_ENTRY(frames))

/* Returns the group of ID, of GROUPS. */
static inline __u64 dt_stack_group(__u64 id, __u64 groups)
{
	return (id >> DT_STACK_TAG) & (groups - 1);
}

/* ---- the hash: two lanes, so that a multiplication does not wait for the one before ---- */

struct dt_stack_hash {
	__u64 a, b;
};

#define DT_STACK_PRIME (-0x61c8864fll) /* fits an instruction's operand */

static inline __u64 dt_stack_mix(__u64 h, __u64 word)
{
	h = (h ^ word) * (__u64)DT_STACK_PRIME;
	return h ^ h >> 32;
}

/* Whether callers are missing makes no difference. */
static inline struct dt_stack_hash dt_stack_begin(__u64 who)
{
	who &= ~DT_STACK_PART;
	return (struct dt_stack_hash){dt_stack_mix(1, who), who};
}

/* Add DT_STACK_ROUND frames. */
static inline void dt_stack_add(struct dt_stack_hash *h, const __u64 *pc)
{
	h->a = dt_stack_mix(h->a, pc[0]);
	h->b = dt_stack_mix(h->b, pc[1]);
	h->a = dt_stack_mix(h->a, pc[2]);
	h->b = dt_stack_mix(h->b, pc[3]);
}

/* Returns the id of the stack; never 0. */
static inline __u64 dt_stack_id(struct dt_stack_hash h)
{
	__u64 id = dt_stack_mix(dt_stack_mix(h.a, h.b << 1 ^ h.b >> 63), h.a >> 7);

	return id ? id : 1;
}

/* Returns the id of a stack whose id ID is another stack's; never 0. */
static inline __u64 dt_stack_next(__u64 id)
{
	id = dt_stack_mix(id, 1);
	return id ? id : 1;
}

#endif
