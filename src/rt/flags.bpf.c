// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* Writes names of numbers; src/abi/flags.c does the same in user space. */
#include "abi/flags.h"
#include "abi/flags_table.h"
#include "rt/conf.h"
#include "rt/rt.h"
#include "rt/text.h"

#define LONGEST 64 /* bytes of a row's text, with its NUL */

/* After the slot. */
struct flags_out {
	__u64 left; /* bits that have no name yet */
	__u64 len;
	struct digits digits;
};

_Static_assert(sizeof(struct flags_out) <= DT_TAIL_STATE, "room behind a slot");

struct flags_ctx {
	struct flags_out *out;
	char *to;
	__u64 first, n; /* rows */
	__u64 mask, strsize;
};

/* Appends the string at TEXT, which has less than LONGEST characters, cut to what fits. */
static inline void flags_append(struct flags_ctx *ctx, const char *text)
{
	__u64 pos = ctx->out->len & ctx->mask;
	__u64 room = ctx->strsize + 1 - pos;
	long n;

	if (pos >= ctx->strsize)
		return;
	if (room > LONGEST)
		room = LONGEST;
	n = rt_bounded(room, LONGEST);
	if (n <= 0)
		return;
	n = bpf_probe_read_kernel_str(ctx->to + pos, (__u32)n, text);
	if (n > 0)
		ctx->out->len = pos + (__u64)n - 1;
}

static inline void flags_separator(struct flags_ctx *ctx)
{
	__u64 pos = ctx->out->len & ctx->mask;

	if (!pos || pos >= ctx->strsize)
		return;
	ctx->to[pos] = '|';
	ctx->to[pos + 1] = '\0';
	ctx->out->len = pos + 1;
}

static long flags_row(__u32 i, struct flags_ctx *ctx)
{
	const struct dt_flag_row *row;
	__u64 k = ctx->first + i;

	if (i >= ctx->n || k >= FLAG_ROWS || (!ctx->out->left && ctx->out->len))
		return 1;
	row = &dt_flags.row[k];
	if ((ctx->out->left & row->mask) != row->value)
		return 0;
	flags_separator(ctx);
	flags_append(ctx, (const char *)&dt_flags.text + row->text);
	ctx->out->left &= ~row->mask;
	return 0;
}

/* Writes the number that has no name as set SET shows it. */
static inline void flags_number(struct flags_ctx *ctx, __u64 rest, __u64 bits)
{
	struct digits_ctx number = {.digits = &ctx->out->digits, .base = 10};
	__u64 left = ctx->out->left, neg = 0;

	flags_separator(ctx);
	if (rest == FLAG_REST_ERROR)
		flags_append(ctx, dt_flags.text.unknown);
	if (rest == FLAG_REST_HEX && left)
		number.base = 16;
	if (rest == FLAG_REST_OCT)
		number.base = 8;
	if (rest == FLAG_REST_DEC)
		neg = left >> (bits - 1) & 1;
	if (neg)
		left = bits == 32 ? -(__u64)(__s64)(__s32)left : -left;
	digits_begin(number.digits, left);
	bpf_loop(64, digits_next, &number, 0);
	digits_end(&number, left, neg);
	flags_append(ctx, number.digits->text + (number.digits->at & 127));
}

ulong dt_strflags(ulong slot, ulong dst, ulong value, ulong which)
{
	const struct dt_flag_set *set;
	struct flags_ctx ctx = {0};
	struct rt_mem mem;

	if (which >= FLAGS_MAX || !rt_open(&mem, slot))
		return 0;
	set = &dt_flags.set[which];
	ctx.to = rt_string(&mem, dst);
	if (!ctx.to)
		return 0;
	ctx.out = rt_state(&mem);
	ctx.first = set->first;
	ctx.n = set->end - set->first;
	ctx.mask = rt_mask(&mem);
	ctx.strsize = mem.strsize;
	if (set->rest >= FLAG_REST_ERRNO && (__s32)value < 0)
		value = -value;
	if (set->bits == 32)
		value = (__u32)value;
	ctx.out->left = value;
	ctx.out->len = 0;
	ctx.to[0] = '\0';
	bpf_loop(FLAG_ROWS, flags_row, &ctx, 0);
	if (!ctx.out->len || ctx.out->left || set->rest == FLAG_REST_OCT)
		flags_number(&ctx, set->rest, set->bits);
	return ctx.out->len;
}
