/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * conf: what the run-time library and the loader agree on and nobody else knows: the constants
 * that are set before loading, so that the verifier sees them as numbers, and the room behind a
 * scratch slot.  Compiled by cc and by clang -target bpf.
 */
#ifndef RT_CONF_H
#define RT_CONF_H

#include <linux/types.h>

/* The only contents of DT_SEC_CONF. */
struct dt_conf {
	__u32 strsize;
	__u32 scratch_size; /* of a slot, as the compiler lays it out */
	__u32 nspec;	    /* entries of DT_MAP_SPECS */
	__u32 pad;
};

/*
 * A slot's map value is larger than scratch_size by a tail of strsize + DT_TAIL_EXTRA bytes.
 * Strings never reach it: the verifier bounds an offset and a length separately, so what is
 * copied to the end of one string must be seen to fit even with the largest of both; words are
 * compared 8 bytes at a time.  The last bytes hold what a loop carries from round to round.
 */
#define DT_TAIL_STATE 128
#define DT_TAIL_EXTRA (16 + DT_TAIL_STATE)

/* Bytes of a slot's map value. */
static inline __u64 dt_slot_size(__u32 strsize, __u32 scratch_size)
{
	return ((__u64)scratch_size + strsize + DT_TAIL_EXTRA + 7) & ~7ull;
}

#endif
