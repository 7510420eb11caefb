// SPDX-License-Identifier: Apache-2.0
/*
 * Makes room for new keys before anything fires.
 *
 * Elements of a hash that is not allocated in advance come from a list that the kernel keeps for
 * each map and CPU, and fills up after an interrupt of its own (kernel/bpf/memalloc.c).  That one
 * cannot come before an interrupt with a probe in it has ended.  A new list has four elements, a
 * filled one some 50: an update by user space has it filled.
 */
#define _GNU_SOURCE /* sched_setaffinity() */
#include <sched.h>
#include <stdlib.h>

#include <bpf/bpf.h>

#include "base/heapvec.h"
#include "base/vec.h"
#include "load/internal.h"

struct wanting {
	int fd;
	void *key, *value; /* zeros */
};

typedef HEAPVEC(struct wanting) wanting_vec;

/* The map may not have keys yet: the one that is added and deleted could be in use. */
static bool wants_room(const struct load *l, const struct bpf_map *map)
{
	return bpf_map__type(map) == BPF_MAP_TYPE_HASH && load_map_is_created(map) &&
		(bpf_map__map_flags(map) & BPF_F_NO_PREALLOC) &&
		!(l->base && load_map(l->base, bpf_map__name(map)));
}

static void find_wanting(const struct load *l, wanting_vec *found)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, l->obj)
	{
		struct wanting w = {.fd = bpf_map__fd(map)};

		if (!wants_room(l, map))
			continue;
		w.key = calloc(1, bpf_map__key_size(map));
		w.value = calloc(1, bpf_map__value_size(map));
		if (w.key && w.value && !heapvec_push(found, w))
			continue;
		free(w.key);
		free(w.value);
	}
}

void load_make_room(const struct load *l)
{
	wanting_vec found = {0};
	int cpus = load_cpus(), reached = 0;
	cpu_set_t before, one;

	find_wanting(l, &found);
	if (found.len && !sched_getaffinity(0, sizeof(before), &before)) {
		/* their numbers can have gaps */
		for (int cpu = 0; cpu < CPU_SETSIZE && reached != cpus; cpu++) {
			CPU_ZERO(&one);
			CPU_SET(cpu, &one);
			if (sched_setaffinity(0, sizeof(one), &one))
				continue;
			reached++;
			vec_for (w, &found)
				if (!bpf_map_update_elem(w->fd, w->key, w->value, BPF_NOEXIST))
					bpf_map_delete_elem(w->fd, w->key);
		}
		sched_setaffinity(0, sizeof(before), &before);
	}
	vec_for (w, &found) {
		free(w->key);
		free(w->value);
	}
	heapvec_free(&found);
}
