// SPDX-License-Identifier: Apache-2.0
/* The aggregations of a session: from snapshots to tables, and the actions that change them. */
#include "consume/agg_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "abi/aggregation.h"
#include "abi/record.h"
#include "base/heapvec.h"
#include "base/rectab.h"
#include "consume/agg_key.h"
#include "consume/agg_snapshot.h"
#include "consume/agg_sort.h"
#include "consume/agg_value.h"
#include "consume/event.h"
#include "consume/stacks.h"
#include "lang/format.h"

/*
 * What is known of the groups of an aggregation's records, each a row: of those that share a key,
 * or of each record alone.
 */
struct grouping {
	struct rectab keys;	 /* by group, of those that share; empty: each is alone */
	HEAPVEC(uint32_t) group; /* by record; none where each is alone */
	HEAPVEC(uint32_t) open;	 /* records that may belong to another group next time */
	HEAPVEC(uint32_t) order; /* groups as their rows were sorted last */
};

struct agg_state {
	struct agg_snapshot shot;
	struct grouping grouping;
	uint64_t normal;
	bool printed;
	bool listed; /* in by_map */
};

struct aggs {
	struct agg_store store;
	struct agg_keys keys;
	struct agg_state *states; /* by id */
	uint32_t n;
	/* those that share a map are next to each other, by id */
	struct agg_snapshot **by_map;
	uint64_t time; /* of the last snapshot, ns since 1970 */
};

struct rows {
	struct agg_row *row;
	uint32_t n;
	/* what they point to */
	uint32_t *groups; /* by row; NULL: there are none */
	struct agg_value *values, *cpus;
	int64_t *buckets;
};

#define NO_ROW UINT32_MAX

static void rows_free(struct rows *r)
{
	free(r->groups);
	free(r->row);
	free(r->values);
	free(r->cpus);
	free(r->buckets);
	memset(r, 0, sizeof(*r));
}

/* Free what a join of R does not borrow: there may be very many rows. */
static void rows_joined(struct rows *r)
{
	free(r->row);
	free(r->values);
	r->row = NULL;
	r->values = NULL;
}

/* Row numbers survive sorting as positions in rows.values, which stays as it was built. */
static uint32_t row_number(const struct rows *r, uint32_t i)
{
	return (uint32_t)(r->row[i].values - r->values);
}

/* ---- which row a map key is in ---- */

static void grouping_free(struct grouping *g)
{
	rectab_fini(&g->keys);
	heapvec_free(&g->group);
	heapvec_free(&g->open);
	heapvec_free(&g->order);
	*g = (struct grouping){0};
}

/* Finds the group of record I, and notes whether it may be another one next time; KEY is room. */
static int group_record(struct agg_keys *keys, struct agg_state *state, uint32_t i, char *key)
{
	const struct agg_snapshot *s = &state->shot;
	struct grouping *g = &state->grouping;
	bool settled = true;
	int64_t at;
	int err;

	memcpy(key, rectab_key(&s->records, i), key_len(s->desc));
	err = key_rewrite(keys, s->desc, key, &settled);
	at = err ? err : rectab_put(&g->keys, key);
	if (at < 0)
		return (int)at;
	if (!settled && heapvec_push(&g->open, i))
		return -ENOMEM;
	if (i == g->group.len)
		return heapvec_push(&g->group, (uint32_t)at);
	g->group.data[i] = (uint32_t)at;
	return 0;
}

/* Finds the groups of the records that came since the last time, and of those that are open. */
static int group_records(struct agg_keys *keys, struct agg_state *state)
{
	const struct agg_snapshot *s = &state->shot;
	struct grouping *g = &state->grouping;
	uint32_t len = key_len(s->desc), nopen = g->open.len;
	char *key = malloc(len + 1);
	int err = key ? 0 : -ENOMEM;

	if (!g->keys.stride)
		rectab_init(&g->keys, len, 0);
	for (uint32_t i = 0; i < nopen && !err; i++)
		err = group_record(keys, state, g->open.data[i], key);
	for (uint32_t i = g->group.len; i < s->records.n && !err; i++)
		err = group_record(keys, state, i, key);
	/* those that are open still were noted again */
	if (!err && nopen) {
		memmove(g->open.data, g->open.data + nopen,
			(g->open.len - nopen) * sizeof(*g->open.data));
		g->open.len -= nopen;
	}
	free(key);
	return err;
}

