// SPDX-License-Identifier: Apache-2.0
/* Holds the records of speculations until commit() or discard(). */
#include "consume/spec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/kernel.h"
#include "base/heapvec.h"
#include "base/invariant.h"
#include "base/vec.h"

/* The fate of the speculation that a number was last given out for. */
enum fate {
	FATE_NONE, /* there was none yet */
	FATE_HELD,
	FATE_COMMITTED,
	FATE_DISCARDED,
};

/* The latest speculation of one number; its records follow each other in `data`. */
struct speculation {
	uint64_t word;
	enum fate fate;
	uint64_t bytes; /* of records */
	HEAPVEC(char) data;
};

/* Before each record; both are multiples of 8 bytes. */
struct held {
	uint64_t size;
};

struct specs {
	uint32_t nspec;
	uint64_t specsize, dropped;
	HEAPVEC(struct speculation)
	list; /* number N is at N - 1, for numbers that were ever in use */
};

static uint32_t number_of(uint64_t word)
{
	return (uint32_t)word >> 8;
}

static uint32_t generation_of(uint64_t word)
{
	return (uint32_t)(word >> 32);
}

struct specs *specs_new(uint32_t nspec, uint64_t specsize)
{
	struct specs *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->nspec = nspec;
	s->specsize = specsize;
	return s;
}

static void forget(struct speculation *spec)
{
	heapvec_free(&spec->data);
	spec->bytes = 0;
}

void specs_free(struct specs *s)
{
	if (!s)
		return;
	vec_for (spec, &s->list)
		forget(spec);
	heapvec_free(&s->list);
	free(s);
}

/*
 * The entry for WORD; it may be about a later speculation.  A word that is newer than what the
 * entry is about begins one: had the older one not ended, its number were not free.
 */
static int find_spec(struct specs *s, uint64_t word, struct speculation **out)
{
	uint32_t number = number_of(word);
	struct speculation *spec;
	int err;

	if (!number || number > s->nspec || (word & 0xff))
		return -EBADMSG;
	err = heapvec_extend(&s->list, number);
	if (err)
		return err;
	spec = &s->list.data[number - 1];
	if (spec->fate == FATE_NONE ||
		(int32_t)(generation_of(word) - generation_of(spec->word)) > 0) {
		forget(spec);
		spec->word = word;
		spec->fate = FATE_HELD;
	}
	INVARIANT(spec->bytes <= s->specsize);
	INVARIANT(spec->fate == FATE_HELD || !spec->data.len); /* one that has ended has none */
	*out = spec;
	return 0;
}

static size_t aligned(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

int specs_hold(struct specs *s, uint64_t word, const struct dt_rec *rec, size_t size)
{
	struct held h = {size};
	struct speculation *spec;
	int err = find_spec(s, word, &spec);

	if (err)
		return err;
	/* too late; what would have been discarded is no loss */
	if (spec->word == word && spec->fate == FATE_DISCARDED)
		return 0;
	if (spec->word == word && spec->fate == FATE_COMMITTED)
		return SPECS_COMMITTED;
	if (spec->word != word || spec->fate != FATE_HELD || size > s->specsize - spec->bytes ||
		heapvec_reserve(&spec->data, spec->data.len + sizeof(h) + aligned(size))) {
		s->dropped++;
		return 0;
	}
	memcpy(spec->data.data + spec->data.len, &h, sizeof(h));
	memcpy(spec->data.data + spec->data.len + sizeof(h), rec, size);
	spec->data.len += (uint32_t)(sizeof(h) + aligned(size));
	spec->bytes += size;
	return 0;
}

static int deliver(const struct specs *s, const struct speculation *spec,
	int (*emit)(void *arg, const struct dt_rec *rec, size_t size), void *arg)
{
	const uint64_t word = spec->word;
	int stop = 0;

	for (size_t at = 0; at < spec->data.len && !stop;) {
		struct held h;

		memcpy(&h, spec->data.data + at, sizeof(h));
		at += sizeof(h);
		stop = emit(arg, (const struct dt_rec *)(spec->data.data + at), h.size);
		/* EMIT has held nothing: the list would have moved */
		INVARIANT(spec == &s->list.data[number_of(word) - 1]);
		INVARIANT(spec->word == word && spec->fate == FATE_HELD);
		at += aligned(h.size);
	}
	return stop;
}

int specs_end(struct specs *s, const struct dt_spec_end *end,
	int (*emit)(void *arg, const struct dt_rec *rec, size_t size), void *arg)
{
	struct speculation *spec;
	int err = find_spec(s, end->spec, &spec), stop = 0;

	if (err)
		return err;
	if (spec->word == end->spec && spec->fate == FATE_HELD) {
		if (end->commit)
			stop = deliver(s, spec, emit, arg);
		spec->fate = end->commit ? FATE_COMMITTED : FATE_DISCARDED;
		forget(spec);
	}
	return stop;
}

uint64_t specs_dropped(const struct specs *s)
{
	return s->dropped;
}
