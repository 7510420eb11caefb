// SPDX-License-Identifier: Apache-2.0
/* Adds up the updates of keys that had no room in their maps. */
#include "consume/agg_rest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/aggregation.h"
#include "abi/kernel.h"
#include "abi/record.h"
#include "base/heapvec.h"
#include "base/invariant.h"
#include "base/rectab.h"
#include "base/vec.h"
#include "consume/agg_value.h"
#include "consume/ring.h"

/* A record of a table: this, then a value for each slot as the map has it. */
struct entry {
	uint32_t joined; /* the reading that it was joined in */
	uint32_t gone;	 /* forgotten: it has no value until the next update */
};

/* The keys of one aggregation. */
struct rest_of {
	const struct agg_desc *agg;
	struct rectab keys; /* payload struct entry */
	uint32_t reading;
	uint32_t gone; /* entries that are */
};

struct agg_rest {
	struct ring *ring;
	HEAPVEC(struct rest_of *) all; /* by agg_desc.id; NULL: it has no keys, or is unknown */
	uint32_t ncpus, nslots;	       /* 1 unless the CPUs are kept apart */
	uint64_t most, lost;
	char *values; /* room for a visit */
	size_t room;
};

struct agg_rest *agg_rest_new(int fd, uint64_t most, bool percpu, uint32_t ncpus)
{
	struct agg_rest *r = calloc(1, sizeof(*r));
	int err;

	if (!r)
		return NULL;
	r->ncpus = ncpus;
	r->nslots = percpu ? ncpus : 1;
	r->most = most;
	r->ring = ring_new(fd);
	if (r->ring)
		return r;
	err = errno;
	agg_rest_free(r);
	errno = err;
	return NULL;
}

void agg_rest_free(struct agg_rest *r)
{
	if (!r)
		return;
	vec_for (of, &r->all) {
		if (*of)
			rectab_fini(&(*of)->keys);
		free(*of);
	}
	heapvec_free(&r->all);
	ring_free(r->ring);
	free(r->values);
	free(r);
}

int agg_rest_add(struct agg_rest *r, const struct agg_desc *agg)
{
	struct rest_of *of;

	while (r->all.len <= agg->id)
		if (heapvec_push(&r->all, NULL))
			return -ENOMEM;
	if (r->all.data[agg->id])
		return 0;
	of = calloc(1, sizeof(*of));
	if (!of)
		return -ENOMEM;
	of->agg = agg;
	rectab_init(&of->keys, agg->map_key_size,
		(uint32_t)sizeof(struct entry) + r->nslots * agg_slot_size(agg));
	r->all.data[agg->id] = of;
	return 0;
}

int agg_rest_fd(const struct agg_rest *r)
{
	return ring_fd(r->ring);
}

uint64_t agg_rest_lost(const struct agg_rest *r)
{
	return r->lost;
}

static struct rest_of *rest_of(const struct agg_rest *r, uint32_t id)
{
	return id < r->all.len ? r->all.data[id] : NULL;
}

static char *value_of(struct entry *e, const struct agg_desc *agg, uint32_t slot)
{
	return (char *)(e + 1) + (size_t)slot * agg_slot_size(agg);
}

/* TO += FROM; neither is aligned. */
static void add_value(const struct agg_desc *agg, char *to, const char *from)
{
	uint64_t sum[AGG_WORDS_MAX], words[AGG_WORDS_MAX];
	uint32_t size = agg_nwords(agg) * 8;

	memcpy(sum, to, size);
	memcpy(words, from, size);
	agg_merge(agg, sum, words);
	memcpy(to, sum, size);
}

/* ---- updates ---- */

static uint64_t memory(const struct agg_rest *r)
{
	uint64_t sum = 0;

	vec_for (of, &r->all)
		if (*of)
			sum += (*of)->keys.cap * (*of)->keys.stride +
				(*of)->keys.nslots * sizeof(*(*of)->keys.slots);
	return sum;
}

/* A table that is full doubles, and has its old self beside it meanwhile. */
static bool has_room(const struct agg_rest *r, const struct rest_of *of)
{
	return of->keys.n < of->keys.cap ||
		memory(r) + 2 * of->keys.cap * of->keys.stride <= r->most;
}

static void add_up(struct agg_rest *r, struct rest_of *of, uint32_t cpu, char *key)
{
	const char *value = key + of->agg->map_key_size;
	uint64_t none = 0;
	struct entry *e;
	int64_t at;

	if (of->agg->by_cpu)
		memcpy(key + agg_cpu_offset(of->agg), &none, sizeof(none));
	at = rectab_find(&of->keys, key);
	if (at < 0)
		at = has_room(r, of) ? rectab_put(&of->keys, key) : -ENOMEM;
	if (at < 0) {
		r->lost++;
		return;
	}
	e = rectab_rec(&of->keys, (uint32_t)at);
	INVARIANT(of->gone >= e->gone);
	of->gone -= e->gone;
	e->gone = 0;
	add_value(of->agg, value_of(e, of->agg, r->nslots > 1 ? cpu : 0), value);
}

