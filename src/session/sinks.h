/* SPDX-License-Identifier: Apache-2.0 */
/* sinks: a session's outputs and consumers; each call goes to all of them, in order. */
#ifndef SESSION_SINKS_H
#define SESSION_SINKS_H

#include <stdbool.h>
#include <stdint.h>

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
int sinks_drop(struct dtrace *d, const struct drop *drop);
int sinks_fault(struct dtrace *d, const struct fault *f);
int sinks_newline(struct dtrace *d);
int sinks_finish(struct dtrace *d);
int sinks_flush(struct dtrace *d);
void sinks_free(struct dtrace *d);

/* True if an output shows the time of records. */
bool sinks_want_time(const struct dtrace *d);

#endif
