// SPDX-License-Identifier: Apache-2.0
/* Prints arguments of system calls: addresses, messages and options of sockets. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* struct ucred */
#endif
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "abi/flags.h"
#include "abi/syscalls.h"
#include "arch/arch.h"
#include "base/buf.h"
#include "calls/arg.h"

static void put_sockaddr(struct buf *b, const char *bytes, size_t len)
{
	const struct sockaddr_in6 *in6 = (const void *)bytes;
	const struct sockaddr_in *in = (const void *)bytes;
	const char *path = bytes + 2;
	uint16_t family = 0;
	char text[64];

	memcpy(&family, bytes, len < 2 ? len : 2);
	buf_puts(b, "{sa_family=");
	sysarg_flags(b, FLAGS_family, family);
	if (family == AF_INET && len >= 8)
		buf_printf(b, ", sin_port=htons(%d), sin_addr=inet_addr(\"%s\")",
			ntohs(in->sin_port), inet_ntop(AF_INET, &in->sin_addr, text, sizeof(text)));
	else if (family == AF_INET6 && len >= sizeof(*in6))
		buf_printf(b,
			", sin6_port=htons(%d), sin6_flowinfo=htonl(%u), inet_pton(AF_INET6, \"%s\", &sin6_addr), sin6_scope_id=%u",
			ntohs(in6->sin6_port), ntohl(in6->sin6_flowinfo),
			inet_ntop(AF_INET6, &in6->sin6_addr, text, sizeof(text)),
			in6->sin6_scope_id);
	else if (family == AF_UNIX && len > 2) {
		bool abstract = !*path;

		buf_puts(b, abstract ? ", sun_path=@" : ", sun_path=");
		sysarg_quoted(
			b, path + abstract, abstract ? len - 3 : strnlen(path, len - 2), false);
	}
	buf_putc(b, '}');
}

void sysarg_sockaddr(const struct sysarg *a)
{
	put_sockaddr(a->b, a->bytes, a->len);
}

/* ---- messages ---- */

/* A control message of TYPE at level SOL_SOCKET, or of another that is shown as bytes. */
static void put_control_data(struct buf *b, const struct cmsghdr *c, const char *data, size_t len)
{
	int32_t v[3];

	if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS) {
		buf_putc(b, '[');
		for (size_t i = 0; i + 4 <= len; i += 4) {
			memcpy(v, data + i, 4);
			buf_puts(b, i ? ", " : "");
			sysarg_decimal(b, v[0]);
		}
		buf_putc(b, ']');
	} else if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_CREDENTIALS &&
		len >= sizeof(v)) {
		memcpy(v, data, sizeof(v));
		buf_printf(b, "{pid=%d, uid=%d, gid=%d}", v[0], v[1], v[2]);
	} else {
		sysarg_quoted_hex(b, data, len, false);
	}
}

static void put_control_type(struct buf *b, const struct cmsghdr *c)
{
	if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
		buf_puts(b, "SCM_RIGHTS");
	else if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_CREDENTIALS)
		buf_puts(b, "SCM_CREDENTIALS");
	else
		sysarg_hex(b, (uint32_t)c->cmsg_type);
}

static void put_control(struct buf *b, const char *bytes, size_t len)
{
	struct cmsghdr c;
	size_t at = 0;

	buf_puts(b, ", msg_control=[");
	while (at + sizeof(c) <= len) {
		memcpy(&c, bytes + at, sizeof(c));
		if (c.cmsg_len < sizeof(c) || c.cmsg_len > len - at)
			break;
		buf_printf(b, "%s{cmsg_len=%zu, cmsg_level=", at ? ", " : "", (size_t)c.cmsg_len);
		sysarg_flags(b, FLAGS_sockopt_level, (uint32_t)c.cmsg_level);
		buf_puts(b, ", cmsg_type=");
		put_control_type(b, &c);
		buf_puts(b, ", cmsg_data=");
		put_control_data(b, &c, bytes + at + sizeof(c), c.cmsg_len - sizeof(c));
		buf_putc(b, '}');
		at += CMSG_ALIGN(c.cmsg_len);
	}
	buf_putc(b, ']');
}

/* recvmsg(2) has changed the length of the address from what it was given. */
static void put_name_length(const struct sysarg *a, const struct msghdr *m)
{
	struct msghdr was;

	buf_puts(a->b, "msg_namelen=");
	if (a->given_len >= sizeof(was)) {
		memcpy(&was, a->given, sizeof(was));
		if (was.msg_namelen != m->msg_namelen)
			buf_printf(a->b, "%u => ", was.msg_namelen);
	}
	buf_printf(a->b, "%u", m->msg_namelen);
}

