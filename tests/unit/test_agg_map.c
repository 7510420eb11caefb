// SPDX-License-Identifier: Apache-2.0
/*
 * consume/agg_map over real per-CPU maps, read in batches and singly, emptied, and emptied
 * while a program counts.  Needs root.
 */
#include "test.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "abi/aggregation.h"
#include "abi/kernel.h"
#include "abi/record.h"
#include "consume/agg_sort.h"
#include "consume/agg_table.h"
#include "consume/event.h"
#include "sym/reading.h"

static int map_fd = -1;

static int fds[4]; /* by the id of the aggregation, which is 1 where there is one */
static struct agg_maps maps = {.fds = fds};

static struct aggs *open_aggs(const struct agg_desc *const *list)
{
	const struct agg_env env = {.store = agg_store_maps(&maps)};

	return aggs_new(&env, list, 1);
}

static void make_map(const struct agg_desc *agg, uint32_t size)
{
	if (map_fd >= 0)
		close(map_fd);
	map_fd = bpf_map_create(agg->nkeys ? BPF_MAP_TYPE_PERCPU_HASH : BPF_MAP_TYPE_PERCPU_ARRAY,
		"agg_test", agg->key_size, agg->value_size, size, NULL);
	fds[1] = map_fd;
}

static uint32_t ncpus(void)
{
	return (uint32_t)libbpf_num_possible_cpus();
}

/* Put FIRST on the first CPU and LAST on the last one. */
static void set(const struct agg_desc *agg, const void *key, const void *first, const void *last)
{
	char *values = calloc(ncpus(), agg->value_size);

	memcpy(values, first, agg->value_size);
	memcpy(values + (size_t)(ncpus() - 1) * agg->value_size, last, agg->value_size);
	CHECK_INT(bpf_map_update_elem(map_fd, key, values, BPF_ANY), 0);
	free(values);
}

static uint32_t elements(void)
{
	uint64_t key[8], next[8];
	uint32_t n = 0;

	for (void *prev = NULL; !bpf_map_get_next_key(map_fd, prev, next); n++) {
		memcpy(key, next, sizeof(key));
		prev = key;
	}
	return n;
}

/* ---- tables ---- */

struct sums {
	uint32_t rows;
	uint64_t total, keys;
	int64_t buckets[128];
	int64_t first;
};

static void sum_up(struct sums *s, const struct agg_table *t)
{
	memset(s, 0, sizeof(*s));
	s->rows = t->nrows;
	for (uint32_t i = 0; i < t->nrows; i++) {
		const struct agg_value *v = t->rows[i].values;
		uint32_t key = 0;

		if (v->desc->nkeys)
			memcpy(&key, t->rows[i].key, 4);
		s->keys += key;
		s->total += v->words[0];
		for (uint32_t b = 0; b < v->desc->nbuckets; b++)
			s->buckets[b] += v->buckets[b];
	}
	if (t->nrows)
		s->first = (int64_t)t->rows[0].values->words[0];
}

static struct sums print(struct aggs *a, const struct agg_desc *agg)
{
	struct sums s;
	const struct agg_sort sort = {0};
	struct agg_table *t;

	CHECK_INT(aggs_print(a, &agg, 1, NULL, &sort, &t), 0);
	sum_up(&s, t);
	agg_table_free(t);
	return s;
}

static const struct datum int_key = {.kind = DATUM_INT, .size = 4};

static struct agg_desc desc(enum agg_func func, bool keyed, uint32_t value_size)
{
	struct agg_desc d = {.name = "t",
		.id = 1,
		.func = func,
		.key_size = 4,
		.map_key_size = 4,
		.value_size = value_size,
		.map = "agg_test"};

	if (func == AGG_quantize)
		d.nbuckets = agg_nbuckets(func, &d.params);
	if (keyed) {
		d.keys = &int_key;
		d.nkeys = 1;
		d.bucket_off = 8;
		d.key_size = d.map_key_size = d.nbuckets ? 16 : 4;
	}
	return d;
}

