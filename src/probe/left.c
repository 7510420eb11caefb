// SPDX-License-Identifier: Apache-2.0
/* Counts the places of user code that are left out. */
#include "base/arena.h"
#include "probe/provider_env.h"

const char *left_reason(enum left_reason why)
{
	static const char *const reasons[LEFT_REASONS] = {
		[LEFT_REFUSED] = "the kernel refuses to instrument them",
		[LEFT_RED_ZONE] =
			"this kernel replaces a 5-byte NOP by a call, which changes what the function keeps below its stack pointer",
		[LEFT_NOT_CODE] = "its code and its data cannot be told apart",
		[LEFT_UNBOUND] =
			"the program chooses this function when it starts, and has not done so",
		[LEFT_FAULTY] =
			"what the program itself does for this probe can end it (-x force enables it nevertheless)",
	};

	return reasons[why];
}

void env_leave_out(struct provider_env *env, enum left_reason why, const char *mod,
	const char *func, const char *name)
{
	struct left_out *l = &env->left[why];

	if (env->only) /* looked at again */
		return;
	l->n++;
	if (!l->first)
		l->first = arena_printf(env->arena, "%s:%s:%s", mod, func, name);
}
