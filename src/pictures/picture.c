// SPDX-License-Identifier: Apache-2.0
/* Writes what pictures show as JSON for the viewer. */
#include "pictures/picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/strmap.h"
#include "formats/gather.h"
#include "formats/json.h"
#include "formats/writer.h"
#include "formats/stack_tree.h"

void picture_put_number(struct buf *b, uint64_t n)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (; n > 31; n >>= 5)
		put_char(b, digits[32 | (n & 31)]);
	put_char(b, digits[n]);
}

/* '<' would end the element that the text is in, or begin a comment. */
static bool escaped(struct buf *b, unsigned char c)
{
	if (c >= ' ' && c != '<' && c != '>' && c != '&' && c != '"' && c != '\\')
		return false;
	put_literal(b, "\\u00");
	json_put_hex(b, &c, 1);
	return true;
}

void picture_put_text(struct buf *b, const char *text)
{
	put_char(b, '"');
	json_put_utf8(b, text, strlen(text), escaped);
	put_char(b, '"');
}

/* ---- what it is about ---- */

#define TEXT_MAX 2000 /* of a program: a title need not have all of it */

static void put_member(struct buf *b, const char *name, const char *text)
{
	char cut[TEXT_MAX + sizeof("...")];
	size_t len = text ? strlen(text) : 0;

	if (!len)
		return;
	if (len > TEXT_MAX)
		snprintf(cut, sizeof(cut), "%.*s...", TEXT_MAX, text);
	buf_printf(b, "\"%s\":", name);
	picture_put_text(b, len > TEXT_MAX ? cut : text);
	put_char(b, ',');
}

void picture_put_about(struct buf *b, const struct writer_about *about)
{
	put_literal(b, "\"about\":{");
	put_member(b, "program", about->program);
	put_member(b, "command", about->command);
	put_member(b, "host", about->host);
	put_member(b, "saved", about->saved);
	put_literal(b, "\"time\":");
	json_put_unsigned(b, about->time);
	put_literal(b, "},");
}

/* ---- graphs ---- */

/* Strings, each once. */
struct words {
	struct arena *arena;
	struct strmap numbers; /* number + 1, as a pointer */
	struct buf list;
};

static uint64_t word_number(struct words *w, const char *text)
{
	uintptr_t n = (uintptr_t)strmap_get(&w->numbers, text);

	if (n)
		return n - 1;
	n = w->numbers.entries.len + 1ul;
	strmap_put(w->arena, &w->numbers, text, (void *)n);
	if (w->list.len)
		put_char(&w->list, ',');
	picture_put_text(&w->list, text);
	return n - 1;
}

struct writing {
	struct arena *arena;
	struct words names, objects, files;
	struct buf frames, graphs;
	uint32_t nframes;
};

/* Returns the number of frame F of T in the picture, whose graphs share their frames. */
static uint32_t frame_number(struct writing *w, const struct tree *t, uint32_t f, uint32_t *numbers)
{
	const struct tree_frame *frame = tree_frame_at(t, f);

	if (numbers[f])
		return numbers[f] - 1;
	picture_put_number(&w->frames, word_number(&w->names, frame->name));
	picture_put_number(&w->frames, word_number(&w->objects, frame->object));
	picture_put_number(&w->frames, word_number(&w->files, frame->file));
	picture_put_number(&w->frames, frame->line);
	picture_put_number(&w->frames, frame->kind);
	numbers[f] = ++w->nframes;
	return numbers[f] - 1;
}

static unsigned list_values(struct buf *b, const struct graph *g, bool old, unsigned *which)
{
	static const char *const texts[TREE_VALUES] = {
		"\"count\"", "\"sum\"", "\"old count\"", "\"old sum\""};
	unsigned n = 0;

	which[n++] = GATHER_COUNT;
	if (g->has_sum)
		which[n++] = GATHER_SUM;
	for (unsigned i = n; old && i--;)
		which[n++] = GATHER_OLD + GATHER_COUNT;
	if (old && g->has_sum)
		which[n - 1] = GATHER_OLD + GATHER_SUM;
	for (unsigned i = 0; i < n; i++) {
		if (i)
			put_char(b, ',');
		buf_puts(b, texts[which[i]]);
	}
	return n;
}

