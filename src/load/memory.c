// SPDX-License-Identifier: Apache-2.0
/* Adds up the memory that the maps of an object can take, and compares it with the user's limit. */
#include <errno.h>

#include "base/units.h"
#include "load/internal.h"

#define ELEMENT 48 /* bytes of a hash table's element in addition to key and value, about */

static uint64_t words(uint32_t bytes)
{
	return ((uint64_t)bytes + 7) & ~7ULL;
}

/* Returns the bytes that MAP can take at most; variables of threads are not limited. */
static uint64_t map_bytes(struct bpf_map *map, uint64_t cpus)
{
	uint64_t n = bpf_map__max_entries(map), value = words(bpf_map__value_size(map));
	uint64_t key = words(bpf_map__key_size(map));

	switch (bpf_map__type(map)) {
	case BPF_MAP_TYPE_RINGBUF:
		return n;
	case BPF_MAP_TYPE_ARRAY:
		return n * value;
	case BPF_MAP_TYPE_PERCPU_ARRAY:
		return n * value * cpus;
	case BPF_MAP_TYPE_HASH:
		return n * (ELEMENT + key + value);
	case BPF_MAP_TYPE_PERCPU_HASH:
		return n * (ELEMENT + key + value * cpus);
	case BPF_MAP_TYPE_ARRAY_OF_MAPS:
		return n * (value + map_bytes(bpf_map__inner_map(map), cpus));
	default:
		return n * (key + value);
	}
}

int load_check_memory(struct load *l)
{
	uint64_t before = l->base ? l->base->memory : 0;
	const struct load_bound *bound = &l->opts.memory;
	int cpus = libbpf_num_possible_cpus();
	char takes[32], allowed[32];
	struct bpf_map *map;

	if (cpus < 0)
		return cpus;
	l->memory = 0;
	/* those that load_more() shares have a descriptor already */
	bpf_object__for_each_map(map, l->obj) if (bpf_map__autocreate(map) && bpf_map__fd(map) < 0)
		l->memory += map_bytes(map, (uint64_t)cpus);
	l->exceeds_memory = bound->by && before + l->memory > bound->most;
	if (!l->exceeds_memory)
		return 0;
	return load_fail(l, -ENOMEM, "buffers and maps can take %s, and %s allows %s",
		units_print_size(takes, sizeof(takes), (before + l->memory + 1023) & ~1023ULL),
		bound->by, units_print_size(allowed, sizeof(allowed), bound->most));
}

bool load_exceeds_memory(const struct load *l)
{
	return l->exceeds_memory;
}
