// SPDX-License-Identifier: Apache-2.0
/*
 * Prints the command's messages on stderr, each line after the name that the command was called
 * by.
 */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "message.h"

#include <dtrace/dtrace.h>
#include <errno.h>
#include <stdarg.h>

const char *message_name(void)
{
	return program_invocation_short_name;
}

static void start_line(const char *fmt, va_list ap)
{
	fprintf(stderr, "%s: ", message_name());
	vfprintf(stderr, fmt, ap);
}

void message_line(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	start_line(fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

void message_failure(const struct dtrace *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	start_line(fmt, ap);
	va_end(ap);
	fprintf(stderr, ": %s\n", dtrace_session_error(d));
}

void message_notice(const struct dtrace *d, const char *fmt, ...)
{
	int64_t quiet = 0;
	va_list ap;

	if (!dtrace_option_get(d, "quiet", &quiet) && quiet)
		return;
	va_start(ap, fmt);
	start_line(fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}
