// SPDX-License-Identifier: Apache-2.0
/*
 * Draws flame graphs as SVG, without a script: what a frame is, is in its title, which browsers
 * show as a tooltip.
 *
 * Coordinates are hundredths of a pixel, in integers: the decimal point of the locale does not
 * matter.  Frames that are too narrow to be seen are left out, and a line says how many.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "formats/gather.h"
#include "formats/json.h"
#include "pictures/picture.h"
#include "pictures/svg.h"
#include "formats/stack_tree.h"

#define MARGIN	 10
#define WIDTH	 1180 /* of the frames, in pixels */
#define ROW	 16
#define LINE	 18  /* of text above the frames */
#define LEAST	 0.3 /* pixels */
#define GLYPH	 7.3 /* width of a character, in pixels */
#define STEPS_UP 10  /* shades of growth */
#define NO_STEP	 UINT32_MAX

struct drawing {
	struct buf *b;
	const struct graph *g;
	unsigned which; /* GATHER_COUNT or GATHER_SUM */
	bool diff;
	struct tree_step *steps;
	uint32_t n;
	double *width; /* by step, in the unit of the numbers; then in pixels */
	double *left;  /* in pixels */
	double whole, scale;
	uint32_t *parent; /* by step: another step; NO_STEP of the root */
	uint32_t depth;	  /* of the innermost frame that is drawn */
	uint32_t omitted;
	unsigned top; /* of the drawing, in pixels */
};

/* ---- numbers ---- */

static double now_of(const struct drawing *d, const uint64_t *numbers)
{
	return (double)numbers[d->which];
}

static double old_of(const struct drawing *d, const uint64_t *numbers)
{
	return (double)numbers[GATHER_OLD + d->which] * d->scale;
}

/* The larger one of two pictures: then nothing that has vanished is hidden. */
static double self_of(const struct drawing *d, const struct tree_step *s)
{
	double now = now_of(d, s->self), old = d->diff ? old_of(d, s->self) : 0;

	return now > old ? now : old;
}

/* Stores the parent of each step, and how wide it is. */
static int measure(struct drawing *d)
{
	uint32_t *path = calloc(d->n + 1ul, sizeof(*path));

	d->width = calloc(d->n, sizeof(*d->width));
	d->left = calloc(d->n, sizeof(*d->left));
	d->parent = calloc(d->n, sizeof(*d->parent));
	if (!path || !d->width || !d->left || !d->parent) {
		free(path);
		return -ENOMEM;
	}
	d->scale = 1;
	if (d->diff && d->steps[0].total[d->which] && d->steps[0].total[GATHER_OLD + d->which])
		d->scale = now_of(d, d->steps[0].total) / old_of(d, d->steps[0].total);
	for (uint32_t i = 0; i < d->n; i++) {
		uint32_t depth = d->steps[i].depth;

		d->parent[i] = depth ? path[depth - 1] : NO_STEP;
		d->width[i] = self_of(d, &d->steps[i]);
		path[depth] = i;
	}
	for (uint32_t i = d->n; i-- > 1;)
		d->width[d->parent[i]] += d->width[i];
	d->whole = d->width[0];
	free(path);
	return 0;
}

static bool drawn(const struct drawing *d, uint32_t i)
{
	return d->width[i] >= LEAST;
}

/* Gives each step its place; parents come before their children. */
static void place(struct drawing *d)
{
	double *end = d->left; /* where the next child begins, until the child has its own place */

	for (uint32_t i = 0; i < d->n; i++) {
		double width = d->whole > 0 ? d->width[i] / d->whole * WIDTH : 0;

		d->width[i] = i ? width : WIDTH;
	}
	for (uint32_t i = 1; i < d->n; i++) {
		uint32_t p = d->parent[i];
		double at = end[p];

		end[p] += d->width[i];
		end[i] = at;
	}
	/* each has moved on by the width of its children: go back */
	for (uint32_t i = d->n; i-- > 1;)
		d->left[d->parent[i]] -= d->width[i];
	for (uint32_t i = 0; i < d->n; i++) {
		if (!drawn(d, i))
			d->omitted++;
		else if (d->steps[i].depth > d->depth)
			d->depth = d->steps[i].depth;
	}
}

/* ---- frames ---- */

static const struct tree_frame *frame_of(const struct drawing *d, uint32_t i)
{
	return tree_frame_at(d->g->tree, tree_node_at(d->g->tree, d->steps[i].node).frame);
}

/* Returns -STEPS_UP (vanished) to STEPS_UP (new). */
static int growth(const struct drawing *d, const struct tree_step *s)
{
	double now = now_of(d, s->total), old = old_of(d, s->total);
	double larger = now > old ? now : old, by = larger > 0 ? (now - old) / larger : 0;

	return (int)(by * STEPS_UP + (by < 0 ? -.5 : .5));
}

static void put_class(struct drawing *d, uint32_t i)
{
	if (!i)
		put_literal(d->b, "same");
	else if (d->diff)
		svg_put_growth_class(d->b, growth(d, &d->steps[i]));
	else
		buf_puts(d->b, svg_kind_class(frame_of(d, i)->kind));
}

static void put_number(struct buf *b, double n)
{
	json_put_unsigned(b, (uint64_t)(n + .5));
}

