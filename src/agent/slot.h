/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slot: an activation of this machine, from the time it was first seen to a minute after it was
 * last seen: the dtrace that runs it, and what became of it.
 *
 * Times are CLOCK_BOOTTIME in ns, but for those in seconds, which are since 1970.
 */
#ifndef AGENT_SLOT_H
#define AGENT_SLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/activation.h"
#include "agent/child.h"

struct agent_conf;
struct arena;

enum slot_state {
	SLOT_REFUSED, /* it never ran */
	SLOT_WAITING, /* it is to run */
	SLOT_RUNNING,
	SLOT_ENDING, /* it was asked to end, and is `after` then */
	SLOT_ENDED,
	SLOT_FAILED, /* dtrace ended with an error: it does not run again */
};

#define SLOT_TEXT 512

struct agent_slot {
	struct arena *arena;
	struct activation a;
	uint64_t hash;
	uint64_t first, end; /* seconds: when it was first seen, and when it ends */
	uint64_t end_at;     /* the same, which no change of the clock moves */
	enum slot_state state, after;
	bool stopped; /* ENDED because we wanted it */
	char problem[SLOT_TEXT];
	struct child child;
	uint64_t start_at, backoff;
	bool listed;	  /* in the last reading */
	uint64_t gone_at; /* the first reading without it */
};

/* Who listens, and what the time is. */
struct slot_env {
	const struct agent_conf *conf;
	uint64_t now, seconds;
	bool *changed; /* set when a state changes */
	void (*say)(void *arg, const char *text);
	void *arg;
};

/* Returns the name of the state, a word of the column `state`. */
const char *slot_state_name(enum slot_state s);

/* Returns a slot for A, which is copied; NULL without memory.  slot_free() ends what it runs. */
struct agent_slot *slot_new(const struct slot_env *e, const struct activation *a);
void slot_free(struct agent_slot *s);

/* A reading has A, which is of the same id and hash, again, perhaps with other times. */
void slot_renew(struct agent_slot *s, const struct slot_env *e, const struct activation *a);

/* A reading does not have it. */
void slot_vanish(struct agent_slot *s, const struct slot_env *e);

/* Ask what it runs to end for the reason WHY; it is AFTER then. */
void slot_stop(
	struct agent_slot *s, const struct slot_env *e, enum slot_state after, const char *why);

/* Do what is due; START: it may start.  Returns when there is something to do again. */
uint64_t slot_work(struct agent_slot *s, const struct slot_env *e, bool start);

/* True if nothing will be said of it any more. */
bool slot_is_over(const struct agent_slot *s, const struct slot_env *e);

#endif
