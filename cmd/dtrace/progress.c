// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "message.h"

#define FIRST_MS 1000
#define EACH_MS	 250

/* Whether it ended within MS milliseconds; the lock is held. */
static bool ends_within(struct progress *p, unsigned ms)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
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
	bool shown = false;

	pthread_mutex_lock(&p->lock);
	for (unsigned wait = FIRST_MS; !ends_within(p, wait); wait = EACH_MS) {
		unsigned all, n = dtrace_session_attached(p->d, &all);

		if (!all) /* programs are still being made */
			continue;
		fprintf(stderr, "\r%s: enabled %u of %u probes", message_name(), n, all);
		shown = true;
	}
	pthread_mutex_unlock(&p->lock);
	if (shown)
		fprintf(stderr, "\r\033[K");
	return NULL;
}

void progress_begin(struct progress *p, const struct dtrace *d)
{
	sigset_t all, before;

	*p = (struct progress){.d = d};
	if (!isatty(STDERR_FILENO))
		return;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->ended, NULL);
	/* signals are for the thread that traces */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	p->running = !pthread_create(&p->thread, NULL, show_progress, p);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void progress_end(struct progress *p)
{
	if (!p->running)
		return;
	pthread_mutex_lock(&p->lock);
	p->over = true;
	pthread_cond_signal(&p->ended);
	pthread_mutex_unlock(&p->lock);
	pthread_join(p->thread, NULL);
}
