// SPDX-License-Identifier: Apache-2.0
/* Reduces buffer sizes that the kernel cannot give and reports each change. */
#include "session/sizes.h"

#include <inttypes.h>

#include "base/report.h"
#include "base/units.h"
#include "session/options.h"
#include "session/session.h"

/* "buffer size lowered to 32m" */
static void tell(struct dtrace *d, const char *what, uint64_t bytes)
{
	char text[32];

	if (!options_on(d->opts, OPT_quietresize))
		report_message(&d->report, "%s lowered to %s", what,
			units_print_size(text, sizeof(text), bytes));
}

static void set(struct dtrace *d, const char *option, uint64_t bytes)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, bytes);
	options_set(d->opts, option, text, FROM_COMMAND, false, NULL);
}

void sizes_limit(struct dtrace *d, uint32_t ncpus)
{
	uint64_t most = (1ULL << 31) / ncpus; /* a ring buffer's size is 32 bits */

	if ((uint64_t)options_number(d->opts, OPT_bufsize) <= most)
		return;
	set(d, "bufsize", most);
	tell(d, "buffer size", most);
}

void sizes_limit_rates(struct dtrace *d)
{
	if (!options_given(d->opts, OPT_cleanrate) || options_on(d->opts, OPT_quietresize) ||
		options_number(d->opts, OPT_cleanrate) >= OPTION_LEAST_CLEANRATE)
		return;
	report_message(
		&d->report, "cleaning rate reduced to %d hz", 1000000000 / OPTION_LEAST_CLEANRATE);
}

/* Buffers that can be made smaller; the last two take memory as they come to need it. */
static const struct {
	enum option_id id;
	const char *name, *what;
	bool by_cpu;
} sizes[SIZES] = {
	{OPT_bufsize, "bufsize", "buffer size", true},
	{OPT_dynvarsize, "dynvarsize", "dynamic variable size", false},
	{OPT_stacksize, "stacksize", "stack table size", false},
	{OPT_aggsize, "aggsize", "aggregation size", true},
	{OPT_unwindsize, "unwindsize", "size of the tables for user stacks", false},
};

static bool is_used(enum option_id id, const struct sizes_used *used)
{
	switch (id) {
	case OPT_stacksize:
		return used->stacks;
	case OPT_aggsize:
		return used->limited && used->aggregations;
	case OPT_unwindsize:
		return used->limited && used->walks;
	default:
		return true;
	}
}

bool sizes_halve(struct dtrace *d, const struct sizes_used *used)
{
	uint64_t most = 0, value = 0;
	size_t which = 0;

	for (size_t i = 0; i < SIZES; i++) {
		uint64_t n = (uint64_t)options_number(d->opts, sizes[i].id);
		uint64_t all = sizes[i].by_cpu ? n * used->ncpus : n;

		if (all > most && n > 4096 && is_used(sizes[i].id, used)) {
			which = i;
			most = all;
			value = n / 2;
		}
	}
	if (!most || options_number(d->opts, OPT_bufresize) != BUFRESIZE_AUTO)
		return false;
	set(d, sizes[which].name, value);
	if (!used->limited) /* the kernel may take a while over each try */
		tell(d, sizes[which].what, value);
	return true;
}

void sizes_note(struct dtrace *d, int64_t before[SIZES])
{
	for (size_t i = 0; i < SIZES; i++)
		before[i] = options_number(d->opts, sizes[i].id);
}

void sizes_tell(struct dtrace *d, const int64_t before[SIZES])
{
	for (size_t i = 0; i < SIZES; i++)
		if (options_number(d->opts, sizes[i].id) < before[i])
			tell(d, sizes[i].what, (uint64_t)options_number(d->opts, sizes[i].id));
}
