// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* Formats network addresses. */
#include "rt/conf.h"
#include "rt/rt.h"
#include "rt/text.h"

#define ETHER	       1 /* hardware types, as of arp(7) */
#define ETHER_LEN      6
#define INFINIBAND     32
#define INFINIBAND_LEN 20
#define GROUPS	       8 /* of an IPv6 address */

/* Text as it is made, after the slot: DST may be too short for it. */
struct out {
	__u64 len;
	char text[64];
};

_Static_assert(sizeof(struct out) <= DT_TAIL_STATE, "room behind a slot");

static inline void put(struct out *out, char c)
{
	out->text[out->len & 63] = c;
	out->len++;
}

static inline char hex_digit(ulong d)
{
	return (char)(d + (d < 10 ? '0' : 'a' - 10));
}

static inline void put_decimal(struct out *out, ulong byte)
{
	if (byte >= 100)
		put(out, (char)('0' + byte / 100));
	if (byte >= 10)
		put(out, (char)('0' + byte / 10 % 10));
	put(out, (char)('0' + byte % 10));
}

static inline ulong put_end(const struct rt_mem *mem, char *dst, struct out *out)
{
	put(out, '\0');
	return str_copy(dst, mem->strsize + 1, out->text);
}

/* N bytes of the slot that aren't a string; NULL when OFF is out of range. */
static inline const unsigned char *bytes_at(const struct rt_mem *mem, ulong off, ulong n)
{
	ulong size = dt_conf.scratch_size;

	return size < n ? NULL : (const unsigned char *)rt_at(mem, off, size - n);
}

/* ---- IPv4 ---- */

struct net_ctx {
	const unsigned char *addr;
	struct out *out;
	ulong run; /* a bit for each group that "::" stands for */
};

static long quad_byte(__u32 i, struct net_ctx *ctx)
{
	if (i)
		put(ctx->out, '.');
	put_decimal(ctx->out, ctx->addr[i & 3]);
	return 0;
}

static inline void put_quad(struct net_ctx *ctx)
{
	bpf_loop(4, quad_byte, ctx, 0);
}

ulong dt_inet_ntoa(ulong slot, ulong dst, ulong src)
{
	struct net_ctx ctx = {0};
	struct rt_mem mem;
	char *to;

	if (!rt_open(&mem, slot))
		return 0;
	to = rt_string(&mem, dst);
	ctx.addr = bytes_at(&mem, src, 4);
	if (!to || !ctx.addr)
		return 0;
	ctx.out = rt_state(&mem);
	ctx.out->len = 0;
	put_quad(&ctx);
	return put_end(&mem, to, ctx.out);
}

/* ---- IPv6 ---- */

static inline ulong group(const unsigned char *addr, ulong i)
{
	return (ulong)addr[2 * i] << 8 | addr[2 * i + 1];
}

/*
 * Returns the groups of the first of the longest runs of zero groups, of two and more: a bit each.
 */
static inline ulong longest_run(const unsigned char *addr)
{
	ulong zero = 0, starts, best = 0, n, i;

	for (i = 0; i < GROUPS; i++)
		zero |= (group(addr, i) - 1) >> 63 << i;
	/* where a run of n begins; of the longest, the first */
	starts = zero;
	for (n = 1; n < GROUPS; n++) {
		starts &= zero >> n;
		if (!starts)
			break;
		best = (starts & -starts) * ((2ul << n) - 1);
	}
	return best;
}

static long group_put(__u32 i, struct net_ctx *ctx)
{
	ulong value = group(ctx->addr, i & 7), here = ctx->run >> (i & 7) & 1;
	ulong before = ctx->run << 1 >> (i & 7) & 1;

	if (here) {
		if (!before)
			put(ctx->out, ':');
		if (i == GROUPS - 1)
			put(ctx->out, ':');
		return 0;
	}
	if (i)
		put(ctx->out, ':');
	if (value > 0xfff)
		put(ctx->out, hex_digit(value >> 12));
	if (value > 0xff)
		put(ctx->out, hex_digit(value >> 8 & 15));
	if (value > 0xf)
		put(ctx->out, hex_digit(value >> 4 & 15));
	put(ctx->out, hex_digit(value & 15));
	return 0;
}

/* Writes the address of 16 bytes at ctx->addr. */
static inline void put_six(struct net_ctx *ctx, ulong strict)
{
	ulong zeros, tail, low;

	zeros = *(const __u64 *)ctx->addr | *(const __u16 *)(ctx->addr + 8);
	tail = group(ctx->addr, 5);
	low = group(ctx->addr, 6) << 16 | group(ctx->addr, 7);
	/* which addresses hold one of IPv4: to C, ::2 is none */
	if (zeros || (tail != 0xffff && (tail || low <= (strict == RT_AS_IN_C ? 0xffff : 1)))) {
		ctx->run = longest_run(ctx->addr);
		bpf_loop(GROUPS, group_put, ctx, 0);
		return;
	}
	if (strict) {
		put(ctx->out, ':');
		put(ctx->out, ':');
	}
	if (strict && tail) {
		ctx->addr += 10;
		group_put(0, ctx);
		put(ctx->out, ':');
		ctx->addr -= 10;
	}
	ctx->addr += 12;
	put_quad(ctx);
}

ulong dt_inet_ntoa6(ulong slot, ulong dst, ulong src, ulong strict)
{
	struct net_ctx ctx = {0};
	struct rt_mem mem;
	char *to;

	if (!rt_open(&mem, slot))
		return 0;
	to = rt_string(&mem, dst);
	ctx.addr = bytes_at(&mem, src, 2 * GROUPS);
	if (!to || !ctx.addr)
		return 0;
	ctx.out = rt_state(&mem);
	ctx.out->len = 0;
	put_six(&ctx, strict);
	return put_end(&mem, to, ctx.out);
}

