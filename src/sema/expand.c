// SPDX-License-Identifier: Apache-2.0
/*
 * Counts what inlines, functions and translators become where they are used.  Each use is a copy
 * of its definition, so a chain of definitions that use the one before twice doubles with each.
 */
#include "sema/sema_int.h"

#include "base/arena.h"
#include "base/diag.h"
#include "lang/ast.h"
#include "sema/typed.h"

#define NAMES_MOST 6	      /* of a chain that a message names */
#define TOO_MANY   UINT32_MAX /* that there are more than allowed was reported */

void sema_expand_begin(struct sema *s, struct expansion *x, const char *name, struct loc loc)
{
	*x = (struct expansion){s->expanding, name, loc};
	if (!s->expanding)
		s->expanded = 0;
	s->expanding = x;
}

void sema_expand_end(struct sema *s)
{
	s->expanding = s->expanding->outer;
}

/* Returns "f9, which uses f8, which uses f7 ...", from the outermost; *FIRST is that. */
static const char *chain_text(struct sema *s, const struct expansion **first)
{
	const struct expansion *x = s->expanding;
	const char *text = "";
	unsigned n = 0;

	for (; x; x = x->outer)
		n++;
	for (x = s->expanding; x; x = x->outer, n--) {
		*first = x;
		if (n == NAMES_MOST)
			text = *text ? " ..." : "";
		if (n <= NAMES_MOST)
			text = arena_printf(
				s->arena, "%s%s%s", n > 1 ? ", which uses " : "", x->name, text);
		else
			text = "...";
	}
	return text;
}

static bool within_budget(struct sema *s)
{
	const struct expansion *first = NULL;
	const char *chain;

	if (s->expanded <= SEMA_MAX_EXPANSION)
		return true;
	if (s->expanded == TOO_MANY)
		return false;
	chain = chain_text(s, &first);
	s->expanded = TOO_MANY;
	return sema_error(s, first->loc, "D_UNKNOWN", "%s: this becomes more than %d expressions",
		chain, SEMA_MAX_EXPANSION);
}

static bool count_expr(void *arg, const struct expr *e)
{
	struct sema *s = arg;

	if (s->expanded < TOO_MANY)
		s->expanded++;
	return s->expanded > SEMA_MAX_EXPANSION;
}

struct expr *sema_expand(struct sema *s, const struct expr *e)
{
	if (s->expanding) {
		sema_any_expr(e, count_expr, NULL, s);
		if (!within_budget(s))
			return NULL;
	}
	return sema_clone(s->arena, e);
}

bool sema_expand_stmts(struct sema *s, const stmt_vec *in, stmt_vec *out)
{
	if (s->expanding) {
		sema_any_stmt(in, count_expr, NULL, s);
		if (!within_budget(s))
			return false;
	}
	*out = sema_clone_stmts(s->arena, in);
	return true;
}
