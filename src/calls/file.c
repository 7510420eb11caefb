// SPDX-License-Identifier: Apache-2.0
/* Prints arguments of system calls: structs of files, and sets of file descriptors. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* struct statx */
#endif
#include <inttypes.h>
#include <linux/openat2.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include "abi/flags.h"
#include "abi/syscalls.h"
#include "base/buf.h"
#include "base/termios2.h"
#include "calls/arg.h"

#define ELEMENTS 16 /* of an array that are shown */

void sysarg_stat(const struct sysarg *a)
{
	const struct stat *st = (const void *)a->bytes;

	buf_puts(a->b, "{st_mode=");
	sysarg_flags(a->b, FLAGS_mode, st->st_mode);
	if (S_ISCHR(st->st_mode) || S_ISBLK(st->st_mode))
		buf_printf(a->b, ", st_rdev=makedev(%#x, %#x)", major(st->st_rdev),
			minor(st->st_rdev));
	else
		buf_printf(a->b, ", st_size=%" PRId64, (int64_t)st->st_size);
	buf_puts(a->b, ", ...}");
}

void sysarg_statx(const struct sysarg *a)
{
	const struct statx *st = (const void *)a->bytes;

	buf_puts(a->b, "{stx_mask=");
	sysarg_flags(a->b, FLAGS_statx, st->stx_mask);
	buf_puts(a->b, ", stx_attributes=");
	sysarg_flags(a->b, FLAGS_statx_attr, st->stx_attributes);
	buf_puts(a->b, ", stx_mode=");
	sysarg_flags(a->b, FLAGS_mode, st->stx_mode);
	buf_printf(a->b, ", stx_size=%" PRIu64 ", ...}", (uint64_t)st->stx_size);
}

void sysarg_statfs(const struct sysarg *a)
{
	struct statfs f;

	memcpy(&f, a->bytes, sizeof(f));
	buf_puts(a->b, "{f_type=");
	sysarg_flags(a->b, FLAGS_fs_magic, (uint64_t)f.f_type);
	buf_printf(a->b,
		", f_bsize=%lu, f_blocks=%lu, f_bfree=%lu, f_bavail=%lu, f_files=%lu, f_ffree=%lu",
		(unsigned long)f.f_bsize, f.f_blocks, f.f_bfree, f.f_bavail, f.f_files, f.f_ffree);
	buf_puts(a->b, ", f_fsid={val=[");
	sysarg_hex(a->b, (uint32_t)f.f_fsid.__val[0]);
	buf_puts(a->b, ", ");
	sysarg_hex(a->b, (uint32_t)f.f_fsid.__val[1]);
	buf_printf(a->b, "]}, f_namelen=%lu, f_frsize=%lu, f_flags=", (unsigned long)f.f_namelen,
		(unsigned long)f.f_frsize);
	sysarg_flags(a->b, FLAGS_fs_flags, (uint64_t)f.f_flags);
	buf_putc(a->b, '}');
}

void sysarg_open_how(const struct sysarg *a)
{
	struct open_how how;

	memcpy(&how, a->bytes, sizeof(how));
	buf_puts(a->b, "{flags=");
	sysarg_flags(a->b, FLAGS_open, how.flags);
	if (how.mode)
		buf_printf(a->b, ", mode=%#03o", (unsigned)how.mode);
	buf_puts(a->b, ", resolve=");
	sysarg_flags(a->b, FLAGS_resolve, how.resolve);
	buf_putc(a->b, '}');
}

void sysarg_dirents(const struct sysarg *a)
{
	sysarg_address(a->b, a->v);
	if (sysarg_succeeded(a->s))
		buf_printf(a->b, " /* %u entr%s */", a->s->count, a->s->count == 1 ? "y" : "ies");
}

void sysarg_fdset(struct buf *b, const char *bytes, size_t len, uint64_t n)
{
	bool first = true;

	buf_putc(b, '[');
	for (size_t fd = 0; fd < 8 * len && fd < n; fd++) {
		if (!(bytes[fd / 8] >> fd % 8 & 1))
			continue;
		if (!first)
			buf_putc(b, ' ');
		sysarg_decimal(b, (int64_t)fd);
		first = false;
	}
	buf_putc(b, ']');
}

void sysarg_fdset_arg(const struct sysarg *a)
{
	if (a->given_len)
		sysarg_fdset(a->b, a->given, a->given_len, a->s->arg[0]);
	else
		sysarg_fdset(a->b, a->bytes, a->len, a->s->arg[0]);
}

