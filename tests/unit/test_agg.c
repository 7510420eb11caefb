// SPDX-License-Identifier: Apache-2.0
/*
 * consume/agg over a store in memory: merging, joins, sorting, clear, trunc and normalize.
 * @ref d-builtins 7.4 sort-by-value sort-distributions sort-options joined aggpercpu
 * @ref d-builtins 7.5 clear trunc-all trunc-largest trunc-smallest normalize
 * @ref d-builtins 5.3 merged-keys
 */
#include "test.h"

#include <errno.h>
#include <time.h>

#include "consume/agg.h"
#include "consume/agg_value.h"

/* ---- a store of two CPUs in memory ---- */

#define NCPUS	 2
#define ELEM_MAX 64

struct elem {
	char key[32];
	uint64_t words[NCPUS][4];
};

struct fake {
	const struct agg_desc *desc;
	struct elem *elems; /* as packed values are read: see give() */
	uint32_t n, room;
};

static struct fake fakes[4];

static struct fake *fake_of(const struct agg_desc *agg)
{
	for (size_t i = 0; i < 4; i++)
		if (fakes[i].desc == agg)
			return &fakes[i];
	abort();
}

static struct elem *fake_elem(const struct agg_desc *agg, const void *key)
{
	struct fake *f = fake_of(agg);

	for (uint32_t i = 0; i < f->n; i++)
		if (!memcmp(f->elems[i].key, key, agg->key_size))
			return &f->elems[i];
	if (f->n == f->room) {
		f->room = f->room ? f->room * 2 : ELEM_MAX;
		f->elems = realloc(f->elems, f->room * sizeof(*f->elems));
	}
	memset(&f->elems[f->n], 0, sizeof(*f->elems));
	memcpy(f->elems[f->n].key, key, agg->key_size);
	return &f->elems[f->n++];
}

static int give(const struct agg_desc *agg, const struct elem *e, agg_visit_fn visit, void *varg)
{
	uint64_t packed[NCPUS * 4];
	uint32_t words = agg->value_size / 8;

	for (uint32_t cpu = 0; cpu < NCPUS; cpu++)
		memcpy(packed + cpu * words, e->words[cpu], agg->value_size);
	return visit(varg, e->key, packed, NCPUS);
}

static int fake_each(void *arg, const struct agg_desc *agg, agg_visit_fn visit, void *varg)
{
	struct fake *f = fake_of(agg);
	int err = 0;

	for (uint32_t i = 0; i < f->n && !err; i++)
		err = give(agg, &f->elems[i], visit, varg);
	return err;
}

static int fake_take_key(
	void *arg, const struct agg_desc *agg, const void *key, agg_visit_fn visit, void *varg)
{
	struct fake *f = fake_of(agg);

	for (uint32_t i = 0; i < f->n; i++) {
		struct elem e = f->elems[i];

		if (memcmp(e.key, key, agg->key_size))
			continue;
		if (agg->nkeys)
			f->elems[i] = f->elems[--f->n];
		for (uint32_t cpu = 0; cpu < NCPUS && !agg->nkeys; cpu++)
			agg_reset_slot(agg, f->elems[i].words[cpu]);
		return give(agg, &e, visit, varg);
	}
	return 0;
}

static int fake_take(void *arg, const struct agg_desc *agg, agg_visit_fn visit, void *varg)
{
	struct fake *f = fake_of(agg);
	uint32_t n = f->n;
	int err = 0;

	for (uint32_t i = 0; i < n && !err; i++) {
		char key[32];

		memcpy(key, f->elems[agg->nkeys ? 0 : i].key, sizeof(key));
		err = fake_take_key(arg, agg, key, visit, varg);
	}
	return err;
}

static const struct agg_store store = {fake_each, fake_take, fake_take_key, NULL};

