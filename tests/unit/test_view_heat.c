// SPDX-License-Identifier: Apache-2.0
/* Tests view/heat.h: columns, rows, cells and shades of heat maps, by numbers. */
#include <stdlib.h>

#include "test.h"

#include "pictures/heat.h"

#define S 1000000000ull
#define T 1700000000ull * S

/* Returns the end of the column. */
static uint64_t tick(struct heat *h, uint64_t time)
{
	CHECK_INT(heat_tick(h, &time), 0);
	return time;
}

static void point(struct heat *h, uint64_t time, uint32_t bucket, uint32_t series, uint64_t count)
{
	const struct heat_point p = {
		.time = time, .bucket = bucket, .series = series, .count = count};

	CHECK_INT(heat_add(h, &p), 0);
}

/* Buckets of ten; number 13 has no values. */
static void bounds(const void *arg, uint32_t bucket, int64_t *low, int64_t *high)
{
	*low = bucket * 10;
	*high = bucket == 13 ? -1 : *low + 9;
}

static const struct heat_buckets tens = {.bounds = bounds};

static void check_column(const struct heat *h, uint32_t i, uint64_t start, uint64_t end)
{
	CHECK(i < h->columns.len);
	if (i >= h->columns.len)
		return;
	CHECK_INT((int64_t)(h->columns.data[i].start - start), 0);
	CHECK_INT((int64_t)(h->columns.data[i].end - end), 0);
}

static void check_cell(const struct heat *h, uint32_t i, uint32_t column, uint32_t row,
	uint32_t series, uint64_t count)
{
	CHECK(i < h->cells.len);
	if (i >= h->cells.len)
		return;
	CHECK_INT(h->cells.data[i].column, column);
	CHECK_INT(h->cells.data[i].row, row);
	CHECK_INT(h->cells.data[i].series, series);
	CHECK_INT((int64_t)h->cells.data[i].count, (int64_t)count);
}

static void test_ticks(void)
{
	struct heat h = {0};
	uint64_t none = 0; /* of a record without a time */

	CHECK_INT(heat_tick(&h, &none), 0);
	CHECK_INT(h.ends.len, 1);
	h.ends.len = 0;
	CHECK(tick(&h, T + 1 * S) == T + 1 * S);
	point(&h, T + 1 * S, 12, 0, 5);
	point(&h, T + 1 * S, 12, 0, 0); /* left out */
	CHECK(tick(&h, T + 3 * S) == T + 3 * S);
	point(&h, T + 3 * S, 15, 1, 2);
	CHECK(tick(&h, T + 3 * S) == T + 3 * S); /* twice at once */
	point(&h, T + 3 * S, 15, 0, 3);
	point(&h, T + 3 * S, 15, 1, 4);
	CHECK(tick(&h, T + 2 * S) == T + 3 * S); /* the clock was set */
	CHECK(tick(&h, T + 5 * S) == T + 5 * S);
	CHECK_INT(heat_layout_ticks(&h, 0, &tens), 0);
	CHECK_INT(h.columns.len, 3);
	check_column(&h, 0, T - S, T + S); /* as wide as the others */
	check_column(&h, 1, T + S, T + 3 * S);
	check_column(&h, 2, T + 3 * S, T + 5 * S);
	CHECK_INT(h.rows.len, 3); /* 12, 14 and 15 */
	CHECK_INT(h.rows.data[0].low, 120);
	CHECK_INT(h.rows.data[1].low, 140);
	CHECK_INT(h.rows.data[2].high, 159);
	CHECK_INT(h.cells.len, 3);
	check_cell(&h, 0, 0, 0, 0, 5);
	check_cell(&h, 1, 1, 2, 0, 3);
	check_cell(&h, 2, 1, 2, 1, 6);
	heat_fini(&h);
}

