// SPDX-License-Identifier: Apache-2.0
/* Words the first error of a compilation as dtrace(8) prints it. */
#include "compile/compile.h"

#include <errno.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/report.h"
#include "base/vec.h"
#include "compile/compiling.h"
#include "compile/settings.h"

static unsigned last_line(const struct source *src)
{
	unsigned n = 1;

	for (size_t i = 0; i < src->len; i++)
		n += src->text[i] == '\n';
	return n;
}

static unsigned reported_line(const struct diag *g)
{
	if (g->line)
		return g->line;
	return g->loc.line ? g->loc.line : last_line(g->loc.src);
}

static void put_place(struct buf *b, const struct diag *g)
{
	const struct source *src = g->loc.src;

	if (src && src->is_file) {
		if (src->is_included)
			buf_printf(b, "\"%s\", ", src->name);
		buf_printf(b, "line %u: ", reported_line(g));
	} else if (g->region != REGION_NONE) {
		buf_printf(
			b, "in %s: ", g->region == REGION_PREDICATE ? "predicate" : "action list");
	}
}

void compile_warn(struct compiling *c)
{
	vec_for (g, &c->diags.warnings) {
		struct buf b = {0};

		put_place(&b, g);
		report_message(
			c->report, "warning: %s%s", b.failed || !b.len ? "" : b.data, g->text);
		buf_free(&b);
	}
	c->diags.warnings.len = 0;
}

int compile_report(struct compiling *c)
{
	const struct diag *g = &c->diags.list.data[0];
	struct buf b = {0};

	buf_own(&b, c->arena);
	if (c->set->errtags && *g->tag)
		buf_printf(&b, "[%s] ", g->tag);
	if (*g->tag) /* errors of the code generator have neither */
		put_place(&b, g);
	buf_puts(&b, g->text);
	report_error(c->report, -EINVAL, "%s", b.failed ? g->text : b.data);
	arena_release(c->arena, &b);
	c->report->hint = c->set->explain ? g->hint : NULL;
	return -EINVAL;
}

const char *compile_file_name(const struct source *src)
{
	return src->is_file ? src->name : NULL;
}
