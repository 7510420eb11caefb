// SPDX-License-Identifier: Apache-2.0
/* Copies records that are delivered later. */
#include "consume/hold.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/heapvec.h"
#include "base/invariant.h"
#include "base/vec.h"

#define BLOCK (256 * 1024) /* bytes, unless a record is longer */

struct held {
	struct held *next;	/* of all */
	struct held *next_here; /* of the same group */
	size_t size;
};

struct block {
	struct block *next;
	size_t used, room;
	char bytes[];
};

struct chain {
	struct held *first, *last;
	uint64_t bytes; /* of records */
};

struct hold {
	struct block *blocks; /* the newest first */
	struct chain all;
	HEAPVEC(struct chain) groups;
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
	vec_for (c, &h->groups)
		*c = (struct chain){0};
}

void hold_free(struct hold *h)
{
	if (!h)
		return;
	forget(h);
	heapvec_free(&h->groups);
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

static struct chain *group_chain(struct hold *h, uint32_t group)
{
	return heapvec_extend(&h->groups, (uint64_t)group + 1) ? NULL : &h->groups.data[group];
}

int hold_add(struct hold *h, uint32_t group, const struct dt_rec *rec, size_t size)
{
	struct chain *here = group_chain(h, group);
	struct held *r = allocate(h, sizeof(*r) + size);

	if (!here || !r)
		return -ENOMEM;
	*r = (struct held){.size = size};
	memcpy(r + 1, rec, size);
	if (h->all.last)
		h->all.last->next = r;
	else
		h->all.first = r;
	h->all.last = r;
	if (here->last)
		here->last->next_here = r;
	else
		here->first = r;
	here->last = r;
	here->bytes += size;
	return 0;
}

uint64_t hold_bytes(const struct hold *h, uint32_t group)
{
	return group < h->groups.len ? h->groups.data[group].bytes : 0;
}

int hold_deliver(struct hold *h, bool by_group,
	int (*visit)(void *arg, const struct dt_rec *rec, size_t size), void *arg)
{
	const struct held *last = h->all.last;
	int stop = 0;

	for (struct held *r = by_group ? NULL : h->all.first; r && !stop; r = r->next)
		stop = visit(arg, (const struct dt_rec *)(r + 1), r->size);
	for (uint32_t i = 0; by_group && i < h->groups.len; i++)
		for (struct held *r = h->groups.data[i].first; r && !stop; r = r->next_here)
			stop = visit(arg, (const struct dt_rec *)(r + 1), r->size);
	INVARIANT(h->all.last == last); /* VISIT has added nothing, which would be lost */
	forget(h);
	return stop;
}