/* ---- tests ---- */

static void test_hash(void)
{
	const uint32_t n = 20000; /* several batches */
	struct agg_desc d = desc(AGG_sum, true, 8);
	const struct agg_desc *list[] = {&d};
	struct aggs *a = open_aggs(list);
	struct sums s;

	make_map(&d, n);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_INT(print(a, &d).rows, 0);
	for (uint32_t i = 0; i < n; i++)
		set(&d, &i, &(int64_t){i}, &(int64_t){1});
	for (int i = 0; i < 2; i++) {
		CHECK_INT(aggs_snapshot(a), 0);
		s = print(a, &d);
		CHECK_INT(s.rows, n);
		CHECK_INT(s.keys, (uint64_t)n * (n - 1) / 2);
		CHECK_INT(s.total, (uint64_t)n * (n - 1) / 2 + (ncpus() > 1 ? n : 0));
	}
	/* clear: zero, and then what is added */
	CHECK_INT(aggs_clear(a, &d), 0);
	CHECK_INT(print(a, &d).total, 0);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_INT(print(a, &d).rows, n);
	CHECK_INT(print(a, &d).total, 0);
	set(&d, &(uint32_t){5}, &(int64_t){5 + 100}, &(int64_t){1});
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_INT(print(a, &d).total, ncpus() > 1 ? 100 : 104);
	/* keep the largest, by single deletions; then none, by batches */
	CHECK_INT(aggs_trunc(a, &d, 15000), 0);
	CHECK_INT(elements(), 15000);
	CHECK_INT(print(a, &d).rows, 15000);
	set(&d, &(uint32_t){5}, &(int64_t){5 + 107}, &(int64_t){1});
	CHECK_INT(aggs_trunc(a, &d, 0), 0);
	CHECK_INT(elements(), 0);
	CHECK_INT(print(a, &d).rows, 0);
	CHECK_INT(aggs_snapshot(a), 0);
	s = print(a, &d);
	CHECK_INT(s.rows, 1); /* what came after the snapshot */
	CHECK_INT(s.total, 7);
	aggs_free(a);
}

static void test_extreme(bool keyed)
{
	struct agg_desc d = desc(AGG_min, keyed, sizeof(struct dt_agg_kept));
	const struct agg_desc *list[] = {&d};
	struct aggs *a = open_aggs(list);
	const struct dt_agg_kept none = {0}, ten = {3, 10}, less = {4, -4};
	struct dt_agg_kept *values = calloc(ncpus(), sizeof(*values));
	const uint32_t key = 0;

	make_map(&d, 1);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_INT(print(a, &d).rows, 0);
	set(&d, &key, &ten, ncpus() > 1 ? &none : &ten);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_INT(print(a, &d).first, 10);
	set(&d, &key, &less, ncpus() > 1 ? &none : &less);
	CHECK_INT(aggs_clear(a, &d), 0);
	CHECK_INT(print(a, &d).first, INT64_MAX);
	if (keyed) {
		CHECK_INT(elements(), 0);
	} else {
		CHECK_INT(bpf_map_lookup_elem(map_fd, &key, values), 0);
		CHECK_INT(values[0].count, 0);
		CHECK_INT(values[0].value, INT64_MAX);
	}
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_INT(print(a, &d).first, -4);
	CHECK_INT(aggs_clear(a, &d), 0);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_INT(print(a, &d).rows, 1);
	CHECK_INT(print(a, &d).first, INT64_MAX);
	CHECK_INT(aggs_trunc(a, &d, 0), 0);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_INT(print(a, &d).rows, 0);
	free(values);
	aggs_free(a);
}

