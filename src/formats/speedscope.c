// SPDX-License-Identifier: Apache-2.0
/*
 * Writes all stacks that were aggregated or recorded for speedscope.app, when the session has
 * ended: a file of its own format, with one sampled profile for each number of each aggregation.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/heapvec.h"
#include "dtrace/dtrace.h"
#include "formats/gather.h"
#include "formats/json.h"
#include "formats/writer.h"
#include "formats/writers.h"
#include "formats/stack_tree.h"

static const char no_stacks[] = "no aggregation has a stack in its key, and no stack is recorded";

struct speedscope {
	struct stream s;
	struct gather gather;
	struct writer_info info;
};

/* The profiles under way. */
struct writing {
	struct tree *frames; /* of all profiles, which share their numbers; it has no nodes */
	struct buf profiles, samples, weights;
	HEAPVEC(uint32_t) path; /* frames, outermost first */
};

/* Writes the frames from the outermost one to that of STEP, whose parents came before it. */
static int put_stack(struct writing *w, const struct tree *t, const struct tree_step *step)
{
	if (step->depth) {
		uint32_t frame =
			tree_frame(w->frames, tree_frame_at(t, tree_node_at(t, step->node).frame));
		int err = heapvec_extend(&w->path, step->depth);

		if (err || frame == TREE_NONE)
			return -ENOMEM;
		w->path.data[step->depth - 1] = frame;
	}
	return 0;
}

static void put_sample(struct writing *w, const struct tree_step *step, unsigned value)
{
	if (!step->self[value])
		return;
	if (w->samples.len) {
		put_char(&w->samples, ',');
		put_char(&w->weights, ',');
	}
	put_char(&w->samples, '[');
	for (uint32_t i = 0; i < step->depth; i++) {
		if (i)
			put_char(&w->samples, ',');
		json_put_unsigned(&w->samples, w->path.data[i]);
	}
	put_char(&w->samples, ']');
	json_put_unsigned(&w->weights, step->self[value]);
}

/* Gathers the samples of VALUE; *TOTAL is their sum. */
static int put_samples(struct writing *w, const struct graph *g, unsigned value, uint64_t *total)
{
	struct tree_step *steps = NULL;
	uint32_t n = 0;
	int err = tree_walk(g->tree, &steps, &n);

	w->samples.len = w->weights.len = 0;
	*total = n ? steps[0].total[value] : 0;
	for (uint32_t i = 0; i < n && !err; i++) {
		err = put_stack(w, g->tree, &steps[i]);
		if (!err)
			put_sample(w, &steps[i], value);
	}
	free(steps);
	return err;
}

static void put_title(struct buf *b, const struct graph *g, unsigned value)
{
	struct buf name = {0};

	if (*g->function)
		buf_printf(&name, "@%s %s%s", strcmp(g->name, "_") != 0 ? g->name : "", g->function,
			value == GATHER_SUM  ? ", sum of values"
				: g->has_sum ? ", number of values"
					     : "");
	else
		buf_puts(&name, "stacks");
	b->failed |= name.failed;
	json_put_string(b, name.data ? name.data : "", name.len);
	buf_free(&name);
}

static int put_profile(struct writing *w, const struct graph *g, unsigned value)
{
	struct buf *b = &w->profiles;
	uint64_t total;
	int err = put_samples(w, g, value, &total);

	if (err)
		return err;
	if (b->len)
		put_char(b, ',');
	put_literal(b, "\n{\"type\":\"sampled\",\"name\":");
	put_title(b, g, value);
	put_literal(b, ",\"unit\":\"none\",\"startValue\":0,\"endValue\":");
	json_put_unsigned(b, total);
	put_literal(b, ",\"samples\":[");
	put_bytes(b, w->samples.data, w->samples.len);
	put_literal(b, "],\"weights\":[");
	put_bytes(b, w->weights.data, w->weights.len);
	put_literal(b, "]}");
	return w->samples.failed || w->weights.failed || b->failed ? -ENOMEM : 0;
}