static int put_nodes(
	struct writing *w, const struct graph *g, const unsigned *which, unsigned nvalues)
{
	uint32_t *numbers = calloc(tree_frames(g->tree) + 1ul, sizeof(*numbers));
	struct tree_step *steps = NULL;
	uint32_t n = 0, depth = 0;
	int err;

	arena_own(w->arena, free, numbers);
	err = numbers ? tree_walk(g->tree, &steps, &n) : -ENOMEM;
	arena_own(w->arena, free, steps);
	for (uint32_t i = 1; i < n && !err; i++) {
		const struct tree_step *s = &steps[i];

		picture_put_number(&w->graphs, depth + 1 - s->depth);
		picture_put_number(&w->graphs,
			frame_number(w, g->tree, tree_node_at(g->tree, s->node).frame, numbers));
		for (unsigned k = 0; k < nvalues; k++)
			picture_put_number(&w->graphs, s->self[which[k]]);
		depth = s->depth;
	}
	arena_release(w->arena, steps);
	arena_release(w->arena, numbers);
	return err;
}

static int put_graph(struct writing *w, const struct graph *g, bool old)
{
	struct buf *b = &w->graphs;
	unsigned which[TREE_VALUES], n;
	int err;

	put_literal(b, "{\"name\":");
	picture_put_text(b, g->name);
	put_literal(b, ",\"function\":");
	picture_put_text(b, g->function);
	put_literal(b, ",\"values\":[");
	n = list_values(b, g, old, which);
	put_literal(b, "],\"about\":");
	buf_puts(b, g->about ? "true" : "false");
	put_literal(b, ",\"negative\":");
	json_put_unsigned(b, g->negative);
	put_literal(b, ",\"nodes\":\"");
	err = put_nodes(w, g, which, n);
	put_literal(b, "\"}");
	return err;
}

static void put_words(struct buf *b, const char *name, const struct words *w)
{
	buf_printf(b, "\"%s\":[", name);
	put_bytes(b, w->list.data, w->list.len);
	put_literal(b, "],");
	b->failed |= w->list.failed;
}

static int put_members(struct buf *b, struct writing *w, const struct gather *g)
{
	int err = 0;

	for (uint32_t i = 0; i < g->graphs.len && !err; i++) {
		if (!gather_graph_adds_up(g->graphs.data[i]))
			continue;
		if (w->graphs.len)
			put_char(&w->graphs, ',');
		err = put_graph(w, g->graphs.data[i], g->has_old);
	}
	put_literal(b, "\"frames\":{");
	put_words(b, "names", &w->names);
	put_words(b, "objects", &w->objects);
	put_words(b, "files", &w->files);
	put_literal(b, "\"list\":\"");
	put_bytes(b, w->frames.data, w->frames.len);
	put_literal(b, "\"},\"graphs\":[");
	put_bytes(b, w->graphs.data, w->graphs.len);
	put_literal(b, "]");
	return err || b->failed || w->frames.failed || w->graphs.failed ? -ENOMEM : 0;
}

/* A function of its own: the caller frees what W refers to, however this ends (setjmp(3)). */
static int try_members(struct buf *b, struct writing *w, const struct gather *g)
{
	return ARENA_TRY(w->arena, put_members(b, w, g), -ENOMEM);
}

int picture_put_graphs(struct buf *b, const struct gather *g)
{
	struct arena *arena = arena_new();
	struct writing w = {
		.arena = arena, .names.arena = arena, .objects.arena = arena, .files.arena = arena};
	int err = arena ? try_members(b, &w, g) : -ENOMEM;

	buf_free(&w.names.list);
	buf_free(&w.objects.list);
	buf_free(&w.files.list);
	buf_free(&w.frames);
	buf_free(&w.graphs);
	arena_free(arena);
	return err;
}
