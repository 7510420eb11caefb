// SPDX-License-Identifier: Apache-2.0
/*
 * Speculations: consume/spec over records made by hand, then src/rt/spec.bpf.c in the kernel,
 * run by test_spec.bpf.c (its object lies beside this program), also on two CPUs at once.  The
 * second part needs root.
 *
 * @ref d-language 17.2
 * @ref options 5.4
 * @ref d-errors 5
 */
#define _GNU_SOURCE /* sched_setaffinity() */
#include "test.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "consume/drops.h"
#include "consume/spec.h"
#include "abi/runtime.h"
#include "breaks.h"
#include "load/internal.h"

/* ---- the consumer's side ---- */

struct rec {
	struct dt_rec rec;
	uint64_t value;
};

/* The values of what was delivered, as text. */
struct log {
	char text[256];
	uint32_t n, stop_at;
	bool bad;
};

static int note(void *arg, const struct dt_rec *rec, size_t size)
{
	struct log *l = arg;
	size_t len = strlen(l->text);

	l->bad |= (uintptr_t)rec % 8 || size < sizeof(struct rec) || rec->probe != 7;
	snprintf(l->text + len, sizeof(l->text) - len, "%llu@%u ",
		(unsigned long long)((const struct rec *)rec)->value, rec->cpu);
	return ++l->n == l->stop_at ? 42 : 0;
}

static uint64_t word_of(uint32_t generation, uint32_t number)
{
	return (uint64_t)generation << 32 | (uint64_t)number << 8;
}

static int hold_sized(struct specs *s, uint64_t word, uint64_t value, uint16_t cpu, size_t size)
{
	char bytes[512] = {0};
	struct rec r = {.rec = {.probe = 7, .cpu = cpu}, .value = value};

	memcpy(bytes, &r, sizeof(r));
	return specs_hold(s, word, (const struct dt_rec *)bytes, size);
}

static void hold(struct specs *s, uint64_t word, uint64_t value, uint16_t cpu)
{
	CHECK_INT(hold_sized(s, word, value, cpu, sizeof(struct rec)), 0);
}

/* Ends a speculation and returns what that delivered. */
static const char *end(struct specs *s, uint64_t word, bool commit)
{
	static struct log l;
	struct dt_spec_end e = {.rec = {.clause = DT_REC_SPEC}, .spec = word, .commit = commit};

	l = (struct log){0};
	CHECK_INT(specs_end(s, &e, note, &l), 0);
	CHECK(!l.bad);
	return l.text;
}

static void test_commit(void)
{
	struct specs *s = specs_new(4, 1024);

	hold(s, word_of(1, 1), 1, 0);
	hold(s, word_of(1, 2), 2, 1);
	hold(s, word_of(1, 1), 3, 1);
	hold(s, word_of(1, 2), 4, 0);
	hold(s, word_of(1, 1), 5, 0);
	CHECK_STR(end(s, word_of(1, 1), true), "1@0 3@1 5@0 ");
	CHECK_STR(end(s, word_of(1, 2), false), "");
	/* once is enough, and one without data is fine */
	CHECK_STR(end(s, word_of(1, 1), true), "");
	CHECK_STR(end(s, word_of(1, 2), true), "");
	CHECK_STR(end(s, word_of(1, 3), true), "");
	CHECK_STR(end(s, word_of(1, 4), false), "");
	/* the same numbers, given out again */
	hold(s, word_of(2, 1), 6, 0);
	hold(s, word_of(2, 2), 7, 0);
	CHECK_STR(end(s, word_of(2, 2), true), "7@0 ");
	CHECK_STR(end(s, word_of(2, 1), true), "6@0 ");
	CHECK_INT(specs_dropped(s), 0);
	hold(s, word_of(3, 1), 8, 0); /* vanishes */
	specs_free(s);
	specs_free(NULL);
}

