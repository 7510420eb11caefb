// SPDX-License-Identifier: Apache-2.0
/*
 * consume/agg over a store in memory: merging, joins, sorting.
 * @ref d-builtins 7.4 sort-by-value sort-distributions sort-options joined
 * @ref d-builtins 5.3 merged-keys
 */
#include "agg_memory.h"
#include "consume/agg_sort.h"

static void test_functions(void)
{
	struct agg_desc d[6] = {desc_int("count", 1, AGG_count), desc_int("sum", 2, AGG_sum),
		desc_int("min", 3, AGG_min), desc_int("max", 4, AGG_max),
		desc_int("avg", 5, AGG_avg), desc_int("stddev", 6, AGG_stddev)};
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
	const struct agg_desc avg = desc("a", 1, AGG_avg), dev = desc("s", 1, AGG_stddev);
	const struct agg_desc sum = desc("t", 1, AGG_sum);
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
	const struct agg_desc s = desc_int("s", 1, AGG_sum);
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

/* Rows of zeros are left out before the limit of rows, joined ones if all their values are 0. */
static void test_nonzero(void)
{
	const struct agg_desc s = desc_int("s", 1, AGG_sum), c = desc_int("c", 2, AGG_count);
	const struct agg_desc m = desc_int("m", 3, AGG_max);
	const struct agg_desc *list[] = {&s, &c, &m};
	struct agg_sort nonzero = {.nonzero = true}, one = {.nonzero = true, .rows = 1};
	struct aggs *a = session(list, 3);

	for (int i = 0; i < 3; i++)
		update(&s, &K[i + 1], 0, i + 5);
	update(&s, &K[3], 1, -7);
	update(&c, &K[3], 0, 1);
	update(&m, &K[1], 0, 0); /* the largest value is 0 */
	CHECK_INT(aggs_snapshot(a), 0);
	CHECK_STR(print_sorted(a, list, 1, &nonzero), "@s 1=5 2=6;");
	CHECK_STR(print_sorted(a, list, 1, &one), "@s 2=6;");
	CHECK_STR(print_sorted(a, list, 2, &nonzero), "@s 3=0/1 1=5/-0 2=6/-0;");
	CHECK_STR(print_sorted(a, &list[2], 1, &nonzero), "@m 1=0;");
	CHECK_INT(aggs_clear(a, &s), 0);
	CHECK_INT(aggs_clear(a, &m), 0);
	CHECK_STR(print_sorted(a, list, 1, &nonzero), "@s;");
	CHECK_STR(print_sorted(a, &list[2], 1, &nonzero), "@m;");
	aggs_free(a);
}

struct pair {
	int32_t n;
	char s[12];
};

static void test_keypos(void)
{
	struct agg_desc c = desc("c", 1, AGG_count);
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
	struct agg_desc q = desc_dist("q", AGG_quantize, (struct agg_params){0}, &int_key, 1);
	struct agg_desc l = desc_dist("l", AGG_lquantize,
		(struct agg_params){.base = 10, .limit = 30, .step = 10}, &int_key, 1);
	struct agg_desc ll = desc_dist("ll", AGG_llquantize,
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
	struct agg_desc c = desc("c", 1, AGG_count), m = desc("m", 2, AGG_max);
	struct agg_desc q = desc_dist("q", AGG_quantize, (struct agg_params){0}, NULL, 0);
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
	struct agg_desc x = desc("x", 1, AGG_count), y = desc("y", 2, AGG_sum);
	struct agg_desc q = desc_dist("q", AGG_quantize, (struct agg_params){0}, short_key, 1);
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
	struct agg_desc x = desc_int("x", 1, AGG_sum), y = desc_int("y", 2, AGG_sum);
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

int main(void)
{
	test_functions();
	test_values();
	test_sort_and_options();
	test_nonzero();
	test_keypos();
	test_sort_distributions();
	test_unkeyed();
	test_join();
	test_join_many_and_order();
	aggs_free(session(NULL, 0));
	return test_done();
}
