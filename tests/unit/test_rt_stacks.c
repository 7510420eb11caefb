// SPDX-License-Identifier: Apache-2.0
/* The table of kept stacks, as dt_stack_keep() fills it and src/consume reads it. */
#define RT_STACK_FRAMES 32
#include "rt_run.h"
#include "stack_table.h"

#include "abi/stacks.h"
#include "consume/stacks.h"

#define AT 64 /* in the slot */

static struct dt_stacks *table;
static uint64_t ring, most = UINT64_MAX; /* bytes of copies */
static struct stacks *reader;

static uint64_t drops(void)
{
	int ncpus = libbpf_num_possible_cpus();
	uint64_t *n = calloc((size_t)ncpus, sizeof(*n)), sum = 0;
	uint32_t cause = DT_DROP_STACK;

	CHECK_INT(bpf_map_lookup_elem(load_map_fd(load, DT_MAP_DROPS), &cause, n), 0);
	for (int i = 0; i < ncpus; i++)
		sum += n[i];
	free(n);
	return sum;
}

static void open_table(void)
{
	size_t size;

	rt_open(64, 4096);
	ring = load_stack_ring(0, RT_STACK_FRAMES);
	size = (DT_STACK_TABLE(ring, RT_STACK_FRAMES) + 4095) & ~4095ull;
	table = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED,
		load_map_fd(load, DT_MAP_STACKS), 0);
	CHECK(table != MAP_FAILED);
	reader = stacks_new(table, ring, RT_STACK_FRAMES, NULL, most);
}

static void close_table(void)
{
	stacks_free(reader);
	munmap(table, (DT_STACK_TABLE(ring, RT_STACK_FRAMES) + 4095) & ~4095ull);
	rt_close();
}

static uint64_t keep(uint64_t who, const uint64_t *pc, uint32_t n)
{
	memset(mem, 0xa5, scratch_size); /* what follows the frames does not count */
	memcpy(mem + AT + sizeof(struct dt_kept_stack), pc, sizeof(*pc) * n);
	return run_string(FN_dt_stack_keep, AT, n, who, 0);
}

/* It has the id that it should have, and can be read by it. */
static uint64_t keep_checked(uint64_t who, const uint64_t *pc, uint32_t n)
{
	uint64_t id = keep(who, pc, n);
	const struct kept_stack *k = stacks_find(reader, id);

	CHECK_INT(id, stack_table_id(who, pc, n));
	CHECK(k != NULL);
	if (!k)
		return id;
	CHECK_INT(k->n, n);
	CHECK_INT(k->user, (who & DT_STACK_USER) != 0);
	CHECK_INT(k->part, (who & DT_STACK_PART) != 0);
	CHECK_INT(k->unwanted, (who & DT_STACK_UNWANTED) != 0);
	CHECK_INT(k->pid, (pid_t)who);
	CHECK(!memcmp(k->pc, pc, sizeof(*pc) * n));
	return id;
}

static const uint64_t pcs[RT_STACK_FRAMES] = {0xffffffff81000001, 0xffffffff81000002, 3, 4, 5, 0, 7,
	8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
	31, 32};

/* Each number of frames, process and kind is a stack of its own, and kept once. */
static void test_once(void)
{
	uint64_t seen[RT_STACK_FRAMES + 1], head, other = 0;

	open_table();
	for (uint32_t n = 0; n <= RT_STACK_FRAMES; n++) {
		seen[n] = keep_checked(0, pcs, n);
		for (uint32_t i = 0; i < n; i++)
			CHECK(seen[i] != seen[n]);
	}
	head = table->head;
	for (uint32_t n = 0; n <= RT_STACK_FRAMES; n++)
		CHECK_INT(keep(0, pcs, n), seen[n]);
	CHECK_INT(table->head, head);
	other = keep_checked(DT_STACK_USER, pcs, 5);
	CHECK(other != seen[5]);
	CHECK(keep_checked(DT_STACK_USER | 4711, pcs, 5) != other);
	CHECK(keep_checked(DT_STACK_USER | DT_STACK_UNWANTED, pcs, 5) != other);
	CHECK_INT(drops(), 0);
	CHECK(stacks_find(reader, 0) == NULL);
	CHECK(stacks_find(reader, seen[5] + 1) == NULL);
	close_table();
}

