// SPDX-License-Identifier: Apache-2.0
/*
 * Writes aggregations as metrics in the text format of OpenMetrics 1.0, all of them each time: a
 * file, or what a server hands out, is replaced while tracing; a stream is written at the end.
 *
 * An aggregation that the program prints has the values that it printed last; others have those of
 * now.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/heapvec.h"
#include "base/rectab.h"
#include "base/vec.h"
#include "dtrace/data.h"
#include "dtrace/dtrace.h"
#include "formats/file.h"
#include "formats/json.h"
#include "formats/writer.h"
#include "formats/writers.h"
#include "print/kinds.h"
#include "web/web.h"

#define SECOND 1000000000ull

/* An aggregation's metrics. */
struct family {
	uint32_t id; /* the aggregation's */
	bool printed;
	char *name;	   /* of the metric */
	struct buf text;   /* with its TYPE and HELP lines */
	uint64_t negative; /* rows without a histogram in TEXT */
};

struct openmetrics {
	struct stream s;
	struct writer_info info;
	struct web *web; /* NULL: they are written */
	HEAPVEC(struct family *) families;
	struct rectab seen; /* hashes of the labels of a table: uint64_t, how often */
	struct buf labels;
	bool changed;  /* since the file was written */
	bool failed;   /* to write it, which was said */
	uint64_t next; /* time of the next writing because of printa(), CLOCK_MONOTONIC ns */
};

/* ---- names ---- */

/* True if metrics LONGER and SHORTER share a name of a sample, or could. */
static bool extends(const char *longer, const char *shorter)
{
	static const char *const suffixes[] = {
		"", "_total", "_created", "_bucket", "_count", "_sum", "_gcount", "_gsum", "_info"};
	size_t len = strlen(shorter);

	if (strncmp(longer, shorter, len) != 0)
		return false;
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (!strcmp(longer + len, suffixes[i]))
			return true;
	return false;
}

static bool clashes(const struct openmetrics *o, const char *name)
{
	vec_for (f, &o->families)
		if (extends((*f)->name, name) || extends(name, (*f)->name))
			return true;
	return false;
}

/* Returns the metric's name on the heap: the function's if the aggregation has none. */
static char *metric_name(const struct openmetrics *o, const struct dtrace_aggregation *a)
{
	struct buf b = {0};

	buf_printf(&b, "dtrace_%s", strcmp(a->name, "_") != 0 ? a->name : a->function_name);
	while (!b.failed && clashes(o, b.data))
		buf_printf(&b, "_%u", a->id);
	if (!b.failed)
		return b.data;
	buf_free(&b);
	return NULL;
}

static void free_family(struct family *f)
{
	free(f->name);
	buf_free(&f->text);
	free(f);
}

static struct family *find_family(struct openmetrics *o, const struct dtrace_aggregation *a)
{
	struct family *f;

	vec_for (p, &o->families)
		if ((*p)->id == a->id)
			return *p;
	f = calloc(1, sizeof(*f));
	if (!f)
		return NULL;
	f->id = a->id;
	f->name = metric_name(o, a);
	if (f->name && !heapvec_push(&o->families, f))
		return f;
	free_family(f);
	return NULL;
}

/* ---- labels ---- */

static bool escaped(struct buf *b, unsigned char c)
{
	if (c != '"' && c != '\\' && c != '\n')
		return false;
	put_char(b, '\\');
	put_char(b, c == '\n' ? 'n' : (char)c);
	return true;
}

static void put_label(struct buf *b, const char *name, unsigned number, const char *v, size_t len)
{
	if (b->len)
		put_char(b, ',');
	buf_puts(b, name);
	if (number)
		json_put_unsigned(b, number);
	put_literal(b, "=\"");
	json_put_utf8(b, v, len, escaped);
	put_char(b, '"');
}

/* Gathers the labels of ROW.  Keys that look alike, as two addresses of a function, are numbered.
 */
static int take_labels(struct openmetrics *o, const struct dtrace_row *row, unsigned nkeys)
{
	struct buf text = {0};
	uint64_t hash, *times;
	int64_t at;

	o->labels.len = 0;
	for (unsigned i = 0; i < nkeys; i++) {
		text.len = 0;
		writer_put_value_text(&text, &row->keys[i]);
		put_label(&o->labels, "key", i + 1, text.data ? text.data : "", text.len);
	}
	hash = rectab_hash(o->labels.data ? o->labels.data : "", o->labels.len);
	at = rectab_put(&o->seen, &hash);
	if (at >= 0) {
		times = rectab_rec(&o->seen, (uint32_t)at);
		if (++*times > 1) {
			text.len = 0;
			json_put_unsigned(&text, *times);
			put_label(&o->labels, "row", 0, text.data, text.len);
		}
	}
	o->labels.failed |= text.failed;
	buf_free(&text);
	return at < 0 || o->labels.failed ? -ENOMEM : 0;
}

/* ---- samples ---- */

static void put_name(struct family *f, const char *suffix)
{
	buf_puts(&f->text, f->name);
	buf_puts(&f->text, suffix);
}

