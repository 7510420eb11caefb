// SPDX-License-Identifier: Apache-2.0
/*
 * The agent of a fleet: reads which instruments are wanted, runs those that the machine's
 * administrator allows, and reports what it runs (docs/fleet.md).
 *
 * It waits for nothing but poll(2): other processes ask and send.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* explicit_bzero() */
#endif
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "agent/activation.h"
#include "agent/conf.h"
#include "agent/slot.h"
#include "agent/feed.h"
#include "agent/status.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/heapvec.h"
#include "base/vec.h"
#include "dtrace/dtrace.h"
#include "fleet/ship.h"
#include "fleet/target.h"

#define SECOND	    ((uint64_t)1000000000)
#define REPORT	    (10 * SECOND) /* between two rows in which nothing changed */
#define CHILDREN    16		  /* at a time */
#define SLOTS	    (2 * ACTIVATIONS_MOST)
#define SPOOL_BYTES (64u << 20)
#define SPOOL_AGE   (86400 * SECOND)
#define SEND_LIMIT  (5 * SECOND)

struct dtrace_agent {
	struct arena *arena;
	struct agent_conf conf;
	char error[1024];
	void (*say)(void *arg, const char *text);
	void *say_arg;
	int wake;    /* an eventfd: dtrace_agent_interrupt() was called */
	pid_t owner; /* processes that are forked have the signal handlers, but not this descriptor
		      */
	bool stopping;
	char host[HOST_NAME_MAX + 1];
	uint64_t run;
	struct target_credentials credentials;
	struct feed feed;
	char feed_said[256]; /* the problem that was told */
	struct ship *ship;
	struct status_machine machine;
	HEAPVEC(struct agent_slot *) slots;
	bool changed;	   /* since the last row */
	uint64_t reported; /* when; 0: not yet */
};

/* ---- the configuration ---- */

static int set_error(struct dtrace_agent *a, int err, const char *text)
{
	if (err)
		snprintf(a->error, sizeof(a->error), "%s", text);
	return err;
}

static int no_memory(struct dtrace_agent *a)
{
	return set_error(a, -ENOMEM, strerror(ENOMEM));
}

struct dtrace_agent *dtrace_agent_new(void)
{
	struct dtrace_agent *a = calloc(1, sizeof(*a));
	struct arena *arena = a ? arena_new() : NULL;
	int wake = arena ? eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : -1;

	if (wake < 0) {
		if (arena)
			arena_free(arena);
		free(a);
		return NULL;
	}
	a->arena = arena;
	a->wake = wake;
	a->owner = getpid();
	agent_conf_init(&a->conf, arena);
	return a;
}

static int in_section(struct dtrace_agent *a, const char *name, const char *where)
{
	int err = agent_conf_section(&a->conf, name, where);

	return set_error(a, err, a->conf.error);
}

static int set_key(struct dtrace_agent *a, const char *key, const char *value, const char *where)
{
	int err = agent_conf_set(&a->conf, key, value, where);

	return set_error(a, err, a->conf.error);
}

int dtrace_agent_section(struct dtrace_agent *a, const char *name, const char *where)
{
	return ARENA_TRY(a->arena, in_section(a, name, where), no_memory(a));
}

int dtrace_agent_set(struct dtrace_agent *a, const char *key, const char *value, const char *where)
{
	return ARENA_TRY(a->arena, set_key(a, key, value, where), no_memory(a));
}

const char *dtrace_agent_error(const struct dtrace_agent *a)
{
	return a->error;
}

void dtrace_agent_interrupt(struct dtrace_agent *a)
{
	uint64_t one = 1;

	if (getpid() != a->owner || write(a->wake, &one, sizeof(one)) < 0)
		return; /* or it is full of interrupts */
}

void dtrace_agent_free(struct dtrace_agent *a)
{
	if (!a)
		return;
	vec_for (s, &a->slots)
		slot_free(*s);
	heapvec_free(&a->slots);
	feed_fini(&a->feed);
	ship_free(a->ship);
	status_free(&a->machine);
	agent_conf_fini(&a->conf);
	close(a->wake);
	arena_free(a->arena);
	explicit_bzero(a, sizeof(*a));
	free(a);
}

/* ---- starting ---- */