/* What a program does for one update on CPU. */
static void update(const struct agg_desc *agg, const void *key, uint32_t cpu, int64_t v)
{
	char full[32] = {0};
	uint64_t bucket, *w;

	if (agg->nkeys)
		memcpy(full, key, agg->nbuckets ? agg->bucket_off : agg->key_size);
	if (agg->nbuckets) {
		bucket = agg_bucket(agg->func, &agg->params, v);
		memcpy(full + (agg->nkeys ? agg->bucket_off : 0), &bucket, agg->nkeys ? 8 : 4);
	}
	w = fake_elem(agg, full)->words[cpu];
	switch (agg->func) {
	case AGG_SUM:
		w[0] += (uint64_t)v;
		break;
	case AGG_MIN:
	case AGG_MAX:
		if (!w[0]++ || (agg->func == AGG_MIN ? v < (int64_t)w[1] : v > (int64_t)w[1]))
			w[1] = (uint64_t)v;
		break;
	case AGG_STDDEV: {
		unsigned __int128 sq = (unsigned __int128)((__int128)v * v);

		sq += (unsigned __int128)w[3] << 64 | w[2];
		w[2] = (uint64_t)sq;
		w[3] = (uint64_t)(sq >> 64);
	}
		/* fall through */
	case AGG_AVG:
		w[0]++;
		w[1] += (uint64_t)v;
		break;
	default:
		w[0]++;
	}
}

static struct aggs *session(const struct agg_desc *const *descs, uint32_t n)
{
	for (uint32_t i = 0; i < 4; i++) {
		free(fakes[i].elems);
		fakes[i] = (struct fake){.desc = i < n ? descs[i] : NULL};
	}
	return aggs_new(descs, n, &store);
}

/* ---- tables as text: "key,key=value[,value] ..." ---- */

static char seen[4096];

static void put(const char *fmt, long long v)
{
	size_t len = strlen(seen);

	snprintf(seen + len, sizeof(seen) - len, fmt, v);
}

static void put_text(const char *s)
{
	size_t len = strlen(seen);

	snprintf(seen + len, sizeof(seen) - len, "%s", s);
}

static void put_value(const struct agg_value *v)
{
	if (!v->present)
		put_text("-");
	if (!v->desc->nbuckets) {
		put("%lld", agg_number(v));
		return;
	}
	put_text("[");
	for (uint32_t b = 0, n = 0; b < v->desc->nbuckets; b++)
		if (v->buckets[b]) {
			put(n++ ? " %lld:" : "%lld:", b);
			put("%lld", v->buckets[b]);
		}
	put_text("]");
}

static void put_key(const struct agg_row *r)
{
	for (uint32_t k = 0; k < r->desc->nkeys; k++) {
		const struct datum *d = &r->desc->keys[k];
		const char *p = (const char *)r->key + d->offset;
		int64_t v = 0;

		if (k)
			put_text(",");
		if (d->kind == DATUM_STRING) {
			put_text(p);
			continue;
		}
		memcpy(&v, p, d->size);
		if (d->is_signed)
			v = (int64_t)((uint64_t)v << (64 - 8 * d->size)) >> (64 - 8 * d->size);
		put("%lld", v);
	}
}

static int to_text(void *arg, const struct agg_table *t)
{
	if (t->final)
		put_text("final ");
	put_text("@");
	put_text(t->aggs[0]->name);
	for (uint32_t i = 0; i < t->nrows; i++) {
		put_text(" ");
		put_key(&t->rows[i]);
		put_text("=");
		CHECK_INT(t->rows[i].nvalues, t->naggs);
		for (uint32_t k = 0; k < t->naggs; k++) {
			if (k)
				put_text("/");
			put_value(&t->rows[i].values[k]);
		}
	}
	put_text(";");
	return 0;
}

static const struct agg_out out = {to_text, NULL};
static const struct agg_sort plain;

static const char *print_sorted(
	struct aggs *a, const struct agg_desc *const *list, uint32_t n, const struct agg_sort *sort)
{
	seen[0] = 0;
	CHECK_INT(aggs_print(a, list, n, NULL, sort, &out), 0);
	return seen;
}

static const char *print(struct aggs *a, const struct agg_desc *agg)
{
	return print_sorted(a, &agg, 1, &plain);
}

static const char *print_rest(struct aggs *a, const struct agg_sort *sort)
{
	seen[0] = 0;
	CHECK_INT(aggs_print_rest(a, sort, &out), 0);
	return seen;
}

/* ---- aggregations ---- */

static const struct datum int_key = {.kind = DATUM_INT, .is_signed = true, .size = 4};
static const struct datum two_keys[] = {
	{.kind = DATUM_INT, .is_signed = true, .size = 4},
	{.kind = DATUM_STRING, .offset = 4, .size = 12},
};

