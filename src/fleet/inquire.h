/* SPDX-License-Identifier: Apache-2.0 */
/* inquire: the process that asks ClickHouse (fleet/query.h). */
#ifndef FLEET_INQUIRE_H
#define FLEET_INQUIRE_H

struct query_options;

/* The longest line that says why there is no answer, with its NUL. */
#define INQUIRE_FAILURE 512

/* Serves socket FD (fleet/wire.h) until its other end is closed. */
int inquire_run(int fd, const struct query_options *o);

#endif
