// SPDX-License-Identifier: Apache-2.0
/*
 * Sends aggregations, drops and faults to ClickHouse as rows of a fleet's tables (docs/fleet.md).
 *
 * A row has what one interval added.  A process of its own gathers and sends them (src/fleet):
 * nothing here waits for it.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* explicit_bzero() */
#endif
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "abi/aggregation.h"
#include "base/buf.h"
#include "base/heapvec.h"
#include "base/rectab.h"
#include "base/vec.h"
#include "dtrace/data.h"
#include "dtrace/dtrace.h"
#include "fleet/row.h"
#include "fleet/ship.h"
#include "fleet/tables.h"
#include "fleet/target.h"
#include "formats/intervals.h"
#include "formats/json.h"
#include "formats/writer.h"
#include "formats/writers.h"
#include "print/kinds.h"

#define SECOND	    1000000000ull
#define MOST_FAULTS 100	   /* rows in an interval; the others are counted */
#define MUCH	    262144 /* bytes of rows that are passed on at once */
#define TELL_AGAIN  (3600 * SECOND)

struct shipped {
	uint32_t id;
	char *name;
	struct intervals intervals;
	bool told; /* its row in `aggregations` */
};

struct clickhouse {
	struct writer_info info;
	struct ship *ship;
	char host[HOST_NAME_MAX + 1];
	uint64_t run, seq, events;
	uint64_t start_wall, start_mono; /* ns */
	bool began;
	uint64_t from;	/* of the interval under way, ns since 1970 */
	uint64_t label; /* of the last interval, seconds since 1970 */
	uint64_t faults;
	uint64_t made; /* rows since the last interval */
	uint64_t told; /* when frames were last told anew */
	HEAPVEC(struct shipped) aggregations;
	struct rectab frames, stacks; /* hashes whose rows have gone out */
	struct buf rows[FLEET_TABLES];
	uint64_t nrows[FLEET_TABLES];
	struct buf key, text; /* of the row */
	struct buf part;      /* a key's text */
	struct buf prefix;    /* the columns that all rows of an aggregation in an interval share */
};

/* ---- time ---- */

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

/* Returns ns since 1970; it never goes back, whatever is done to the clock. */
static uint64_t now(const struct clickhouse *c)
{
	return c->start_wall + clock_ns(CLOCK_MONOTONIC) - c->start_mono;
}

/*
 * Chooses the label of the interval that ends at END: when it began, in whole intervals, and never
 * the one of the last.  False: it is too early for the next one, and the interval goes on.
 */
static bool choose_label(struct clickhouse *c, uint64_t end, bool last)
{
	uint64_t step = c->info.interval / SECOND;
	uint64_t label = c->from / SECOND / step * step;

	if (label <= c->label) {
		if (!last && end / SECOND / step * step <= c->label)
			return false;
		label = c->label + step;
	}
	c->label = label;
	return true;
}

/* ---- rows ---- */

static struct fleet_row begin_row(struct clickhouse *c, enum fleet_table t)
{
	return fleet_row(&c->rows[t], t);
}

static void end_row(struct clickhouse *c, struct fleet_row *r)
{
	fleet_row_end(r);
	c->nrows[r->table]++;
	c->made++;
}

/* -EDQUOT: N rows are more than limit rate allows in the interval, which lasted MS milliseconds. */
static int check_rate(const struct clickhouse *c, uint64_t n, uint64_t ms)
{
	uint64_t rate = c->info.sending->rate, seconds = ms < 1000 ? 1 : (ms + 500) / 1000;

	if (n / seconds < rate || n <= rate * seconds)
		return 0;
	*c->info.problem = "there are more rows a second than limit rate allows";
	return -EDQUOT;
}

static int pass_on(struct clickhouse *c, size_t much)
{
	for (unsigned t = 0; t < FLEET_TABLES; t++) {
		struct buf *b = &c->rows[t];

		if (b->failed)
			return -ENOMEM;
		if (!b->len || b->len < much)
			continue;
		ship_put(c->ship, t, c->nrows[t], b->data, b->len);
		b->len = 0;
		c->nrows[t] = 0;
	}
	return 0;
}

static void put_text(struct fleet_row *r, enum fleet_column column, const char *text)
{
	fleet_text(r, column, text, strlen(text));
}

/* ---- stacks ---- */

/* True the first time. */
static bool is_new(struct rectab *seen, uint64_t hash)
{
	uint32_t n = seen->n;

	return rectab_put(seen, &hash) < 0 || seen->n != n;
}

