// SPDX-License-Identifier: Apache-2.0
/* Provides aggregations whose maps are in memory; see rec.h. */
#include <errno.h>
#include <string.h>

#include "rec.h"

#include "abi/record.h"
#include "consume/agg_sort.h"
#include "consume/agg_value.h"

#define NCPUS	  2
#define MAX_AGGS  16
#define MAX_ELEMS 64
#define MAX_KEY	  1024

struct elem {
	uint8_t key[MAX_KEY];
	uint64_t words[NCPUS][4];
};

struct map {
	struct agg_desc desc;
	struct elem elem[MAX_ELEMS];
	uint32_t n;
};

struct rec_aggs {
	struct map *maps[MAX_AGGS];
	uint32_t n;
	struct aggs *aggs; /* made when the first snapshot is taken */
	struct sink *sink;
	const struct sink_env *env;
	uint32_t sortkey, sortrev, sortkeypos, sortpos, rows, percpu;
};

struct rec_aggs *rec_aggs_new(struct sink *sink, const struct sink_env *env)
{
	struct rec_aggs *a = arena_new_obj(arena, struct rec_aggs);

	a->sink = sink;
	a->env = env;
	return a;
}

/* ---- the maps, as src/consume reads them ---- */

static struct map *map_of(void *arg, const struct agg_desc *desc)
{
	const struct rec_aggs *a = arg;

	for (uint32_t i = 0; i < a->n; i++)
		if (&a->maps[i]->desc == desc)
			return a->maps[i];
	die("an aggregation of another session");
}

static int give(const struct agg_desc *desc, const struct elem *e, agg_visit_fn visit, void *varg)
{
	uint64_t packed[NCPUS * 4];
	uint32_t words = agg_slot_size(desc) / 8;

	for (uint32_t cpu = 0; cpu < NCPUS; cpu++)
		memcpy(packed + cpu * words, e->words[cpu], words * 8);
	return visit(varg, e->key, packed, NCPUS);
}

static int each(void *arg, const struct agg_desc *desc, agg_visit_fn visit, void *varg)
{
	struct map *m = map_of(arg, desc);
	int err = 0;

	for (uint32_t i = 0; i < m->n && !err; i++)
		err = give(desc, &m->elem[i], visit, varg);
	return err;
}

static int take_key(
	void *arg, const struct agg_desc *desc, const void *key, agg_visit_fn visit, void *varg)
{
	struct map *m = map_of(arg, desc);

	for (uint32_t i = 0; i < m->n; i++) {
		struct elem e = m->elem[i];

		if (memcmp(e.key, key, desc->key_size))
			continue;
		if (desc->nkeys)
			m->elem[i] = m->elem[--m->n];
		for (uint32_t cpu = 0; cpu < NCPUS && !desc->nkeys; cpu++)
			agg_reset_slot(desc, m->elem[i].words[cpu]);
		return give(desc, &e, visit, varg);
	}
	return 0;
}

static int take(void *arg, const struct agg_desc *desc, agg_visit_fn visit, void *varg)
{
	struct map *m = map_of(arg, desc);
	uint32_t n = m->n;
	int err = 0;

	for (uint32_t i = 0; i < n && !err; i++) {
		struct elem e = m->elem[desc->nkeys ? 0 : i];

		err = take_key(arg, desc, e.key, visit, varg);
	}
	return err;
}

/* ---- declarations ---- */

/* AGG_FUNCS = there is no function NAME. */
static enum agg_func find_function(const char *name)
{
	enum agg_func i = 0;

	while (i < AGG_FUNCS && strcmp(agg_info(i)->name, name))
		i++;
	return i;
}

