// SPDX-License-Identifier: Apache-2.0
/*
 * Runs --top: shows the aggregations on the whole terminal while tracing, a second apart.
 *
 * What the program prints meanwhile is kept, and printed at the end with the aggregations as usual.
 * A snapshot of the library is the data of one screen; it is kept to be drawn again when the window
 * changes.
 */
#include <dtrace/data.h>
#include <dtrace/dtrace.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "message.h"
#include "screen.h"
#include "session.h"

#define INTERVAL  1000000000ull /* ns */
#define MOST_ROWS 1000u		/* of a table that are kept: no screen has more */

struct top_row {
	char *label;   /* the keys; of a distribution the whole text */
	int64_t value; /* of other aggregations */
	double rate;   /* a second; less than 0: unknown */
	bool rose;     /* it was lower in the table before, or not in it */
};

struct top_table {
	char *name;
	const char *function;
	bool distribution;
	bool adds;	/* its values only grow: a rate says something */
	unsigned total; /* rows of the aggregation */
	unsigned nrows;
	struct top_row *rows; /* the first is the first to be shown */
	struct top_table *next;
};

struct top {
	struct session *s;
	struct screen screen;
	FILE *out; /* the text's, kept until the end; NULL: it has a file of its own */
	struct top_table *tables; /* that are shown */
	struct top_table *coming, **last;
	uint64_t time, before; /* of the two snapshots, ns */
	bool failed;	       /* out of memory */
};

/* ---- a snapshot ---- */

static void free_tables(struct top_table *t)
{
	while (t) {
		struct top_table *next = t->next;

		for (unsigned i = 0; i < t->nrows; i++)
			free(t->rows[i].label);
		free(t->rows);
		free(t->name);
		free(t);
		t = next;
	}
}

/* Prints a text on one line, whatever is in it. */
static void put_text(FILE *out, const char *text, size_t len)
{
	for (size_t n; len; text += n, len -= n) {
		n = *text == '\n' || *text == '\t' ? 0 : dtrace_safe_char(text, len);
		if (n)
			fwrite(text, 1, n, out);
		else
			fprintf(out, "\\%03o", (unsigned char)*text);
		n = n ? n : 1;
	}
}

static void put_key(FILE *out, const struct dtrace_value *v)
{
	switch (v->kind) {
	case DTRACE_KIND_INT:
	case DTRACE_KIND_POINTER:
		if (v->size == 16)
			put_text(out, v->bytes, v->len);
		else if (v->is_signed)
			fprintf(out, "%lld", (long long)v->number);
		else
			fprintf(out, "%llu", (unsigned long long)v->number);
		break;
	case DTRACE_KIND_FLOAT:
		fprintf(out, "%Lg", v->real);
		break;
	case DTRACE_KIND_STRING:
	case DTRACE_KIND_ENUM:
		put_text(out, v->bytes, v->len);
		break;
	case DTRACE_KIND_BYTES:
		for (size_t i = 0; i < v->len; i++)
			fprintf(out, "%02x", (unsigned char)v->bytes[i]);
		break;
	default: /* the first frames of a stack say most */
		for (unsigned i = 0; i < v->nframes; i++) {
			if (i)
				fputs(" < ", out);
			put_text(out, v->frames[i].text, strlen(v->frames[i].text));
		}
	}
}

static char *label_of(const struct dtrace_row *row, unsigned nkeys)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	for (unsigned i = 0; i < nkeys; i++) {
		if (i)
			fputs("  ", out);
		put_key(out, &row->keys[i]);
	}
	return fclose(out) ? NULL : text;
}

static char *text_of(const struct dtrace_table *t, unsigned row)
{
	size_t len;
	const char *text = dtrace_table_text(t, row, 1, &len);

	return text ? strndup(text, len) : NULL;
}

static bool fill_row(
	struct top_table *to, struct top_row *out, const struct dtrace_table *t, unsigned i)
{
	const struct dtrace_row *row = dtrace_table_row(t, i);

	if (!row)
		return false;
	out->value = row->values[0].number;
	out->label = to->distribution ? text_of(t, i) : label_of(row, t->aggregations[0].nkeys);
	return out->label != NULL;
}

/* The row shown first is the last of the text output's, unless that is sorted in reverse. */
static bool shows_last_first(struct session *s)
{
	int64_t reverse = 0;

	dtrace_option_get(s->d, "aggsortrev", &reverse);
	return !reverse;
}

static struct top_table *copy_table(struct top *top, const struct dtrace_table *t)
{
	const struct dtrace_aggregation *a = &t->aggregations[0];
	unsigned n = t->nrows < MOST_ROWS ? t->nrows : MOST_ROWS;
	bool last_first = shows_last_first(top->s);
	struct top_table *to = calloc(1, sizeof(*to));

