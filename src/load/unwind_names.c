// SPDX-License-Identifier: Apache-2.0
/*
 * Prepares the map of names that jstack() fills.
 *
 * Its memory is taken as names come, from a list that the kernel keeps for each CPU and fills up
 * after an interrupt, not in it.  A new list has room for one name, so the first stack, which has
 * only new names, would have only one.
 */
#define _GNU_SOURCE /* sched_setaffinity() */
#include <sched.h>

#include <bpf/bpf.h>

#include "abi/managed.h"
#include "load/unwind_int.h"

/* As many as the kernel lets such a list have (kernel/bpf/memalloc.c). */
#define NAMES (96 * 256 / sizeof(struct dt_name))

/* Has the current CPU's list filled, by names that do not stay: the ids of others are odd. */
static void fill_list(int fd)
{
	static const struct dt_name none;

	for (uint64_t id = 2; id <= 2 * NAMES; id += 2)
		bpf_map_update_elem(fd, &id, &none, BPF_ANY);
	for (uint64_t id = 2; id <= 2 * NAMES; id += 2)
		bpf_map_delete_elem(fd, &id);
}

void unwind_prepare_names(int fd)
{
	cpu_set_t before, one;

	if (fd < 0 || sched_getaffinity(0, sizeof(before), &before))
		return;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		if (!sched_setaffinity(0, sizeof(one), &one))
			fill_list(fd);
	}
	sched_setaffinity(0, sizeof(before), &before);
}
