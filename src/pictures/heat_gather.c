// SPDX-License-Identifier: Apache-2.0
/* Collects heat maps from records, tables and snapshots. */
#include "pictures/heat_gather.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/vec.h"
#include "dtrace/data.h"
#include "dtrace/dtrace.h"
#include "formats/writers.h"
#include "formats/stack_tree.h"
#include "print/kinds.h"

/* A bucket of a row, by which its last count is found. */
struct place {
	uint32_t row, bucket;
};

struct last {
	int64_t count;
};

/*
 * What tells the keys of a row from others, in all tables: the names of the frames of a stack may
 * change when its process ends, and stacks that differ may have the same names.
 */
struct row_id {
	uint64_t words[2];
};

/* What is known of a row. */
struct row {
	uint32_t series;
	bool known;
};

bool heat_is_time(const char *type)
{
	return !strcmp(type, "walltime_t");
}

/* Returns the time, ns since 1970. */
static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* ---- maps ---- */

static void source_init(struct heat_source *s)
{
	rectab_init(&s->last, sizeof(struct place), sizeof(struct last));
}

static void source_fini(struct heat_source *s)
{
	heat_fini(&s->heat);
	rectab_fini(&s->last);
}

static void free_map(struct heat_map *m)
{
	source_fini(&m->printed);
	source_fini(&m->sampled);
	rectab_fini(&m->rows);
	rectab_fini(&m->series);
	heat_fini(&m->laid);
	tree_free(m->keys);
	free(m->name);
	free(m);
}

void heat_gather_begin(struct heat_gather *g)
{
	g->start = now();
}

void heat_gather_fini(struct heat_gather *g)
{
	vec_for (p, &g->maps)
		free_map(*p);
	heapvec_free(&g->maps);
	heapvec_free(&g->keys);
	gather_fini(&g->gather);
}

static int time_key(const struct dtrace_row *row, unsigned nkeys)
{
	for (unsigned i = 0; i < nkeys; i++)
		if (row->keys[i].kind == DTRACE_KIND_INT && heat_is_time(row->keys[i].type))
			return (int)i;
	return -1;
}

static struct heat_map *new_map(const struct dtrace_aggregation *a)
{
	struct heat_map *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	source_init(&m->printed);
	source_init(&m->sampled);
	rectab_init(&m->rows, sizeof(struct row_id), sizeof(struct row));
	rectab_init(&m->series, sizeof(struct heat_series), 0);
	m->func = agg_public(a->function)->func;
	m->function = a->function_name;
	m->params = aggregation_params(a);
	m->nkeys = a->nkeys;
	m->name = strdup(a->name);
	m->keys = tree_new();
	if (m->name && m->keys)
		return m;
	free_map(m);
	return NULL;
}

static bool same_params(const struct agg_params *x, const struct agg_params *y)
{
	return x->base == y->base && x->limit == y->limit && x->step == y->step &&
		x->factor == y->factor && x->lmag == y->lmag && x->hmag == y->hmag &&
		x->steps == y->steps;
}

/* Returns the map of A. Saved sessions can have others of its name, with other keys or buckets. */
static struct heat_map *find_map(const struct heat_gather *g, const struct dtrace_aggregation *a)
{
	const struct agg_params params = aggregation_params(a);

	vec_for (p, &g->maps)
		if (!strcmp((*p)->name, a->name) && (*p)->nkeys == a->nkeys &&
			(*p)->func == agg_public(a->function)->func &&
			same_params(&(*p)->params, &params))
			return *p;
	return NULL;
}

/* Adds a map for A, which is one and of which ROW is a row. */
static struct heat_map *add_map(
	struct heat_gather *g, const struct dtrace_aggregation *a, const struct dtrace_row *row)
{
	struct heat_map *m = new_map(a);

	if (!m || heapvec_push(&g->maps, m)) {
		if (m)
			free_map(m);
		return NULL;
	}
	m->time_key = time_key(row, a->nkeys);
	if (m->time_key >= 0)
		m->columns = aggregation_is_distribution(a) ? HEAT_BY_KEY : HEAT_OFFSETS;
	if (gather_has_stack(row, a->nkeys)) {
		struct graph *graph =
			gather_graph(&g->gather, a->name, a->function_name, row->keys, a->nkeys);

		if (!graph)
			return NULL;
		m->stacks = graph->tree;
	}
	return m;
}

