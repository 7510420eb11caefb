/* SPDX-License-Identifier: Apache-2.0 */
/* What the session does with an event and a sink. */
#ifndef TEST_SINK_H
#define TEST_SINK_H

#include "out/sink.h"

static inline int sink_event(struct sink *s, const struct event *ev)
{
	int err = s->ops->begin(s, ev);

	for (uint32_t i = 0; i < ev->desc->nactions && !err; i++)
		if (event_ran(ev, i))
			err = s->ops->action(s, ev, i);
	return err ? err : s->ops->end(s, ev);
}

#endif
