// SPDX-License-Identifier: Apache-2.0
/* Opens the probes that come while tracing, and takes in the programs that are made for them. */
#include <stdbool.h>

#include "base/report.h"
#include "ir/target.h"
#include "late/late.h"
#include "session/events.h"
#include "session/filters.h"
#include "session/limits.h"
#include "session/options.h"
#include "session/refused.h"
#include "session/session.h"
#include "session/start.h"
#include "session/tracing.h"

/* What the programs of MORE use may be new to all others. */
static int connect(struct dtrace *d)
{
	int err = events_more(d);

	if (!err)
		err = filters_install(d);
	if (!err)
		err = start_unwind(d);
	return err;
}

/* struct late_env's add */
static int add(void *arg, const struct image *more, const char **text)
{
	struct dtrace *d = arg;
	int err = start_more(d, more, text);

	/* they are loaded: what is missing is told, and tracing goes on */
	if (!err && connect(d))
		report_message(&d->report, "%s", d->report.error);
	return err;
}

static void tell_refused(void *arg)
{
	refused_tell_late(arg);
}

int start_late(struct dtrace *d)
{
	const struct late_env env = {
		.arena = d->arena,
		.report = &d->report,
		.compiling = &d->compiling,
		.targets = d->targets,
		.load = d->tracing.load,
		.image = d->image,
		.waits = &d->tracing.waits,
		.turn = TURN_NEWS,
		.follow = options_on(d->opts, OPT_follow),
		.hold = (enum late_hold)options_number(d->opts, OPT_hold),
		.destructive = options_on(d->opts, OPT_destructive),
		.names = options_number(d->opts, OPT_bufpolicy) != POLICY_SWITCH ||
			!options_on(d->opts, OPT_temporal),
		.most = limits_bound(&d->limits, LIMIT_probes),
		.add = add,
		.tell_refused = tell_refused,
		.arg = d,
	};

	return late_open(&env, &d->tracing.late_probes);
}