static void put_number_sample(
	struct openmetrics *o, struct family *f, const struct dtrace_agg_value *v)
{
	struct buf *b = &f->text;

	put_name(f, v->aggregation->function == DTRACE_COUNT ? "_total" : "");
	if (o->labels.len) {
		put_char(b, '{');
		put_bytes(b, o->labels.data, o->labels.len);
		put_char(b, '}');
	}
	put_char(b, ' ');
	writer_put_agg_number(b, v);
	put_char(b, '\n');
}

/*
 * Writes N exactly, in the form that the format calls canonical: "1.0", "1.048575e+06".
 */
static void put_bound(struct buf *b, int64_t n)
{
	struct buf digits = {0};
	size_t len, exponent;

	if (n < 0)
		put_char(b, '-');
	json_put_unsigned(&digits, n < 0 ? -(uint64_t)n : (uint64_t)n);
	b->failed |= digits.failed;
	len = digits.len;
	exponent = len - 1;
	if (b->failed || len < 7) {
		put_bytes(b, digits.data, digits.len);
		put_literal(b, ".0");
	} else {
		while (len > 1 && digits.data[len - 1] == '0')
			len--;
		put_char(b, digits.data[0]);
		if (len > 1)
			put_char(b, '.');
		put_bytes(b, digits.data + 1, len - 1);
		buf_printf(b, "e+%02zu", exponent);
	}
	buf_free(&digits);
}

/* BOUND is NULL for infinity. */
static void put_bucket(struct openmetrics *o, struct family *f, const int64_t *bound, int64_t count)
{
	struct buf *b = &f->text;

	put_name(f, "_bucket{");
	put_bytes(b, o->labels.data, o->labels.len);
	if (o->labels.len)
		put_char(b, ',');
	put_literal(b, "le=\"");
	if (bound)
		put_bound(b, *bound);
	else
		put_literal(b, "+Inf");
	put_literal(b, "\"} ");
	json_put_signed(b, count);
	put_char(b, '\n');
}

static bool has_negative(const struct dtrace_agg_value *v)
{
	for (unsigned i = 0; i < v->nbuckets; i++)
		if (v->buckets[i].count < 0)
			return true;
	return false;
}

/*
 * D's buckets have both bounds within, and are integers: what is at most HIGH is the bucket and all
 * before it, and what is at most LOW - 1 are those before it.  The sum of the values is unknown, so
 * there are neither _sum nor _count, which go together.
 */
static void put_histogram(struct openmetrics *o, struct family *f, const struct dtrace_agg_value *v)
{
	int64_t total = 0, before;
	const struct dtrace_bucket *last = NULL;

	if (has_negative(v)) {
		f->negative++;
		return;
	}
	for (unsigned i = 0; i < v->nbuckets; i++) {
		const struct dtrace_bucket *bucket = &v->buckets[i];

		before = bucket->low != INT64_MIN ? bucket->low - 1 : 0;
		if (bucket->low != INT64_MIN && (!last || last->high != before))
			put_bucket(o, f, &before, total);
		total += writer_bucket_shown(v, bucket->count);
		if (bucket->high != INT64_MAX)
			put_bucket(o, f, &bucket->high, total);
		last = bucket;
	}
	put_bucket(o, f, NULL, total);
}

static void put_head(struct family *f, const struct dtrace_aggregation *a)
{
	bool counts = a->function == DTRACE_COUNT;

	buf_printf(&f->text, "# TYPE %s %s\n# HELP %s @%s: %s()\n", f->name,
		aggregation_is_distribution(a) ? "histogram"
			: counts	       ? "counter"
					       : "gauge",
		f->name, strcmp(a->name, "_") != 0 ? a->name : "", a->function_name);
}

/* Replaces the metrics of aggregation number I of those that T joins. */
static int take_aggregation(
	struct openmetrics *o, const struct dtrace_table *t, unsigned i, bool printed)
{
	const struct dtrace_aggregation *a = &t->aggregations[i];
	struct family *f = find_family(o, a);

	if (!f)
		return -ENOMEM;
	if (f->printed && !printed)
		return 0;
	f->printed = printed;
	f->text.len = 0;
	f->negative = 0;
	rectab_fini(&o->seen);
	rectab_init(&o->seen, sizeof(uint64_t), sizeof(uint64_t));
	put_head(f, a);
	for (unsigned k = 0; k < t->nrows; k++) {
		const struct dtrace_row *row = dtrace_table_row(t, k);

		if (!row || (row->values[i].present && take_labels(o, row, a->nkeys)))
			return -ENOMEM;
		if (!row->values[i].present)
			continue;
		if (aggregation_is_distribution(a))
			put_histogram(o, f, &row->values[i]);
		else
			put_number_sample(o, f, &row->values[i]);
	}
	return f->text.failed ? -ENOMEM : 0;
}

static int take_table(struct openmetrics *o, const struct dtrace_table *t, bool printed)
{
	int err = 0;

	for (unsigned i = 0; i < t->naggregations && !err; i++)
		err = take_aggregation(o, t, i, printed);
	o->changed = true;
	return err;
}

/* ---- files ---- */

