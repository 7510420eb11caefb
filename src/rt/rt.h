/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * rt: private to the run-time library.  Its functions are those of abi/runtime.def.
 *
 * They are global functions, so the verifier looks at each once, on its own, and knows nothing
 * about the arguments: offsets are checked here.  One that is out of range makes the function
 * return without doing anything.
 *
 * Loops over a string are bpf_loop() callbacks, so that the work of verifying does not grow with
 * strsize.  What a callback carries from one round to the next is kept in map memory: kernels
 * before 6.7 go through a callback once, and would take what they know of the first round, and
 * the branches it cannot take, for all rounds.
 */
#ifndef RT_RT_H
#define RT_RT_H

#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>

#include "abi/kernel.h"
#include "rt/conf.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "dt_strcmp() reads words whose first byte is the lowest"
#endif

typedef unsigned long ulong;

/* Global functions are not inlined: their callers are verified against their prototype. */
#define RT_ARGS_0		      void
#define RT_ARGS_1		      ulong
#define RT_ARGS_2		      ulong, ulong
#define RT_ARGS_3		      ulong, ulong, ulong
#define RT_ARGS_4		      ulong, ulong, ulong, ulong
#define RT_ARGS_5		      ulong, ulong, ulong, ulong, ulong
#define RT(name, nargs, reads, stack) __attribute__((noinline)) ulong name(RT_ARGS_##nargs);
#include "abi/runtime.def"

/* Sizes are nominal, the loader sets the real ones. */
struct rt_scratch {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, 4096);
	__uint(max_entries, 1);
};
extern struct rt_scratch dt_scratch SEC(".maps");

extern const volatile struct dt_conf dt_conf;

/* As the compiler declares it. */
struct rt_drops {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, 8);
	__uint(max_entries, DT_DROP_MAX);
};
extern struct rt_drops dt_drops SEC(".maps");

static inline void count_drop(__u32 which)
{
	__u64 *n = bpf_map_lookup_elem(&dt_drops, &which);

	if (n)
		__sync_fetch_and_add(n, 1);
}

/* A slot and what the constants say about strings in it. */
struct rt_mem {
	char *slot;
	ulong strsize;
	ulong last; /* the largest offset at which a string fits */
};

/*
 * The compiler may merge two checks into arithmetic that the verifier cannot follow; not across
 * this.
 */
#define RT_FORGET(var) __asm__ volatile("" : "+r"(var))

/*
 * A number in map memory, read again.  Before 6.5 the verifier can forget that a number matters in
 * a function while it looks at what that function calls, a static function or a callback
 * (propagate_precision() of kernel/bpf/verifier.c).  It then takes a number that is a constant on
 * one way for that constant on all, and removes the branches for others.  So what may be a constant
 * and decides a branch after the call is kept in a map, where no number is known.
 */
#define RT_KEPT(place) (*(volatile __typeof__(place) *)&(place))

/* Returns 0 when there is no such slot, or no room for a string. */
static inline int rt_open(struct rt_mem *mem, ulong slot)
{
	ulong size = dt_conf.scratch_size;
	__u32 key = (__u32)slot;

	mem->strsize = dt_conf.strsize;
	if (slot != key || size <= mem->strsize)
		return 0;
	mem->last = size - mem->strsize - 1;
	mem->slot = bpf_map_lookup_elem(&dt_scratch, &key);
	return !!mem->slot;
}

/*
 * Returns VALUE, or -1 if it is larger than LIMIT.  Comparing and choosing are one piece to the
 * compiler, so that what it keeps is the bounded value: to kernels before 6.9 one that was stored
 * on the stack before a comparison is unbounded when it is loaded again.
 */
static inline long rt_bounded(ulong value, ulong limit)
{
	__asm__ volatile("if %0 <= %1 goto +1\n\t%0 = -1" : "+r"(value) : "r"(limit));
	return (long)value;
}

/* Returns the address of offset OFF in the slot; NULL if OFF is larger than LAST. */
static inline char *rt_at(const struct rt_mem *mem, ulong off, ulong last)
{
	long at = rt_bounded(off, last);

	return at < 0 ? NULL : mem->slot + at;
}

/* Returns the string at offset OFF; NULL when it would not fit there. */
static inline char *rt_string(const struct rt_mem *mem, ulong off)
{
	return rt_at(mem, off, mem->last);
}

#endif
