// SPDX-License-Identifier: Apache-2.0
/* Tells which places the kernel refuses to attach to. */
#include "session/refused.h"

#include <string.h>

#include "base/arena.h"
#include "base/report.h"
#include "compile/image.h"
#include "ir/places.h"
#include "load/load.h"
#include "probe/probe.h"
#include "probe/provider_env.h"
#include "probe/registry.h"
#include "session/session.h"

/* ---- clauses without a place ---- */

static bool has_clause(const struct image_clauses *of, const struct sema_clause *c)
{
	for (uint32_t i = 0; i < of->len; i++)
		if (of->data[i] == c)
			return true;
	return false;
}

/* True if a program with clause C is attached. */
static bool is_served(struct dtrace *d, const struct sema_clause *c)
{
	const struct image *img = d->image;

	for (uint32_t i = 0; i < img->load.nprogs; i++)
		if (has_clause(&img->clauses[i], c) && load_is_attached(d->tracing.load, i))
			return true;
	return false;
}

/* True if nothing of what a program with the clauses OF is for can be traced without it. */
static bool is_needed(struct dtrace *d, const struct image_clauses *of)
{
	for (uint32_t i = 0; i < of->len; i++)
		if (!is_served(d, of->data[i]))
			return true;
	return !of->len;
}

int refused_check(struct dtrace *d)
{
	const struct image *img = d->image;
	struct load *load = d->tracing.load;

	for (uint32_t i = 0; i < img->load.nprogs; i++) {
		int err;

		if (!load_is_refused(load, i) || !is_needed(d, &img->clauses[i]))
			continue;
		err = load_fail_refused(load, i);
		load_detach(load);
		return report_error(&d->report, err, "%s", load_error(load));
	}
	return 0;
}

/* ---- messages ---- */

/* Returns the name of the first of S without its provider: "libc.so.6:malloc:1f". */
static const char *first_name(struct dtrace *d, const struct load_skipped *s)
{
	const struct probe *p =
		s->cookie ? registry_by_id(d->image->probes, places_probe(s->cookie)) : NULL;
	const char *label = load_label(d->tracing.load, s->prog), *colon = strchr(label, ':');

	if (p)
		return arena_printf(d->arena, "%s:%s:%s", p->mod, p->func, p->name);
	return colon ? colon + 1 : label;
}

void refused_tell(struct dtrace *d)
{
	const struct left_out *left = registry_env(d->compiling.registry)->left;
	const struct load_skipped skipped = load_skipped(d->tracing.load);

	for (int i = 0; i < LEFT_REASONS; i++) {
		uint32_t n = left[i].n + (i == LEFT_REFUSED ? skipped.n : 0);

		if (n)
			report_message(&d->report,
				"%u of the probes are not enabled: %s (the first is %s)", n,
				left_reason(i),
				left[i].n ? left[i].first : first_name(d, &skipped));
	}
}

void refused_tell_late(struct dtrace *d)
{
	const struct load_skipped skipped = load_skipped(d->tracing.load);

	if (skipped.n)
		report_message(&d->report,
			"%u of the probes that came while tracing are not enabled: %s (the first is %s)",
			skipped.n, left_reason(LEFT_REFUSED), first_name(d, &skipped));
}
