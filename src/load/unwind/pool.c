// SPDX-License-Identifier: Apache-2.0
/*
 * Hands out and takes back the pages of unwind tables.  The pool's slabs are maps of their own,
 * which this process has mapped: filling a page is no system call.  Adding a slab is one that
 * waits for the programs that run (map_update_elem on an array of maps ends with
 * synchronize_rcu(), kernel/bpf/syscall.c), some 10 ms.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "abi/unwind.h"
#include "base/invariant.h"
#include "base/vec.h"
#include "load/unwind/unwind_int.h"

#define SLAB_SIZE ((size_t)DT_UNWIND_PAGE * DT_SLAB_PAGES)

/*
 * The time in ns that a page stays unused after it was given back: longer than any walk, which
 * takes less than a millisecond unless something with more priority has its CPU.
 */
#define REST 1000000000ull

int pool_init(struct pool *p, int fd, uint32_t max_slabs)
{
	memset(p, 0, sizeof(*p));
	p->fd = fd;
	p->max_slabs = max_slabs;
	p->fresh = 1; /* page 0 is none */
	p->slabs = calloc(max_slabs, sizeof(*p->slabs));
	return p->slabs ? 0 : -ENOMEM;
}

void pool_fini(struct pool *p)
{
	for (uint32_t i = 0; i < p->nslabs; i++)
		munmap(p->slabs[i], SLAB_SIZE);
	free(p->slabs);
	heapvec_free(&p->free);
}

static bool is_free(const struct pool *p, uint32_t page)
{
	for (uint32_t i = p->first; i < p->free.len; i++)
		if (p->free.data[i].page == page)
			return true;
	return false;
}

/* Without memory the page is lost to the pool. */
static void push_free(struct pool *p, uint32_t page, uint64_t since)
{
	INVARIANT(page && page < p->fresh && !is_free(p, page));
	if (p->first > p->free.len / 2) {
		p->free.len -= p->first;
		memmove(p->free.data, p->free.data + p->first, p->free.len * sizeof(*p->free.data));
		p->first = 0;
	}
	(void)heapvec_push(&p->free, (struct pool_free){page, since});
}

/* Puts a new map of pages into the array; the array and the mapping keep it. */
static void *new_slab(struct pool *p)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);
	int fd = bpf_map_create(
		BPF_MAP_TYPE_ARRAY, "dt_slab", 4, DT_UNWIND_PAGE, DT_SLAB_PAGES, &opts);
	uint32_t key = p->nslabs;
	void *at = MAP_FAILED;

	if (fd < 0)
		return NULL;
	at = mmap(NULL, SLAB_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at != MAP_FAILED && bpf_map_update_elem(p->fd, &key, &fd, BPF_ANY)) {
		munmap(at, SLAB_SIZE);
		at = MAP_FAILED;
	}
	close(fd);
	return at == MAP_FAILED ? NULL : at;
}

static bool add_slab(struct pool *p)
{
	void *at = p->nslabs < p->max_slabs ? new_slab(p) : NULL;

	if (!at)
		return false;
	p->slabs[p->nslabs++] = at;
	return true;
}

uint32_t pool_take(struct pool *p, struct pages *owner)
{
	uint32_t page;

	if (heapvec_reserve(owner, owner->len + 1))
		return 0;
	if (p->first < p->free.len && unwind_now() - p->free.data[p->first].since > REST) {
		page = p->free.data[p->first++].page;
	} else {
		if (p->fresh >= p->nslabs * DT_SLAB_PAGES && !add_slab(p)) {
			p->full = true;
			return 0;
		}
		page = p->fresh++;
	}
	owner->data[owner->len++] = page;
	p->used++;
	return page;
}

void *pool_page(struct pool *p, uint32_t page)
{
	INVARIANT(page && page < p->fresh);
	return (char *)p->slabs[page / DT_SLAB_PAGES] +
		(size_t)(page % DT_SLAB_PAGES) * DT_UNWIND_PAGE;
}

void pool_give(struct pool *p, struct pages *owner)
{
	uint64_t now = unwind_now();

	vec_for (page, owner)
		push_free(p, *page, now);
	INVARIANT(p->used >= owner->len);
	p->used -= owner->len;
	heapvec_free(owner);
}
