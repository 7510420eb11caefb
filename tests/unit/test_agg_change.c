// SPDX-License-Identifier: Apache-2.0
/*
 * consume/agg over a store in memory: clear, trunc and normalize; keys that are rewritten; tables
 * of each CPU; a million keys.
 * @ref d-builtins 7.4 aggpercpu
 * @ref d-builtins 7.5 clear trunc-all trunc-largest trunc-smallest normalize
 */
#include "agg_memory.h"
#include "stack_table.h"

#include <errno.h>
#include <time.h>

#include "abi/kernel.h"
#include "abi/record.h"
#include "consume/agg_sort.h"
#include "consume/stacks.h"
#include "sym/sym.h"

static void test_clear(void)
{
	struct agg_desc s = desc_int("s", 1, AGG_sum), m = desc_int("m", 2, AGG_min);
	struct agg_desc v = desc_int("v", 3, AGG_stddev);
	const struct agg_desc *list[] = {&s, &m, &v};
	struct aggs *a = session(list, 3);

	for (int i = 0; i < 3; i++) {
		update(list[i], &K[1], 0, 10);
		update(list[i], &K[2], 1, 20);
	}
	CHECK_INT(aggs_snapshot(a), 0);
	/* between snapshot and clear(): survives */
	for (int i = 0; i < 3; i++) {
		update(list[i], &K[1], 1, 4);
		update(list[i], &K[1], 0, 8);
		update(list[i], &K[3], 1, 30);
	}
	CHECK_INT(aggs_clear(a, &s), 0);
	CHECK_INT(aggs_clear(a, &m), 0);
	CHECK_INT(aggs_clear(a, &v), 0);
	CHECK_STR(print(a, &s), "@s 1=0 2=0;");
	CHECK_STR(print(a, &m), "@m 1=9223372036854775807 2=9223372036854775807;");
	CHECK_STR(print(a, &v), "@v 1=0 2=0;");
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print(a, &s), "@s 2=0 1=12 3=30;");
	CHECK_STR(print(a, &m), "@m 1=4 3=30 2=9223372036854775807;");
	CHECK_STR(print(a, &v), "@v 2=0 3=0 1=2;");
	/* and only once; twice in a row is the same */
	CHECK_INT(aggs_clear(a, &s), 0);
	CHECK_INT(aggs_clear(a, &s), 0);
	CHECK_INT(aggs_clear(a, &m), 0);
	CHECK_INT(aggs_clear(a, &m), 0);
	update(&s, &K[2], 0, 5);
	update(&m, &K[2], 0, 50);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print(a, &s), "@s 1=0 3=0 2=5;");
	CHECK_STR(print(a, &m), "@m 2=50 1=9223372036854775807 3=9223372036854775807;");
	aggs_free(a);
}

static void test_trunc(enum agg_func func)
{
	struct agg_desc s = desc_int("s", 1, func);
	const struct agg_desc *list[] = {&s};
	struct aggs *a = session(list, 1);

	for (int i = 1; i <= 5; i++)
		update(&s, &K[i], i & 1, i * 10);
	update(&s, &K[6], 0, 50);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_INT(aggs_trunc(a, &s, 9), 0);
	CHECK_STR(print(a, &s), "@s 1=10 2=20 3=30 4=40 5=50 6=50;");
	CHECK_INT(aggs_trunc(a, &s, 4), 0);
	CHECK_STR(print(a, &s), "@s 3=30 4=40 5=50 6=50;");
	CHECK_INT(aggs_trunc(a, &s, -3), 0);
	CHECK_STR(print(a, &s), "@s 3=30 4=40 5=50;");
	CHECK_INT(fakes[0].n, 3);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print(a, &s), "@s 3=30 4=40 5=50;");
	/* survivors go on, removed keys restart; what came after the snapshot is kept */
	update(&s, &K[1], 0, 1);
	update(&s, &K[3], 1, func == AGG_max ? 31 : 1);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print(a, &s), "@s 1=1 3=31 4=40 5=50;");
	update(&s, &K[1], 0, 7);
	update(&s, &K[8], 0, 80);
	CHECK_INT(aggs_trunc(a, &s, 0), 0);
	CHECK_STR(print(a, &s), "@s;");
	CHECK_INT(fakes[0].n, 0);
	/* again before a snapshot: nothing more is lost */
	update(&s, &K[8], 1, func == AGG_max ? 81 : 1);
	CHECK_INT(aggs_trunc(a, &s, 0), 0);
	CHECK_STR(print(a, &s), "@s;");
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print(a, &s), "@s 1=7 8=81;");
	CHECK_INT(aggs_trunc(a, &s, INT64_MIN), 0); /* keeps all */
	CHECK_STR(print(a, &s), "@s 1=7 8=81;");
	CHECK_INT(aggs_clear(a, &s), 0);
	CHECK_INT(aggs_trunc(a, &s, 0), 0);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print(a, &s), "@s;");
	aggs_free(a);
}

