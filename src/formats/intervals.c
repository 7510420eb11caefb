// SPDX-License-Identifier: Apache-2.0
/* Finds what an interval added to an aggregation. */
#include "formats/intervals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/aggregation.h"
#include "base/rectab.h"

#define WORDS 4

/* The text is behind a pointer: two hashes of it are enough to compare. */
struct interval_key {
	uint64_t hash[2];
	int64_t low;
};

struct interval_rec {
	char *key;
	uint64_t stack;
	int64_t high;
	uint32_t len, gen;
	bool shown; /* a row has gone out, or the key came with the value of an older one */
	uint64_t base[WORDS]; /* the last reading */
	uint64_t now[WORDS];  /* the one under way */
	uint64_t sum[WORDS];  /* of the interval */
	uint64_t since;
};

static struct interval_rec *rec_at(struct intervals *iv, uint32_t i)
{
	return rectab_rec(&iv->recs, i);
}

static bool keeps(const struct intervals *iv)
{
	return agg_public(iv->function)->kind == AGG_KEEPS;
}

void intervals_init(struct intervals *iv, enum dtrace_function function, uint64_t time)
{
	*iv = (struct intervals){.function = function, .since = time};
	rectab_init(&iv->recs, sizeof(struct interval_key), sizeof(struct interval_rec));
}

void intervals_fini(struct intervals *iv)
{
	for (uint32_t i = 0; i < iv->recs.n; i++)
		free(rec_at(iv, i)->key);
	rectab_fini(&iv->recs);
}

void intervals_begin(struct intervals *iv)
{
	iv->gen++;
}

/* ---- arithmetic ---- */

/* Adds SIGN times FROM to TO: words 2 and 3 are the halves of one number. */
static void add_words(uint64_t *to, const uint64_t *from, int sign)
{
	unsigned __int128 a = (unsigned __int128)to[3] << 64 | to[2];
	unsigned __int128 b = (unsigned __int128)from[3] << 64 | from[2];

	to[0] += sign < 0 ? -from[0] : from[0];
	to[1] += sign < 0 ? -from[1] : from[1];
	a += sign < 0 ? -b : b;
	to[2] = (uint64_t)a;
	to[3] = (uint64_t)(a >> 64);
}

/* Merges the kept value FROM into TO; the second word says whether there is one. */
static void keep_value(const struct intervals *iv, uint64_t *to, const uint64_t *from)
{
	bool less = (int64_t)from[0] < (int64_t)to[0];

	if (!from[1])
		return;
	if (!to[1] || less == (iv->function == DTRACE_MIN))
		to[0] = from[0];
	to[1] = 1;
}

static bool is_zero(const uint64_t *words)
{
	return !(words[0] | words[1] | words[2] | words[3]);
}

/* ---- a reading ---- */

/* Returns the record of K, made if it is missing; NULL without memory. */
static struct interval_rec *find_rec(
	struct intervals *iv, const struct interval_key *k, const char *key, size_t len)
{
	int64_t at = rectab_put(&iv->recs, k);
	struct interval_rec *r = at < 0 ? NULL : rec_at(iv, (uint32_t)at);

	if (!r || r->key)
		return r;
	r->key = malloc(len + 1);
	if (!r->key)
		return NULL;
	memcpy(r->key, key, len);
	r->len = (uint32_t)len;
	return r;
}

static int put_words(struct intervals *iv, struct interval_key *k, const char *key, size_t len,
	uint64_t stack, int64_t high, const uint64_t *words)
{
	struct interval_rec *r = find_rec(iv, k, key, len);

	if (!r)
		return -ENOMEM;
	r->stack = stack;
	r->high = high;
	if (r->gen != iv->gen)
		memset(r->now, 0, sizeof(r->now));
	r->gen = iv->gen;
	if (keeps(iv))
		keep_value(iv, r->now, words);
	else
		add_words(r->now, words, 1);
	return 0;
}

