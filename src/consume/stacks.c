// SPDX-License-Identifier: Apache-2.0
/* Reads the table of kept stacks, and holds those that aggregation keys name. */
#include "consume/stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/stacks.h"
#include "base/rectab.h"
#include "sym/sym.h"

struct stacks {
	const char *table;
	uint64_t ring, mapped; /* bytes; 0: the table is somebody else's */
	uint32_t frames;
	struct symtab *syms;
	struct dt_kept_stack *entry;  /* room for a copy of one */
	struct kept_stack *found;     /* that is not held */
	struct rectab held;	      /* by id: a pointer to it */
	struct rectab looks;	      /* by the hash of what is shown: the first id */
	struct rectab missed;	      /* ids */
	uint64_t followed, caught_up; /* positions of the head */
};

struct stacks *stacks_new(const void *table, uint64_t ring, uint32_t frames, struct symtab *syms)
{
	struct stacks *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->table = table;
	s->ring = ring;
	s->frames = frames;
	s->syms = syms;
	s->entry = malloc(DT_STACK_ENTRY(frames));
	s->found = malloc(sizeof(*s->found) + sizeof(uint64_t) * frames);
	rectab_init(&s->held, sizeof(uint64_t), sizeof(struct kept_stack *));
	rectab_init(&s->looks, sizeof(uint64_t), sizeof(uint64_t));
	rectab_init(&s->missed, sizeof(uint64_t), 0);
	if (!s->entry || !s->found) {
		stacks_free(s);
		return NULL;
	}
	return s;
}

int stacks_open(int fd, uint64_t ring, uint32_t frames, struct symtab *syms, struct stacks **out)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t size = (DT_STACK_TABLE(ring, frames) + page - 1) / page * page;
	void *table = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);

	*out = NULL;
	if (table == MAP_FAILED)
		return -errno;
	*out = stacks_new(table, ring, frames, syms);
	if (!*out) {
		munmap(table, size);
		return -ENOMEM;
	}
	(*out)->mapped = size;
	return 0;
}

void stacks_free(struct stacks *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->held.n; i++)
		free(*(struct kept_stack **)rectab_rec(&s->held, i));
	rectab_fini(&s->held);
	rectab_fini(&s->looks);
	rectab_fini(&s->missed);
	if (s->mapped)
		munmap((void *)s->table, s->mapped);
	free(s->entry);
	free(s->found);
	free(s);
}

/* ---- the table ---- */

static const volatile uint64_t *bucket_at(const struct stacks *s, uint64_t i)
{
	return (const volatile uint64_t *)(s->table + DT_STACK_BUCKETS_AT) + i;
}

static uint64_t head_of(const struct stacks *s)
{
	return ((const volatile struct dt_stacks *)s->table)->head;
}

/* True if the id of E is one that its frames can have. */
static bool has_own_id(const struct dt_kept_stack *e)
{
	struct dt_stack_hash h = dt_stack_begin(e->who);
	uint64_t id;

	for (uint32_t i = 0; i < DT_STACK_FRAMES(e->who); i += DT_STACK_ROUND)
		dt_stack_add(&h, &e->pc[i]);
	id = dt_stack_id(h);
	for (int i = 1; i < DT_STACK_IDS && id != e->id; i++)
		id = dt_stack_next(id);
	return id == e->id;
}

/* Copy the entry that BUCKET names; false if it is not whole. */
static bool copy_entry(struct stacks *s, uint64_t bucket)
{
	uint64_t unit = (bucket >> DT_STACK_TAG) - 1;
	const char *from = s->table + DT_STACK_RING_AT(s->ring) +
		(unit & (s->ring / DT_STACK_UNIT - 1)) * DT_STACK_UNIT;

	memcpy(s->entry, from, sizeof(*s->entry));
	if (DT_STACK_FRAMES(s->entry->who) > s->frames)
		return false;
	memcpy(s->entry, from, DT_STACK_ENTRY(DT_STACK_FRAMES(s->entry->who)));
	return DT_STACK_FRAMES(s->entry->who) <= s->frames && has_own_id(s->entry);
}

static bool find_entry(struct stacks *s, uint64_t id)
{
	uint64_t first = dt_stack_group(id, DT_STACK_GROUPS(s->ring)) * DT_STACK_WAYS;

	for (uint64_t i = first; i < first + DT_STACK_WAYS; i++) {
		uint64_t bucket = *bucket_at(s, i);

		if (bucket && !((bucket ^ id) << (64 - DT_STACK_TAG)) && copy_entry(s, bucket) &&
			s->entry->id == id)
			return true;
	}
	return false;
}

