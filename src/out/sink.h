/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sink: where results go.  Text, JSON and pictures are peers behind this interface.
 */
#ifndef OUT_SINK_H
#define OUT_SINK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "consume/event.h"

struct sink;

/* Where the actions of an event that are not the sink's business go, in order (printa() ...). */
struct event_handler {
	/* Called for each action of the event, in order, except those the sink prints itself. */
	int (*action)(void *arg, const struct event *ev, const struct rec_action *act);
	/* Called when an action that is the sink's failed; TEXT says which and why. May be NULL. */
	void (*failed)(void *arg, const struct event *ev, const char *text);
	void *arg;
};

struct sink_ops {
	/* Print the event: header, data of each action in order. 0 or -errno (write error). */
	int (*event)(struct sink *s, const struct event *ev, const struct event_handler *other);
	int (*aggregation)(struct sink *s, const struct agg_table *t);
	/* The newline that ends a session, and the one after ^C. */
	int (*newline)(struct sink *s);
	int (*flush)(struct sink *s);
	void (*free)(struct sink *s);
};

struct sink {
	const struct sink_ops *ops;
};

/* What sinks need of their surroundings; options are read at each use, as setopt() changes them. */
struct sink_env {
	struct symtab *syms;
	const struct out_options *opts;
	/* the probe with this id, for DATUM_PROBEID */
	const struct probe *(*probe)(void *arg, uint32_t id);
	void *arg;
	pid_t target; /* for %A of a plain integer */
};

/* The characters of pictures. */
enum out_encoding {
	OUT_ANY,   /* nobody said: blocks only where there is no other good way (aggpack) */
	OUT_ASCII, /* or nobody said and the terminal can do no better */
	OUT_UTF8,
};

/* The options that change output. */
struct out_options {
	bool quiet, flowindent, rawbytes, noresolve, aggpercpu;
	bool agghist, aggpack, aggzoom;
	enum out_encoding encoding;
	uint32_t stackindent;
	uint32_t printsize; /* bytes that print() shows; 0 = all that were recorded */
	bool testing;	    /* _DTRACE_TESTING: no CPU and ID columns */
};

/*
 * The text of dtrace(8), written to OUT, which stays the caller's, or to where freopen() points.
 * NULL: no memory.
 */
struct sink *sink_text_new(const struct sink_env *env, FILE *out);

#endif
