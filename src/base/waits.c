// SPDX-License-Identifier: Apache-2.0
/* Waits for what was registered, and does the work of those who registered. */
#define _GNU_SOURCE /* ppoll() */
#include "base/waits.h"

#include <poll.h>
#include <stddef.h>
#include <time.h>

#include "base/arena.h"

#define NSEC_PER_SEC 1000000000ULL

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

struct loop_wait *waits_add(struct arena *a, struct waits *w, unsigned turn,
	int (*work)(void *arg, uint64_t now), void *arg)
{
	struct loop_wait *new = arena_new_obj(a, struct loop_wait);
	uint32_t i;

	*new = (struct loop_wait){
		.fd = -1, .until = WAIT_NEVER, .turn = turn, .work = work, .arg = arg};
	w->polled = arena_new_array(a, struct pollfd, w->all.len + 1);
	vec_push(a, &w->all, new);
	for (i = w->all.len - 1; i && w->all.data[i - 1]->turn > turn; i--)
		w->all.data[i] = w->all.data[i - 1];
	w->all.data[i] = new;
	return new;
}

void waits_for(const struct waits *w, uint64_t until)
{
	uint64_t now = now_ns();
	struct timespec ts;
	nfds_t n = 0;

	vec_for (at, &w->all) {
		if ((*at)->until < until)
			until = (*at)->until;
		if ((*at)->fd >= 0)
			w->polled[n++] = (struct pollfd){.fd = (*at)->fd, .events = POLLIN};
	}
	if (until <= now)
		return;
	ts.tv_sec = (time_t)((until - now) / NSEC_PER_SEC);
	ts.tv_nsec = (long)((until - now) % NSEC_PER_SEC);
	ppoll(w->polled, n, &ts, NULL);
}

int waits_work(const struct waits *w, unsigned first, unsigned last)
{
	int err = 0;

	/* what is added meanwhile has its turn in the next pass, or in this one */
	for (uint32_t i = 0; !err && i < w->all.len; i++) {
		const struct loop_wait *at = w->all.data[i];

		if (at->work && at->turn >= first && at->turn <= last)
			err = at->work(at->arg, now_ns());
	}
	return err;
}