static void test_late(void)
{
	struct specs *s = specs_new(4, 1024);

	hold(s, word_of(1, 1), 1, 0);
	CHECK_STR(end(s, word_of(1, 1), true), "1@0 ");
	/* @ref output 12 late-records */
	CHECK_INT(hold_sized(s, word_of(1, 1), 2, 1, sizeof(struct rec)), SPECS_COMMITTED);
	CHECK_STR(end(s, word_of(1, 1), true), "");
	/* what comes too late to be discarded is not missed */
	CHECK_STR(end(s, word_of(1, 2), false), "");
	hold(s, word_of(1, 2), 3, 1);
	CHECK_INT(specs_dropped(s), 0);
	/* nor does it get into the next one of that number; also where the counter wraps */
	hold(s, word_of(2, 2), 4, 0);
	hold(s, word_of(1, 2), 5, 0);
	CHECK_INT(specs_dropped(s), 1);
	CHECK_STR(end(s, word_of(1, 2), true), "");
	CHECK_STR(end(s, word_of(2, 2), true), "4@0 ");
	hold(s, word_of(UINT32_MAX, 3), 6, 0);
	CHECK_STR(end(s, word_of(UINT32_MAX, 3), true), "6@0 ");
	hold(s, word_of(0, 3), 7, 0);
	hold(s, word_of(UINT32_MAX, 3), 8, 0);
	CHECK_INT(specs_dropped(s), 2);
	CHECK_STR(end(s, word_of(0, 3), true), "7@0 ");
	specs_free(s);
}

static void test_size(void)
{
	struct specs *s = specs_new(2, 100);
	struct dt_spec_end e = {.spec = word_of(1, 1), .commit = 1};
	struct log l = {.stop_at = 2};

	/* odd sizes, to the byte */
	CHECK_INT(hold_sized(s, word_of(1, 1), 1, 0, 33), 0);
	CHECK_INT(hold_sized(s, word_of(1, 1), 2, 0, 34), 0);
	CHECK_INT(hold_sized(s, word_of(1, 2), 3, 0, 101), 0);
	CHECK_INT(specs_dropped(s), 1);
	CHECK_INT(hold_sized(s, word_of(1, 1), 4, 0, 34), 0);
	CHECK_INT(specs_dropped(s), 2);
	CHECK_INT(hold_sized(s, word_of(1, 1), 5, 0, 33), 0);
	CHECK_INT(hold_sized(s, word_of(1, 1), 6, 0, 16), 0);
	CHECK_INT(specs_dropped(s), 3);
	CHECK_STR(end(s, word_of(1, 1), true), "1@0 2@0 5@0 ");
	CHECK_STR(end(s, word_of(1, 2), true), "");
	/* the room is there again */
	CHECK_INT(hold_sized(s, word_of(2, 1), 7, 0, 100), 0);
	CHECK_STR(end(s, word_of(2, 1), true), "7@0 ");
	CHECK_INT(specs_dropped(s), 3);

	/* whoever is delivered to may stop it, which ends the speculation all the same */
	for (uint64_t i = 1; i <= 3; i++)
		hold(s, word_of(3, 1), i, 0);
	e.spec = word_of(3, 1);
	CHECK_INT(specs_end(s, &e, note, &l), 42);
	CHECK_STR(l.text, "1@0 2@0 ");
	CHECK_STR(end(s, word_of(3, 1), true), "");
	specs_free(s);
}

/* Damaged words. */
static void test_damage(void)
{
	const uint64_t bad[] = {0, word_of(1, 0), word_of(1, 1) | DT_SPEC_ACTIVE, word_of(1, 4),
		word_of(1, 0xffffff), UINT64_MAX};
	struct specs *s = specs_new(3, 100);

	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct dt_spec_end e = {.spec = bad[i]};

		CHECK_INT(hold_sized(s, bad[i], 1, 0, 16), -EBADMSG);
		CHECK_INT(specs_end(s, &e, note, NULL), -EBADMSG);
	}
	CHECK_INT(specs_dropped(s), 0);
	specs_free(s);
}

/* Many records and many speculations at a time. */
static void test_many(void)
{
	struct specs *s = specs_new(1000, 1 << 20);
	uint64_t value = 0;

	for (int round = 0; round < 40; round++)
		for (uint32_t n = 1; n <= 1000; n++)
			hold(s, word_of(1, n), value++, 0);
	for (uint32_t n = 1000; n >= 1; n--) {
		struct dt_spec_end e = {.spec = word_of(1, n), .commit = 1};
		struct log l = {0};
		char first[32];

		snprintf(first, sizeof(first), "%u@0 %u@0 ", n - 1, n + 999);
		CHECK_INT(specs_end(s, &e, note, &l), 0);
		CHECK_INT(l.n, 40);
		CHECK(!l.bad && !strncmp(l.text, first, strlen(first)));
	}
	CHECK_INT(specs_dropped(s), 0);
	specs_free(s);
}

