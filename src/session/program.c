// SPDX-License-Identifier: Apache-2.0
/* Compiles and enables programs for users of the library, and gives them the errors. */
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/report.h"
#include "base/vec.h"
#include "compile/compile.h"
#include "compile/image.h"
#include "dtrace/dtrace.h"
#include "lang/source.h"
#include "probe/attach.h"
#include "probe/probe.h"
#include "probe/provider.h"
#include "probe/registry.h"
#include "sema/typed.h"
#include "session/options.h"
#include "session/session.h"
#include "sym/process.h"

static int begin(struct dtrace *d)
{
	compiling_begin(&d->compiling);
	options_end_program(d->opts);
	settings_for_program(d);
	return session_prepare(d);
}

/* Compile the user's libraries, whose option pragmas hold for all programs. */
static int begin_program(struct dtrace *d)
{
	int err = begin(d);

	if (!err)
		err = compile_libraries(&d->compiling);
	if (err)
		return err;
	options_keep_program(d->opts);
	settings_for_program(d);
	return 0;
}

static struct dtrace_prog *compile(struct dtrace *d, const struct compile_input *in)
{
	struct sema_program *checked = compile_program(&d->compiling, in);
	struct dtrace_prog *p;

	/* after an error its options stay: to explain may be one of them */
	if (!checked)
		return NULL;
	options_end_program(d->opts);
	settings_for_program(d);
	p = arena_new_obj(d->arena, struct dtrace_prog);
	p->sema = checked;
	return p;
}

static struct dtrace_prog *compile_string(struct dtrace *d, const char *text, enum dtrace_spec spec)
{
	struct compile_input in = {.spec = (enum spec_level)spec, .name0 = d->name};

	if (begin_program(d))
		return NULL;
	in.name = in.text = arena_strdup(d->arena, text);
	if (!d->text)
		d->text = in.text;
	in.len = strlen(text);
	return compile(d, &in);
}

struct dtrace_prog *dtrace_compile_string(struct dtrace *d, const char *text, enum dtrace_spec spec)
{
	return SESSION_FIND(d, compile_string(d, text, spec));
}

static struct dtrace_prog *compile_file(struct dtrace *d, const char *path, FILE *file)
{
	struct compile_input in = {.is_file = true, .spec = SPEC_NAME};
	const char *why;

	if (begin_program(d))
		return NULL;
	in.text = compile_read(&d->compiling, file, &in.len, &why);
	if (!in.text) {
		report_error(&d->report, -EIO, "%s", why);
		return NULL;
	}
	in.name = in.name0 = arena_strdup(d->arena, path);
	if (!d->script)
		d->script = in.name;
	return compile(d, &in);
}

struct dtrace_prog *dtrace_compile_file(struct dtrace *d, const char *path, FILE *file)
{
	return SESSION_FIND(d, compile_file(d, path, file));
}

static int enable(struct dtrace *d, struct dtrace_prog *p)
{
	if (d->phase != PHASE_NEW)
		return report_error(&d->report, -EBUSY, "Operation illegal when tracing is active");
	for (uint32_t i = 0; i < p->sema->clauses.len; i++)
		p->sema->clauses.data[i]->enabled = true;
	return 0;
}

int dtrace_prog_enable(struct dtrace *d, struct dtrace_prog *p)
{
	return SESSION_TRY(d, enable(d, p));
}

int dtrace_prog_awaits(const struct dtrace_prog *p)
{
	for (uint32_t i = 0; i < p->sema->clauses.len; i++)
		if (p->sema->clauses.data[i]->late)
			return 1;
	return 0;
}

const char *dtrace_prog_unchecked(const struct dtrace_prog *p, unsigned i)
{
	for (uint32_t k = 0; k < p->sema->clauses.len; k++)
		if (p->sema->clauses.data[k]->unchecked && !i--)
			return p->sema->clauses.data[k]->text;
	return NULL;
}

/* Returns file I of the shared probes of P. */
static const struct attach_file *shared_file(
	struct dtrace *d, const struct dtrace_prog *p, unsigned i)
{
	VEC(const struct attach_file *) seen = {0};

	for (uint32_t k = 0; k < p->sema->clauses.len; k++) {
		const struct sema_clause *c = p->sema->clauses.data[k];

		for (uint32_t n = 0; c->scope != IN_PROCESS && n < c->probes.len; n++) {
			const struct probe *probe = c->probes.data[n];
			struct attach_plan plan = {0};
			bool known = false;

			probe->provider->plan(registry_env(d->compiling.registry), probe, 0, &plan);
			vec_for (f, &seen)
				known |= *f == plan.file;
			if (!known && seen.len == i)
				return plan.file;
			if (!known)
				vec_push(d->arena, &seen, plan.file);
		}
	}
	return NULL;
}

static const char *shared_path(
	struct dtrace *d, const struct dtrace_prog *p, unsigned i, unsigned *processes)
{
	const struct attach_file *f = shared_file(d, p, i);

	if (f)
		*processes = process_count(f->fd);
	return f ? f->path : NULL;
}

const char *dtrace_prog_shared(
	struct dtrace *d, const struct dtrace_prog *p, unsigned i, unsigned *processes)
{
	return SESSION_FIND(d, shared_path(d, p, i, processes));
}

unsigned dtrace_prog_matches(const struct dtrace_prog *p)
{
	return p->sema->nmatches;
}

static int check(struct dtrace *d)
{
	int err = begin(d);

	if (!err)
		err = settings_for_machine(d);
	if (!err)
		err = compile_object(&d->compiling, &d->image);
	return err && d->compiling.diags.list.len ? compile_report(&d->compiling) : err;
}

int dtrace_session_check(struct dtrace *d)
{
	return SESSION_TRY(d, check(d));
}

/* ---- errors ---- */

unsigned dtrace_diag_count(const struct dtrace *d)
{
	return d->compiling.diags.list.len;
}

static int describe(const struct dtrace *d, unsigned i, struct dtrace_diag *out)
{
	const struct compiling *c = &d->compiling;
	const struct diag *g;

	if (i >= c->diags.list.len)
		return -ENOENT;
	g = &c->diags.list.data[i];
	memset(out, 0, sizeof(*out));
	out->tag = g->tag;
	out->text = g->text;
	out->hint = c->set->explain ? g->hint : NULL;
	out->line = g->loc.line;
	out->col = g->loc.col;
	if (g->loc.src) {
		out->file = compile_file_name(g->loc.src);
		out->source = g->loc.line ? source_line(d->arena, g->loc.src, g->loc.line) : NULL;
	}
	return 0;
}

int dtrace_diag(const struct dtrace *d, unsigned i, struct dtrace_diag *out)
{
	/* the error that it is about stays */
	return ARENA_TRY(d->arena, describe(d, i, out), -ENOMEM);
}