static void test_trunc_dist(void)
{
	struct agg_desc q = desc_dist("q", AGG_quantize, (struct agg_params){0}, &int_key, 1);
	const struct agg_desc *list[] = {&q};
	struct aggs *a = session(list, 1);
	char key[3][8] = {{1}, {2}, {3}};

	for (int k = 0; k < 3; k++)
		for (int i = 0; i <= k; i++)
			update(&q, key[k], 0, 1 << i);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_INT(aggs_trunc(a, &q, 2), 0);
	CHECK_STR(print(a, &q), "@q 2=[64:1 65:1] 3=[64:1 65:1 66:1];");
	CHECK_INT(fakes[0].n, 5);
	CHECK_INT(aggs_clear(a, &q), 0);
	update(&q, key[1], 1, 1);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print(a, &q), "@q 3=[] 2=[64:1];");
	aggs_free(a);
}

static void test_normalize(void)
{
	struct agg_desc s = desc_int("s", 1, AGG_sum);
	const struct agg_desc *list[] = {&s};
	struct aggs *a = session(list, 1);

	update(&s, &K[1], 0, -6);
	update(&s, &K[2], 0, -5);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_INT(aggs_normalize(a, &s, 0), -EINVAL);
	CHECK_INT(aggs_normalize(a, &s, 2), 0);
	CHECK_STR(print(a, &s), "@s 1=-3 2=-2;");
	CHECK_INT(aggs_normalize(a, &s, 5), 0);
	CHECK_STR(print(a, &s), "@s 1=-1 2=-1;"); /* sorted by what it is */
	CHECK_INT(aggs_clear(a, &s), 0);
	update(&s, &K[1], 0, 50);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print(a, &s), "@s 2=0 1=10;"); /* kept by clear() */
	CHECK_INT(aggs_normalize(a, &s, 1), 0);
	CHECK_STR(print(a, &s), "@s 2=0 1=50;");
	CHECK_INT(aggs_normalize(a, &(struct agg_desc){.name = "other"}, 1), -ENOENT);
	aggs_free(a);
}

/* ---- keys that are rewritten ---- */

/* Addresses from here on have no name yet, and how often one was looked up. */
static uint64_t nameless_from = UINT64_MAX;
static int looked_up;

/* Symbols, in place of src/sym: each hundred addresses are one. */
void sym_kernel(struct symtab *s, uint64_t addr, struct sym_info *out)
{
	looked_up++;
	*out = (struct sym_info){.name = "", .object = ""};
	if (addr < nameless_from)
		*out = (struct sym_info){.name = "f", .object = "", .start = addr - addr % 100};
}

/* Modules of programs have a thousand addresses each. */
void sym_user(struct symtab *s, pid_t pid, uint64_t addr, struct sym_info *out)
{
	*out = (struct sym_info){.name = "", .object = "a.out", .object_start = addr - addr % 1000};
}

int sym_kernel_is_tracing(struct symtab *s, uint64_t addr)
{
	return addr >= 1000;
}

static pid_t remembered;

void sym_user_remember(struct symtab *s, pid_t pid)
{
	remembered = pid;
}