/* ---- the programs' side ---- */

#define LIMIT 100 /* as in test_spec.bpf.c */

enum prog { TAKE, ACTIVE, MORE, GIVE, END, HAMMER, NPROGS };

static const struct load_prog progs[NPROGS] = {
	{.name = "take", .label = "take", .plan = {.kind = ATTACH_BEGIN}},
	{.name = "active", .label = "active", .plan = {.kind = ATTACH_BEGIN}},
	{.name = "more", .label = "more", .plan = {.kind = ATTACH_BEGIN}},
	{.name = "give", .label = "give", .plan = {.kind = ATTACH_BEGIN}},
	{.name = "end", .label = "end", .plan = {.kind = ATTACH_BEGIN}},
	{.name = "hammer", .label = "hammer", .plan = {.kind = ATTACH_BEGIN}},
};

static char *object;
static size_t object_len;
static struct load *load;

static void read_object(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 8);
	FILE *f;

	if (n < 0)
		test_skip("no /proc");
	strcpy(path + n, ".bpf.o");
	f = fopen(path, "re");
	if (!f) {
		printf("%s: %s\n", path, strerror(errno));
		exit(1);
	}
	object = malloc(1 << 20);
	object_len = fread(object, 1, 1 << 20, f);
	fclose(f);
}

static int open_with(uint32_t nspec)
{
	struct load_options opts = {.cpu = UINT32_MAX};
	struct load_image image = {
		.elf = object,
		.elf_len = object_len,
		.needs_rt = RT_NEEDS_ALL,
		.rt_reads = RT_CONF | RT_SPECS | RT_DROPS,
		.progs = progs,
		.nprogs = NPROGS,
		.strsize = 256,
		.nspec = nspec,
	};

	return load_open(&image, NULL, &opts, &load);
}

static void must_open(uint32_t nspec)
{
	int err = open_with(nspec);

	CHECK_INT(err, 0);
	if (!err)
		return;
	printf("%s\n%s\n", load_error(load), load_log(load));
	exit(test_done());
}

static int try_run(enum prog prog, uint64_t arg, uint64_t size, int *result)
{
	uint64_t ctx[12] = {arg, size};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = ctx, .ctx_size_in = sizeof(ctx));
	int err = bpf_prog_test_run_opts(bpf_program__fd(load->slots[prog].prog), &opts);

	*result = (int)opts.retval;
	return err;
}

static int run_of(enum prog prog, uint64_t arg, uint64_t size)
{
	int result;

	CHECK_INT(try_run(prog, arg, size, &result), 0);
	return result;
}

static int run(enum prog prog, uint64_t arg)
{
	return run_of(prog, arg, 0);
}

static uint64_t word_now(uint32_t number)
{
	uint32_t key = number - 1;
	struct dt_spec spec = {0};

	CHECK_INT(bpf_map_lookup_elem(load_map_fd(load, DT_MAP_SPECS), &key, &spec), 0);
	return spec.word;
}

static char seen[256];

static int put(void *arg, const struct drop *drop)
{
	size_t len = strlen(seen);

	snprintf(seen + len, sizeof(seen) - len, "%s|", drop->text);
	return 0;
}

static const char *report(struct drops *d)
{
	seen[0] = 0;
	CHECK_INT(drops_report(d, false, put, NULL), 0);
	return seen;
}

/* No speculation of that number is active. */
static void check_inactive(uint64_t number)
{
	CHECK_INT(run(ACTIVE, number), 0);
	CHECK_INT(run(END, number), 0);
}