static void put_frame(struct clickhouse *c, uint64_t hash, const char *text, size_t len)
{
	struct fleet_row r = begin_row(c, FLEET_FRAMES);

	fleet_unsigned(&r, FLEET_FRAMES_frame, hash);
	fleet_text(&r, FLEET_FRAMES_text, text, len);
	put_text(&r, FLEET_FRAMES_host, c->host);
	fleet_unsigned(&r, FLEET_FRAMES_ts, now(c) / SECOND);
	fleet_unsigned(&r, FLEET_FRAMES_seq, c->seq);
	end_row(c, &r);
}

/* Returns the hash of a stack; the texts of new frames, and a new stack's frames, become rows. */
static uint64_t put_stack(struct clickhouse *c, const struct dtrace_value *v)
{
	struct fleet_row r = begin_row(c, FLEET_STACKS);
	struct buf *list = &c->text, frame = {0};
	uint64_t hash = fleet_hash(NULL, 0);

	list->len = 0;
	for (unsigned i = 0; i < v->nframes; i++) {
		uint64_t h;

		frame.len = 0;
		writer_put_frame_name(&frame, &v->frames[i]);
		h = fleet_hash(frame.data, frame.len);
		hash = fleet_hash_more(hash, &h, sizeof(h));
		if (is_new(&c->frames, h))
			put_frame(c, h, frame.data, frame.len);
		if (i)
			put_char(list, ',');
		json_put_unsigned(list, h);
	}
	r.b->failed |= frame.failed || list->failed;
	buf_free(&frame);
	hash |= !hash; /* 0: no stack */
	if (!is_new(&c->stacks, hash))
		return hash;
	fleet_unsigned(&r, FLEET_STACKS_stack, hash);
	fleet_array(&r, FLEET_STACKS_frames, list->data, list->len);
	put_text(&r, FLEET_STACKS_host, c->host);
	fleet_unsigned(&r, FLEET_STACKS_ts, now(c) / SECOND);
	fleet_unsigned(&r, FLEET_STACKS_seq, c->seq);
	end_row(c, &r);
	return hash;
}

/* ---- keys ---- */

/* Makes c->key the elements of ROW's keys; a stack is its hash.  Returns the first stack's. */
static uint64_t take_key(
	struct clickhouse *c, const struct dtrace_row *row, const struct dtrace_aggregation *a)
{
	struct buf *b = &c->key, *text = &c->part;
	uint64_t stack = 0, hash;

	b->len = 0;
	for (unsigned i = 0; i < a->nkeys; i++) {
		text->len = 0;
		if (value_is_stack(&row->keys[i])) {
			hash = put_stack(c, &row->keys[i]);
			json_put_unsigned(text, hash);
			stack = stack ? stack : hash;
		} else {
			writer_put_value_text(text, &row->keys[i]);
		}
		fleet_put_element(b, text->data, text->len);
		b->failed |= text->failed;
	}
	return stack;
}

/* The row that says what the aggregation is: its function and the types of its keys. */
static void tell_aggregation(struct clickhouse *c, struct shipped *s,
	const struct dtrace_aggregation *a, const struct dtrace_row *row)
{
	struct fleet_row r = begin_row(c, FLEET_AGGREGATIONS);
	struct buf *types = &c->text;

	types->len = 0;
	for (unsigned i = 0; i < a->nkeys; i++) {
		const char *type = row->keys[i].type;

		if (value_is_stack(&row->keys[i]))
			type = row->keys[i].kind == DTRACE_KIND_STACK ? "stack" : "ustack";
		fleet_put_element(types, type, strlen(type));
	}
	r.b->failed |= types->failed;
	put_text(&r, FLEET_AGGREGATIONS_prog, c->info.sending->program);
	put_text(&r, FLEET_AGGREGATIONS_agg, a->name);
	put_text(&r, FLEET_AGGREGATIONS_host, c->host);
	fleet_unsigned(&r, FLEET_AGGREGATIONS_run, c->run);
	fleet_unsigned(&r, FLEET_AGGREGATIONS_ts, now(c) / SECOND);
	fleet_unsigned(&r, FLEET_AGGREGATIONS_seq, c->seq);
	put_text(&r, FLEET_AGGREGATIONS_function, a->function_name);
	fleet_array(&r, FLEET_AGGREGATIONS_types, types->data, types->len);
	end_row(c, &r);
	s->told = true;
}

/* ---- readings ---- */

static struct shipped *find_aggregation(struct clickhouse *c, const struct dtrace_aggregation *a)
{
	struct shipped *new;

