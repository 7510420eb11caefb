// SPDX-License-Identifier: Apache-2.0
/* Reads the table of kept stacks, and copies them before they are overwritten. */
#include "consume/stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/stacks.h"
#include "base/invariant.h"
#include "base/rectab.h"
#include "consume/ring.h"
#include "sym/sym.h"

struct stacks {
	const char *table;
	uint64_t ring, mapped; /* bytes; 0: the table is somebody else's */
	uint32_t frames;
	struct symtab *syms;
	struct ring *news;	     /* NULL: nobody tells that much is new */
	struct dt_kept_stack *entry; /* room for a copy of one */
	struct kept_stack *found;    /* that is not held */
	struct rectab held;	     /* by id: a pointer to it */
	struct rectab looks;	     /* by the hash of what is shown: the first id */
	struct rectab missed;	     /* ids */
	uint64_t followed;	     /* position up to which entries are copied */
	uint64_t stuck;		     /* the head when the entry there was not whole; 0: it was */
	uint64_t bytes, most;	     /* that copies take, and may take */
	uint64_t swept;		     /* that they took when they were swept last */
};

/* Returns the bytes that a copy of N frames takes, with its places in the tables. */
static uint64_t copy_bytes(uint32_t n)
{
	return sizeof(struct kept_stack) + sizeof(uint64_t) * n + 64;
}

struct stacks *stacks_new(
	const void *table, uint64_t ring, uint32_t frames, struct symtab *syms, uint64_t most)
{
	struct stacks *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->table = table;
	s->ring = ring;
	s->frames = frames;
	s->syms = syms;
	s->most = most;
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

int stacks_open(int fd, int news, uint64_t ring, uint32_t frames, struct symtab *syms,
	uint64_t most, struct stacks **out)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t size = (DT_STACK_TABLE(ring, frames) + page - 1) / page * page;
	void *table = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);

	*out = NULL;
	if (table == MAP_FAILED)
		return -errno;
	*out = stacks_new(table, ring, frames, syms, most);
	if (!*out) {
		munmap(table, size);
		return -ENOMEM;
	}
	(*out)->mapped = size;
	(*out)->news = ring_new(news);
	if ((*out)->news)
		return 0;
	stacks_free(*out);
	*out = NULL;
	return -errno;
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
	if (s->news)
		ring_free(s->news);
	free(s->entry);
	free(s->found);
	free(s);
}

/* ---- the table ---- */

/* Pairs with the exchange that makes an entry visible, after it was written (dt_stack_keep()). */
static uint64_t load_bucket(const struct stacks *s, uint64_t i)
{
	return __atomic_load_n(
		(const uint64_t *)(s->table + DT_STACK_BUCKETS_AT) + i, __ATOMIC_ACQUIRE);
}

