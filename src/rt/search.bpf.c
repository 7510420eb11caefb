// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* Searches strings in strings.  Results must not overlap sources. */
#include "rt/conf.h"
#include "rt/rt.h"
#include "rt/text.h"

/* ---- a character, a word a round ---- */

struct chr_ctx {
	const char *s;
	__u64 *at; /* after the slot: where it is, plus one */
	__u64 pattern, mask, last;
};

static long chr_word(__u32 round, struct chr_ctx *ctx)
{
	__u64 pos = (__u64)round * sizeof(__u64);
	__u64 word = *(const __u64 *)(ctx->s + (pos & ctx->mask));
	__u64 marks = all_zero_bytes(word ^ ctx->pattern) & string_mask(word);

	if (marks) {
		*ctx->at = pos + 1 + (ctx->last ? last_byte(marks) : first_byte(marks));
		if (!ctx->last)
			return 1;
	}
	return !!zero_bytes(word);
}

static inline ulong find_char(ulong slot, ulong dst, ulong src, ulong c, int last)
{
	struct chr_ctx ctx = {.pattern = (c & 0xff) * LOW_BITS, .last = last};
	struct rt_mem mem;
	char *to, *s;

	if (!rt_open(&mem, slot))
		return 0;
	to = rt_string(&mem, dst);
	s = rt_string(&mem, src);
	if (!to || !s)
		return 0;
	ctx.s = s;
	ctx.at = rt_state(&mem);
	ctx.mask = rt_mask(&mem);
	*ctx.at = 0;
	bpf_loop((__u32)(mem.strsize / sizeof(__u64) + 1), chr_word, &ctx, 0);
	return *ctx.at ? str_suffix(&mem, to, s, *ctx.at - 1) : RT_NONE;
}

ulong dt_strchr(ulong slot, ulong dst, ulong src, ulong c)
{
	return find_char(slot, dst, src, c, 0);
}

ulong dt_strrchr(ulong slot, ulong dst, ulong src, ulong c)
{
	return find_char(slot, dst, src, c, 1);
}

/*
 * ---- a string ----
 *
 * As many rounds as there are bytes, whatever the strings are: a window as long as what is looked
 * for is moved over the text, and the bytes are compared where both have the same hash.  That is
 * a polynomial modulo 2^64, from which the byte that leaves the window can be taken.
 */

#define BASE	   0x9e3779b97f4a7c15ull
#define MAX_ROUNDS (1u << 23) /* what bpf_loop() takes */

struct find {
	__u64 pos;		 /* where the window begins */
	__u64 left;		 /* how many times it can be moved on */
	__u64 len;		 /* of the window */
	__u64 want, hash, power; /* of what is looked for, of the window; BASE^len */
	__u64 same;		 /* so many bytes are known to be the same */
	__u64 found;
};

_Static_assert(sizeof(struct find) <= DT_TAIL_STATE, "room behind a slot");

struct find_ctx {
	const char *text, *what;
	struct find *find;
	__u64 mask;
	__u64 back; /* the window moves to the left */
};

static inline __u64 byte_at(const struct find_ctx *ctx, const char *s, __u64 pos)
{
	return *(const unsigned char *)(s + (pos & ctx->mask));
}

/* Hash byte I, counted from the end that leaves the window first. */
static long find_hash(__u32 i, struct find_ctx *ctx)
{
	struct find *f = ctx->find;
	__u64 pos = ctx->back ? f->len - 1 - i : i;

	if (i >= f->len)
		return 1;
	f->want = f->want * BASE + byte_at(ctx, ctx->what, pos);
	f->hash = f->hash * BASE + byte_at(ctx, ctx->text, f->pos + pos);
	f->power *= BASE;
	return 0;
}

static inline long find_move(struct find_ctx *ctx, struct find *f)
{
	__u64 first = f->pos, end = f->pos + f->len, in, out;

	if (!f->left)
		return 1;
	f->left--;
	f->same = 0;
	in = byte_at(ctx, ctx->text, ctx->back ? first - 1 : end);
	out = byte_at(ctx, ctx->text, ctx->back ? end - 1 : first);
	f->pos = ctx->back ? first - 1 : first + 1;
	f->hash = f->hash * BASE + in - out * f->power;
	return 0;
}

static long find_step(__u32 round, struct find_ctx *ctx)
{
	struct find *f = ctx->find;
	__u64 left = f->len - f->same, x, y;

	if (f->hash != f->want)
		return find_move(ctx, f);
	x = *(const __u64 *)(ctx->text + ((f->pos + f->same) & ctx->mask));
	y = *(const __u64 *)(ctx->what + (f->same & ctx->mask));
	x ^= y;
	if (left < sizeof(x))
		x &= (1ull << (left * 8 & 63)) - 1;
	if (x)
		return find_move(ctx, f);
	f->same += sizeof(x);
	f->found = f->same >= f->len;
	return (long)f->found;
}

/* A text, a string to search for in it, and their lengths. */
struct search {
	struct rt_mem mem;
	char *text, *what;
	ulong text_len, len;
};

