// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* Converts strings into others, and into numbers and back.  Results must not overlap sources. */
#include "rt/conf.h"
#include "rt/rt.h"
#include "rt/text.h"

/* ---- case, a word a round ---- */

struct case_ctx {
	char *s;
	__u64 mask, first; /* which letters change: from this one, 26 */
};

/* Returns the high bits of the bytes of WORD that are FIRST or one of the 25 after it. */
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

	/* what is after the end stays as it is */
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

/*
 * ---- paths ----
 *
 * Components are copied to the result as they are read, each with a slash after it; at its end
 * one may turn out to have to go again, and the one before it.
 */

struct clean {
	__u64 in, out;
	__u64 start; /* of this component, in the result */
	__u64 floor; /* what is before it stays: the root, or leading ".." */
	__u64 back;  /* the component before `out` is being removed */
	__u64 dots, absolute;
};

_Static_assert(sizeof(struct clean) <= DT_TAIL_STATE, "room behind a slot");

struct clean_ctx {
	const char *from;
	char *to;
	struct clean *clean;
	__u64 mask;
};

/* A component of the result ends at `out`. */
static inline void clean_end(struct clean_ctx *ctx, struct clean *cl)
{
	ulong len = cl->out - cl->start;
	int parent = len == 2 && cl->dots == 2;

	if (parent && cl->start > cl->floor) {
		cl->out = cl->start - 1; /* before the slash */
		cl->back = 1;
	} else if (!len || (len == 1 && cl->dots) || (parent && cl->absolute)) {
		cl->out = cl->start;
	} else {
		ctx->to[cl->out & ctx->mask] = '/';
		cl->out++;
		if (parent)
			cl->floor = cl->out;
	}
	cl->start = cl->out;
	cl->dots = 0;
}

static long clean_byte(__u32 round, struct clean_ctx *ctx)
{
	struct clean *cl = ctx->clean;
	char c;

	if (cl->back) {
		cl->back = cl->out > cl->floor && ctx->to[(cl->out - 1) & ctx->mask] != '/';
		cl->out -= cl->back;
		cl->start = cl->out;
		return 0;
	}
	c = ctx->from[cl->in & ctx->mask];
	cl->in += !!c; /* the end is seen again when something was removed there */
	if (c && c != '/') {
		ctx->to[cl->out & ctx->mask] = c;
		cl->out++;
		cl->dots += c == '.';
		return 0;
	}
	clean_end(ctx, cl);
	return !c && !cl->back;
}

ulong dt_cleanpath(ulong slot, ulong dst, ulong src)
{
	struct clean_ctx ctx;
	struct rt_mem mem;
	struct clean *cl;
	ulong len;

	if (!rt_open(&mem, slot))
		return 0;
	ctx.to = rt_string(&mem, dst);
	ctx.from = rt_string(&mem, src);
	if (!ctx.to || !ctx.from)
		return 0;
	ctx.clean = cl = rt_state(&mem);
	ctx.mask = rt_mask(&mem);
	if (!ctx.from[0]) {
		ctx.to[0] = '\0';
		return 0;
	}
	cl->absolute = ctx.from[0] == '/';
	cl->in = cl->out = cl->start = cl->floor = cl->absolute;
	cl->back = cl->dots = 0;
	ctx.to[0] = '/';
	bpf_loop(2 * (__u32)mem.strsize + 4, clean_byte, &ctx, 0);
	len = cl->out;
	if (!len)
		return str_set(ctx.to, '.');
	if (len > 1) /* a slash after the last one */
		len--;
	ctx.to[len & ctx.mask] = '\0';
	return len;
}

/* ---- numbers ---- */

/* Other bases are 10. */
static inline ulong base_of(ulong base)
{
	return base - 2 > 34 ? 10 : base;
}

struct number {
	__u64 pos, value;
};

struct number_ctx {
	const char *s;
	struct number *number;
	__u64 mask, base, limit;
};

static long number_space(__u32 i, struct number_ctx *ctx)
{
	char c = ctx->s[i & ctx->mask];

	ctx->number->pos = i;
	return c != ' ' && (unsigned char)(c - '\t') > '\r' - '\t';
}

static long number_digit(__u32 round, struct number_ctx *ctx)
{
	struct number *n = ctx->number;
	ulong digit = digit_value(ctx->s[n->pos & ctx->mask]);

	if (digit >= ctx->base)
		return 1;
	n->pos++;
	if (n->value > (ctx->limit - digit) / ctx->base) {
		n->value = ctx->limit;
		return 1;
	}
	n->value = n->value * ctx->base + digit;
	return 0;
}

ulong dt_strtoll(ulong slot, ulong src, ulong base)
{
	struct number_ctx ctx = {.base = base_of(base), .limit = __LONG_MAX__};
	struct rt_mem mem;
	struct number *n;
	char sign;

	if (!rt_open(&mem, slot))
		return 0;
	ctx.s = rt_string(&mem, src);
	if (!ctx.s)
		return 0;
	ctx.mask = rt_mask(&mem);
	ctx.number = n = rt_state(&mem);
	n->value = 0;
	bpf_loop((__u32)mem.strsize + 1, number_space, &ctx, 0);
	sign = ctx.s[n->pos & ctx.mask];
	if (sign == '-')
		ctx.limit++;
	if (sign == '-' || sign == '+')
		n->pos++;
	if (ctx.base == 16 && ctx.s[n->pos & ctx.mask] == '0' &&
		(ctx.s[(n->pos + 1) & ctx.mask] | 0x20) == 'x')
		n->pos += 2; /* nothing valid after it: 0, as without it */
	bpf_loop((__u32)mem.strsize + 1, number_digit, &ctx, 0);
	return sign == '-' ? -n->value : n->value;
}

/* Only in base 10 a number is negative; in others it is its 64 bits, as for printf(). */
ulong dt_lltostr_base(ulong slot, ulong dst, ulong value, ulong base)
{
	struct digits_ctx ctx = {.base = base_of(base)};
	struct rt_mem mem;
	struct digits *d;
	ulong neg;
	char *to;

	if (!rt_open(&mem, slot))
		return 0;
	to = rt_string(&mem, dst);
	if (!to)
		return 0;
	neg = ctx.base == 10 && (long)value < 0;
	ctx.digits = d = rt_state(&mem);
	digits_begin(d, neg ? -value : value);
	bpf_loop(64, digits_next, &ctx, 0);
	digits_end(&ctx, value, neg);
	return str_copy(to, mem.strsize + 1, d->text + (d->at & 127));
}