static void test_quantize(bool keyed)
{
	struct agg_desc d = desc(AGG_quantize, keyed, 8);
	const struct agg_desc *list[] = {&d};
	struct aggs *a = open_aggs(list);
	struct sums s;

	make_map(&d, keyed ? 1000 : agg_unkeyed_entries(&d));
	for (uint32_t i = 0; i < (keyed ? 3 : 1); i++)
		for (uint64_t b = 60; b < 70; b++) {
			uint64_t key[2] = {i, b};

			set(&d, keyed ? &key[0] : &key[1], &(int64_t){(int64_t)b},
				&(int64_t){(int64_t)b});
		}
	CHECK_INT(aggs_snapshot(a), 0);
	s = print(a, &d);
	CHECK_INT(s.rows, keyed ? 3 : 1);
	for (int b = 59; b <= 70; b++)
		CHECK_INT(s.buckets[b],
			b < 60 || b == 70 ? 0 : b * (keyed ? 3 : 1) * (ncpus() > 1 ? 2 : 1));
	CHECK_INT(aggs_trunc(a, &d, keyed ? 1 : 0), 0);
	CHECK_INT(print(a, &d).rows, keyed ? 1 : 0);
	if (keyed)
		CHECK_INT(elements(), 10);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_INT(print(a, &d).rows, keyed ? 1 : 0);
	aggs_free(a);
}

/* One element a CPU, as aggregations that are updated in interrupts have. */
static void test_by_cpu(void)
{
	struct agg_desc d = desc(AGG_sum, true, 8);
	const struct agg_desc *list[] = {&d};
	struct aggs *a = open_aggs(list);
	struct sums s;

	d.bucket_off = d.key_size = 8;
	d.map_key_size = 16;
	d.by_cpu = true;
	close(map_fd);
	map_fd = bpf_map_create(
		BPF_MAP_TYPE_HASH, "agg_test", d.map_key_size, d.value_size, 1000, NULL);
	fds[1] = map_fd;
	for (uint64_t i = 0; i < 100; i++)
		for (uint64_t cpu = 0; cpu < ncpus(); cpu++) {
			uint64_t key[2] = {i, cpu};

			CHECK_INT(
				bpf_map_update_elem(map_fd, key, &(int64_t){1 + cpu}, BPF_ANY), 0);
		}
	for (int i = 0; i < 2; i++) {
		CHECK_INT(aggs_snapshot(a), 0);
		s = print(a, &d);
		CHECK_INT(s.rows, 100);
		CHECK_INT(s.total, 100 * ncpus() * (ncpus() + 1) / 2);
	}
	CHECK_INT(aggs_trunc(a, &d, 1), 0);
	CHECK_INT(print(a, &d).rows, 1);
	CHECK_INT(elements(), ncpus());
	CHECK_INT(aggs_trunc(a, &d, 0), 0);
	CHECK_INT(elements(), 0);
	aggs_free(a);
}

/* ---- maps that aggregations share ---- */

#define SHARED_KEY 32 /* 4 or 12 bytes of the key, zeros, the CPU if wanted, the id */

/* Add N to KEY of aggregation D, on CPU. */
static void add_shared(const struct agg_desc *d, uint32_t key, uint32_t cpu, uint64_t n)
{
	uint64_t *values = calloc(ncpus(), 16), k[SHARED_KEY / 8] = {key}, index = d->base + key;
	const void *at = d->nkeys ? (void *)k : (void *)&index;
	uint64_t *slot = d->by_cpu ? values : &values[(size_t)cpu * d->value_size / 8];

	k[2] = d->by_cpu ? cpu : 0;
	k[3] = d->id;
	bpf_map_lookup_elem(map_fd, at, values);
	slot[0] += n;
	CHECK_INT(bpf_map_update_elem(map_fd, at, values, BPF_ANY), 0);
	free(values);
}

static struct sums print_all(struct aggs *a, const struct agg_desc *const *list, uint32_t which)
{
	CHECK_INT(aggs_snapshot(a), 0);
	return print(a, list[which]);
}