static struct agg_desc desc(const char *name, uint32_t id, enum agg_func func)
{
	struct agg_desc d = {.name = name,
		.id = id,
		.func = func,
		.key_size = 4,
		.map_key_size = 4,
		.map = name};

	d.value_size = func == AGG_STDDEV				? 32
		: func == AGG_AVG || func == AGG_MIN || func == AGG_MAX ? 16
									: 8;
	return d;
}

static struct agg_desc desc_int(const char *name, uint32_t id, enum agg_func func)
{
	struct agg_desc d = desc(name, id, func);

	d.keys = &int_key;
	d.nkeys = 1;
	return d;
}

static struct agg_desc desc_dist(const char *name, enum agg_func func, struct agg_params params,
	const struct datum *keys, uint32_t nkeys)
{
	struct agg_desc d = desc(name, 1, func);

	d.params = params;
	d.nbuckets = agg_nbuckets(func, &params);
	d.keys = keys;
	d.nkeys = nkeys;
	if (nkeys) {
		d.bucket_off = 8;
		d.key_size = 16;
	}
	return d;
}

static const int32_t K[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
static const int32_t minus_one = -1;

/* ---- tests ---- */

static void test_functions(void)
{
	struct agg_desc d[6] = {desc_int("count", 1, AGG_COUNT), desc_int("sum", 2, AGG_SUM),
		desc_int("min", 3, AGG_MIN), desc_int("max", 4, AGG_MAX),
		desc_int("avg", 5, AGG_AVG), desc_int("stddev", 6, AGG_STDDEV)};
	static const char *const want[] = {"@count 1=4;", "@sum 1=-43;", "@min 1=-50;",
		"@max 1=10;", "@avg 1=-10;", "@stddev 1=23;"};

	for (int i = 0; i < 6; i++) {
		const struct agg_desc *list[] = {&d[i]};
		struct aggs *a = session(list, 1);

		/* nothing on CPU 0 of min and max must win; then across CPUs */
		update(&d[i], &K[1], 1, 10);
		update(&d[i], &K[1], 1, -5);
		update(&d[i], &K[1], 1, 2);
		CHECK_INT(aggs_snapshot(a), 0);
		CHECK_STR(print(a, &d[i]),
			i == 0		 ? "@count 1=3;"
				: i == 1 ? "@sum 1=7;"
				: i == 2 ? "@min 1=-5;"
				: i == 3 ? "@max 1=10;"
				: i == 4 ? "@avg 1=2;"
					 : "@stddev 1=6;");
		update(&d[i], &K[1], 0, -50);
		CHECK_INT(aggs_snapshot(a), 0);
		CHECK_INT(aggs_snapshot(a), 0); /* reading again adds nothing */
		CHECK_STR(print(a, &d[i]), want[i]);
		aggs_free(a);
	}
}

static void test_values(void)
{
	const struct agg_desc avg = desc("a", 1, AGG_AVG), dev = desc("s", 1, AGG_STDDEV);
	const struct agg_desc sum = desc("t", 1, AGG_SUM);
	struct agg_value v = {.desc = &avg, .normal = 1, .words = {2, (uint64_t)-17}};

	CHECK_INT(agg_avg(&v), -8); /* toward zero */
	v.words[0] = 0;
	CHECK_INT(agg_avg(&v), 0);
	v = (struct agg_value){.desc = &dev, .normal = 1, .words = {2, 30, 500}};
	CHECK_INT(agg_stddev(&v), 5); /* 10, 20 */
	v = (struct agg_value){.desc = &dev, .normal = 10, .words = {2, 107, 10049}};
	CHECK_INT(agg_stddev(&v), 21); /* 100, 7: the factor divides the squares once */
	/* INT64_MIN and INT64_MAX: squares 2^126 and 2^126 - 2^64 + 1; average 0 */
	v = (struct agg_value){
		.desc = &dev, .normal = 1, .words = {2, UINT64_MAX, 1, (1ull << 63) - 1}};
	CHECK_INT(agg_stddev(&v), INT64_MAX);
	v.words[0] = 0;
	CHECK_INT(agg_stddev(&v), 0);
	v = (struct agg_value){.desc = &sum, .normal = 2, .words = {(uint64_t)-6}};
	CHECK_INT(agg_number(&v), -3);
	CHECK_INT(agg_normalized(INT64_MIN, UINT64_MAX), 0);
	CHECK_INT(agg_normalized(-7, 2), -3);
}

static void test_sort_and_options(void)
{
	const struct agg_desc s = desc_int("s", 1, AGG_SUM);
	const struct agg_desc *list[] = {&s};
	struct aggs *a = session(list, 1);

	update(&s, &K[3], 0, 7);
	update(&s, &minus_one, 0, 7);
	update(&s, &K[1], 1, 9);
	update(&s, &K[2], 1, -2);
	CHECK_INT(aggs_snapshot(a), 0);
	/* ties by key, which compares unsigned */
	CHECK_STR(print(a, &s), "@s 2=-2 3=7 -1=7 1=9;");
	CHECK_STR(
		print_sorted(a, list, 1, &(struct agg_sort){.rev = true}), "@s 1=9 -1=7 3=7 2=-2;");
	CHECK_STR(
		print_sorted(a, list, 1, &(struct agg_sort){.key = true}), "@s 1=9 2=-2 3=7 -1=7;");
	CHECK_STR(print_sorted(a, list, 1, &(struct agg_sort){.key = true, .rev = true}),
		"@s -1=7 3=7 2=-2 1=9;");
	/* out of range acts as 0 */
	CHECK_STR(print_sorted(a, list, 1, &(struct agg_sort){.key = true, .keypos = 1, .pos = 9}),
		"@s 1=9 2=-2 3=7 -1=7;");
	aggs_free(a);
}

struct pair {
	int32_t n;
	char s[12];
};

static void test_keypos(void)
{
	struct agg_desc c = desc("c", 1, AGG_COUNT);
	const struct agg_desc *list[] = {&c};
	struct aggs *a;

	c.keys = two_keys;
	c.nkeys = 2;
	c.key_size = 16;
	a = session(list, 1);
	update(&c, &(struct pair){1, "longer name"}, 0, 1);
	update(&c, &(struct pair){2, "longer namf"}, 0, 1);
	update(&c, &(struct pair){1, "b"}, 0, 1);
	update(&c, &(struct pair){2, "a"}, 0, 1);
	update(&c, &(struct pair){3, "a"}, 0, 1);
	update(&c, &(struct pair){2, "\xff"}, 0, 1);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print(a, &c), "@c 1,b=1 1,longer name=1 2,a=1 2,longer namf=1 2,\xff=1 3,a=1;");
	CHECK_STR(print_sorted(a, list, 1, &(struct agg_sort){.key = true, .keypos = 1}),
		"@c 2,a=1 3,a=1 1,b=1 1,longer name=1 2,longer namf=1 2,\xff=1;");
	/* position 1 also decides ties of equal values */
	CHECK_STR(print_sorted(a, list, 1, &(struct agg_sort){.keypos = 1, .rev = true}),
		"@c 2,\xff=1 2,longer namf=1 1,longer name=1 1,b=1 3,a=1 2,a=1;");
	aggs_free(a);
}

