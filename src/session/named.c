// SPDX-License-Identifier: Apache-2.0
/* Calls for the processes that somebody named; most sessions have none or one. */
#include "session/named.h"

#include "base/vec.h"
#include "session/session.h"
#include "target/target.h"

void named_each(struct dtrace *d, void (*fn)(struct dtrace *d, pid_t pid))
{
	pid_t pid;

	for (unsigned int i = 0; (pid = targets_nth(d->targets, i)) != 0; i++)
		fn(d, pid);
	vec_for (v, &d->compiling.params)
		if (v->is_process)
			fn(d, (pid_t)v->number);
}