/* The first column begins when tracing did, but is not wider than the others. */
static void test_start(void)
{
	static const struct {
		uint64_t start, ends[3], first;
	} cases[] = {
		{T, {T + S, T + 2 * S, T + 3 * S}, T},
		{T + S / 2, {T + S, T + 2 * S, T + 3 * S}, T + S / 2},
		{T - 9 * S, {T + S, T + 2 * S, T + 3 * S}, T},
		{T + 9 * S, {T + S, T + 2 * S, T + 3 * S}, T},
		{T - 9 * S, {T + S}, T - 9 * S},
		{0, {T + S}, T},
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct heat h = {0};

		for (unsigned k = 0; k < 3 && cases[i].ends[k]; k++)
			tick(&h, cases[i].ends[k]);
		point(&h, cases[i].ends[0], 1, 0, 1);
		CHECK_INT(heat_layout_ticks(&h, cases[i].start, &tens), 0);
		check_column(&h, 0, cases[i].first, cases[i].ends[0]);
		heat_fini(&h);
	}
}

static void test_many_rows(void)
{
	struct heat h = {0};

	tick(&h, T);
	point(&h, T, 100, 0, 1);
	point(&h, T, 101, 0, 2);
	point(&h, T, 100 + 2 * HEAT_ROWS_MAX, 0, 4);
	CHECK_INT(heat_layout_ticks(&h, 0, &tens), 0);
	CHECK_INT(h.rows.len, 667); /* three buckets each */
	CHECK_INT(h.rows.data[0].low, 1000);
	CHECK_INT(h.rows.data[0].high, 1029);
	CHECK_INT(h.cells.len, 2);
	check_cell(&h, 0, 0, 0, 0, 3);
	check_cell(&h, 1, 0, 666, 0, 4);
	heat_fini(&h);
}

static void test_times(void)
{
	struct heat h = {0};

	point(&h, T + 30 * S, 3, 0, 1);
	point(&h, T + 10 * S, 1, 0, 1);
	point(&h, T + 25 * S, 2, 0, 1);
	CHECK_INT(heat_layout_times(&h, &tens), 0);
	CHECK_INT(h.columns.len, 3); /* a gap stays one */
	check_column(&h, 0, T + 10 * S, T + 15 * S);
	check_column(&h, 1, T + 25 * S, T + 30 * S);
	check_column(&h, 2, T + 30 * S, T + 35 * S);
	check_cell(&h, 2, 2, 2, 0, 1);
	heat_fini(&h);

	/* times that nothing divides */
	point(&h, T + 1234567, 1, 0, 1);
	point(&h, T + 1999999, 1, 0, 1);
	CHECK_INT(heat_layout_times(&h, &tens), 0);
	CHECK_INT(h.columns.len, 1);
	check_column(&h, 0, T + HEAT_OFFSET_MIN, T + 2 * HEAT_OFFSET_MIN);
	check_cell(&h, 0, 0, 0, 0, 2);
	heat_fini(&h);
}

static void test_offsets(void)
{
	struct heat h = {0};

	point(&h, T + 20000000, 0, 0, 7);
	point(&h, T + 990000000, 0, 0, 8);
	point(&h, T + 5 * S + 30000000, 0, 1, 9);
	CHECK_INT(heat_layout_offsets(&h), 0);
	CHECK_INT(h.rows.len, 100); /* of 10 ms: all of the second */
	CHECK_INT(h.rows.data[2].low, 20000000);
	CHECK_INT(h.rows.data[99].high, S - 1);
	CHECK_INT(h.columns.len, 2);
	check_column(&h, 0, T, T + S);
	check_column(&h, 1, T + 5 * S, T + 6 * S);
	check_cell(&h, 0, 0, 2, 0, 7);
	check_cell(&h, 1, 0, 99, 0, 8);
	check_cell(&h, 2, 1, 3, 1, 9);
	heat_fini(&h);

	point(&h, T + 20000001, 0, 0, 1);
	CHECK_INT(heat_layout_offsets(&h), 0);
	CHECK_INT(h.rows.len, 1000);
	check_cell(&h, 0, 0, 20, 0, 1);
	heat_fini(&h);
}