/* Three, of which the last has no elements; what is done to one does not touch another. */
static void test_shared(bool keyed, bool by_cpu)
{
	struct agg_desc d[3], *two = &d[1];
	const struct agg_desc *list[] = {&d[2], &d[0], &d[1]}; /* in any order */
	const struct agg_env env = {.store = agg_store_maps(&maps)};
	uint32_t last = ncpus() - 1, each = keyed ? 50 : 1;
	struct aggs *a;

	for (uint32_t i = 0; i < 3; i++) {
		d[i] = desc(AGG_sum, keyed, 16);
		d[i].id = i + 1;
		d[i].shared = true;
		d[i].base = keyed ? 0 : i;
		d[i].by_cpu = by_cpu;
		d[i].key_size = keyed ? 8 + 8 * (i & 1) : 4;
		d[i].map_key_size = keyed ? SHARED_KEY : 4;
	}
	close(map_fd);
	map_fd = bpf_map_create(by_cpu ? BPF_MAP_TYPE_HASH
			: keyed	       ? BPF_MAP_TYPE_PERCPU_HASH
				       : BPF_MAP_TYPE_PERCPU_ARRAY,
		"agg_test", d[0].map_key_size, d[0].value_size, keyed ? 1000 : 3, NULL);
	fds[1] = fds[2] = fds[3] = map_fd;
	a = aggs_new(&env, list, 3);
	for (uint32_t i = 0; i < each; i++) {
		add_shared(&d[0], i, 0, 3);
		add_shared(two, i, 0, 5);
		add_shared(two, i, last, 2);
	}
	CHECK_INT(print_all(a, list, 1).rows, each);
	CHECK_INT(print_all(a, list, 1).total, 3 * each);
	CHECK_INT(print_all(a, list, 2).total, 7 * each);
	CHECK_INT(print_all(a, list, 0).rows, 0);
	CHECK_INT(aggs_clear(a, two), 0);
	add_shared(two, 0, 0, 4);
	CHECK_INT(print_all(a, list, 2).total, 4);
	CHECK_INT(print_all(a, list, 2).rows, each);
	CHECK_INT(print_all(a, list, 1).total, 3 * each);
	if (keyed) {
		CHECK_INT(aggs_trunc(a, two, 2), 0);
		CHECK_INT(print_all(a, list, 2).rows, 2);
		CHECK_INT(print_all(a, list, 1).rows, each);
	}
	CHECK_INT(aggs_trunc(a, two, 0), 0);
	CHECK_INT(print_all(a, list, 2).rows, 0);
	if (keyed)
		CHECK_INT(elements(), each);
	add_shared(two, 0, last, 6);
	CHECK_INT(print_all(a, list, 2).total, 6);
	CHECK_INT(print_all(a, list, 1).total, 3 * each);
	aggs_free(a);
}

static void test_no_map(void)
{
	struct agg_desc d = desc(AGG_sum, true, 8);
	const struct agg_desc *list[] = {&d};
	struct aggs *a = open_aggs(list);

	close(map_fd);
	fds[1] = map_fd = -1;
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_INT(print(a, &d).rows, 0);
	CHECK_INT(aggs_trunc(a, &d, 0), 0);
	aggs_free(a);
}

/* ---- a program that counts while it is being read and emptied ---- */

#define INSN(c, d, s, o, i) \
	((struct bpf_insn){.code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i)})