static void test_life(void)
{
	struct specs *s;
	struct drops *d;

	must_open(3);
	s = specs_new(3, 100);
	d = drops_new(load_map_fd(load, DT_MAP_DROPS));
	for (uint32_t n = 0; n <= 4; n++)
		check_inactive(n);
	CHECK_INT(run(TAKE, 0), 1);
	CHECK_INT(run(TAKE, 0), 2);
	CHECK_INT(run(TAKE, 0), 3);
	CHECK_STR(report(d), "");
	CHECK_INT(run(TAKE, 0), 0);
	CHECK_STR(report(d), "1 failed speculation (no speculative buffer available)|");
	CHECK_INT(word_now(2), word_of(1, 2) | DT_SPEC_ACTIVE);
	CHECK_INT(run(ACTIVE, 2), 1);
	CHECK_INT(run(END, 2), 1);
	CHECK_INT(word_now(2), word_of(1, 2) | DT_SPEC_FREE);
	check_inactive(2);
	CHECK_INT(run(END, 2), 0);
	CHECK_INT(run(TAKE, 0), 2);
	CHECK_INT(word_now(2), word_of(2, 2) | DT_SPEC_ACTIVE);
	CHECK_INT(run(TAKE, 0), 0);
	CHECK_STR(report(d), "1 failed speculation (no speculative buffer available)|");

	/* the consumer tells the two of number 2 apart */
	hold(s, word_of(1, 2), 9, 0);
	CHECK_STR(end(s, word_of(1, 2), true), "9@0 ");
	hold(s, word_of(2, 2), 8, 0);
	CHECK_STR(end(s, word_of(1, 1), true), "");
	CHECK_STR(end(s, word_of(2, 2), true), "8@0 ");

	/* the smallest free one is next */
	CHECK_INT(run(END, 3), 1);
	CHECK_INT(run(END, 1), 1);
	CHECK_STR(end(s, word_of(1, 3), false), "");
	CHECK_STR(end(s, word_of(1, 1), false), "");
	CHECK_INT(run(TAKE, 0), 1);
	CHECK_INT(run(TAKE, 0), 3);
	CHECK_STR(report(d), "");
	CHECK_INT(specs_dropped(s), 0);
	specs_free(s);
	drops_free(d);
	load_close(load);
}

/* Records take room, and give it back; what is too much is a drop, each speculation has its own. */
static void test_room(void)
{
	struct drops *d;

	must_open(2);
	d = drops_new(load_map_fd(load, DT_MAP_DROPS));
	CHECK_INT(run(TAKE, 0), 1);
	CHECK_INT(run_of(ACTIVE, 2, 1), 0);
	CHECK_INT(run_of(ACTIVE, 1, 60), 1);
	CHECK_STR(report(d), "");
	CHECK_INT(run_of(ACTIVE, 1, 41), 0);
	CHECK_STR(report(d), "1 speculative drop|");
	CHECK_INT(run_of(MORE, word_of(1, 1), 48), 0);
	CHECK_STR(report(d), "1 speculative drop|");
	CHECK_INT(run_of(MORE, word_of(1, 1), 40), 1);
	CHECK_INT(run_of(ACTIVE, 1, 0), 1);
	CHECK_INT(run_of(ACTIVE, 1, 1), 0);
	CHECK_INT(run_of(GIVE, word_of(1, 1), 40), 0);
	CHECK_INT(run_of(ACTIVE, 1, 40), 1);
	CHECK_INT(run(TAKE, 0), 2);
	CHECK_INT(run_of(ACTIVE, 2, LIMIT + 1), 0);
	CHECK_INT(run_of(ACTIVE, 2, LIMIT), 1);
	CHECK_STR(report(d), "2 speculative drops|");

	/* the number's next speculation begins with nothing */
	CHECK_INT(run(END, 1), 1);
	CHECK_INT(run(TAKE, 0), 1);
	CHECK_INT(run_of(ACTIVE, 1, LIMIT), 1);

	/* no speculation has room for anything */
	CHECK_INT(run_of(MORE, 0, 1u << 30), 1);
	CHECK_INT(run_of(GIVE, 0, 1u << 30), 0);
	CHECK_STR(report(d), "");
	drops_free(d);
	load_close(load);
}

