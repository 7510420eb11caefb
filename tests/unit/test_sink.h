/* SPDX-License-Identifier: Apache-2.0 */
/* Does with an event and a sink what a session does. */
#ifndef TEST_SINK_H
#define TEST_SINK_H

#include "consume/event.h"
#include "print/output.h"
#include "decode/sink.h"
#include "print/print.h"

static inline int sink_event(struct sink *s, const struct event *ev)
{
	int err = sink_begin(s, ev);

	for (uint32_t i = 0; i < ev->desc->nactions && !err; i++)
		if (event_ran(ev, i))
			err = sink_action(s, ev, i);
	return err ? err : sink_end(s, ev);
}

/* The same with the text sink S of ENV, whose output the actions may change. */
static inline int text_event(struct sink *s, const struct sink_env *env, const struct event *ev)
{
	int err = sink_begin(s, ev);

	for (uint32_t i = 0; i < ev->desc->nactions && !err; i++) {
		if (!event_ran(ev, i))
			continue;
		err = sink_action(s, ev, i);
		if (!err)
			err = sink_flush(s);
		if (!err)
			err = sink_carry_out(sink_text_output(s), env, ev, i);
	}
	return err ? err : sink_end(s, ev);
}

#endif
