// SPDX-License-Identifier: Apache-2.0
/* Makes flame graphs of the stacks of a fleet. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/heapvec.h"
#include "base/rectab.h"
#include "fleet/rows.h"
#include "fleet/documents.h"
#include "formats/gather.h"
#include "pictures/picture.h"
#include "formats/stack_tree.h"

#define MOST_STACKS 20000u /* LIMIT of ASK_STACKS */

struct sums {
	uint64_t n[2]; /* now, and of the old side */
	uint64_t seen; /* its frames are known */
};

/* Of a frame: its number in the tree, from 1; 0: its text has not come. */
struct known {
	uint64_t frame;
};

void fleet_flame_init(struct fleet_flame *f)
{
	memset(f, 0, sizeof(*f));
	rectab_init(&f->stacks, sizeof(uint64_t), sizeof(struct sums));
	rectab_init(&f->frames, sizeof(uint64_t), sizeof(struct known));
}

void fleet_flame_fini(struct fleet_flame *f)
{
	rectab_fini(&f->stacks);
	rectab_fini(&f->frames);
	buf_free(&f->lists);
}

int fleet_flame_stacks(struct fleet_flame *f, char *rows, size_t len, bool old)
{
	char *at = rows, *end = rows + len;
	struct rows_row row;
	uint32_t n = 0;

	for (; rows_next(&at, end, &row); n++) {
		uint64_t hash = rows_unsigned(&row, 0);
		int64_t value = rows_signed(&row, 1), i;

		if (value <= 0) {
			f->negative++;
			continue;
		}
		i = rectab_put(&f->stacks, &hash);
		if (i < 0)
			return -ENOMEM;
		((struct sums *)rectab_rec(&f->stacks, (uint32_t)i))->n[old] = (uint64_t)value;
	}
	f->cut |= n >= MOST_STACKS;
	return 0;
}

/* Returns the next hash of a list of numbers with commas; 0: there is none. */
static uint64_t next_hash(const char **at)
{
	uint64_t hash;
	char *end;

	if (!**at)
		return 0;
	hash = strtoull(*at, &end, 10);
	*at = end + (*end == ',');
	return hash;
}

int fleet_flame_frames(struct fleet_flame *f, const char *rows, size_t len)
{
	struct buf copy = {0};
	struct rows_row row;
	int err = 0;
	char *at;

	buf_put(&f->lists, rows, len);
	buf_put(&copy, rows, len);
	at = copy.data;
	while (!err && !copy.failed && rows_next(&at, copy.data + copy.len, &row)) {
		const char *list = row.n > 1 ? row.text[1] : "";
		uint64_t hash;

		while ((hash = next_hash(&list)) && !err)
			err = rectab_put(&f->frames, &hash) < 0 ? -ENOMEM : 0;
	}
	err = copy.failed || f->lists.failed ? -ENOMEM : err;
	buf_free(&copy);
	return err;
}

void fleet_flame_put_wanted(const struct fleet_flame *f, bool frames, struct buf *b)
{
	const struct rectab *t = frames ? &f->frames : &f->stacks;

	for (uint32_t i = 0; i < t->n; i++) {
		uint64_t hash;

		memcpy(&hash, rectab_key(t, i), sizeof(hash));
		buf_printf(b, "%" PRIu64 "\n", hash);
	}
}

/* ---- the tree ---- */

/* What a frame is part of: all that is known of it is the text "object`function". */
static enum frame_kind kind_of(const char *object)
{
	if (!strcmp(object, "vmlinux"))
		return FRAME_KERNEL;
	return strstr(object, ".so") ? FRAME_LIBRARY : FRAME_PROGRAM;
}

/* Returns the number of the frame with this text, TREE_NONE without memory. */
static uint32_t add_frame(struct tree *t, char *text)
{
	char *tick = strchr(text, '`');
	struct tree_frame frame = {.name = text, .object = "", .file = "", .kind = FRAME_UNKNOWN};

	if (tick && tick > text && tick[1]) {
		*tick = '\0';
		frame.object = text;
		frame.name = tick + 1;
		frame.kind = kind_of(text);
	}
	return tree_frame(t, &frame);
}

