/* SPDX-License-Identifier: Apache-2.0 */
/* status: what an agent tells the database: its machine, and what it runs, as rows of `agents`. */
#ifndef AGENT_STATUS_H
#define AGENT_STATUS_H

#include <stdint.h>

#include "base/buf.h"

struct agent_conf;
struct agent_slot;

/* The name of the host, and the text of the columns from `version` on, which do not change. */
struct status_machine {
	struct buf host, rest;
};

/* Examines the machine, as --doctor does.  0, or a negative errno with a text in *PROBLEM, of
 * SIZE bytes. */
int status_examine(struct status_machine *m, const struct agent_conf *c, const char *host,
	char *problem, size_t size);
void status_free(struct status_machine *m);

/* Appends a row.  MS is the time since 1970; RUN is this agent's number. */
void status_put(struct buf *row, const struct status_machine *m, uint64_t run, uint64_t ms,
	struct agent_slot *const *slots, uint32_t n);

#endif
