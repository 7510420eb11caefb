/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ship: hands rows to a process of its own that gathers them to batches, keeps these in a spool and
 * sends them to ClickHouse.
 *
 * No function waits for that process or the network, but for ship_start(), at most ten seconds, and
 * ship_end().  Rows that the process does not take are lost and counted.  The owner calls
 * ship_free().
 */
#ifndef FLEET_SHIP_H
#define FLEET_SHIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fleet/tables.h"

struct ship;
struct target_credentials;

/* Times are in nanoseconds. */
struct ship_options {
	const char *url;
	const struct target_credentials *credentials; /* NULL: none */
	const char *authority; /* file of certificates to trust, NULL: the system's */
	const char *spool;     /* folder */
	uint64_t spool_bytes, spool_age;
	uint64_t batch; /* between two batches, to which up to a quarter is added at random */
	uint64_t limit; /* for sending the rest at the end */
	const char *program, *host, *version; /* of the rows in `sends` */
	uint64_t run;
};

/* 0 and *OUT, or a negative errno with a constant in *PROBLEM: -ENOSYS without libcurl. */
int ship_start(const struct ship_options *o, struct ship **out, const char **problem);

/* Add ROWS rows of T, LEN bytes of text. */
void ship_put(struct ship *s, enum fleet_table t, uint64_t rows, const char *text, size_t len);

/* Pass on what waits. */
void ship_work(struct ship *s);

/* Returns the next line that the user should see, NULL: none.  Valid until the next call. */
const char *ship_message(struct ship *s);

/* True if a message has said that the process has died. */
bool ship_is_dead(const struct ship *s);

/*
 * Returns the rows that were lost: the process did not take them, or it died with them.  Exact but
 * for a process that dies between writing a batch and telling so: the batch's rows count as lost.
 */
uint64_t ship_lost(const struct ship *s);

/*
 * Send the rest, for at most the limit and two seconds more; what cannot be sent stays in the
 * spool. Messages may follow.
 */
void ship_end(struct ship *s);

/* End the process, if it lives, and free S, which may be NULL. */
void ship_free(struct ship *s);

#endif