/* Can A, of which ROW is a row, be drawn? */
static bool is_map(const struct dtrace_aggregation *a, const struct dtrace_row *row)
{
	if (aggregation_is_distribution(a))
		return true;
	return (a->function == DTRACE_COUNT || a->function == DTRACE_SUM) &&
		time_key(row, a->nkeys) >= 0;
}

/* Can the stacks of A, of which ROW is a row, be counted? */
static bool has_stacks(const struct dtrace_aggregation *a, const struct dtrace_row *row)
{
	return (a->function == DTRACE_COUNT || a->function == DTRACE_SUM ||
		       a->function == DTRACE_AVG || a->function == DTRACE_STDDEV) &&
		time_key(row, a->nkeys) < 0 && gather_has_stack(row, a->nkeys);
}

/* ---- rows ---- */

/* Adds the frames of those keys of ROW to T that are no time and, unless STACKS, no stack. */
static uint32_t put_keys(struct heat_gather *g, const struct heat_map *m, struct tree *t,
	const struct dtrace_row *row, bool stacks)
{
	struct dtrace_row without;

	g->keys.len = 0;
	for (unsigned i = 0; i < m->nkeys; i++)
		if ((int)i != m->time_key && (stacks || !value_is_stack(&row->keys[i])) &&
			heapvec_push(&g->keys, row->keys[i]))
			return TREE_NONE;
	if (!g->keys.len)
		return TREE_ROOT;
	without = (struct dtrace_row){.keys = g->keys.data};
	return gather_row(&g->gather, t, &without, g->keys.len);
}

/* Appends what makes V another key than others. */
static void put_identity(struct buf *b, const struct dtrace_value *v)
{
	const uint64_t head[] = {v->kind, (uint64_t)v->pid, v->number, v->len};

	buf_put(b, head, sizeof(head));
	if (v->len)
		buf_put(b, v->bytes, v->len);
	if (v->kind == DTRACE_KIND_FLOAT)
		writer_put_value_text(b, v);
	for (unsigned i = 0; i < v->nframes; i++) {
		if (v->frames[i].inlined) /* known from the next one */
			continue;
		buf_put(b, &v->frames[i].address, sizeof(v->frames[i].address));
		if (!value_is_stack(v))
			buf_puts(b, v->frames[i].text);
	}
}

/* Stores the identity of the keys of ROW: 0 or -ENOMEM. */
static int identify(struct heat_gather *g, const struct heat_map *m, const struct dtrace_row *row,
	struct row_id *id)
{
	struct buf *b = &g->gather.text;

	b->len = 0;
	for (unsigned i = 0; i < m->nkeys; i++)
		put_identity(b, &row->keys[i]);
	buf_putc(b, 0);
	if (b->failed)
		return -ENOMEM;
	id->words[0] = rectab_hash(b->data, b->len - 1);
	id->words[1] = rectab_hash(b->data, b->len);
	return 0;
}

/* Returns the number of ROW's series, or -ENOMEM. */
static int64_t series_of(struct heat_gather *g, struct heat_map *m, const struct dtrace_row *row)
{
	struct heat_series s = {.stack = TREE_NONE};

	s.keys = put_keys(g, m, m->keys, row, false);
	if (m->stacks)
		s.stack = put_keys(g, m, m->stacks, row, true);
	if (s.keys == TREE_NONE || (m->stacks && s.stack == TREE_NONE))
		return -ENOMEM;
	return rectab_put(&m->series, &s);
}

/* Returns the number of ROW, whose series is known then, or -ENOMEM. */
static int64_t row_of(struct heat_gather *g, struct heat_map *m, const struct dtrace_row *row)
{
	struct row_id id;
	struct row *known;
	int64_t at, series;

	if (identify(g, m, row, &id))
		return -ENOMEM;
	at = rectab_put(&m->rows, &id);
	if (at < 0)
		return at;
	known = rectab_rec(&m->rows, (uint32_t)at);
	if (!known->known) {
		series = series_of(g, m, row);
		if (series < 0)
			return series;
		*known = (struct row){.series = (uint32_t)series, .known = true};
	}
	return at;
}

