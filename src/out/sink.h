/* SPDX-License-Identifier: Apache-2.0 */
/* sink: the interface to outputs.  Text, JSON and pictures are peers behind this interface. */
#ifndef OUT_SINK_H
#define OUT_SINK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct agg_table;
struct drop;
struct dtrace_place;
struct event;
struct rec_action;
struct sink;
struct stacks;

/* A fault in a program, or in an action of the consumer. */
struct fault {
	const struct probe *probe; /* NULL = unknown */
	uint32_t clause, cpu;
	uint32_t code; /* enum dt_fault_code */
	uint64_t value;
	const char *what; /* "invalid address (0x10)" */
	const char *text; /* the whole message */
	/* as in struct dtrace_fault */
	unsigned action;
	const struct dtrace_place *place, *definition;
};

/*
 * A firing is a begin(), an action() for each that ran, in order, and an end(); printa() is a
 * table() in its place.  Functions give 0 or a negative errno (write error), which ends the
 * session; those marked so may be NULL.
 */
struct sink_ops {
	int (*begin)(struct sink *s, const struct event *ev);
	int (*action)(struct sink *s, const struct event *ev, uint32_t i);
	int (*end)(struct sink *s, const struct event *ev);
	/* EV NULL: at the end of the session; else action I of it, whose table this is. */
	int (*table)(struct sink *s, const struct event *ev, uint32_t i, const struct agg_table *t);
	int (*drop)(struct sink *s, const struct drop *d);   /* may be NULL */
	int (*fault)(struct sink *s, const struct fault *f); /* may be NULL */
	/* False: the next snapshot is not wanted.  May be NULL. */
	bool (*wants_snapshot)(struct sink *s);
	/*
	 * Table T of the aggregations as they are at TIME (ns since 1970) while tracing; NULL: that
	 * were all of them.  May be NULL if the sink's interval is 0.
	 */
	int (*snapshot)(struct sink *s, uint64_t time, const struct agg_table *t);
	/*
	 * Table T right before clear() or trunc(), and again AFTER it, without another reading.
	 * May be NULL.
	 */
	int (*changing)(struct sink *s, const struct agg_table *t, bool after);
	/* The newline that ends a session, and the one after ^C. May be NULL. */
	int (*newline)(struct sink *s);
	/* Nothing comes any more. May be NULL. */
	int (*finish)(struct sink *s);
	int (*flush)(struct sink *s);
	void (*free)(struct sink *s);
};

struct sink {
	const struct sink_ops *ops;
	uint64_t interval; /* ns between two snapshots; 0: none */
};

/* The surroundings of sinks; options are read at each use, as setopt() changes them. */
struct sink_env {
	struct symtab *syms;
	struct stacks *const *stacks; /* that records and keys name; NULL, or of NULL: none do */
	const struct out_options *opts;
	/* the probe with this id, for DATUM_PROBEID */
	const struct probe *(*probe)(void *arg, uint64_t id);
	/* Called when ACT of EV failed while it was carried out; TEXT says which and why.  May be
	 * NULL. */
	void (*failed)(
		void *arg, const struct event *ev, const struct rec_action *act, const char *text);
	void *arg;
	uint32_t kernel_frames; /* that the kernel can give of its stack; 0: unknown */
	uint64_t wall_offset;	/* ns from the records' clock to 1970 */
	bool stdout_taken;	/* an output other than text is written to the standard output */
	pid_t target;		/* for %A of a plain integer */
};

/* The characters of pictures. */
enum out_encoding {
	OUT_ANY,   /* nobody said: blocks only where there is no other good way (aggpack) */
	OUT_ASCII, /* or nobody said and the terminal can do no better */
	OUT_UTF8,
};

/* The options that change output. */
struct out_options {
	bool quiet, flowindent, rawbytes, noresolve;
	bool demangle, ustackline, ustackinline;
	bool agghist, aggpack, aggzoom;
	enum out_encoding encoding;
	uint32_t stackindent;
	uint32_t width;	    /* columns that tables fit; 0: DTrace's layout, whatever they hold */
	uint32_t printsize; /* bytes that print() shows; 0 = all that were recorded */
	bool noprefix;	    /* no CPU and ID columns */
	bool termsafe;	    /* traced text goes to a terminal: print_safe() */
};

/*
 * Returns the text of dtrace(8), written to OUT, which stays the caller's, or to where freopen()
 * points.  NULL: no memory.
 */
struct sink *sink_text_new(const struct sink_env *env, FILE *out);

/* Returns where text sink S writes, for freopen(), ftruncate() and system(); owned by the sink. */
struct output;
struct output *sink_text_output(struct sink *s);

/* Tell the session that action ACT of EV failed, and why. */
void sink_failed(const struct sink_env *env, const struct event *ev, const struct rec_action *act,
	const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/*
 * Returns a sink that passes everything to a consumer of the public interface (consumer.c). C is
 * copied. NULL: no memory.
 */
struct dtrace_consumer;
struct sink *sink_consumer_new(const struct sink_env *env, const struct dtrace_consumer *c);

/* Pass struct sink_ops' changing() of S, a consumer's, to CHANGING with the consumer's arg. */
struct dtrace_table;
void sink_consumer_changing(
	struct sink *s, int (*changing)(void *arg, const struct dtrace_table *t, bool after));

/* The text of ADDRESS in process PID, or (0) in the kernel, into BUF, as snprintf(3) does. */
int sink_address_text(
	const struct sink_env *env, pid_t pid, uint64_t address, char *buf, size_t size);

/* Hand T as the public interface has it to VISIT; what that returns, or -ENOMEM. */
int sink_table_view(const struct sink_env *env, const struct agg_table *t,
	int (*visit)(void *arg, const struct dtrace_table *t), void *arg);

#endif
