// SPDX-License-Identifier: Apache-2.0
/* Keeps the connections of the server. */
#include "web/visitors.h"

#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>

static void add(struct web_visitors *all, struct web_visitor *v)
{
	v->older = all->newest;
	v->newer = NULL;
	*(v->older ? &v->older->newer : &all->oldest) = v;
	all->newest = v;
	all->strangers++;
}

static void take_out(struct web_visitors *all, struct web_visitor *v)
{
	*(v->older ? &v->older->newer : &all->oldest) = v->newer;
	*(v->newer ? &v->newer->older : &all->newest) = v->older;
	all->strangers--;
}

static void turn_out(struct web_visitors *all, struct web_visitor *v)
{
	take_out(all, v);
	v->state = VISITOR_CLOSED;
	shutdown(v->fd, SHUT_RDWR);
}

struct web_visitor *visitors_come(struct web_visitors *all, int fd, uint64_t deadline)
{
	struct web_visitor *v = malloc(sizeof(*v));

	if (!v) {
		shutdown(fd, SHUT_RDWR);
		return NULL;
	}
	if (all->strangers >= VISITORS_STRANGERS)
		turn_out(all, all->oldest);
	*v = (struct web_visitor){.fd = fd, .state = VISITOR_STRANGER, .deadline = deadline};
	add(all, v);
	return v;
}

bool visitors_know(struct web_visitors *all, struct web_visitor *v)
{
	if (v->state == VISITOR_STRANGER && all->known < VISITORS_KNOWN) {
		take_out(all, v);
		v->state = VISITOR_KNOWN;
		all->known++;
	}
	return v->state == VISITOR_KNOWN;
}

void visitors_renew(struct web_visitors *all, struct web_visitor *v, uint64_t deadline)
{
	if (v->state != VISITOR_STRANGER)
		return;
	take_out(all, v);
	v->deadline = deadline;
	add(all, v);
}

uint64_t visitors_expire(struct web_visitors *all, uint64_t now)
{
	uint64_t next = UINT64_MAX;
	struct web_visitor *newer;

	for (struct web_visitor *v = all->oldest; v; v = newer) {
		newer = v->newer;
		if (v->deadline <= now)
			turn_out(all, v);
		else if (v->deadline < next)
			next = v->deadline;
	}
	return next;
}

void visitors_leave(struct web_visitors *all, struct web_visitor *v)
{
	if (!v)
		return;
	if (v->state == VISITOR_STRANGER)
		take_out(all, v);
	else if (v->state == VISITOR_KNOWN)
		all->known--;
	free(v);
}
