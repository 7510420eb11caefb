// SPDX-License-Identifier: Apache-2.0
/* Prints arguments of system calls: numbers, flags, strings, buffers and times. */
#include "calls/arg.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <time.h>

#include "abi/syscalls.h"
#include "arch/arch.h"
#include "arch/syscalls_table.h"
#include "base/buf.h"

/* ---- what the record has ---- */

const char *sysarg_captured(const struct dt_syscall *s, const struct dt_capture *cap, size_t *len)
{
	bool inside = s->used <= DT_SYSCALL_BYTES + 8 && cap->off + cap->len <= s->used;

	*len = inside ? cap->len : 0;
	return s->bytes + (inside ? cap->off : 0);
}

uint64_t sysarg_next(const struct sysarg *a)
{
	return a->i + 1 < DT_SYSCALL_ARGS ? a->s->arg[a->i + 1] : 0;
}

bool sysarg_succeeded(const struct dt_syscall *s)
{
	return s->state == SYSCALL_RETURNS && s->result >= 0;
}

void sysarg_init(struct sysarg *a, struct buf *b, const struct dt_syscall *s, unsigned i)
{
	*a = (struct sysarg){.b = b, .s = s, .i = i, .v = s->arg[i]};
	a->bytes = sysarg_captured(s, &s->cap[i], &a->len);
	if (s->kept)
		a->given = sysarg_captured(s, &s->given[i], &a->given_len);
	if (!a->len && a->given_len) {
		a->bytes = a->given;
		a->len = a->given_len;
	}
}

/* ---- numbers ---- */

void sysarg_decimal(struct buf *b, int64_t v)
{
	uint64_t u = v < 0 ? -(uint64_t)v : (uint64_t)v;
	char text[24], *p = text + sizeof(text);

	do {
		*--p = (char)('0' + u % 10);
		u /= 10;
	} while (u);
	if (v < 0)
		*--p = '-';
	buf_put(b, p, (size_t)(text + sizeof(text) - p));
}

void sysarg_hex(struct buf *b, uint64_t v)
{
	char text[24], *p = text + sizeof(text);

	if (!v) {
		buf_putc(b, '0');
		return;
	}
	for (; v; v >>= 4)
		*--p = "0123456789abcdef"[v & 15];
	*--p = 'x';
	*--p = '0';
	buf_put(b, p, (size_t)(text + sizeof(text) - p));
}

void sysarg_address(struct buf *b, uint64_t v)
{
	if (v)
		sysarg_hex(b, v);
	else
		buf_puts(b, "NULL");
}

/* A request of ioctl(2): one without a name as its parts (asm-generic/ioctl.h). */
static void put_request(struct buf *b, uint32_t v)
{
	static const char *const ways[] = {
		"_IOC_NONE", "_IOC_WRITE", "_IOC_READ", "_IOC_READ|_IOC_WRITE"};
	char text[64];

	flag_text(FLAGS_ioctl, v, text, sizeof(text));
	if (*text >= '0' && *text <= '9')
		buf_printf(b, "_IOC(%s, %#x, %#x, %#x)", ways[v >> 30], v >> 8 & 0xff, v & 0xff,
			v >> 16 & 0x3fff);
	else
		buf_puts(b, text);
}

void sysarg_flags(struct buf *b, enum flag_set set, uint64_t v)
{
	char text[512];

	if (set == FLAGS_signal)
		sysarg_signal(b, v);
	else if (set == FLAGS_ioctl)
		put_request(b, (uint32_t)v);
	else
		buf_put(b, text, flag_text(set, v, text, sizeof(text)));
}

void sysarg_named(const struct sysarg *a, enum flag_set set, uint64_t v, const char *unknown)
{
	const char *newer = flag_newer_name(a->newer, set, v);

	if (newer) {
		buf_puts(a->b, newer);
		return;
	}
	sysarg_flags(a->b, set, v);
	if (unknown && !flag_is_named(set, v))
		buf_printf(a->b, " /* %s */", unknown);
}

