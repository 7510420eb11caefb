// SPDX-License-Identifier: Apache-2.0
/* Counts drops by cause and CPU, and reports them in DTrace's words. */
#include "consume/drops.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/buf.h"

/* The names of a cause; causes of one kind are added up. */
struct drop_kind {
	const char *tag;
	const char *what;  /* "N" before it */
	const char *after; /* the ending of the plural goes between the two */
	bool by_cpu;
	unsigned int causes; /* bits of enum dt_drop */
};

static const struct drop_kind kinds[] = {
	{"PRINCIPAL", "drop", "", true, 1 << DT_DROP_PRINCIPAL | 1 << DT_DROP_NESTED},
	{"AGGREGATION", "aggregation drop", "", true,
		1 << DT_DROP_AGGREGATION | 1 << DT_DROP_AGGREST},
	{"DYNAMIC", "dynamic variable drop", "", false, 1 << DT_DROP_DYNAMIC},
	{"SPEC", "speculative drop", "", false, 1 << DT_DROP_SPEC},
	{"SPECUNAVAIL", "failed speculation", " (no speculative buffer available)", false,
		1 << DT_DROP_SPECUNAVAIL},
	{"DBLERROR", "error", " in ERROR probe enabling", false, 1 << DT_DROP_DBLERROR},
	{"MISSED", "missed firing", "", false, 1 << DT_DROP_MISSED},
	{"STOPPED", "missed firing", " of clocks that the kernel had stopped", false,
		1 << DT_DROP_STOPPED},
	{"IDLE", "missed firing", " on CPUs that were idle, or that the host did not run", false,
		1 << DT_DROP_IDLE},
	{"UNCOUNTED", "millisecond",
		" in which a CPU did not count a hardware event; its firings are unknown", false,
		1 << DT_DROP_UNCOUNTED},
	{"UNPLACED", "process", " ran before their probes were placed; their firings are unknown",
		false, 1 << DT_DROP_UNPLACED},
	{"UNPLACEDCALL", "missed firing", " of functions that were met for the first time", false,
		1 << DT_DROP_UNPLACED_CALL},
	{"UNPLACEDNET", "network namespace",
		" came before their probes were placed; the first packets are unknown", false,
		1 << DT_DROP_UNPLACED_NET},
	{"UNSEEN", "lost event",
		" of processes, which may have run before their probes were placed; their firings are unknown",
		false, 1 << DT_DROP_UNSEEN},
	{"RETURN", "return", " of calls that were nested too deep", false, 1 << DT_DROP_RETURN},
	{"STACK", "stack drop", "", false, 1 << DT_DROP_STACK | 1 << DT_DROP_EVICTED},
	{"NAME", "frame", " of jstack() without a name", false, 1 << DT_DROP_NAME},
};

#define NKINDS (sizeof(kinds) / sizeof(kinds[0]))

/* For the sums at the end, which tell causes of one kind apart. */
static const char *const causes[DT_DROP_MAX] = {
	[DT_DROP_PRINCIPAL] = "buffer full",
	[DT_DROP_NESTED] = "too many probes fired inside one another",
	[DT_DROP_AGGREGATION] = "no room for a new key (aggsize)",
	[DT_DROP_AGGREST] = "keys took too much memory (aggmem)",
	[DT_DROP_DYNAMIC] = "no room for a new element (dynvarsize)",
	[DT_DROP_SPEC] = "speculation full (specsize), or its number given out again",
	[DT_DROP_SPECUNAVAIL] = "all speculations in use (nspec)",
	[DT_DROP_DBLERROR] = "fault in an ERROR clause",
	[DT_DROP_MISSED] = "a probe fired while its program ran on that CPU",
	[DT_DROP_STOPPED] = "too many between two timer ticks (kernel.perf_event_max_sample_rate)",
	[DT_DROP_IDLE] = "the kernel hides idle tasks, or the host did not run the CPU",
	[DT_DROP_UNCOUNTED] =
		("more events than counters, or too many between two timer ticks (kernel.perf_event_max_sample_rate)"),
	[DT_DROP_UNPLACED] = "ran before their probes were placed",
	[DT_DROP_UNPLACED_CALL] = "called before their probes were placed",
	[DT_DROP_UNSEEN] = "the kernel's buffer for forks, mappings and exits was full",
	[DT_DROP_UNPLACED_NET] = "came before their probes were placed",
	[DT_DROP_RETURN] = "the kernel remembers 64 nested calls of a thread (returns=address)",
	[DT_DROP_STACK] = "no place for a stack (stacksize)",
	[DT_DROP_NAME] = "the memory that has the name could not be read, or no room for it",
	[DT_DROP_EVICTED] =
		"stacks were overwritten before they were read (stacksize), or took too much memory (stackmem)",
};