/* A stack that may lack callers is the same as one that does not; whole once, it stays so. */
static void test_part(void)
{
	const uint64_t who = DT_STACK_USER | 4711;
	uint64_t id;

	open_table();
	id = keep_checked(who | DT_STACK_PART, pcs, 7);
	CHECK(stacks_hold(reader, id)->part);
	CHECK_INT(keep(who | DT_STACK_PART, pcs, 7), id);
	CHECK(stacks_find(reader, id)->part);
	CHECK_INT(keep(who, pcs, 7), id);
	CHECK(!stacks_find(reader, id)->part);
	CHECK_INT(keep(who | DT_STACK_PART, pcs, 7), id);
	CHECK(!stacks_find(reader, id)->part);
	close_table();
}

static struct dt_kept_stack *entry(uint64_t pos)
{
	return (struct dt_kept_stack *)((char *)table + DT_STACK_RING_AT(ring) + pos);
}

/*
 * Stacks with one id: the one that came later has the next id, and the others stay; where there is
 * none it is dropped.
 */
static void test_collision(void)
{
	const uint64_t size = DT_STACK_ENTRY(9);
	uint64_t id, n;

	open_table();
	id = keep_checked(0, pcs, 9);
	for (n = 1; n < DT_STACK_IDS; n++) {
		CHECK_INT(entry((n - 1) * size)->id, id);
		entry((n - 1) * size)->pc[8] ^= 1; /* as if it were another stack with this id */
		/* a reader takes no frames for those of the id */
		CHECK(stacks_find(reader, id) == NULL);
		id = dt_stack_next(id);
		CHECK_INT(keep(0, pcs, 9), id);
		CHECK_INT(keep(0, pcs, 9), id);
		CHECK_INT(table->head, (n + 1) * size);
		CHECK(stacks_find(reader, id) != NULL);
		CHECK(!memcmp(stacks_find(reader, id)->pc, pcs, 9 * sizeof(pcs[0])));
	}
	entry((n - 1) * size)->pc[8] ^= 1;
	CHECK_INT(drops(), 0);
	CHECK_INT(keep(0, pcs, 9), 0);
	CHECK_INT(drops(), 1);
	for (uint64_t i = 0; i < n; i++)
		CHECK_INT(entry(i * size)->pc[8], pcs[8] ^ 1);
	entry((n - 1) * size)->pc[8] ^= 1;
	CHECK_INT(keep(0, pcs, 9), id);
	entry((n - 1) * size)->who += 1ull << DT_STACK_COUNT;
	CHECK_INT(keep(0, pcs, 9), 0);
	CHECK_INT(drops(), 2);
	CHECK_INT(table->head, n * size);
	close_table();
}

/* Puts stacks of I into the table until its head has gone as far as TO. */
static void fill(uint64_t to)
{
	uint64_t pc[RT_STACK_FRAMES] = {1, 2, 3};

	for (uint32_t i = 0; table->head < to; i++) {
		pc[0] = table->head;
		pc[1] = i;
		keep_checked(0, pc, 1 + i % RT_STACK_FRAMES);
	}
}

/* The oldest make room; what is held is known still, and what is taken again has its old id. */
static void test_eviction(void)
{
	uint64_t first, held;

	open_table();
	first = keep_checked(0, pcs, 20);
	held = keep_checked(0, pcs, 21);
	CHECK(stacks_hold(reader, held) != NULL);
	fill(2 * ring);
	stacks_follow(reader);
	CHECK(stacks_find(reader, first) == NULL);
	CHECK(stacks_find(reader, held) != NULL);
	CHECK_INT(stacks_missed(reader), 0);
	stacks_miss(reader, first);
	stacks_miss(reader, first);
	CHECK_INT(stacks_missed(reader), 1);
	CHECK_INT(keep_checked(0, pcs, 20), first);
	CHECK_INT(drops(), 0);
	close_table();
}

/* Who follows the head keeps everything, many times around the ring; programs tell when to. */
static void test_follow(void)
{
	static uint64_t ids[20000];
	uint64_t pc[RT_STACK_FRAMES] = {7}, head = 0;
	uint32_t n = 0, told = 0;

	open_table();
	for (; table->head < 8 * ring && n < 20000; n++) {
		pc[1] = n;
		ids[n] = keep_checked(DT_STACK_USER | (1 + n % 3), pc, 2 + n % 20);
		CHECK(!stacks_news(reader) || table->head - head > ring / 4);
		if (!stacks_news(reader))
			continue;
		stacks_follow(reader);
		CHECK(!stacks_news(reader));
		head = table->head;
		told++;
	}
	CHECK(told >= 8 * 4 * 3 / 4);
	stacks_follow(reader);
	for (uint32_t i = 0; i < n; i++) {
		const struct kept_stack *k = stacks_find(reader, ids[i]);

		CHECK(k && k->n == 2 + i % 20 && k->pc[0] == 7 && k->pc[1] == i);
		CHECK(k && k->pid == (pid_t)(1 + i % 3) && k->id == ids[i]);
	}
	close_table();
}

