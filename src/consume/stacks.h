/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stacks: the stacks that records and keys name by their ids, read from the table of abi/stacks.h.
 *
 * Programs go on storing stacks while the table is read, and overwrite the oldest.  The table's
 * ring is a log that stacks_follow() copies: so what was overwritten is known still, unless the
 * ring was written around before it was followed.  An entry that is being written is told by its
 * id, which is the hash of what it should hold.
 */
#ifndef CONSUME_STACKS_H
#define CONSUME_STACKS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct stacks;
struct symtab;

struct kept_stack {
	uint64_t id;
	uint64_t first; /* id of the first one held that looks the same */
	uint64_t at;	/* its position when it was last taken */
	bool named;	/* stacks_name() */
	bool placed;	/* FIRST is known */
	bool shown;	/* it has been asked for: the machinery's frames are left out */
	bool user;
	bool unwanted; /* no frames were asked for */
	bool part;     /* of a user stack: callers may be missing */
	pid_t pid;     /* of a user stack */
	uint32_t room, n;
	uint64_t pc[]; /* innermost first, without the tracing machinery's own */
};

/*
 * Reads TABLE, which stays the caller's; its ring has RING bytes and its stacks at most FRAMES
 * frames.  SYMS, borrowed, tells the machinery's frames, and is told of processes; may be NULL.
 * MOST: bytes that copies may take.  NULL: no memory.
 */
struct stacks *stacks_new(
	const void *table, uint64_t ring, uint32_t frames, struct symtab *syms, uint64_t most);

/* The same with the table that map FD has; NEWS: DT_MAP_STACKS_NEW's descriptor.  0 or -errno. */
int stacks_open(int fd, int news, uint64_t ring, uint32_t frames, struct symtab *syms,
	uint64_t most, struct stacks **out);
void stacks_free(struct stacks *s);

/*
 * True if a part of the table is new since stacks_follow(), which should be called soon;
 * stacks_fd() returns a descriptor that poll(2) finds readable then, or -1.
 */
bool stacks_news(const struct stacks *s);
int stacks_fd(const struct stacks *s);

/*
 * Copies what is new in the table, and learns of the processes whose stacks these are, while they
 * live.
 */
void stacks_follow(struct stacks *s);

/*
 * Returns the stack with this id, NULL if it is lost or is none: id 0.  It is valid until the next
 * call, or until stacks_sweep() if there is a copy.
 */
const struct kept_stack *stacks_find(struct stacks *s, uint64_t id);

/* Does the same and makes a copy: what keys name is to be known when they are printed. */
const struct kept_stack *stacks_hold(struct stacks *s, uint64_t id);

/*
 * Frees copies that nobody can name any more: stacks_are_many() says that it is time, then
 * stacks_name() is called with the id of each stack that a key names, and stacks_sweep() frees the
 * others, unless they are, or lately were, in the table.
 */
bool stacks_are_many(const struct stacks *s);
void stacks_name(struct stacks *s, uint64_t id);
void stacks_sweep(struct stacks *s);

/* Notes that the stack with this id could not be shown; each id counts once. */
void stacks_miss(struct stacks *s, uint64_t id);
uint64_t stacks_missed(const struct stacks *s);

#endif
