/* SPDX-License-Identifier: Apache-2.0 */
/*
 * child: a dtrace that runs an instrument.  It ends when this process does, however that ends.
 *
 * Times are CLOCK_BOOTTIME in ns.
 */
#ifndef AGENT_CHILD_H
#define AGENT_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define CHILD_LINE 512

/* A zeroed child runs nothing. */
struct child {
	pid_t pid;	       /* 0: none */
	int fd;		       /* its standard error */
	uint64_t kill_at;      /* 0: it was not asked to end */
	char line[CHILD_LINE]; /* under way */
	size_t len;
	unsigned lines;	       /* that were passed on */
	char last[CHILD_LINE]; /* the last whole line */
};

/* Start this program with WORDS, NULL at the end, and SCRIPT as descriptor SCRIPT_FD.  0 or -errno.
 */
int child_start(struct child *c, const char *const *words, int script);

/* Ask it to end; it has until then to send what it has.  Once more does nothing. */
void child_end(struct child *c, uint64_t now);

/* Receives a line that it has written. */
struct child_ear {
	void (*say)(void *arg, const char *line);
	void *arg;
};

/* Pass on what it has written, and kill it if it did not end in time. */
void child_work(struct child *c, uint64_t now, const struct child_ear *ear);

/* True if it has ended, with *STATUS as of waitpid(2): it runs nothing from then on. */
bool child_reap(struct child *c, int *status, const struct child_ear *ear);

#endif