static void take_function(struct words *w, struct agg_desc *d)
{
	const char *name = word_take(w);

	d->func = find_function(name);
	if (d->func == AGG_FUNCS)
		die("no function \"%s\"", name);
	d->value_size = agg_value_size(d->func, d->nkeys);
	if (d->func == AGG_lquantize) {
		d->params.base = (int32_t)number_take(w);
		d->params.limit = (int32_t)number_take(w);
		d->params.step = (uint16_t)number_take(w);
	} else if (d->func == AGG_llquantize) {
		d->params.factor = (uint16_t)number_take(w);
		d->params.lmag = (uint16_t)number_take(w);
		d->params.hmag = (uint16_t)number_take(w);
		d->params.steps = (uint16_t)number_take(w);
	}
	d->nbuckets = agg_nbuckets(d->func, &d->params);
}

static bool names_function(const struct words *w)
{
	return find_function(word_peek(w)) != AGG_FUNCS;
}

void rec_aggs_declare(struct rec_aggs *a, struct words *w)
{
	struct map *m = arena_new_obj(arena, struct map);
	struct datum *keys = arena_new_array(arena, struct datum, MAX_DATA);
	struct agg_desc *d = &m->desc;
	uint32_t end = 0;

	if (a->aggs || a->n == MAX_AGGS)
		die("too late, or too many aggregations");
	d->name = word_take(w) + 1;
	d->keys = keys;
	while (words_left(w) && !names_function(w)) {
		if (d->nkeys == MAX_DATA)
			die("too many keys");
		keys[d->nkeys++] = type_take(w, &end, true);
	}
	take_function(w, d);
	end = (end + 7) & ~7u;
	d->id = ++a->n;
	d->bucket_off = end;
	d->key_size = d->nkeys ? end + (d->nbuckets ? 8 : 0) : 4;
	d->map_key_size = d->key_size;
	if (d->key_size > MAX_KEY)
		die("a key of %u bytes", d->key_size);
	a->maps[d->id - 1] = m;
}

const struct agg_desc *rec_aggs_find(const struct rec_aggs *a, const char *name)
{
	for (uint32_t i = 0; i < a->n; i++)
		if (*name == '@' && !strcmp(a->maps[i]->desc.name, name + 1))
			return &a->maps[i]->desc;
	die("no aggregation \"%s\"", name);
}

/* ---- updates ---- */

static struct elem *find_elem(struct map *m, const void *key)
{
	struct elem *e;

	for (uint32_t i = 0; i < m->n; i++)
		if (!memcmp(m->elem[i].key, key, m->desc.key_size))
			return &m->elem[i];
	if (m->n == MAX_ELEMS)
		die("too many keys");
	e = &m->elem[m->n++];
	memset(e, 0, sizeof(*e));
	memcpy(e->key, key, m->desc.key_size);
	return e;
}

/* Does what a program does to the value of its CPU; BY is the increment of distributions. */
static void update(const struct agg_desc *d, uint64_t *words, int64_t n, int64_t by)
{
	unsigned __int128 squares;

	switch (d->func) {
	case AGG_sum:
		words[0] += (uint64_t)n;
		if (!d->nkeys)
			words[1]++;
		break;
	case AGG_min:
	case AGG_max:
		if (!words[0]++ || (d->func == AGG_min) == (n < (int64_t)words[1]))
			words[1] = (uint64_t)n;
		break;
	case AGG_stddev:
		squares = (unsigned __int128)words[3] << 64 | words[2];
		squares += (unsigned __int128)((__int128)n * n);
		words[2] = (uint64_t)squares;
		words[3] = (uint64_t)(squares >> 64);
		/* fall through */
	case AGG_avg:
		words[0]++;
		words[1] += (uint64_t)n;
		break;
	default:
		words[0] += (uint64_t)by;
	}
}

void rec_aggs_update(struct rec_aggs *a, struct words *w)
{
	const struct agg_desc *d = rec_aggs_find(a, word_take(w));
	struct image key = {0};
	int64_t n = 0, by = 1;
	uint64_t bucket, cpu = 0;

	for (uint32_t i = 0; i < d->nkeys; i++)
		value_take(w, &d->keys[i], &key);
	if (d->func == AGG_count)
		by = number_take(w);
	else
		n = number_take(w);
	if (word_accept(w, "by"))
		by = number_take(w);
	if (word_accept(w, "cpu"))
		cpu = (uint64_t)number_take(w);
	if (cpu >= NCPUS)
		die("there are %d CPUs", NCPUS);
	if (d->nbuckets) {
		bucket = agg_bucket(d->func, &d->params, n);
		memcpy(key.bytes + (d->nkeys ? d->bucket_off : 0), &bucket, d->nkeys ? 8 : 4);
	}
	update(d, find_elem(map_of(a, d), key.bytes)->words[cpu], n, by);
}

