/* SPDX-License-Identifier: Apache-2.0 */
/* sinks: a session's outputs and consumers; each call goes to all of them, in order. */
#ifndef SESSION_SINKS_H
#define SESSION_SINKS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/writer.h"

struct agg_table;
struct drop;
struct dtrace;
struct event;
struct fault;

/* Functions return 0 or the first sink's negative errno. */
int sinks_open(struct dtrace *d);
int sinks_begin(struct dtrace *d, const struct event *ev);
int sinks_action(struct dtrace *d, const struct event *ev, uint32_t i);
int sinks_end(struct dtrace *d, const struct event *ev);
int sinks_table(struct dtrace *d, const struct event *ev, uint32_t i, const struct agg_table *t);
int sinks_changing(struct dtrace *d, const struct agg_table *t, bool after);
/* True if an output wants sinks_changing(). */
bool sinks_follow(const struct dtrace *d);
int sinks_drop(struct dtrace *d, const struct drop *drop);
int sinks_fault(struct dtrace *d, const struct fault *f);
int sinks_newline(struct dtrace *d);
int sinks_finish(struct dtrace *d);
int sinks_flush(struct dtrace *d);
/* Report ERR, which an output returned, with the name of its file or of freopen()'s; returns it. */
int sinks_failed(struct dtrace *d, int err);
void sinks_free(struct dtrace *d);

/* True if an output shows the time of records. */
bool sinks_want_time(const struct dtrace *d);

/* True if an output sends rows, of each interval. */
bool sinks_send(const struct dtrace *d);

/* True if an output shows the thread of records. */
bool sinks_want_thread(const struct dtrace *d);

/* ---- for results that come from a file and not from events (view.c) ---- */

struct dtrace_consumer;
struct output_request;
struct writer;
struct writer_info;

/* Returns what a picture of this session says it is about; the texts live as long as D. */
struct writer_about sinks_about(struct dtrace *d);

/* Returns a place for a new output, which is taken before that is opened: sinks_free() closes it.
 */
struct writer *sinks_writer(struct dtrace *d);

/* True if R asks for the text output, which is no consumer. */
bool sinks_is_text(const struct dtrace *d, const struct output_request *r);

/*
 * Open the consumer that R asks for, which is not text: *C.  INFO says what is known of the
 * results; the rest of it is filled in.  0 or -errno, with an error in the report.
 */
int sinks_consumer(struct dtrace *d, const struct output_request *r, struct writer_info *info,
	struct dtrace_consumer *c);

/* True if an output shows what changed since older results. */
bool sinks_compare(const struct dtrace *d);

/* view.c: the options of the session that the text depends on (struct writer_info). */
const char *const *view_options(struct dtrace *d);

/* view.c: pass the older results to the outputs that compare, which were opened. */
int view_older(struct dtrace *d);

/*
 * The consumer of R has finished with ERR, 0 or -errno: the file appears, or the report has an
 * error.  Returns what failed.
 */
int sinks_commit(struct dtrace *d, struct output_request *r, int err);

#endif