/* The functions above have no use for one. */
static const struct agg_env with_symbols = {.syms = (struct symtab *)&remembered};

static void test_reduce(void)
{
	static const struct datum sym = {.kind = DATUM_SYM, .size = 8};
	struct agg_desc c = desc("c", 1, AGG_count);
	const struct agg_desc *list[] = {&c};
	struct aggs *a;

	c.keys = &sym;
	c.nkeys = 1;
	c.key_size = 8;
	a = session_in(with_symbols, list, 1);
	for (uint64_t addr = 100; addr < 500; addr += 30)
		update(&c, &addr, addr / 30 & 1, 1);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print(a, &c), "@c 200=3 300=3 100=4 400=4;");
	CHECK_INT(aggs_trunc(a, &c, 2), 0);
	CHECK_INT(fakes[0].n, 8);
	CHECK_STR(print(a, &c), "@c 100=4 400=4;");
	aggs_free(a);
}

/* Of what is printed again only new keys are looked up, and those whose names may come later. */
static void test_reduce_again(void)
{
	static const struct datum sym = {.kind = DATUM_SYM, .size = 8};
	struct agg_desc c = desc("c", 1, AGG_count);
	const struct agg_desc *list[] = {&c};
	struct aggs *a;

	c.keys = &sym;
	c.nkeys = 1;
	c.key_size = 8;
	a = session_in(with_symbols, list, 1);
	for (uint64_t addr = 110; addr < 300; addr += 50)
		update(&c, &addr, 0, 1);
	nameless_from = 200;
	looked_up = 0;
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print(a, &c), "@c 210=1 260=1 100=2;");
	CHECK_INT(looked_up, 4);
	looked_up = 0;
	CHECK_STR(print(a, &c), "@c 210=1 260=1 100=2;");
	CHECK_INT(looked_up, 2);
	/* the names of two come, and a key, and none is looked up again */
	nameless_from = UINT64_MAX;
	update(&c, (uint64_t[]){220}, 1, 1);
	update(&c, (uint64_t[]){110}, 1, 1);
	CHECK_INT(aggs_snapshot(a), 0);
	looked_up = 0;
	CHECK_STR(print(a, &c), "@c 100=3 200=3;");
	CHECK_INT(looked_up, 3);
	CHECK_STR(print(a, &c), "@c 100=3 200=3;");
	CHECK_INT(looked_up, 3);
	/* records get other numbers */
	CHECK_INT(aggs_trunc(a, &c, 1), 0);
	CHECK_STR(print(a, &c), "@c 200=3;");
	update(&c, (uint64_t[]){130}, 1, 1);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print(a, &c), "@c 100=1 200=3;");
	CHECK_INT(aggs_trunc(a, &c, 0), 0);
	update(&c, (uint64_t[]){290}, 1, 1);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print(a, &c), "@c 200=1;");
	aggs_free(a);
}

/* Stacks lose the frames of the tracing machinery; addresses of programs are those of their module.
 */
