// SPDX-License-Identifier: Apache-2.0
/*
 * consume/ring: first over memory laid out as the kernel does, where busy records, the end of
 * the buffer and damage can be made at will; then over a ring buffer that a program fills.
 * The second part needs root.
 */
#define _GNU_SOURCE /* memfd_create */
#include "test.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <linux/bpf.h>

#include "abi/kernel.h"
#include "breaks.h"
#include "consume/ring.h"
#include "consume/ring_private.h"

struct rec {
	struct dt_rec rec;
	uint64_t value;
};

/* The records that were visited. */
struct log {
	uint64_t values[64];
	uint32_t n, stop_at;
	size_t size;
};

static int note(void *arg, const struct dt_rec *rec, size_t size)
{
	struct log *l = arg;

	l->size = size;
	if (size >= sizeof(struct rec) && l->n < 64)
		l->values[l->n] = ((const struct rec *)rec)->value;
	return ++l->n == l->stop_at ? 42 : 0;
}

/* ---- memory of our own ---- */

#define SIZE 4096 /* 170 records of 24 bytes, and 16 bytes */

static struct {
	unsigned long consumer, producer;
	char *data; /* the same page twice */
} mem;

static struct ring fake(void)
{
	int fd = memfd_create("ring", 0);

	CHECK(fd >= 0 && !ftruncate(fd, SIZE));
	mem.data = mmap(NULL, 2 * SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	CHECK(mem.data != MAP_FAILED);
	CHECK(mmap(mem.data + SIZE, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) ==
		mem.data + SIZE);
	close(fd);
	return (struct ring){.fd = -1,
		.page = SIZE,
		.size = SIZE,
		.consumer = &mem.consumer,
		.producer = &mem.producer,
		.data = mem.data,
		.len = 2 * SIZE};
}

static uint32_t *header_at(unsigned long pos)
{
	return (uint32_t *)(mem.data + pos % SIZE);
}

static unsigned long produce(uint64_t value, uint32_t flags)
{
	unsigned long pos = mem.producer;
	struct rec r = {.rec = {.probe = 7}, .value = value};

	*header_at(pos) = (uint32_t)sizeof(r) | flags;
	memcpy(mem.data + pos % SIZE + 8, &r, sizeof(r));
	mem.producer += 24;
	return pos;
}

static void test_memory(void)
{
	struct ring r = fake();
	struct log l = {0};
	unsigned long busy;
	uint64_t next = 1;

	CHECK_INT(ring_consume(&r, note, &l, 0), 0);
	produce(next++, 0);
	produce(next++, BPF_RINGBUF_DISCARD_BIT);
	produce(next++, 0);
	busy = produce(next++, BPF_RINGBUF_BUSY_BIT);
	produce(next++, 0);
	CHECK_INT(ring_consume(&r, note, &l, 0), 2);
	CHECK_INT(l.n, 2);
	CHECK_INT(l.size, sizeof(struct rec));
	CHECK_INT(l.values[0], 1);
	CHECK_INT(l.values[1], 3);
	CHECK_INT(mem.consumer, busy); /* the discarded one is passed, the busy one is not */
	CHECK_INT(ring_consume(&r, note, &l, 0), 0);
	*header_at(busy) &= ~BPF_RINGBUF_BUSY_BIT;
	CHECK_INT(ring_consume(&r, note, &l, 1), 1);
	CHECK_INT(mem.consumer, busy + 24);
	CHECK_INT(ring_consume(&r, note, &l, 0), 1);
	CHECK_INT(l.values[3], 5);

	/* round and round: records lie across the end */
	for (int i = 0; i < 400; i++) {
		l.n = 0;
		produce(next++, 0);
		produce(next++, 0);
		CHECK_INT(ring_consume(&r, note, &l, 9), 2);
		CHECK_INT(l.values[0], next - 2);
		CHECK_INT(l.values[1], next - 1);
	}

	/* 42 records of 24 bytes are less than a quarter of the page, 43 are more */
	for (int i = 0; i < 42; i++)
		produce(next++, 0);
	CHECK(!ring_filling(&r));
	produce(next++, 0);
	CHECK(ring_filling(&r));
	CHECK_INT(ring_consume(&r, note, &l, 0), 43);
	CHECK(!ring_filling(&r));

	/* what the visitor returns is returned, and its record is consumed */
	l = (struct log){.stop_at = 1};
	produce(next++, 0);
	produce(next++, 0);
	CHECK_INT(ring_consume(&r, note, &l, 0), 42);
	CHECK_INT(ring_consume(&r, note, &l, 0), 1);
	CHECK_INT(l.values[1], next - 1);

	/* damage is refused, not followed */
	l = (struct log){0};
	busy = produce(next++, 0);
	*header_at(busy) = SIZE;
	CHECK_INT(ring_consume(&r, note, &l, 0), -EBADMSG);
	*header_at(busy) = sizeof(struct dt_rec) - 1;
	CHECK_INT(ring_consume(&r, note, &l, 0), -EBADMSG);
	CHECK_INT(l.n, 0);
	munmap(mem.data, 2 * SIZE);
}

/* ---- a program's ring ---- */

#define INSN(c, d, s, o, i) \
	((struct bpf_insn){.code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i)})
