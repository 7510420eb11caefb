/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agg_memory: shared by the tests of consume/agg: a store of two CPUs in memory that update() adds
 * to, aggregations over it, and tables as text.
 */
#ifndef AGG_MEMORY_H
#define AGG_MEMORY_H

#include <errno.h>
#include <time.h>

#include "test.h"

#include "consume/agg_sort.h"
#include "consume/agg_table.h"
#include "consume/agg_value.h"

/* ---- a store of two CPUs in memory ---- */

#define NCPUS	 2
#define ELEM_MAX 64
#define KEY_MAX	 96

struct elem {
	char key[KEY_MAX];
	uint64_t words[NCPUS][4];
};

struct fake {
	const struct agg_desc *desc;
	struct elem *elems; /* as packed values are read: see give() */
	uint32_t n, room;
};

static struct fake fakes[4];

static struct fake *fake_of(const struct agg_desc *agg)
{
	for (size_t i = 0; i < 4; i++)
		if (fakes[i].desc == agg)
			return &fakes[i];
	abort();
}

static struct elem *fake_elem(const struct agg_desc *agg, const void *key)
{
	struct fake *f = fake_of(agg);

	for (uint32_t i = 0; i < f->n; i++)
		if (!memcmp(f->elems[i].key, key, agg->key_size))
			return &f->elems[i];
	if (f->n == f->room) {
		f->room = f->room ? f->room * 2 : ELEM_MAX;
		f->elems = realloc(f->elems, f->room * sizeof(*f->elems));
	}
	memset(&f->elems[f->n], 0, sizeof(*f->elems));
	memcpy(f->elems[f->n].key, key, agg->key_size);
	return &f->elems[f->n++];
}

static int give(const struct agg_desc *agg, const struct elem *e, agg_visit_fn visit, void *varg)
{
	uint64_t packed[NCPUS * 4];
	uint32_t words = agg->value_size / 8;

	for (uint32_t cpu = 0; cpu < NCPUS; cpu++)
		memcpy(packed + cpu * words, e->words[cpu], agg->value_size);
	return visit(varg, e->key, packed, NCPUS);
}

static int fake_each(void *arg, const struct agg_desc *agg, agg_visit_fn visit, void *varg)
{
	struct fake *f = fake_of(agg);
	int err = 0;

	for (uint32_t i = 0; i < f->n && !err; i++)
		err = give(agg, &f->elems[i], visit, varg);
	return err;
}

static int fake_take_key(
	void *arg, const struct agg_desc *agg, const void *key, agg_visit_fn visit, void *varg)
{
	struct fake *f = fake_of(agg);

	for (uint32_t i = 0; i < f->n; i++) {
		struct elem e = f->elems[i];

		if (memcmp(e.key, key, agg->key_size))
			continue;
		if (agg->nkeys)
			f->elems[i] = f->elems[--f->n];
		for (uint32_t cpu = 0; cpu < NCPUS && !agg->nkeys; cpu++)
			agg_reset_slot(agg, f->elems[i].words[cpu]);
		return give(agg, &e, visit, varg);
	}
	return 0;
}

static int fake_take(void *arg, const struct agg_desc *agg, agg_visit_fn visit, void *varg)
{
	struct fake *f = fake_of(agg);
	uint32_t n = f->n;
	int err = 0;

	for (uint32_t i = 0; i < n && !err; i++) {
		char key[KEY_MAX];

		memcpy(key, f->elems[agg->nkeys ? 0 : i].key, sizeof(key));
		err = fake_take_key(arg, agg, key, visit, varg);
	}
	return err;
}

static const struct agg_store store = {
	.each = fake_each, .take = fake_take, .take_key = fake_take_key};

/* Does what a program does for one update on CPU. */
static inline void update(const struct agg_desc *agg, const void *key, uint32_t cpu, int64_t v)
{
	char full[KEY_MAX] = {0};
	uint64_t bucket, *w;

	if (agg->nkeys)
		memcpy(full, key, agg->nbuckets ? agg->bucket_off : agg->key_size);
	if (agg->nbuckets) {
		bucket = agg_bucket(agg->func, &agg->params, v);
		memcpy(full + (agg->nkeys ? agg->bucket_off : 0), &bucket, agg->nkeys ? 8 : 4);
	}
	w = fake_elem(agg, full)->words[cpu];
	switch (agg->func) {
	case AGG_sum:
		w[0] += (uint64_t)v;
		break;
	case AGG_min:
	case AGG_max:
		if (!w[0]++ || (agg->func == AGG_min ? v < (int64_t)w[1] : v > (int64_t)w[1]))
			w[1] = (uint64_t)v;
		break;
	case AGG_stddev: {
		unsigned __int128 sq = (unsigned __int128)((__int128)v * v);

		sq += (unsigned __int128)w[3] << 64 | w[2];
		w[2] = (uint64_t)sq;
		w[3] = (uint64_t)(sq >> 64);
	}
		/* fall through */
	case AGG_avg:
		w[0]++;
		w[1] += (uint64_t)v;
		break;
	default:
		w[0]++;
	}
}

