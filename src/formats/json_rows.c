// SPDX-License-Identifier: Apache-2.0
/* Packs the rows of tables that were read as JSON, and makes those of the public interface of them.
 */
#include <stdlib.h>

#include "abi/aggregation.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/heapvec.h"
#include "dtrace/data.h"
#include "formats/json_node.h"
#include "formats/json_number.h"
#include "formats/json_pack.h"

/* The members that a value has; those of a row's value that is not present count as well. */
enum {
	HAS_VALUE = 1,
	HAS_RAW = 2,
	HAS_COUNT = 4,
	HAS_SUM = 8,
	HAS_SQUARES = 16,
	HAS_BUCKETS = 32,
	HAS_CPUS = 64,
	IS_ABSENT = 128,
};

void json_rows_free(struct json_rows *rows)
{
	buf_free(&rows->data);
	heapvec_free(&rows->starts);
	heapvec_free(&rows->have);
	free(rows);
}

/* ---- packing ---- */

static void pack_buckets(struct json_problem *p, struct buf *b, const struct json_node *list)
{
	pack_number(b, list->n);
	for (const struct json_node *n = list->first; n; n = n->next) {
		if (n->kind != JSON_OBJECT)
			json_bad(p, "a bucket is no object");
		pack_signed(b, json_signed(p, n, KEY_low));
		pack_signed(b, json_signed(p, n, KEY_high));
		pack_signed(b, json_signed(p, n, KEY_count));
	}
}

static unsigned members_of(const struct json_node *object)
{
	return (json_get(object, KEY_value) ? HAS_VALUE : 0) |
		(json_get(object, KEY_raw) ? HAS_RAW : 0) |
		(json_get(object, KEY_count) ? HAS_COUNT : 0) |
		(json_get(object, KEY_sum) ? HAS_SUM : 0) |
		(json_get(object, KEY_sum_of_squares) ? HAS_SQUARES : 0) |
		(json_get(object, KEY_buckets) ? HAS_BUCKETS : 0) |
		(json_get(object, KEY_cpus) ? HAS_CPUS : 0);
}

/* Appends the value of an aggregation; returns the members that it and its CPUs' values have. */
static unsigned pack_value(struct json_problem *p, struct buf *b, const struct json_node *object)
{
	unsigned have = members_of(object), all = have;
	const struct json_node *list;
	uint64_t normal, low, high;

	buf_putc(b, (char)(have | (json_bool(p, object, KEY_present, true) ? 0 : IS_ABSENT)));
	normal =
		json_get(object, KEY_normal) ? json_unsigned(p, object, KEY_normal, UINT64_MAX) : 1;
	if (!normal)
		json_bad(p, "member \"normal\" is out of range");
	pack_number(b, normal);
	if (have & HAS_VALUE)
		pack_signed(b, (int64_t)json_integer(p, object, KEY_value, NULL));
	if (have & HAS_RAW)
		pack_signed(b, (int64_t)json_integer(p, object, KEY_raw, NULL));
	if (have & HAS_COUNT)
		pack_number(b, json_unsigned(p, object, KEY_count, UINT64_MAX));
	if (have & HAS_SUM)
		pack_signed(b, json_signed(p, object, KEY_sum));
	if (have & HAS_SQUARES) {
		json_integer128(p, object, KEY_sum_of_squares, &low, &high);
		pack_number(b, low);
		pack_number(b, high);
	}
	if (have & HAS_BUCKETS)
		pack_buckets(p, b, json_need(p, object, KEY_buckets, JSON_ARRAY));
	if (!(have & HAS_CPUS))
		return all;
	list = json_need(p, object, KEY_cpus, JSON_ARRAY);
	pack_number(b, list->n);
	for (const struct json_node *n = list->first; n; n = n->next) {
		if (n->kind != JSON_OBJECT)
			json_bad(p, "a value is no object");
		all &= pack_value(p, b, n) | HAS_CPUS;
	}
	return all;
}

/* Checks the number of keys or values, which that of the first row sets. */
static void check_number(
	struct json_problem *p, uint32_t *usual, uint32_t n, bool first, const char *what)
{
	if (first)
		*usual = n;
	else if (*usual != n)
		json_bad(p, "a row has another number of %s than the first one", what);
}

static void check_failed(struct json_problem *p, const struct buf *b)
{
	if (b->failed)
		json_no_memory(p);
}

void json_rows_add(struct json_pool *pool, struct json_rows *rows, const struct json_node *object)
{
	struct json_problem *p = pool->problem;
	const struct json_node *keys = json_need(p, object, KEY_keys, JSON_ARRAY);
	const struct json_node *values = json_need(p, object, KEY_values, JSON_ARRAY);
	const struct json_node *text = json_may(p, object, KEY_text, JSON_STRING), *n;
	bool first = !rows->starts.len;
	uint32_t i = 0;

	check_number(p, &rows->nkeys, keys->n, first, "keys");
	check_number(p, &rows->nvalues, values->n, first, "values");
	if (heapvec_push(&rows->starts, rows->data.len) ||
		heapvec_extend(&rows->have, rows->nvalues))
		json_no_memory(p);
	pack_number(&rows->data, text ? text->len + 1 : 0);
	if (text)
		buf_put(&rows->data, text->text, text->len);
	for (n = keys->first; n; n = n->next) {
		if (n->kind != JSON_OBJECT)
			json_bad(p, "a key is no object");
		json_pack_value(pool, &rows->data, n);
	}
	for (n = values->first; n; n = n->next, i++) {
		unsigned have;

		if (n->kind != JSON_OBJECT)
			json_bad(p, "a value is no object");
		have = pack_value(p, &rows->data, n);
		rows->have.data[i] = (uint8_t)(first ? have : rows->have.data[i] & have);
	}
	check_failed(p, &rows->data);
}

