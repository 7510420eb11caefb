// SPDX-License-Identifier: Apache-2.0
/*
 * Draws heat maps as PNG.  A column is as wide as its time, and a row of values as high as the
 * others; what was not measured is grey.
 */
#include "pictures/heat_png.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/vec.h"
#include "pictures/heat_gather.h"
#include "pictures/png.h"
#include "pictures/heat.h"

#define SECOND 1000000000ull

#define LEFT	   64u
#define RIGHT	   40u
#define TOP	   24u
#define BOTTOM	   24u
#define PLOT_WIDTH 1000u /* at most twice that */
#define MOST_WIDTH 20u	 /* of a column */
#define MOST_ROW   12u
#define TICK_FROM  100u

static const struct png_colour white = {255, 255, 255}, grey = {226, 228, 232},
			       black = {40, 42, 48};

/* A map and its place. */
struct plot {
	const struct heat_map *map;
	struct heat coarse;	 /* columns of at least a pixel */
	const struct heat *heat; /* that one, or the map's */
	uint64_t start, span;	 /* ns */
	uint32_t width, height;	 /* pixels */
	uint32_t row;		 /* pixels */
	uint32_t top;		 /* of its title */
};

static int measure(struct plot *p, const struct heat_map *m)
{
	const struct heat *h = m->heat;
	uint64_t usual = heat_usual_width(h), columns;

	p->map = m;
	p->start = h->columns.data[0].start;
	p->span = vec_last(&h->columns).end - p->start;
	columns = (p->span + usual - 1) / usual;
	p->heat = h;
	if (columns > 2 * PLOT_WIDTH) {
		p->width = PLOT_WIDTH;
		p->heat = &p->coarse;
		if (heat_coarsen(h, (p->span + PLOT_WIDTH - 1) / PLOT_WIDTH, &p->coarse))
			return -ENOMEM;
	} else {
		uint64_t each = PLOT_WIDTH / columns;

		each = each < 1 ? 1 : each > MOST_WIDTH ? MOST_WIDTH : each;
		p->width = (uint32_t)(columns * each);
		if (p->width < 4 * TICK_FROM)
			p->width = 4 * TICK_FROM;
	}
	p->row = 480 / h->rows.len;
	p->row = p->row < 1 ? 1 : p->row > MOST_ROW ? MOST_ROW : p->row;
	p->height = p->row * h->rows.len;
	return 0;
}

static uint32_t x_of(const struct plot *p, uint64_t time)
{
	return LEFT + (uint32_t)((__int128)(time - p->start) * p->width / p->span);
}

static uint32_t y_of(const struct plot *p, uint32_t row)
{
	return p->top + TOP + p->height - row * p->row;
}

static int draw_cells(struct png *image, const struct plot *p)
{
	struct heat_total *totals;
	uint32_t n;

	if (heat_totals(p->heat, &totals, &n))
		return -ENOMEM;
	vec_for (c, &p->heat->columns)
		png_fill(image, x_of(p, c->start), p->top + TOP, x_of(p, c->end),
			p->top + TOP + p->height, white);
	for (uint32_t i = 0; i < n; i++) {
		const struct heat_total *t = &totals[i];
		const struct heat_column *c = &p->heat->columns.data[t->column];
		uint32_t left = x_of(p, c->start), right = x_of(p, c->end);
		struct png_colour colour;

		heat_colour(t->rank, &colour.red, &colour.green, &colour.blue);
		png_fill(image, left, y_of(p, t->row + 1), right > left ? right : left + 1,
			y_of(p, t->row), colour);
	}
	free(totals);
	return 0;
}

/* ---- axes ---- */

/* Writes N in at most eight characters. */
static void short_number(char *text, size_t size, double n)
{
	static const char units[] = "\0kMGTPE";
	unsigned unit = 0;

	if (fabs(n) < 10000) {
		snprintf(text, size, "%.0f", n);
		return;
	}
	for (; fabs(n) >= 999.5 && units[unit + 1]; unit++)
		n /= 1000;
	snprintf(text, size, "%.3g%c", n, units[unit]);
}

static void row_label(const struct plot *p, uint32_t row, char *text, size_t size)
{
	const struct heat_row *r = &p->heat->rows.data[row];

	if (p->map->columns == HEAT_OFFSETS) {
		snprintf(text, size, "%" PRId64 "ms", r->low / 1000000);
	} else if (r->low == INT64_MIN) {
		text[0] = '<';
		short_number(text + 1, size - 1, (double)r->high + 1);
	} else {
		short_number(text, size, (double)r->low);
	}
}

