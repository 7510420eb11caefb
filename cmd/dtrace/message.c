// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE /* program_invocation_short_name */
#include "message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
	fprintf(stderr, ": %s\n", dtrace_errmsg(d));
}

void message_notice(const struct dtrace *d, const char *fmt, ...)
{
	int64_t quiet = 0;
	va_list ap;

	if (!dtrace_getopt(d, "quiet", &quiet) && quiet)
		return;
	va_start(ap, fmt);
	start_line(fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

void message_handler(void *arg, const char *text)
{
	(void)arg;
	message_line("%s", text);
}

/* ---- diagnostics ---- */

struct colours {
	const char *place, *caret, *off;
};

/* https://no-color.org: any non-empty value of NO_COLOR turns colours off. */
static struct colours choose_colours(void)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if ((no_color && *no_color) || !term || !strcmp(term, "dumb"))
		return (struct colours){"", "", ""};
	return (struct colours){"\033[1m", "\033[1;31m", "\033[0m"};
}

/*
 * A caret under byte COL (from 1) of SOURCE.  Tabs are repeated and the later bytes of a UTF-8
 * character take no room, so that it stands where the terminal shows that byte.
 */
static void print_caret(const char *source, unsigned col, const struct colours *c)
{
	for (unsigned i = 1; i < col && source[i - 1]; i++) {
		if (source[i - 1] == '\t')
			fputc('\t', stderr);
		else if (((unsigned char)source[i - 1] & 0xc0) != 0x80)
			fputc(' ', stderr);
	}
	fprintf(stderr, "%s^%s\n", c->caret, c->off);
}

void message_diagnostics(const struct dtrace *d, const char *label)
{
	struct dtrace_diag diag;
	struct colours c;

	if (!isatty(STDERR_FILENO))
		return;
	c = choose_colours();
	for (unsigned i = 0; i < dtrace_diag_count(d); i++) {
		if (dtrace_diag(d, i, &diag) || !diag.line || !diag.source)
			continue;
		fprintf(stderr, "%s%s:%u:", c.place, diag.file ? diag.file : label, diag.line);
		if (diag.col)
			fprintf(stderr, "%u:", diag.col);
		fprintf(stderr, "%s %s\n%.*s\n", c.off, diag.text, (int)strcspn(diag.source, "\n"),
			diag.source);
		if (diag.col)
			print_caret(diag.source, diag.col, &c);
	}
}