void json_rows_check(
	struct json_pool *pool, const struct json_rows *rows, const struct dtrace_aggregation *aggs)
{
	static const struct {
		unsigned bit;
		enum json_key key;
	} members[] = {
		{HAS_VALUE, KEY_value},
		{HAS_COUNT, KEY_count},
		{HAS_SUM, KEY_sum},
		{HAS_SQUARES, KEY_sum_of_squares},
		{HAS_BUCKETS, KEY_buckets},
	};

	for (uint32_t i = 0; i < rows->nvalues; i++) {
		const struct agg_info *info = agg_public(aggs[i].function);
		unsigned need = HAS_VALUE;

		if (info->kind == AGG_DISTRIBUTION)
			need = HAS_BUCKETS;
		else if (info->kind == AGG_KEEPS)
			need |= HAS_COUNT;
		else if (info->result == AGG_MEAN)
			need |= HAS_COUNT | HAS_SUM;
		else if (info->result == AGG_DEVIATION)
			need |= HAS_COUNT | HAS_SUM | HAS_SQUARES;
		for (unsigned k = 0; k < sizeof(members) / sizeof(members[0]); k++)
			if (members[k].bit & need & ~rows->have.data[i])
				json_bad(pool->problem, "a value of @%s has no member \"%s\"",
					aggs[i].name, json_key_name(members[k].key));
	}
}

/* ---- unpacking ---- */

static void unpack_buckets(struct arena *a, const char **p, struct dtrace_agg_value *out)
{
	uint32_t n = (uint32_t)unpack_number(p);
	struct dtrace_bucket *list = arena_new_array(a, struct dtrace_bucket, n + 1ul);

	for (uint32_t i = 0; i < n; i++) {
		list[i].low = unpack_signed(p);
		list[i].high = unpack_signed(p);
		list[i].count = unpack_signed(p);
	}
	out->buckets = list;
	out->nbuckets = n;
}

/* Sets the inputs of a number, as struct dtrace_agg_value has them. */
static void set_words(struct dtrace_agg_value *out, uint64_t first, uint64_t count, uint64_t sum)
{
	const struct agg_info *info = agg_public(out->aggregation->function);

	if (info->result == AGG_MEAN || info->result == AGG_DEVIATION) {
		out->words[0] = count;
		out->words[1] = sum;
	} else {
		out->words[0] = first;
		out->words[1] = info->kind == AGG_KEEPS ? count : 0;
	}
}

static void unpack_value(const struct dtrace_aggregation *of, struct arena *a, const char **p,
	struct dtrace_agg_value *out)
{
	unsigned have = (unsigned char)*(*p)++;
	struct dtrace_agg_value *cpus;
	uint64_t raw = 0, count = 0, sum = 0;

	*out = (struct dtrace_agg_value){
		.aggregation = of, .present = !(have & IS_ABSENT), .normal = unpack_number(p)};
	if (have & HAS_VALUE)
		out->number = unpack_signed(p);
	raw = (uint64_t)(have & HAS_RAW ? unpack_signed(p) : out->number);
	if (have & HAS_COUNT)
		count = unpack_number(p);
	if (have & HAS_SUM)
		sum = (uint64_t)unpack_signed(p);
	set_words(out, raw, count, sum);
	if (have & HAS_SQUARES) {
		out->words[2] = unpack_number(p);
		out->words[3] = unpack_number(p);
	}
	if (have & HAS_BUCKETS)
		unpack_buckets(a, p, out);
	if (!(have & HAS_CPUS))
		return;
	out->ncpus = (unsigned)unpack_number(p);
	cpus = arena_new_array(a, struct dtrace_agg_value, out->ncpus + 1ul);
	for (unsigned i = 0; i < out->ncpus; i++)
		unpack_value(of, a, p, &cpus[i]);
	out->cpus = cpus;
}

struct dtrace_row *json_rows_get(const struct json_pool *pool, const struct json_rows *rows,
	const struct dtrace_aggregation *aggs, struct arena *a, unsigned i)
{
	const char *p = rows->data.data + rows->starts.data[i];
	struct dtrace_row *row = arena_new_obj(a, struct dtrace_row);
	struct dtrace_value *keys = arena_new_array(a, struct dtrace_value, rows->nkeys + 1ul);
	struct dtrace_agg_value *values =
		arena_new_array(a, struct dtrace_agg_value, rows->nvalues + 1ul);
	uint64_t text = unpack_number(&p);

	if (text) {
		row->text_len = (size_t)text - 1;
		row->text = arena_strndup(a, p, row->text_len);
		p += row->text_len;
	}
	for (uint32_t k = 0; k < rows->nkeys; k++)
		json_unpack_value(pool, a, &p, &keys[k]);
	for (uint32_t k = 0; k < rows->nvalues; k++)
		unpack_value(&aggs[k], a, &p, &values[k]);
	row->keys = keys;
	row->values = values;
	return row;
}
