/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * text: private to the run-time library: copying strings, looking at eight of their bytes at a
 * time, positions the verifier accepts, and the memory after a slot.
 */
#ifndef RT_TEXT_H
#define RT_TEXT_H

#include "rt/rt.h"

/* The result of functions that have no string to return. */
#define RT_NONE ~0ul

/* dt_strtok(): instead of a string, go on with the last one; there was none. */
#define RT_CONTINUE    ~0ul
#define RT_NO_POSITION ~1ul

/* dt_inet_ntoa6(): as inet_ntop(3) has it; otherwise 0 or not, to leave out or keep a prefix. */
#define RT_AS_IN_C 2

/*
 * Copy the string at SRC to DST, SIZE bytes of room with the NUL; returns its length.  The
 * helper is the kernel's own copying loop, whatever memory it reads.
 */
static inline ulong str_copy(char *dst, ulong size, const char *src)
{
	long n = bpf_probe_read_kernel_str(dst, (__u32)size, src);

	return n <= 0 || (ulong)n > size ? 0 : (ulong)n - 1;
}

/* Returns the string's length, by copying it to itself. */
static inline ulong str_length(const struct rt_mem *mem, char *s)
{
	return str_copy(s, mem->strsize + 1, s);
}

/* Stores the string of the one character C. */
static inline ulong str_set(char *dst, char c)
{
	dst[0] = c;
	dst[1] = '\0';
	return 1;
}

/* Returns the value of digit C; larger than any base if C is not a digit. */
static inline ulong digit_value(char c)
{
	ulong d = (unsigned char)(c - '0'), letter = (unsigned char)((c | 0x20) - 'a');

	if (d < 10)
		return d;
	return letter < 26 ? letter + 10 : ~0ul;
}

/* ---- positions ---- */

/*
 * Returns the smallest 2^n - 1 that is no less than strsize, and less than twice that: string +
 * mask is always in the slot's map value.  A position kept in map memory may be anything to the
 * verifier; `& mask` bounds it without a branch.
 */
static inline ulong rt_mask(const struct rt_mem *mem)
{
	ulong mask = mem->strsize;

	mask |= mask >> 1;
	mask |= mask >> 2;
	mask |= mask >> 4;
	mask |= mask >> 8;
	return mask | mask >> 16;
}

/* Returns DT_TAIL_STATE bytes that nobody else uses until the function returns. */
static inline void *rt_state(const struct rt_mem *mem)
{
	ulong size = dt_slot_size(dt_conf.strsize, dt_conf.scratch_size);

	return mem->slot + size - DT_TAIL_STATE;
}

/*
 * Copies the suffix of SRC from position START on to DST; returns its length.  SRC has no more than
 * START characters when something is wrong.
 */
static inline ulong str_suffix(const struct rt_mem *mem, char *dst, const char *src, ulong start)
{
	return str_copy(dst, mem->strsize + 1, src + (start & rt_mask(mem)));
}

/* Copies the LEN characters of SRC from START on. */
static inline ulong str_part(
	const struct rt_mem *mem, char *dst, const char *src, ulong start, ulong len)
{
	long n = rt_bounded(len, mem->strsize);

	return n < 0 ? 0 : str_copy(dst, (ulong)n + 1, src + (start & rt_mask(mem)));
}

/* ---- numbers ---- */

/* Digits from the last one on; what is before them is the prefix or the sign. */
struct digits {
	__u64 left, at;
	char text[72]; /* 64 binary digits and a sign */
};

_Static_assert(sizeof(struct digits) <= DT_TAIL_STATE, "room behind a slot");

struct digits_ctx {
	struct digits *digits;
	__u64 base;
};

static inline void digits_put(struct digits *d, char c)
{
	d->at = (d->at - 1) & 127;
	if (d->at < sizeof(d->text))
		d->text[d->at] = c;
}

static inline void digits_begin(struct digits *d, __u64 value)
{
	d->left = value;
	d->at = sizeof(d->text);
	digits_put(d, '\0');
}

/* A round of bpf_loop(), at most 64. */
static long digits_next(__u32 round, struct digits_ctx *ctx)
{
	struct digits *d = ctx->digits;
	char digit = (char)(d->left % ctx->base);

	digits_put(d, (char)(digit + (digit < 10 ? '0' : 'a' - 10)));
	d->left /= ctx->base;
	return !d->left;
}

/* The text of VALUE, whose sign is NEG, then begins at d->at. */
static inline void digits_end(struct digits_ctx *ctx, __u64 value, __u64 neg)
{
	if (ctx->base == 16)
		digits_put(ctx->digits, 'x');
	if (ctx->base == 16 || (ctx->base == 8 && value))
		digits_put(ctx->digits, '0');
	if (neg)
		digits_put(ctx->digits, '-');
}

/* ---- eight bytes; the first is the lowest ---- */

#define LOW_BITS  0x0101010101010101ull
#define HIGH_BITS 0x8080808080808080ull

/* Returns a word whose lowest set bit is the high bit of WORD's first zero byte. */
static inline __u64 zero_bytes(__u64 word)
{
	return (word - LOW_BITS) & ~word & HIGH_BITS;
}

/* Returns the high bits of all of WORD's zero bytes. */
static inline __u64 all_zero_bytes(__u64 word)
{
	return ~(((word & ~HIGH_BITS) + ~HIGH_BITS) | word | ~HIGH_BITS);
}

/* Returns a mask of the bytes up to and including WORD's first zero byte. */
static inline __u64 string_mask(__u64 word)
{
	__u64 end = zero_bytes(word);

	end &= -end;
	return end | (end - 1);
}

/* Returns the number of the lowest byte whose high bit is in MARKS, which is not 0. */
static inline ulong first_byte(__u64 marks)
{
	marks >>= 7;
	return (((marks & -marks) - 1) & LOW_BITS) * LOW_BITS >> 56;
}

/* Returns the number of the highest such byte. */
static inline ulong last_byte(__u64 marks)
{
	marks |= marks >> 8;
	marks |= marks >> 16;
	marks |= marks >> 32;
	return ((marks >> 7 & LOW_BITS) * LOW_BITS >> 56) - 1;
}

#endif
