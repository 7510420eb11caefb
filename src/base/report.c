// SPDX-License-Identifier: Apache-2.0
/* Keeps a session's last error and passes messages and debugging lines on. */
#include "base/report.h"

#include <errno.h>
#include <stdarg.h>
#include <time.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/safe.h"

int report_error(struct report *r, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	r->error = arena_vprintf(r->arena, fmt, ap);
	va_end(ap);
	r->hint = NULL;
	return err;
}

int report_no_memory(struct report *r)
{
	r->error = "Memory allocation failure";
	r->hint = NULL;
	return -ENOMEM;
}

void report_message(struct report *r, const char *fmt, ...)
{
	struct buf b = {0};
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	if (r->handler && !b.failed)
		r->handler(r->handler_arg, b.data);
	buf_free(&b);
}

void report_debug(const struct report *r, const char *fmt, ...)
{
	struct buf b = {0};
	va_list ap;

	if (!r->debug)
		return;
	buf_printf(&b, "libdtrace DEBUG %lld: ", (long long)time(NULL));
	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	buf_putc(&b, '\n');
	if (!b.failed)
		safe_put(r->listing, b.data, b.len);
	buf_free(&b);
}

uint64_t report_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

double report_ms(uint64_t since)
{
	return (double)(report_now() - since) / 1e6;
}