static uint32_t group_of(const struct grouping *g, uint32_t record)
{
	return g->group.len ? g->group.data[record] : record;
}

#define SOME_ROW (NO_ROW - 1) /* it has one, whose number is not known yet */

static void number_group(struct rows *out, uint32_t *row, uint32_t group)
{
	if (row[group] != SOME_ROW)
		return;
	out->groups[out->n] = group;
	row[group] = out->n++;
}

/*
 * Each group with a record that is not removed is a row.  They are numbered as they were sorted
 * last: then few are out of order, and neighbours are next to each other in memory.
 */
static int number_groups(struct agg_state *state, struct rows *out)
{
	const struct agg_snapshot *s = &state->shot;
	const struct grouping *g = &state->grouping;
	uint32_t n = g->group.len ? g->keys.n : s->records.n;
	uint32_t *row = malloc(((size_t)n + 1) * sizeof(*row));

	out->groups = malloc(((size_t)n + 1) * sizeof(*out->groups));
	if (!row || !out->groups) {
		free(row);
		return -ENOMEM;
	}
	memset(row, 0xff, (size_t)n * sizeof(*row)); /* NO_ROW */
	for (uint32_t i = 0; i < s->records.n; i++)
		if (!snapshot_record(s, i)->removed)
			row[group_of(g, i)] = SOME_ROW;
	for (uint32_t i = 0; i < g->order.len; i++)
		number_group(out, row, g->order.data[i]);
	for (uint32_t i = 0; i < n; i++)
		number_group(out, row, i);
	for (uint32_t i = 0; i < s->records.n; i++) {
		struct agg_record *r = snapshot_record(s, i);

		r->row = r->removed ? NO_ROW : row[group_of(g, i)];
	}
	free(row);
	return 0;
}

/* Notes the order of the rows R of STATE, which were sorted.  Without memory the next sort takes
 * longer. */
static void note_order(struct agg_state *state, const struct rows *r)
{
	struct grouping *g = &state->grouping;

	g->order.len = 0;
	for (uint32_t i = 0; r->groups && i < r->n; i++)
		if (heapvec_push(&g->order, r->groups[row_number(r, i)]))
			break;
}

/* ---- values ---- */

static uint64_t bucket_of(const struct agg_desc *d, const void *map_key)
{
	uint64_t bucket = 0;

	if (d->nkeys)
		memcpy(&bucket, (const char *)map_key + d->bucket_off, 8);
	else
		memcpy(&bucket, map_key, 4);
	return bucket;
}

#define HUGE (2u << 20) /* a large page of x86-64 */

/*
 * Like calloc().  A large table is written once and freed: in small pages most of its time would go
 * to the kernel, which hands them out one by one.
 */
static void *table_alloc(size_t n, size_t size)
{
	size_t bytes = (n * size + HUGE - 1) & ~(size_t)(HUGE - 1);
	void *p = n * size < 2 * HUGE ? calloc(n, size) : aligned_alloc(HUGE, bytes);

	if (p && n * size >= 2 * HUGE) {
		madvise(p, bytes, MADV_HUGEPAGE);
		memset(p, 0, bytes);
	}
	return p;
}

