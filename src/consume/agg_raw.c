// SPDX-License-Identifier: Apache-2.0
#include "consume/agg_private.h"

#include <errno.h>
#include <string.h>

void agg_reset_slot(const struct agg_desc *agg, void *slot)
{
	uint64_t *words = slot;

	memset(slot, 0, agg_slot_size(agg));
	/*
	 * A program on another CPU may be between reading the count and storing it plus one; it
	 * must not make a result of a 0 that nobody gave.
	 */
	if (agg_keeps(agg))
		words[KEPT_VALUE] = (uint64_t)agg_desc_info(agg)->empty;
}

/* ---- a record's parts ---- */

static size_t half_size(const struct agg_state *s)
{
	return sizeof(uint64_t) * s->nslots * s->nwords;
}

static uint64_t *now_of(const struct agg_state *s, struct raw *r, uint32_t slot)
{
	return r->words + slot * s->nwords;
}

static uint64_t *gone_of(const struct agg_state *s, struct raw *r, uint32_t slot)
{
	return r->words + (s->nslots + slot) * s->nwords;
}

void raw_value(const struct agg_state *s, const struct raw *r, uint32_t slot, uint64_t *out)
{
	memcpy(out, r->words + slot * s->nwords, s->nwords * sizeof(*out));
	if (!agg_keeps(s->desc))
		agg_subtract(s->desc, out, r->words + (s->nslots + slot) * s->nwords);
}

static bool all_zero(const uint64_t *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (words[i])
			return false;
	return true;
}

/* Is there something to show that trunc() did not remove? */
static bool has_news(const struct agg_state *s, struct raw *r)
{
	for (uint32_t i = 0; i < s->nslots; i++) {
		const uint64_t *now = now_of(s, r, i);

		if (agg_keeps(s->desc) ? now[KEPT_COUNT] != 0
				       : memcmp(now, gone_of(s, r, i), s->nwords * 8) != 0)
			return true;
	}
	return false;
}

/* Set up S's table when the number of CPUs is known. */
static int prepare(struct agg_state *s, uint32_t ncpus)
{
	uint32_t nslots = s->percpu ? ncpus : 1;

	if (s->raw.stride)
		return nslots == s->nslots ? 0 : -EINVAL;
	s->nslots = nslots;
	tab_init(&s->raw, s->desc->key_size, (uint32_t)(sizeof(struct raw) + 2 * half_size(s)));
	return 0;
}

/* Find KEY's record, or make one; *R is NULL for an array's element that nobody has touched. */
static int record(
	struct agg_state *s, const void *key, const void *percpu, uint32_t ncpus, struct raw **r)
{
	int64_t at;
	int err = prepare(s, ncpus);

	*r = NULL;
	if (err)
		return err;
	if (s->desc->nkeys) {
		at = tab_put(&s->raw, key);
	} else {
		at = tab_find(&s->raw, key);
		if (at == -ENOENT) {
			bool used = false;

			for (uint32_t i = 0; i < ncpus && !used; i++) {
				const char *slot = percpu;
				uint64_t words[AGG_WORDS_MAX];

				slot += (size_t)i * agg_slot_size(s->desc);
				memcpy(words, slot, s->nwords * 8);
				/* agg_reset_slot() leaves a value with a count of 0 */
				used = !all_zero(words, agg_keeps(s->desc) ? 1 : s->nwords);
			}
			if (!used)
				return 0;
			at = tab_put(&s->raw, key);
		}
	}
	if (at < 0)
		return (int)at;
	*r = tab_rec(&s->raw, (uint32_t)at);
	return 0;
}

/* ---- snapshot ---- */

static int visit_snapshot(void *arg, const void *key, const void *percpu, uint32_t ncpus)
{
	struct agg_state *s = arg;
	const char *value = percpu;
	struct raw *r;
	int err = record(s, key, percpu, ncpus, &r);

	if (err || !r)
		return err;
	/* not added to: iterating a hash that grows may meet a key twice */
	memset(r->words, 0, half_size(s));
	for (uint32_t i = 0; i < ncpus; i++, value += agg_slot_size(s->desc)) {
		uint64_t words[AGG_WORDS_MAX];

		memcpy(words, value, s->nwords * 8);
		agg_merge(s->desc, now_of(s, r, s->percpu ? i : 0), words);
	}
	r->gen = s->gen;
	if (s->desc->nkeys)
		r->removed = false;
	return 0;
}

int raw_snapshot(struct agg_state *s, const struct agg_store *store)
{
	int err;

	if (s->desc->value_size < s->nwords * 8)
		return -EINVAL;
	s->gen++;
	err = store->each(store->arg, s->desc, visit_snapshot, s);
	for (uint32_t i = 0; i < s->raw.n; i++) {
		struct raw *r = tab_rec(&s->raw, i);

		if (r->gen != s->gen)
			memset(r->words, 0, half_size(s));
		if (agg_keeps(s->desc))
			for (uint32_t k = 0; k < s->nslots; k++)
				agg_merge(s->desc, now_of(s, r, k), gone_of(s, r, k));
		if (r->removed && has_news(s, r))
			r->removed = false;
	}
	return err;
}