	if (!to)
		return NULL;
	to->name = strdup(a->name);
	to->function = a->function_name;
	to->distribution = a->function >= DTRACE_QUANTIZE;
	to->adds = a->function == DTRACE_COUNT || a->function == DTRACE_SUM;
	to->total = t->nrows;
	to->rows = calloc(n + 1ul, sizeof(*to->rows));
	while (to->name && to->rows && to->nrows < n) {
		unsigned i = to->nrows;

		if (!fill_row(to, &to->rows[i], t, last_first ? t->nrows - 1 - i : i))
			break;
		to->nrows++;
	}
	if (to->name && to->rows && to->nrows == n)
		return to;
	free_tables(to);
	return NULL;
}

static const struct top_table *find_table(const struct top_table *t, const char *name)
{
	while (t && strcmp(t->name, name))
		t = t->next;
	return t;
}

/* Compares the rows of T with those of the snapshot before, OLD. */
static void compare(struct top_table *t, const struct top_table *old, double seconds)
{
	for (unsigned i = 0; i < t->nrows; i++) {
		struct top_row *row = &t->rows[i];
		unsigned k = 0;

		row->rate = -1;
		while (old && k < old->nrows && strcmp(old->rows[k].label, row->label))
			k++;
		if (!old)
			continue;
		row->rose = k > i;
		if (k < old->nrows && row->value >= old->rows[k].value && seconds > 0)
			row->rate = (double)(row->value - old->rows[k].value) / seconds;
	}
}

static void draw(struct top *top);

static int on_snapshot(void *arg, uint64_t time, const struct dtrace_table *t)
{
	struct top *top = arg;

	if (t) {
		*top->last = copy_table(top, t);
		if (!*top->last)
			return -ENOMEM;
		top->last = &(*top->last)->next;
		return 0;
	}
	top->before = top->time;
	top->time = time;
	for (struct top_table *n = top->coming; n; n = n->next)
		if (!n->distribution)
			compare(n, find_table(top->tables, n->name),
				(double)(top->time - top->before) / 1e9);
	free_tables(top->tables);
	top->tables = top->coming;
	top->coming = NULL;
	top->last = &top->coming;
	draw(top);
	return 0;
}

/* ---- the screen ---- */

static unsigned digits(int64_t value)
{
	return (unsigned)snprintf(NULL, 0, "%lld", (long long)value);
}

/* Returns the columns that TEXT takes. */
static unsigned width(const char *text)
{
	unsigned n = 0;

	for (; *text; text++)
		n += (*text & 0xc0) != 0x80;
	return n;
}

/* Prints TEXT in exactly COLUMNS; a cut is marked. */
static void put_column(FILE *out, const char *text, unsigned columns)
{
	unsigned n = width(text), at = 0;

	for (; *text && at < columns; text++) {
		if ((*text & 0xc0) != 0x80) {
			if (n > columns && at == columns - 1)
				break;
			at++;
		}
		fputc(*text, out);
	}
	while ((*text & 0xc0) == 0x80)
		fputc(*text++, out);
	if (n > columns)
		fputc('>', out);
	for (at = n < columns ? n : columns; at < columns; at++)
		fputc(' ', out);
}

