// SPDX-License-Identifier: Apache-2.0
#include "consume/hold.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK (256 * 1024) /* bytes, unless a record is longer */

struct held {
	struct held *next;	/* of all */
	struct held *next_here; /* of the same CPU */
	size_t size;
};

struct block {
	struct block *next;
	size_t used, room;
	char bytes[];
};

struct chain {
	struct held *first, *last;
};

struct hold {
	struct block *blocks; /* the newest first */
	struct chain all;
	struct chain *cpus;
	uint32_t ncpus;
};

struct hold *hold_new(void)
{
	return calloc(1, sizeof(struct hold));
}

static void forget(struct hold *h)
{
	while (h->blocks) {
		struct block *b = h->blocks;

		h->blocks = b->next;
		free(b);
	}
	h->all = (struct chain){0};
	if (h->ncpus)
		memset(h->cpus, 0, h->ncpus * sizeof(*h->cpus));
}

void hold_free(struct hold *h)
{
	if (!h)
		return;
	forget(h);
	free(h->cpus);
	free(h);
}

static void *allocate(struct hold *h, size_t size)
{
	struct block *b = h->blocks;

	size = (size + 7) & ~(size_t)7;
	if (!b || b->room - b->used < size) {
		size_t room = size > BLOCK ? size : BLOCK;

		b = malloc(sizeof(*b) + room);
		if (!b)
			return NULL;
		*b = (struct block){.next = h->blocks, .room = room};
		h->blocks = b;
	}
	b->used += size;
	return b->bytes + b->used - size;
}

static struct chain *cpu_chain(struct hold *h, uint32_t cpu)
{
	if (cpu >= h->ncpus) {
		struct chain *cpus = realloc(h->cpus, (cpu + 1) * sizeof(*cpus));

		if (!cpus)
			return NULL;
		memset(cpus + h->ncpus, 0, (cpu + 1 - h->ncpus) * sizeof(*cpus));
		h->cpus = cpus;
		h->ncpus = cpu + 1;
	}
	return &h->cpus[cpu];
}

int hold_add(void *arg, const struct dt_rec *rec, size_t size)
{
	struct hold *h = arg;
	struct chain *cpu = cpu_chain(h, rec->cpu & ~DT_REC_CONTINUED);
	struct held *r = allocate(h, sizeof(*r) + size);

	if (!cpu || !r)
		return -ENOMEM;
	*r = (struct held){.size = size};
	memcpy(r + 1, rec, size);
	if (h->all.last)
		h->all.last->next = r;
	else
		h->all.first = r;
	h->all.last = r;
	if (cpu->last)
		cpu->last->next_here = r;
	else
		cpu->first = r;
	cpu->last = r;
	return 0;
}

int hold_deliver(struct hold *h, bool by_cpu,
	int (*visit)(void *arg, const struct dt_rec *rec, size_t size), void *arg)
{
	int stop = 0;

	for (struct held *r = by_cpu ? NULL : h->all.first; r && !stop; r = r->next)
		stop = visit(arg, (const struct dt_rec *)(r + 1), r->size);
	for (uint32_t i = 0; by_cpu && i < h->ncpus; i++)
		for (struct held *r = h->cpus[i].first; r && !stop; r = r->next_here)
			stop = visit(arg, (const struct dt_rec *)(r + 1), r->size);
	forget(h);
	return stop;
}