static int start_sending(struct dtrace_agent *a)
{
	const char *const *values = a->conf.values;
	const struct ship_options o = {
		.url = values[AGENT_url],
		.credentials = values[AGENT_credentials] ? &a->credentials : NULL,
		.authority = values[AGENT_cafile],
		.spool = values[AGENT_spool],
		.spool_bytes = SPOOL_BYTES,
		.spool_age = SPOOL_AGE,
		.batch = a->conf.poll,
		.limit = SEND_LIMIT,
		.program = "agent",
		.host = a->host,
		.version = dtrace_version(),
		.run = a->run,
	};
	const char *problem;
	int err = ship_start(&o, &a->ship, &problem);

	return set_error(a, err, problem);
}

static int start(struct dtrace_agent *a)
{
	const char *credentials, *problem;
	int err = agent_conf_complete(&a->conf);

	if (err)
		return set_error(a, err, a->conf.error);
	/* the instruments' files are root's, and so are the processes that they look at */
	if (geteuid())
		return set_error(a, -EPERM, "the agent must be started by root");
	credentials = a->conf.values[AGENT_credentials];
	err = credentials ? target_credentials(credentials, &a->credentials, &problem) : 0;
	if (err)
		return set_error(a, err, problem);
	if (gethostname(a->host, sizeof(a->host) - 1) ||
		getrandom(&a->run, sizeof(a->run), 0) != sizeof(a->run))
		return set_error(a, -EIO, "the machine's name is not known");
	err = status_examine(&a->machine, &a->conf, a->host, a->error, sizeof(a->error));
	if (!err)
		err = start_sending(a);
	feed_init(&a->feed, &a->conf, credentials ? &a->credentials : NULL, a->host);
	return err;
}

/* ---- time ---- */

static uint64_t clock_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

static struct slot_env env_now(struct dtrace_agent *a)
{
	return (struct slot_env){
		.conf = &a->conf,
		.now = clock_of(CLOCK_BOOTTIME),
		.seconds = clock_of(CLOCK_REALTIME) / SECOND,
		.changed = &a->changed,
		.say = a->say,
		.arg = a->say_arg,
	};
}

/* ---- activations ---- */

static struct agent_slot *find_slot(struct dtrace_agent *a, const struct activation *v)
{
	uint64_t hash = activation_hash(v);

	vec_for (s, &a->slots)
		if ((*s)->hash == hash && !strcmp((*s)->a.id, v->id))
			return *s;
	return NULL;
}

static bool is_in(const struct activations *list, const struct agent_slot *s)
{
	vec_for (v, &list->list)
		if (!strcmp(v->id, s->a.id) && activation_hash(v) == s->hash)
			return true;
	return false;
}

/* Takes over a reading: slots for what is new, an end to what is gone. */
static void take_reading(
	struct dtrace_agent *a, const struct slot_env *e, const struct activations *list)
{
	vec_for (s, &a->slots)
		if (!is_in(list, *s))
			slot_vanish(*s, e);
	vec_for (v, &list->list) {
		struct agent_slot *s = find_slot(a, v);

		if (!activation_is_for(v, a->host)) {
			if (s)
				slot_vanish(s, e);
			continue;
		}
		if (s) {
			slot_renew(s, e, v);
			continue;
		}
		s = a->slots.len < SLOTS ? slot_new(e, v) : NULL;
		if (s && heapvec_push(&a->slots, s))
			slot_free(s);
	}
}

/* Says why the activations cannot be read, once. */
static void tell_feed(struct dtrace_agent *a)
{
	char text[sizeof(a->feed.problem)];

	if (!strcmp(a->feed_said, a->feed.problem))
		return;
	memcpy(a->feed_said, a->feed.problem, sizeof(a->feed_said));
	memcpy(text, a->feed.problem, sizeof(text));
	for (char *p = text; *p; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
	a->say(a->say_arg, *text ? text : "the activations can be read again");
}

static void read_feed(struct dtrace_agent *a, const struct slot_env *e)
{
	struct activations list = {.arena = arena_own_new(a->arena)};

	if (!list.arena)
		return;
	if (feed_work(&a->feed, e->now, &list))
		take_reading(a, e, &list);
	tell_feed(a);
	arena_release(a->arena, list.arena);
}

/* ---- what runs ---- */

static uint32_t count_children(const struct dtrace_agent *a)
{
	uint32_t n = 0;

	vec_for (s, &a->slots)
		n += (*s)->child.pid != 0;
	return n;
}

static void forget_slots(struct dtrace_agent *a, const struct slot_env *e)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < a->slots.len; i++) {
		struct agent_slot *s = a->slots.data[i];

		if (slot_is_over(s, e))
			slot_free(s);
		else
			a->slots.data[kept++] = s;
	}
	a->changed |= kept != a->slots.len;
	a->slots.len = kept;
}

