// SPDX-License-Identifier: Apache-2.0
/* Collects located error messages and hints. */
#include "base/diag.h"

#include <string.h>

#include "base/arena.h"

void diag_vadd(struct diags *d, const char *tag, struct loc loc, const char *fmt, va_list ap)
{
	struct diag *g = vec_add(d->arena, &d->list);

	g->tag = tag;
	g->loc = loc;
	g->region = d->region;
	g->text = arena_vprintf(d->arena, fmt, ap);
	g->line = 0;
	g->hint = NULL; /* the place may have been used: lists are cut */
}

void diag_add(struct diags *d, const char *tag, struct loc loc, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_vadd(d, tag, loc, fmt, ap);
	va_end(ap);
}

void diag_warn(struct diags *d, struct loc loc, const char *text)
{
	struct diag warning = {.tag = "", .loc = loc, .region = d->region, .text = text};

	vec_for (g, &d->warnings)
		if (g->loc.src == loc.src && g->loc.line == loc.line && g->loc.col == loc.col &&
			!strcmp(g->text, text))
			return;
	vec_push(d->arena, &d->warnings, warning);
}

void diag_line(struct diags *d, uint32_t line)
{
	if (d->list.len)
		vec_last(&d->list).line = line;
}

void diag_hint(struct diags *d, const char *fmt, ...)
{
	va_list ap;

	if (!d->list.len)
		return;
	va_start(ap, fmt);
	vec_last(&d->list).hint = arena_vprintf(d->arena, fmt, ap);
	va_end(ap);
}