static void test_reduce_others(void)
{
	static const struct datum stack = {.kind = DATUM_STACK_ID, .size = 8};
	static const struct datum umod = {.kind = DATUM_UMOD, .size = 16};
	struct agg_desc c = desc("c", 1, AGG_count), m = desc("m", 2, AGG_count);
	const struct agg_desc *list[] = {&c, &m};
	const uint64_t two[] = {1001, 1002, 7, 8}, one[] = {1003, 7, 8};
	struct agg_env env = with_symbols;
	static struct stack_table table;
	const struct kept_stack *shown;
	uint64_t deep, flat, stack_id;
	const struct agg_sort by_key = {.key = true};
	struct agg_table *t;
	struct aggs *a;

	c.keys = &stack;
	m.keys = &umod;
	c.nkeys = m.nkeys = 1;
	c.key_size = stack.size;
	m.key_size = umod.size;
	deep = stack_table_keep(&table, 0, two, 4);
	flat = stack_table_keep(&table, 0, one, 3);
	env.stacks = stacks_new(&table, STACK_TABLE_RING, STACK_TABLE_FRAMES, env.syms, UINT64_MAX);
	a = session_in(env, list, 2);
	update(&c, &deep, 0, 1);
	update(&c, &flat, 1, 1);
	for (uint64_t addr = 100; addr < 2000; addr += 300)
		update(&m, (uint64_t[]){4711, addr}, 0, 1);
	remembered = 0;
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_INT(remembered, 4711);
	CHECK_INT(aggs_print(a, list, 1, NULL, &by_key, &t), 0);
	CHECK_INT(t->nrows, 1);
	stack_id = ((const uint64_t *)t->rows[0].key)[0];
	CHECK(stack_id == deep || stack_id == flat);
	shown = stacks_find(env.stacks, stack_id);
	CHECK(shown && shown->n == 2 && shown->pc[0] == 7);
	CHECK_INT(t->rows[0].values->words[0], 2);
	agg_table_free(t);
	CHECK_INT(aggs_print(a, list + 1, 1, NULL, &by_key, &t), 0);
	CHECK_INT(t->nrows, 2);
	CHECK_INT(((const uint64_t *)t->rows[1].key)[1], 1000);
	agg_table_free(t);
	aggs_free(a);
	stacks_free(env.stacks);
}

/* 1, 11, 21 ... are "open", 2, 12 ... "close", others themselves */
static const struct probe *probe_named(void *arg, uint64_t id)
{
	static struct probe p;
	static char text[32];

	++*(int *)arg;
	snprintf(text, sizeof(text), "f%u", (unsigned)id);
	p = (struct probe){.id = id, .prov = "", .mod = "", .name = ""};
	p.func = id % 10 == 1 ? "open" : id % 10 == 2 ? "close" : text;
	return &p;
}

static void test_key_text(void)
{
	static const struct datum func = {
		.kind = DATUM_PROBEID, .size = 8, .part = DATUM_PROBEFUNC};
	static const struct datum str = {.kind = DATUM_STRING, .size = 8};
	struct agg_desc c = desc("c", 1, AGG_count), t = desc("t", 2, AGG_count);
	const struct agg_desc *list[] = {&c, &t};
	static const uint64_t ids[] = {3, 1, 2, 11, 12, 21};
	const struct agg_sort by_key = {.key = true};
	int asked = 0;
	struct agg_env named = {.probe = probe_named, .arg = &asked};
	struct aggs *a, *b;

	c.keys = &func;
	t.keys = &str;
	c.nkeys = t.nkeys = 1;
	c.key_size = t.key_size = 8;
	a = session(list, 2);
	named.store = store;
	b = aggs_new(&named, list, 2);
	for (int i = 0; i < 6; i++)
		update(&c, &ids[i], i & 1, 1);
	update(&t, "open\0\0\0", 0, 1);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print_sorted(a, list, 1, &by_key), "@c 1=1 2=1 3=1 11=1 12=1 21=1;");
	aggs_free(a);
	a = b;
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print_sorted(a, list, 1, &by_key), "@c 2=2 3=1 1=3;");
	CHECK_INT(asked, 6);
	CHECK_STR(print(a, &c), "@c 3=1 2=2 1=3;");
	/* a name and a string that reads the same are one key */
	CHECK_STR(print_sorted(a, list, 2, &plain), "@c 3=1/-0 2=2/-0 1=3/1;");
	CHECK_INT(asked, 6);
	aggs_free(a);
}

static void test_percpu(void)
{
	struct agg_desc s = desc_int("s", 1, AGG_max);
	const struct agg_desc *list[] = {&s};
	struct aggs *a = session_in((struct agg_env){.percpu = true}, list, 1);

	update(&s, &K[1], 0, 5);
	update(&s, &K[1], 1, 7);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print(a, &s), "@s 1=7;");
	update(&s, &K[1], 0, 6);
	CHECK_INT(aggs_clear(a, &s), 0);
	CHECK_STR(print(a, &s), "@s 1=-9223372036854775808;");
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print(a, &s), "@s 1=6;");
	aggs_free(a);
}