static void test_sort_distributions(void)
{
	struct agg_desc q = desc_dist("q", AGG_QUANTIZE, (struct agg_params){0}, &int_key, 1);
	struct agg_desc l = desc_dist("l", AGG_LQUANTIZE,
		(struct agg_params){.base = 10, .limit = 30, .step = 10}, &int_key, 1);
	struct agg_desc ll = desc_dist("ll", AGG_LLQUANTIZE,
		(struct agg_params){.factor = 10, .hmag = 2, .steps = 5}, &int_key, 1);
	const struct agg_desc *list[] = {&q, &l, &ll};
	struct aggs *a = session(list, 3);
	char key[8];

	for (int32_t k = 1; k <= 5; k++) {
		/* weights 8, -4, 0 with 3 zeros, 0 with 2, and 4 + 4 + 1; -1 is none here */
		static const int64_t q_values[][3] = {
			{15, 0, 0}, {-7, 0, 0}, {0, 0, -1}, {0, -1, -1}, {5, 7, 1}};
		/* lquantize: under 9, 10, 20, over 31 */
		static const int64_t l_values[] = {35, 0, 29, 19, 10};
		/* llquantize: ends and underflow weigh nothing */
		static const int64_t ll_values[] = {5000, 0, -35, 7, 150};

		memset(key, 0, sizeof(key));
		memcpy(key, &k, 4);
		for (int i = 0; i < 3; i++)
			if (q_values[k - 1][i] != -1)
				update(&q, key, i & 1, q_values[k - 1][i]);
		if (k == 3 || k == 4)
			update(&q, key, 1, 0);
		update(&l, key, 0, l_values[k - 1]);
		update(&ll, key, 1, ll_values[k - 1]);
	}
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print(a, &q), "@q 2=[60:1 63:2] 4=[63:2] 3=[63:3] 1=[63:2 67:1] 5=[64:1 66:2];");
	CHECK_STR(print(a, &l), "@l 2=[0:1] 4=[1:1] 5=[1:1] 3=[2:1] 1=[3:1];");
	/* centre 16; -35 in -20 (weight -20); 7 in 6; 150 in 100; 1 and 2 tie but for zeros */
	CHECK_STR(print(a, &ll), "@ll 3=[9:1] 1=[32:1] 2=[16:1] 4=[20:1] 5=[27:1];");
	aggs_free(a);
}

