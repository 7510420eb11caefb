// SPDX-License-Identifier: Apache-2.0
/* Shows on the terminal how many probes are enabled so far. */
#include "progress.h"

#include <dtrace/dtrace.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "message.h"

#define FIRST_MS 1000
#define EACH_MS	 250

/* ---- the line; the lock is held ---- */

static void erase(struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->shown = false;
}

/* The count stays 0 while the kernel makes one link for all probes, so show the seconds. */
static void draw(struct progress *p)
{
	if (!p->all) /* still compiling, or done */
		return;
	if (p->attached)
		fprintf(stderr, "\r%s: enabled %u of %u probes\033[K", message_name(), p->attached,
			p->all);
	else
		fprintf(stderr, "\r%s: enabling %u probes (%u s)\033[K", message_name(), p->all,
			p->seconds);
	p->shown = true;
}

/* ---- the thread that draws it ---- */

static unsigned ms_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (unsigned)((now.tv_sec - start->tv_sec) * 1000 +
		(now.tv_nsec - start->tv_nsec) / 1000000);
}

/* Waits until the end, at most MS milliseconds.  Returns true at the end; the lock is held. */
static bool ends_within(struct progress *p, unsigned ms)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += (long)ms * 1000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	while (!p->over)
		if (pthread_cond_timedwait(&p->ended, &p->lock, &until))
			break;
	return p->over;
}

static void *show_progress(void *arg)
{
	struct progress *p = arg;
	struct timespec start;

	clock_gettime(CLOCK_MONOTONIC, &start);
	pthread_mutex_lock(&p->lock);
	for (unsigned wait = FIRST_MS; !ends_within(p, wait); wait = EACH_MS) {
		p->seconds = ms_since(&start) / 1000;
		draw(p);
	}
	erase(p);
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* ---- the tracing thread ---- */

static void on_progress(void *arg, unsigned attached, unsigned all)
{
	struct progress *p = arg;

	pthread_mutex_lock(&p->lock);
	p->attached = attached;
	p->all = all;
	if (!all) /* BEGIN's output follows */
		erase(p);
	pthread_mutex_unlock(&p->lock);
}

static bool is_terminal(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

void progress_begin(struct progress *p, struct dtrace *d)
{
	pthread_condattr_t clock;
	sigset_t all, before;

	*p = (struct progress){.d = d};
	if (!is_terminal())
		return;
	pthread_mutex_init(&p->lock, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&p->ended, &clock);
	pthread_condattr_destroy(&clock);
	/* signals are for the thread that traces */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	p->running = !pthread_create(&p->thread, NULL, show_progress, p);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (p->running)
		dtrace_set_progress_handler(d, on_progress, p);
}

void progress_end(struct progress *p)
{
	if (!p->running)
		return;
	dtrace_set_progress_handler(p->d, NULL, NULL);
	pthread_mutex_lock(&p->lock);
	p->over = true;
	pthread_cond_signal(&p->ended);
	pthread_mutex_unlock(&p->lock);
	pthread_join(p->thread, NULL);
	p->running = false;
}

void progress_message(void *arg, const char *text)
{
	struct progress *p = arg;
	bool shown;

	if (!p->running) {
		message_line("%s", text);
		return;
	}
	pthread_mutex_lock(&p->lock);
	shown = p->shown;
	erase(p);
	message_line("%s", text);
	if (shown)
		draw(p);
	pthread_mutex_unlock(&p->lock);
}
