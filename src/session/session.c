// SPDX-License-Identifier: Apache-2.0
/* Opens and closes sessions; sets their options and reports messages and errors. */
#include "session/session.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/intmap.h"
#include "base/report.h"
#include "compile/compile.h"
#include "consume/agg_map.h"
#include "consume/agg_table.h"
#include "consume/drops.h"
#include "consume/fill.h"
#include "consume/hold.h"
#include "consume/ring.h"
#include "consume/spec.h"
#include "consume/stacks.h"
#include "load/load.h"
#include "managed/java_attach.h"
#include "fleet/page.h"
#include "late/late.h"
#include "session/options.h"
#include "session/sinks.h"
#include "sym/sym.h"
#include "target/target.h"

const char *dtrace_version_d(void)
{
	return "2.0";
}

const char *dtrace_version(void)
{
	return DTRACE_RELEASE;
}

static void wire(struct dtrace *d)
{
	struct compiling *c = &d->compiling;

	d->report.arena = d->arena;
	d->report.error = "";
	d->report.listing = stderr;
	c->arena = d->arena;
	c->report = &d->report;
	c->set = &d->settings;
	c->hooks = (struct compile_hooks){settings_pragma, d};
	c->targets = d->targets;
	c->diags.arena = d->arena;
}

static bool open_session(struct dtrace *d)
{
	d->opts = options_new(d->arena);
	d->name = "dtrace";
	d->targets = targets_new();
	d->tracing.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (!d->targets || d->tracing.wake < 0)
		return false;
	wire(d);
	settings_refresh(d);
	return true;
}

static bool make_session(struct arena *a, struct dtrace **d)
{
	*d = arena_new_obj(a, struct dtrace);
	(*d)->arena = a;
	(*d)->tracing.wake = -1;
	return open_session(*d);
}

/* Makes the session, in A; false: *D is NULL, or what there is of it. */
static bool open_in(struct arena *a, struct dtrace **d)
{
	return ARENA_TRY(a, make_session(a, d), false);
}

struct dtrace *dtrace_session_open(void)
{
	struct arena *a = arena_new();
	struct dtrace *d = NULL;

	if (!a || open_in(a, &d))
		return d;
	if (d && d->targets)
		targets_free(d->targets);
	if (d && d->tracing.wake >= 0)
		close(d->tracing.wake);
	arena_free(a);
	return NULL;
}

static void close_tracing(struct tracing *t)
{
	if (t->ring)
		ring_free(t->ring);
	if (t->drops)
		drops_free(t->drops);
	specs_free(t->specs);
	if (t->aggs)
		aggs_free(t->aggs);
	agg_maps_close(&t->maps);
	hold_free(t->held);
	fill_free(t->fill);
	stacks_free(t->stacks);
	if (t->syms)
		symtab_free(t->syms);
	close(t->wake);
}

void dtrace_session_close(struct dtrace *d)
{
	if (!d)
		return;
	late_close(d->tracing.late_probes);
	intmap_free(&d->tracing.told_asleep);
	if (d->tracing.load)
		load_close(d->tracing.load);
	d->tracing.load = NULL;
	targets_free(d->targets);
	sinks_free(d);
	close_tracing(&d->tracing);
	fleet_close(d->fleet);
	compiling_close(&d->compiling);
	arena_free(d->arena);
}

int session_no_memory(struct dtrace *d)
{
	d->no_memory = true;
	return report_no_memory(&d->report);
}

/* Returns how long a Java VM may still be waited for. */
static enum java_haste haste(void *arg)
{
	const struct dtrace *d = arg;

	if (d->tracing.interrupts)
		return JAVA_INTERRUPTED;
	return d->tracing.load && load_state(d->tracing.load)->exited ? JAVA_OVER : JAVA_PATIENT;
}

int session_prepare(struct dtrace *d)
{
	int err = compiling_prepare(&d->compiling);

	if (!err)
		java_ask_haste(d->compiling.java, haste, d);
	return err;
}

/* ---- errors and messages ---- */

const char *dtrace_session_error(const struct dtrace *d)
{
	return d->report.error;
}

const char *dtrace_session_hint(const struct dtrace *d)
{
	return d->report.hint;
}

const char *dtrace_session_privileges(struct dtrace *d)
{
	return load_privileges(d->privileges, sizeof(d->privileges));
}

void dtrace_set_dump(struct dtrace *d, FILE *out)
{
	d->report.listing = out;
}

void dtrace_set_message_handler(
	struct dtrace *d, void (*handler)(void *arg, const char *text), void *arg)
{
	d->report.handler = handler;
	d->report.handler_arg = arg;
}

/* ---- options ---- */

static int set_option(struct dtrace *d, const char *name, const char *value)
{
	const char *text = "";
	int err = options_set(d->opts, name, value, FROM_COMMAND, d->phase == PHASE_TRACING, &text);

	if (err) {
		report_error(&d->report, err, "%s", text);
		d->report.hint = options_hint(d->opts, name, err);
		return err;
	}
	settings_refresh(d);
	return 0;
}

int dtrace_option_set(struct dtrace *d, const char *name, const char *value)
{
	return SESSION_TRY(d, set_option(d, name, value));
}

static int unset_option(struct dtrace *d, const char *name)
{
	const char *text = "";
	int err = options_unset(d->opts, name, d->phase == PHASE_TRACING, &text);

	if (err)
		return report_error(&d->report, err, "%s", text);
	settings_refresh(d);
	return 0;
}

int dtrace_option_unset(struct dtrace *d, const char *name)
{
	return SESSION_TRY(d, unset_option(d, name));
}

int dtrace_option_get(const struct dtrace *d, const char *name, int64_t *value)
{
	int id = options_find(name);

	if (id < 0)
		return id;
	if (options_info((enum option_id)id)->kind == OPTION_BOOL)
		*value = options_on(d->opts, (enum option_id)id);
	else
		*value = options_number(d->opts, (enum option_id)id);
	return 0;
}

static int read_environment(struct dtrace *d)
{
	options_from_environment(d->opts);
	settings_refresh(d);
	return 0;
}

void dtrace_option_environment(struct dtrace *d)
{
	(void)SESSION_TRY(d, read_environment(d)); /* else the next call says so */
}

void dtrace_option_each(
	void (*visit)(void *arg, const char *name, const char *kind, const char *help), void *arg)
{
	char syntax[128];

	for (int i = 0; i < OPTION_COUNT; i++) {
		const struct option_info *o = options_info((enum option_id)i);

		if (!o->needs)
			visit(arg, o->name,
				options_syntax((enum option_id)i, syntax, sizeof(syntax)), o->help);
	}
}

void dtrace_set_args(struct dtrace *d, int argc, char *const *argv)
{
	d->compiling.argc = argc;
	d->compiling.argv = argv;
}

void dtrace_set_name(struct dtrace *d, const char *argv0)
{
	d->name = argv0;
}