/* Values of N rows, and NCPUS more for each; buckets lie in the same order. */
static int values_alloc(const struct agg_snapshot *s, uint64_t normal, struct rows *out)
{
	uint32_t ncpus = s->percpu ? s->nslots : 0;
	size_t nbuckets = agg_is_distribution(s->desc) ? s->desc->nbuckets : 0;
	struct agg_value init = {.desc = s->desc, .normal = normal, .present = true};

	/* one more, as none is not an error */
	out->row = table_alloc((size_t)out->n + 1, sizeof(*out->row));
	out->values = table_alloc((size_t)out->n + 1, sizeof(*out->values));
	if (ncpus)
		out->cpus = table_alloc((size_t)out->n * ncpus + 1, sizeof(*out->cpus));
	if (nbuckets)
		out->buckets = table_alloc(
			((size_t)out->n * (1 + ncpus) + 1) * nbuckets, sizeof(*out->buckets));
	if (!out->row || !out->values || (ncpus && !out->cpus) || (nbuckets && !out->buckets))
		return -ENOMEM;
	for (uint32_t i = 0; i < out->n; i++) {
		int64_t *buckets = out->buckets + (size_t)i * (1 + ncpus) * nbuckets;
		struct agg_value *cpus = out->cpus + (size_t)i * ncpus;

		out->values[i] = init;
		out->values[i].buckets = nbuckets ? buckets : NULL;
		out->values[i].ncpus = ncpus;
		out->values[i].cpus = ncpus ? cpus : NULL;
		for (uint32_t k = 0; k < ncpus; k++) {
			cpus[k] = init;
			cpus[k].buckets = nbuckets ? buckets + (1 + k) * nbuckets : NULL;
		}
		out->row[i] =
			(struct agg_row){.desc = s->desc, .values = &out->values[i], .nvalues = 1};
	}
	return 0;
}

static void value_add(struct agg_value *v, const uint64_t *words, int64_t *buckets, uint64_t bucket)
{
	if (!buckets)
		agg_merge(v->desc, v->words, words);
	else if (bucket < v->desc->nbuckets)
		buckets[bucket] += (int64_t)words[0];
}

/* Returns the key of row ROW, which record I is in. */
static const void *key_of(
	const struct agg_state *state, const struct rows *out, uint32_t row, uint32_t i)
{
	return state->grouping.group.len ? rectab_key(&state->grouping.keys, out->groups[row])
					 : rectab_key(&state->shot.records, i);
}

static void values_gather(const struct agg_state *state, struct rows *out)
{
	const struct agg_snapshot *s = &state->shot;

	for (uint32_t i = 0; i < s->records.n; i++) {
		struct agg_record *r = snapshot_record(s, i);
		uint64_t bucket, words[AGG_WORDS_MAX];
		struct agg_value *v;

		if (r->row == NO_ROW)
			continue;
		v = &out->values[r->row];
		bucket = agg_is_distribution(s->desc)
			? bucket_of(s->desc, rectab_key(&s->records, i))
			: 0;
		out->row[r->row].key = key_of(state, out, r->row, i);
		for (uint32_t k = 0; k < s->nslots; k++) {
			snapshot_value(s, r, k, words);
			value_add(v, words, (int64_t *)v->buckets, bucket);
			if (s->percpu) {
				struct agg_value *c = &out->cpus[(size_t)r->row * s->nslots + k];

				value_add(c, words, (int64_t *)c->buckets, bucket);
			}
		}
	}
}

/* From struct dt_agg_kept to what sinks get. */
static void kept_finish(struct agg_value *v)
{
	uint64_t count = v->words[KEPT_COUNT];

	v->words[0] = count ? v->words[KEPT_VALUE] : (uint64_t)agg_desc_info(v->desc)->empty;
	v->words[1] = count;
}

static int rows_build(struct aggs *a, struct agg_state *state, struct rows *out)
{
	const struct agg_snapshot *s = &state->shot;
	int err = 0;

	memset(out, 0, sizeof(*out));
	if (agg_is_distribution(s->desc) || key_rewrites(&a->keys, s->desc))
		err = group_records(&a->keys, state);
	if (!err)
		err = number_groups(state, out);
	if (!err)
		err = values_alloc(s, state->normal, out);
	if (err) {
		rows_free(out);
		return err;
	}
	values_gather(state, out);
	if (agg_keeps(s->desc)) {
		for (uint32_t i = 0; i < out->n; i++)
			kept_finish(&out->values[i]);
		for (size_t i = 0; s->percpu && i < (size_t)out->n * s->nslots; i++)
			kept_finish(&out->cpus[i]);
	}
	return 0;
}

