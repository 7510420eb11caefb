/* SPDX-License-Identifier: Apache-2.0 */
/*
 * perfmap: the names that a JIT compiler gives its code in /tmp/perf-PID.map.
 *
 * Private to src/sym.  Whoever runs the process writes what he likes to the file, so all maps of a
 * session share a room, of which one user's have at most a half.  Lines about addresses that nobody
 * can ask for are not kept.
 */
#ifndef SYM_PERFMAP_H
#define SYM_PERFMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define PERFMAP_TEXT_MOST (128u << 20) /* bytes of names */
#define PERFMAP_CODE_MOST (2u << 20)   /* functions, of 32 bytes */
#define PERFMAP_READ_MOST (1ull << 30) /* bytes that are read at once */
#define PERFMAP_READ_MS	  (64u << 10)  /* bytes that may be read for each ms that passes */

struct perfmap_user;

/* What all maps of a session have taken; {0} at the start. */
struct perfmap_room {
	size_t text, entries;
	uint64_t read, since;	    /* bytes that count at time SINCE, CLOCK_MONOTONIC ms */
	bool full;		    /* something was left out for want of room */
	struct perfmap_user *users; /* what each user's have taken */
};

/* Frees what ROOM has, after its maps. */
void perfmap_room_free(struct perfmap_room *room);

struct perfmap;

/* A map of process PID, which is not read yet; NULL: no memory.  ROOM outlives it. */
struct perfmap *perfmap_new(pid_t pid, struct perfmap_room *room);
void perfmap_free(struct perfmap *p);

/* Names of code from START to END may be asked for.  Before the first call: any may be. */
void perfmap_expect(struct perfmap *p, uint64_t start, uint64_t end);

/* The same about ADDR; true if an update can bring a name that was left out before. */
bool perfmap_expect_near(struct perfmap *p, uint64_t addr);

/* Reads what was added to the file since the last time, or is expected since. */
void perfmap_update(struct perfmap *p);

/* Does the same, from a map that is open. */
void perfmap_update_from(struct perfmap *p, int fd);

/* Returns the name of the code at ADDR, which begins at *START; NULL: there is none. */
const char *perfmap_find(const struct perfmap *p, uint64_t addr, uint64_t *start);

#endif
