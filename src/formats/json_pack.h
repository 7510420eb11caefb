/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_pack: values and rows of JSON in a compact form, from which those of the public interface
 * (dtrace/data.h) are made when they are asked for.
 *
 * A table of 40,000 stacks is 100 MB of JSON and takes 5 MB here: frames and names are kept once.
 * What is wrong with a value is found when it is packed; unpacking cannot fail but for memory.
 */
#ifndef FORMATS_JSON_PACK_H
#define FORMATS_JSON_PACK_H

#include <stdint.h>

#include "base/buf.h"
#include "base/heapvec.h"
#include "base/rectab.h"
#include "base/strmap.h"

struct arena;
struct dtrace_aggregation;
struct dtrace_row;
struct dtrace_value;
struct json_node;
struct json_problem;

/* The names and frames that packed values refer to. */
struct json_pool {
	struct json_problem *problem;
	struct arena *arena;
	struct strmap strings;
	struct rectab frames; /* struct packed_frame, with its text as payload */
};

/* 0 or -ENOMEM; json_pool_fini() frees it either way. */
int json_pool_init(struct json_pool *pool, struct json_problem *p);
void json_pool_fini(struct json_pool *pool);

/* Forgets everything if it has become large; values that were packed before are lost. */
int json_pool_relieve(struct json_pool *pool);

/* Appends the value that OBJECT is, without its name or index. */
void json_pack_value(struct json_pool *pool, struct buf *b, const struct json_node *object);

/* Makes the value at *P, in arena A, and moves *P behind it. */
void json_unpack_value(
	const struct json_pool *pool, struct arena *a, const char **p, struct dtrace_value *out);

/* ---- rows ---- */

/* The rows of a table. */
struct json_rows {
	struct json_rows *next;
	struct buf data;
	HEAPVEC(size_t) starts; /* of each row in data */
	uint32_t nkeys, nvalues;
	HEAPVEC(uint8_t) have; /* for each value, the members that it has in all rows */
};

void json_rows_free(struct json_rows *rows);

/* Adds a row; it must have as many keys and values as the others. */
void json_rows_add(struct json_pool *pool, struct json_rows *rows, const struct json_node *object);

/* Checks that the values are such as the aggregations AGGS have, of which there are NVALUES. */
void json_rows_check(struct json_pool *pool, const struct json_rows *rows,
	const struct dtrace_aggregation *aggs);

/* Makes row I in arena A. */
struct dtrace_row *json_rows_get(const struct json_pool *pool, const struct json_rows *rows,
	const struct dtrace_aggregation *aggs, struct arena *a, unsigned i);

#endif