/* ---- joining rows of several aggregations by key ---- */

/* Rows found so far, by the hash of their key. */
struct index {
	uint64_t *slots; /* high half of the hash << 32 | number + 1; 0 = free */
	uint64_t nslots; /* a power of two */
	bool same_sizes;
};

static bool same_sizes(const struct agg_desc *const *descs, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		for (uint32_t k = 0; k < descs[0]->nkeys; k++)
			if (descs[i]->keys[k].size != descs[0]->keys[k].size)
				return false;
	return true;
}

/* Returns the number of the row with R's key; a new one is put at the end. */
static uint32_t index_row(
	const struct agg_keys *keys, struct index *ix, struct rows *out, const struct agg_row *r)
{
	uint64_t hash = key_hash(keys, r, ix->same_sizes);
	uint64_t i = hash & (ix->nslots - 1);

	for (; ix->slots[i]; i = (i + 1) & (ix->nslots - 1)) {
		uint32_t at = (uint32_t)ix->slots[i] - 1;

		if (ix->slots[i] >> 32 == hash >> 32 && !key_compare(keys, &out->row[at], r, 0))
			return at;
	}
	ix->slots[i] = (hash >> 32) << 32 | (out->n + 1u);
	out->row[out->n].key = r->key;
	out->row[out->n].desc = r->desc;
	return out->n++;
}

/* Initialises row AT: no aggregation has a value in it yet. */
static void row_init(struct rows *out, uint32_t at, const struct rows *parts,
	const struct agg_desc *const *descs, uint32_t n)
{
	struct agg_value *v = out->values + (size_t)at * n;

	out->row[at].values = v;
	out->row[at].nvalues = n;
	for (uint32_t k = 0; k < n; k++)
		v[k] = (struct agg_value){.desc = descs[k],
			/* every value of an aggregation has the same factor */
			.normal = parts[k].n ? parts[k].values[0].normal : 1,
			.buckets = agg_is_distribution(descs[k]) ? out->buckets : NULL};
}

/* Join PARTS (of N aggregations) by key; borrows their keys and buckets, and values of CPUs. */
static int rows_join(const struct agg_keys *keys, const struct rows *parts,
	const struct agg_desc *const *descs, uint32_t n, struct rows *out)
{
	struct index ix = {.nslots = 64, .same_sizes = same_sizes(descs, n)};
	size_t total = 0;
	uint32_t nbuckets = 1;

	memset(out, 0, sizeof(*out));
	for (uint32_t i = 0; i < n; i++) {
		total += parts[i].n;
		if (descs[i]->nbuckets > nbuckets)
			nbuckets = descs[i]->nbuckets;
	}
	while (ix.nslots < 2 * total)
		ix.nslots *= 2;
	ix.slots = calloc(ix.nslots, sizeof(*ix.slots));
	out->row = calloc(total + 1, sizeof(*out->row));
	out->values = calloc(total * n + 1, sizeof(*out->values));
	out->buckets = calloc(nbuckets, sizeof(*out->buckets));
	if (!ix.slots || !out->row || !out->values || !out->buckets) {
		free(ix.slots);
		rows_free(out);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < parts[i].n; k++) {
			uint32_t before = out->n;
			uint32_t at = index_row(keys, &ix, out, &parts[i].row[k]);

			if (at == before)
				row_init(out, at, parts, descs, n);
			out->values[(size_t)at * n + i] = parts[i].row[k].values[0];
		}
	free(ix.slots);
	return 0;
}

/* ---- the whole ---- */

static int by_id(const void *x, const void *y)
{
	const struct agg_desc *a = ((const struct agg_state *)x)->shot.desc;
	const struct agg_desc *b = ((const struct agg_state *)y)->shot.desc;

	return (a->id > b->id) - (a->id < b->id);
}

static bool share_map(const struct agg_desc *a, const struct agg_desc *b)
{
	return a == b || (a->shared && b->shared && !strcmp(a->map, b->map));
}