struct drops {
	int fd;
	uint32_t ncpus;
	uint64_t *now, *seen;	   /* [DT_DROP_MAX][ncpus] */
	uint64_t own[DT_DROP_MAX]; /* counted by the consumer */
	uint32_t said[NKINDS];	   /* how many reports there were */
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

/* Returns the number of new drops of KIND on CPU. */
static uint64_t increase(const struct drops *d, const struct drop_kind *kind, uint32_t cpu)
{
	uint64_t n = 0;

	for (uint32_t cause = 0; cause < DT_DROP_MAX; cause++)
		if (kind->causes >> cause & 1)
			n += d->now[cause * d->ncpus + cpu] - d->seen[cause * d->ncpus + cpu];
	return n;
}

/* Returns the total of KIND on CPU. */
static uint64_t total(const struct drops *d, const struct drop_kind *kind, uint32_t cpu)
{
	uint64_t n = 0;

	for (uint32_t cause = 0; cause < DT_DROP_MAX; cause++)
		if (kind->causes >> cause & 1)
			n += d->now[cause * d->ncpus + cpu];
	return n;
}

/* A report under way. */
struct drop_report {
	struct drops *d;
	bool tags;
	int (*visit)(void *arg, const struct drop *drop);
	void *arg;
};

static const char *ending(const struct drop_kind *kind, uint64_t n)
{
	return n == 1 ? "" : kind->what[strlen(kind->what) - 1] == 's' ? "es" : "s";
}

static int report_one(const struct drop_report *r, size_t k, uint64_t n, uint64_t all, int cpu)
{
	const struct drop_kind *kind = &kinds[k];
	char text[160], where[32] = "";
	struct drop drop = {kind->tag, cpu, n, all, text};

	if (!n)
		return 0;
	if (cpu >= 0)
		snprintf(where, sizeof(where), " on CPU %d", cpu);
	snprintf(text, sizeof(text), "%s%s%s%llu %s%s%s%s", r->tags ? "[DTRACEDROP_" : "",
		r->tags ? kind->tag : "", r->tags ? "] " : "", (unsigned long long)n, kind->what,
		ending(kind, n), kind->after, where);
	r->d->said[k]++;
	return r->visit(r->arg, &drop);
}

void drops_set(struct drops *d, enum dt_drop cause, uint64_t n)
{
	d->own[cause] = n;
}

static int count_drops(struct drops *d)
{
	for (uint32_t cause = 0; cause < DT_DROP_MAX; cause++) {
		uint64_t *now = d->now + cause * d->ncpus;
		int err = 0;

		memset(now, 0, d->ncpus * sizeof(*now));
		if (d->fd >= 0)
			err = bpf_map_lookup_elem(d->fd, &cause, now);
		if (err)
			return err;
		*now += d->own[cause];
	}
	return 0;
}

static int report_kind(const struct drop_report *r, size_t k)
{
	const struct drop_kind *kind = &kinds[k];
	uint64_t more = 0, all = 0;
	int err = 0;

	for (uint32_t cpu = 0; cpu < r->d->ncpus && !err; cpu++) {
		uint64_t n = increase(r->d, kind, cpu), sum = total(r->d, kind, cpu);

		more += n;
		all += sum;
		if (kind->by_cpu)
			err = report_one(r, k, n, sum, (int)cpu);
	}
	return kind->by_cpu ? err : report_one(r, k, more, all, -1);
}

int drops_report(
	struct drops *d, bool tags, int (*visit)(void *arg, const struct drop *drop), void *arg)
{
	const struct drop_report r = {d, tags, visit, arg};
	int err = count_drops(d);

	for (size_t k = 0; k < NKINDS && !err; k++)
		err = report_kind(&r, k);
	memcpy(d->seen, d->now, (size_t)DT_DROP_MAX * d->ncpus * sizeof(*d->seen));
	return err;
}

/* "7 drops: buffer full (CPU 0: 3, CPU 1: 4)" */
static void sum_up_cause(
	const struct drops *d, const struct drop_kind *kind, uint32_t cause, struct buf *b)
{
	const uint64_t *now = d->now + cause * d->ncpus;
	uint64_t sum = 0;
	const char *sep = " (";

	for (uint32_t cpu = 0; cpu < d->ncpus; cpu++)
		sum += now[cpu];
	b->len = 0;
	if (!sum)
		return;
	buf_printf(b, "%llu %s%s in all: %s", (unsigned long long)sum, kind->what,
		ending(kind, sum), causes[cause]);
	for (uint32_t cpu = 0; kind->by_cpu && cpu < d->ncpus; cpu++) {
		if (!now[cpu])
			continue;
		buf_printf(b, "%sCPU %u: %llu", sep, cpu, (unsigned long long)now[cpu]);
		sep = ", ";
	}
	if (kind->by_cpu)
		buf_putc(b, ')');
}

void drops_sum_up(struct drops *d, void (*line)(void *arg, const char *text), void *arg)
{
	struct buf b = {0};

	for (size_t k = 0; k < NKINDS; k++) {
		for (uint32_t cause = 0; cause < DT_DROP_MAX && d->said[k] > 1; cause++) {
			if (!(kinds[k].causes >> cause & 1))
				continue;
			sum_up_cause(d, &kinds[k], cause, &b);
			if (b.len && !b.failed) {
				buf_putc(&b, '\0');
				line(arg, b.data);
			}
		}
	}
	buf_free(&b);
}

uint64_t drops_total(const struct drops *d, enum dt_drop cause)
{
	uint64_t sum = 0;

	for (uint32_t cpu = 0; cpu < d->ncpus; cpu++)
		sum += d->now[cause * d->ncpus + cpu];
	return sum;
}

uint32_t drops_cpus(const struct drops *d)
{
	return d->ncpus;
}

uint64_t drops_on_cpu(const struct drops *d, enum dt_drop cause, uint32_t cpu)
{
	return d->now[cause * d->ncpus + cpu];
}

bool drops_any(const struct drops *d)
{
	for (size_t k = 0; k < NKINDS; k++)
		if (d->said[k])
			return true;
	return false;
}