	vec_for (s, &c->aggregations)
		if (s->id == a->id)
			return s;
	new = heapvec_add(&c->aggregations);
	if (!new)
		return NULL;
	new->id = a->id;
	new->name = strdup(a->name);
	intervals_init(&new->intervals, a->function, c->start_wall);
	return new->name ? new : NULL;
}

/* Reads T, which has one aggregation. */
static int read_table(struct clickhouse *c, const struct dtrace_table *t, struct shipped **out)
{
	const struct dtrace_aggregation *a = &t->aggregations[0];
	struct shipped *s = find_aggregation(c, a);
	int err = 0;

	if (!s)
		return -ENOMEM;
	*out = s;
	intervals_begin(&s->intervals);
	for (unsigned i = 0; i < t->nrows && !err; i++) {
		const struct dtrace_row *row = dtrace_table_row(t, i);
		uint64_t stack;

		if (!row)
			return -ENOMEM;
		if (!s->told)
			tell_aggregation(c, s, a, row);
		stack = take_key(c, row, a);
		err = c->key.failed ? -ENOMEM
				    : intervals_put(&s->intervals, c->key.data ? c->key.data : "",
					      c->key.len, stack, &row->values[0]);
	}
	return err;
}

/* ---- the rows of an interval ---- */

struct ship_interval {
	struct clickhouse *c;
	const struct shipped *s;
	uint64_t ms;
};

static double squares(const uint64_t *words)
{
	return (double)((unsigned __int128)words[3] << 64 | words[2]);
}

static const char *function_name(enum dtrace_function function)
{
	return agg_public(function)->name;
}

/* The columns after the stack, of one number. */
static void put_number(struct fleet_row *r, const struct intervals *iv,
	const struct interval_row *row, uint64_t label)
{
	const uint64_t *w = row->words;
	uint64_t n = 0, since = row->since ? row->since / SECOND : label;
	int64_t value = (int64_t)w[0];

	switch (iv->function) {
	case DTRACE_COUNT:
		n = w[0];
		break;
	case DTRACE_AVG:
	case DTRACE_STDDEV:
		n = w[0];
		value = (int64_t)w[1];
		break;
	default:
		break;
	}
	put_text(r, FLEET_NUMBERS_function, function_name(iv->function));
	fleet_unsigned(r, FLEET_NUMBERS_since, since);
	fleet_unsigned(r, FLEET_NUMBERS_n, n);
	fleet_signed(r, FLEET_NUMBERS_value, value);
	fleet_real(r, FLEET_NUMBERS_squares, iv->function == DTRACE_STDDEV ? squares(w) : 0);
}

/* They have the same columns before the key. */
_Static_assert(FLEET_NUMBERS_key - FLEET_NUMBERS_prog ==
		FLEET_DISTRIBUTIONS_key - FLEET_DISTRIBUTIONS_prog,
	"tables.def");

/* The columns before the key: formatting them for each row would cost more than the rest of it. */
static void set_prefix(const struct ship_interval *i)
{
	struct clickhouse *c = i->c;
	struct fleet_row r = fleet_row(&c->prefix, FLEET_NUMBERS);

	c->prefix.len = 0;
	put_text(&r, FLEET_NUMBERS_prog, c->info.sending->program);
	put_text(&r, FLEET_NUMBERS_agg, i->s->name);
	fleet_unsigned(&r, FLEET_NUMBERS_ts, c->label);
	fleet_unsigned(&r, FLEET_NUMBERS_ms, i->ms);
	put_text(&r, FLEET_NUMBERS_host, c->host);
	fleet_unsigned(&r, FLEET_NUMBERS_run, c->run);
	fleet_unsigned(&r, FLEET_NUMBERS_seq, c->seq);
}

static void put_number_row(const struct ship_interval *i, const struct interval_row *row)
{
	struct clickhouse *c = i->c;
	struct fleet_row r =
		fleet_row_from(&c->rows[FLEET_NUMBERS], FLEET_NUMBERS, FLEET_NUMBERS_key);

	put_bytes(r.b, c->prefix.data, c->prefix.len);
	fleet_array(&r, FLEET_NUMBERS_key, row->key, row->len);
	fleet_unsigned(&r, FLEET_NUMBERS_stack, row->stack);
	put_number(&r, &i->s->intervals, row, c->label);
	end_row(c, &r);
}

