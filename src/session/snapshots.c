// SPDX-License-Identifier: Apache-2.0
/* Hands the aggregations to outputs and consumers while tracing. */
#include "session/snapshots.h"

#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/report.h"
#include "base/waits.h"
#include "decode/sink.h"
#include "session/session.h"
#include "session/sinks.h"
#include "session/tables.h"
#include "session/tracing.h"

static const struct sink *sink_at(const struct dtrace *d, uint32_t i)
{
	return d->tracing.sinks.data[i];
}

/* Returns when the next one is due. */
static uint64_t next(const struct tracing *t)
{
	uint64_t first = WAIT_NEVER;

	for (uint32_t i = 0; i < t->sinks.len; i++)
		if (t->next_snapshots[i] < first)
			first = t->next_snapshots[i];
	return first;
}

struct taker {
	struct sink *sink;
	uint64_t time;
};

/* Hands T over, of the snapshot that is being taken. */
static int hand_over(void *arg, const struct agg_table *t)
{
	struct taker *taker = arg;

	return sink_snapshot(taker->sink, taker->time, t);
}

static int take(struct dtrace *d, uint32_t i)
{
	struct timespec now;
	struct taker taker = {.sink = d->tracing.sinks.data[i]};
	int err;

	clock_gettime(CLOCK_REALTIME, &now);
	taker.time = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	err = tables_each(d, hand_over, &taker);
	if (!err)
		err = hand_over(&taker, NULL);
	if (!err)
		return 0;
	if (d->tracing.problem)
		return sinks_failed(d, err);
	return report_error(&d->report, err, "failed to show aggregations: %s", strerror(-err));
}

/* Hands the aggregations to those whose interval is over: 0 or -errno, with an error. */
static int work(void *arg, uint64_t now)
{
	struct dtrace *d = arg;
	int err = 0;

	for (uint32_t i = 0; i < d->tracing.sinks.len && !err; i++) {
		uint64_t *due = &d->tracing.next_snapshots[i];

		if (*due > now)
			continue;
		/* one that came late is not made up for */
		*due += (now - *due) / sink_interval(sink_at(d, i)) * sink_interval(sink_at(d, i)) +
			sink_interval(sink_at(d, i));
		if (sink_wants_snapshot(d->tracing.sinks.data[i]))
			err = take(d, i);
	}
	d->tracing.at_snapshots->until = next(&d->tracing);
	return err;
}

void snapshots_begin(struct dtrace *d, uint64_t now)
{
	struct tracing *t = &d->tracing;

	t->next_snapshots = arena_new_array(d->arena, uint64_t, t->sinks.len + 1);
	for (uint32_t i = 0; i < t->sinks.len; i++)
		t->next_snapshots[i] = sink_interval(sink_at(d, i))
			? now + sink_interval(sink_at(d, i))
			: WAIT_NEVER;
	t->at_snapshots = waits_add(d->arena, &t->waits, TURN_SHOW, work, d);
	t->at_snapshots->until = next(t);
}

int snapshots_finish(struct dtrace *d)
{
	int err = 0;

	for (uint32_t i = 0; i < d->tracing.sinks.len && !err; i++)
		if (sink_interval(sink_at(d, i)))
			err = take(d, i);
	return err;
}
