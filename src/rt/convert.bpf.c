// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* Strings made into others: case.  Results must not overlap sources. */
#include "rt/text.h"

/* ---- case, a word a round ---- */

struct case_ctx {
	char *s;
	__u64 mask, first; /* which letters change: from this one, 26 */
};

/* The high bits of the bytes of WORD that are FIRST or one of the 25 after it. */
static inline __u64 letters(__u64 word, __u64 first)
{
	__u64 low = word & ~HIGH_BITS;
	__u64 from = low + (0x80 - first) * LOW_BITS, beyond = low + (0x80 - first - 26) * LOW_BITS;

	return from & ~beyond & ~word & HIGH_BITS;
}

static long case_word(__u32 round, struct case_ctx *ctx)
{
	__u64 pos = (__u64)round * sizeof(__u64);
	__u64 *at = (__u64 *)(ctx->s + (pos & ctx->mask));
	__u64 word = *at;

	/* what is behind the end stays as it is */
	*at = word ^ (letters(word, ctx->first) & string_mask(word)) >> 2;
	return !!zero_bytes(word);
}

static inline ulong change_case(ulong slot, ulong dst, ulong src, char first)
{
	struct case_ctx ctx = {.first = (unsigned char)first};
	struct rt_mem mem;
	char *from;
	ulong len;

	if (!rt_open(&mem, slot))
		return 0;
	ctx.s = rt_string(&mem, dst);
	from = rt_string(&mem, src);
	if (!ctx.s || !from)
		return 0;
	ctx.mask = rt_mask(&mem);
	len = str_copy(ctx.s, mem.strsize + 1, from);
	bpf_loop((__u32)(mem.strsize / sizeof(__u64) + 1), case_word, &ctx, 0);
	return len;
}

ulong dt_toupper(ulong slot, ulong dst, ulong src)
{
	return change_case(slot, dst, src, 'a');
}

ulong dt_tolower(ulong slot, ulong dst, ulong src)
{
	return change_case(slot, dst, src, 'A');
}