static void put_device(struct buf *b, uint64_t dev)
{
	buf_printf(b, "makedev(%#x, %#x)", major(dev), minor(dev));
}

/* ---- strings and buffers ---- */

/* C is a byte of a string; the next one tells how short an octal escape may be. */
static void put_byte(struct buf *b, unsigned char c, int next)
{
	static const char from[] = "\f\n\r\t\v", to[] = "fnrtv";
	const char *p = c ? strchr(from, c) : NULL;

	if (p || c == '"' || c == '\\') {
		buf_putc(b, '\\');
		buf_putc(b, p ? to[p - from] : (char)c);
	} else if (c >= ' ' && c <= '~') {
		buf_putc(b, (char)c);
	} else {
		buf_printf(b, next >= '0' && next <= '7' ? "\\%03o" : "\\%o", c);
	}
}

void sysarg_quoted(struct buf *b, const char *p, size_t len, bool more)
{
	buf_putc(b, '"');
	for (size_t i = 0; i < len; i++)
		put_byte(b, (unsigned char)p[i], i + 1 < len ? p[i + 1] : -1);
	buf_puts(b, more ? "\"..." : "\"");
}

void sysarg_quoted_hex(struct buf *b, const char *p, size_t len, bool more)
{
	buf_putc(b, '"');
	for (size_t i = 0; i < len; i++)
		buf_printf(b, "\\x%02x", (unsigned char)p[i]);
	buf_puts(b, more ? "\"..." : "\"");
}

static void put_string(const struct sysarg *a)
{
	size_t n = strnlen(a->bytes, a->len);

	sysarg_quoted(a->b, a->bytes, n, n + 1 >= DT_SYSCALL_PIECE);
}

static void put_buffer(const struct sysarg *a)
{
	sysarg_quoted(a->b, a->bytes, a->len, sysarg_next(a) > a->len);
}

static void put_filled(const struct sysarg *a)
{
	bool more = (uint64_t)a->s->result > a->len;

	if (a->s->number == ARCH_NR(getrandom))
		sysarg_quoted_hex(a->b, a->bytes, a->len, more);
	else
		sysarg_quoted(a->b, a->bytes, a->len, more);
}

void sysarg_iovecs(const struct sysarg *a, unsigned first, uint64_t n, uint64_t limit)
{
	const struct iovec *v = (const void *)a->bytes;
	size_t known = a->len / sizeof(*v), len;
	const char *p;

	buf_putc(a->b, '[');
	for (size_t i = 0; i < known; i++) {
		uint64_t total = v[i].iov_len < limit ? v[i].iov_len : limit;

		buf_puts(a->b, i ? ", {iov_base=" : "{iov_base=");
		len = 0;
		if (first + i < DT_SYSCALL_VECTORS)
			p = sysarg_captured(a->s, &a->s->vector[first + i], &len);
		if (len > total)
			len = total;
		if (len || (!total && first + i < DT_SYSCALL_VECTORS))
			sysarg_quoted(a->b, p, len, total > len);
		else
			sysarg_address(a->b, (uintptr_t)v[i].iov_base);
		buf_printf(a->b, ", iov_len=%zu}", v[i].iov_len);
		limit -= total;
	}
	buf_puts(a->b, known < n ? ", ...]" : "]");
}

static void put_iovecs(const struct sysarg *a)
{
	sysarg_iovecs(a, 0, sysarg_next(a), UINT64_MAX);
}

static void put_iovecs_filled(const struct sysarg *a)
{
	sysarg_iovecs(a, 0, sysarg_next(a), sysarg_succeeded(a->s) ? (uint64_t)a->s->result : 0);
}

/* ---- numbers in memory ---- */

static int32_t int_at(const char *bytes, unsigned i)
{
	int32_t v;

	memcpy(&v, bytes + i * sizeof(v), sizeof(v));
	return v;
}