static int put_graph(struct writing *w, const struct graph *g, const struct writer_info *info)
{
	const char *name = strcmp(g->name, "_") != 0 ? g->name : "";
	int err;

	if (!gather_graph_adds_up(g)) {
		writer_say(
			info, "@%s is left out: values of %s() do not add up", name, g->function);
		return 0;
	}
	if (g->negative)
		writer_say(info, "@%s: sums below zero are left out: %llu", name,
			(unsigned long long)g->negative);
	err = put_profile(w, g, GATHER_COUNT);
	return !err && g->has_sum ? put_profile(w, g, GATHER_SUM) : err;
}

static void put_frames(struct buf *b, const struct tree *t)
{
	for (uint32_t i = 0; i < tree_frames(t); i++) {
		const struct tree_frame *f = tree_frame_at(t, i);
		const char *file = *f->file ? f->file : f->object;

		if (i)
			put_char(b, ',');
		put_literal(b, "\n{\"name\":");
		json_put_text(b, f->name);
		if (*file) {
			put_literal(b, ",\"file\":");
			json_put_text(b, file);
		}
		if (f->line) {
			put_literal(b, ",\"line\":");
			json_put_unsigned(b, f->line);
		}
		put_char(b, '}');
	}
}

static int put_file(struct speedscope *s, struct writing *w)
{
	struct buf *b = &s->s.buf;
	int err = 0;

	for (uint32_t i = 0; i < s->gather.graphs.len && !err; i++)
		err = put_graph(w, s->gather.graphs.data[i], &s->info);
	if (err)
		return err;
	if (!w->profiles.len) {
		*s->info.problem = s->gather.graphs.len
			? "no aggregation with a stack in its key has values that add up"
			: no_stacks;
		return -ENODATA;
	}
	put_literal(b, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",");
	put_literal(b, "\"exporter\":\"dtrace ");
	buf_puts(b, s->info.version);
	put_literal(b, "\",\"activeProfileIndex\":0,\"shared\":{\"frames\":[");
	put_frames(b, w->frames);
	put_literal(b, "]},\"profiles\":[");
	put_bytes(b, w->profiles.data, w->profiles.len);
	put_literal(b, "]}\n");
	return stream_flush(&s->s);
}

static int speedscope_finish(void *arg)
{
	struct speedscope *s = arg;
	struct writing w = {.frames = tree_new()};
	int err = w.frames ? put_file(s, &w) : -ENOMEM;

	tree_free(w.frames);
	buf_free(&w.profiles);
	buf_free(&w.samples);
	buf_free(&w.weights);
	heapvec_free(&w.path);
	return err;
}

static int speedscope_item(void *arg, const struct dtrace_record *r, const struct dtrace_item *i)
{
	struct speedscope *s = arg;

	return gather_item(&s->gather, r, i);
}

static int speedscope_end(void *arg, const struct dtrace_record *r)
{
	struct speedscope *s = arg;

	return gather_end(&s->gather);
}

static int speedscope_table(void *arg, const struct dtrace_table *t)
{
	struct speedscope *s = arg;

	return gather_table(&s->gather, t);
}

static void speedscope_release(void *arg)
{
	struct speedscope *s = arg;

	gather_fini(&s->gather);
	buf_free(&s->s.buf);
	free(s);
}

int speedscope_open(FILE *out, const struct writer_info *info, struct writer *w)
{
	struct speedscope *s;

	if (info->no_stacks) {
		*info->problem = no_stacks;
		return -ENODATA;
	}
	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	s->s.out = out;
	s->info = *info;
	*w = (struct writer){
		.consumer =
			{
				.arg = s,
				.item = speedscope_item,
				.end = speedscope_end,
				.table = speedscope_table,
				.finish = speedscope_finish,
			},
		.release = speedscope_release,
	};
	return 0;
}
