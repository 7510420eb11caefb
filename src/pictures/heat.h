/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heat: counts by time and value, as the columns, rows and cells of a heat map.
 *
 * Points are added in any order; one heat_layout_*() makes columns, rows and cells of them.  It
 * knows nothing of tables, keys, files or colours: series are numbers of the caller's, and shades
 * are numbers from 1.  Without memory a function returns -ENOMEM.  heat_fini() frees everything; a
 * zeroed struct heat is empty.
 */
#ifndef PICTURES_HEAT_H
#define PICTURES_HEAT_H

#include <stdint.h>

#include "base/heapvec.h"

#define HEAT_ROWS_MAX	1000u
#define HEAT_OFFSET_MIN 1000000u /* ns: the least height of a row of offsets */
#define HEAT_SHADES	255u

/* COUNT values that fell into BUCKET at TIME. */
struct heat_point {
	uint64_t time; /* ns since 1970 */
	uint64_t count;
	uint32_t bucket;
	uint32_t series;
};

/* ns since 1970; the end is not part of it. */
struct heat_column {
	uint64_t start, end;
};

/* The values of a row, both included; of a map of offsets, ns since the second began. */
struct heat_row {
	int64_t low, high;
};

struct heat_cell {
	uint32_t column, row, series;
	uint64_t count;
};

struct heat {
	HEAPVEC(uint64_t) ends; /* of columns, ascending: heat_tick() */
	HEAPVEC(struct heat_point) points;
	/* made by heat_layout_*() */
	HEAPVEC(struct heat_column) columns; /* ascending, and they do not overlap */
	HEAPVEC(struct heat_row) rows;	     /* ascending, without gaps between buckets */
	HEAPVEC(struct heat_cell) cells;     /* by column, row and series, each once */
};

void heat_fini(struct heat *h);

/* Adds a point; one with count 0 is left out. */
int heat_add(struct heat *h, const struct heat_point *p);

/*
 * A column ends at *TIME, ns since 1970, and the next one begins there.  If it is not later than
 * the one before, that one goes on.  0, and *TIME is its end; or -ENOMEM.
 */
int heat_tick(struct heat *h, uint64_t *time);

/*
 * Forgets points before SINCE, and columns that ended before it, and makes TO, which has nothing
 * yet or is laid out, a copy of the rest: what is laid out takes no more points.  0 or -ENOMEM.
 */
int heat_copy(struct heat *to, struct heat *h, uint64_t since);

/* The rows of buckets: from *LOW to *HIGH; *LOW > *HIGH if BUCKET has no values. */
struct heat_buckets {
	void (*bounds)(const void *arg, uint32_t bucket, int64_t *low, int64_t *high);
	const void *arg;
};

/*
 * Columns are those that heat_tick() ended; the time of a point is the end of its column.  The
 * first column begins at START if that is before its end, and no earlier than the others' width
 * before it; with START 0 or later than its end, it is as wide as the others, or a second.
 */
int heat_layout_ticks(struct heat *h, uint64_t start, const struct heat_buckets *b);

/*
 * Columns begin at the times of points and are as wide as the largest step between seconds, or
 * parts of a second, that all of them are a multiple of; at least HEAT_OFFSET_MIN.
 */
int heat_layout_times(struct heat *h, const struct heat_buckets *b);

/*
 * Columns are seconds, rows parts of a second, as high as the largest step that all times are a
 * multiple of; at least HEAT_OFFSET_MIN.  Buckets are not looked at.
 */
int heat_layout_offsets(struct heat *h);

/* Returns the median width of columns, in ns; at least 1. */
uint64_t heat_usual_width(const struct heat *h);

/*
 * Makes *OUT, which is empty, of H with columns of WIDTH ns: each has those of H whose middle is in
 * it, and ends where the last one of them does.
 */
int heat_coarsen(const struct heat *h, uint64_t width, struct heat *out);

/* A cell for all series, and how strong it is drawn. */
struct heat_total {
	uint32_t column, row;
	uint64_t count; /* at most UINT64_MAX */
	/*
	 * Shades from 1 to HEAT_SHADES: by the share of cells with lower counts, and by the share
	 * of the count in the largest one.
	 */
	uint8_t rank, linear;
};

/* Stores the sums over all series in *TOTALS, which the caller frees, and how many in *N. */
int heat_totals(const struct heat *h, struct heat_total **totals, uint32_t *n);

/* Stores the colour of SHADE on a light page; viz/heat_colour.js has the same. */
void heat_colour(unsigned shade, uint8_t *red, uint8_t *green, uint8_t *blue);

#endif