static void put_text(struct openmetrics *o)
{
	struct buf *b = &o->s.buf;

	vec_for (f, &o->families)
		buf_put(b, (*f)->text.data, (*f)->text.len);
	put_literal(b, "# EOF\n");
}

/* Hands the metrics to the server; if it does not take them it keeps the older ones. */
static int serve_all(struct openmetrics *o)
{
	struct buf *b = &o->s.buf;
	struct web_request none;
	int err;

	put_text(o);
	err = b->failed ? -ENOMEM : 0;
	if (!o->failed && web_take(o->web, &none) == -EPIPE) {
		writer_say(&o->info, "the process that serves the metrics has died");
		o->failed = true;
	}
	if (!err && !o->failed && web_is_idle(o->web))
		err = web_send(o->web, WEB_TABLES, b->data, b->len);
	b->len = 0;
	return err;
}

static int put_all(struct openmetrics *o)
{
	if (o->web)
		return serve_all(o);
	put_text(o);
	return stream_flush(&o->s);
}

static int replace_file(struct openmetrics *o)
{
	struct out_file *f;
	FILE *out = o->s.out;
	int err = out_file_open(o->info.path, &f);

	if (err)
		return err;
	o->s.out = out_file_stream(f);
	err = put_all(o);
	o->s.out = out;
	o->s.buf.len = 0;
	if (!err)
		return out_file_replace(f);
	out_file_discard(f);
	return err;
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

/* Replaces the file while tracing; a failure does not end that, as the next time may be better. */
static int publish(struct openmetrics *o)
{
	int err;

	if (!o->changed || !o->info.path)
		return 0;
	err = o->web ? serve_all(o) : replace_file(o);
	if (err == -ENOMEM)
		return err;
	if (err && !o->failed)
		writer_say(&o->info, "%s is not up to date: %s", o->info.path, strerror(-err));
	if (!o->web)
		o->failed = err != 0;
	o->changed = false;
	o->next = now() + SECOND;
	return 0;
}

/* ---- callbacks ---- */

static int openmetrics_item(void *arg, const struct dtrace_record *r, const struct dtrace_item *i)
{
	return i->action == DTRACE_ACTION_PRINTA ? take_table(arg, i->table, true) : 0;
}

static int openmetrics_table(void *arg, const struct dtrace_table *t)
{
	return take_table(arg, t, false);
}

static int openmetrics_snapshot(void *arg, uint64_t time, const struct dtrace_table *t)
{
	return t ? take_table(arg, t, false) : publish(arg);
}

/* Not more often than once a second, however often the program prints. */
static int openmetrics_flush(void *arg)
{
	struct openmetrics *o = arg;

	if (o->web)
		web_flush(o->web);
	return o->changed && o->info.path && now() >= o->next ? publish(o) : 0;
}

static int openmetrics_finish(void *arg)
{
	struct openmetrics *o = arg;

	o->info.path = NULL; /* the file that is committed now is the last one */
	vec_for (f, &o->families)
		if ((*f)->negative)
			writer_say(&o->info,
				"%s: distributions with counts below zero are left out: %llu",
				(*f)->name, (unsigned long long)(*f)->negative);
	return put_all(o);
}

static void openmetrics_release(void *arg)
{
	struct openmetrics *o = arg;

	web_stop(o->web);
	vec_for (f, &o->families)
		free_family(*f);
	heapvec_free(&o->families);
	rectab_fini(&o->seen);
	buf_free(&o->labels);
	buf_free(&o->s.buf);
	free(o);
}

/* Starts the server, which has no metrics yet: a scraper that comes early is no error. */
static int start_server(struct openmetrics *o)
{
	char host[WEB_HOST];
	const struct web_page page = {
		.metrics = "application/openmetrics-text; version=1.0.0; charset=utf-8",
		.host = host};
	uint16_t port;
	int err;

	if (!web_parse_address(o->info.path, host, &port))
		return -EINVAL;
	err = web_start(port, &page, &o->web, o->info.problem);
	if (err == -EADDRINUSE)
		*o->info.problem = "another process listens at this port";
	if (err == -EADDRNOTAVAIL)
		*o->info.problem = "this machine has no such address";
	if (err == -EACCES)
		*o->info.problem = "ports below 1024 are for root";
	if (!err && !port)
		writer_say(&o->info, "%s", web_address(o->web));
	return err ? err : serve_all(o);
}

int openmetrics_open(FILE *out, const struct writer_info *info, struct writer *w)
{
	struct openmetrics *o = calloc(1, sizeof(*o));
	int err;

	if (!o)
		return -ENOMEM;
	o->s.out = out;
	o->info = *info;
	err = info->listens ? start_server(o) : 0;
	if (err) {
		openmetrics_release(o);
		return err;
	}
	*w = (struct writer){
		.consumer =
			{
				.arg = o,
				.item = openmetrics_item,
				.table = openmetrics_table,
				.snapshot_interval = info->path ? info->interval : 0,
				.snapshot = openmetrics_snapshot,
				.finish = openmetrics_finish,
				.flush = openmetrics_flush,
			},
		.release = openmetrics_release,
	};
	return 0;
}
