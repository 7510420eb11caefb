// SPDX-License-Identifier: Apache-2.0
/* Has a process of its own attach to late probes (load/deputy.h), and goes on if that ends. */
#include <errno.h>

#include "base/report.h"
#include "base/vec.h"
#include "compile/image.h"
#include "load/load.h"
#include "probe/provider_env.h"
#include "probe/registry.h"
#include "probe/user_provider.h"
#include "sema/typed.h"
#include "session/late.h"
#include "session/late_int.h"
#include "session/session.h"
#include "sym/userland.h"
#include "target/holder.h"
#include "usdt/notes_cache.h"

bool late_can_delegate(const struct late_probes *l)
{
	vec_for (c, &l->clauses)
		if (c->clause->unchecked || c->clause->late->user->looks_inside)
			return false;
	return true;
}

int late_delegate(struct dtrace *d, uint64_t caps)
{
	VEC(uint32_t) progs = {0};
	const struct looker *by;
	int err;

	vec_for (o, &d->image->open)
		if (!o->retired)
			vec_push(d->arena, &progs, o->prog);
	err = load_delegate(d->tracing.load, progs.data, progs.len, caps);
	if (err)
		return err;
	by = load_looker(d->tracing.load);
	/* it would wait for us while we wait for it */
	if (d->tracing.late_probes->holder)
		holder_exempt(d->tracing.late_probes->holder, load_deputy(d->tracing.load));
	registry_env(d->compiling.registry)->by = by;
	userland_look_by(d->compiling.userland, by);
	notes_cache_look_by(d->compiling.notes, by);
	return 0;
}

const struct looker *late_looker(const struct dtrace *d)
{
	return load_looker(d->tracing.load);
}

void late_check_deputy(struct dtrace *d)
{
	struct late_probes *l = d->tracing.late_probes;

	l->alone |= load_deputy_ended(d->tracing.load);
	if (l->alone && !l->told_alone)
		report_message(&d->report,
			"the process that attaches to new probes has ended: probes that come from "
			"now on are not enabled");
	l->told_alone = l->alone;
}