static void test_unkeyed(void)
{
	struct agg_desc c = desc("c", 1, AGG_COUNT), m = desc("m", 2, AGG_MAX);
	struct agg_desc q = desc_dist("q", AGG_QUANTIZE, (struct agg_params){0}, NULL, 0);
	const struct agg_desc *list[] = {&c, &m, &q};
	struct aggs *a;

	q.id = 3;
	a = session(list, 3);
	fake_elem(&c, &K[0]); /* an array's elements are always there */
	fake_elem(&m, &K[0]);
	for (uint32_t b = 0; b < q.nbuckets; b++)
		fake_elem(&q, &b);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print(a, &c), "@c;");
	CHECK_STR(print(a, &m), "@m;");
	CHECK_STR(print(a, &q), "@q;");
	CHECK_STR(print_rest(a, &plain), "");
	update(&c, NULL, 0, 1);
	update(&c, NULL, 1, 1);
	update(&m, NULL, 1, -8);
	update(&q, NULL, 0, 5);
	update(&q, NULL, 1, 5);
	update(&q, NULL, 1, -1);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print_rest(a, &plain), "final @c =2;final @m =-8;final @q =[62:1 66:2];");
	CHECK_STR(print_rest(a, &(struct agg_sort){.rev = true}),
		"final @q =[62:1 66:2];final @m =-8;final @c =2;");
	CHECK_INT(aggs_clear(a, &c), 0);
	CHECK_INT(aggs_clear(a, &m), 0);
	CHECK_INT(aggs_clear(a, &q), 0);
	CHECK_STR(
		print_rest(a, &plain), "final @c =0;final @m =-9223372036854775808;final @q =[];");
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(
		print_rest(a, &plain), "final @c =0;final @m =-9223372036854775808;final @q =[];");
	CHECK_INT(aggs_trunc(a, &c, 0), 0);
	CHECK_INT(aggs_trunc(a, &m, 0), 0);
	CHECK_INT(aggs_trunc(a, &q, 0), 0);
	CHECK_STR(print_rest(a, &plain), "");
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print_rest(a, &plain), "");
	update(&c, NULL, 1, 1);
	update(&m, NULL, 0, -9);
	update(&q, NULL, 0, 0);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print(a, &c), "@c =1;");
	CHECK_STR(print_rest(a, &plain), "final @m =-9;final @q =[63:1];");
	aggs_free(a);
}