#define MOV_REG(d, s)	   INSN(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define MOV_IMM(d, i)	   INSN(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define LOAD(d, s, o)	   INSN(BPF_LDX | BPF_MEM | BPF_DW, d, s, o, 0)
#define STORE(sz, d, o, s) INSN(BPF_STX | BPF_MEM | (sz), d, s, o, 0)
#define CALL(f)		   INSN(BPF_JMP | BPF_CALL, 0, 0, 0, f)
#define EXIT()		   INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

/* A raw tracepoint program: args[0] = value of the record, args[1] != 0 = discard it. */
static int load_program(int ring)
{
	const struct bpf_insn insns[] = {
		MOV_REG(6, 1),
		INSN(BPF_LD | BPF_IMM | BPF_DW, 1, BPF_PSEUDO_MAP_FD, 0, ring),
		INSN(0, 0, 0, 0, 0),
		MOV_IMM(2, sizeof(struct rec)),
		MOV_IMM(3, 0),
		CALL(BPF_FUNC_ringbuf_reserve),
		INSN(BPF_JMP | BPF_JNE | BPF_K, 0, 0, 2, 0),
		MOV_IMM(0, 1),
		EXIT(),
		LOAD(7, 6, 0),
		MOV_IMM(8, 7),
		STORE(BPF_W, 0, 0, 8),
		MOV_IMM(8, 0),
		STORE(BPF_W, 0, 4, 8),
		STORE(BPF_DW, 0, 8, 7),
		MOV_REG(1, 0),
		MOV_IMM(2, 0),
		LOAD(7, 6, 8),
		INSN(BPF_JMP | BPF_JNE | BPF_K, 7, 0, 3, 0),
		CALL(BPF_FUNC_ringbuf_submit),
		MOV_IMM(0, 0),
		EXIT(),
		CALL(BPF_FUNC_ringbuf_discard),
		MOV_IMM(0, 0),
		EXIT(),
	};

	return bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "fill", "Dual BSD/GPL", insns,
		sizeof(insns) / sizeof(insns[0]), NULL);
}

/* 0, or 1 when there was no room. */
static int fill(int prog, uint64_t value, bool discard)
{
	uint64_t args[2] = {value, discard};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = args, .ctx_size_in = sizeof(args));

	return bpf_prog_test_run_opts(prog, &opts) ? -1 : (int)opts.retval;
}

static bool readable(const struct ring *r)
{
	struct pollfd p = {.fd = ring_fd(r), .events = POLLIN};

	return poll(&p, 1, 0) == 1 && (p.revents & POLLIN);
}