void sysarg_message(const struct sysarg *a)
{
	const struct dt_syscall *s = a->s;
	bool receives = s->number == ARCH_NR(recvmsg);
	struct sysarg iov = *a;
	const char *more;
	struct msghdr m;
	size_t len;

	memcpy(&m, a->bytes, sizeof(m));
	if (receives && !sysarg_succeeded(s)) {
		buf_printf(a->b, "{msg_namelen=%u}", m.msg_namelen);
		return;
	}
	buf_puts(a->b, "{msg_name=");
	more = sysarg_captured(s, &s->more[DT_SYSCALL_NAME], &len);
	if (len)
		put_sockaddr(a->b, more, len);
	else
		sysarg_address(a->b, (uintptr_t)m.msg_name);
	buf_puts(a->b, ", ");
	put_name_length(a, &m);
	buf_puts(a->b, ", msg_iov=");
	iov.bytes = sysarg_captured(s, &s->more[DT_SYSCALL_IOV], &iov.len);
	if (iov.len)
		sysarg_iovecs(&iov, 0, m.msg_iovlen, receives ? (uint64_t)s->result : UINT64_MAX);
	else
		sysarg_address(a->b, (uintptr_t)m.msg_iov);
	buf_printf(a->b, ", msg_iovlen=%zu", (size_t)m.msg_iovlen);
	more = sysarg_captured(s, &s->more[DT_SYSCALL_CONTROL], &len);
	if (len && m.msg_controllen)
		put_control(a->b, more, len);
	buf_printf(a->b, ", msg_controllen=%zu, msg_flags=", (size_t)m.msg_controllen);
	sysarg_flags(a->b, FLAGS_msg, (uint32_t)m.msg_flags);
	buf_putc(a->b, '}');
}

/* Of sendmmsg(2) and recvmmsg(2): message I, whose buffers are captured from number *FIRST on. */
static void put_one_message(
	const struct sysarg *a, const struct mmsghdr *m, unsigned i, unsigned *first)
{
	bool receives = a->s->number == ARCH_NR(recvmmsg);
	struct sysarg iov = *a;
	const char *name;
	size_t len = 0, known, n = m->msg_hdr.msg_iovlen;

	buf_puts(a->b, "{msg_hdr={msg_name=");
	name = i ? NULL : sysarg_captured(a->s, &a->s->more[DT_SYSCALL_NAME], &len);
	if (len)
		put_sockaddr(a->b, name, len);
	else
		sysarg_address(a->b, (uintptr_t)m->msg_hdr.msg_name);
	buf_printf(a->b, ", msg_namelen=%u, msg_iov=", m->msg_hdr.msg_namelen);
	iov.bytes = sysarg_captured(a->s, &a->s->more[DT_SYSCALL_IOV], &iov.len);
	known = iov.len / sizeof(struct iovec);
	known = known > *first ? known - *first : 0;
	iov.bytes += *first * sizeof(struct iovec);
	iov.len = (n < known ? n : known) * sizeof(struct iovec);
	if (iov.len)
		sysarg_iovecs(&iov, *first, n, receives ? m->msg_len : UINT64_MAX);
	else
		sysarg_address(a->b, (uintptr_t)m->msg_hdr.msg_iov);
	*first += (unsigned)(iov.len / sizeof(struct iovec));
	buf_printf(a->b, ", msg_iovlen=%zu, msg_controllen=%zu, msg_flags=", n,
		(size_t)m->msg_hdr.msg_controllen);
	sysarg_flags(a->b, FLAGS_msg, (uint32_t)m->msg_hdr.msg_flags);
	buf_putc(a->b, '}');
	if (sysarg_succeeded(a->s) && i < (uint64_t)a->s->result)
		buf_printf(a->b, ", msg_len=%u", m->msg_len);
	buf_putc(a->b, '}');
}

void sysarg_messages(const struct sysarg *a)
{
	uint64_t n = a->s->number == ARCH_NR(recvmmsg) ? (uint64_t)a->s->result : sysarg_next(a);
	unsigned first = 0;
	struct mmsghdr m;

	buf_putc(a->b, '[');
	for (unsigned i = 0; (i + 1) * sizeof(m) <= a->len; i++) {
		memcpy(&m, a->bytes + i * sizeof(m), sizeof(m));
		buf_puts(a->b, i ? ", " : "");
		put_one_message(a, &m, i, &first);
	}
	buf_puts(a->b, a->len / sizeof(m) < n ? ", ...]" : "]");
}

/* ---- options ---- */

void sysarg_option(const struct sysarg *a)
{
	uint64_t size = a->s->number == ARCH_NR(setsockopt) ? sysarg_next(a) : a->len;
	bool socket = (uint32_t)a->s->arg[1] == SOL_SOCKET;
	uint32_t option = (uint32_t)a->s->arg[2];
	int32_t v[3] = {0};

	memcpy(v, a->bytes, a->len < sizeof(v) ? a->len : sizeof(v));
	if (socket && option == SO_LINGER && size == 8)
		buf_printf(a->b, "{l_onoff=%d, l_linger=%d}", v[0], v[1]);
	else if (socket && option == SO_PEERCRED && size == 12)
		buf_printf(a->b, "{pid=%d, uid=%d, gid=%d}", v[0], v[1], v[2]);
	else if (size == 4)
		buf_printf(a->b, "[%d]", v[0]);
	else
		sysarg_quoted(a->b, a->bytes, a->len, size > a->len);
}