/* Acquired, so that no entry is read before the head that says it is there. */
static uint64_t head_of(const struct stacks *s)
{
	return __atomic_load_n(&((const struct dt_stacks *)s->table)->head, __ATOMIC_ACQUIRE);
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

/* Copy the entry at a position, in units; false if it is not whole. */
static bool copy_entry(struct stacks *s, uint64_t unit)
{
	const char *from = s->table + DT_STACK_RING_AT(s->ring) +
		(unit & (s->ring / DT_STACK_UNIT - 1)) * DT_STACK_UNIT;

	memcpy(s->entry, from, sizeof(*s->entry));
	if (DT_STACK_FRAMES(s->entry->who) > s->frames)
		return false;
	memcpy(s->entry, from, DT_STACK_ENTRY(DT_STACK_FRAMES(s->entry->who)));
	return DT_STACK_FRAMES(s->entry->who) <= s->frames && has_own_id(s->entry);
}

/* Returns the position that BUCKET, which is not free, has; in units, as many bits as it has. */
static uint64_t unit_of(uint64_t bucket)
{
	return (bucket >> DT_STACK_TAG) - 1;
}

static bool find_entry(struct stacks *s, uint64_t id)
{
	uint64_t first = dt_stack_group(id, DT_STACK_GROUPS(s->ring)) * DT_STACK_WAYS;

	for (uint64_t i = first; i < first + DT_STACK_WAYS; i++) {
		uint64_t bucket = load_bucket(s, i);

		if (bucket && !((bucket ^ id) << (64 - DT_STACK_TAG)) &&
			copy_entry(s, unit_of(bucket)) && s->entry->id == id)
			return true;
	}
	return false;
}

/* Make OUT, with room for its frames, from s->entry. */
static void make_stack(const struct stacks *s, struct kept_stack *out)
{
	const struct dt_kept_stack *e = s->entry;
	uint32_t n = DT_STACK_FRAMES(e->who);

	*out = (struct kept_stack){.id = e->id,
		.first = e->id,
		.at = e->at,
		.user = e->who & DT_STACK_USER,
		.unwanted = e->who & DT_STACK_UNWANTED,
		.part = e->who & DT_STACK_PART,
		.pid = (pid_t)DT_STACK_TGID(e->who),
		.n = n};
	memcpy(out->pc, e->pc, sizeof(uint64_t) * n);
}

/* Leaves out the machinery's frames.  That reads the kernel's symbols, which not all who keep
 * stacks need. */
static void show(const struct stacks *s, struct kept_stack *k)
{
	uint32_t skip = 0;

	if (k->shown)
		return;
	k->shown = true;
	while (!k->user && s->syms && skip < k->n && sym_kernel_is_tracing(s->syms, k->pc[skip]))
		skip++;
	k->n -= skip;
	memmove(k->pc, k->pc + skip, sizeof(uint64_t) * k->n);
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
static void place(struct stacks *s, struct kept_stack *k)
{
	uint64_t part[2] = {rectab_hash(k->pc, sizeof(k->pc[0]) * k->n),
		(uint64_t)k->pid << 2 | (uint64_t)k->user << 1 | k->unwanted};
	uint64_t hash = rectab_hash(part, sizeof(part)), *first;
	int64_t at = rectab_put(&s->looks, &hash);
	const struct kept_stack *other;

	k->placed = true;
	if (at < 0)
		return;
	first = rectab_rec(&s->looks, (uint32_t)at);
	other = *first ? find_held(s, *first) : NULL;
	if (!other)
		*first = k->id;
	else if (looks_same(other, k))
		k->first = other->id;
}

/* Makes a copy of what s->entry has; NULL: no memory. */
static struct kept_stack *hold_entry(struct stacks *s)
{
	uint32_t n = DT_STACK_FRAMES(s->entry->who);
	struct kept_stack *k;
	int64_t at;

	INVARIANT(!find_held(s, s->entry->id)); /* the other copy would be lost */
	if (s->bytes + copy_bytes(n) > s->most)
		return NULL;
	k = malloc(sizeof(*k) + sizeof(k->pc[0]) * n);
	at = k ? rectab_put(&s->held, &s->entry->id) : -ENOMEM;
	if (at < 0) {
		free(k);
		return NULL;
	}
	make_stack(s, k);
	*(struct kept_stack **)rectab_rec(&s->held, (uint32_t)at) = k;
	k->room = n;
	s->bytes += copy_bytes(n);
	if (k->user && s->syms)
		sym_user_remember(s->syms, k->pid);
	return k;
}

const struct kept_stack *stacks_find(struct stacks *s, uint64_t id)
{
	struct kept_stack *held = id ? find_held(s, id) : NULL;

	if (held) {
		/* it may have been taken again, and be whole */
		if (held->part && find_entry(s, id))
			held->part = s->entry->who & DT_STACK_PART;
		show(s, held);
		return held;
	}
	if (!id || !find_entry(s, id))
		return NULL;
	make_stack(s, s->found);
	show(s, s->found);
	return s->found;
}

const struct kept_stack *stacks_hold(struct stacks *s, uint64_t id)
{
	struct kept_stack *k = id ? find_held(s, id) : NULL;

	if (!k) {
		if (!id || !find_entry(s, id))
			return NULL;
		k = hold_entry(s);
	}
	if (!k) {
		make_stack(s, s->found);
		show(s, s->found);
		return s->found;
	}
	show(s, k);
	if (!k->placed)
		place(s, k);
	return stacks_find(s, id);
}

/* ---- the log ---- */

/* The entry that s->entry has was taken, perhaps not for the first time. */
static void note_entry(struct stacks *s)
{
	struct kept_stack *k = find_held(s, s->entry->id);

	if (!k)
		hold_entry(s);
	else if (s->entry->at > k->at)
		k->at = s->entry->at;
}

/* Returns the first position from FROM on that a bucket has; HEAD: none. */
static uint64_t next_entry(const struct stacks *s, uint64_t from, uint64_t head)
{
	const uint64_t units = (1ull << (64 - DT_STACK_TAG)) - 1; /* that a bucket can have */
	uint64_t n = s->ring / DT_STACK_BUCKET, first = (head - from) / DT_STACK_UNIT;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t bucket = load_bucket(s, i), after;

		if (!bucket)
			continue;
		after = (unit_of(bucket) - from / DT_STACK_UNIT) & units;
		if (after < first)
			first = after;
	}
	return from + first * DT_STACK_UNIT;
}

/*
 * The entry at s->followed is not whole: it is being written, unless it was not the last time
 * either.  Then its program did not come to write it, and its length is not known.
 */
static void pass_over(struct stacks *s, uint64_t head)
{
	if (s->stuck && head != s->stuck) {
		s->followed = next_entry(s, s->followed + DT_STACK_UNIT, head);
		s->stuck = 0;
	} else {
		s->stuck = head;
	}
}

/* Where to go on after HEAD came round to s->followed: not where it comes next. */
static uint64_t behind(const struct stacks *s, uint64_t head)
{
	return next_entry(s, head - s->ring / 8 * 7, head);
}

/* What the news say is that there are some. */
static int is_new(void *arg, const struct dt_rec *rec, size_t size)
{
	(void)arg;
	(void)rec;
	(void)size;
	return 0;
}

void stacks_follow(struct stacks *s)
{
	uint64_t head;

	if (s->news)
		ring_consume(s->news, is_new, NULL, 0);
	/* programs go on writing: what is new when all is copied comes next time */
	head = head_of(s);
	if (head - s->followed > s->ring)
		s->followed = behind(s, head);
	while (s->followed != head) {
		if (!copy_entry(s, s->followed / DT_STACK_UNIT) || s->entry->at != s->followed) {
			pass_over(s, head);
			if (s->stuck || s->followed == head)
				return;
			continue;
		}
		note_entry(s);
		s->stuck = 0;
		s->followed += DT_STACK_ENTRY(DT_STACK_FRAMES(s->entry->who));
		/* what the head has come round to while it was read is lost */
		if (head_of(s) - s->followed > s->ring)
			s->followed = behind(s, head_of(s));
		if (s->followed > head)
			return;
	}
}

bool stacks_news(const struct stacks *s)
{
	return head_of(s) - s->followed > s->ring / DT_STACK_PARTS;
}

int stacks_fd(const struct stacks *s)
{
	return s->news ? ring_fd(s->news) : -1;
}

/* ---- what nobody names any more ---- */

bool stacks_are_many(const struct stacks *s)
{
	return s->bytes > s->most / 4 && s->bytes > 2 * s->swept;
}

void stacks_name(struct stacks *s, uint64_t id)
{
	struct kept_stack *k = id ? find_held(s, id) : NULL, *first;

	if (!k)
		return;
	k->named = true;
	first = k->first != id ? find_held(s, k->first) : NULL; /* by which it is shown */
	if (first)
		first->named = true;
}

/*
 * A program that finds a stack in the table does not write it again, so those that it may still
 * find stay, and those that it found before the head came round to them.
 */
static bool is_wanted(void *arg, void *rec)
{
	struct stacks *s = arg;
	struct kept_stack *k = *(struct kept_stack **)rec;
	bool wanted = k->named || head_of(s) - k->at <= 2 * s->ring;

	k->named = false;
	if (wanted)
		return true;
	INVARIANT(s->bytes >= copy_bytes(k->room));
	s->bytes -= copy_bytes(k->room);
	free(k);
	return false;
}

static bool is_held(void *arg, void *rec)
{
	return find_held(arg, *(const uint64_t *)rec);
}

void stacks_sweep(struct stacks *s)
{
	rectab_filter(&s->held, is_wanted, s);
	rectab_filter(&s->looks, is_held, s);
	s->swept = s->bytes;
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