static void put_bucket_row(const struct ship_interval *i, const struct interval_row *row)
{
	struct clickhouse *c = i->c;
	struct fleet_row r = fleet_row_from(
		&c->rows[FLEET_DISTRIBUTIONS], FLEET_DISTRIBUTIONS, FLEET_DISTRIBUTIONS_key);

	put_bytes(r.b, c->prefix.data, c->prefix.len);
	fleet_array(&r, FLEET_DISTRIBUTIONS_key, row->key, row->len);
	fleet_unsigned(&r, FLEET_DISTRIBUTIONS_stack, row->stack);
	fleet_signed(&r, FLEET_DISTRIBUTIONS_lo, row->low);
	fleet_signed(&r, FLEET_DISTRIBUTIONS_hi, row->high);
	fleet_signed(&r, FLEET_DISTRIBUTIONS_count, (int64_t)row->words[0]);
	end_row(c, &r);
}

static int put_row(void *arg, const struct interval_row *row)
{
	struct ship_interval *i = arg;
	int err = check_rate(i->c, i->c->made + 1, i->ms);

	if (err)
		return err;
	if (agg_public(i->s->intervals.function)->kind == AGG_DISTRIBUTION)
		put_bucket_row(i, row);
	else
		put_number_row(i, row);
	return pass_on(i->c, MUCH);
}

static void put_event(struct clickhouse *c, const char *kind, const char *name,
	const struct dtrace_probe *p, int cpu, uint64_t count, const char *text)
{
	struct fleet_row r = begin_row(c, FLEET_EVENTS);
	struct buf *probe = &c->text;

	probe->len = 0;
	if (p)
		buf_printf(probe, "%s:%s:%s:%s", p->provider, p->module, p->function, p->name);
	r.b->failed |= probe->failed;
	put_text(&r, FLEET_EVENTS_prog, c->info.sending->program);
	put_text(&r, FLEET_EVENTS_kind, kind);
	fleet_unsigned(&r, FLEET_EVENTS_ts, now(c) / SECOND);
	put_text(&r, FLEET_EVENTS_host, c->host);
	fleet_unsigned(&r, FLEET_EVENTS_run, c->run);
	fleet_unsigned(&r, FLEET_EVENTS_number, ++c->events);
	fleet_unsigned(&r, FLEET_EVENTS_seq, c->seq);
	put_text(&r, FLEET_EVENTS_name, name);
	fleet_text(&r, FLEET_EVENTS_probe, probe->data, probe->len);
	fleet_signed(&r, FLEET_EVENTS_cpu, cpu);
	fleet_unsigned(&r, FLEET_EVENTS_count, count);
	put_text(&r, FLEET_EVENTS_text, text);
	end_row(c, &r);
}

/* Shows what the sender says. */
static void show_messages(struct clickhouse *c)
{
	const char *line;

	while ((line = ship_message(c->ship)))
		writer_say(&c->info, "%s", line);
}

/* Now and then all is told again: a batch that was lost may have had it. */
static void tell_again(struct clickhouse *c, uint64_t time)
{
	if (time - c->told < TELL_AGAIN)
		return;
	c->told = time;
	rectab_fini(&c->frames);
	rectab_fini(&c->stacks);
	rectab_init(&c->frames, sizeof(uint64_t), 0);
	rectab_init(&c->stacks, sizeof(uint64_t), 0);
	vec_for (s, &c->aggregations)
		s->told = false;
}

static int end_interval(struct clickhouse *c, bool last)
{
	uint64_t end = now(c);
	struct ship_interval i = {.c = c, .ms = (end - c->from + 500000) / 1000000};
	int err = 0;

	if (!choose_label(c, end, last))
		return 0;
	if (c->faults > MOST_FAULTS)
		put_event(c, "fault", "more", NULL, -1, c->faults - MOST_FAULTS,
			"faults that have no row of their own");
	c->faults = 0;
	err = check_rate(c, c->made, i.ms);
	for (uint32_t k = 0; k < c->aggregations.len && !err; k++) {
		i.s = &c->aggregations.data[k];
		set_prefix(&i);
		if (c->prefix.failed)
			return -ENOMEM;
		err = intervals_take(&c->aggregations.data[k].intervals, put_row, &i);
	}
	if (err)
		return err;
	err = pass_on(c, 0);
	c->made = 0;
	c->from = end;
	c->seq++;
	tell_again(c, end);
	return err;
}

/* ---- callbacks ---- */

/* The first reading says whether the session runs now, or was saved before (--view). */
static void begin(struct clickhouse *c, uint64_t time)
{
	if (!c->began && time < c->start_wall) {
		c->start_wall = c->from = time;
		c->start_mono = clock_ns(CLOCK_MONOTONIC);
	}
	c->began = true;
}

