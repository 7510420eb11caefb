/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fleet: the page of --web --fleet.  It answers what browsers ask (fleet/request.h) with rows of
 * ClickHouse, which a process of its own asks for (fleet/query.h).
 */
#ifndef FLEET_PAGE_H
#define FLEET_PAGE_H

#include <stdint.h>

struct fleet;

struct fleet_options {
	const char *url;
	const char *credentials; /* file; NULL: none */
	const char *authority;	 /* file of certificates to trust, NULL: the system's */
	uint16_t port;		 /* 0: any */
	void (*say)(void *arg, const char *line);
	void *arg;
};

/*
 * Start the page.  The strings of O, which is copied, stay valid until fleet_close().  *ADDRESS is
 * what to open.  0 and *OUT, or a negative errno with a constant in *PROBLEM.
 */
int fleet_open(const struct fleet_options *o, struct fleet **out, const char **address,
	const char **problem);

/* Answer what is asked, and wait for MS ms at most.  0; -EINTR; -EPIPE: the page's server died. */
int fleet_work(struct fleet *f, int ms);

/* Stop the page.  F may be NULL. */
void fleet_close(struct fleet *f);

#endif
