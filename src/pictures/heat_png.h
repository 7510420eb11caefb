/* SPDX-License-Identifier: Apache-2.0 */
/* heat_png: heat maps as a picture of pixels, one map below the other, coloured by rank. */
#ifndef PICTURES_HEAT_PNG_H
#define PICTURES_HEAT_PNG_H

struct buf;
struct heat_gather;

/* Appends the PNG file of the maps of G, after heat_gather_finish(): 0 or -ENOMEM. */
int heat_png_put(struct buf *b, const struct heat_gather *g);

#endif