/* Works on all slots.  Returns when one of them has something to do. */
static uint64_t run_slots(struct dtrace_agent *a, const struct slot_env *e)
{
	bool lost = feed_is_lost(&a->feed, e->now);
	uint64_t until = UINT64_MAX;
	char why[128];

	snprintf(why, sizeof(why), "the activations could not be read for %" PRIu64 "s",
		a->conf.lease / SECOND);
	vec_for (s, &a->slots) {
		bool start = !lost && !a->stopping && count_children(a) < CHILDREN;
		uint64_t next;

		if (a->stopping)
			slot_stop(*s, e, SLOT_ENDED, "the agent ends");
		else if (lost)
			slot_stop(*s, e, SLOT_WAITING, why);
		next = slot_work(*s, e, start);
		if (next < until)
			until = next;
	}
	forget_slots(a, e);
	return until;
}

/* ---- reports ---- */

static void report(struct dtrace_agent *a, const struct slot_env *e)
{
	struct buf row = {0};

	a->changed = false;
	a->reported = e->now;
	status_put(&row, &a->machine, a->run, clock_of(CLOCK_REALTIME) / 1000000, a->slots.data,
		a->slots.len);
	if (!row.failed)
		ship_put(a->ship, FLEET_AGENTS, 1, row.data, row.len);
	buf_free(&row);
}

/* A row when something changes, but one a second, which is the key of the table. */
static void report_if_due(struct dtrace_agent *a, const struct slot_env *e)
{
	uint64_t age = e->now - a->reported;

	if (!a->reported || age >= REPORT || (a->changed && age >= SECOND))
		report(a, e);
	ship_work(a->ship);
}

static void show_messages(struct dtrace_agent *a)
{
	const char *line;

	while ((line = ship_message(a->ship)))
		a->say(a->say_arg, line);
}

/* ---- the loop ---- */

static void wait_until(struct dtrace_agent *a, uint64_t now, uint64_t until)
{
	struct pollfd fds[CHILDREN + 2] = {{a->wake, POLLIN, 0}, {feed_fd(&a->feed), POLLIN, 0}};
	unsigned n = 2;
	uint64_t ms = until > now ? (until - now) / 1000000 + 1 : 1;

	vec_for (s, &a->slots)
		if ((*s)->child.pid && n < CHILDREN + 2)
			fds[n++] = (struct pollfd){(*s)->child.fd, POLLIN, 0};
	poll(fds, n, ms > 1000 ? 1000 : (int)ms);
	if (fds[0].revents)
		a->stopping = true;
	/* a dtrace that is about to end has closed its standard error: there is a moment to wait */
	for (unsigned i = 2; i < n; i++)
		if (fds[i].revents & POLLHUP)
			usleep(10000);
}

static void finish(struct dtrace_agent *a)
{
	struct slot_env e = env_now(a);

	a->say(a->say_arg, "the agent ends");
	report(a, &e);
	ship_end(a->ship);
	show_messages(a);
}

static int run(struct dtrace_agent *a)
{
	int err = start(a);

	if (err)
		return err;
	a->say(a->say_arg, "the agent begins");
	while (!a->stopping || count_children(a)) {
		struct slot_env e = env_now(a);
		uint64_t until;

		if (!a->stopping)
			read_feed(a, &e);
		until = run_slots(a, &e);
		report_if_due(a, &e);
		show_messages(a);
		if (!a->feed.asked && a->feed.next < until)
			until = a->feed.next;
		if (ship_is_dead(a->ship)) {
			set_error(a, -EPIPE, "the process that sends has died");
			return -EPIPE;
		}
		wait_until(a, e.now, until);
	}
	finish(a);
	return 0;
}

int dtrace_agent_run(struct dtrace_agent *a, void (*say)(void *arg, const char *text), void *arg)
{
	a->say = say;
	a->say_arg = arg;
	return ARENA_TRY(a->arena, run(a), no_memory(a));
}
