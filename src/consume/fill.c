// SPDX-License-Identifier: Apache-2.0
/* Reads and resets the accounts of bufpolicy=fill. */
#include "consume/fill.h"

#include <bpf/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "abi/kernel.h"

struct fill {
	int map_fd, ncpus;
	struct dt_fill accounts[]; /* one for each CPU */
};

static const uint32_t only_key;

struct fill *fill_new(int map_fd, int ncpus)
{
	struct fill *f = calloc(1, sizeof(*f) + (size_t)ncpus * sizeof(*f->accounts));

	if (f) {
		f->map_fd = map_fd;
		f->ncpus = ncpus;
	}
	return f;
}

void fill_free(struct fill *f)
{
	free(f);
}

bool fill_is_full(struct fill *f)
{
	if (bpf_map_lookup_elem(f->map_fd, &only_key, f->accounts))
		return false;
	for (int i = 0; i < f->ncpus; i++)
		if (f->accounts[i].full)
			return true;
	return false;
}

int fill_reset(struct fill *f)
{
	memset(f->accounts, 0, (size_t)f->ncpus * sizeof(*f->accounts));
	return bpf_map_update_elem(f->map_fd, &only_key, f->accounts, BPF_ANY);
}
