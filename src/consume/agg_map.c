// SPDX-License-Identifier: Apache-2.0
/*
 * Reads and empties the maps of aggregations with bpf(2): per-CPU hashes and per-CPU arrays, read
 * in batches where the kernel can (hashes since Linux 5.6, arrays since 5.13), else element by
 * element.
 *
 * A map that several aggregations share is read once for all of them.  Of a large map with few keys
 * those are read, one by one, as long as no program makes another (agg_known.h).
 *
 * lookup_and_delete of a per-CPU hash holds the bucket's lock while it copies and unlinks
 * (kernel/bpf/hashtab.c), so that an update is either in what is read or makes the key anew,
 * unless its program has looked the element up already.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "abi/record.h"
#include "base/rectab.h"
#include "consume/agg_known.h"
#include "consume/agg_map.h"
#include "consume/agg_rest.h"
#include "consume/agg_value.h"
#include "load/load.h"

/* the kernel's own number, which reaches user space but is in no header for it */
#define ENOTSUPP 524

#define BATCH_BYTES (1u << 20)
#define BATCH_LEAST 64
#define BATCH_MOST  65536

/* Reading one map. */
struct reader {
	const struct agg_desc *agg; /* the first one: the map's sizes are the same for all */
	const struct agg_part *parts;
	uint32_t nparts;
	int fd;
	uint32_t ncpus;
	size_t slots; /* bytes of a value with all its CPUs */
	bool take;
	agg_visit_fn visit;
	struct agg_rest *rest;	 /* of the keys that have no room in the map; NULL */
	struct rectab cpus;	 /* by_cpu: the values of all CPUs, by key with 0 for the CPU */
	struct agg_known *known; /* gets the keys that are read; NULL */
	char *keys, *values;	 /* room for `room` elements */
	uint32_t room;
};

static int reader_open(struct reader *r, const struct agg_maps *maps, const struct agg_part *parts,
	uint32_t nparts, agg_visit_fn visit)
{
	const struct agg_desc *agg = parts->agg;
	int ncpus = libbpf_num_possible_cpus();

	memset(r, 0, sizeof(*r));
	r->fd = maps->fds[agg->id];
	if (ncpus < 0)
		return ncpus;
	r->agg = agg;
	r->parts = parts;
	r->nparts = nparts;
	r->visit = visit;
	r->rest = agg->nkeys ? maps->rest : NULL;
	r->ncpus = (uint32_t)ncpus;
	r->slots = (size_t)agg_slot_size(agg) * (agg->by_cpu ? 1 : r->ncpus);
	if (agg->by_cpu)
		rectab_init(&r->cpus, agg->map_key_size, agg_slot_size(agg) * r->ncpus);
	return 0;
}

static int reader_room(struct reader *r, uint32_t room)
{
	char *keys = realloc(r->keys, (size_t)room * r->agg->map_key_size);
	char *values = realloc(r->values, room * r->slots);

	r->keys = keys ? keys : r->keys;
	r->values = values ? values : r->values;
	if (!keys || !values)
		return -ENOMEM;
	r->room = room;
	return 0;
}

static void reader_close(struct reader *r)
{
	free(r->keys);
	free(r->values);
	rectab_fini(&r->cpus);
}

/* The number in a key of a shared map by which its aggregation is found. */
static uint64_t number_in(const struct agg_desc *d, const char *key)
{
	uint64_t id;
	uint32_t index;

	if (d->nkeys) {
		memcpy(&id, key + agg_id_offset(d), sizeof(id));
		return id;
	}
	memcpy(&index, key, sizeof(index));
	return index;
}

static uint64_t number_of(const struct agg_desc *d)
{
	return d->nkeys ? d->id : d->base;
}

/* Returns the part that has map key KEY; NULL: it is another's. */
static const struct agg_part *find_part(const struct reader *r, const char *key)
{
	uint64_t number;
	uint32_t low = 0, high = r->nparts;
	const struct agg_desc *d;

	if (!r->agg->shared)
		return r->parts;
	number = number_in(r->agg, key);
	while (low < high) { /* ends after the last one whose number is not larger */
		uint32_t mid = low + (high - low) / 2;

		if (number_of(r->parts[mid].agg) <= number)
			low = mid + 1;
		else
			high = mid;
	}
	d = low ? r->parts[low - 1].agg : NULL;
	if (!d || number - number_of(d) >= (d->nkeys ? 1 : agg_unkeyed_entries(d)))
		return NULL;
	return &r->parts[low - 1];
}

