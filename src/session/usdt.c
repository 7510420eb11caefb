// SPDX-License-Identifier: Apache-2.0
/* The public functions of -h and -G, which pass a session's provider blocks to src/usdt. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/report.h"
#include "base/vec.h"
#include "sema/typed.h"
#include "session/options.h"
#include "session/session.h"
#include "usdt/header.h"
#include "usdt/link.h"

/* Returns the *COUNT provider blocks of N programs, for the caller to free; NULL: no memory. */
static const struct provider_block **blocks_of(
	struct dtrace_prog *const *progs, unsigned n, uint32_t *count)
{
	const struct provider_block **all;
	size_t room = 1;

	*count = 0;
	for (unsigned i = 0; i < n; i++)
		room += progs[i]->sema->providers.len;
	all = calloc(room, sizeof(*all));
	for (unsigned i = 0; all && i < n; i++)
		vec_for (b, &progs[i]->sema->providers)
			all[(*count)++] = *b;
	return all;
}

static int write_header(
	struct dtrace *d, struct dtrace_prog *const *progs, unsigned n, const char *name, FILE *out)
{
	uint32_t count;
	const struct provider_block **blocks = blocks_of(progs, n, &count);
	int err;

	if (!blocks)
		return report_no_memory(&d->report);
	arena_own(d->arena, free, blocks);
	err = usdt_header_write(blocks, count, name, out, &d->report);
	arena_release(d->arena, blocks);
	return err;
}

int dtrace_header_write(
	struct dtrace *d, struct dtrace_prog *const *progs, unsigned n, const char *name, FILE *out)
{
	return SESSION_TRY(d, write_header(d, progs, n, name, out));
}

static int link_objects(struct dtrace *d, struct dtrace_prog *const *progs, unsigned n,
	const char *output, char *const *objects, unsigned nobjects)
{
	struct usdt_link_job job = {
		.known = d->compiling.blocks.data,
		.nknown = d->compiling.blocks.len,
		.objects = objects,
		.nobjects = nobjects,
		.output = output,
	};
	const struct provider_block **own;
	int err;

	if (options_number(d->opts, OPT_linktype) != 0)
		return report_error(&d->report, -ENOTSUP,
			"there is no DOF on Linux: linktype elf writes an object to link");
	own = blocks_of(progs, n, &job.nown);
	if (!own)
		return report_no_memory(&d->report);
	arena_own(d->arena, free, own);
	job.own = own;
	err = usdt_link(&job, &d->report);
	arena_release(d->arena, own);
	return err;
}

int dtrace_objects_link(struct dtrace *d, struct dtrace_prog *const *progs, unsigned n,
	const char *output, char *const *objects, unsigned nobjects)
{
	return SESSION_TRY(d, link_objects(d, progs, n, output, objects, nobjects));
}
