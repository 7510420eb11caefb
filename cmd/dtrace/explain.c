// SPDX-License-Identifier: Apache-2.0
/*
 * Explains the errors of a failed compilation in place of DTrace's line: the place of each, its
 * source line with a caret, and a hint.  Shows source lines for faults as well.
 */
#include <dtrace/dtrace.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "message.h"

#define MAX_ERRORS    10
#define DEFAULT_WIDTH 80
#define MIN_WIDTH     20
#define TAB_WIDTH     8
#define CUT	      "..."
#define CUT_WIDTH     3

struct colours {
	const char *place, *caret, *hint, *off;
};

/* https://no-color.org: any non-empty value of NO_COLOR turns colours off. */
static struct colours choose_colours(void)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (!isatty(STDERR_FILENO) || (no_color && *no_color) || !term || !strcmp(term, "dumb"))
		return (struct colours){"", "", "", ""};
	return (struct colours){"\033[1m", "\033[1;31m", "\033[32m", "\033[0m"};
}

static unsigned screen_width(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return DEFAULT_WIDTH;
	return size.ws_col < MIN_WIDTH ? MIN_WIDTH : size.ws_col;
}

/* ---- characters ---- */

struct range {
	uint32_t from, to;
};

/* Characters that must not reach a terminal: controls, and changes of the text direction. */
static const struct range unprintable[] = {
	{0x00, 0x1f}, {0x7f, 0x9f}, {0x2028, 0x202e}, {0x2066, 0x2069}};
/* The larger blocks of Unicode's nonspacing marks and of its East Asian wide characters. */
static const struct range no_columns[] = {{0x300, 0x36f}, {0x483, 0x489}, {0x591, 0x5bd},
	{0x610, 0x61a}, {0x64b, 0x65f}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f},
	{0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xe0100, 0xe01ef}};
static const struct range two_columns[] = {{0x1100, 0x115f}, {0x2e80, 0x303e}, {0x3041, 0xa4cf},
	{0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6},
	{0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};

static bool in_ranges(uint32_t c, const struct range *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (c >= r[i].from && c <= r[i].to)
			return true;
	return false;
}

#define IN(c, ranges) in_ranges(c, ranges, sizeof(ranges) / sizeof((ranges)[0]))

/* A character on the screen. */
struct shown {
	const char *text; /* at '\t': a tab, shown as blanks */
	unsigned bytes;	  /* in the source */
	unsigned columns;
};

/* Returns the UTF-8 character at P, with its length in *BYTES; 0 if the bytes are not UTF-8. */
static uint32_t decode(const char *p, unsigned *bytes)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned char c = (unsigned char)*p;
	unsigned n = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : 4;
	uint32_t u = n == 1 ? c : c & (0xffu >> (n + 1));

	*bytes = 1;
	if (n == 4 && (c < 0xf0 || c > 0xf4))
		return 0;
	for (unsigned i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		u = u << 6 | (p[i] & 0x3f);
	}
	if (u < least[n] || u > 0x10ffff)
		return 0;
	*bytes = n;
	return u;
}

static struct shown show_char(const char *p, unsigned column)
{
	struct shown s = {p, 1, 1};
	uint32_t c = decode(p, &s.bytes);

	if (*p == '\t')
		s.columns = TAB_WIDTH - column % TAB_WIDTH;
	else if (IN(c, unprintable))
		s.text = "?";
	else if (IN(c, no_columns))
		s.columns = 0;
	else if (IN(c, two_columns))
		s.columns = 2;
	return s;
}

/* ---- the source line ---- */

/* The visible columns of a source line. */
struct window {
	unsigned from, to;
	bool cut_left, cut_right;
};

/* Choose at most WIDTH of TOTAL columns that include column CARET. */
static struct window choose_window(unsigned total, unsigned caret, unsigned width)
{
	struct window w = {0, total, false, false};

	if (total < caret + 1)
		total = w.to = caret + 1;
	if (total <= width)
		return w;
	w.from = caret > width / 2 ? caret - width / 2 : 0;
	if (w.from > total - width)
		w.from = total - width;
	w.to = w.from + width;
	w.cut_left = w.from > 0;
	w.cut_right = w.to < total;
	return w;
}

/* Print a character; if it is only partly in the window, print blanks for that part. */
static void print_shown(const struct shown *s, unsigned column, unsigned from, unsigned to)
{
	if (*s->text != '\t' && column >= from && column + s->columns <= to) {
		fwrite(s->text, 1, *s->text == '?' ? 1 : s->bytes, stderr);
		return;
	}
	for (unsigned i = column; i < column + s->columns; i++)
		if (i >= from && i < to)
			fputc(' ', stderr);
}