static void put_int(const struct sysarg *a)
{
	buf_printf(a->b, "[%d]", int_at(a->bytes, 0));
}

static void put_two_ints(const struct sysarg *a)
{
	buf_printf(a->b, "[%d, %d]", int_at(a->bytes, 0), int_at(a->bytes, 1));
}

/* The offset that the call begins at. */
static void put_offset(const struct sysarg *a)
{
	int64_t v;

	memcpy(&v, a->bytes, sizeof(v));
	buf_printf(a->b, "[%" PRId64 "]", v);
}

/* The same, and where it has ended. */
static void put_offset_moved(const struct sysarg *a)
{
	int64_t was, is;

	memcpy(&is, a->bytes, sizeof(is));
	if (a->given_len >= sizeof(was)) {
		memcpy(&was, a->given, sizeof(was));
		if (was != is)
			buf_printf(a->b, "[%" PRId64 "] => ", was);
	}
	put_offset(a);
}

/* The length of an address, and how long it is if that is another. */
static void put_socklen(const struct sysarg *a)
{
	int is = int_at(a->bytes, 0), was = a->given_len >= 4 ? int_at(a->given, 0) : is;

	if (was == is)
		buf_printf(a->b, "[%d]", is);
	else
		buf_printf(a->b, "[%d => %d]", was, is);
}

/* ---- times ---- */

void sysarg_time(struct buf *b, const void *pair, const char *unit)
{
	int64_t t[2];

	memcpy(t, pair, sizeof(t));
	buf_printf(b, "{tv_sec=%" PRId64 ", tv_%s=%" PRIu64 "}", t[0], unit, (uint64_t)t[1]);
}

static void put_timespec(const struct sysarg *a)
{
	sysarg_time(a->b, a->bytes, "nsec");
}

static void put_timeval(const struct sysarg *a)
{
	sysarg_time(a->b, a->bytes, "usec");
}

/* The time limit of select(2) and its like, which the call changes to what is left of it. */
static void put_timespec_given(const struct sysarg *a)
{
	sysarg_time(a->b, a->given_len ? a->given : a->bytes, "nsec");
}

static void put_timeval_given(const struct sysarg *a)
{
	sysarg_time(a->b, a->given_len ? a->given : a->bytes, "usec");
}

/* What is left of a sleep that a signal has ended: only then is it written. */
static void put_remainder(const struct sysarg *a)
{
	enum { EINTR_RESULT = -4, RESTART_BLOCK = -516 };

	if (a->s->result == EINTR_RESULT || a->s->result == RESTART_BLOCK)
		put_timespec(a);
	else
		sysarg_address(a->b, a->v);
}

static void put_interval(const struct sysarg *a, const char *unit)
{
	buf_puts(a->b, "{it_interval=");
	sysarg_time(a->b, a->bytes, unit);
	buf_puts(a->b, ", it_value=");
	sysarg_time(a->b, a->bytes + 16, unit);
	buf_putc(a->b, '}');
}

static void put_itimerspec(const struct sysarg *a)
{
	put_interval(a, "nsec");
}

static void put_itimerval(const struct sysarg *a)
{
	put_interval(a, "usec");
}

/* A time of utimensat(2), with the date in a comment. */
static void put_file_time(struct buf *b, const char *bytes)
{
	char date[40], zone[8], part[16] = "";
	struct timespec t;
	struct tm tm;

	memcpy(&t, bytes, sizeof(t));
	if (t.tv_nsec == UTIME_NOW || t.tv_nsec == UTIME_OMIT) {
		buf_puts(b, t.tv_nsec == UTIME_NOW ? "UTIME_NOW" : "UTIME_OMIT");
		return;
	}
	sysarg_time(b, bytes, "nsec");
	if ((!t.tv_sec && !t.tv_nsec) || t.tv_nsec < 0 || t.tv_nsec > 999999999 ||
		!localtime_r(&t.tv_sec, &tm) || !strftime(date, sizeof(date), "%FT%T", &tm) ||
		!strftime(zone, sizeof(zone), "%z", &tm))
		return;
	if (t.tv_nsec)
		snprintf(part, sizeof(part), ".%09ld", t.tv_nsec);
	buf_printf(b, " /* %s%s%s */", date, part, zone);
}