/* ---- emptying ---- */

/*
 * From here on R shows nothing, and KERNEL, found there while it was deleted, has never been
 * shown as far as it differs from what R showed.
 */
static void settle(const struct agg_state *s, struct raw *r, uint32_t slot, const uint64_t *kernel)
{
	const struct agg_desc *d = s->desc;
	uint64_t *now = now_of(s, r, slot), *gone = gone_of(s, r, slot);

	if (!agg_keeps(d)) {
		agg_subtract(d, gone, kernel);
		memcpy(now, gone, s->nwords * 8);
		return;
	}
	if (now[KEPT_COUNT]) {
		bool fresh = agg_merge(d, now, kernel);

		memset(gone, 0, s->nwords * 8);
		if (fresh)
			memcpy(gone, kernel, s->nwords * 8);
		memset(now, 0, s->nwords * 8);
		return;
	}
	agg_merge(d, gone, kernel);
}

/* What R shows is taken away. */
static void forget(const struct agg_state *s, struct raw *r)
{
	for (uint32_t i = 0; i < s->nslots; i++) {
		uint64_t none[AGG_WORDS_MAX] = {0};

		if (agg_keeps(s->desc))
			settle(s, r, i, none);
		else
			memcpy(gone_of(s, r, i), now_of(s, r, i), s->nwords * 8);
	}
}

static int visit_take(void *arg, const void *key, const void *percpu, uint32_t ncpus)
{
	struct agg_state *s = arg;
	const char *value = percpu;
	uint64_t sum[AGG_WORDS_MAX] = {0};
	struct raw *r;
	int err = record(s, key, percpu, ncpus, &r);

	if (err || !r)
		return err;
	if (r->touched != s->gen) {
		/* one that the snapshot did not see (gen 0 is no snapshot) shows nothing yet */
		if (!r->gen)
			r->removed = true;
		r->touched = s->gen;
		if (!agg_keeps(s->desc))
			forget(s, r);
	}
	for (uint32_t i = 0; i < ncpus; i++, value += agg_slot_size(s->desc)) {
		uint64_t words[AGG_WORDS_MAX];

		memcpy(words, value, s->nwords * 8);
		if (s->percpu)
			settle(s, r, i, words);
		else
			agg_merge(s->desc, sum, words);
	}
	if (!s->percpu)
		settle(s, r, 0, sum);
	return 0;
}

int raw_clear(struct agg_state *s, const struct agg_store *store)
{
	int err = 0;

	s->gen++;
	if (agg_keeps(s->desc))
		err = store->take(store->arg, s->desc, visit_take, s);
	for (uint32_t i = 0; i < s->raw.n; i++) {
		struct raw *r = tab_rec(&s->raw, i);

		if (r->touched != s->gen)
			forget(s, r);
	}
	return err;
}

/* A removed record is needed only for what it still has to give. */
static bool keep_record(void *arg, void *rec)
{
	const struct agg_state *s = arg;
	struct raw *r = rec;

	return !r->removed || !all_zero(gone_of(s, r, 0), (size_t)s->nslots * s->nwords);
}

static int take_some(struct agg_state *s, const struct agg_store *store, const bool *remove)
{
	int err = 0;

	/* taking a key that has a record makes no other: none moves */
	for (uint32_t i = 0; i < s->raw.n && !err; i++) {
		const struct raw *r = tab_rec(&s->raw, i);

		if (!r->removed && remove[r->row])
			err = store->take_key(
				store->arg, s->desc, tab_key(&s->raw, i), visit_take, s);
	}
	return err;
}

int raw_trunc(struct agg_state *s, const struct agg_store *store, const bool *remove)
{
	int err = 0;

	s->gen++;
	/* an array's elements cannot be deleted: those that add up are subtracted, as by clear() */
	if (s->desc->nkeys || agg_keeps(s->desc))
		err = remove ? take_some(s, store, remove)
			     : store->take(store->arg, s->desc, visit_take, s);
	if (err)
		return err;
	for (uint32_t i = 0; i < s->raw.n; i++) {
		struct raw *r = tab_rec(&s->raw, i);

		if (remove && (r->removed || !remove[r->row]))
			continue;
		if (r->touched != s->gen) {
			/* a key that the kernel no longer has restarts from nothing */
			if (s->desc->nkeys && !r->removed)
				memset(r->words, 0, 2 * half_size(s));
			else
				forget(s, r);
		}
		r->removed = true;
	}
	if (s->raw.n)
		tab_filter(&s->raw, keep_record, s);
	return 0;
}
