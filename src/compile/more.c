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
#include "ir/target.h"
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
	struct arena_part part;
	bool ok;

	*text = "";
	compiling_begin(c);
	if (ARENA_ENTER(c->arena, &part)) {
		arena_leave(c->arena, &part);
		return -ENOMEM;
	}
	ok = check_again(c, clause, probes, n);
	arena_leave(c->arena, &part);
	if (!ok)
		*text = first_error(c);
	return ok ? 0 : -EINVAL;
}

static int make_more(struct compiling *c)
{
	struct target *target = arena_new_obj(c->arena, struct target);

	/* options may have changed since, but not what the loaded programs rely on */
	*target = *c->build->target;
	return make_object(c, target, c->lowered);
}

int compile_more(struct compiling *c, const char **text)
{
	struct arena_part part;
	int err;

	*text = "";
	compiling_begin(c);
	if (ARENA_ENTER(c->arena, &part)) {
		arena_leave(c->arena, &part);
		return -ENOMEM;
	}
	err = make_more(c);
	arena_leave(c->arena, &part);
	if (err)
		*text = first_error(c);
	return err;
}

int compile_point(struct compiling *c, struct compile_point *at)
{
	struct arena_part part;

	if (ARENA_ENTER(c->arena, &part)) {
		arena_leave(c->arena, &part);
		return -ENOMEM;
	}
	sema_fix_layouts(c->sema);
	at->sema = sema_save(c->sema);
	at->lowered = c->lowered;
	at->build = c->build;
	arena_leave(c->arena, &part);
	return 0;
}

void compile_undo(struct compiling *c, const struct compile_point *at)
{
	sema_restore(c->sema, at->sema);
	c->lowered = at->lowered;
	c->build = at->build;
}