/* count() by args[0], as a compiler would: look up, else insert and look up, then add. */
static int load_counter(int map)
{
	const struct bpf_insn insns[] = {
		INSN(BPF_LDX | BPF_MEM | BPF_DW, 1, 1, 0, 0),
		INSN(BPF_STX | BPF_MEM | BPF_W, 10, 1, -4, 0),
		INSN(BPF_ST | BPF_MEM | BPF_DW, 10, 0, -16, 0),
		INSN(BPF_LD | BPF_IMM | BPF_DW, 1, BPF_PSEUDO_MAP_FD, 0, map),
		INSN(0, 0, 0, 0, 0),
		INSN(BPF_ALU64 | BPF_MOV | BPF_X, 2, 10, 0, 0),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4),
		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_lookup_elem),
		INSN(BPF_JMP | BPF_JNE | BPF_K, 0, 0, 14, 0),
		INSN(BPF_LD | BPF_IMM | BPF_DW, 1, BPF_PSEUDO_MAP_FD, 0, map),
		INSN(0, 0, 0, 0, 0),
		INSN(BPF_ALU64 | BPF_MOV | BPF_X, 2, 10, 0, 0),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4),
		INSN(BPF_ALU64 | BPF_MOV | BPF_X, 3, 10, 0, 0),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, 3, 0, 0, -16),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 4, 0, 0, BPF_NOEXIST),
		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_update_elem),
		INSN(BPF_LD | BPF_IMM | BPF_DW, 1, BPF_PSEUDO_MAP_FD, 0, map),
		INSN(0, 0, 0, 0, 0),
		INSN(BPF_ALU64 | BPF_MOV | BPF_X, 2, 10, 0, 0),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4),
		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_lookup_elem),
		INSN(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3, 0),
		INSN(BPF_LDX | BPF_MEM | BPF_DW, 1, 0, 0, 0),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, 1, 0, 0, 1),
		INSN(BPF_STX | BPF_MEM | BPF_DW, 0, 1, 0, 0),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};

	return bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "counter", "Dual BSD/GPL", insns,
		sizeof(insns) / sizeof(insns[0]), NULL);
}

struct counting {
	int prog;
	uint64_t runs;
	bool stop;
};

static void *count_on(void *arg)
{
	struct counting *c = arg;

	while (!__atomic_load_n(&c->stop, __ATOMIC_RELAXED)) {
		uint64_t args[1] = {c->runs % 97};
		LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = args, .ctx_size_in = sizeof(args));

		if (!bpf_prog_test_run_opts(c->prog, &opts))
			c->runs++;
	}
	return NULL;
}

/*
 * printa(@); clear(@) (or trunc) again and again: the sum of what is shown is what was counted.
 * After trunc an update may be lost on an element that is going away: it is rare.
 */
static void test_nothing_lost(bool trunc)
{
	struct agg_desc d = desc(AGG_count, true, 8);
	const struct agg_desc *list[] = {&d};
	struct aggs *a = open_aggs(list);
	struct counting c = {0};
	pthread_t thread;
	uint64_t shown = 0;
	struct timespec pause = {.tv_nsec = 1000000};

	make_map(&d, 1000);
	c.prog = load_counter(map_fd);
	CHECK(c.prog >= 0);
	CHECK_INT(pthread_create(&thread, NULL, count_on, &c), 0);
	for (int i = 0; i < 200; i++) {
		nanosleep(&pause, NULL);
		CHECK_INT(aggs_snapshot(a), 0);
		shown += print(a, &d).total;
		CHECK_INT(trunc ? aggs_trunc(a, &d, 0) : aggs_clear(a, &d), 0);
	}
	__atomic_store_n(&c.stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	CHECK_INT(aggs_snapshot(a), 0);
	shown += print(a, &d).total;
	CHECK(c.runs > 1000);
	if (trunc)
		CHECK(shown <= c.runs && (c.runs - shown) * 100 <= c.runs);
	else
		CHECK_INT(shown, c.runs);
	if (getenv("VERBOSE"))
		printf("%s: %llu runs, %lld lost\n", trunc ? "trunc" : "clear",
			(unsigned long long)c.runs, (long long)(c.runs - shown));
	close(c.prog);
	aggs_free(a);
}

/*
 * From here on this process's kernel refuses batches as old ones do.  It cannot be taken back.
 */
static int refuse_batches(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_bpf, 0, 4),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, BPF_MAP_LOOKUP_BATCH, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, BPF_MAP_LOOKUP_AND_DELETE_BATCH, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = {.len = sizeof(code) / sizeof(code[0]), .filter = code};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) ? -errno : 0;
}

