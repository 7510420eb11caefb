/* SPDX-License-Identifier: Apache-2.0 */
/* send: the process that gathers rows to batches and sends these to ClickHouse. */
#ifndef FLEET_SEND_H
#define FLEET_SEND_H

struct ship_options;

/* Serves socket FD (fleet/wire.h) until its other end is closed and the rest is sent, or left. */
int send_run(int fd, const struct ship_options *o);

#endif