static void test_join(void)
{
	static const struct datum short_key[] = {{.kind = DATUM_STRING, .size = 4}};
	static const struct datum long_key[] = {{.kind = DATUM_STRING, .offset = 8, .size = 16}};
	struct agg_desc x = desc("x", 1, AGG_COUNT), y = desc("y", 2, AGG_SUM);
	struct agg_desc q = desc_dist("q", AGG_QUANTIZE, (struct agg_params){0}, short_key, 1);
	const struct agg_desc *list[] = {&x, &y, &q};
	struct aggs *a;

	x.keys = q.keys = short_key;
	y.keys = long_key;
	x.nkeys = y.nkeys = 1;
	y.key_size = 24;
	q.id = 3;
	a = session(list, 3);
	update(&x, "abc", 0, 1);
	update(&x, "abc", 1, 1);
	update(&x, "b\0\0", 1, 1);
	update(&y, "\0\0\0\0\0\0\0\0abc\0\0\0\0\0\0\0\0\0\0\0\0\0", 0, 5);
	update(&y, "\0\0\0\0\0\0\0\0abcdefghijk\0\0\0\0\0", 0, -7);
	update(&q, "b\0\0\0\0\0\0", 0, 1);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print_sorted(a, list, 3, &plain),
		"@x abcdefghijk=-0/-7/-[] b=1/-0/[64:1] abc=2/5/-[];");
	CHECK_STR(print_sorted(a, list, 3, &(struct agg_sort){.pos = 1}),
		"@x abcdefghijk=-0/-7/-[] b=1/-0/[64:1] abc=2/5/-[];");
	CHECK_STR(print_sorted(a, list, 3, &(struct agg_sort){.pos = 2}),
		"@x abcdefghijk=-0/-7/-[] abc=2/5/-[] b=1/-0/[64:1];");
	CHECK_STR(print_sorted(a, list, 3, &(struct agg_sort){.pos = 3, .rev = true}),
		"@x abc=2/5/-[] b=1/-0/[64:1] abcdefghijk=-0/-7/-[];");
	CHECK_STR(print_sorted(a, list, 3, &(struct agg_sort){.key = true}),
		"@x abc=2/5/-[] abcdefghijk=-0/-7/-[] b=1/-0/[64:1];");
	CHECK_STR(print_rest(a, &plain), ""); /* all are printed */
	aggs_free(a);

	/* one that had no key is not marked */
	a = session(list, 2);
	update(&x, "abc", 0, 1);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print_sorted(a, list, 2, &plain), "@x abc=1/-0;");
	update(&y, "\0\0\0\0\0\0\0\0abc\0\0\0\0\0\0\0\0\0\0\0\0\0", 0, 5);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print_rest(a, &plain), "final @y abc=5;");
	aggs_free(a);
}

static void test_join_many_and_order(void)
{
	struct agg_desc x = desc_int("x", 1, AGG_SUM), y = desc_int("y", 2, AGG_SUM);
	const struct agg_desc *list[] = {&x, &y};
	struct aggs *a = session(list, 2);

	/* equal in x, decided by y, then by key */
	for (int32_t k = 0; k < 6; k++) {
		update(&x, &k, 0, 1);
		update(&y, &k, 0, k < 4 ? -k : 9);
	}
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print_sorted(a, list, 2, &plain), "@x 3=1/-3 2=1/-2 1=1/-1 0=1/0 4=1/9 5=1/9;");
	aggs_free(a);
}

static void test_clear(void)
{
	struct agg_desc s = desc_int("s", 1, AGG_SUM), m = desc_int("m", 2, AGG_MIN);
	struct agg_desc v = desc_int("v", 3, AGG_STDDEV);
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
	update(&s, &K[3], 1, func == AGG_MAX ? 31 : 1);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print(a, &s), "@s 1=1 3=31 4=40 5=50;");
	update(&s, &K[1], 0, 7);
	update(&s, &K[8], 0, 80);
	CHECK_INT(aggs_trunc(a, &s, 0), 0);
	CHECK_STR(print(a, &s), "@s;");
	CHECK_INT(fakes[0].n, 0);
	/* again before a snapshot: nothing more is lost */
	update(&s, &K[8], 1, func == AGG_MAX ? 81 : 1);
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
	struct agg_desc q = desc_dist("q", AGG_QUANTIZE, (struct agg_params){0}, &int_key, 1);
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
	struct agg_desc s = desc_int("s", 1, AGG_SUM);
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

static void reduce_hundreds(void *arg, const struct datum *d, void *bytes)
{
	uint64_t addr;

	memcpy(&addr, bytes, 8);
	addr -= addr % 100;
	memcpy(bytes, &addr, 8);
	CHECK_INT(d->kind, DATUM_SYM);
}

static void test_reduce(void)
{
	static const struct datum sym = {.kind = DATUM_SYM, .size = 8};
	struct agg_desc c = desc("c", 1, AGG_COUNT);
	const struct agg_desc *list[] = {&c};
	struct aggs *a;

	c.keys = &sym;
	c.nkeys = 1;
	c.key_size = 8;
	a = session(list, 1);
	aggs_set_reduce(a, reduce_hundreds, NULL);
	for (uint64_t addr = 100; addr < 500; addr += 30)
		update(&c, &addr, addr / 30 & 1, 1);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print(a, &c), "@c 200=3 300=3 100=4 400=4;");
	CHECK_INT(aggs_trunc(a, &c, 2), 0);
	CHECK_INT(fakes[0].n, 8);
	CHECK_STR(print(a, &c), "@c 100=4 400=4;");
	aggs_free(a);
}

