// SPDX-License-Identifier: Apache-2.0
/* Prints struct termios (ioctl(2)), struct flock (fcntl(2)) and sets of CPUs. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* F_OFD_GETLK */
#endif
#include <fcntl.h>
#include <inttypes.h>
#include <linux/types.h>
#include <stdint.h>
#include <string.h>

#include "abi/flags.h"
#include "abi/syscalls.h"
#include "base/buf.h"
#include "calls/arg.h"

/* ---- terminals: asm-generic/termbits.h ---- */

struct modes {
	struct buf *b;
	uint64_t v;
	const char *between;
};

/* A field is shown though it is 0. */
static void put_mode(void *arg, __u64 mask, __u64 value, const char *text)
{
	struct modes *m = arg;

	if ((m->v & mask) != value)
		return;
	buf_puts(m->b, m->between);
	buf_puts(m->b, text);
	m->between = "|";
}

static void put_modes(struct buf *b, enum flag_set set, uint32_t v)
{
	struct modes m = {.b = b, .v = v, .between = ""};

	flag_each(set, put_mode, &m);
}

void sysarg_termios(const struct sysarg *a)
{
	uint32_t mode[4]; /* struct termios of the kernel begins with these */

	memcpy(mode, a->bytes, sizeof(mode));
	buf_puts(a->b, "{c_iflag=");
	sysarg_flags(a->b, FLAGS_termios_input, mode[0]);
	buf_puts(a->b, ", c_oflag=");
	put_modes(a->b, FLAGS_termios_output, mode[1]);
	buf_puts(a->b, ", c_cflag=");
	put_modes(a->b, FLAGS_termios_control, mode[2]);
	buf_puts(a->b, ", c_lflag=");
	sysarg_flags(a->b, FLAGS_termios_local, mode[3]);
	buf_puts(a->b, ", ...}");
}

/* ---- locks ---- */

void sysarg_lock(const struct sysarg *a)
{
	bool asks = a->s->arg[1] == F_GETLK || a->s->arg[1] == F_OFD_GETLK;
	struct flock l;

	if (asks && !sysarg_succeeded(a->s)) {
		sysarg_address(a->b, a->v);
		return;
	}
	memcpy(&l, a->bytes, sizeof(l));
	buf_puts(a->b, "{l_type=");
	sysarg_named(a, FLAGS_flock_type, (uint16_t)l.l_type, "F_???");
	buf_puts(a->b, ", l_whence=");
	sysarg_flags(a->b, FLAGS_seek, (uint16_t)l.l_whence);
	buf_printf(a->b, ", l_start=%" PRId64 ", l_len=%" PRId64, (int64_t)l.l_start,
		(int64_t)l.l_len);
	if (asks)
		buf_printf(a->b, ", l_pid=%d", (int)l.l_pid);
	buf_putc(a->b, '}');
}

/* ---- CPUs ---- */

void sysarg_cpus(const struct sysarg *a)
{
	const char *between = "";

	buf_putc(a->b, '[');
	for (size_t i = 0; i < 8 * a->len; i++) {
		if (!(a->bytes[i / 8] >> i % 8 & 1))
			continue;
		buf_printf(a->b, "%s%zu", between, i);
		between = " ";
	}
	buf_putc(a->b, ']');
}
