// SPDX-License-Identifier: Apache-2.0
/* Snapshots of an aggregation's map, and what clear() and trunc() take away from them. */
#include "consume/agg_snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/aggregation.h"
#include "abi/record.h"
#include "consume/agg_value.h"
#include "consume/stacks.h"
#include "sym/sym.h"

void snapshot_init(struct agg_snapshot *s, const struct agg_desc *desc,
	const struct agg_store *store, struct symtab *syms, struct stacks *stacks)
{
	bool user = false, kept = false;

	for (uint32_t i = 0; i < desc->nkeys; i++) {
		user |= datum_is_user(&desc->keys[i]);
		kept |= datum_is_kept_stack(&desc->keys[i]);
	}
	*s = (struct agg_snapshot){.desc = desc,
		.store = store,
		.syms = user ? syms : NULL,
		.stacks = kept ? stacks : NULL,
		.nwords = agg_nwords(desc)};
}

void snapshot_free(struct agg_snapshot *s)
{
	rectab_fini(&s->records);
}

/* ---- a record's parts ---- */

static size_t half_size(const struct agg_snapshot *s)
{
	return sizeof(uint64_t) * s->nslots * s->nwords;
}

static uint64_t *now_of(const struct agg_snapshot *s, struct agg_record *r, uint32_t slot)
{
	return r->words + slot * s->nwords;
}

static uint64_t *gone_of(const struct agg_snapshot *s, struct agg_record *r, uint32_t slot)
{
	return r->words + (s->nslots + slot) * s->nwords;
}

void snapshot_value(
	const struct agg_snapshot *s, const struct agg_record *r, uint32_t slot, uint64_t *out)
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

/* True if there is something to show that trunc() did not remove. */
static bool has_news(const struct agg_snapshot *s, struct agg_record *r)
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
static int prepare(struct agg_snapshot *s, uint32_t ncpus)
{
	uint32_t nslots = s->percpu ? ncpus : 1;

	if (s->records.stride)
		return nslots == s->nslots ? 0 : -EINVAL;
	s->nslots = nslots;
	rectab_init(&s->records, s->desc->key_size,
		(uint32_t)(sizeof(struct agg_record) + 2 * half_size(s)));
	return 0;
}

/* Returns the number of KEY's record, made if it is missing, or -ENOMEM. */
static int64_t put_key(struct agg_snapshot *s, const void *key)
{
	int64_t at = s->next;

	if (s->next >= s->records.n ||
		memcmp(rectab_key(&s->records, s->next), key, s->records.key_len) != 0)
		at = rectab_put(&s->records, key);
	if (at >= 0)
		s->next = (uint32_t)at + 1;
	return at;
}

/* Find KEY's record, or make one; *R is NULL for an array's element that nobody has touched. */
static int find_record(struct agg_snapshot *s, const void *key, const void *percpu, uint32_t ncpus,
	struct agg_record **r)
{
	int64_t at;
	int err = prepare(s, ncpus);

	*r = NULL;
	if (err)
		return err;
	if (s->desc->nkeys) {
		at = put_key(s, key);
	} else {
		at = rectab_find(&s->records, key);
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
			at = rectab_put(&s->records, key);
		}
	}
	if (at < 0)
		return (int)at;
	*r = rectab_rec(&s->records, (uint32_t)at);
	return 0;
}

/* ---- snapshot ---- */

/* Processes are learned of while they live. */
static void note_processes(const struct agg_snapshot *s, const void *key)
{
	for (uint32_t i = 0; i < s->desc->nkeys; i++) {
		uint64_t tgid;

		if (!datum_is_user(&s->desc->keys[i]))
			continue;
		memcpy(&tgid, (const char *)key + s->desc->keys[i].offset, sizeof(tgid));
		sym_user_remember(s->syms, (pid_t)tgid);
	}
}

static void each_stack(const struct agg_snapshot *s, const void *key,
	void (*visit)(void *arg, uint64_t id), void *arg)
{
	for (uint32_t i = 0; i < s->desc->nkeys; i++) {
		uint64_t id;

		if (!datum_is_kept_stack(&s->desc->keys[i]))
			continue;
		memcpy(&id, (const char *)key + s->desc->keys[i].offset, sizeof(id));
		visit(arg, id);
	}
}

/* Stacks are held before they can be evicted. */
static void hold_stack(void *arg, uint64_t id)
{
	if (id && !stacks_hold(arg, id))
		stacks_miss(arg, id);
}

void snapshot_each_stack(
	const struct agg_snapshot *s, void (*visit)(void *arg, uint64_t id), void *arg)
{
	for (uint32_t i = 0; s->stacks && i < s->records.n; i++)
		if (!snapshot_record(s, i)->removed)
			each_stack(s, rectab_key(&s->records, i), visit, arg);
}

