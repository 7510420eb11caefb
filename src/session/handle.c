// SPDX-License-Identifier: Apache-2.0
#include "session/handle.h"
#include "session/late.h"
#include "prov/prov.h"
#include "sym/userland.h"
#include "usdt/notes_cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

const char *dtrace_version_d(void)
{
	return "2.0";
}

const char *dtrace_version(void)
{
	return DTRACE_RELEASE;
}

struct dtrace *dtrace_session_open(void)
{
	struct arena *a = arena_new();
	struct dtrace *d;

	if (!a)
		return NULL;
	d = arena_new_obj(a, struct dtrace);
	d->arena = a;
	d->opts = options_new(a);
	d->errmsg = arena_strdup(a, "");
	d->dump = stderr;
	d->name = "dtrace";
	d->diags.arena = a;
	d->targets = targets_new();
	d->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (!d->targets || d->wake < 0) {
		if (d->targets)
			targets_free(d->targets);
		arena_free(a);
		return NULL;
	}
	return d;
}

void dtrace_session_close(struct dtrace *d)
{
	if (!d)
		return;
	late_close(d->late_probes);
	if (d->load)
		load_close(d->load);
	targets_free(d->targets);
	if (d->ring)
		ring_free(d->ring);
	if (d->drops)
		drops_free(d->drops);
	specs_free(d->specs);
	if (d->aggs)
		aggs_free(d->aggs);
	sinks_free(d);
	hold_free(d->held);
	if (d->syms)
		symtab_free(d->syms);
	features_free(d->features);
	userland_free(d->userland);
	if (d->registry)
		notes_cache_free(registry_env(d->registry)->notes);
	load_kernel_types_free(&d->btf);
	buf_free(&d->object);
	close(d->wake);
	arena_free(d->arena);
}

int handle_error(struct dtrace *d, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	d->errmsg = arena_vprintf(d->arena, fmt, ap);
	va_end(ap);
	d->errhint = NULL;
	return err;
}

void handle_message(struct dtrace *d, const char *fmt, ...)
{
	struct buf b = {0};
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	if (d->handler && !b.failed)
		d->handler(d->handler_arg, b.data);
	buf_free(&b);
}

static bool has_feature(void *arg, enum feature which)
{
	struct dtrace *d = arg;

	struct features *f = handle_features(d);

	return f && features_has(f, which);
}

static const struct kernel_function *functions(void *arg, uint32_t *n)
{
	struct dtrace *d = arg;
	struct features *f = handle_features(d);

	if (!d->functions && f)
		d->functions = load_functions(f, d->arena, &d->nfunctions);
	*n = d->nfunctions;
	return d->functions;
}

static const struct kernel_event *events(void *arg, uint32_t *n)
{
	struct dtrace *d = arg;
	struct features *f = handle_features(d);

	if (!d->events && f)
		d->events = load_events(f, d->arena, &d->nevents);
	*n = d->nevents;
	return d->events;
}

static const char *event_format(void *arg, const struct kernel_event *event)
{
	struct dtrace *d = arg;
	struct features *f = handle_features(d);

	return f ? load_event_format(f, d->arena, event) : NULL;
}

struct features *handle_features(struct dtrace *d)
{
	if (!d->features)
		d->features = features_new(d->types);
	return d->features;
}

int handle_prepare(struct dtrace *d)
{
	struct provider_env *env;

	if (d->sema)
		return 0;
	d->types = types_new(d->arena, (uint32_t)options_number(d->opts, OPT_strsize),
		load_kernel_types, &d->btf);
	types_set_module_loader(d->types, load_module_types, d->arena);
	compile_find_programs(d);
	d->registry = registry_new(d->arena, d->types, providers_all, providers_later);
	env = registry_env(d->registry);
	env->has = has_feature;
	env->functions = functions;
	env->events = events;
	env->event_format = event_format;
	env->arg = d;
	env->userland = d->userland = userland_new(d->types);
	env->notes = notes_cache_new();
	d->sema = sema_new(d->arena, d->types, d->registry);
	return d->types && d->registry && d->userland && env->notes
		? 0
		: handle_error(d, -ENOMEM, "Memory allocation failure");
}

const char *dtrace_session_error(const struct dtrace *d)
{
	return d->errmsg;
}

const char *dtrace_session_hint(const struct dtrace *d)
{
	return d->errhint;
}

const char *dtrace_session_privileges(struct dtrace *d)
{
	return load_privileges(d->privileges, sizeof(d->privileges));
}

