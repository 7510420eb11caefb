/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_text_agg: tables of aggregations made by hand, for the tests of how they are printed.
 *
 * Keys are put together with add_key*(), what a distribution counts with start() and hit(); rows
 * with add_row(), until table() prints them.
 */
#ifndef TESTS_UNIT_TEST_TEXT_AGG_H
#define TESTS_UNIT_TEST_TEXT_AGG_H

#include "stack_table.h"
#include "test.h"

#include "abi/aggregation.h"
#include "abi/kernel.h"
#include "abi/record.h"
#include "base/arena.h"
#include "consume/event.h"
#include "consume/stacks.h"
#include "lang/format.h"
#include "decode/sink.h"
#include "print/print.h"
#include "probe/probe.h"

struct agg_params;

static struct arena *arena;

static inline const struct probe *probe_by_id(void *arg, uint64_t id)
{
	static const struct probe p = {
		.id = 7, .prov = "syscall", .mod = "vmlinux", .func = "openat", .name = "entry"};

	return id == p.id ? &p : NULL;
}

static struct print_options opts = {.quiet = true, .stackindent = 14};
static struct stacks *key_stacks;
static struct sink_env env = {.opts = &opts, .stacks = &key_stacks, .probe = probe_by_id};
static struct stack_table stack_table;

static char *outcome;
static int outcome_err;

static inline const char *render(const struct agg_table *t)
{
	size_t len;
	FILE *f;
	struct sink *s;

	free(outcome);
	f = open_memstream(&outcome, &len);
	s = sink_text_new(&env, f);
	outcome_err = sink_table(s, NULL, 0, t);
	sink_free(s);
	fclose(f);
	return outcome;
}

/* ---- one row of one aggregation ---- */

static _Alignas(16) uint8_t key[256];
static struct datum keys[8];
static uint32_t nkeys, key_used;

static inline void add_key(enum datum_kind kind, const void *bytes, uint32_t size)
{
	keys[nkeys++] = (struct datum){.kind = kind, .offset = key_used, .size = size};
	memcpy(key + key_used, bytes, size);
	key_used += size;
}

/* A kernel stack of N frames. */
static inline void add_key_stack(const uint64_t *pc, uint32_t n)
{
	uint64_t id = stack_table_keep(&stack_table, 0, pc, n);

	if (!key_stacks)
		key_stacks = stacks_new(
			&stack_table, STACK_TABLE_RING, STACK_TABLE_FRAMES, NULL, UINT64_MAX);
	add_key(DATUM_STACK_ID, &id, sizeof(id));
}

static inline void add_key_int(uint32_t size, int64_t v)
{
	add_key(DATUM_INT, &v, size);
	keys[nkeys - 1].is_signed = true;
}

static inline void add_key_string(const char *s)
{
	char bytes[65] = "";

	strcpy(bytes, s);
	add_key(DATUM_STRING, bytes, sizeof(bytes));
}

static const struct agg_desc descs[] = {
#define AGGREGATION(name, ...) [AGG_##name] = {.func = AGG_##name},
#include "abi/aggregations.def"
};

static inline struct agg_value value(
	enum agg_func func, uint64_t normal, int64_t w0, int64_t w1, int64_t w2)
{
	return (struct agg_value){.desc = &descs[func],
		.normal = normal,
		.words = {(uint64_t)w0, (uint64_t)w1, (uint64_t)w2},
		.present = true};
}

/* ---- distributions ---- */

static int64_t buckets[4096];
static struct agg_desc dist;

static inline void start(enum agg_func func, struct agg_params p)
{
	dist = (struct agg_desc){.func = func, .params = p, .nbuckets = agg_nbuckets(func, &p)};
	memset(buckets, 0, sizeof(buckets));
	CHECK(dist.nbuckets <= sizeof(buckets) / sizeof(buckets[0]));
}

static inline void hit(int64_t v, int64_t times)
{
	buckets[agg_bucket(dist.func, &dist.params, v)] += times;
}

static inline struct agg_value dist_value(uint64_t normal)
{
	return (struct agg_value){
		.desc = &dist, .normal = normal, .buckets = buckets, .present = true};
}

/* ---- a table of several rows of one aggregation ---- */

#define MAX_ROWS 8

static struct {
	_Alignas(16) uint8_t key[256];
	int64_t buckets[4096];
	struct agg_value value;
} stored[MAX_ROWS];
static uint32_t nrows;
static struct agg_desc table_desc;
static struct datum table_keys[8];

/* The keys put together so far and a value; what it counts is copied. */
static inline void add_row(struct agg_value v)
{
	table_desc = *v.desc;
	memcpy(table_keys, keys, sizeof(keys));
	table_desc.keys = table_keys;
	table_desc.nkeys = nkeys;
	memcpy(stored[nrows].key, key, sizeof(key));
	if (v.buckets) {
		memcpy(stored[nrows].buckets, buckets, sizeof(buckets));
		v.buckets = stored[nrows].buckets;
	}
	stored[nrows++].value = v;
	nkeys = key_used = 0;
}

static inline const char *table(const char *format, bool final)
{
	const struct agg_desc *list = &table_desc;
	struct agg_row rows[MAX_ROWS];
	struct agg_table t = {
		.aggs = &list, .naggs = 1, .rows = rows, .nrows = nrows, .final = final};
	const char *error = NULL;

	for (uint32_t i = 0; i < nrows; i++)
		rows[i] = (struct agg_row){.key = stored[i].key,
			.desc = &table_desc,
			.values = &stored[i].value,
			.nvalues = 1};
	if (format)
		t.format = format_parse(arena, format, strlen(format), &error);
	CHECK(!error);
	nrows = 0;
	return render(&t);
}

static inline const char *final_table(void)
{
	return table(NULL, true);
}

static inline void set_options(struct print_options o)
{
	o.quiet = true;
	o.stackindent = 14;
	opts = o;
}

static inline void add_named(const char *name, struct agg_value v)
{
	add_key_string(name);
	add_row(v);
}

static inline struct agg_value sum(int64_t n)
{
	return value(AGG_sum, 1, n, 0, 0);
}

static inline void start_q(void)
{
	start(AGG_quantize, (struct agg_params){0});
}

static inline void add_dist(const char *name)
{
	add_named(name, dist_value(1));
}

/* ---- what is printed ---- */

#define HIST .agghist = true
#define PACK .aggpack = true
#define ZOOM .aggzoom = true

#define TITLE " ------------- Distribution ------------- count    \n"
#define DIST  "\n           value " TITLE
#define FULL  "|@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ "

#endif
