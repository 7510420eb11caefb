/* SPDX-License-Identifier: Apache-2.0 */
/* Does with an event and a sink what a session does. */
#ifndef TEST_SINK_H
#define TEST_SINK_H

#include "consume/event.h"
#include "out/output.h"
#include "out/sink.h"

static inline int sink_event(struct sink *s, const struct event *ev)
{
	int err = s->ops->begin(s, ev);

	for (uint32_t i = 0; i < ev->desc->nactions && !err; i++)
		if (event_ran(ev, i))
			err = s->ops->action(s, ev, i);
	return err ? err : s->ops->end(s, ev);
}

/* The same with the text sink S of ENV, whose output the actions may change. */
static inline int text_event(struct sink *s, const struct sink_env *env, const struct event *ev)
{
	int err = s->ops->begin(s, ev);

	for (uint32_t i = 0; i < ev->desc->nactions && !err; i++) {
		if (!event_ran(ev, i))
			continue;
		err = s->ops->action(s, ev, i);
		if (!err)
			err = s->ops->flush(s);
		if (!err)
			err = output_carry_out(sink_text_output(s), env, ev, i);
	}
	return err ? err : s->ops->end(s, ev);
}

#endif
