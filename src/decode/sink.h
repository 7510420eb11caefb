/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sink: decodes events and tables (consume/event.h) into the terms of the public interface
 * (dtrace/data.h) and hands them to one consumer: the text output, a format, a program's own.
 *
 * A firing is a sink_begin(), a sink_action() for each action that ran, in order, and a sink_end();
 * printa() is a sink_table() in its place.  Functions give 0, a negative errno, or what the
 * consumer returned, which ends the session.
 */
#ifndef DECODE_SINK_H
#define DECODE_SINK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct agg_table;
struct drop;
struct dtrace_consumer;
struct dtrace_place;
struct dtrace_table;
struct event;
struct output;
struct print_options;
struct probe;
struct rec_action;
struct sink;
struct stacks;
struct symtab;

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

/* The surroundings of sinks; options are read at each record and table, as setopt() changes them.
 */
struct sink_env {
	struct symtab *syms;
	struct stacks *const *stacks; /* that records and keys name; NULL, or of NULL: none do */
	const struct print_options *opts;
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

/*
 * Returns a sink that passes everything to a consumer of the public interface; C is copied.  NULL:
 * no memory.  CHANGING receives what sink_changing() is told; NULL: nobody does.
 */
struct sink *sink_new(const struct sink_env *env, const struct dtrace_consumer *c,
	int (*changing)(void *arg, const struct dtrace_table *t, bool after));

/*
 * Returns the sink of the text of dtrace(8), written to OUT, which stays the caller's, or to where
 * freopen() points.  NULL: no memory.
 */
struct sink *sink_text_new(const struct sink_env *env, FILE *out);

void sink_free(struct sink *s);

/* Returns where text sink S writes, for freopen(), ftruncate() and system(); owned by the sink. */
struct output *sink_text_output(struct sink *s);

int sink_begin(struct sink *s, const struct event *ev);
int sink_action(struct sink *s, const struct event *ev, uint32_t i);
int sink_end(struct sink *s, const struct event *ev);

/* EV NULL: at the end of the session; else action I of it, whose table this is. */
int sink_table(struct sink *s, const struct event *ev, uint32_t i, const struct agg_table *t);

int sink_drop(struct sink *s, const struct drop *d);
int sink_fault(struct sink *s, const struct fault *f);

/* Returns the ns between two snapshots; 0: none are wanted.  False: the next is not wanted. */
uint64_t sink_interval(const struct sink *s);
bool sink_wants_snapshot(struct sink *s);

/*
 * Table T of the aggregations as they are at TIME (ns since 1970) while tracing; NULL: that were
 * all of them.
 */
int sink_snapshot(struct sink *s, uint64_t time, const struct agg_table *t);

/* Table T right before clear() or trunc(), and again AFTER it, without another reading. */
int sink_changing(struct sink *s, const struct agg_table *t, bool after);

/* The newline that ends a session, and the one after ^C: of text alone. */
int sink_newline(struct sink *s);

/* Nothing comes any more. */
int sink_finish(struct sink *s);
int sink_flush(struct sink *s);

/* Tell the session that action ACT of EV failed, and why. */
void sink_failed(const struct sink_env *env, const struct event *ev, const struct rec_action *act,
	const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* The text of ADDRESS in process PID, or (0) in the kernel, into BUF, as snprintf(3) does. */
int sink_address_text(
	const struct sink_env *env, pid_t pid, uint64_t address, char *buf, size_t size);

/* Hand T as the public interface has it to VISIT; what that returns, or -ENOMEM. */
int sink_table_view(const struct sink_env *env, const struct agg_table *t,
	int (*visit)(void *arg, const struct dtrace_table *t), void *arg);

/*
 * carry_out.c: carry out action I of EV if it is system(), freopen() or ftruncate(), after the
 * sinks were flushed.  O NULL: there is no text output, and only system() has an effect.  A failure
 * of the action itself goes to ENV's failed().
 */
int sink_carry_out(
	struct output *o, const struct sink_env *env, const struct event *ev, uint32_t i);

#endif