/* Make OUT, with room for its frames, from s->entry. */
static void make_stack(const struct stacks *s, struct kept_stack *out)
{
	const struct dt_kept_stack *e = s->entry;
	uint32_t n = DT_STACK_FRAMES(e->who), skip = 0;
	bool user = e->who & DT_STACK_USER;

	while (!user && s->syms && skip < n && sym_kernel_is_tracing(s->syms, e->pc[skip]))
		skip++;
	*out = (struct kept_stack){.id = e->id,
		.first = e->id,
		.user = user,
		.unwanted = e->who & DT_STACK_UNWANTED,
		.part = e->who & DT_STACK_PART,
		.pid = (pid_t)DT_STACK_TGID(e->who),
		.n = n - skip};
	memcpy(out->pc, e->pc + skip, sizeof(uint64_t) * out->n);
}

/* ---- what is held ---- */

static struct kept_stack *find_held(const struct stacks *s, uint64_t id)
{
	int64_t at = rectab_find(&s->held, &id);

	return at < 0 ? NULL : *(struct kept_stack **)rectab_rec(&s->held, (uint32_t)at);
}

static bool looks_same(const struct kept_stack *x, const struct kept_stack *y)
{
	return x->user == y->user && x->pid == y->pid && x->unwanted == y->unwanted &&
		x->n == y->n && !memcmp(x->pc, y->pc, sizeof(x->pc[0]) * x->n);
}

/* Find the first stack that looks as K, which may be K. */
static void find_first(struct stacks *s, struct kept_stack *k)
{
	uint64_t part[2] = {rectab_hash(k->pc, sizeof(k->pc[0]) * k->n),
		(uint64_t)k->pid << 2 | (uint64_t)k->user << 1 | k->unwanted};
	uint64_t hash = rectab_hash(part, sizeof(part)), *first;
	int64_t at = rectab_put(&s->looks, &hash);
	const struct kept_stack *other;

	if (at < 0)
		return;
	first = rectab_rec(&s->looks, (uint32_t)at);
	other = find_held(s, *first);
	if (!*first)
		*first = k->id;
	else if (other && looks_same(other, k))
		k->first = other->id;
}

const struct kept_stack *stacks_find(struct stacks *s, uint64_t id)
{
	struct kept_stack *held = id ? find_held(s, id) : NULL;

	if (held) {
		/* it may have been taken again, and be whole */
		if (held->part && find_entry(s, id))
			held->part = s->entry->who & DT_STACK_PART;
		return held;
	}
	if (!id || !find_entry(s, id))
		return NULL;
	make_stack(s, s->found);
	return s->found;
}

const struct kept_stack *stacks_hold(struct stacks *s, uint64_t id)
{
	const struct kept_stack *found = stacks_find(s, id);
	struct kept_stack *k;
	int64_t at;

	if (found != s->found)
		return found;
	k = malloc(sizeof(*k) + sizeof(k->pc[0]) * found->n);
	at = k ? rectab_put(&s->held, &id) : -ENOMEM;
	if (at < 0) {
		free(k);
		return found;
	}
	memcpy(k, found, sizeof(*k) + sizeof(k->pc[0]) * found->n);
	find_first(s, k);
	*(struct kept_stack **)rectab_rec(&s->held, (uint32_t)at) = k;
	if (k->user && s->syms)
		sym_user_remember(s->syms, k->pid);
	return k;
}

/* ---- what is lost ---- */

void stacks_miss(struct stacks *s, uint64_t id)
{
	rectab_put(&s->missed, &id);
}

uint64_t stacks_missed(const struct stacks *s)
{
	return s->missed.n;
}

bool stacks_follow(struct stacks *s)
{
	uint64_t head = head_of(s), n = s->ring / DT_STACK_BUCKET;
	uint64_t last = (s->followed / DT_STACK_UNIT) << DT_STACK_TAG;

	for (uint64_t i = 0; s->syms && head != s->followed && i < n; i++) {
		uint64_t bucket = *bucket_at(s, i);

		/* the bucket has the position, and 1 */
		if (bucket > last && copy_entry(s, bucket) && (s->entry->who & DT_STACK_USER))
			sym_user_remember(s->syms, (pid_t)DT_STACK_TGID(s->entry->who));
	}
	s->followed = head;
	return head - s->caught_up > s->ring / 2;
}

void stacks_caught_up(struct stacks *s)
{
	s->caught_up = head_of(s);
}
