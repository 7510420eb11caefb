// SPDX-License-Identifier: Apache-2.0
/*
 * consume/over: buffers of several CPUs, written as the programs do, by hand; among them what a
 * program leaves that is given back, interrupted or damaged.  Needs root, for the maps.
 * @ref options 5.1 ring-keeps-newest per-cpu
 */
#include "test.h"

#include <errno.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>

#include "abi/kernel.h"
#include "consume/over.h"

#define SIZE  4096
#define CHUNK 1024
#define VALUE (CHUNK + 512) /* the longest record takes 512 bytes */
#define N     (SIZE / CHUNK)

static int ncpus;
static struct over o;
static struct dt_over_head *heads;
static char *mem; /* what goes into the map: [ncpus][N][VALUE] */

static struct dt_over *at(int cpu, uint64_t pos)
{
	uint32_t off = (uint32_t)pos & (SIZE - 1);

	return (void *)(mem + ((size_t)cpu * N + off / CHUNK) * VALUE + off % CHUNK);
}

struct rec {
	struct dt_rec rec;
	uint32_t number;
	char text[];
};

/* A record of TOTAL bytes with its header, as dt_over_claim() and what is behind it make one. */
static uint64_t put(
	int cpu, uint32_t number, uint32_t total, enum dt_over_state state, uint64_t time)
{
	uint64_t pos = heads[cpu].newest -= total;
	struct dt_over *h = at(cpu, pos);
	uint32_t len = total - (uint32_t)sizeof(*h);
	struct rec *r = (struct rec *)(h + 1);

	*h = (struct dt_over){len, state, pos | (number % 2 ? DT_OVER_OUTERMOST : 0), time};
	*r = (struct rec){.rec = {.probe = 7, .cpu = (uint16_t)cpu}, .number = number};
	memset(r->text, (char)number, len - sizeof(*r));
	return pos;
}

/* Its room is given back; it has left its bytes. */
static void give_back(int cpu, uint64_t pos, uint32_t total)
{
	at(cpu, pos)->state = DT_OVER_DISCARDED;
	if ((int64_t)(pos - heads[cpu].lowest) < 0)
		heads[cpu].lowest = pos;
	if (heads[cpu].newest == pos)
		heads[cpu].newest += total;
}

static void reset(void)
{
	memset(mem, 0, (size_t)ncpus * N * VALUE);
	memset(heads, 0, (size_t)ncpus * sizeof(*heads));
}

struct log {
	uint32_t numbers[1000], n, stop_at;
	bool torn;
};

static int note(void *arg, const struct dt_rec *rec, size_t size)
{
	const struct rec *r = (const struct rec *)rec;
	struct log *l = arg;

	l->torn |= r->rec.probe != 7 || size < sizeof(*r);
	for (size_t i = sizeof(*r); i < size; i++)
		l->torn |= r->text[i - sizeof(*r)] != (char)r->number;
	l->numbers[l->n++] = r->number;
	return l->n == l->stop_at ? 42 : 0;
}

static struct log read_all(uint32_t stop_at, int want)
{
	struct log l = {.stop_at = stop_at};
	uint32_t first = 0;

	for (uint32_t i = 0; i < (uint32_t)ncpus * N; i++)
		CHECK_INT(bpf_map_update_elem(o.fd, &i, mem + (size_t)i * VALUE, 0), 0);
	CHECK_INT(bpf_map_update_elem(o.heads, &first, heads, 0), 0);
	CHECK_INT(over_read(&o, note, &l), want);
	CHECK(!l.torn);
	return l;
}

/* FIRST to LAST, in order. */
static void expect(const struct log *l, uint32_t first, uint32_t last)
{
	CHECK_INT(l->n, last - first + 1);
	for (uint32_t i = 0; i < l->n; i++)
		CHECK_INT(l->numbers[i], first + i);
}

static void test_laps(void)
{
	struct log l;

	reset();
	l = read_all(0, 0);
	CHECK_INT(l.n, 0);
	put(0, 1, 64, DT_OVER_COMPLETE, 1);
	l = read_all(0, 0);
	expect(&l, 1, 1);

	/* as many as fit, exactly; then the oldest goes */
	reset();
	for (uint32_t i = 0; i < SIZE / 64; i++)
		put(0, i, 64, DT_OVER_COMPLETE, i);
	l = read_all(0, 0);
	expect(&l, 0, SIZE / 64 - 1);
	put(0, SIZE / 64, 64, DT_OVER_COMPLETE, 1000);
	l = read_all(0, 0);
	expect(&l, 1, SIZE / 64);

	/* of many sizes, over and over: they lie across the ends of chunks and of the buffer */
	for (uint32_t size = 48; size <= 512; size += 8) {
		uint32_t i, kept = 0, bytes = 0;

		reset();
		for (i = 0; i < 300; i++)
			put(0, i, i % 3 ? size : 48, DT_OVER_COMPLETE, i);
		while (bytes + (--i % 3 ? size : 48) <= SIZE) {
			bytes += i % 3 ? size : 48;
			kept++;
		}
		l = read_all(0, 0);
		expect(&l, 300 - kept, 299);
	}
}

