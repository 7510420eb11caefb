// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Compares, joins and cuts strings.  Results may be put where the (first) source is, but otherwise
 * strings must not overlap: strjoin()'s second must lie elsewhere.
 */
#include "rt/conf.h"
#include "rt/rt.h"
#include "rt/text.h"

/* ---- comparing, a word a round ---- */

struct cmp {
	const char *a, *b;
	__u64 x, y; /* the words that decided */
};

static long cmp_word(__u32 round, struct cmp *cmp)
{
	__u64 pos = (__u64)round * sizeof(__u64), x, y;

	if (pos > dt_conf.strsize)
		return 1;
	x = *(const __u64 *)(cmp->a + pos);
	y = *(const __u64 *)(cmp->b + pos);
	if (x == y && !zero_bytes(x))
		return 0;
	cmp->x = x;
	cmp->y = y;
	return 1;
}

ulong dt_strcmp(ulong slot, ulong a, ulong b)
{
	struct rt_mem mem;
	struct cmp cmp = {0};
	__u64 mask;

	if (!rt_open(&mem, slot))
		return 0;
	cmp.a = rt_string(&mem, a);
	cmp.b = rt_string(&mem, b);
	if (!cmp.a || !cmp.b)
		return 0;
	bpf_loop((__u32)(mem.strsize / sizeof(__u64) + 1), cmp_word, &cmp, 0);

	/* what follows the end of the first string does not count */
	mask = string_mask(cmp.x);
	cmp.x = __builtin_bswap64(cmp.x & mask);
	cmp.y = __builtin_bswap64(cmp.y & mask);
	if (cmp.x == cmp.y)
		return 0;
	return cmp.x > cmp.y ? 1 : ~0ul;
}

/* ---- joining and cutting ---- */

ulong dt_strjoin(ulong slot, ulong dst, ulong a, ulong b)
{
	char *to, *first, *second;
	struct rt_mem mem;
	ulong len;

	if (!rt_open(&mem, slot))
		return 0;
	to = rt_string(&mem, dst);
	first = rt_string(&mem, a);
	second = rt_string(&mem, b);
	if (!to || !first || !second)
		return 0;
	len = str_copy(to, mem.strsize + 1, first);
	RT_FORGET(len);
	if (len > mem.strsize)
		return 0;
	return len + str_copy(to + len, mem.strsize + 1 - len, second);
}

/* Computes the start and the length of substr() in a string of length LEN. */
static inline void substr_range(long len, long *start, long *count)
{
	if (*start < 0)
		*start += len;
	if (*start < 0) {
		if (*count < 0)
			*count = 0;
		else if (*count != __LONG_MAX__)
			*count = *count + *start < 0 ? 0 : *count + *start;
		*start = 0;
	}
	if (*count < 0) /* leave that many out at the end */
		*count = len + *count > *start ? len + *count - *start : 0;
	if (*start >= len)
		*start = *count = 0;
	if (*count > len - *start)
		*count = len - *start;
}

ulong dt_substr(ulong slot, ulong dst, ulong src, ulong index, ulong count)
{
	long start = (long)index, n = (long)count;
	struct rt_mem mem;
	char *to, *from;

	if (!rt_open(&mem, slot))
		return 0;
	to = rt_string(&mem, dst);
	from = rt_string(&mem, src);
	if (!to || !from)
		return 0;
	/* its length, by copying it to itself: a key must have nothing after its NUL */
	substr_range((long)str_copy(from, mem.strsize + 1, from), &start, &n);
	RT_FORGET(start);
	if ((ulong)start > mem.strsize)
		return 0;
	RT_FORGET(n);
	if ((ulong)n > mem.strsize)
		return 0;
	return str_copy(to, (ulong)n + 1, from + start);
}

/* ---- paths ---- */

/* The start and the end of a path's last component, and the end of the one before it. */
struct scan {
	__u64 start, end, dir_end;
};

_Static_assert(sizeof(struct scan) <= DT_TAIL_STATE, "room behind a slot");

struct scan_ctx {
	const char *path;
	struct scan *scan;
};

static long scan_byte(__u32 i, struct scan_ctx *ctx)
{
	char c;

	if (i > dt_conf.strsize)
		return 1;
	c = ctx->path[i];
	if (!c)
		return 1;
	if (c == '/')
		return 0;
	if (ctx->scan->end != i) { /* after a slash */
		ctx->scan->dir_end = ctx->scan->end;
		ctx->scan->start = i;
	}
	ctx->scan->end = i + 1;
	return 0;
}

/* Finds the last component of PATH; the result is kept after the slot. */
static inline struct scan *scan_path(const struct rt_mem *mem, const char *path)
{
	struct scan *scan = rt_state(mem);
	struct scan_ctx ctx = {path, scan};

	scan->start = scan->end = scan->dir_end = 0;
	bpf_loop((__u32)mem->strsize + 1, scan_byte, &ctx, 0);
	return scan;
}

ulong dt_basename(ulong slot, ulong dst, ulong src)
{
	struct rt_mem mem;
	struct scan *scan;
	char *to, *path;
	ulong start, len;

	if (!rt_open(&mem, slot))
		return 0;
	to = rt_string(&mem, dst);
	path = rt_string(&mem, src);
	if (!to || !path)
		return 0;
	scan = scan_path(&mem, path);
	if (!scan->end)
		return str_set(to, path[0] == '/' ? '/' : '.');
	start = scan->start;
	len = scan->end - start;
	RT_FORGET(start);
	if (start > mem.strsize)
		return 0;
	RT_FORGET(len);
	if (len > mem.strsize)
		return 0;
	return str_copy(to, len + 1, path + start);
}

ulong dt_dirname(ulong slot, ulong dst, ulong src)
{
	struct rt_mem mem;
	struct scan *scan;
	char *to, *path;
	ulong len;

	if (!rt_open(&mem, slot))
		return 0;
	to = rt_string(&mem, dst);
	path = rt_string(&mem, src);
	if (!to || !path)
		return 0;
	scan = scan_path(&mem, path);
	if (!scan->start)
		return str_set(to, !scan->end && path[0] == '/' ? '/' : '.');
	len = scan->dir_end;
	if (!len)
		return str_set(to, '/');
	RT_FORGET(len);
	if (len > mem.strsize)
		return 0;
	return str_copy(to, len + 1, path);
}

/* ---- numbers ---- */

#define DIGITS 20 /* of UINT64_MAX */

ulong dt_lltostr(ulong slot, ulong dst, ulong value)
{
	ulong left = (long)value < 0 ? -value : value;
	ulong neg = value >> 63, at;
	char digits[DIGITS + 1];
	struct rt_mem mem;
	char *to;

	if (!rt_open(&mem, slot))
		return 0;
	to = rt_string(&mem, dst);
	if (!to)
		return 0;
	digits[DIGITS] = '\0';
	for (at = DIGITS; at > 0;) {
		at--;
		digits[at] = (char)('0' + left % 10);
		left /= 10;
		if (!left)
			break;
	}
	to[0] = '-';
	return neg + str_copy(to + neg, mem.strsize + 1 - neg, digits + at);
}