static int clickhouse_snapshot(void *arg, uint64_t time, const struct dtrace_table *t)
{
	struct clickhouse *c = arg;
	struct shipped *s;
	int err;

	begin(c, time);
	if (t) {
		err = read_table(c, t, &s);
		if (!err)
			intervals_add(&s->intervals);
		return err;
	}
	err = end_interval(c, false);
	show_messages(c);
	return err;
}

static int clickhouse_changing(void *arg, const struct dtrace_table *t, bool after)
{
	struct clickhouse *c = arg;
	struct shipped *s;
	int err = read_table(c, t, &s);

	if (!err && after)
		intervals_forget(&s->intervals, now(c));
	else if (!err)
		intervals_add(&s->intervals);
	return err;
}

static int clickhouse_drop(void *arg, const struct dtrace_drop *d)
{
	put_event(arg, "drop", d->kind, NULL, d->cpu, d->count, d->text);
	return 0;
}

static int clickhouse_fault(void *arg, const struct dtrace_fault *f)
{
	struct clickhouse *c = arg;

	if (++c->faults <= MOST_FAULTS)
		put_event(c, "fault", f->what, f->probe, (int)f->cpu, 1, f->text);
	return 0;
}

static int clickhouse_flush(void *arg)
{
	struct clickhouse *c = arg;

	ship_work(c->ship);
	show_messages(c);
	return 0;
}

static int clickhouse_finish(void *arg)
{
	struct clickhouse *c = arg;
	int err = end_interval(c, true);

	ship_end(c->ship);
	show_messages(c);
	if (ship_lost(c->ship))
		writer_say(&c->info, "%" PRIu64 " rows were lost before they were in a batch",
			ship_lost(c->ship));
	return err;
}

static void clickhouse_release(void *arg)
{
	struct clickhouse *c = arg;

	ship_free(c->ship);
	vec_for (s, &c->aggregations) {
		intervals_fini(&s->intervals);
		free(s->name);
	}
	heapvec_free(&c->aggregations);
	rectab_fini(&c->frames);
	rectab_fini(&c->stacks);
	for (unsigned t = 0; t < FLEET_TABLES; t++)
		buf_free(&c->rows[t]);
	buf_free(&c->key);
	buf_free(&c->text);
	buf_free(&c->part);
	buf_free(&c->prefix);
	free(c);
}

/* ---- opening ---- */

static int start(struct clickhouse *c, const char **problem)
{
	const struct writer_sending *w = c->info.sending;
	struct target_credentials credentials;
	struct ship_options o = {
		.url = c->info.path,
		.authority = w->authority,
		.spool = w->spool,
		.spool_bytes = w->spool_bytes,
		.spool_age = w->spool_age,
		.batch = w->batch,
		.limit = w->limit,
		.program = w->program,
		.host = c->host,
		.version = c->info.version,
		.run = c->run,
	};
	int err;

	*problem = target_problem(o.url);
	if (*problem)
		return -EINVAL;
	if (w->credentials) {
		err = target_credentials(w->credentials, &credentials, problem);
		if (err)
			return err;
		o.credentials = &credentials;
	}
	err = ship_start(&o, &c->ship, problem);
	explicit_bzero(&credentials, sizeof(credentials));
	return err;
}

int clickhouse_open(FILE *out, const struct writer_info *info, struct writer *w)
{
	struct clickhouse *c = calloc(1, sizeof(*c));
	int err;

	if (!c)
		return -ENOMEM;
	c->info = *info;
	c->info.interval = info->sending->interval;
	if (gethostname(c->host, sizeof(c->host) - 1) ||
		getrandom(&c->run, sizeof(c->run), 0) != sizeof(c->run))
		err = -EIO;
	else
		err = start(c, info->problem);
	if (err) {
		free(c);
		return err;
	}
	c->start_wall = c->from = c->told = clock_ns(CLOCK_REALTIME);
	c->start_mono = clock_ns(CLOCK_MONOTONIC);
	rectab_init(&c->frames, sizeof(uint64_t), 0);
	rectab_init(&c->stacks, sizeof(uint64_t), 0);
	*w = (struct writer){
		.consumer =
			{
				.arg = c,
				.snapshot_interval = c->info.interval,
				.snapshot = clickhouse_snapshot,
				.drop = clickhouse_drop,
				.fault = clickhouse_fault,
				.finish = clickhouse_finish,
				.flush = clickhouse_flush,
			},
		.changing = clickhouse_changing,
		.release = clickhouse_release,
	};
	return 0;
}