static void test_not_complete(void)
{
	struct log l;
	uint64_t pos;

	/* one that was given back, and one that was not, for another had been made */
	reset();
	put(0, 1, 64, DT_OVER_COMPLETE, 1);
	give_back(0, put(0, 99, 256, DT_OVER_BUSY, 2), 256);
	put(0, 2, 64, DT_OVER_COMPLETE, 3);
	pos = put(0, 99, 256, DT_OVER_BUSY, 4);
	put(0, 3, 64, DT_OVER_COMPLETE, 5);
	give_back(0, pos, 256);
	put(0, 99, 64, DT_OVER_BUSY, 6);
	put(0, 4, 64, DT_OVER_COMPLETE, 7);
	l = read_all(0, 0);
	expect(&l, 1, 4);

	/* full, and then one is given back: what it was written over is gone */
	for (uint32_t total = 64; total <= 512; total += 8) {
		reset();
		for (uint32_t i = 0; i < 100; i++)
			put(0, i, 64, DT_OVER_COMPLETE, i);
		give_back(0, put(0, 99, total, DT_OVER_BUSY, 100), total);
		l = read_all(0, 0);
		expect(&l, 100 - SIZE / 64 + (total + 63) / 64, 99);
		/* and so it is when others have taken a part of its room */
		put(0, 100, 48, DT_OVER_COMPLETE, 101);
		l = read_all(0, 0);
		expect(&l, 100 - SIZE / 64 + (total + 63) / 64, 100);
	}

	/* claimed, and nothing was written yet */
	reset();
	put(0, 1, 64, DT_OVER_COMPLETE, 1);
	heads[0].newest -= 64;
	l = read_all(0, 0);
	CHECK_INT(l.n, 0);

	/* damage */
	reset();
	put(0, 1, 64, DT_OVER_COMPLETE, 1);
	pos = put(0, 2, 64, DT_OVER_COMPLETE, 2);
	put(0, 3, 64, DT_OVER_COMPLETE, 3);
	at(0, pos)->len = 1 << 20;
	l = read_all(0, 0);
	expect(&l, 3, 3);
	at(0, pos)->len = 2; /* shorter than any record */
	l = read_all(0, 0);
	expect(&l, 3, 3);
}

static void test_cpus(void)
{
	struct log l;

	if (ncpus < 2)
		return;
	reset();
	for (uint32_t i = 0; i < 500; i++)
		put(i * 7 % 3 != 0, i, 64, DT_OVER_COMPLETE, i);
	l = read_all(0, 0);
	CHECK_INT(l.n, 2 * SIZE / 64);
	for (uint32_t i = 1; i < l.n; i++)
		CHECK(l.numbers[i] > l.numbers[i - 1]);
	CHECK_INT(l.numbers[l.n - 1], 499);
	/* what the visitor returns ends it */
	l = read_all(5, 42);
	CHECK_INT(l.n, 5);
}

int main(void)
{
	ncpus = libbpf_num_possible_cpus();
	o = (struct over){.size = SIZE, .chunk = CHUNK, .value = VALUE};
	o.fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "over", 4, VALUE, (uint32_t)(ncpus * N), NULL);
	if (o.fd < 0)
		return test_skip("cannot create BPF maps"), 1;
	o.heads = bpf_map_create(
		BPF_MAP_TYPE_PERCPU_ARRAY, "heads", 4, sizeof(struct dt_over_head), 1, NULL);
	heads = calloc((size_t)ncpus, sizeof(*heads));
	mem = malloc((size_t)ncpus * N * VALUE);
	test_laps();
	test_not_complete();
	test_cpus();
	/* a buffer that cannot be read */
	close(o.fd);
	put(0, 1, 64, DT_OVER_COMPLETE, 1);
	o.fd = -1;
	CHECK_INT(over_read(&o, note, &(struct log){0}), -EBADF);
	close(o.heads);
	CHECK(over_read(&o, note, &(struct log){0}) < 0);
	free(heads);
	free(mem);
	return test_done();
}
