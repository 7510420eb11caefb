/* SPDX-License-Identifier: Apache-2.0 */
/*
 * late: probes of user code that come while tracing: in libraries that a process loads, in what it
 * executes, in processes that start, and, with option follow, in its children.
 */
#ifndef LATE_LATE_H
#define LATE_LATE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "load/load.h"

struct arena;
struct compiling;
struct image;
struct late;
struct report;
struct targets;
struct waits;

/* Option hold: when processes wait until somebody has looked at a file for probes. */
enum late_hold { HOLD_NONE, HOLD_EXEC, HOLD_OPEN };

/* The parts of a session that late probes use: borrowed, and they live longer. */
struct late_env {
	struct arena *arena;
	struct report *report;
	struct compiling *compiling;
	struct targets *targets;
	struct load *load;
	const struct image *image; /* that is loaded */
	struct waits *waits;
	unsigned turn; /* of its passes: in which to attach */
	bool follow;   /* the children of targets, too */
	enum late_hold hold;
	bool destructive;	/* such actions are allowed */
	bool names;		/* records are kept that name probes by their ids */
	struct load_bound most; /* of places to attach to */
	/*
	 * Loads MORE in addition and tells the consumer of it: 0, or a negative errno and *TEXT
	 * says why.
	 */
	int (*add)(void *arg, const struct image *more, const char **text);
	/* Tells of places that the kernel has refused. */
	void (*tell_refused)(void *arg);
	void *arg;
};

/*
 * Call it after programs are loaded and before they are attached.  0 and *OUT, NULL if no probe can
 * come; or -errno and a message, and what there is of *OUT.
 */
int late_open(const struct late_env *env, struct late **out);
void late_close(struct late *l); /* NULL: nothing */

/*
 * Call it after programs are attached and before targets go on; from then on each pass of the run
 * loop attaches to new probes and detaches from processes that ended.  0 or -errno and a message.
 */
int late_begin(struct late *l);

/*
 * L is NULL in all that follow if no probe can come.
 *
 * True if clauses wait for a Java VM that has no agent yet.
 */
bool late_awaits_java(const struct late *l);

/* Returns true if clauses of C compile only when their probes come; before late_open() as well. */
bool late_awaits_unchecked(const struct compiling *c);

/* True if a process with few rights of its own can attach to the late probes of L. */
bool late_can_delegate(const struct late *l);

/* Have a process with the capabilities CAPS attach from now on: 0 or -errno. */
int late_delegate(struct late *l, uint64_t caps);

/* True if probes can come while tracing, and are looked for. */
bool late_is_open(const struct late *l);

/* True if option follow is set and a child of a target, or a child's, lives that is no target. */
bool late_family_lives(struct late *l);

/* Report the descriptions that matched nothing as long as tracing lasted. */
void late_ended(struct late *l);

/* Returns the number of processes so far that ran before their probes were placed. */
uint64_t late_unplaced(const struct late *l);

/* Returns the number of events so far that the kernel had no room for: each may be of a process. */
uint64_t late_unseen(const struct late *l);

/* Calls FN for each process that has late probes, or is followed. */
void late_each_process(const struct late *l, void (*fn)(void *arg, pid_t pid), void *arg);

/* Free what was detached from.  Call it if the buffer was empty after the last pass. */
void late_consumed(struct late *l);

#endif