static void test_kernel(struct ring *r, int prog, size_t size)
{
	struct log l = {0};
	uint32_t n, room = (uint32_t)(size / 24);

	CHECK(!readable(r));
	CHECK_INT(ring_consume(r, note, &l, 0), 0);
	CHECK_INT(fill(prog, 11, false), 0);
	CHECK(readable(r));
	CHECK_INT(fill(prog, 12, true), 0);
	CHECK_INT(fill(prog, 13, false), 0);
	CHECK_INT(ring_consume(r, note, &l, 1), 1);
	CHECK_INT(ring_consume(r, note, &l, 0), 1);
	CHECK(!readable(r));
	CHECK_INT(l.values[0], 11);
	CHECK_INT(l.values[1], 13);
	/* until it is full; several times round */
	for (int turn = 0; turn < 5; turn++) {
		for (n = 0; n < 2 * room && !fill(prog, n, false);)
			n++;
		CHECK(n >= room - 2 && n <= room);
		l = (struct log){0};
		CHECK_INT(ring_consume(r, note, &l, 0), n);
		CHECK_INT(l.n, n);
		CHECK_INT(l.values[63], 63);
	}
}

#define STRESS 20000

struct order {
	uint64_t next, wrong;
};

static int in_order(void *arg, const struct dt_rec *rec, size_t size)
{
	struct order *o = arg;

	o->wrong += size != sizeof(struct rec) || rec->probe != 7 ||
		((const struct rec *)rec)->value != o->next;
	o->next++;
	return 0;
}

static void *producer(void *arg)
{
	int prog = *(int *)arg;

	for (uint64_t i = 0; i < STRESS;) {
		if (i % 3 == 0)
			fill(prog, 0, true);
		if (!fill(prog, i, false))
			i++;
	}
	return NULL;
}

/* A writer and a reader at once: every record once, whole and in order. */
static void test_concurrent(struct ring *r, int prog)
{
	struct order o = {0};
	pthread_t thread;
	long total = 0, n = 0;

	CHECK_INT(pthread_create(&thread, NULL, producer, &prog), 0);
	while (total < STRESS && n >= 0) {
		struct pollfd p = {.fd = ring_fd(r), .events = POLLIN};

		CHECK(poll(&p, 1, 10000) == 1); /* lost wake-up */
		n = ring_consume(r, in_order, &o, 100);
		total += n;
	}
	pthread_join(thread, NULL);
	CHECK_INT(total, STRESS);
	CHECK_INT(o.wrong, 0);
}

/* True if there can be rings here. */
static bool test_size(uint32_t size)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "test_ring", 0, 0, size, NULL);
	struct ring *r;
	int prog;

	if (fd < 0)
		return false;
	prog = load_program(fd);
	CHECK(prog >= 0);
	r = ring_new(fd);
	CHECK(r != NULL);
	if (r && prog >= 0) {
		test_kernel(r, prog, size);
		test_concurrent(r, prog);
	}
	ring_free(r);
	close(prog);
	close(fd);
	return true;
}

static int consume_again(void *r, const struct dt_rec *rec, size_t size)
{
	struct log l = {0};

	(void)rec;
	(void)size;
	return (int)ring_consume(r, note, &l, 1) - 1;
}

/* Reads the ring while it is read: the records would come twice. */
static void consume_within(void *r)
{
	ring_consume(r, consume_again, r, 1);
}

static void test_defect(void)
{
	struct ring r;

	mem.consumer = mem.producer = 0;
	r = fake();
	produce(1, 0);
	CHECK(breaks("consume/ring.c", consume_within, &r));
	munmap(mem.data, 2 * SIZE);
}

int main(void)
{
	int fd;

	test_memory();
	test_defect();
	/* mapped as a whole, and through a window that moves */
	if (!test_size(4096) || !test_size(1 << 20))
		return test_failed ? test_done() : (test_skip("cannot create BPF maps"), 1);
	ring_free(NULL);
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "no_ring", 4, 4, 1, NULL);
	CHECK(!ring_new(fd) && errno == EINVAL);
	close(fd);
	CHECK(!ring_new(-1));
	return test_done();
}