/* ---- actions ---- */

bool rec_aggs_option(struct rec_aggs *a, const char *name, uint32_t value)
{
	const struct {
		const char *name;
		uint32_t *value;
	} options[] = {
		{"aggsortkey", &a->sortkey},
		{"aggsortrev", &a->sortrev},
		{"aggsortkeypos", &a->sortkeypos},
		{"aggsortpos", &a->sortpos},
		{"aggrows", &a->rows},
		{"aggpercpu", &a->percpu},
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (!strcmp(options[i].name, name)) {
			*options[i].value = value;
			return true;
		}
	return false;
}

/* The destination of a table: its action, or none at the end. */
struct place {
	struct sink *sink;
	const struct event *ev;
	uint32_t action;
};

/* 0 or what the sink returned. */
static int table_out(const struct place *p, struct agg_table *t)
{
	int err = sink_table(p->sink, p->ev, p->action, t);

	agg_table_free(t);
	return err;
}

static int snapshot(struct rec_aggs *a)
{
	const struct agg_env env = {
		.store = {.each = each, .take = take, .take_key = take_key, .arg = a},
		.stacks = *a->env->stacks,
		.probe = a->env->probe,
		.percpu = a->percpu};
	const struct agg_desc *descs[MAX_AGGS];

	if (!a->aggs) {
		for (uint32_t i = 0; i < a->n; i++)
			descs[i] = &a->maps[i]->desc;
		a->aggs = aggs_new(&env, descs, a->n);
		if (!a->aggs)
			return -ENOMEM;
	}
	return aggs_snapshot(a->aggs);
}

static struct agg_sort sorting(const struct rec_aggs *a)
{
	return (struct agg_sort){.key = a->sortkey,
		.rev = a->sortrev,
		.keypos = a->sortkeypos,
		.pos = a->sortpos,
		.rows = a->rows};
}

int rec_aggs_action(struct rec_aggs *a, const struct event *ev, uint32_t i)
{
	const struct place place = {a->sink, ev, i};
	const struct rec_action *act = &ev->desc->actions[i];
	const struct agg_sort sort = sorting(a);
	struct agg_table *t;
	int64_t n = 0;
	int err;

	err = snapshot(a);
	if (err)
		return err;
	if (act->ndata)
		memcpy(&n, (const uint8_t *)ev->data + act->data[0].offset, sizeof(n));
	switch (act->kind) {
	case REC_PRINTA:
		err = aggs_print(a->aggs, act->aggs, act->naggs, act->format, &sort, &t);
		return err ? err : table_out(&place, t);
	case REC_CLEAR:
		return aggs_clear(a->aggs, act->aggs[0]);
	case REC_TRUNC:
		return aggs_trunc(a->aggs, act->aggs[0], n);
	case REC_NORMALIZE:
		return aggs_normalize(a->aggs, act->aggs[0], (uint64_t)n);
	default:
		return aggs_normalize(a->aggs, act->aggs[0], 1);
	}
}

int rec_aggs_rest(struct rec_aggs *a)
{
	const struct place place = {.sink = a->sink};
	const struct agg_sort sort = sorting(a);
	struct agg_table *t = NULL;
	uint32_t at = 0;
	int err = snapshot(a);

	do {
		if (!err)
			err = aggs_rest(a->aggs, &sort, &at, &t);
		if (!err && t)
			err = table_out(&place, t);
	} while (!err && t);
	return err;
}

void rec_aggs_free(struct rec_aggs *a)
{
	aggs_free(a->aggs);
}