static void list_by_map(struct aggs *a)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < a->n; i++) {
		const struct agg_desc *d = a->states[i].shot.desc;

		if (a->states[i].listed)
			continue;
		for (uint32_t k = i; k < (d->shared ? a->n : i + 1); k++) {
			if (!share_map(d, a->states[k].shot.desc))
				continue;
			a->states[k].listed = true;
			a->by_map[n++] = &a->states[k].shot;
		}
	}
}

struct aggs *aggs_new(const struct agg_env *env, const struct agg_desc *const *descs, uint32_t n)
{
	struct aggs *a = calloc(1, sizeof(*a));

	if (a && aggs_extend(a, env, descs, n)) {
		aggs_free(a);
		return NULL;
	}
	return a;
}

void aggs_free(struct aggs *a)
{
	if (!a)
		return;
	for (uint32_t i = 0; i < a->n; i++) {
		snapshot_free(&a->states[i].shot);
		grouping_free(&a->states[i].grouping);
	}
	keys_free(&a->keys);
	free(a->states);
	free(a->by_map);
	free(a);
}

static struct agg_state *find_state(struct aggs *a, const struct agg_desc *agg)
{
	for (uint32_t i = 0; i < a->n; i++)
		if (a->states[i].shot.desc == agg)
			return &a->states[i];
	return NULL;
}

int aggs_extend(
	struct aggs *a, const struct agg_env *env, const struct agg_desc *const *descs, uint32_t n)
{
	struct agg_state *states = calloc((size_t)n + 1, sizeof(*states)), *had;
	struct agg_snapshot **by_map = calloc((size_t)n + 1, sizeof(struct agg_snapshot *));

	if (!states || !by_map) {
		free(states);
		free(by_map);
		return -ENOMEM;
	}
	a->store = env->store;
	a->keys.syms = env->syms;
	a->keys.stacks = env->stacks;
	a->keys.probe = env->probe;
	a->keys.probe_arg = env->arg;
	for (uint32_t i = 0; i < n; i++) {
		had = find_state(a, descs[i]);
		states[i].normal = had ? had->normal : 1;
		states[i].printed = had && had->printed;
		/* what has no records may have got other keys */
		if (had && had->shot.records.n) {
			states[i].shot = had->shot;
			states[i].grouping = had->grouping;
			continue;
		}
		if (had) {
			snapshot_free(&had->shot);
			grouping_free(&had->grouping);
		}
		snapshot_init(&states[i].shot, descs[i], &a->store, env->syms, env->stacks);
		states[i].shot.percpu = env->percpu;
	}
	free(a->states);
	free(a->by_map);
	a->states = states;
	a->by_map = by_map;
	a->n = n;
	qsort(a->states, n, sizeof(*a->states), by_id);
	list_by_map(a);
	return 0;
}

int aggs_snapshot(struct aggs *a)
{
	struct timespec now;
	int err = 0;

	if (a->keys.stacks)
		stacks_follow(a->keys.stacks);
	clock_gettime(CLOCK_REALTIME, &now);
	a->time = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	for (uint32_t i = 0, n; i < a->n && !err; i += n) {
		n = 1;
		while (i + n < a->n && share_map(a->by_map[i]->desc, a->by_map[i + n]->desc))
			n++;
		err = n > 1 ? snapshot_read_shared(&a->by_map[i], n) : snapshot_read(a->by_map[i]);
	}
	return err;
}

const struct agg_desc *aggs_fullest(const struct aggs *a, uint32_t *keys)
{
	const struct agg_desc *fullest = NULL;

	*keys = 0;
	for (uint32_t i = 0; i < a->n; i++) {
		const struct agg_snapshot *s = &a->states[i].shot;

		if (!s->desc->nkeys || s->records.n <= *keys)
			continue;
		*keys = s->records.n;
		fullest = s->desc;
	}
	return fullest;
}

void aggs_each_stack(const struct aggs *a, void (*visit)(void *arg, uint64_t id), void *arg)
{
	for (uint32_t i = 0; i < a->n; i++)
		snapshot_each_stack(&a->states[i].shot, visit, arg);
}

/* ---- actions ---- */

