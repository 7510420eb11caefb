// SPDX-License-Identifier: Apache-2.0
/* Carries out the actions that are the consumer's: exit(), setopt(), system(), printa() ... */
#include "session/actions.h"

#include <string.h>

#include "abi/record.h"
#include "consume/event.h"
#include "decode/sink.h"
#include "session/faults.h"
#include "session/options.h"
#include "session/session.h"
#include "session/sinks.h"
#include "session/start.h"
#include "session/tables.h"

int64_t actions_integer(const void *data, const struct datum *k)
{
	const char *p = (const char *)data + k->offset;
	uint64_t v = 0;
	unsigned up = 64 - 8 * k->size;

	memcpy(&v, p, k->size <= 8 ? k->size : 8);
	if (k->size >= 8 || !k->size)
		return (int64_t)v;
	return k->is_signed ? (int64_t)(v << up) >> up : (int64_t)v;
}

static const char *string(const struct event *ev, const struct datum *k)
{
	return k->kind == DATUM_LITERAL ? k->literal : (const char *)ev->data + k->offset;
}

static int set_option(struct dtrace *d, const struct event *ev, const struct rec_action *act)
{
	const char *name = string(ev, &act->data[0]), *text = "";
	const char *value = act->ndata > 1 ? string(ev, &act->data[1]) : NULL;

	if (options_set(d->opts, name, value, FROM_SETOPT, true, &text))
		return faults_report_action(d, ev, act, "couldn't set option \"%s\" to \"%s\": %s",
			name, value ? value : "1", text);
	settings_refresh(d);
	return 0;
}

/* Flush the outputs: earlier text precedes a command's output, or goes to the previous file. */
static int change_output(struct dtrace *d, const struct event *ev, uint32_t i)
{
	int err = sinks_flush(d);

	return err ? err : sink_carry_out(d->tracing.text, &d->tracing.env, ev, i);
}

int actions_carry_out(struct dtrace *d, const struct event *ev, uint32_t i)
{
	const struct rec_action *act = &ev->desc->actions[i];

	switch (act->kind) {
	case REC_EXIT:
		d->tracing.exit_status = (int)actions_integer(ev->data, &act->data[0]);
		return 0;
	case REC_SETOPT:
		return set_option(d, ev, act);
	case REC_SYSTEM:
		/* the command that BEGIN starts is traced, and tracing does not wait for it */
		start_firing(d);
		return change_output(d, ev, i);
	case REC_FREOPEN:
	case REC_FTRUNCATE:
		return change_output(d, ev, i);
	case REC_PRINTA:
	case REC_CLEAR:
	case REC_TRUNC:
	case REC_NORMALIZE:
	case REC_DENORMALIZE:
		return tables_action(d, ev, i);
	default:
		return 0;
	}
}