static void clock_text(uint64_t time, uint64_t step, char *text, size_t size)
{
	time_t seconds = (time_t)(time / SECOND);
	struct tm tm;
	size_t len;

	localtime_r(&seconds, &tm);
	len = strftime(text, size, "%H:%M:%S", &tm);
	if (step < SECOND)
		snprintf(
			text + len, size - len, ".%03" PRIu64, (uint64_t)(time % SECOND / 1000000));
}

/* Returns the smallest usual step that fits COUNT times, at most, into SPAN ns; at least 1 ms. */
static uint64_t tick_step(uint64_t span, uint64_t count)
{
	static const uint32_t steps[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000,
		10000, 15000, 30000, 60000, 120000, 300000, 600000, 900000, 1800000, 3600000,
		7200000, 10800000, 21600000, 43200000, 86400000};
	unsigned i = 0;

	while (i + 1 < sizeof(steps) / sizeof(steps[0]) && span / (steps[i] * 1000000ull) > count)
		i++;
	return steps[i] * 1000000ull;
}

static void draw_times(struct png *image, const struct plot *p)
{
	uint64_t step = tick_step(p->span, p->width / TICK_FROM), last = p->start + p->span;
	uint32_t bottom = y_of(p, 0);
	time_t seconds = (time_t)(p->start / SECOND);
	struct tm tm;
	uint64_t zone;

	localtime_r(&seconds, &tm);
	zone = (uint64_t)(tm.tm_gmtoff + 86400) * SECOND; /* a day more: not below zero */
	for (uint64_t t = p->start + step - 1 - (p->start + zone + step - 1) % step; t <= last;
		t += step) {
		char text[32];
		uint32_t x = x_of(p, t);

		png_fill(image, x, bottom, x + 1, bottom + 4, black);
		clock_text(t, step, text, sizeof(text));
		png_text(image, x - strlen(text) * PNG_CHAR_WIDTH / 2, bottom + 7, text, black);
	}
}

static void draw_axes(struct png *image, const struct plot *p)
{
	uint32_t each = (PNG_CHAR_HEIGHT + 4 + p->row) / p->row, bottom = y_of(p, 0);
	time_t seconds = (time_t)(p->start / SECOND);
	char text[128], date[32];
	struct tm tm;

	localtime_r(&seconds, &tm);
	strftime(date, sizeof(date), "%Y-%m-%d", &tm);
	snprintf(text, sizeof(text), "@%s %s()  %s", strcmp(p->map->name, "_") ? p->map->name : "",
		p->map->function, date);
	png_text(image, LEFT, p->top + 8, text, black);
	for (uint32_t row = 0; row < p->heat->rows.len; row += each) {
		row_label(p, row, text, sizeof(text));
		png_text(image, (int64_t)LEFT - 6 - (int64_t)strlen(text) * PNG_CHAR_WIDTH,
			y_of(p, row) - (p->row + PNG_CHAR_HEIGHT) / 2, text, black);
	}
	png_fill(image, LEFT - 1, p->top + TOP, LEFT, bottom, black);
	png_fill(image, LEFT - 1, bottom, LEFT + p->width, bottom + 1, black);
	draw_times(image, p);
}

static int draw(struct buf *b, const struct plot *plots, uint32_t n, uint32_t width)
{
	const struct plot *last = &plots[n - 1];
	struct png image;
	int err = png_init(
		&image, width + LEFT + RIGHT, last->top + TOP + last->height + BOTTOM, white);

	for (uint32_t i = 0; i < n && !err; i++) {
		png_fill(&image, LEFT, plots[i].top + TOP, LEFT + plots[i].width,
			plots[i].top + TOP + plots[i].height, grey);
		err = draw_cells(&image, &plots[i]);
		if (!err)
			draw_axes(&image, &plots[i]);
	}
	if (!err)
		err = png_put(b, &image);
	png_fini(&image);
	return err;
}

int heat_png_put(struct buf *b, const struct heat_gather *g)
{
	struct plot *plots = calloc(g->maps.len + 1ul, sizeof(*plots));
	uint32_t top = 0, width = 0;
	int err = plots ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < g->maps.len && !err; i++) {
		struct plot *p = &plots[i];

		p->top = top;
		err = measure(p, g->maps.data[i]);
		top += TOP + p->height + BOTTOM;
		width = p->width > width ? p->width : width;
	}
	if (!err)
		err = draw(b, plots, g->maps.len, width);
	for (uint32_t i = 0; plots && i < g->maps.len; i++)
		heat_fini(&plots[i].coarse);
	free(plots);
	return err;
}
