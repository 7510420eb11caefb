/* SPDX-License-Identifier: Apache-2.0 */
/*
 * visitors: the connections of the server, of which strangers have not shown the token yet.
 *
 * All users of the machine can connect, so strangers have their own room: if it is full, the oldest
 * is closed for a new one, and each has a time limit.  Whoever shows the token is no stranger any
 * more.  A connection is closed by shutdown(2); its owner then sees its end and forgets it.
 */
#ifndef WEB_VISITORS_H
#define WEB_VISITORS_H

#include <stdbool.h>
#include <stdint.h>

#define VISITORS_STRANGERS 256u
#define VISITORS_KNOWN	   64u

struct web_visitor {
	int fd;
	enum { VISITOR_STRANGER, VISITOR_KNOWN, VISITOR_CLOSED } state;
	uint64_t deadline;		   /* of a stranger, in nanoseconds of report_now() */
	struct web_visitor *older, *newer; /* strangers */
};

struct web_visitors {
	struct web_visitor *oldest, *newest; /* strangers */
	unsigned strangers, known;
};

/* Adds the stranger at FD, who may stay until DEADLINE.  The caller ends it with visitors_leave().
 * NULL: there is no memory, and FD is shut down. */
struct web_visitor *visitors_come(struct web_visitors *all, int fd, uint64_t deadline);

/* Makes V known.  False: there is no room for one more. */
bool visitors_know(struct web_visitors *all, struct web_visitor *v);

/* Makes stranger V the newest, with DEADLINE; does nothing for others. */
void visitors_renew(struct web_visitors *all, struct web_visitor *v, uint64_t deadline);

/* Closes strangers whose deadline is NOW or before.  Returns the next deadline, or UINT64_MAX. */
uint64_t visitors_expire(struct web_visitors *all, uint64_t now);

/* Forgets V, whose descriptor is closed, and frees it; V may be NULL. */
void visitors_leave(struct web_visitors *all, struct web_visitor *v);

#endif
