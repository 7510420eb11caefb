// SPDX-License-Identifier: Apache-2.0
/*
 * Describes the CPUs, nodes and devices of this machine as D text.  The files are those of
 * Documentation/admin-guide/cputopology.rst, ABI/stable/sysfs-devices-node and proc(5),
 * /proc/devices.
 */
#include "compile/topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"

#define MAX_CPUS 8192 /* CONFIG_NR_CPUS is no more on x86-64 */

/* Returns the first line of a file, or "". */
static const char *read_line(struct arena *a, const char *path)
{
	char line[16384];
	FILE *f = fopen(path, "re");

	if (!f || !fgets(line, sizeof(line), f))
		*line = '\0';
	if (f)
		fclose(f);
	return arena_strdup(a, line);
}

/* Set the VALUES that LIST ("0-3,8") names to V, and *N to the highest index + 1. */
static void set(int *values, const char *list, int v, int *n)
{
	char *end;

	for (;; list = end + 1) {
		long from = strtol(list, &end, 10), to = from;

		if (end == list)
			return;
		if (*end == '-')
			to = strtol(end + 1, &end, 10);
		for (long i = from; i >= 0 && i <= to && i < MAX_CPUS; i++) {
			values[i] = v;
			*n = i >= *n ? (int)i + 1 : *n;
		}
		if (*end != ',')
			return;
	}
}

/* Read the package of each CPU from one CPU of each package, which lists the others. */
static void read_chips(struct arena *a, const char *sysfs, int *chips, int ncpus)
{
	char *known = arena_new_array(a, char, MAX_CPUS);

	for (int cpu = 0; cpu < ncpus; cpu++) {
		const char *dir = arena_printf(a, "%s/cpu/cpu%d/topology", sysfs, cpu), *list, *id;
		int *members, n = 0;

		if (known[cpu])
			continue;
		id = read_line(a, arena_printf(a, "%s/physical_package_id", dir));
		list = read_line(a, arena_printf(a, "%s/package_cpus_list", dir));
		if (!*id)
			continue; /* it is offline */
		chips[cpu] = atoi(id);
		members = arena_new_array(a, int, MAX_CPUS);
		set(members, list, 1, &n);
		for (int i = cpu; i < n; i++) {
			if (members[i]) {
				chips[i] = atoi(id);
				known[i] = 1;
			}
		}
	}
}

static void read_nodes(struct arena *a, const char *sysfs, int *nodes, int *ncpus)
{
	const char *list = read_line(a, arena_printf(a, "%s/node/has_cpu", sysfs));
	int *there = arena_new_array(a, int, MAX_CPUS), n = 0;

	set(there, list, 1, &n);
	for (int i = 0; i < n; i++)
		if (there[i])
			set(nodes,
				read_line(a, arena_printf(a, "%s/node/node%d/cpulist", sysfs, i)),
				i, ncpus);
}

/* Append a D expression for the values of CPUs FROM to TO - 1. */
static void put_range(struct buf *b, const int *values, int from, int to)
{
	int mid = from + (to - from) / 2, i = from;

	while (i < to && values[i] == values[from])
		i++;
	if (i >= to) {
		buf_printf(b, "%d", from < to ? values[from] : 0);
		return;
	}
	buf_printf(b, "(cpu < %d ? ", mid);
	put_range(b, values, from, mid);
	buf_puts(b, " : ");
	put_range(b, values, mid, to);
	buf_puts(b, ")");
}

/* ---- devices, time ---- */

/* Append the pair in LINE, "253 zram", from the list after "Block devices:". */
static void put_major(struct buf *b, const char *line)
{
	char name[64];
	int major;

	if (sscanf(line, "%d %63[^\"\\\n]", &major, name) == 2)
		buf_printf(b, "major == %d ? \"%s\" : ", major, name);
}

const char *topology_devices(struct arena *a, const char *devices)
{
	struct buf b = {0};
	FILE *in = fopen(devices, "re");
	bool block = false;
	const char *text;
	char line[128];

	buf_puts(&b, "inline string _block_major[int major] = ");
	while (in && fgets(line, sizeof(line), in)) {
		if (block)
			put_major(&b, line);
		block |= !strncmp(line, "Block devices:", 14);
	}
	if (in)
		fclose(in);
	buf_puts(&b, "\"<unknown>\";\n");
	buf_own(&b, a);
	text = arena_strdup(a, b.failed ? "" : b.data);
	arena_release(a, &b);
	return text;
}

const char *topology_units(struct arena *a)
{
	struct timespec tick = {0};

	clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
	return arena_printf(a, "inline int _tick_ns = %ld;\ninline int _page_size = %ld;\n",
		tick.tv_nsec, sysconf(_SC_PAGESIZE));
}

const char *topology_text(struct arena *a, const char *sysfs)
{
	int *there = arena_new_array(a, int, MAX_CPUS), *chips = arena_new_array(a, int, MAX_CPUS),
	    *nodes = arena_new_array(a, int, MAX_CPUS), ncpus = 0;
	struct buf b = {0};
	const char *text;

	set(there, read_line(a, arena_printf(a, "%s/cpu/possible", sysfs)), 1, &ncpus);
	read_chips(a, sysfs, chips, ncpus);
	read_nodes(a, sysfs, nodes, &ncpus);
	buf_puts(&b, "inline int _cpu_chip[int cpu] = ");
	put_range(&b, chips, 0, ncpus);
	buf_puts(&b, ";\ninline int _cpu_node[int cpu] = ");
	put_range(&b, nodes, 0, ncpus);
	buf_puts(&b, ";\n");
	buf_own(&b, a);
	text = arena_strdup(a, b.failed ? "" : b.data);
	arena_release(a, &b);
	return text;
}
