/* SPDX-License-Identifier: Apache-2.0 */
/*
 * svg: the parts of SVG pictures that need no knowledge of what they show: text, numbers, colours.
 *
 * The style sheet has a class for each colour of view/palette.def, for light and dark pages.
 */
#ifndef PICTURES_SVG_H
#define PICTURES_SVG_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/stack_tree.h"

struct buf;

/*
 * Begins a picture of WIDTH and HEIGHT pixels, up to its first element; "</svg>" ends it.  TITLE is
 * plain text.  DIFF: with the classes of svg_put_growth_class().
 */
void svg_put_start(struct buf *b, const char *title, unsigned width, unsigned height, bool diff);

/*
 * Puts text of any bytes, at most CELLS wide, an ellipsis included (SIZE_MAX: all of it); a
 * character of East Asia has two cells.  Control characters and bytes that are not UTF-8 are \xNN,
 * as in the viewer.
 */
void svg_put_text(struct buf *b, const char *text, size_t cells);

/* Puts N, which is not below zero, with at most two decimals. */
void svg_put_decimal(struct buf *b, double n);

const char *svg_kind_class(enum frame_kind kind);

/* STEP: -10, all is gone, to 10, all is new. */
void svg_put_growth_class(struct buf *b, int step);

/* Puts samples of the kinds that HAS names, or of growth if it is NULL; Y is the text's base. */
void svg_put_legend(struct buf *b, unsigned x, unsigned y, const bool *has);

#endif