static int visit_snapshot(void *arg, const void *key, const void *percpu, uint32_t ncpus)
{
	struct agg_snapshot *s = arg;
	const char *value = percpu;
	struct agg_record *r;
	int err;

	if (s->syms)
		note_processes(s, key);
	err = find_record(s, key, percpu, ncpus, &r);
	if (err || !r)
		return err;
	if (s->stacks && (!r->gen || r->removed))
		each_stack(s, key, hold_stack, s->stacks);
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

/* A new snapshot begins. */
static int begin_snapshot(struct agg_snapshot *s)
{
	if (s->desc->value_size < s->nwords * 8)
		return -EINVAL;
	s->gen++;
	s->next = 0;
	return 0;
}

/* All elements were visited. */
static void end_snapshot(struct agg_snapshot *s)
{
	for (uint32_t i = 0; i < s->records.n; i++) {
		struct agg_record *r = snapshot_record(s, i);

		if (r->gen != s->gen)
			memset(r->words, 0, half_size(s));
		if (agg_keeps(s->desc))
			for (uint32_t k = 0; k < s->nslots; k++)
				agg_merge(s->desc, now_of(s, r, k), gone_of(s, r, k));
		if (r->removed && has_news(s, r))
			r->removed = false;
	}
}

int snapshot_read(struct agg_snapshot *s)
{
	int err = begin_snapshot(s);

	if (err)
		return err;
	err = s->store->each(s->store->arg, s->desc, visit_snapshot, s);
	end_snapshot(s);
	return err;
}

int snapshot_read_shared(struct agg_snapshot *const *list, uint32_t n)
{
	struct agg_part *parts = calloc(n, sizeof(*parts));
	int err = parts ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < n && !err; i++) {
		err = begin_snapshot(list[i]);
		parts[i] = (struct agg_part){list[i]->desc, list[i]};
	}
	if (!err) {
		err = list[0]->store->each_shared(list[0]->store->arg, parts, n, visit_snapshot);
		for (uint32_t i = 0; i < n; i++)
			end_snapshot(list[i]);
	}
	free(parts);
	return err;
}

/* ---- emptying ---- */

/*
 * From here on R shows nothing, and KERNEL, found there while it was deleted, has never been
 * shown as far as it differs from what R showed.
 */
static void settle(
	const struct agg_snapshot *s, struct agg_record *r, uint32_t slot, const uint64_t *kernel)
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

/* Takes away what R shows. */
static void forget(const struct agg_snapshot *s, struct agg_record *r)
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
	struct agg_snapshot *s = arg;
	const char *value = percpu;
	uint64_t sum[AGG_WORDS_MAX] = {0};
	struct agg_record *r;
	int err = find_record(s, key, percpu, ncpus, &r);

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

/* Take the keys whose row REMOVE[] names; NULL: all. */
static int take_some(struct agg_snapshot *s, const bool *remove)
{
	int err = 0;

	/* taking a key that has a record makes no other: none moves */
	for (uint32_t i = 0; i < s->records.n && !err; i++) {
		const struct agg_record *r = snapshot_record(s, i);

		if (!r->removed && (!remove || remove[r->row]))
			err = s->store->take_key(
				s->store->arg, s->desc, rectab_key(&s->records, i), visit_take, s);
	}
	return err;
}

/* Others' keys stay in a shared map, and so do those that no snapshot has seen: it will. */
static int take_all(struct agg_snapshot *s)
{
	if (s->desc->shared && s->desc->nkeys)
		return take_some(s, NULL);
	return s->store->take(s->store->arg, s->desc, visit_take, s);
}

int snapshot_clear(struct agg_snapshot *s)
{
	int err = 0;

	s->gen++;
	if (agg_keeps(s->desc))
		err = take_all(s);
	for (uint32_t i = 0; i < s->records.n; i++) {
		struct agg_record *r = snapshot_record(s, i);

		if (r->touched != s->gen)
			forget(s, r);
	}
	return err;
}

/* A removed record is needed only for what it still has to give. */
static bool keep_record(void *arg, void *rec)
{
	const struct agg_snapshot *s = arg;
	struct agg_record *r = rec;

	return !r->removed || !all_zero(gone_of(s, r, 0), (size_t)s->nslots * s->nwords);
}

int snapshot_trunc(struct agg_snapshot *s, const bool *remove)
{
	int err = 0;

	s->gen++;
	/* an array's elements cannot be deleted: those that add up are subtracted, as by clear() */
	if (s->desc->nkeys || agg_keeps(s->desc))
		err = remove ? take_some(s, remove) : take_all(s);
	if (err)
		return err;
	for (uint32_t i = 0; i < s->records.n; i++) {
		struct agg_record *r = snapshot_record(s, i);

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
	if (s->records.n)
		rectab_filter(&s->records, keep_record, s);
	return 0;
}