static void put_file_times(const struct sysarg *a)
{
	buf_putc(a->b, '[');
	put_file_time(a->b, a->bytes);
	buf_puts(a->b, ", ");
	put_file_time(a->b, a->bytes + sizeof(struct timespec));
	buf_putc(a->b, ']');
}

/* ---- all ---- */

/* Appends a number; false: the argument points to memory. */
static bool put_number(const struct sysarg *a, enum sysarg_kind kind)
{
	switch (kind) {
	case SYSARG_INT:
		sysarg_decimal(a->b, (int32_t)a->v);
		return true;
	case SYSARG_UINT:
		sysarg_decimal(a->b, (uint32_t)a->v);
		return true;
	case SYSARG_LONG:
		sysarg_decimal(a->b, (int64_t)a->v);
		return true;
	case SYSARG_ULONG:
		buf_printf(a->b, "%" PRIu64, a->v);
		return true;
	case SYSARG_HEX:
		sysarg_hex(a->b, a->v);
		return true;
	case SYSARG_MODE:
		buf_printf(a->b, "%#03o", (uint32_t)a->v);
		return true;
	case SYSARG_DEV:
		put_device(a->b, a->v);
		return true;
	case SYSARG_BITSET:
		if ((uint32_t)a->v == UINT32_MAX)
			buf_puts(a->b, "FUTEX_BITSET_MATCH_ANY");
		else
			sysarg_hex(a->b, (uint32_t)a->v);
		return true;
	case SYSARG_FLAGS:
		sysarg_named(a, a->set, a->v, NULL);
		return true;
	default:
		return false;
	}
}

