/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stacks: the stacks that records and keys name by their ids, read from the table of abi/stacks.h.
 *
 * Programs go on storing stacks while the table is read.  An entry that is being overwritten is
 * told by its id, which is the hash of what it should hold: it counts as evicted.
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
	bool user;
	bool unwanted; /* no frames were asked for */
	bool part;     /* of a user stack: callers may be missing */
	pid_t pid;     /* of a user stack */
	uint32_t n;
	uint64_t pc[]; /* innermost first, without the tracing machinery's own */
};

/*
 * Reads TABLE, which stays the caller's; its ring has RING bytes and its stacks at most FRAMES
 * frames.  SYMS, borrowed, tells the machinery's frames, and is told of processes; may be NULL.
 * NULL: no memory.
 */
struct stacks *stacks_new(const void *table, uint64_t ring, uint32_t frames, struct symtab *syms);

/* The same with the table that map FD has; 0 or -errno. */
int stacks_open(int fd, uint64_t ring, uint32_t frames, struct symtab *syms, struct stacks **out);
void stacks_free(struct stacks *s);

/*
 * Returns the stack with this id, NULL if it was evicted or is none: id 0.  It is valid until the
 * next call, or until the end if it is held.
 */
const struct kept_stack *stacks_find(struct stacks *s, uint64_t id);

/* Does the same and holds it: what keys name is to be known when they are printed. */
const struct kept_stack *stacks_hold(struct stacks *s, uint64_t id);

/* Notes that the stack with this id could not be shown; each id counts once. */
void stacks_miss(struct stacks *s, uint64_t id);
uint64_t stacks_missed(const struct stacks *s);

/*
 * Learns of the processes whose stacks are new in the table, while they live.  Returns true if so
 * much is new since the last call of stacks_caught_up() that stacks may soon be evicted.
 */
bool stacks_follow(struct stacks *s);
void stacks_caught_up(struct stacks *s);

#endif
