// SPDX-License-Identifier: Apache-2.0
/* Starts and attaches to target processes, as options evaltime, setenv and unsetenv say. */
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/report.h"
#include "session/options.h"
#include "session/session.h"
#include "target/target.h"

/* Apply options setenv and unsetenv in the order given. */
static int change_environment(struct dtrace *d)
{
	uint32_t n;
	const struct option_item *items = options_items(d->opts, &n);
	int err = 0;

	for (uint32_t i = 0; i < n && !err; i++) {
		size_t len = strcspn(items[i].value, "=");

		if (items[i].id == OPT_setenv)
			err = targets_environment(d->targets,
				arena_strndup(d->arena, items[i].value, len),
				items[i].value + len + 1);
		else if (items[i].id == OPT_unsetenv)
			err = targets_environment(d->targets, items[i].value, NULL);
	}
	return err ? report_no_memory(&d->report) : 0;
}

static enum target_stop stop_at(const struct dtrace *d)
{
	static const enum target_stop stops[] = {
		[EVALTIME_EXEC] = TARGET_STOP_EXEC,
		[EVALTIME_PREINIT] = TARGET_STOP_PREINIT,
		[EVALTIME_POSTINIT] = TARGET_STOP_POSTINIT,
		[EVALTIME_MAIN] = TARGET_STOP_MAIN,
	};

	return stops[options_number(d->opts, OPT_evaltime)];
}

static int create(struct dtrace *d, const char *cmd)
{
	const char *why = "";
	int pid = change_environment(d);

	if (pid)
		return pid;
	pid = targets_create(d->targets, cmd, stop_at(d), &why);
	if (!d->command)
		d->command = arena_strdup(d->arena, cmd);
	return pid < 0 ? report_error(&d->report, pid, "%s", why) : 0;
}

int dtrace_target_create(struct dtrace *d, const char *cmd)
{
	return SESSION_TRY(d, create(d, cmd));
}

static int spawn(struct dtrace *d, char *const *argv, pid_t *pid)
{
	const char *why = "";
	int r = change_environment(d);

	if (r)
		return r;
	r = targets_spawn(d->targets, argv, stop_at(d), &why);
	if (r < 0)
		return report_error(&d->report, r, "%s", why);
	if (pid)
		*pid = r;
	return 0;
}

int dtrace_target_spawn(struct dtrace *d, char *const *argv, pid_t *pid)
{
	return SESSION_TRY(d, spawn(d, argv, pid));
}

static int grab(struct dtrace *d, pid_t pid)
{
	const char *why = "";
	int r = targets_grab(d->targets, pid, &why);

	if (!d->command)
		d->command = arena_printf(d->arena, "pid %d", (int)pid);
	if (r >= 0)
		return 0;
	report_error(&d->report, r, "%s", why);
	if (r == -ESRCH)
		d->report.hint = arena_printf(d->arena, "there is no process %d", pid);
	return r;
}

int dtrace_target_grab(struct dtrace *d, pid_t pid)
{
	return SESSION_TRY(d, grab(d, pid));
}
