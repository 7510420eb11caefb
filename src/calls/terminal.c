// SPDX-License-Identifier: Apache-2.0
/* Prints struct termios (ioctl(2)), struct flock (fcntl(2)) and sets of CPUs. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* F_OFD_GETLK, XCASE */
#endif
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <termios.h>

#include "abi/syscalls.h"
#include "base/buf.h"
#include "calls/arg.h"

#define BIT(name)                 \
	{                         \
		name, name, #name \
	}
#define FIELD(name, mask)         \
	{                         \
		mask, name, #name \
	}

/* ---- terminals: asm-generic/termbits.h ---- */

static const struct sysarg_name input[] = {
	BIT(IGNBRK),
	BIT(BRKINT),
	BIT(IGNPAR),
	BIT(PARMRK),
	BIT(INPCK),
	BIT(ISTRIP),
	BIT(INLCR),
	BIT(IGNCR),
	BIT(ICRNL),
	BIT(IUCLC),
	BIT(IXON),
	BIT(IXANY),
	BIT(IXOFF),
	BIT(IMAXBEL),
	BIT(IUTF8),
	{0},
};
/* the fields first, also those that are 0 */
static const struct sysarg_name delays[] = {
	FIELD(NL0, NLDLY),
	FIELD(NL1, NLDLY),
	FIELD(CR0, CRDLY),
	FIELD(CR1, CRDLY),
	FIELD(CR2, CRDLY),
	FIELD(CR3, CRDLY),
	FIELD(TAB0, TABDLY),
	FIELD(TAB1, TABDLY),
	FIELD(TAB2, TABDLY),
	FIELD(TAB3, TABDLY),
	FIELD(BS0, BSDLY),
	FIELD(BS1, BSDLY),
	FIELD(VT0, VTDLY),
	FIELD(VT1, VTDLY),
	FIELD(FF0, FFDLY),
	FIELD(FF1, FFDLY),
	{0},
};
static const struct sysarg_name output[] = {
	BIT(OPOST),
	BIT(OLCUC),
	BIT(ONLCR),
	BIT(OCRNL),
	BIT(ONOCR),
	BIT(ONLRET),
	BIT(OFILL),
	BIT(OFDEL),
	{0},
};
#define SPEED(name)                \
	{                          \
		CBAUD, name, #name \
	}
static const struct sysarg_name speeds[] = {
	SPEED(B0),
	SPEED(B50),
	SPEED(B75),
	SPEED(B110),
	SPEED(B134),
	SPEED(B150),
	SPEED(B200),
	SPEED(B300),
	SPEED(B600),
	SPEED(B1200),
	SPEED(B1800),
	SPEED(B2400),
	SPEED(B4800),
	SPEED(B9600),
	SPEED(B19200),
	SPEED(B38400),
	SPEED(B57600),
	SPEED(B115200),
	SPEED(B230400),
	SPEED(B460800),
	SPEED(B500000),
	SPEED(B576000),
	SPEED(B921600),
	SPEED(B1000000),
	SPEED(B1152000),
	SPEED(B1500000),
	SPEED(B2000000),
	SPEED(B2500000),
	SPEED(B3000000),
	SPEED(B3500000),
	SPEED(B4000000),
	FIELD(CS5, CSIZE),
	FIELD(CS6, CSIZE),
	FIELD(CS7, CSIZE),
	FIELD(CS8, CSIZE),
	{0},
};
static const struct sysarg_name control[] = {
	BIT(CSTOPB),
	BIT(CREAD),
	BIT(PARENB),
	BIT(PARODD),
	BIT(HUPCL),
	BIT(CLOCAL),
	BIT(CRTSCTS),
	{0},
};
static const struct sysarg_name local[] = {
	BIT(ISIG),
	BIT(ICANON),
	BIT(XCASE),
	BIT(ECHO),
	BIT(ECHOE),
	BIT(ECHOK),
	BIT(ECHONL),
	BIT(NOFLSH),
	BIT(IEXTEN),
	BIT(ECHOCTL),
	BIT(ECHOPRT),
	BIT(ECHOKE),
	BIT(FLUSHO),
	BIT(PENDIN),
	BIT(TOSTOP),
	BIT(EXTPROC),
	{0},
};

/* The names of all FIELDS of V, then those of its FLAGS, if any. */
static void put_fields(struct buf *b, const struct sysarg_name *fields,
	const struct sysarg_name *flags, uint32_t v)
{
	const char *between = "";

	for (; fields->name; fields++) {
		if ((v & fields->mask) != fields->value)
			continue;
		buf_printf(b, "%s%s", between, fields->name);
		between = "|";
	}
	for (; flags->name; flags++)
		if (v & flags->mask)
			buf_printf(b, "|%s", flags->name);
}

void sysarg_termios(const struct sysarg *a)
{
	uint32_t mode[4]; /* struct termios of the kernel begins with these */

	memcpy(mode, a->bytes, sizeof(mode));
	buf_puts(a->b, "{c_iflag=");
	sysarg_names(a->b, input, mode[0], NULL);
	buf_puts(a->b, ", c_oflag=");
	put_fields(a->b, delays, output, mode[1]);
	buf_puts(a->b, ", c_cflag=");
	put_fields(a->b, speeds, control, mode[2]);
	buf_puts(a->b, ", c_lflag=");
	sysarg_names(a->b, local, mode[3], NULL);
	buf_puts(a->b, ", ...}");
}

/* ---- locks ---- */

void sysarg_lock(const struct sysarg *a)
{
	static const struct sysarg_name types[] = {
		FIELD(F_RDLCK, ~0ull), FIELD(F_WRLCK, ~0ull), FIELD(F_UNLCK, ~0ull), {0}};
	bool asks = a->s->arg[1] == F_GETLK || a->s->arg[1] == F_OFD_GETLK;
	struct flock l;

	if (asks && !sysarg_succeeded(a->s)) {
		sysarg_address(a->b, a->v);
		return;
	}
	memcpy(&l, a->bytes, sizeof(l));
	buf_puts(a->b, "{l_type=");
	sysarg_names(a->b, types, (uint16_t)l.l_type, "F_???");
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
