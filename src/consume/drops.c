// SPDX-License-Identifier: Apache-2.0
#include "consume/drops.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

/* What a cause is called; those of one kind are added up. */
struct drop_kind {
	const char *tag;
	const char *what;  /* "N" before it */
	const char *after; /* the plural s goes between the two */
	bool by_cpu;
	unsigned int causes; /* bits of enum dt_drop */
};

static const struct drop_kind kinds[] = {
	{"PRINCIPAL", "drop", "", true, 1 << DT_DROP_PRINCIPAL | 1 << DT_DROP_NESTED},
	{"AGGREGATION", "aggregation drop", "", true, 1 << DT_DROP_AGGREGATION},
	{"DYNAMIC", "dynamic variable drop", "", false, 1 << DT_DROP_DYNAMIC},
	{"SPEC", "speculative drop", "", false, 1 << DT_DROP_SPEC},
	{"SPECUNAVAIL", "failed speculation", " (no speculative buffer available)", false,
		1 << DT_DROP_SPECUNAVAIL},
	{"DBLERROR", "error", " in ERROR probe enabling", false, 1 << DT_DROP_DBLERROR},
};

struct drops {
	int fd;
	uint32_t ncpus;
	uint64_t *now, *seen;	   /* [DT_DROP_MAX][ncpus] */
	uint64_t own[DT_DROP_MAX]; /* counted by the consumer */
};

struct drops *drops_new(int fd)
{
	struct drops *d = calloc(1, sizeof(*d));
	int ncpus = fd < 0 ? 1 : libbpf_num_possible_cpus();

	if (!d)
		return NULL;
	d->fd = fd;
	d->ncpus = ncpus < 1 ? 1 : (uint32_t)ncpus;
	d->now = calloc((size_t)DT_DROP_MAX * d->ncpus, sizeof(*d->now));
	d->seen = calloc((size_t)DT_DROP_MAX * d->ncpus, sizeof(*d->seen));
	if (!d->now || !d->seen || ncpus < 1) {
		drops_free(d);
		return NULL;
	}
	return d;
}

void drops_free(struct drops *d)
{
	if (!d)
		return;
	free(d->now);
	free(d->seen);
	free(d);
}

/* How many of KIND are new on CPU. */
static uint64_t increase(const struct drops *d, const struct drop_kind *kind, uint32_t cpu)
{
	uint64_t n = 0;

	for (uint32_t cause = 0; cause < DT_DROP_MAX; cause++)
		if (kind->causes >> cause & 1)
			n += d->now[cause * d->ncpus + cpu] - d->seen[cause * d->ncpus + cpu];
	return n;
}

static void report_line(const struct drop_kind *kind, uint64_t n, int64_t cpu, bool tags,
	void (*line)(void *arg, const char *text), void *arg)
{
	char text[160], where[32] = "";

	if (!n)
		return;
	if (cpu >= 0)
		snprintf(where, sizeof(where), " on CPU %lld", (long long)cpu);
	snprintf(text, sizeof(text), "%s%s%s%llu %s%s%s%s", tags ? "[DTRACEDROP_" : "",
		tags ? kind->tag : "", tags ? "] " : "", (unsigned long long)n, kind->what,
		n > 1 ? "s" : "", kind->after, where);
	line(arg, text);
}

void drops_set(struct drops *d, enum dt_drop cause, uint64_t n)
{
	d->own[cause] = n;
}

static int count(struct drops *d)
{
	for (uint32_t cause = 0; cause < DT_DROP_MAX; cause++) {
		uint64_t *now = d->now + cause * d->ncpus;
		int err = d->fd < 0 ? 0 : bpf_map_lookup_elem(d->fd, &cause, now);

		if (err)
			return err;
		if (d->own[cause])
			*now = d->own[cause];
	}
	return 0;
}

int drops_report(struct drops *d, bool tags, void (*line)(void *arg, const char *text), void *arg)
{
	int err = count(d);

	if (err)
		return err;
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		uint64_t all = 0;

		for (uint32_t cpu = 0; cpu < d->ncpus; cpu++) {
			uint64_t n = increase(d, &kinds[k], cpu);

			all += n;
			if (kinds[k].by_cpu)
				report_line(&kinds[k], n, cpu, tags, line, arg);
		}
		if (!kinds[k].by_cpu)
			report_line(&kinds[k], all, -1, tags, line, arg);
	}
	memcpy(d->seen, d->now, (size_t)DT_DROP_MAX * d->ncpus * sizeof(*d->seen));
	return 0;
}