/* The words that have a meaning for the function. */
static void take_words(const struct intervals *iv, const struct dtrace_agg_value *v, uint64_t *to)
{
	unsigned n = 1;

	if (iv->function == DTRACE_STDDEV)
		n = 4;
	else if (iv->function == DTRACE_AVG || keeps(iv))
		n = 2;
	memset(to, 0, WORDS * sizeof(*to));
	memcpy(to, v->words, n * sizeof(*to));
}

int intervals_put(struct intervals *iv, const char *key, size_t len, uint64_t stack,
	const struct dtrace_agg_value *v)
{
	struct interval_key k = {.hash = {rectab_hash(key, len), rectab_hash(&stack, 8)}};
	uint64_t words[WORDS];
	int err = 0;

	for (size_t i = 0; i < len; i++) /* another hash than the first */
		k.hash[1] = (k.hash[1] ^ (unsigned char)key[i]) * 0x100000001b3ull;
	if (agg_public(iv->function)->kind != AGG_DISTRIBUTION) {
		take_words(iv, v, words);
		return put_words(iv, &k, key, len, stack, 0, words);
	}
	for (unsigned i = 0; i < v->nbuckets && !err; i++) {
		const uint64_t bucket[WORDS] = {(uint64_t)v->buckets[i].count};

		k.low = v->buckets[i].low;
		err = put_words(iv, &k, key, len, stack, v->buckets[i].high, bucket);
	}
	return err;
}

/* A value that differs from the last reading's was reached in between. */
static void add_kept(const struct intervals *iv, struct interval_rec *r)
{
	if (!r->now[1] || (r->base[1] && r->base[0] == r->now[0]))
		return;
	if (!r->sum[1])
		r->since = iv->since;
	keep_value(iv, r->sum, r->now);
}

void intervals_add(struct intervals *iv)
{
	for (uint32_t i = 0; i < iv->recs.n; i++) {
		struct interval_rec *r = rec_at(iv, i);

		if (r->gen != iv->gen)
			memset(r->now, 0, sizeof(r->now));
		if (keeps(iv)) {
			add_kept(iv, r);
		} else {
			add_words(r->sum, r->now, 1);
			add_words(r->sum, r->base, -1);
		}
		memcpy(r->base, r->now, sizeof(r->base));
	}
}

void intervals_forget(struct intervals *iv, uint64_t time)
{
	for (uint32_t i = 0; i < iv->recs.n; i++) {
		struct interval_rec *r = rec_at(iv, i);

		if (r->gen != iv->gen)
			memset(r->now, 0, sizeof(r->now));
		memcpy(r->base, r->now, sizeof(r->base));
	}
	iv->since = time;
	iv->forgot = true;
}

/* ---- the interval ---- */

/* Forgets a key that clear() or trunc() emptied: there may be ever new ones. */
static bool keep_rec(void *arg, void *rec)
{
	struct interval_rec *r = rec;

	if (!is_zero(r->base))
		return true;
	free(r->key);
	return false;
}

int intervals_take(
	struct intervals *iv, int (*visit)(void *arg, const struct interval_row *row), void *arg)
{
	int err = 0;

	for (uint32_t i = 0; i < iv->recs.n && !err; i++) {
		struct interval_rec *r = rec_at(iv, i);
		const struct interval_key *k = rectab_key(&iv->recs, i);
		struct interval_row row = {
			.key = r->key,
			.len = r->len,
			.stack = r->stack,
			.low = k->low,
			.high = r->high,
			.since = r->since,
		};

		/* a sum of nothing but zeros is a row once */
		if (keeps(iv) ? !r->sum[1] : is_zero(r->sum) && r->shown)
			continue;
		memcpy(row.words, r->sum, sizeof(row.words));
		err = visit(arg, &row);
		memset(r->sum, 0, sizeof(r->sum));
		r->since = 0;
		r->shown = true;
	}
	if (iv->forgot && !err)
		rectab_filter(&iv->recs, keep_rec, iv);
	iv->forgot = false;
	return err;
}