/* Adds what COUNT, since clear(), is more than it was at PLACE; POINT says where it belongs. */
static int add_count(struct heat_map *m, struct heat_source *s, const struct place *place,
	struct heat_point point, int64_t count)
{
	int64_t at = rectab_put(&s->last, place);
	struct last *last;
	int64_t more;

	if (at < 0)
		return -ENOMEM;
	last = rectab_rec(&s->last, (uint32_t)at);
	if (s->truncated && count < last->count) /* it was removed, and began anew */
		last->count = 0;
	more = count - last->count;
	last->count = count;
	if (s->earlier)
		return 0;
	if (more < 0) {
		m->negative++;
		return 0;
	}
	point.count = (uint64_t)more;
	return heat_add(&s->heat, &point);
}

/* Adds value V of ROW; TIME is the end of the column, unless a key says when it was. */
static int add_value(struct heat_gather *g, struct heat_map *m, struct heat_source *s,
	uint64_t time, const struct dtrace_row *row, const struct dtrace_agg_value *v)
{
	struct heat_point point = {.time = time};
	struct place place;
	int64_t at = row_of(g, m, row);
	int err = at < 0 ? -ENOMEM : 0;

	if (err)
		return err;
	point.series = ((struct row *)rectab_rec(&m->rows, (uint32_t)at))->series;
	if (m->time_key >= 0)
		point.time = row->keys[m->time_key].number;
	place = (struct place){.row = (uint32_t)at};
	if (m->columns == HEAT_OFFSETS)
		return add_count(m, s, &place, point, v->number);
	if (m->only_stacks) /* avg() and stddev() are counted */
		return add_count(m, s, &place, point,
			m->func == AGG_count || m->func == AGG_sum ? v->number
								   : (int64_t)v->words[0]);
	for (unsigned i = 0; i < v->nbuckets && !err; i++) {
		const struct dtrace_bucket *b = &v->buckets[i];

		place.bucket = point.bucket = agg_bucket(m->func, &m->params, b->low);
		err = add_count(m, s, &place, point, writer_bucket_shown(v, b->count));
	}
	return err;
}

/* Returns the map of aggregation number I of T; NULL with 0 in *ERR if it is none. */
static struct heat_map *map_of(
	struct heat_gather *g, const struct dtrace_table *t, unsigned i, int *err)
{
	const struct dtrace_aggregation *a = &t->aggregations[i];
	struct heat_map *m = find_map(g, a);
	const struct dtrace_row *row;

	*err = 0;
	if (m || !t->nrows)
		return m;
	row = dtrace_table_row(t, 0);
	if (row && !is_map(a, row) && (g->no_stacks || !has_stacks(a, row)))
		return NULL;
	m = row ? add_map(g, a, row) : NULL;
	if (m)
		m->only_stacks = !is_map(a, row);
	*err = m ? 0 : -ENOMEM;
	return m;
}

/* Adds aggregation number I of T: one column that ends at TIME, even if nothing is in it. */
static int add_aggregation(struct heat_gather *g, const struct dtrace_table *t, unsigned i,
	uint64_t time, bool sampled)
{
	struct heat_source *s;
	struct heat_map *m;
	int err;

	m = map_of(g, t, i, &err);
	if (!m)
		return err;
	s = sampled ? &m->sampled : &m->printed;
	s->earlier = sampled && m->time_key < 0 && g->late && time == g->first;
	if (m->time_key < 0 && !s->earlier) {
		err = heat_tick(&s->heat, &time);
		if (err)
			return err;
	}
	for (unsigned k = 0; k < t->nrows && !err; k++) {
		const struct dtrace_row *row = dtrace_table_row(t, k);

		err = row ? 0 : -ENOMEM;
		if (row && row->values[i].present)
			err = add_value(g, m, s, time, row, &row->values[i]);
	}
	return err;
}

static int add_table(
	struct heat_gather *g, const struct dtrace_table *t, uint64_t time, bool sampled)
{
	int err = 0;

	for (unsigned i = 0; i < t->naggregations && !err; i++)
		err = add_aggregation(g, t, i, time, sampled);
	return err;
}

/* ---- callbacks ---- */

static void forget(struct heat_source *s)
{
	rectab_fini(&s->last);
	rectab_init(&s->last, sizeof(struct place), sizeof(struct last));
	s->truncated = false;
}