static int on_update(void *arg, const struct dt_rec *rec, size_t size)
{
	struct agg_rest *r = arg;
	struct dt_agg_rest head;
	struct rest_of *of;
	size_t need;
	char *copy;

	memcpy(&head, rec, sizeof(head));
	of = rest_of(r, head.agg);
	need = sizeof(head);
	if (of)
		need += of->agg->map_key_size + of->agg->value_size;
	if (!of || size < need || head.cpu >= r->ncpus)
		return -EBADMSG;
	/* the ring is not ours to write: the CPU's number is taken out of the key */
	if (r->room < size) {
		copy = realloc(r->values, size);
		if (!copy)
			return -ENOMEM;
		r->values = copy;
		r->room = size;
	}
	memcpy(r->values, rec, size);
	add_up(r, of, head.cpu, r->values + sizeof(head));
	return 0;
}

int agg_rest_follow(struct agg_rest *r)
{
	long n = ring_consume(r->ring, on_update, r, 0);

	return n < 0 ? (int)n : 0;
}

/* ---- reading ---- */

void agg_rest_begin(struct agg_rest *r, const struct agg_desc *agg)
{
	struct rest_of *of = rest_of(r, agg->id);

	if (of)
		of->reading++;
}

static void add_slots(const struct agg_rest *r, const struct rest_of *of, struct entry *e, char *to)
{
	for (uint32_t i = 0; i < r->nslots; i++)
		add_value(
			of->agg, to + (size_t)i * agg_slot_size(of->agg), value_of(e, of->agg, i));
}

void agg_rest_join(struct agg_rest *r, const struct agg_desc *agg, const void *key, void *values)
{
	struct rest_of *of = rest_of(r, agg->id);
	struct entry *e;
	int64_t at;

	if (!of || !of->keys.n)
		return;
	at = rectab_find(&of->keys, key);
	if (at < 0)
		return;
	e = rectab_rec(&of->keys, (uint32_t)at);
	e->joined = of->reading;
	if (!e->gone)
		add_slots(r, of, e, values);
}

/* Visits entry I of OF, with VALUES as room for each CPU's. */
static int visit_entry(const struct agg_rest *r, const struct rest_of *of, uint32_t i, char *values,
	agg_visit_fn visit, void *varg)
{
	struct entry *e = rectab_rec(&of->keys, i);

	if (e->gone || e->joined == of->reading)
		return 0;
	memset(values, 0, (size_t)agg_slot_size(of->agg) * r->ncpus);
	add_slots(r, of, e, values);
	return visit(varg, rectab_key(&of->keys, i), values, r->ncpus);
}

int agg_rest_others(struct agg_rest *r, const struct agg_desc *agg, agg_visit_fn visit, void *varg)
{
	struct rest_of *of = rest_of(r, agg->id);
	int err = 0;
	char *values;

	if (!of || !of->keys.n)
		return 0;
	values = malloc((size_t)agg_slot_size(agg) * r->ncpus);
	if (!values)
		return -ENOMEM;
	for (uint32_t i = 0; i < of->keys.n && !err; i++)
		err = visit_entry(r, of, i, values, visit, varg);
	free(values);
	return err;
}

/* ---- forgetting ---- */

void agg_rest_forget(struct agg_rest *r, const struct agg_desc *agg)
{
	struct rest_of *of = rest_of(r, agg->id);
	uint32_t key_len, payload;

	if (!of || !of->keys.n)
		return;
	key_len = of->keys.key_len;
	payload = of->keys.payload;
	rectab_fini(&of->keys);
	rectab_init(&of->keys, key_len, payload);
	of->gone = 0;
}

static bool is_here(void *arg, void *rec)
{
	const struct entry *e = rec;

	(void)arg;
	return !e->gone;
}

int agg_rest_take_key(struct agg_rest *r, const struct agg_desc *agg, const void *key,
	agg_visit_fn visit, void *varg)
{
	struct rest_of *of = rest_of(r, agg->id);
	int64_t at = of && of->keys.n ? rectab_find(&of->keys, key) : -ENOENT;
	struct entry *e;
	char *values;
	int err;

	if (at < 0)
		return 0;
	values = malloc((size_t)agg_slot_size(agg) * r->ncpus);
	if (!values)
		return -ENOMEM;
	err = visit_entry(r, of, (uint32_t)at, values, visit, varg);
	free(values);
	e = rectab_rec(&of->keys, (uint32_t)at);
	of->gone += !e->gone;
	e->gone = 1;
	memset(e + 1, 0, (size_t)r->nslots * agg_slot_size(agg));
	if (of->gone > of->keys.n / 2) {
		rectab_filter(&of->keys, is_here, NULL);
		of->gone = 0;
	}
	return err;
}