static void print_window(const char *line, size_t len, const struct window *w)
{
	unsigned from = w->from + (w->cut_left ? CUT_WIDTH : 0);
	unsigned to = w->to - (w->cut_right ? CUT_WIDTH : 0), column = 0;

	fputs(w->cut_left ? CUT : "", stderr);
	for (const char *p = line; p < line + len && column < to;) {
		struct shown s = show_char(p, column);

		print_shown(&s, column, from, to);
		column += s.columns;
		p += s.bytes;
	}
	fprintf(stderr, "%s\n", w->cut_right ? CUT : "");
}

/*
 * Print the line with a caret under byte COL, counted from 1; 0 = no caret.  Returns the column of
 * the caret.
 */
static unsigned print_source(
	const char *line, unsigned col, unsigned width, const struct colours *c)
{
	size_t len = strcspn(line, "\n");
	unsigned total = 0, caret = 0;
	struct window w;

	while (len && line[len - 1] == '\r')
		len--;
	for (const char *p = line; p < line + len;) {
		struct shown s = show_char(p, total);

		total += s.columns;
		p += s.bytes;
		if (col && p < line + col)
			caret = total;
	}
	w = choose_window(total, caret, width);
	print_window(line, len, &w);
	if (col)
		fprintf(stderr, "%*s%s^%s\n", (int)(caret - w.from), "", c->caret, c->off);
	return caret - w.from;
}

void message_source(const char *line, unsigned col)
{
	struct colours c = choose_colours();

	print_source(line, col, screen_width(), &c);
}

/* ---- errors ---- */

static void print_hint(const char *hint, unsigned column, unsigned width, const struct colours *c)
{
	size_t len = strlen(hint);
	unsigned room = len < width ? width - (unsigned)len : 0;

	fprintf(stderr, "%*s%s%s%s\n", (int)(column < room ? column : room), "", c->hint, hint,
		c->off);
}

static void print_error(
	const struct dtrace_diag *e, const char *label, bool tags, const struct colours *c)
{
	unsigned width = screen_width(), column = 0;

	fputs(c->place, stderr);
	message_put(e->file ? e->file : label);
	fputc(':', stderr);
	if (e->line)
		fprintf(stderr, "%u:", e->line);
	if (e->line && e->col)
		fprintf(stderr, "%u:", e->col);
	fputs(c->off, stderr);
	if (tags && *e->tag)
		fprintf(stderr, " [%s]", e->tag);
	fputc(' ', stderr);
	message_put(e->text);
	fputc('\n', stderr);
	if (e->source)
		column = print_source(e->source, e->col, width, c);
	if (e->hint)
		print_hint(e->hint, column, width, c);
}

/* A clause with several descriptions is compiled for each and repeats its errors. */
static bool is_repeated(const struct dtrace_diag *a, const struct dtrace_diag *b)
{
	return a->line == b->line && a->col == b->col && !strcmp(a->text, b->text);
}

bool message_explains(const struct dtrace *d)
{
	int64_t on = 0;

	return !dtrace_option_get(d, "explain", &on) && on;
}

bool message_diagnostics(const struct dtrace *d, const char *label)
{
	struct dtrace_diag e, last = {.text = ""};
	struct colours c = choose_colours();
	unsigned shown = 0, more = 0;
	int64_t tags = 0;

	if (!message_explains(d))
		return false;
	dtrace_option_get(d, "errtags", &tags);
	for (unsigned i = 0; i < dtrace_diag_count(d) && !dtrace_diag(d, i, &e); i++, last = e) {
		if (i && is_repeated(&e, &last))
			continue;
		/* DTrace's line says everything */
		if (dtrace_diag_count(d) == 1 && !e.source && !e.hint)
			return false;
		if (shown++ < MAX_ERRORS)
			print_error(&e, label, tags, &c);
		else
			more++;
	}
	if (more)
		fprintf(stderr, "%u more error%s\n", more, more == 1 ? "" : "s");
	return shown > 0;
}

void message_hint(const struct dtrace *d)
{
	const char *hint = dtrace_session_hint(d);
	struct colours c = choose_colours();

	if (hint && message_explains(d))
		print_hint(hint, 0, screen_width(), &c);
}

void message_advice(const struct dtrace *d, const char *fmt, ...)
{
	struct colours c = choose_colours();
	va_list ap;

	if (!message_explains(d))
		return;
	fputs(c.hint, stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "%s\n", c.off);
}