static unsigned count_lines(const char *text)
{
	unsigned n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/* Draws the rows of scalars in at most LINES lines. */
static unsigned draw_rows(struct top *top, const struct top_table *t, unsigned lines)
{
	FILE *out = top->screen.lines;
	unsigned n = t->nrows < lines ? t->nrows : lines, label = 0, number = 1;
	unsigned columns = top->screen.columns;

	for (unsigned i = 0; i < n; i++) {
		label = width(t->rows[i].label) > label ? width(t->rows[i].label) : label;
		number = digits(t->rows[i].value) > number ? digits(t->rows[i].value) : number;
	}
	if (label + number + 16 > columns)
		label = columns > number + 20 ? columns - number - 16 : 4;
	for (unsigned i = 0; i < n; i++) {
		const struct top_row *r = &t->rows[i];

		fputs(r->rose ? "\033[1m^ " : "  ", out);
		put_column(out, r->label, label);
		fprintf(out, "  %*lld", (int)number, (long long)r->value);
		if (t->adds && r->rate >= 0)
			fprintf(out, " %9.0f/s", r->rate);
		fputs("\033[0m\n", out);
	}
	return n;
}

static unsigned wanted(const struct top_table *t)
{
	unsigned n = 0;

	if (!t->distribution)
		return t->nrows;
	for (unsigned i = 0; i < t->nrows; i++)
		n += count_lines(t->rows[i].label);
	return n;
}

/* True if LINE, of LEN bytes, is of a bucket without a value. */
static bool is_empty_bucket(const char *line, size_t len)
{
	while (len && line[len - 1] == ' ')
		len--;
	return len > 1 && line[len - 1] == '0' && line[len - 2] == ' ';
}

/* Draws distributions in at most LINES lines; without their empty buckets if that is too few. */
static unsigned draw_distributions(struct top *top, const struct top_table *t, unsigned lines)
{
	bool tight = wanted(t) > lines;
	unsigned used = 0;

	for (unsigned i = 0; i < t->nrows; i++) {
		const char *text = t->rows[i].label;

		for (text += *text == '\n'; *text && used < lines;) {
			size_t len = strcspn(text, "\n");

			if (!tight || !is_empty_bucket(text, len)) {
				fprintf(top->screen.lines, "%.*s\n", (int)len, text);
				used++;
			}
			text += len + (text[len] == '\n');
		}
	}
	return used;
}

/* Prints the last line: the last message, and what the keys do. */
static void draw_foot(struct top *top)
{
	char message[1024];
	unsigned n;

	screen_last_message(&top->screen, message, sizeof(message), &n);
	fputs("\033[7mq quit\033[0m", top->screen.lines);
	if (n) {
		fputs("  ", top->screen.lines);
		message_put_safe(top->screen.lines, message, strlen(message));
	}
}

static void draw_head(struct top *top)
{
	time_t now = (time_t)(top->time / 1000000000);
	struct tm tm;
	char text[32] = "";

	if (localtime_r(&now, &tm))
		strftime(text, sizeof(text), "%H:%M:%S", &tm);
	fprintf(top->screen.lines, "dtrace  %s\n", top->time ? text : "");
}

/* Each table gets an equal share of the lines that are left, and what earlier ones do not need. */
static void draw(struct top *top)
{
	unsigned left = top->screen.rows > 2 ? top->screen.rows - 2 : 0, tables = 0;
	unsigned used = 0;

	for (const struct top_table *t = top->tables; t; t = t->next)
		tables++;
	draw_head(top);
	for (const struct top_table *t = top->tables; t && left > 1; t = t->next, tables--) {
		unsigned share = left / tables, n;

		/* what the last one leaves is left */
		if (share < 2)
			share = 2;
		fprintf(top->screen.lines, "\033[4m@%s  %s%s\033[0m\n",
			strcmp(t->name, "_") ? t->name : "", t->function,
			t->nrows && wanted(t) + 1 > share ? "  (not all shown)" : "");
		n = 1 +
			(t->distribution ? draw_distributions(top, t, share - 1)
					 : draw_rows(top, t, share - 1));
		left -= n < left ? n : left;
		used += n;
	}
	for (; used + 2 < top->screen.rows; used++)
		fputc('\n', top->screen.lines);
	draw_foot(top);
	screen_show(&top->screen);
}

/* ---- the session ---- */

int top_prepare(struct session *s)
{
	struct top *top = calloc(1, sizeof(*top));
	const struct dtrace_consumer c = {
		.arg = top,
		.snapshot_interval = INTERVAL,
		.snapshot = on_snapshot,
	};

	if (!top) {
		message_no_memory();
		return -1;
	}
	top->s = s;
	top->last = &top->coming;
	s->top = top;
	if (!s->output) {
		top->out = tmpfile();
		if (!top->out) {
			message_line("--top: %s", strerror(errno));
			return -1;
		}
		s->out = top->out;
	}
	if (!dtrace_consumer_add(s->d, &c))
		return 0;
	message_line("%s", dtrace_session_error(s->d));
	return -1;
}

int top_open(struct session *s)
{
	if (screen_open(&s->top->screen))
		return -1;
	draw(s->top);
	return 0;
}

void top_step(struct session *s)
{
	struct top *top = s->top;

	for (char key; (key = screen_key(&top->screen));)
		if (key == 'q' || key == 'Q')
			dtrace_session_interrupt(s->d);
	if (screen_resized(&top->screen))
		draw(top);
}

static void print_kept(FILE *kept)
{
	char text[8192];
	size_t n;

	rewind(kept);
	while ((n = fread(text, 1, sizeof(text), kept)) > 0)
		fwrite(text, 1, n, stdout);
	fflush(stdout);
}

void top_close(struct session *s)
{
	struct top *top = s->top;

	if (!top)
		return;
	screen_close(&top->screen);
	if (top->out) {
		fflush(top->out);
		print_kept(top->out);
		fclose(top->out);
		s->out = stdout;
	}
	free_tables(top->tables);
	free_tables(top->coming);
	free(top);
	s->top = NULL;
}

void top_abandon(const struct session *s)
{
	if (s->top)
		screen_abandon(&s->top->screen);
}