/* The values of all CPUs, of map key KEY; VALUES may be changed. */
static int deliver(const struct reader *r, const char *key, char *values)
{
	const struct agg_part *part = find_part(r, key);
	uint32_t index;

	if (!part)
		return 0;
	if (r->rest)
		agg_rest_join(r->rest, part->agg, key, values);
	if (part->agg->nkeys)
		return r->visit(part->varg, key, values, r->ncpus);
	memcpy(&index, key, sizeof(index));
	index -= part->agg->base;
	return r->visit(part->varg, &index, values, r->ncpus);
}

/* An element; where the CPU in its key says whose value it is, visit_gathered() follows. */
static int visit_one(struct reader *r, char *key, char *value)
{
	size_t slot = agg_slot_size(r->agg);
	uint64_t cpu;
	int64_t at;

	at = r->known ? agg_known_add(r->known, key) : 0;
	if (at < 0)
		return (int)at;
	if (!r->agg->by_cpu)
		return deliver(r, key, value);
	memcpy(&cpu, key + agg_cpu_offset(r->agg), sizeof(cpu));
	if (cpu >= r->ncpus)
		return -EBADMSG;
	memset(key + agg_cpu_offset(r->agg), 0, sizeof(cpu));
	at = rectab_put(&r->cpus, key);
	if (at < 0)
		return (int)at;
	memcpy((char *)rectab_rec(&r->cpus, (uint32_t)at) + cpu * slot, value, slot);
	return 0;
}

static int visit_gathered(struct reader *r)
{
	int err = 0;

	for (uint32_t i = 0; i < r->cpus.n && !err; i++)
		err = deliver(r, rectab_key(&r->cpus, i), rectab_rec(&r->cpus, i));
	return err;
}

static int visit_all(struct reader *r, uint32_t n)
{
	int err = 0;

	for (uint32_t i = 0; i < n && !err; i++)
		err = visit_one(
			r, r->keys + (size_t)i * r->agg->map_key_size, r->values + i * r->slots);
	return err;
}

/* ---- batches ---- */

/*
 * The whole map.  -EOPNOTSUPP, with nothing visited, where the kernel has no batches for it.
 * The cursor of a hash is a bucket number, of an array a key; both fit key_size or 4 bytes.
 */
static int read_batches(struct reader *r)
{
	LIBBPF_OPTS(bpf_map_batch_opts, opts);
	size_t per = r->agg->map_key_size + r->slots;
	uint32_t room = (uint32_t)(BATCH_BYTES / per);
	uint64_t in = 0, next = 0;
	bool first = true;
	int err;

	room = room < BATCH_LEAST ? BATCH_LEAST : room > BATCH_MOST ? BATCH_MOST : room;
	err = reader_room(r, room);
	while (!err) {
		uint32_t n = r->room;
		int res = r->take ? bpf_map_lookup_and_delete_batch(r->fd, first ? NULL : &in,
					    &next, r->keys, r->values, &n, &opts)
				  : bpf_map_lookup_batch(r->fd, first ? NULL : &in, &next, r->keys,
					    r->values, &n, &opts);

		if (res == -ENOSPC) {
			/* a bucket with more elements than there is room for; nothing was lost */
			err = reader_room(r, r->room * 2);
			continue;
		}
		if (res && res != -ENOENT) {
			/* EINVAL: kernels that know the command but not for this type of map */
			bool lacks =
				first && (res == -EINVAL || res == -ENOTSUPP || res == -EOPNOTSUPP);

			return lacks ? -EOPNOTSUPP : res;
		}
		first = false;
		err = visit_all(r, n);
		if (res == -ENOENT)
			break;
		in = next;
	}
	return err;
}

/* ---- element by element ---- */

/* Visits KEY, which is copied to r->keys, unless it is not there. */
static int read_one(struct reader *r, const void *key)
{
	int err;

	memmove(r->keys, key, r->agg->map_key_size);
	err = bpf_map_lookup_elem(r->fd, r->keys, r->values);
	if (!err)
		return visit_one(r, r->keys, r->values);
	return err == -ENOENT ? 0 : err;
}

static int read_known(struct reader *r, const struct agg_known *known)
{
	int err = reader_room(r, 1);

	for (uint32_t i = 0; i < known->keys.n && !err; i++)
		err = read_one(r, rectab_key(&known->keys, i));
	return err;
}

