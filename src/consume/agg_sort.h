/* SPDX-License-Identifier: Apache-2.0 */
/* agg_sort: the order of a table's rows. */
#ifndef CONSUME_AGG_SORT_H
#define CONSUME_AGG_SORT_H

#include <stdbool.h>
#include <stdint.h>

struct agg_keys;
struct agg_row;

/* The options that say it. */
struct agg_sort {
	bool key, rev;	      /* aggsortkey, aggsortrev */
	uint32_t keypos, pos; /* aggsortkeypos, aggsortpos */
	uint32_t rows;	      /* aggrows: as many are left, those that come last upwards; 0: all */
	bool nonzero;	      /* aggnonzero: rows whose values are all 0 are left out */
};

/* Replace *ROWS, N of them on the heap, by the same ones in order. 0 or -ENOMEM. */
int rows_sort(
	const struct agg_keys *keys, struct agg_row **rows, uint32_t n, const struct agg_sort *by);

#endif