/* An entry that its program does not come to write does not hide the ones behind it. */
static void test_torn(void)
{
	uint64_t before, behind, torn;

	open_table();
	before = keep_checked(0, pcs, 3);
	torn = table->head;
	keep_checked(0, pcs, 6);
	entry(torn)->id++;
	behind = keep_checked(0, pcs, 9);
	stacks_follow(reader); /* it may be written yet */
	keep_checked(0, pcs, 12);
	stacks_follow(reader);
	fill(3 * ring / 2);
	stacks_follow(reader);
	CHECK(stacks_find(reader, before) != NULL);
	CHECK(stacks_find(reader, behind) != NULL);
	close_table();
}

/* What no key names is freed, but not what the table has or lately had. */
static void test_sweep(void)
{
	uint64_t named, other, late;

	most = 64 * 1024;
	open_table();
	named = keep_checked(0, pcs, 20);
	other = keep_checked(0, pcs, 21);
	stacks_follow(reader);
	CHECK(!stacks_are_many(reader));
	for (uint64_t to = ring / 2; to < 3 * ring; to += ring / 2) {
		fill(to);
		stacks_follow(reader);
	}
	CHECK(stacks_are_many(reader));
	late = keep_checked(0, pcs, 22);
	stacks_follow(reader);
	CHECK(stacks_find(reader, other) != NULL);
	stacks_name(reader, named);
	stacks_sweep(reader);
	CHECK(stacks_find(reader, named) != NULL);
	CHECK(stacks_find(reader, late) != NULL);
	CHECK(stacks_find(reader, other) == NULL);
	CHECK(!stacks_are_many(reader));
	/* taken again it is there again */
	CHECK_INT(keep_checked(0, pcs, 21), other);
	/* copies take no more than they may: the table alone has what comes */
	for (uint64_t to = 4 * ring; to < 16 * ring; to += ring / 2) {
		fill(to);
		stacks_follow(reader);
	}
	CHECK(stacks_find(reader, named) != NULL);
	other = keep_checked(0, pcs, 23);
	stacks_follow(reader);
	CHECK(stacks_hold(reader, other) != NULL);
	fill(20 * ring);
	CHECK(stacks_hold(reader, other) == NULL);
	close_table();
	most = UINT64_MAX;
}

/* More stacks than a group has buckets for: the oldest of the group is evicted. */
static void test_groups(void)
{
	uint64_t pc[4] = {0}, ids[250];
	uint32_t known = 0;

	open_table();
	for (uint32_t i = 0; i < 250; i++) {
		pc[0] = 0x400000 + 16 * i;
		ids[i] = keep_checked(DT_STACK_USER | 1, pc, 1);
	}
	CHECK(table->head < ring);
	for (uint32_t i = 0; i < 250; i++)
		known += stacks_find(reader, ids[i]) != NULL;
	CHECK(known > 150 && known <= ring / DT_STACK_BUCKET);
	CHECK_INT(drops(), 0);
	close_table();
}

/* What does not fit is dropped, and nothing is written. */
static void test_range(void)
{
	const uint64_t needs = DT_STACK_ENTRY(RT_STACK_FRAMES) + 8 * DT_STACK_ROUND;
	const uint64_t bad[] = {scratch_size, UINT32_MAX, 1ull << 32, UINT64_MAX};

	open_table();
	CHECK_INT(run_string(FN_dt_stack_keep, scratch_size - needs + 1, 1, 0, 0), 0);
	CHECK(run_string(FN_dt_stack_keep, scratch_size - needs, 1, 0, 0) != 0);
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK_INT(run_string(FN_dt_stack_keep, bad[i], 1, 0, 0), 0);
	CHECK_INT(run_string(FN_dt_stack_keep, AT, RT_STACK_FRAMES + 1, 0, 0), 0);
	CHECK_INT(run_string(FN_dt_stack_keep, AT, UINT64_MAX, 0, 0), 0);
	CHECK_INT(run(FN_dt_stack_keep, 1u << 30, AT, 1, 0, 0), 0);
	CHECK_INT(run(FN_dt_stack_keep, UINT64_MAX, AT, 1, 0, 0), 0);
	CHECK_INT(drops(), 9);
	close_table();
}

int main(void)
{
	static const enum fn wanted[] = {FN_dt_stack_keep};
	char why[256];

	if (load_privileges(why, sizeof(why)))
		test_skip(why);
	rt_start(wanted, 1);
	test_once();
	test_part();
	test_collision();
	test_eviction();
	test_follow();
	test_torn();
	test_sweep();
	test_groups();
	test_range();
	rt_end();
	return test_done();
}