int aggs_clear(struct aggs *a, const struct agg_desc *agg)
{
	struct agg_state *s = find_state(a, agg);

	return s ? snapshot_clear(&s->shot) : -ENOENT;
}

int aggs_trunc(struct aggs *a, const struct agg_desc *agg, int64_t n)
{
	const struct agg_sort by_value = {0};
	struct agg_state *s = find_state(a, agg);
	uint64_t keep = n < 0 ? -(uint64_t)n : (uint64_t)n;
	struct rows rows;
	bool *remove;
	int err;

	if (!s)
		return -ENOENT;
	if (!n) {
		grouping_free(&s->grouping); /* records get other numbers */
		return snapshot_trunc(&s->shot, NULL);
	}
	err = rows_build(a, s, &rows);
	if (err)
		return err;
	remove = calloc((size_t)rows.n + 1, sizeof(*remove));
	err = remove ? rows_sort(&a->keys, &rows.row, rows.n, &by_value) : -ENOMEM;
	if (!err && keep < rows.n) {
		/* ascending: the largest are the last */
		for (uint32_t i = 0; i < rows.n - keep; i++)
			remove[row_number(&rows, n > 0 ? i : rows.n - 1 - i)] = true;
		err = snapshot_trunc(&s->shot, remove);
		grouping_free(&s->grouping);
	}
	free(remove);
	rows_free(&rows);
	return err;
}

int aggs_normalize(struct aggs *a, const struct agg_desc *agg, uint64_t by)
{
	struct agg_state *s = find_state(a, agg);

	if (!s)
		return -ENOENT;
	if (!by)
		return -EINVAL;
	s->normal = by;
	return 0;
}

/* ---- tables ---- */

/* A table and what it is made of. */
struct made {
	struct agg_table table; /* first: it is what the caller has */
	const struct agg_desc *one;
	struct rows joined, *parts;
	uint32_t nparts;
	struct agg_share *shares; /* of the rows that are shown */
};

void agg_table_free(struct agg_table *t)
{
	struct made *m = (struct made *)t;

	if (!m)
		return;
	rows_free(&m->joined);
	for (uint32_t i = 0; i < m->nparts; i++)
		rows_free(&m->parts[i]);
	free(m->parts);
	free(m->shares);
	free(m);
}

static struct made *made_new(uint32_t nparts)
{
	struct made *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->parts = calloc(nparts, sizeof(*m->parts));
	m->nparts = nparts;
	if (!m->parts) {
		free(m);
		return NULL;
	}
	return m;
}

/* Adds up value I of the rows of ROWS, sorted, of which M shows a part. */
static void shares_add(struct made *m, const struct rows *rows, uint32_t i)
{
	uint32_t n = m->table.naggs;
	uint64_t total = 0, upto = 0;

	for (uint32_t k = 0; k < rows->n; k++)
		total += rows->row[k].values[i].words[0];
	for (uint32_t k = 0; k < m->table.nrows; k++) {
		upto += m->table.rows[k].values[i].words[0];
		m->shares[(size_t)k * n + i] =
			(struct agg_share){.total = (int64_t)total, .upto = (int64_t)upto};
	}
}

/* Compute shares if the format prints some.  0 or -ENOMEM. */
static int made_shares(struct made *m, struct rows *rows)
{
	uint32_t n = m->table.naggs, first = (uint32_t)(m->table.rows - rows->row);

	if (!m->table.format || !format_has(m->table.format, CONV_SHARE))
		return 0;
	m->shares = calloc((size_t)m->table.nrows * n + 1, sizeof(*m->shares));
	if (!m->shares)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		shares_add(m, rows, i);
	for (uint32_t k = 0; k < m->table.nrows; k++)
		rows->row[first + k].shares = m->shares + (size_t)k * n;
	return 0;
}

/* Leave out the rows whose values are all 0; an aggregation without keys keeps its row. */
static void drop_zeros(struct rows *rows)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < rows->n; i++) {
		const struct agg_row *row = &rows->row[i];
		bool zero = row->desc->nkeys > 0;

		for (uint32_t k = 0; k < row->nvalues && zero; k++)
			zero = agg_is_zero(&row->values[k]);
		if (!zero)
			rows->row[n++] = *row;
	}
	rows->n = n;
}