/* ---- socket addresses ---- */

#define AF_UNIX	 1
#define AF_INET	 2
#define AF_INET6 10

#define SOCKADDR_IN   8 /* bytes that count: family, port, address */
#define SOCKADDR_IN6  24
#define SOCKADDR_PATH 2 /* where it begins in a struct sockaddr_un */
#define SOCKADDR_UN   110

/* After the slot: the text, and the address that it is of. */
struct sock {
	struct out out;
	union {
		unsigned char bytes[SOCKADDR_IN6];
		struct {
			__u16 family;
			unsigned char port[2];
			unsigned char four[4]; /* of IPv4; then of IPv6 */
			unsigned char six[16];
		};
	};
};

_Static_assert(sizeof(struct sock) <= DT_TAIL_STATE, "room behind a slot");

static inline long sock_read(void *to, ulong size, ulong from, ulong user)
{
	return user ? bpf_probe_read_user(to, (__u32)size, (void *)from)
		    : bpf_probe_read_kernel(to, (__u32)size, (void *)from);
}

/*
 * Copies the path of a socket of the host, at most ROOM bytes with the NUL that it may lack; "@"
 * stands for the NUL with which an abstract name begins.
 */
static inline ulong put_path(const struct rt_mem *mem, char *to, ulong from, ulong room, ulong user)
{
	long size, n;

	if (room > mem->strsize + 1)
		room = mem->strsize + 1;
	size = rt_bounded(room, SOCKADDR_UN);
	to[0] = '\0';
	if (size < 2)
		return 0;
	n = user ? bpf_probe_read_user_str(to, (__u32)size, (void *)from)
		 : bpf_probe_read_kernel_str(to, (__u32)size, (void *)from);
	if (n < 0)
		return RT_NONE;
	/* of user memory Linux 6.12 does not count the NUL of an empty string */
	if (n > 1)
		return n - 1;
	n = user ? bpf_probe_read_user_str(to + 1, (__u32)size - 1, (void *)(from + 1))
		 : bpf_probe_read_kernel_str(to + 1, (__u32)size - 1, (void *)(from + 1));
	to[0] = '@';
	return n < 0 ? RT_NONE : n ? n : 1;
}

static inline void put_port(struct out *out, const unsigned char *port)
{
	ulong n = (ulong)port[0] << 8 | port[1];

	put(out, ':');
	for (ulong unit = 10000; unit > 1; unit /= 10)
		if (n >= unit)
			put(out, (char)('0' + n / unit % 10));
	put(out, (char)('0' + n % 10));
}

static inline void put_family(struct out *out, ulong family)
{
	static const char text[] = "family ";

	for (int i = 0; i < (int)sizeof(text) - 1; i++)
		put(out, text[i]);
	for (ulong unit = 10000; unit > 1; unit /= 10)
		if (family >= unit)
			put(out, (char)('0' + family / unit % 10));
	put(out, (char)('0' + family % 10));
}

ulong dt_sockaddr(ulong slot, ulong dst, ulong addr, ulong len, ulong user)
{
	struct net_ctx ctx = {0};
	struct rt_mem mem;
	struct sock *sock;
	char *to;

	if (!rt_open(&mem, slot))
		return 0;
	to = rt_string(&mem, dst);
	if (!to)
		return 0;
	to[0] = '\0';
	if (len < 2)
		return 0;
	sock = rt_state(&mem);
	ctx.out = &sock->out;
	ctx.out->len = 0;
	if (sock_read(sock->bytes, 2, addr, user))
		return RT_NONE;
	if (sock->family == AF_UNIX)
		return put_path(&mem, to, addr + SOCKADDR_PATH,
			(len < SOCKADDR_UN ? len : SOCKADDR_UN) - SOCKADDR_PATH + 1, user);
	if (sock->family == AF_INET && len >= SOCKADDR_IN) {
		if (sock_read(sock->bytes, SOCKADDR_IN, addr, user))
			return RT_NONE;
		ctx.addr = sock->four;
		put_quad(&ctx);
		put_port(ctx.out, sock->port);
	} else if (sock->family == AF_INET6 && len >= SOCKADDR_IN6) {
		if (sock_read(sock->bytes, SOCKADDR_IN6, addr, user))
			return RT_NONE;
		put(ctx.out, '[');
		ctx.addr = sock->six;
		put_six(&ctx, RT_AS_IN_C);
		put(ctx.out, ']');
		put_port(ctx.out, sock->port);
	} else {
		put_family(ctx.out, sock->family);
	}
	return put_end(&mem, to, ctx.out);
}

/* ---- hardware addresses ---- */

static long link_byte(__u32 i, struct net_ctx *ctx)
{
	ulong byte;

	if (i >= INFINIBAND_LEN)
		return 1;
	byte = ctx->addr[i];
	if (i)
		put(ctx->out, ':');
	put(ctx->out, hex_digit(byte >> 4));
	put(ctx->out, hex_digit(byte & 15));
	return 0;
}

ulong dt_link_ntop(ulong slot, ulong dst, ulong src, ulong type)
{
	ulong n = type == ETHER ? ETHER_LEN : INFINIBAND_LEN;
	struct net_ctx ctx = {0};
	struct rt_mem mem;
	char *to;

	if (!rt_open(&mem, slot))
		return 0;
	if (type != ETHER && type != INFINIBAND)
		return RT_NONE;
	to = rt_string(&mem, dst);
	ctx.addr = bytes_at(&mem, src, n);
	if (!to || !ctx.addr)
		return 0;
	ctx.out = rt_state(&mem);
	ctx.out->len = 0;
	bpf_loop((__u32)n, link_byte, &ctx, 0);
	return put_end(&mem, to, ctx.out);
}