/* After clear() and trunc() values begin anew; trunc() with a number keeps some. */
static void begin_anew(struct heat_gather *g, const struct dtrace_item *item)
{
	const struct dtrace_table *t = item->table;
	bool keeps = item->action == DTRACE_ACTION_TRUNC && item->nvalues && item->values[0].number;

	for (unsigned k = 0; t && k < t->naggregations; k++) {
		struct heat_map *m = find_map(g, &t->aggregations[k]);

		if (m && keeps)
			m->printed.truncated = m->sampled.truncated = true;
		else if (m)
			forget(&m->printed), forget(&m->sampled);
	}
}

/*
 * The time that the table of a printa() in R is of.  An aggregation is read when the record is
 * processed, which can be late, and once for several records; a saved session has only the record.
 */
static uint64_t time_of(const struct dtrace_table *t, const struct dtrace_record *r)
{
	return t->time ? t->time : r->time;
}

int heat_gather_item(
	struct heat_gather *g, const struct dtrace_record *r, const struct dtrace_item *i)
{
	switch (i->action) {
	case DTRACE_ACTION_PRINTA:
		return add_table(g, i->table, time_of(i->table, r), false);
	case DTRACE_ACTION_CLEAR:
	case DTRACE_ACTION_TRUNC:
		begin_anew(g, i);
		return 0;
	default:
		return 0;
	}
}

/* A column that no printa() ended, used if there are no snapshots: it ends now. */
int heat_gather_table(struct heat_gather *g, const struct dtrace_table *t)
{
	return add_table(g, t, t->time ? t->time : now(), false);
}

int heat_gather_snapshot(struct heat_gather *g, uint64_t time, const struct dtrace_table *t)
{
	if (g->late && !g->first)
		g->first = g->start = time; /* the first column begins here */
	for (unsigned i = 0; t && i < t->naggregations; i++) {
		const struct heat_map *m = find_map(g, &t->aggregations[i]);

		/* it has columns of its own */
		if (m && (m->time_key >= 0 || m->printed.heat.ends.len > 1))
			continue;
		if (add_aggregation(g, t, i, time, true))
			return -ENOMEM;
	}
	return 0;
}

/* ---- layout ---- */

static void bounds(const void *arg, uint32_t bucket, int64_t *low, int64_t *high)
{
	const struct heat_map *m = arg;

	*low = *high = 0;
	if (!m->only_stacks)
		agg_bucket_bounds(m->func, &m->params, bucket, low, high);
}

/* Returns the source of M's columns. */
static struct heat *choose(struct heat_map *m)
{
	struct heat_source *s = &m->printed;

	if (m->time_key < 0 && s->heat.ends.len < 2 && m->sampled.heat.ends.len) {
		m->columns = HEAT_SAMPLED;
		s = &m->sampled;
	} else if (m->time_key >= 0 && !s->heat.points.len) {
		s = &m->sampled;
	}
	return &s->heat;
}

static int lay_out(struct heat_map *m, uint64_t start)
{
	const struct heat_buckets buckets = {.bounds = bounds, .arg = m};

	if (m->columns == HEAT_OFFSETS)
		return heat_layout_offsets(m->heat);
	if (m->columns == HEAT_BY_KEY)
		return heat_layout_times(m->heat, &buckets);
	return heat_layout_ticks(m->heat, start, &buckets);
}

int heat_gather_show(struct heat_gather *g, uint64_t since)
{
	vec_for (p, &g->maps) {
		struct heat_map *m = *p;

		if (heat_copy(&m->laid, choose(m), since))
			return -ENOMEM;
		m->heat = &m->laid;
		if (lay_out(m, g->start))
			return -ENOMEM;
	}
	return 0;
}

int heat_gather_finish(struct heat_gather *g)
{
	uint32_t n = 0, shown = 0;

	for (uint32_t i = 0; i < g->maps.len; i++) {
		struct heat_map *m = g->maps.data[i];

		m->heat = choose(m);
		if (lay_out(m, g->start))
			return -ENOMEM;
		if (m->heat->cells.len) {
			g->maps.data[n++] = m;
			shown += !m->only_stacks;
		} else {
			free_map(m);
			g->maps.data[i] = NULL;
		}
	}
	g->maps.len = n;
	return shown ? 0 : -ENODATA;
}
