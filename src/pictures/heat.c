// SPDX-License-Identifier: Apache-2.0
/* Lays out heat maps. */
#include "pictures/heat.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#define SECOND 1000000000ull

void heat_fini(struct heat *h)
{
	heapvec_free(&h->ends);
	heapvec_free(&h->points);
	heapvec_free(&h->columns);
	heapvec_free(&h->rows);
	heapvec_free(&h->cells);
}

int heat_add(struct heat *h, const struct heat_point *p)
{
	return p->count ? heapvec_push(&h->points, *p) : 0;
}

int heat_tick(struct heat *h, uint64_t *time)
{
	if (!h->ends.len || *time > vec_last(&h->ends))
		return heapvec_push(&h->ends, *time);
	*time = vec_last(&h->ends);
	return 0;
}

static void forget_before(struct heat *h, uint64_t since)
{
	uint32_t n = 0;

	vec_for (e, &h->ends)
		if (*e >= since)
			h->ends.data[n++] = *e;
	h->ends.len = n;
	n = 0;
	vec_for (p, &h->points)
		if (p->time >= since)
			h->points.data[n++] = *p;
	h->points.len = n;
}

int heat_copy(struct heat *to, struct heat *h, uint64_t since)
{
	forget_before(h, since);
	to->ends.len = to->points.len = to->columns.len = to->rows.len = to->cells.len = 0;
	if (heapvec_reserve(&to->ends, h->ends.len) || heapvec_reserve(&to->points, h->points.len))
		return -ENOMEM;
	vec_for (e, &h->ends)
		to->ends.data[to->ends.len++] = *e;
	vec_for (p, &h->points)
		to->points.data[to->points.len++] = *p;
	return 0;
}