/* Sort the rows of M, and hand it to the caller. */
static int made_finish(struct aggs *a, struct made *m, struct rows *rows,
	const struct agg_sort *sort, struct agg_table **out)
{
	uint32_t left_out;
	int err;

	if (sort->nonzero)
		drop_zeros(rows);
	left_out = sort->rows && rows->n > sort->rows ? rows->n - sort->rows : 0;
	err = rows_sort(&a->keys, &rows->row, rows->n, sort);
	m->table.rows = rows->row + (sort->rev ? 0 : left_out);
	m->table.nrows = rows->n - left_out;
	m->table.time = a->time;
	if (!err)
		err = made_shares(m, rows);
	if (err) {
		agg_table_free(&m->table);
		return err;
	}
	*out = &m->table;
	return 0;
}

static int build_parts(
	struct aggs *a, const struct agg_desc *const *list, uint32_t n, struct made *m)
{
	int err = 0;

	for (uint32_t i = 0; i < n && !err; i++) {
		struct agg_state *s = find_state(a, list[i]);

		if (!s)
			err = -ENOENT;
		else if (list[i]->nkeys != list[0]->nkeys)
			err = -EINVAL; /* the compiler refuses it */
		else
			err = rows_build(a, s, &m->parts[i]);
		if (!err && m->parts[i].n)
			s->printed = true;
	}
	return err;
}

int aggs_print(struct aggs *a, const struct agg_desc *const *list, uint32_t n,
	const struct format *format, const struct agg_sort *sort, struct agg_table **out)
{
	struct made *m = n ? made_new(n) : NULL;
	int err;

	*out = NULL;
	if (!m)
		return n ? -ENOMEM : -EINVAL;
	m->table = (struct agg_table){.aggs = list, .naggs = n, .format = format};
	err = build_parts(a, list, n, m);
	if (!err && n > 1)
		err = rows_join(&a->keys, m->parts, list, n, &m->joined);
	if (err) {
		agg_table_free(&m->table);
		return err;
	}
	for (uint32_t i = 0; n > 1 && i < n; i++)
		rows_joined(&m->parts[i]);
	err = made_finish(a, m, n > 1 ? &m->joined : &m->parts[0], sort, out);
	if (!err && n == 1)
		note_order(find_state(a, list[0]), &m->parts[0]);
	return err;
}

/* The table of S alone; none if there are no keys. */
static int make_final(
	struct aggs *a, struct agg_state *s, const struct agg_sort *sort, struct agg_table **out)
{
	struct made *m = made_new(1);
	int err = m ? rows_build(a, s, &m->parts[0]) : -ENOMEM;

	if (err || !m->parts[0].n) {
		agg_table_free(m ? &m->table : NULL);
		return err;
	}
	m->one = s->shot.desc;
	m->table = (struct agg_table){.aggs = &m->one, .naggs = 1, .final = true};
	err = made_finish(a, m, &m->parts[0], sort, out);
	if (!err)
		note_order(s, &m->parts[0]);
	return err;
}

int aggs_walk(struct aggs *a, const struct agg_desc *agg, const struct agg_sort *sort,
	struct agg_table **out)
{
	struct agg_state *s = find_state(a, agg);

	*out = NULL;
	return s ? make_final(a, s, sort, out) : -ENOENT;
}

bool aggs_has_rest(const struct aggs *a)
{
	for (uint32_t i = 0; i < a->n; i++)
		if (!a->states[i].printed)
			return true;
	return false;
}

int aggs_rest(struct aggs *a, const struct agg_sort *sort, uint32_t *at, struct agg_table **out)
{
	int err = 0;

	*out = NULL;
	while (*at < a->n && !*out && !err) {
		struct agg_state *s = &a->states[sort->rev ? a->n - 1 - *at : *at];

		++*at;
		if (!s->printed)
			err = make_final(a, s, sort, out);
	}
	return err;
}
