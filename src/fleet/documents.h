/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fleet_page: what the page of a fleet gets, as JSON, from what ClickHouse answered (viz/fleet.js).
 *
 * Maps and graphs are as in heat_page.h and picture.h.  Texts of rows are data: they are escaped as
 * all texts of pictures are.
 */
#ifndef FLEET_DOCUMENTS_H
#define FLEET_DOCUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/rectab.h"

/* Append the document that says why there is no other one. */
void fleet_put_problem(struct buf *b, const char *text);

/*
 * Append {"aggregations":[{"prog":"io","agg":"lat","function":"quantize","keys":2,"stack":false,
 * "types":"string, stack","hosts":3,"last":1795375592}, ...]} from rows of ASK_LIST.
 */
void fleet_put_list(struct buf *b, char *rows, size_t len);

/* Append "parts":[[["web1",7],...],...] from rows of ASK_CELLS: the hosts, and those of each key.
 */
void fleet_put_parts(struct buf *b, char *rows, size_t len);

/* ---- heat maps ---- */

struct fleet_map {
	const char *agg, *function;
	uint32_t width; /* of a column, in seconds */
	bool grouped;
	const char *groups; /* rows of ASK_TOP, their first column is a text */
	size_t groups_len;
};

/*
 * Append "values":[...], the texts of the groups, and "heatmaps", "stacks", "frames" and "graphs"
 * from rows of ASK_HEAT or ASK_HEAT_BY.  0 or -ENOMEM.  Without cells there is no map.
 */
int fleet_put_map(struct buf *b, const struct fleet_map *m, char *rows, size_t len);

/* ---- flame graphs ---- */

/* Stacks and their frames, as they come; fleet_flame_fini() frees it. */
struct fleet_flame {
	struct rectab stacks, frames; /* by hash */
	struct buf lists;	      /* rows of ASK_FRAMES */
	uint64_t negative;
	bool cut; /* there are more stacks than are asked for */
};

void fleet_flame_init(struct fleet_flame *f);
void fleet_flame_fini(struct fleet_flame *f);

/* Add rows of ASK_STACKS, of the OLD side or the new one.  0 or -ENOMEM. */
int fleet_flame_stacks(struct fleet_flame *f, char *rows, size_t len, bool old);

/* Add rows of ASK_FRAMES.  0 or -ENOMEM. */
int fleet_flame_frames(struct fleet_flame *f, const char *rows, size_t len);

/* Append the hashes of all stacks, or of all frames, as rows. */
void fleet_flame_put_wanted(const struct fleet_flame *f, bool frames, struct buf *b);

/*
 * Append "stacks":N,"cut":false, "frames" and "graphs" with the texts of ASK_TEXTS.  COMPARED:
 * there is an old side.  0 or -ENOMEM.
 */
int fleet_flame_put(struct fleet_flame *f, struct buf *b, const char *agg, bool compared,
	char *rows, size_t len);

#endif