static void check_cpus(const struct agg_table *t)
{
	const struct agg_value *v = t->rows[0].values;

	CHECK_INT(t->nrows, 1);
	CHECK_INT(v->ncpus, NCPUS);
	for (uint32_t i = 0; i < v->ncpus; i++) {
		seen[0] = 0;
		put_value(&v->cpus[i]);
		CHECK_STR(seen, i ? "[65:1]" : "[64:2]");
	}
	seen[0] = 0;
	put_value(v);
	CHECK_STR(seen, "[64:2 65:1]");
}

static void test_percpu_dist(void)
{
	struct agg_desc q = desc_dist("q", AGG_quantize, (struct agg_params){0}, &int_key, 1);
	const struct agg_desc *list[] = {&q};
	struct aggs *a = session_in((struct agg_env){.percpu = true}, list, 1);
	char key[8] = {1};
	struct agg_table *t;
	uint32_t at = 0;

	update(&q, key, 0, 1);
	update(&q, key, 0, 1);
	update(&q, key, 1, 2);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_INT(aggs_rest(a, &plain, &at, &t), 0);
	check_cpus(t);
	agg_table_free(t);
	CHECK_INT(aggs_rest(a, &plain, &at, &t), 0);
	CHECK(!t);
	CHECK_INT(aggs_walk(a, &q, &plain, &t), 0);
	check_cpus(t);
	agg_table_free(t);
	aggs_free(a);
}

/* ---- a million keys ---- */

#define MANY 1000000

static int many_each(void *arg, const struct agg_desc *agg, agg_visit_fn visit, void *varg)
{
	int err = 0;

	for (uint32_t i = 0; i < MANY && !err; i++) {
		uint64_t key[2] = {i * 2654435761u, i}, value[NCPUS] = {i % 1000, i % 7};

		err = visit(varg, key, value, NCPUS);
	}
	return err;
}

static void check_many(const struct agg_table *t)
{
	uint32_t wrong = 0;

	CHECK_INT(t->nrows, MANY);
	for (uint32_t i = 1; i < t->nrows; i++) {
		const struct agg_row *x = &t->rows[i - 1], *y = &t->rows[i];
		const uint64_t *kx = x->key, *ky = y->key;

		wrong += x->values->words[0] > y->values->words[0] ||
			(x->values->words[0] == y->values->words[0] &&
				(kx[0] > ky[0] || (kx[0] == ky[0] && kx[1] >= ky[1])));
	}
	CHECK_INT(wrong, 0);
}

static void test_many(void)
{
	static const struct datum keys[] = {
		{.kind = DATUM_INT, .size = 8}, {.kind = DATUM_INT, .offset = 8, .size = 8}};
	struct agg_desc c = desc("c", 1, AGG_count);
	const struct agg_desc *list[] = {&c};
	const struct agg_env many = {.store = {.each = many_each}};
	struct timespec from, to;
	struct agg_table *t;
	struct aggs *a;

	c.keys = keys;
	c.nkeys = 2;
	c.key_size = 16;
	a = aggs_new(&many, list, 1);
	clock_gettime(CLOCK_MONOTONIC, &from);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_INT(aggs_print(a, list, 1, NULL, &plain, &t), 0);
	clock_gettime(CLOCK_MONOTONIC, &to);
	check_many(t);
	agg_table_free(t);
	aggs_free(a);
	if (getenv("VERBOSE"))
		printf("%d keys: %ld ms\n", MANY,
			(to.tv_sec - from.tv_sec) * 1000 + (to.tv_nsec - from.tv_nsec) / 1000000);
}

int main(void)
{
	test_clear();
	test_trunc(AGG_sum);
	test_trunc(AGG_max);
	test_trunc_dist();
	test_normalize();
	test_reduce();
	test_reduce_again();
	test_reduce_others();
	test_key_text();
	test_percpu();
	test_percpu_dist();
	test_many();
	aggs_free(session(NULL, 0));
	return test_done();
}
