// SPDX-License-Identifier: Apache-2.0
/*
 * Reads the buffers of bufpolicy=ring after tracing, and delivers their records in order of time.
 */
#include "consume/over.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "abi/kernel.h"
#include "base/heapvec.h"

/* One CPU's buffer, copied. */
struct cpu_buffer {
	char *chunks;			      /* map values, one after another */
	HEAPVEC(const struct dt_over *) recs; /* oldest first */
	uint32_t next;
};

static const struct dt_over *record_at(
	const struct over *o, const struct cpu_buffer *b, uint64_t pos)
{
	uint32_t off = (uint32_t)pos & (o->size - 1);

	return (const void *)(b->chunks + (size_t)(off / o->chunk) * o->value +
		(off & (o->chunk - 8)));
}

/* From the newest to the oldest that nothing has been written over. */
static int walk_records(const struct over *o, struct cpu_buffer *b, const struct dt_over_head *head)
{
	bool lower = (int64_t)(head->lowest - head->newest) < 0;
	uint64_t written = lower ? head->lowest : head->newest;
	int err = 0;

	for (uint64_t pos = head->newest; pos && !err;) {
		const struct dt_over *r = record_at(o, b, pos);
		uint64_t total = (sizeof(*r) + r->len + 7ull) & ~7ull;

		/* a record that was claimed and not begun, or the remains of one */
		if ((r->pos & ~7ull) != pos || pos + total - written > o->size ||
			total > o->value - o->chunk)
			break;
		if (r->state == DT_OVER_COMPLETE && r->len >= sizeof(struct dt_rec))
			err = heapvec_push(&b->recs, r);
		pos += total;
	}
	for (uint32_t i = 0; i < b->recs.len / 2; i++) {
		const struct dt_over *r = b->recs.data[i];

		b->recs.data[i] = b->recs.data[b->recs.len - 1 - i];
		b->recs.data[b->recs.len - 1 - i] = r;
	}
	return err;
}

static int read_buffer(
	const struct over *o, uint32_t cpu, const struct dt_over_head *head, struct cpu_buffer *b)
{
	uint32_t n = o->size / o->chunk;
	size_t stride = o->value;

	if (!head->newest) /* nothing was recorded there */
		return 0;
	b->chunks = malloc(n * stride);
	if (!b->chunks)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t key = cpu * n + i;
		int err = bpf_map_lookup_elem(o->fd, &key, b->chunks + i * stride);

		if (err)
			return err;
	}
	return walk_records(o, b, head);
}

/* Returns the buffer whose next record is the oldest; NULL: there is none. */
static struct cpu_buffer *oldest(struct cpu_buffer *list, uint32_t n)
{
	struct cpu_buffer *found = NULL;

	for (uint32_t i = 0; i < n; i++) {
		struct cpu_buffer *b = &list[i];

		if (b->next < b->recs.len &&
			(!found ||
				b->recs.data[b->next]->time < found->recs.data[found->next]->time))
			found = b;
	}
	return found;
}

int over_read(const struct over *o, int (*visit)(void *arg, const struct dt_rec *rec, size_t size),
	void *arg)
{
	int ncpus = libbpf_num_possible_cpus(), err = ncpus < 0 ? ncpus : 0;
	uint32_t n = err ? 0 : (uint32_t)ncpus, first = 0;
	struct dt_over_head *heads = calloc(n + 1, sizeof(*heads));
	struct cpu_buffer *list = calloc(n + 1, sizeof(*list)), *b;

	if (!heads || !list)
		err = -ENOMEM;
	if (!err)
		err = bpf_map_lookup_elem(o->heads, &first, heads);
	for (uint32_t i = 0; i < n && !err; i++)
		err = read_buffer(o, i, &heads[i], &list[i]);
	while (!err && (b = oldest(list, n))) {
		const struct dt_over *r = b->recs.data[b->next++];

		err = visit(arg, (const struct dt_rec *)(r + 1), r->len);
	}
	for (uint32_t i = 0; list && i < n; i++) {
		free(list[i].chunks);
		heapvec_free(&list[i].recs);
	}
	free(list);
	free(heads);
	return err;
}
