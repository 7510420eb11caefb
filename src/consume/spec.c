// SPDX-License-Identifier: Apache-2.0
#include "consume/spec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What became of the speculation that a number was last given out for. */
enum fate {
	FATE_NONE, /* there was none yet */
	FATE_HELD,
	FATE_COMMITTED,
	FATE_DISCARDED,
};

/* The latest speculation of one number; its records follow each other in `data`. */
struct spec {
	uint64_t word;
	enum fate fate;
	size_t len, room;
	uint64_t bytes; /* of records */
	char *data;
};

/* Before each record; both are multiples of 8 bytes. */
struct held {
	uint64_t size;
};

struct specs {
	uint32_t nspec;
	uint64_t specsize, dropped;
	struct spec *list; /* of number N: list[N - 1] */
	uint32_t n;
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

static void forget(struct spec *spec)
{
	free(spec->data);
	spec->data = NULL;
	spec->len = spec->room = 0;
	spec->bytes = 0;
}

void specs_free(struct specs *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->n; i++)
		forget(&s->list[i]);
	free(s->list);
	free(s);
}

/* Numbers are given out from 1 on, so only as many entries as were ever in use are made. */
static int grow(struct specs *s, uint32_t number)
{
	uint32_t n = s->n ? s->n : 4;
	struct spec *list;

	while (n < number)
		n *= 2;
	list = realloc(s->list, n * sizeof(*list));
	if (!list)
		return -ENOMEM;
	memset(list + s->n, 0, (n - s->n) * sizeof(*list));
	s->list = list;
	s->n = n;
	return 0;
}

/*
 * The entry for WORD; it may be about a later speculation.  A word that is newer than what the
 * entry is about begins one: had the older one not ended, its number were not free.
 */
static int find(struct specs *s, uint64_t word, struct spec **out)
{
	uint32_t number = number_of(word);
	struct spec *spec;
	int err;

	if (!number || number > s->nspec || (word & 0xff))
		return -EBADMSG;
	if (number > s->n) {
		err = grow(s, number);
		if (err)
			return err;
	}
	spec = &s->list[number - 1];
	if (spec->fate == FATE_NONE ||
		(int32_t)(generation_of(word) - generation_of(spec->word)) > 0) {
		forget(spec);
		spec->word = word;
		spec->fate = FATE_HELD;
	}
	*out = spec;
	return 0;
}

static bool make_room(struct spec *spec, size_t more)
{
	size_t room = spec->room ? spec->room : 256;
	char *data;

	while (room - spec->len < more)
		room *= 2;
	if (room == spec->room)
		return true;
	data = realloc(spec->data, room);
	if (!data)
		return false;
	spec->data = data;
	spec->room = room;
	return true;
}

static size_t aligned(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

int specs_hold(struct specs *s, uint64_t word, const struct dt_rec *rec, size_t size)
{
	struct held h = {size};
	struct spec *spec;
	int err = find(s, word, &spec);

	if (err)
		return err;
	/* too late; what would have been discarded is no loss */
	if (spec->word == word && spec->fate == FATE_DISCARDED)
		return 0;
	if (spec->word == word && spec->fate == FATE_COMMITTED)
		return SPECS_COMMITTED;
	if (spec->word != word || spec->fate != FATE_HELD || size > s->specsize - spec->bytes ||
		!make_room(spec, sizeof(h) + aligned(size))) {
		s->dropped++;
		return 0;
	}
	memcpy(spec->data + spec->len, &h, sizeof(h));
	memcpy(spec->data + spec->len + sizeof(h), rec, size);
	spec->len += sizeof(h) + aligned(size);
	spec->bytes += size;
	return 0;
}

static int deliver(const struct spec *spec,
	int (*emit)(void *arg, const struct dt_rec *rec, size_t size), void *arg)
{
	int stop = 0;

	for (size_t at = 0; at < spec->len && !stop;) {
		struct held h;

		memcpy(&h, spec->data + at, sizeof(h));
		at += sizeof(h);
		stop = emit(arg, (const struct dt_rec *)(spec->data + at), h.size);
		at += aligned(h.size);
	}
	return stop;
}

int specs_end(struct specs *s, const struct dt_spec_end *end,
	int (*emit)(void *arg, const struct dt_rec *rec, size_t size), void *arg)
{
	struct spec *spec;
	int err = find(s, end->spec, &spec), stop = 0;

	if (err)
		return err;
	if (spec->word == end->spec && spec->fate == FATE_HELD) {
		if (end->commit)
			stop = deliver(spec, emit, arg);
		spec->fate = end->commit ? FATE_COMMITTED : FATE_DISCARDED;
		forget(spec);
	}
	return stop;
}

uint64_t specs_dropped(const struct specs *s)
{
	return s->dropped;
}
