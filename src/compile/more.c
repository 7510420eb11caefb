// SPDX-License-Identifier: Apache-2.0
/*
 * Compiles clauses, while tracing, that could not be checked before their probes came (option
 * zdefs).  Memory that runs out is no reason to end tracing: each step returns then.
 */
#include "compile/private.h"

#include <errno.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/report.h"
#include "compile/compile.h"
#include "compile/compiling.h"
#include "sema/sema.h"

/* Returns the first error of the diags as DTrace words it; the error of the session stays. */
static const char *first_error(struct compiling *c)
{
	const char *error = c->report->error, *hint = c->report->hint, *text = "";

	if (c->diags.list.len) {
		compile_report(c);
		text = c->report->error;
	}
	c->report->error = error;
	c->report->hint = hint;
	return text;
}

int compile_check_clause(struct compiling *c, struct sema_clause *clause,
	const struct probe *const *probes, uint32_t n, const char **text)
{
	int err;

	*text = "";
	compiling_begin(c);
	err = ARENA_TRY(c->arena, check_again(c, clause, probes, n) ? 0 : -EINVAL, -ENOMEM);
	if (err == -EINVAL)
		*text = first_error(c);
	return err;
}

static int make_more(struct compiling *c, const struct places *places, const struct image **out,
	const char **text)
{
	/* options may have changed since, but not what the loaded programs rely on */
	int err = make_object(c, c->build->target, c->build->lowered, places, out);

	if (err)
		*text = first_error(c);
	return err;
}

int compile_more(struct compiling *c, const struct places *places, const struct image **out,
	const char **text)
{
	*text = "";
	compiling_begin(c);
	return ARENA_TRY(c->arena, make_more(c, places, out, text), -ENOMEM);
}

static int make_point(struct compiling *c, struct compile_point *at)
{
	sema_fix_layouts(c->sema);
	at->sema = sema_save(c->sema);
	at->build = c->build;
	return 0;
}

int compile_point(struct compiling *c, struct compile_point *at)
{
	return ARENA_TRY(c->arena, make_point(c, at), -ENOMEM);
}

void compile_undo(struct compiling *c, const struct compile_point *at)
{
	sema_restore(c->sema, at->sema);
	c->build = at->build;
}
