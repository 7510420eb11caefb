// SPDX-License-Identifier: Apache-2.0
/* Has a process of its own attach to late probes (load/deputy.h), and goes on if that ends. */
#include <errno.h>

#include "base/report.h"
#include "base/vec.h"
#include "compile/compiling.h"
#include "compile/image.h"
#include "load/load.h"
#include "probe/provider_env.h"
#include "probe/registry.h"
#include "probe/user_provider.h"
#include "sema/typed.h"
#include "late/late.h"
#include "late/late_int.h"
#include "sym/userland.h"
#include "target/holder.h"
#include "usdt/notes_cache.h"

bool late_can_delegate(const struct late *l)
{
	vec_for (c, &l->clauses)
		if (c->clause->unchecked || c->clause->late->user->looks_inside)
			return false;
	return true;
}

int late_delegate(struct late *l, uint64_t caps)
{
	VEC(uint32_t) progs = {0};
	const struct looker *by;
	int err;

	vec_for (o, &l->env.image->open)
		if (!o->retired)
			vec_push(l->env.arena, &progs, o->prog);
	err = load_delegate(l->env.load, progs.data, progs.len, caps);
	if (err)
		return err;
	by = load_looker(l->env.load);
	/* it would wait for us while we wait for it */
	if (l->holder)
		holder_exempt(l->holder, load_deputy(l->env.load));
	registry_env(l->env.compiling->registry)->by = by;
	userland_look_by(l->env.compiling->userland, by);
	notes_cache_look_by(l->env.compiling->notes, by);
	return 0;
}

const struct looker *late_looker(const struct late *l)
{
	return load_looker(l->env.load);
}

void late_check_deputy(struct late *l)
{

	l->alone |= load_deputy_ended(l->env.load);
	if (l->alone && !l->told_alone)
		report_message(l->env.report,
			"the process that attaches to new probes has ended: probes that come from now on are not enabled");
	l->told_alone = l->alone;
}