/* KEY has room for the map's key and may be changed. */
static int take_one(struct reader *r, char *key)
{
	int res = bpf_map_lookup_and_delete_elem(r->fd, key, r->values);

	if (!res)
		return visit_one(r, key, r->values);
	if (res == -ENOENT)
		return 0;
	return res;
}

/* KEY of the aggregation, in the form that the map has it, of CPU. */
static void map_key(const struct agg_desc *d, const void *key, uint64_t cpu, char *out)
{
	uint64_t id = d->id;

	memset(out, 0, d->map_key_size);
	memcpy(out, key, d->key_size);
	if (d->by_cpu)
		memcpy(out + agg_cpu_offset(d), &cpu, sizeof(cpu));
	if (d->shared)
		memcpy(out + agg_id_offset(d), &id, sizeof(id));
}

/* KEY, of each CPU if they have their own. */
static int take_cpus(struct reader *r, const void *key)
{
	uint32_t n = r->agg->by_cpu ? r->ncpus : 1;
	int err = 0;

	for (uint32_t cpu = 0; cpu < n && !err; cpu++) {
		map_key(r->agg, key, cpu, r->keys);
		err = take_one(r, r->keys);
	}
	return err;
}

/* Collects the keys first: deleting while iterating starts the iteration anew. */
static int read_hash_singly(struct reader *r)
{
	uint32_t n = 0;
	int err = reader_room(r, BATCH_LEAST);

	for (const void *prev = NULL; !err;) {
		char *key;

		if (n + 1 >= r->room)
			err = reader_room(r, r->room * 2);
		if (err)
			break;
		prev = n ? r->keys + (size_t)(n - 1) * r->agg->map_key_size : NULL;
		key = r->keys + (size_t)n * r->agg->map_key_size;
		err = bpf_map_get_next_key(r->fd, prev, key);
		n += !err;
	}
	if (err != -ENOENT)
		return err;
	err = 0;
	for (uint32_t i = 0; i < n && !err; i++) {
		char *key = r->keys + (size_t)i * r->agg->map_key_size;

		err = r->take ? take_one(r, key) : read_one(r, key);
	}
	return err;
}

static int reset_index(struct reader *r, uint32_t index)
{
	char *value = r->values;

	for (uint32_t i = 0; i < r->ncpus; i++, value += agg_slot_size(r->agg))
		agg_reset_slot(r->agg, value);
	return bpf_map_update_elem(r->fd, &index, r->values, BPF_ANY);
}

/* Element INDEX of an array. */
static int read_index(struct reader *r, uint32_t index)
{
	int err = bpf_map_lookup_elem(r->fd, &index, r->values);

	if (!err)
		err = deliver(r, (const char *)&index, r->values);
	if (!err && r->take)
		err = reset_index(r, index);
	return err;
}

static int read_array_singly(struct reader *r)
{
	int err = reader_room(r, 1);

	for (uint32_t p = 0; p < r->nparts; p++) {
		const struct agg_desc *d = r->parts[p].agg;

		for (uint32_t i = 0; i < agg_unkeyed_entries(d) && !err; i++)
			err = read_index(r, d->base + i);
	}
	return err;
}

/* ---- keys without room in the map ---- */

static int begin_rest(struct reader *r)
{
	for (uint32_t i = 0; r->rest && i < r->nparts; i++)
		agg_rest_begin(r->rest, r->parts[i].agg);
	return r->rest ? agg_rest_follow(r->rest) : 0;
}

static int visit_rest(struct reader *r)
{
	int err = 0;

	for (uint32_t i = 0; r->rest && i < r->nparts && !err; i++) {
		err = agg_rest_others(r->rest, r->parts[i].agg, r->visit, r->parts[i].varg);
		if (!err && r->take)
			agg_rest_forget(r->rest, r->parts[i].agg);
	}
	return err;
}

/* KEY, as the aggregation has it, after it was taken from the map. */
static int take_rest(struct reader *r, const void *key)
{
	map_key(r->agg, key, 0, r->keys);
	return agg_rest_take_key(r->rest, r->agg, r->keys, r->visit, r->parts->varg);
}

/* ---- the interface ---- */

static int read_whole(struct reader *r)
{
	int err = -EOPNOTSUPP;

	/* an array has no keys to delete; a single element needs no batch */
	if (r->agg->nkeys || ((r->agg->nbuckets || r->nparts > 1) && !r->take))
		err = read_batches(r);
	if (err == -EOPNOTSUPP)
		err = r->agg->nkeys ? read_hash_singly(r) : read_array_singly(r);
	return err;
}

