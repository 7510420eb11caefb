/* SPDX-License-Identifier: Apache-2.0 */
/*
 * progress: a line on the terminal that says how many probes are enabled so far.  It appears after
 * a second and is erased at the end.  Messages of the library are printed through this module,
 * because the line has to be erased before each of them.
 */
#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>

/* Zeroed, it only prints messages. */
struct progress {
	struct dtrace *d;
	bool running; /* between begin and end, on a terminal: the rest is in use */
	pthread_t thread;
	pthread_mutex_t lock; /* of what follows, and of the terminal */
	pthread_cond_t ended;
	bool over, shown;
	unsigned seconds; /* since the beginning */
	unsigned attached, all;
};

/* Start the line for dtrace_session_go(), if stderr is a terminal. */
void progress_begin(struct progress *p, struct dtrace *d);

/* Erase the line.  Nothing happens if it has not begun. */
void progress_end(struct progress *p);

/* Print "NAME: text" in place of the line. */
void progress_message(void *arg, const char *text);

#endif
