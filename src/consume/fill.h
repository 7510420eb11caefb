/* SPDX-License-Identifier: Apache-2.0 */
/* fill: the accounts that programs keep of their buffers' bytes with bufpolicy=fill. */
#ifndef CONSUME_FILL_H
#define CONSUME_FILL_H

#include <stdbool.h>

struct fill;

/* MAP_FD, of the map DT_MAP_FILL with NCPUS values, is borrowed.  NULL: no memory. */
struct fill *fill_new(int map_fd, int ncpus);
void fill_free(struct fill *f); /* NULL: nothing */

/* True if the buffer of a CPU had no room for a record. */
bool fill_is_full(struct fill *f);

/* Declare all buffers empty, so that END has room; 0 or a negative errno. */
int fill_reset(struct fill *f);

#endif