/* Reads a hash, and the whole of it only if there may be new keys or it has many. */
static int read_hash(struct agg_maps *maps, struct reader *r)
{
	struct agg_known *known = agg_known_of(&maps->known, r->fd, r->agg->map_key_size);
	/* before the map is read: a key that is made meanwhile may be missed, but is counted */
	uint64_t made = __atomic_load_n(maps->new_keys, __ATOMIC_ACQUIRE);
	int err;

	if (!known)
		return read_whole(r);
	if (known->complete && known->made == made)
		return read_known(r, known);
	agg_known_begin(known, made);
	r->known = known;
	err = read_whole(r);
	if (!err)
		agg_known_end(known);
	return err;
}

static int read_map(struct agg_maps *maps, const struct agg_part *parts, uint32_t n, bool take,
	agg_visit_fn visit)
{
	const struct agg_desc *agg = parts->agg;
	struct reader r;
	int err;

	if (take && agg->shared && agg->nkeys)
		return -EINVAL;
	err = reader_open(&r, maps, parts, n, visit);
	if (err)
		return err;
	r.take = take;
	if (take)
		agg_known_forget(&maps->known, r.fd);
	err = begin_rest(&r);
	if (err)
		;
	else if (agg->nkeys && !take && maps->new_keys)
		err = read_hash(maps, &r);
	else
		err = read_whole(&r);
	if (!err)
		err = visit_gathered(&r);
	if (!err)
		err = visit_rest(&r);
	reader_close(&r);
	return err;
}

static uint64_t missed(const struct agg_maps *maps)
{
	return maps->load && load_traces_functions(maps->load) ? load_missed(maps->load) : 0;
}

static int read_counting(struct agg_maps *maps, const struct agg_part *parts, uint32_t n, bool take,
	agg_visit_fn visit)
{
	uint64_t before;
	int err;

	if (maps->fds[parts->agg->id] < 0)
		return 0;
	before = missed(maps);
	err = read_map(maps, parts, n, take, visit);
	maps->missed += missed(maps) - before;
	return err;
}

static int maps_each(void *arg, const struct agg_desc *agg, agg_visit_fn visit, void *varg)
{
	const struct agg_part part = {agg, varg};

	return read_counting(arg, &part, 1, false, visit);
}

static int maps_each_shared(void *arg, const struct agg_part *parts, uint32_t n, agg_visit_fn visit)
{
	return read_counting(arg, parts, n, false, visit);
}

static int maps_take(void *arg, const struct agg_desc *agg, agg_visit_fn visit, void *varg)
{
	const struct agg_part part = {agg, varg};

	return read_counting(arg, &part, 1, true, visit);
}

static int maps_take_key(
	void *arg, const struct agg_desc *agg, const void *key, agg_visit_fn visit, void *varg)
{
	struct agg_maps *maps = arg;
	const struct agg_part part = {agg, varg};
	struct reader r;
	uint32_t index;
	int err;

	if (maps->fds[agg->id] < 0)
		return 0;
	err = reader_open(&r, maps, &part, 1, visit);
	r.take = true;
	agg_known_forget(&maps->known, r.fd);
	if (!err)
		err = reader_room(&r, 1);
	if (!err)
		err = begin_rest(&r);
	if (!err && agg->nkeys) {
		err = take_cpus(&r, key);
	} else if (!err) {
		memcpy(&index, key, sizeof(index));
		err = read_index(&r, agg->base + index);
	}
	if (!err)
		err = visit_gathered(&r);
	if (!err && r.rest)
		err = take_rest(&r, key);
	reader_close(&r);
	return err;
}

uint32_t agg_maps_room(const struct agg_maps *maps, const struct agg_desc *agg)
{
	struct bpf_map_info info = {0};
	uint32_t len = sizeof(info), cpus = agg->by_cpu ? (uint32_t)load_cpus() : 1;

	if (maps->fds[agg->id] < 0 || bpf_obj_get_info_by_fd(maps->fds[agg->id], &info, &len))
		return 0;
	return info.max_entries / cpus;
}

void agg_maps_close(struct agg_maps *maps)
{
	agg_known_free(&maps->known);
	agg_rest_free(maps->rest);
}

struct agg_store agg_store_maps(struct agg_maps *maps)
{
	return (struct agg_store){.each = maps_each,
		.each_shared = maps_each_shared,
		.take = maps_take,
		.take_key = maps_take_key,
		.arg = maps};
}
