// SPDX-License-Identifier: Apache-2.0
/* Reads the records of a BPF ring buffer through a window that is mapped. */
#include "consume/ring_private.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <linux/bpf.h>

#include "abi/kernel.h"
#include "base/invariant.h"
#include "consume/ring.h"

/* Of the window, unless a record is longer: a move takes some 20 us, filling it far longer. */
#define WINDOW (256 * 1024)

static struct ring *fail(struct ring *r, int err)
{
	ring_free(r);
	errno = err;
	return NULL;
}

struct ring *ring_new(int fd)
{
	struct ring *r = calloc(1, sizeof(*r));
	struct bpf_map_info info = {0};
	uint32_t len = sizeof(info);
	void *map;

	if (!r)
		return NULL;
	r->fd = fd;
	r->page = (size_t)sysconf(_SC_PAGESIZE);
	if (bpf_obj_get_info_by_fd(fd, &info, &len))
		return fail(r, errno);
	if (info.type != BPF_MAP_TYPE_RINGBUF)
		return fail(r, EINVAL);
	r->size = info.max_entries;
	map = mmap(NULL, r->page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return fail(r, errno);
	r->consumer = map;
	map = mmap(NULL, r->page, PROT_READ, MAP_SHARED, fd, (off_t)r->page);
	if (map == MAP_FAILED)
		return fail(r, errno);
	r->producer = map;
	return r;
}

/* Map the page that OFF lies in and what follows it, at least NEED bytes from OFF on. */
static bool move_window(struct ring *r, size_t off, size_t need)
{
	size_t from = off & ~(r->page - 1), len = off - from + need;
	void *map;

	if (len < WINDOW)
		len = WINDOW;
	len = (len + r->page - 1) & ~(r->page - 1);
	if (len > 2 * r->size - from)
		len = 2 * r->size - from;
	if (r->len)
		munmap((void *)r->data, r->len);
	r->len = 0;
	map = mmap(NULL, len, PROT_READ, MAP_SHARED, r->fd, (off_t)(2 * r->page + from));
	if (map == MAP_FAILED)
		return false;
	r->data = map;
	r->from = from;
	r->len = len;
	return true;
}

/*
 * Returns the header at POS with NEED bytes, itself among them; NULL and errno when it cannot be
 * mapped.
 */
static const struct ring_header *header_at(struct ring *r, unsigned long pos, size_t need)
{
	size_t off = pos & (r->size - 1);

	if ((off < r->from || off + need > r->from + r->len) && !move_window(r, off, need))
		return NULL;
	return (const void *)(r->data + (off - r->from));
}

void ring_free(struct ring *r)
{
	if (!r)
		return;
	if (r->consumer)
		munmap(r->consumer, r->page);
	if (r->producer)
		munmap((void *)r->producer, r->page);
	if (r->len)
		munmap((void *)r->data, r->len);
	free(r);
}

long ring_consume(struct ring *r, int (*visit)(void *arg, const struct dt_rec *rec, size_t size),
	void *arg, long max)
{
	unsigned long pos = *r->consumer; /* only this function writes it */
	long n = 0;

	while (!max || n < max) {
		const struct ring_header *h;
		uint32_t word, len;
		int stop = 0;

		/* pairs with the kernel's release after it has set the busy bit */
		if (pos >= __atomic_load_n(r->producer, __ATOMIC_ACQUIRE))
			break;
		h = header_at(r, pos, sizeof(*h));
		if (!h)
			return -errno;
		/* pairs with the exchange that clears the busy bit when the data are complete */
		word = __atomic_load_n(&h->len, __ATOMIC_ACQUIRE);
		if (word & BPF_RINGBUF_BUSY_BIT)
			break;
		len = word & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);
		if (len > r->size - sizeof(*h))
			return -EBADMSG;
		h = header_at(r, pos, sizeof(*h) + len);
		if (!h)
			return -errno;
		if (!(word & BPF_RINGBUF_DISCARD_BIT)) {
			if (len < sizeof(struct dt_rec))
				return -EBADMSG;
			stop = visit(arg, (const void *)(h + 1), len);
			n++;
		}
		INVARIANT(*r->consumer == pos); /* VISIT has not read the ring itself */
		pos += (sizeof(*h) + len + 7) & ~7ul;
		/* the kernel may write over the record from now on */
		__atomic_store_n(r->consumer, pos, __ATOMIC_RELEASE);
		if (stop)
			return stop;
	}
	return n;
}

bool ring_filling(const struct ring *r)
{
	return __atomic_load_n(r->producer, __ATOMIC_RELAXED) - *r->consumer >= r->size / 4;
}

unsigned long ring_position(const struct ring *r)
{
	return *r->consumer;
}

size_t ring_size(const struct ring *r)
{
	return r->size;
}

int ring_fd(const struct ring *r)
{
	return r->fd;
}