static int take_texts(struct fleet_flame *f, struct tree *t, char *rows, size_t len)
{
	char *at = rows, *end = rows + len;
	struct rows_row row;

	while (rows_next(&at, end, &row)) {
		uint64_t hash = rows_unsigned(&row, 0);
		int64_t i = rectab_find(&f->frames, &hash);
		uint32_t frame;

		if (i < 0 || row.n < 2)
			continue;
		for (size_t k = 0; k < row.len[1]; k++)
			if (!row.text[1][k])
				row.text[1][k] = ' ';
		frame = add_frame(t, row.text[1]);
		if (frame == TREE_NONE)
			return -ENOMEM;
		((struct known *)rectab_rec(&f->frames, (uint32_t)i))->frame = frame + 1ul;
	}
	return 0;
}

static uint32_t frame_of(const struct fleet_flame *f, struct tree *t, uint64_t hash)
{
	int64_t i = rectab_find(&f->frames, &hash);
	const struct known *k = i < 0 ? NULL : rectab_rec(&f->frames, (uint32_t)i);
	char unknown[] = "[frame without a row]";

	return k && k->frame ? (uint32_t)(k->frame - 1) : add_frame(t, unknown);
}

/* Adds the numbers of a stack to the node of its innermost frame, HASHES[0]. */
static int add_stack(struct fleet_flame *f, struct tree *t, const uint64_t *hashes, uint32_t n,
	const struct sums *s)
{
	char none[] = "[no stack]";
	uint32_t node = TREE_ROOT, frame;

	if (!n) {
		frame = add_frame(t, none);
		node = frame == TREE_NONE ? TREE_NONE : tree_child(t, node, frame);
	}
	for (; n && node != TREE_NONE; n--) {
		frame = frame_of(f, t, hashes[n - 1]);
		node = frame == TREE_NONE ? TREE_NONE : tree_child(t, node, frame);
	}
	if (node == TREE_NONE)
		return -ENOMEM;
	tree_add(t, node, GATHER_COUNT, s->n[0]);
	tree_add(t, node, GATHER_OLD + GATHER_COUNT, s->n[1]);
	return 0;
}

static int add_listed(struct fleet_flame *f, struct tree *t)
{
	HEAPVEC(uint64_t) hashes = {0};
	char *at = f->lists.data, *end = at + f->lists.len;
	struct rows_row row;
	int err = 0;

	while (!err && rows_next(&at, end, &row)) {
		uint64_t hash = rows_unsigned(&row, 0);
		int64_t i = rectab_find(&f->stacks, &hash);
		const char *list = row.n > 1 ? row.text[1] : "";
		struct sums *s;

		if (i < 0)
			continue;
		s = rectab_rec(&f->stacks, (uint32_t)i);
		hashes.len = 0;
		while (!err && (hash = next_hash(&list)))
			err = heapvec_push(&hashes, hash);
		if (!err && !s->seen)
			err = add_stack(f, t, hashes.data, hashes.len, s);
		s->seen = true;
	}
	heapvec_free(&hashes);
	return err;
}

/* Stacks whose description was lost, or is not there yet, still count. */
static int add_others(struct fleet_flame *f, struct tree *t)
{
	char text[] = "[stack without frames]";
	uint32_t node = TREE_NONE;

	for (uint32_t i = 0; i < f->stacks.n; i++) {
		const struct sums *s = rectab_rec(&f->stacks, i);

		if (s->seen)
			continue;
		if (node == TREE_NONE) {
			uint32_t frame = add_frame(t, text);

			node = frame == TREE_NONE ? TREE_NONE : tree_child(t, TREE_ROOT, frame);
		}
		if (node == TREE_NONE)
			return -ENOMEM;
		tree_add(t, node, GATHER_COUNT, s->n[0]);
		tree_add(t, node, GATHER_OLD + GATHER_COUNT, s->n[1]);
	}
	return 0;
}

int fleet_flame_put(struct fleet_flame *f, struct buf *b, const char *agg, bool compared,
	char *rows, size_t len)
{
	struct gather g = {.has_old = compared};
	struct graph *graph = gather_graph(&g, agg, "count", NULL, 0);
	int err = graph ? take_texts(f, graph->tree, rows, len) : -ENOMEM;

	if (!err)
		err = add_listed(f, graph->tree);
	if (!err)
		err = add_others(f, graph->tree);
	buf_printf(b, "\"stacks\":%" PRIu32 ",\"cut\":%s,", f->stacks.n, f->cut ? "true" : "false");
	if (!err) {
		graph->negative = f->negative;
		err = picture_put_graphs(b, &g);
	}
	gather_fini(&g);
	return err ? err : b->failed ? -ENOMEM : 0;
}