/* The same as the label of the viewer's frame. */
static void put_title(struct drawing *d, uint32_t i)
{
	const struct tree_frame *f = i ? frame_of(d, i) : NULL;
	const struct tree_step *s = &d->steps[i];
	struct buf *b = d->b;

	put_literal(b, "<title>");
	if (f && *f->object) {
		svg_put_text(b, f->object, SIZE_MAX);
		put_char(b, '`');
	}
	svg_put_text(b, f ? f->name : "all", SIZE_MAX);
	if (f && *f->file) {
		put_literal(b, " (");
		svg_put_text(b, f->file, SIZE_MAX);
		put_char(b, ':');
		json_put_unsigned(b, f->line);
		put_char(b, ')');
	}
	put_literal(b, ", ");
	svg_put_decimal(b, d->width[i] / WIDTH * 100);
	put_literal(b, " %, ");
	if (d->diff) {
		put_literal(b, "before ");
		put_number(b, old_of(d, s->total));
		put_literal(b, ", now ");
		put_number(b, now_of(d, s->total));
	} else {
		json_put_unsigned(b, s->total[d->which]);
	}
	put_literal(b, "</title>");
}

static void put_frame(struct drawing *d, uint32_t i)
{
	double x = MARGIN + d->left[i], width = d->width[i];
	unsigned y = d->top + (d->depth - d->steps[i].depth) * ROW;
	struct buf *b = d->b;

	put_literal(b, "<g class=\"");
	put_class(d, i);
	put_literal(b, "\">");
	put_title(d, i);
	put_literal(b, "<rect x=\"");
	svg_put_decimal(b, x);
	buf_printf(b, "\" y=\"%u\" width=\"", y);
	/* a gap between neighbours */
	svg_put_decimal(b, width > 2 ? width - .5 : width);
	buf_printf(b, "\" height=\"%u\"/>", ROW - 1);
	if (width > 3 * GLYPH + 6) {
		put_literal(b, "<text x=\"");
		svg_put_decimal(b, x + 3);
		buf_printf(b, "\" y=\"%u\">", y + ROW - 4);
		svg_put_text(b, i ? frame_of(d, i)->name : "all", (size_t)((width - 6) / GLYPH));
		put_literal(b, "</text>");
	}
	put_literal(b, "</g>\n");
}

/* ---- the lines above ---- */

static void put_line(struct drawing *d, const char *class)
{
	d->top += LINE;
	buf_printf(d->b, "<text class=\"%s\" x=\"%u\" y=\"%u\">", class, MARGIN, d->top - 5);
}

static void put_heading(struct drawing *d)
{
	static const char *const which[] = {[GATHER_COUNT] = "count", [GATHER_SUM] = "sum"};
	const struct graph *g = d->g;
	struct buf *b = d->b;

	put_line(d, "heading");
	if (*g->function) {
		put_char(b, '@');
		svg_put_text(b, strcmp(g->name, "_") ? g->name : "", SIZE_MAX);
		buf_printf(b, " %s()", g->function);
	} else {
		put_literal(b, "recorded stacks");
	}
	if (g->has_sum)
		buf_printf(b, ": %s", which[d->which]);
	if (g->about && d->which == GATHER_SUM)
		put_literal(b, ", estimated: each value counts as the middle of its bucket");
	put_literal(b, "</text>\n");
}

static void put_notes(struct drawing *d)
{
	struct buf *b = d->b;

	if (d->omitted) {
		put_line(d, "note");
		buf_printf(b, "%" PRIu32 " of %" PRIu32, d->omitted, d->n - 1);
		put_literal(b, " frames are not drawn: they are narrower than 0.3 pixels</text>\n");
	}
	if (d->g->negative) {
		put_line(d, "note");
		buf_printf(b, "%" PRIu64 " below zero: not drawn</text>\n", d->g->negative);
	}
	if (d->diff && (d->scale < 1 || d->scale > 1)) {
		put_line(d, "note");
		put_literal(b, "the older numbers are multiplied by ");
		svg_put_decimal(b, d->scale);
		put_literal(b, " to the same whole</text>\n");
	}
}

static void put_legend(struct drawing *d)
{
	bool has[FRAME_KINDS] = {false};

	for (uint32_t i = 1; i < d->n; i++)
		if (drawn(d, i))
			has[frame_of(d, i)->kind] = true;
	d->top += LINE;
	svg_put_legend(d->b, MARGIN, d->top - 5, d->diff ? NULL : has);
}

/* ---- drawings ---- */

static void free_drawing(struct drawing *d)
{
	free(d->steps);
	free(d->width);
	free(d->left);
	free(d->parent);
}

/* Draws one graph below *TOP, in pixels, and moves it on. */
static int put_drawing(struct buf *b, const struct gather *all, const struct graph *g,
	unsigned which, unsigned *top)
{
	struct drawing d = {.b = b, .g = g, .which = which, .diff = all->old, .top = *top};
	int err = tree_walk(g->tree, &d.steps, &d.n);

	if (!err)
		err = measure(&d);
	if (!err) {
		place(&d);
		put_heading(&d);
		put_notes(&d);
		put_legend(&d);
		for (uint32_t i = 0; i < d.n; i++)
			if (drawn(&d, i))
				put_frame(&d, i);
		*top = d.top + (d.depth + 1) * ROW + LINE;
	}
	free_drawing(&d);
	return err;
}

int flamegraph_svg_put(struct buf *b, const struct gather *g)
{
	struct buf drawings = {0};
	unsigned top = MARGIN;
	int err = 0;

	for (uint32_t i = 0; i < g->graphs.len && !err; i++) {
		const struct graph *graph = g->graphs.data[i];

		if (!gather_graph_adds_up(graph))
			continue;
		err = put_drawing(&drawings, g, graph, GATHER_COUNT, &top);
		if (!err && graph->has_sum)
			err = put_drawing(&drawings, g, graph, GATHER_SUM, &top);
	}
	svg_put_start(b, "Flame graph", WIDTH + 2 * MARGIN, top, g->old);
	put_bytes(b, drawings.data, drawings.len);
	put_literal(b, "</svg>\n");
	b->failed |= drawings.failed;
	buf_free(&drawings);
	return err || b->failed ? -ENOMEM : 0;
}
