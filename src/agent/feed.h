/* SPDX-License-Identifier: Apache-2.0 */
/*
 * feed: reads the activations every few seconds, from the database or from a file.
 *
 * No function waits, but for the start of the process that asks.  Times are CLOCK_BOOTTIME in ns.
 */
#ifndef AGENT_FEED_H
#define AGENT_FEED_H

#include <stdbool.h>
#include <stdint.h>

struct activations;
struct agent_conf;
struct query;
struct target_credentials;

struct feed {
	const struct agent_conf *conf;
	const struct target_credentials *credentials; /* NULL: none */
	const char *host;
	struct query *query;
	uint64_t asked;		/* when; 0: no question is open */
	uint64_t next, backoff; /* the next reading, and what a process that died adds to it */
	uint64_t number;	/* of the last question */
	uint64_t good; /* when the question was asked whose answer was the last good one; 0: none */
	char problem[256]; /* why the last reading failed; "": it did not */
};

void feed_init(struct feed *s, const struct agent_conf *conf,
	const struct target_credentials *credentials, const char *host);
void feed_fini(struct feed *s);

/* Reads if it is time.  True: OUT, whose arena is set and which is empty, has what is active. */
bool feed_work(struct feed *s, uint64_t now, struct activations *out);

/* Returns a descriptor to wait for, or -1. */
int feed_fd(const struct feed *s);

/* True if the last good reading is as old as the lease. */
bool feed_is_lost(const struct feed *s, uint64_t now);

#endif