static inline int search_open(struct search *s, ulong slot, ulong text, ulong what)
{
	if (!rt_open(&s->mem, slot))
		return 0;
	s->text = rt_string(&s->mem, text);
	s->what = rt_string(&s->mem, what);
	if (!s->text || !s->what)
		return 0;
	s->text_len = str_length(&s->mem, s->text);
	s->len = str_length(&s->mem, s->what);
	return 1;
}

/* The first place from POS on; when BACK the last one up to POS. */
static inline ulong find_match(const struct search *s, ulong pos, int back)
{
	struct find_ctx ctx = {s->text, s->what, rt_state(&s->mem), rt_mask(&s->mem), back};
	struct find *f = ctx.find;

	f->pos = pos;
	f->left = back ? pos : s->text_len - s->len - pos;
	f->len = s->len;
	f->want = f->hash = f->same = f->found = 0;
	f->power = 1;
	bpf_loop((__u32)s->len, find_hash, &ctx, 0);
	bpf_loop(MAX_ROUNDS, find_step, &ctx, 0);
	return f->found ? f->pos : RT_NONE;
}

static inline ulong find_first(const struct search *s, long start)
{
	ulong from = start < 0 ? 0 : start;

	if (from > s->text_len || s->len > s->text_len - from)
		return RT_NONE;
	return s->len ? find_match(s, from, 0) : from;
}

static inline ulong find_last(const struct search *s, long start)
{
	ulong from = start < 0 ? 0 : start;

	if (s->len > s->text_len || (s->len && start < 0))
		return RT_NONE;
	if (from > s->text_len - s->len)
		from = s->text_len - s->len;
	return s->len ? find_match(s, from, 1) : from;
}

ulong dt_strstr(ulong slot, ulong dst, ulong a, ulong b)
{
	struct search s;
	ulong pos;
	char *to;

	if (!search_open(&s, slot, a, b))
		return 0;
	to = rt_string(&s.mem, dst);
	if (!to)
		return 0;
	pos = find_first(&s, 0);
	return pos == RT_NONE ? pos : str_suffix(&s.mem, to, s.text, pos);
}

ulong dt_index(ulong slot, ulong a, ulong b, ulong start)
{
	struct search s;

	return search_open(&s, slot, a, b) ? find_first(&s, (long)start) : 0;
}

ulong dt_rindex(ulong slot, ulong a, ulong b, ulong start)
{
	struct search s;

	return search_open(&s, slot, a, b) ? find_last(&s, (long)start) : 0;
}

/* ---- tokens ---- */

/* The state between the calls of one firing, in the slot: the compiler's program zeroes it. */
struct tokens {
	__u64 next; /* the position to go on from, plus one; 0: none */
	__u64 pad;
	char copy[]; /* strsize + 1 */
};

struct split {
	__u64 delims[4]; /* a bit a character */
	__u64 start, end;
};

_Static_assert(sizeof(struct split) <= DT_TAIL_STATE, "room behind a slot");

struct split_ctx {
	const char *s;
	struct split *split;
	__u64 mask;
};

static long split_delim(__u32 i, struct split_ctx *ctx)
{
	unsigned char c = (unsigned char)ctx->s[i & ctx->mask];

	ctx->split->delims[c >> 6] |= 1ull << (c & 63);
	return !c;
}

/* Move the start beyond delimiters, then the end up to the next one. */
static long split_byte(__u32 round, struct split_ctx *ctx)
{
	struct split *split = ctx->split;
	unsigned char c = (unsigned char)ctx->s[split->end & ctx->mask];

	if (!c)
		return 1;
	if (split->delims[c >> 6] >> (c & 63) & 1) {
		if (split->start != split->end)
			return 1;
		split->start++;
	}
	split->end++;
	return 0;
}

/* Copies the next token of TOKENS to DST. */
static inline ulong next_token(
	const struct rt_mem *mem, char *dst, const char *delims, struct tokens *tokens)
{
	struct split_ctx ctx = {delims, rt_state(mem), rt_mask(mem)};
	struct split *split = ctx.split;

	split->delims[0] = split->delims[1] = split->delims[2] = split->delims[3] = 0;
	bpf_loop((__u32)mem->strsize + 1, split_delim, &ctx, 0);
	split->start = split->end = tokens->next - 1;
	ctx.s = tokens->copy;
	bpf_loop((__u32)mem->strsize + 1, split_byte, &ctx, 0);
	/* at the delimiter: a call with other delimiters may return it */
	tokens->next = split->end + 1;
	if (split->start == split->end)
		return RT_NONE;
	return str_part(mem, dst, tokens->copy, split->start, split->end - split->start);
}

ulong dt_strtok(ulong slot, ulong dst, ulong src, ulong delims, ulong state)
{
	char *to, *from = NULL, *set;
	struct tokens *tokens;
	struct rt_mem mem;

	if (!rt_open(&mem, slot))
		return 0;
	to = rt_string(&mem, dst);
	set = rt_string(&mem, delims);
	tokens = (struct tokens *)rt_string(&mem, state);
	if (!to || !set || !tokens)
		return 0;
	if (src != RT_CONTINUE) {
		from = rt_string(&mem, src);
		if (!from)
			return 0;
		str_copy(tokens->copy, mem.strsize + 1, from);
		tokens->next = 1;
	}
	return tokens->next ? next_token(&mem, to, set, tokens) : RT_NO_POSITION;
}