/* Returns the rows of a new snapshot, after COUNTED more keys are said to have been made. */
static uint32_t rows_after(
	struct aggs *a, const struct agg_desc *d, uint64_t *made, uint64_t counted)
{
	*made += counted;
	CHECK_INT(aggs_snapshot(a), 0);
	return print(a, d).rows;
}

/*
 * A large map with few keys is read whole only after a key was counted: one that was made without
 * that is not seen.
 */
static void test_known(bool by_cpu)
{
	uint64_t made = 7;
	struct agg_maps m = {.fds = fds, .new_keys = &made};
	const struct agg_env env = {.store = agg_store_maps(&m)};
	struct agg_desc d = desc(AGG_sum, true, 8);
	const struct agg_desc *list[] = {&d};
	struct aggs *a = aggs_new(&env, list, 1);
	uint64_t key[2] = {0}; /* by_cpu: and the CPU */

	if (by_cpu) {
		d.by_cpu = true;
		d.map_key_size = 16;
		d.key_size = 8;
	}
	make_map(&d, 1000); /* as many as ten keys are read one by one */
	if (by_cpu) {
		close(map_fd);
		map_fd = fds[1] = bpf_map_create(BPF_MAP_TYPE_HASH, "agg_test", 16, 8, 1000, NULL);
	}
	for (key[0] = 1; key[0] <= 3; key[0]++)
		set(&d, key, &(int64_t){1}, &(int64_t){1});
	CHECK_INT(rows_after(a, &d, &made, 0), 3);
	set(&d, key, &(int64_t){1}, &(int64_t){1}); /* key 4 */
	CHECK_INT(rows_after(a, &d, &made, 0), 3);
	key[0] = 1;
	set(&d, key, &(int64_t){50}, &(int64_t){50}); /* values are read anew */
	CHECK_INT(rows_after(a, &d, &made, 0), 3);
	CHECK(print(a, &d).total >= 52);
	CHECK_INT(rows_after(a, &d, &made, 1), 4);
	/* keys that are deleted are known no more, and new ones are looked for */
	CHECK_INT(aggs_trunc(a, &d, 1), 0);
	CHECK_INT(print(a, &d).rows, 1);
	key[0] = 9;
	set(&d, key, &(int64_t){1}, &(int64_t){1});
	CHECK_INT(rows_after(a, &d, &made, 0), 2);
	CHECK_INT(aggs_trunc(a, &d, 0), 0);
	CHECK_INT(rows_after(a, &d, &made, 0), 0);
	/* with more keys than that the map is read whole */
	for (key[0] = 1; key[0] <= 11; key[0]++)
		set(&d, key, &(int64_t){1}, &(int64_t){1});
	CHECK_INT(rows_after(a, &d, &made, 1), 11);
	set(&d, key, &(int64_t){1}, &(int64_t){1});
	CHECK_INT(rows_after(a, &d, &made, 0), 12);
	aggs_free(a);
	agg_maps_close(&m);
}

int main(void)
{
	struct agg_desc d = desc(AGG_sum, true, 8);
	uint32_t none = 0;

	make_map(&d, 1);
	if (map_fd < 0)
		test_skip("cannot create BPF maps");
	test_hash();
	test_extreme(true);
	test_extreme(false);
	test_quantize(true);
	test_quantize(false);
	test_nothing_lost(false);
	test_nothing_lost(true);
	test_shared(true, false);
	test_shared(true, true);
	test_shared(false, false);
	test_known(false);
	test_known(true);
	make_map(&d, 1);
	CHECK_INT(refuse_batches(), 0);
	CHECK_INT(bpf_map_lookup_batch(map_fd, NULL, &d, &d, &d, &none, NULL), -EINVAL);
	test_hash();
	test_extreme(true);
	test_quantize(true);
	test_quantize(false);
	test_nothing_lost(false);
	test_nothing_lost(true);
	test_shared(true, false);
	test_shared(true, true);
	test_shared(false, false);
	test_by_cpu();
	test_known(false);
	test_known(true);
	test_no_map();
	return test_done();
}
