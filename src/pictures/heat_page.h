/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heat_page: the data of heat maps, as JSON for the viewer (viz/heat_data.js).
 *
 *	{"name":"a","function":"quantize","shows":"printed","negative":0,
 *	 "start":"1795375592805982697","columns":"...","rows":[["0","0"],["1","1"], ...],
 *	 "keys":[["bash","1"], ...],"series":"...","cells":"...","graph":0}
 *
 * Lists of numbers are as in picture.h.  "columns": for each column, ascending, the ns between the
 * end of the one before and its start, and its width; the first one begins at "start", ns since
 * 1970.  "rows": the least and the largest value of each.  "keys": combinations of keys, without
 * times and stacks.  "series": for each the number of its keys, and 0 or the number of its stack's
 * node, from 1, in "nodes" of graph number "graph".  "cells": for each column that has some, how
 * many columns it is after the one before, the number of its cells, and for each the row, the
 * series and the count.
 *
 * "stacks" has the same of other aggregations with stacks, which are not drawn: of one row each.
 */
#ifndef PICTURES_HEAT_PAGE_H
#define PICTURES_HEAT_PAGE_H

struct buf;
struct heat;
struct heat_gather;

/*
 * Appends the members "heatmaps", "stacks", "frames" and "graphs" for G, after
 * heat_gather_finish(), without braces around them.  0 or -ENOMEM.
 */
int heat_page_put(struct buf *b, const struct heat_gather *g);

/* Appends the members "start", "columns", "rows" and "cells" of one map. */
void heat_page_put_cells(struct buf *b, const struct heat *h);

#endif