/* Numbers that no speculation() gives out. */
static void test_range(void)
{
	const uint64_t bad[] = {
		0, 1001, UINT32_MAX, 1ull << 32, (1ull << 32) + 1, UINT64_MAX, 1ull << 63};

	must_open(1000);
	for (int n = 1; n <= 1000; n++)
		CHECK_INT(run(TAKE, 0), n);
	CHECK_INT(run(TAKE, 0), 0);
	CHECK_INT(run(ACTIVE, 1000), 1);
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		check_inactive(bad[i]);
	load_close(load);

	CHECK_INT(open_with(0), -EINVAL);
	CHECK_STR(load_error(load), "failed to create BPF map 'specs': Invalid argument");
	load_close(load);
	CHECK_INT(open_with(UINT32_MAX), -EINVAL);
	load_close(load);
}

static void test_drops(void)
{
	struct drops *d = drops_new(-1);

	drops_set(d, DT_DROP_SPEC, 1);
	CHECK_STR(report(d), "1 speculative drop|");
	drops_set(d, DT_DROP_SPEC, 3);
	CHECK_STR(report(d), "2 speculative drops|");
	CHECK_STR(report(d), "");
	drops_free(d);
}

/* ---- two CPUs ---- */

#define MAX_IDS 8 /* as in test_spec.bpf.c */

struct owners {
	uint64_t now[MAX_IDS], wrong, taken;
};

struct worker {
	pthread_t thread;
	int cpu, failed;
};

static void *hammer(void *arg)
{
	struct worker *w = arg;
	cpu_set_t one;
	int result;

	CPU_ZERO(&one);
	CPU_SET(w->cpu, &one);
	w->failed = sched_setaffinity(0, sizeof(one), &one) != 0;
	for (int i = 0; i < 1000; i++)
		w->failed |= try_run(HAMMER, 0, 0, &result);
	return NULL;
}

static void test_concurrent(uint32_t nspec)
{
	cpu_set_t may;
	struct worker workers[2] = {0};
	int n = 0;
	volatile struct owners *o;

	CHECK_INT(sched_getaffinity(0, sizeof(may), &may), 0);
	for (int cpu = 0; cpu < CPU_SETSIZE && n < 2; cpu++)
		if (CPU_ISSET(cpu, &may))
			workers[n++].cpu = cpu;
	if (n == 1)
		workers[1].cpu = workers[0].cpu;
	must_open(nspec);
	o = mmap(NULL, (size_t)getpagesize(), PROT_READ | PROT_WRITE, MAP_SHARED,
		load_map_fd(load, "owners"), 0);
	CHECK(o != MAP_FAILED);
	for (int i = 0; i < 2; i++)
		CHECK_INT(pthread_create(&workers[i].thread, NULL, hammer, &workers[i]), 0);
	for (int i = 0; i < 2; i++) {
		pthread_join(workers[i].thread, NULL);
		CHECK_INT(workers[i].failed, 0);
	}
	CHECK(o->taken > 1000);
	CHECK_INT(o->wrong, 0);
	for (int i = 0; i < MAX_IDS; i++)
		CHECK_INT(o->now[i], 0);
	munmap((void *)o, (size_t)getpagesize());
	load_close(load);
}

static int hold_again(void *arg, const struct dt_rec *rec, size_t size)
{
	for (uint32_t i = 1; i <= 64; i++)
		specs_hold(arg, word_of(1, i), rec, size);
	return 0;
}

/* Delivers records to what holds others, for which the list moves. */
static void hold_within(void *s)
{
	struct dt_spec_end e = {
		.rec = {.clause = DT_REC_SPEC}, .spec = word_of(1, 1), .commit = true};

	specs_end(s, &e, hold_again, s);
}

static void test_defect(void)
{
	struct specs *s = specs_new(64, 1024);

	hold(s, word_of(1, 1), 1, 0);
	CHECK(breaks("consume/spec.c", hold_within, s));
	specs_free(s);
}

int main(void)
{
	char why[256];

	test_commit();
	test_late();
	test_size();
	test_damage();
	test_many();
	test_drops();
	test_defect();
	if (load_privileges(why, sizeof(why)))
		return test_failed ? test_done() : (test_skip(why), 1);
	read_object();
	test_life();
	test_room();
	test_range();
	test_concurrent(1);
	test_concurrent(3);
	free(object);
	return test_done();
}