/* 1, 11, 21 ... are "open", 2, 12 ... "close", others themselves */
static const char *probe_text(void *arg, const struct datum *d, const void *bytes)
{
	static char text[32];
	uint64_t id;

	memcpy(&id, bytes, 8);
	++*(int *)arg;
	CHECK_INT(d->part, DATUM_PROBEFUNC);
	if (id % 10 == 1)
		return "open";
	if (id % 10 == 2)
		return "close";
	snprintf(text, sizeof(text), "f%llu", (unsigned long long)id);
	return text;
}

static void test_key_text(void)
{
	static const struct datum func = {
		.kind = DATUM_PROBEID, .size = 8, .part = DATUM_PROBEFUNC};
	static const struct datum str = {.kind = DATUM_STRING, .size = 8};
	struct agg_desc c = desc("c", 1, AGG_COUNT), t = desc("t", 2, AGG_COUNT);
	const struct agg_desc *list[] = {&c, &t};
	static const uint64_t ids[] = {3, 1, 2, 11, 12, 21};
	const struct agg_sort by_key = {.key = true};
	struct aggs *a;
	int asked = 0;

	c.keys = &func;
	t.keys = &str;
	c.nkeys = t.nkeys = 1;
	c.key_size = t.key_size = 8;
	a = session(list, 2);
	for (int i = 0; i < 6; i++)
		update(&c, &ids[i], i & 1, 1);
	update(&t, "open\0\0\0", 0, 1);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print_sorted(a, list, 1, &by_key), "@c 1=1 2=1 3=1 11=1 12=1 21=1;");
	aggs_set_key_text(a, probe_text, &asked);
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
	struct agg_desc s = desc_int("s", 1, AGG_MAX);
	const struct agg_desc *list[] = {&s};
	struct aggs *a = session(list, 1);

	aggs_set_percpu(a, true);
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

static int count_cpus(void *arg, const struct agg_table *t)
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
	return -EPIPE;
}

static void test_percpu_dist(void)
{
	struct agg_desc q = desc_dist("q", AGG_QUANTIZE, (struct agg_params){0}, &int_key, 1);
	const struct agg_desc *list[] = {&q};
	struct aggs *a = session(list, 1);
	const struct agg_out count = {count_cpus, NULL};
	char key[8] = {1};

	aggs_set_percpu(a, true);
	update(&q, key, 0, 1);
	update(&q, key, 0, 1);
	update(&q, key, 1, 2);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_INT(aggs_print_rest(a, &plain, &count), -EPIPE);
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

static int check_many(void *arg, const struct agg_table *t)
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
	return 0;
}

static void test_many(void)
{
	static const struct datum keys[] = {
		{.kind = DATUM_INT, .size = 8}, {.kind = DATUM_INT, .offset = 8, .size = 8}};
	struct agg_desc c = desc("c", 1, AGG_COUNT);
	const struct agg_desc *list[] = {&c};
	const struct agg_store many = {.each = many_each};
	const struct agg_out check = {check_many, NULL};
	struct timespec from, to;
	struct aggs *a;

	c.keys = keys;
	c.nkeys = 2;
	c.key_size = 16;
	a = aggs_new(list, 1, &many);
	clock_gettime(CLOCK_MONOTONIC, &from);
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_INT(aggs_print(a, list, 1, NULL, &plain, &check), 0);
	clock_gettime(CLOCK_MONOTONIC, &to);
	aggs_free(a);
	if (getenv("VERBOSE"))
		printf("%d keys: %ld ms\n", MANY,
			(to.tv_sec - from.tv_sec) * 1000 + (to.tv_nsec - from.tv_nsec) / 1000000);
}

int main(void)
{
	test_functions();
	test_values();
	test_sort_and_options();
	test_keypos();
	test_sort_distributions();
	test_unkeyed();
	test_join();
	test_join_many_and_order();
	test_clear();
	test_trunc(AGG_SUM);
	test_trunc(AGG_MAX);
	test_trunc_dist();
	test_normalize();
	test_reduce();
	test_key_text();
	test_percpu();
	test_percpu_dist();
	test_many();
	aggs_free(session(NULL, 0));
	return test_done();
}