static enum out_encoding encoding(const struct dtrace *d)
{
	static const char *const plain[] = {"sun", "sun-color", "dumb"};
	const char *term = getenv("TERM");

	if (options_given(d->opts, OPT_encoding))
		return options_on(d->opts, OPT_encoding) ? OUT_UTF8 : OUT_ASCII;
	for (size_t i = 0; term && i < sizeof(plain) / sizeof(plain[0]); i++)
		if (!strcmp(term, plain[i]))
			return OUT_ASCII;
	return OUT_ANY;
}

void handle_refresh_options(struct dtrace *d)
{
	struct out_options *o = &d->outopts;

	o->quiet = options_on(d->opts, OPT_quiet);
	o->flowindent = options_on(d->opts, OPT_flowindent);
	o->rawbytes = options_on(d->opts, OPT_rawbytes);
	o->noresolve = options_on(d->opts, OPT_noresolve);
	o->demangle = options_on(d->opts, OPT_demangle);
	o->ustackline = options_on(d->opts, OPT_ustackline);
	o->ustackinline = options_on(d->opts, OPT_ustackinline);
	o->agghist = options_on(d->opts, OPT_agghist);
	o->aggpack = options_on(d->opts, OPT_aggpack);
	o->aggzoom = options_on(d->opts, OPT_aggzoom);
	o->encoding = encoding(d);
	o->stackindent = (uint32_t)options_number(d->opts, OPT_stackindent);
	o->printsize = compile_print_size(d);
	o->noprefix = options_on(d->opts, OPT_noprefix);
}

int dtrace_option_set(struct dtrace *d, const char *name, const char *value)
{
	const char *text = "";
	int err = options_set(d->opts, name, value, FROM_COMMAND, d->phase == PHASE_TRACING, &text);

	if (err) {
		handle_error(d, err, "%s", text);
		d->errhint = options_hint(d->opts, name, err);
		return err;
	}
	handle_refresh_options(d);
	return 0;
}

int dtrace_option_unset(struct dtrace *d, const char *name)
{
	const char *text = "";
	int err = options_unset(d->opts, name, d->phase == PHASE_TRACING, &text);

	if (err)
		return handle_error(d, err, "%s", text);
	handle_refresh_options(d);
	return 0;
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

void dtrace_option_environment(struct dtrace *d)
{
	options_from_environment(d->opts);
	handle_refresh_options(d);
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

void dtrace_set_dump(struct dtrace *d, FILE *out)
{
	d->dump = out;
}

void dtrace_set_message_handler(
	struct dtrace *d, void (*handler)(void *arg, const char *text), void *arg)
{
	d->handler = handler;
	d->handler_arg = arg;
}

void dtrace_set_args(struct dtrace *d, int argc, char *const *argv)
{
	d->argc = argc;
	d->argv = argv;
}

void dtrace_set_name(struct dtrace *d, const char *argv0)
{
	d->name = argv0;
}

/* ---- target processes ---- */

/* What options setenv and unsetenv say, in the order given. */
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
	return err;
}

static enum target_stop where(const struct dtrace *d)
{
	static const enum target_stop stops[] = {
		[EVALTIME_EXEC] = TARGET_STOP_EXEC,
		[EVALTIME_PREINIT] = TARGET_STOP_PREINIT,
		[EVALTIME_POSTINIT] = TARGET_STOP_POSTINIT,
		[EVALTIME_MAIN] = TARGET_STOP_MAIN,
	};

	return stops[options_number(d->opts, OPT_evaltime)];
}

int dtrace_target_create(struct dtrace *d, const char *cmd)
{
	const char *err = "";
	int pid;

	if (change_environment(d))
		return handle_error(d, -ENOMEM, "Memory allocation failure");
	pid = targets_create(d->targets, cmd, where(d), &err);
	return pid < 0 ? handle_error(d, pid, "%s", err) : 0;
}

int dtrace_target_spawn(struct dtrace *d, char *const *argv, pid_t *pid)
{
	const char *err = "";
	int r;

	if (change_environment(d))
		return handle_error(d, -ENOMEM, "Memory allocation failure");
	r = targets_spawn(d->targets, argv, where(d), &err);
	if (r < 0)
		return handle_error(d, r, "%s", err);
	if (pid)
		*pid = r;
	return 0;
}

int dtrace_target_grab(struct dtrace *d, pid_t pid)
{
	const char *err = "";
	int r = targets_grab(d->targets, pid, &err);

	return r < 0 ? handle_error(d, r, "%s", err) : 0;
}