static uint64_t sum(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* ---- rows ---- */

/* Makes rows of the buckets FROM to TO, several in one if there are too many. */
static int make_rows(
	struct heat *h, const struct heat_buckets *b, uint32_t from, uint32_t to, uint32_t *row_of)
{
	uint32_t most = 0, used = 0;

	for (uint32_t i = from;; i++) {
		int64_t low, high;

		b->bounds(b->arg, i, &low, &high);
		most += low <= high;
		if (i == to)
			break;
	}
	most = (most + HEAT_ROWS_MAX - 1) / HEAT_ROWS_MAX;
	for (uint32_t i = from;; i++) {
		struct heat_row row;

		b->bounds(b->arg, i, &row.low, &row.high);
		if (row.low <= row.high) {
			if (used++ % most == 0) {
				if (heapvec_push(&h->rows, row))
					return -ENOMEM;
			} else {
				vec_last(&h->rows).high = row.high;
			}
		}
		row_of[i - from] = h->rows.len ? h->rows.len - 1 : 0;
		if (i == to)
			return 0;
	}
}

/* Replaces the buckets of points by their rows. */
static int find_rows(struct heat *h, const struct heat_buckets *b)
{
	uint32_t from = UINT32_MAX, to = 0, *row_of;
	int err;

	if (!h->points.len)
		return 0;
	vec_for (p, &h->points) {
		from = p->bucket < from ? p->bucket : from;
		to = p->bucket > to ? p->bucket : to;
	}
	row_of = malloc((to - from + 1ul) * sizeof(*row_of));
	if (!row_of)
		return -ENOMEM;
	err = make_rows(h, b, from, to, row_of);
	vec_for (p, &h->points)
		p->bucket = row_of[p->bucket - from];
	free(row_of);
	return err;
}

/* ---- cells ---- */

static int by_place(const void *a, const void *b)
{
	const struct heat_point *x = a, *y = b;
	int order = compare(x->time, y->time);

	order = order ? order : compare(x->bucket, y->bucket);
	return order ? order : compare(x->series, y->series);
}

/* Makes cells of the points, whose times are numbers of columns and whose buckets are rows. */
static int make_cells(struct heat *h)
{
	if (h->points.len)
		qsort(h->points.data, h->points.len, sizeof(*h->points.data), by_place);
	vec_for (p, &h->points) {
		struct heat_cell *last = h->cells.len ? &vec_last(&h->cells) : NULL;

		if (last && last->column == p->time && last->row == p->bucket &&
			last->series == p->series)
			last->count = sum(last->count, p->count);
		else if (heapvec_push(&h->cells,
				 (struct heat_cell){.column = (uint32_t)p->time,
					 .row = p->bucket,
					 .series = p->series,
					 .count = p->count}))
			return -ENOMEM;
	}
	heapvec_free(&h->points);
	return 0;
}

/* ---- columns ---- */

static int by_number(const void *a, const void *b)
{
	return compare(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* Returns the median width of all columns but the first; 0 if there are none. */
static uint64_t usual_width(const struct heat *h)
{
	uint32_t n = h->ends.len ? h->ends.len - 1 : 0;
	uint64_t *widths = n ? malloc(n * sizeof(*widths)) : NULL, usual = 0;

	for (uint32_t i = 0; widths && i < n; i++)
		widths[i] = h->ends.data[i + 1] - h->ends.data[i];
	if (widths) {
		qsort(widths, n, sizeof(*widths), by_number);
		usual = widths[n / 2];
	}
	free(widths);
	return usual;
}

static uint64_t first_start(const struct heat *h, uint64_t start)
{
	uint64_t end = h->ends.data[0], width = usual_width(h);

	if (start && start < end)
		return width && end - start > width ? end - width : start;
	if (!width)
		width = SECOND;
	return end > width ? end - width : 0;
}

static uint32_t column_ending(const struct heat *h, uint64_t end)
{
	uint32_t low = 0, high = h->ends.len - 1;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (h->ends.data[middle] < end)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int heat_layout_ticks(struct heat *h, uint64_t start, const struct heat_buckets *b)
{
	if (heapvec_reserve(&h->columns, h->ends.len) || find_rows(h, b))
		return -ENOMEM;
	for (uint32_t i = 0; i < h->ends.len; i++) {
		uint64_t from = i ? h->ends.data[i - 1] : first_start(h, start);

		h->columns.data[h->columns.len++] =
			(struct heat_column){.start = from, .end = h->ends.data[i]};
	}
	vec_for (p, &h->points)
		p->time = column_ending(h, p->time);
	return make_cells(h);
}

static uint64_t divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Returns the largest step that divides START and all times, but not more than MOST. */
static uint64_t step_of(const struct heat *h, uint64_t start, uint64_t most)
{
	uint64_t step = start;

	vec_for (p, &h->points)
		step = divisor(step, p->time);
	if (!step || step > most)
		step = most;
	return step < HEAT_OFFSET_MIN ? HEAT_OFFSET_MIN : step;
}

/* Makes a column of STEP for each time, in multiples of STEP, that a point has. */
static int make_columns(struct heat *h, uint64_t step)
{
	if (h->points.len)
		qsort(h->points.data, h->points.len, sizeof(*h->points.data), by_place);
	vec_for (p, &h->points) {
		uint64_t start = p->time - p->time % step;

		if ((!h->columns.len || vec_last(&h->columns).start != start) &&
			heapvec_push(&h->columns,
				(struct heat_column){.start = start, .end = start + step}))
			return -ENOMEM;
		p->time = h->columns.len - 1;
	}
	return 0;
}

int heat_layout_times(struct heat *h, const struct heat_buckets *b)
{
	/* a step of days can only come from too few points */
	if (find_rows(h, b) || make_columns(h, step_of(h, 0, 3600 * SECOND)))
		return -ENOMEM;
	return make_cells(h);
}

int heat_layout_offsets(struct heat *h)
{
	uint64_t step = step_of(h, SECOND, SECOND);

	for (uint64_t low = 0; low < SECOND; low += step)
		if (heapvec_push(&h->rows,
			    (struct heat_row){
				    .low = (int64_t)low, .high = (int64_t)(low + step - 1)}))
			return -ENOMEM;
	vec_for (p, &h->points)
		p->bucket = (uint32_t)(p->time % SECOND / step);
	if (make_columns(h, SECOND))
		return -ENOMEM;
	return make_cells(h);
}

/* ---- coarser columns ---- */

uint64_t heat_usual_width(const struct heat *h)
{
	uint32_t n = h->columns.len;
	uint64_t *widths = n ? malloc(n * sizeof(*widths)) : NULL, usual = 1;

	for (uint32_t i = 0; widths && i < n; i++)
		widths[i] = h->columns.data[i].end - h->columns.data[i].start;
	if (widths) {
		qsort(widths, n, sizeof(*widths), by_number);
		usual = widths[n / 2];
	}
	free(widths);
	return usual ? usual : 1;
}

/* Returns the number of the coarse column that C is a part of. */
static uint64_t bin_of(const struct heat *h, const struct heat_column *c, uint64_t width)
{
	return (c->start + (c->end - c->start) / 2 - h->columns.data[0].start) / width;
}

int heat_coarsen(const struct heat *h, uint64_t width, struct heat *out)
{
	uint32_t *place = malloc((h->columns.len + 1ul) * sizeof(*place));
	uint64_t last = 0;
	int err = place ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < h->columns.len && !err; i++) {
		const struct heat_column *c = &h->columns.data[i];
		uint64_t bin = bin_of(h, c, width);

		if (i && bin == last)
			vec_last(&out->columns).end = c->end;
		else
			err = heapvec_push(&out->columns, *c);
		last = bin;
		place[i] = out->columns.len - 1;
	}
	vec_for (r, &h->rows)
		err = err ? err : heapvec_push(&out->rows, *r);
	for (uint32_t i = 0; i < h->cells.len && !err; i++) {
		const struct heat_cell *c = &h->cells.data[i];

		err = heat_add(out,
			&(struct heat_point){.time = place[c->column],
				.bucket = c->row,
				.series = c->series,
				.count = c->count});
	}
	free(place);
	return err ? err : make_cells(out);
}

/* ---- shades ---- */

static uint8_t shade(uint64_t n, uint64_t most)
{
	if (!most)
		return 1;
	return (uint8_t)(1 + (uint64_t)((__int128)n * (HEAT_SHADES - 1) / most));
}

static void set_shades(struct heat_total *totals, uint64_t *counts, uint32_t n)
{
	uint64_t most, below;

	if (!n)
		return;
	for (uint32_t i = 0; i < n; i++)
		counts[i] = totals[i].count;
	qsort(counts, n, sizeof(*counts), by_number);
	most = counts[n - 1];
	for (below = n - 1; below && counts[below - 1] == most; below--)
		;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t low = 0, high = n - 1;

		while (low < high) {
			uint32_t middle = low + (high - low) / 2;

			if (counts[middle] < totals[i].count)
				low = middle + 1;
			else
				high = middle;
		}
		totals[i].rank = shade(low, below);
		totals[i].linear = shade(totals[i].count, most);
	}
}

int heat_totals(const struct heat *h, struct heat_total **totals, uint32_t *n)
{
	struct heat_total *t = calloc(h->cells.len + 1ul, sizeof(*t));
	uint64_t *counts = malloc((h->cells.len + 1ul) * sizeof(*counts));

	*totals = NULL;
	*n = 0;
	if (!t || !counts) {
		free(t);
		free(counts);
		return -ENOMEM;
	}
	vec_for (c, &h->cells) {
		struct heat_total *last = *n ? &t[*n - 1] : NULL;

		if (last && last->column == c->column && last->row == c->row)
			last->count = sum(last->count, c->count);
		else
			t[(*n)++] = (struct heat_total){
				.column = c->column, .row = c->row, .count = c->count};
	}
	set_shades(t, counts, *n);
	free(counts);
	*totals = t;
	return 0;
}

void heat_colour(unsigned shade, uint8_t *red, uint8_t *green, uint8_t *blue)
{
	static const uint8_t stops[][3] = {
		{253, 212, 130}, {245, 155, 79}, {200, 64, 90}, {107, 29, 110}, {31, 12, 58}};
	const unsigned last = sizeof(stops) / sizeof(stops[0]) - 1;
	double at = (double)(shade - 1) / (HEAT_SHADES - 1) * last;
	unsigned i = at < last ? (unsigned)at : last - 1;
	uint8_t *const out[] = {red, green, blue};

	for (unsigned k = 0; k < 3; k++) {
		double n = stops[i][k] + (stops[i + 1][k] - stops[i][k]) * (at - i);

		*out[k] = (uint8_t)(n + 0.5);
	}
}
