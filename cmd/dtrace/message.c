// SPDX-License-Identifier: Apache-2.0
/*
 * Prints the command's messages on stderr, each line after the name that the command was called
 * by.
 */
#define _GNU_SOURCE /* program_invocation_short_name, vasprintf */
#include "message.h"

#include <dtrace/dtrace.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *message_name(void)
{
	return program_invocation_short_name;
}

void message_put_safe(FILE *out, const char *text, size_t len)
{
	for (size_t n; len; text += n, len -= n) {
		n = dtrace_safe_char(text, len);
		if (n)
			fwrite(text, 1, n, out);
		else
			fprintf(out, "\\%03o", (unsigned char)*text);
		n = n ? n : 1;
	}
}

void message_put(const char *text)
{
	if (isatty(STDERR_FILENO))
		message_put_safe(stderr, text, strlen(text));
	else
		fputs(text, stderr);
}

static void start_line(const char *fmt, va_list ap)
{
	char *text;

	fprintf(stderr, "%s: ", message_name());
	if (vasprintf(&text, fmt, ap) < 0)
		return;
	message_put(text);
	free(text);
}

void message_line(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	start_line(fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

void message_no_memory(void)
{
	message_line("out of memory");
}

void message_failure(const struct dtrace *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	start_line(fmt, ap);
	va_end(ap);
	fputs(": ", stderr);
	message_put(dtrace_session_error(d));
	fputc('\n', stderr);
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