static void test_shades(void)
{
	static const struct {
		uint64_t count;
		unsigned rank, linear;
	} want[] = {{1, 1, 1}, {1, 1, 1}, {10, 127 + 1, 3}, {100, 190 + 1, 26}, {1000, 255, 255}};
	struct heat_total *totals;
	struct heat h = {0};
	uint32_t n;

	tick(&h, T);
	for (uint32_t i = 0; i < 5; i++) {
		point(&h, T, i, 0, want[i].count - want[i].count / 2);
		point(&h, T, i, 1, want[i].count / 2);
	}
	CHECK_INT(heat_layout_ticks(&h, 0, &tens), 0);
	CHECK_INT(heat_totals(&h, &totals, &n), 0);
	CHECK_INT(n, 5);
	for (uint32_t i = 0; i < 5 && i < n; i++) {
		CHECK_INT((int64_t)totals[i].count, (int64_t)want[i].count);
		CHECK_INT(totals[i].row, i);
		CHECK_INT(totals[i].rank, want[i].rank);
		CHECK_INT(totals[i].linear, want[i].linear);
	}
	free(totals);
	heat_fini(&h);
}

static void test_coarsen(void)
{
	struct heat h = {0}, out = {0};

	for (uint64_t i = 1; i <= 10; i++) {
		if (i == 7)
			continue; /* the eighth is twice as wide */
		tick(&h, T + i * S);
		point(&h, T + i * S, (uint32_t)(i % 2), 0, i);
	}
	CHECK_INT(heat_layout_ticks(&h, T, &tens), 0);
	CHECK_INT((int64_t)heat_usual_width(&h), S);
	CHECK_INT(heat_coarsen(&h, 3 * S, &out), 0);
	CHECK_INT(out.columns.len, 4);
	check_column(&out, 0, T, T + 3 * S);
	check_column(&out, 1, T + 3 * S, T + 6 * S);
	check_column(&out, 2, T + 6 * S, T + 9 * S);
	check_column(&out, 3, T + 9 * S, T + 10 * S);
	CHECK_INT(out.rows.len, 2);
	CHECK_INT(out.cells.len, 7);
	check_cell(&out, 0, 0, 0, 0, 2);
	check_cell(&out, 1, 0, 1, 0, 1 + 3);
	check_cell(&out, 2, 1, 0, 0, 4 + 6);
	check_cell(&out, 6, 3, 0, 0, 10);
	heat_fini(&out);
	heat_fini(&h);
}

static void test_colours(void)
{
	static const struct {
		unsigned shade;
		uint8_t colour[3];
	} want[] = {{1, {253, 212, 130}}, {128, {200, 64, 90}}, {HEAT_SHADES, {31, 12, 58}}};

	for (unsigned i = 0; i < 3; i++) {
		uint8_t got[3];

		heat_colour(want[i].shade, &got[0], &got[1], &got[2]);
		for (unsigned k = 0; k < 3; k++)
			CHECK_INT(got[k], want[i].colour[k]);
	}
}

static void test_nothing(void)
{
	struct heat_total *totals;
	struct heat h = {0};
	uint32_t n;

	CHECK_INT(heat_layout_ticks(&h, T, &tens), 0);
	CHECK_INT(heat_layout_times(&h, &tens), 0);
	CHECK_INT(h.columns.len + h.rows.len + h.cells.len, 0);
	CHECK_INT(heat_totals(&h, &totals, &n), 0);
	CHECK_INT(n, 0);
	free(totals);
	heat_fini(&h);

	/* one cell, and counts that overflow */
	tick(&h, T);
	point(&h, T, 0, 0, UINT64_MAX);
	point(&h, T, 0, 1, UINT64_MAX);
	CHECK_INT(heat_layout_ticks(&h, 0, &tens), 0);
	CHECK_INT(heat_totals(&h, &totals, &n), 0);
	CHECK_INT(n, 1);
	CHECK(totals[0].count == UINT64_MAX && totals[0].rank == 1 &&
		totals[0].linear == HEAT_SHADES);
	free(totals);
	heat_fini(&h);
}

int main(void)
{
	test_ticks();
	test_start();
	test_many_rows();
	test_times();
	test_offsets();
	test_shades();
	test_coarsen();
	test_colours();
	test_nothing();
	return test_done();
}