void sysarg_pollfds(const struct sysarg *a)
{
	const struct pollfd *p = (const void *)a->bytes;
	size_t n = a->len / sizeof(*p);

	buf_putc(a->b, '[');
	for (size_t i = 0; i < n && i < ELEMENTS; i++) {
		buf_printf(a->b, "%s{fd=%d", i ? ", " : "", p[i].fd);
		if (p[i].fd >= 0) {
			buf_puts(a->b, ", events=");
			sysarg_flags(a->b, FLAGS_poll, (uint16_t)p[i].events);
		}
		buf_putc(a->b, '}');
	}
	buf_puts(a->b, n > ELEMENTS || n < (uint32_t)sysarg_next(a) ? ", ...]" : "]");
}

static void put_epoll(struct buf *b, const char *p)
{
	struct epoll_event e;

	memcpy(&e, p, sizeof(e));
	buf_puts(b, "{events=");
	sysarg_flags(b, FLAGS_epoll, e.events);
	buf_printf(b, ", data={u32=%u, u64=%" PRIu64 "}}", e.data.u32, (uint64_t)e.data.u64);
}

void sysarg_epoll(const struct sysarg *a)
{
	put_epoll(a->b, a->bytes);
}

void sysarg_epolls(const struct sysarg *a)
{
	size_t n = a->len / sizeof(struct epoll_event);

	buf_putc(a->b, '[');
	for (size_t i = 0; i < n && i < ELEMENTS; i++) {
		buf_puts(a->b, i ? ", " : "");
		put_epoll(a->b, a->bytes + i * sizeof(struct epoll_event));
	}
	buf_puts(a->b, n > ELEMENTS || (int64_t)n < a->s->result ? ", ...]" : "]");
}

/* ---- ioctl(2) ---- */

static void put_winsize(const struct sysarg *a)
{
	struct winsize w;

	memcpy(&w, a->bytes, sizeof(w));
	buf_printf(a->b, "{ws_row=%u, ws_col=%u, ws_xpixel=%u, ws_ypixel=%u}", w.ws_row, w.ws_col,
		w.ws_xpixel, w.ws_ypixel);
}

static void put_ioctl_int(const struct sysarg *a)
{
	int v;

	memcpy(&v, a->bytes, sizeof(v));
	buf_printf(a->b, "[%d]", v);
}

/* Requests whose argument has another form than an address. */
static const struct {
	uint32_t request;
	bool out; /* the memory is written */
	sysarg_fn *put;
} ioctls[] = {
	{TIOCGWINSZ, true, put_winsize},
	{TIOCSWINSZ, false, put_winsize},
	{TCGETS, true, sysarg_termios},
	{TCSETS, false, sysarg_termios},
	{TCSETSW, false, sysarg_termios},
	{TCSETSF, false, sysarg_termios},
	{TERMIOS2_GET, true, sysarg_termios},
	{TERMIOS2_SET, false, sysarg_termios},
	{TERMIOS2_SET_WAIT, false, sysarg_termios},
	{TERMIOS2_SET_FLUSH, false, sysarg_termios},
	{FIONREAD, true, put_ioctl_int},
	{TIOCOUTQ, true, put_ioctl_int},
	{FIONBIO, false, put_ioctl_int},
	{FIOASYNC, false, put_ioctl_int},
	{TIOCGPGRP, true, put_ioctl_int},
	{TIOCSPGRP, false, put_ioctl_int},
	{TIOCGSID, true, put_ioctl_int},
	{TIOCGPTN, true, put_ioctl_int},
	{TIOCSPTLCK, false, put_ioctl_int},
};

void sysarg_ioctl(const struct sysarg *a)
{
	uint32_t request = (uint32_t)a->s->arg[1];

	for (unsigned i = 0; i < sizeof(ioctls) / sizeof(ioctls[0]) && a->len; i++) {
		if (ioctls[i].request != request)
			continue;
		if (ioctls[i].out && !sysarg_succeeded(a->s))
			break;
		ioctls[i].put(a);
		return;
	}
	if (request == TIOCEXCL || request == TIOCNXCL || request == TIOCNOTTY)
		a->b->len -= 2; /* no argument, no comma */
	else if (request == TCFLSH)
		sysarg_flags(a->b, FLAGS_tcflush, a->v);
	else if (request >> 8 == '$') /* PERF_EVENT_IOC_: a number */
		sysarg_hex(a->b, a->v);
	else if (request == TIOCSCTTY)
		sysarg_decimal(a->b, (int64_t)a->v);
	else
		sysarg_address(a->b, a->v);
}
