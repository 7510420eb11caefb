/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcp: sends lines to an address without ever waiting for it, but at the end.
 *
 * Lines wait in a buffer of a limited size until the receiver's kernel has acknowledged them; what
 * does not fit is lost and counted.  A connection that is refused or breaks is made again after a
 * second, and lines that were not acknowledged are sent again.  The owner calls tcp_close().
 */
#ifndef FORMATS_TCP_H
#define FORMATS_TCP_H

#include <stddef.h>
#include <stdint.h>

struct tcp;

/* What became of the lines. */
struct tcp_counts {
	uint64_t lines; /* that tcp_put() was given */
	uint64_t lost;	/* that did not fit */
	uint64_t left;	/* that wait, or are on the way */
};

/*
 * Look up ADDRESS, HOST:PORT, [HOST]:PORT, HOST or :PORT, with PORT as the default.  The look-up
 * may wait.  0, or a negative errno with *PROBLEM set to a constant.
 */
int tcp_open(const char *address, const char *port, struct tcp **out, const char **problem);

/* Add a line, which ends with a newline.  0 or -ENOMEM; a line that is lost is no error. */
int tcp_put(struct tcp *t, const char *line, size_t len);

/* Connect, and send what can be sent at once. */
void tcp_work(struct tcp *t);

/* Do so until everything is acknowledged, no connection can be made, or after MS milliseconds. */
void tcp_drain(struct tcp *t, unsigned ms);

/* Returns why the last connection failed, a positive errno; 0: it did not. */
int tcp_error(const struct tcp *t);

struct tcp_counts tcp_counts(const struct tcp *t);

/* Free T, which may be NULL. */
void tcp_close(struct tcp *t);

#endif