/* Aggregations over empty maps; ENV's store is the one above. */
static inline struct aggs *session_in(
	struct agg_env env, const struct agg_desc *const *descs, uint32_t n)
{
	for (uint32_t i = 0; i < 4; i++) {
		free(fakes[i].elems);
		fakes[i] = (struct fake){.desc = i < n ? descs[i] : NULL};
	}
	env.store = store;
	return aggs_new(&env, descs, n);
}

static inline struct aggs *session(const struct agg_desc *const *descs, uint32_t n)
{
	return session_in((struct agg_env){0}, descs, n);
}

/* ---- tables as text: "key,key=value[,value] ..." ---- */

static char seen[4096];

static void put(const char *fmt, long long v)
{
	size_t len = strlen(seen);

	snprintf(seen + len, sizeof(seen) - len, fmt, v);
}

static void put_text(const char *s)
{
	size_t len = strlen(seen);

	snprintf(seen + len, sizeof(seen) - len, "%s", s);
}

static void put_value(const struct agg_value *v)
{
	if (!v->present)
		put_text("-");
	if (!v->desc->nbuckets) {
		put("%lld", agg_number(v));
		return;
	}
	put_text("[");
	for (uint32_t b = 0, n = 0; b < v->desc->nbuckets; b++)
		if (v->buckets[b]) {
			put(n++ ? " %lld:" : "%lld:", b);
			put("%lld", v->buckets[b]);
		}
	put_text("]");
}

static void put_key(const struct agg_row *r)
{
	for (uint32_t k = 0; k < r->desc->nkeys; k++) {
		const struct datum *d = &r->desc->keys[k];
		const char *p = (const char *)r->key + d->offset;
		int64_t v = 0;

		if (k)
			put_text(",");
		if (d->kind == DATUM_STRING) {
			put_text(p);
			continue;
		}
		memcpy(&v, p, d->size);
		if (d->is_signed)
			v = (int64_t)((uint64_t)v << (64 - 8 * d->size)) >> (64 - 8 * d->size);
		put("%lld", v);
	}
}

static void put_table(const struct agg_table *t)
{
	if (t->final)
		put_text("final ");
	put_text("@");
	put_text(t->aggs[0]->name);
	for (uint32_t i = 0; i < t->nrows; i++) {
		put_text(" ");
		put_key(&t->rows[i]);
		put_text("=");
		CHECK_INT(t->rows[i].nvalues, t->naggs);
		for (uint32_t k = 0; k < t->naggs; k++) {
			if (k)
				put_text("/");
			put_value(&t->rows[i].values[k]);
		}
	}
	put_text(";");
}

static const struct agg_sort plain;

static inline const char *print_sorted(
	struct aggs *a, const struct agg_desc *const *list, uint32_t n, const struct agg_sort *sort)
{
	struct agg_table *t;

	seen[0] = 0;
	CHECK_INT(aggs_print(a, list, n, NULL, sort, &t), 0);
	put_table(t);
	agg_table_free(t);
	return seen;
}

static inline const char *print(struct aggs *a, const struct agg_desc *agg)
{
	return print_sorted(a, &agg, 1, &plain);
}

static inline const char *print_rest(struct aggs *a, const struct agg_sort *sort)
{
	struct agg_table *t;
	uint32_t at = 0;

	seen[0] = 0;
	for (;;) {
		CHECK_INT(aggs_rest(a, sort, &at, &t), 0);
		if (!t)
			return seen;
		put_table(t);
		agg_table_free(t);
	}
}

/* ---- aggregations ---- */

static const struct datum int_key = {.kind = DATUM_INT, .is_signed = true, .size = 4};
static const struct datum two_keys[] = {
	{.kind = DATUM_INT, .is_signed = true, .size = 4},
	{.kind = DATUM_STRING, .offset = 4, .size = 12},
};

static inline struct agg_desc desc(const char *name, uint32_t id, enum agg_func func)
{
	struct agg_desc d = {.name = name,
		.id = id,
		.func = func,
		.key_size = 4,
		.map_key_size = 4,
		.map = name};

	d.value_size = agg_value_size(func, false);
	return d;
}

static inline struct agg_desc desc_int(const char *name, uint32_t id, enum agg_func func)
{
	struct agg_desc d = desc(name, id, func);

	d.keys = &int_key;
	d.nkeys = 1;
	d.value_size = agg_value_size(func, true);
	return d;
}

static inline struct agg_desc desc_dist(const char *name, enum agg_func func,
	struct agg_params params, const struct datum *keys, uint32_t nkeys)
{
	struct agg_desc d = desc(name, 1, func);

	d.params = params;
	d.nbuckets = agg_nbuckets(func, &params);
	d.keys = keys;
	d.nkeys = nkeys;
	if (nkeys) {
		d.bucket_off = 8;
		d.key_size = 16;
	}
	return d;
}

static const int32_t K[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
static const int32_t minus_one = -1;

#endif
