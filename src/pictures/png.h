/* SPDX-License-Identifier: Apache-2.0 */
/*
 * png: pictures made of pixels, and their files (ISO/IEC 15948).
 *
 * What lies outside of a picture is left out.  png_fini() frees the pixels.
 */
#ifndef PICTURES_PNG_H
#define PICTURES_PNG_H

#include <stdint.h>

struct buf;

struct png_colour {
	uint8_t red, green, blue;
};

struct png {
	uint32_t width, height;
	struct png_colour *pixels; /* rows from the top */
};

/* Makes a picture of one colour: 0 or -ENOMEM. */
int png_init(struct png *p, uint32_t width, uint32_t height, struct png_colour colour);
void png_fini(struct png *p);

/* Fills the pixels from (LEFT, TOP) to before (RIGHT, BOTTOM). */
void png_fill(struct png *p, int64_t left, int64_t top, int64_t right, int64_t bottom,
	struct png_colour colour);

#define PNG_CHAR_WIDTH	6 /* with the gap after it */
#define PNG_CHAR_HEIGHT 7

/*
 * Writes TEXT with its upper left corner at (LEFT, TOP).  The letters have one case, but for
 * "k", "m" and "s"; a character that has no glyph is a blank.
 */
void png_text(struct png *p, int64_t left, int64_t top, const char *text, struct png_colour colour);

/* Appends the file of P: 0 or -ENOMEM. */
int png_put(struct buf *b, const struct png *p);

#endif