static sysarg_fn *const memory_forms[SYSARG_MAX] = {
	[SYSARG_STR] = put_string,
	[SYSARG_STR_OUT] = put_string,
	[SYSARG_BUF] = put_buffer,
	[SYSARG_BUFOUT] = put_filled,
	[SYSARG_BUFINT] = put_int,
	[SYSARG_INTP] = put_int,
	[SYSARG_IDP] = put_int,
	[SYSARG_FDPAIR] = put_two_ints,
	[SYSARG_OFFSET] = put_offset,
	[SYSARG_OFFSET_MOVED] = put_offset_moved,
	[SYSARG_SOCKLEN] = put_socklen,
	[SYSARG_OPTVAL] = sysarg_option,
	[SYSARG_OPTVAL_OUT] = sysarg_option,
	[SYSARG_IOCTL] = sysarg_ioctl,
	[SYSARG_PRCTL] = sysarg_prctl,
	[SYSARG_STATUS] = sysarg_status,
	[SYSARG_TIMESPEC] = put_timespec,
	[SYSARG_TIMESPEC_OUT] = put_timespec,
	[SYSARG_TIMESPEC_LEFT] = put_timespec_given,
	[SYSARG_TIMESPECS] = put_file_times,
	[SYSARG_REMAINDER] = put_remainder,
	[SYSARG_TIMEVAL] = put_timeval,
	[SYSARG_TIMEVAL_OUT] = put_timeval,
	[SYSARG_TIMEVAL_LEFT] = put_timeval_given,
	[SYSARG_ITIMERSPEC] = put_itimerspec,
	[SYSARG_ITIMERSPEC_OUT] = put_itimerspec,
	[SYSARG_ITIMERVAL] = put_itimerval,
	[SYSARG_ITIMERVAL_OUT] = put_itimerval,
	[SYSARG_STAT] = sysarg_stat,
	[SYSARG_STATX] = sysarg_statx,
	[SYSARG_STATFS] = sysarg_statfs,
	[SYSARG_OPEN_HOW] = sysarg_open_how,
	[SYSARG_SOCKADDR] = sysarg_sockaddr,
	[SYSARG_SOCKADDR_OUT] = sysarg_sockaddr,
	[SYSARG_IOVEC] = put_iovecs,
	[SYSARG_IOVEC_OUT] = put_iovecs_filled,
	[SYSARG_MSGHDR] = sysarg_message,
	[SYSARG_MSGHDR_OUT] = sysarg_message,
	[SYSARG_POLLFD] = sysarg_pollfds,
	[SYSARG_FDSET] = sysarg_fdset_arg,
	[SYSARG_SIGSET] = sysarg_signals,
	[SYSARG_SIGSET_SET] = sysarg_signals,
	[SYSARG_SIGSET_OUT] = sysarg_signals,
	[SYSARG_SIGSET_PAIR] = sysarg_signals_pair,
	[SYSARG_SIGINFO] = sysarg_siginfo,
	[SYSARG_STACK] = sysarg_stack,
	[SYSARG_STACK_OUT] = sysarg_stack,
	[SYSARG_SIGACTION] = sysarg_sigaction,
	[SYSARG_SIGACTION_OUT] = sysarg_sigaction,
	[SYSARG_RLIMIT] = sysarg_rlimit,
	[SYSARG_RLIMIT_OUT] = sysarg_rlimit,
	[SYSARG_RUSAGE] = sysarg_rusage,
	[SYSARG_UTSNAME] = sysarg_utsname,
	[SYSARG_EPOLL] = sysarg_epoll,
	[SYSARG_EPOLL_OUT] = sysarg_epolls,
	[SYSARG_CLONE] = sysarg_clone,
	[SYSARG_ARGV] = sysarg_strings,
	[SYSARG_CPUS] = sysarg_cpus,
	[SYSARG_CPUS_OUT] = sysarg_cpus,
	[SYSARG_FLOCK] = sysarg_lock,
	[SYSARG_BPF] = sysarg_bpf,
	[SYSARG_PERF] = sysarg_perf_event,
	[SYSARG_MMSG] = sysarg_messages,
	[SYSARG_MMSG_OUT] = sysarg_messages,
};

/* Appends what stands for memory of which nothing was captured. */
static void put_uncaptured(const struct sysarg *a, enum sysarg_kind kind)
{
	bool none = a->v && sysarg_succeeded(a->s) && !a->s->result;

	if (a->s->state == SYSCALL_EXECUTED && !a->s->kept && kind == SYSARG_ENVP)
		buf_puts(a->b, "..."); /* that of the old image */
	else if (kind == SYSARG_ENVP)
		sysarg_environment(a);
	else if (kind == SYSARG_DIRENTS)
		sysarg_dirents(a);
	else if (kind == SYSARG_BUFOUT && none)
		buf_puts(a->b, "\"\"");
	else if ((kind == SYSARG_EPOLL_OUT || kind == SYSARG_MMSG_OUT || kind == SYSARG_MMSG) &&
		none)
		buf_puts(a->b, "[]");
	else if (kind == SYSARG_PRCTL)
		sysarg_prctl(a);
	else if (kind == SYSARG_IOCTL)
		sysarg_ioctl(a);
	else
		sysarg_address(a->b, a->v);
}

void sysarg_put(struct buf *b, const struct dt_syscall *s, unsigned i, uint16_t form,
	const struct flag_newer *newer)
{
	enum sysarg_kind kind = (enum sysarg_kind)DT_SYSARG_KIND(form);
	struct sysarg a;

	sysarg_init(&a, b, s, i);
	a.set = (enum flag_set)DT_SYSARG_SET(form);
	a.newer = newer;
	if (put_number(&a, kind))
		return;
	if (a.len && a.len >= dt_syscalls.kind[kind].size && memory_forms[kind])
		memory_forms[kind](&a);
	else
		put_uncaptured(&a, kind);
}
