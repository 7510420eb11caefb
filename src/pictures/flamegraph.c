// SPDX-License-Identifier: Apache-2.0
/* Draws flame graphs of all stacks that were aggregated or recorded, when the session has ended. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "dtrace/dtrace.h"
#include "formats/gather.h"
#include "formats/json.h"
#include "pictures/picture.h"
#include "formats/writer.h"
#include "formats/writers.h"

static const char no_stacks[] = "no aggregation has a stack in its key, and no stack is recorded";
static const char no_sums[] = "no aggregation with a stack in its key has values that add up";

struct flamegraph {
	struct stream s;
	struct gather gather;
	bool svg;
	struct writer_info info;
};

static int flamegraph_item(void *arg, const struct dtrace_record *r, const struct dtrace_item *i)
{
	struct flamegraph *f = arg;

	return gather_item(&f->gather, r, i);
}

static int flamegraph_end(void *arg, const struct dtrace_record *r)
{
	struct flamegraph *f = arg;

	return gather_end(&f->gather);
}

static int flamegraph_table(void *arg, const struct dtrace_table *t)
{
	struct flamegraph *f = arg;

	return gather_table(&f->gather, t);
}

static int older_table(void *arg, const struct dtrace_table *t)
{
	struct flamegraph *f = arg;

	gather_begin_old(&f->gather);
	return gather_table(&f->gather, t);
}

static int older_item(void *arg, const struct dtrace_record *r, const struct dtrace_item *i)
{
	struct flamegraph *f = arg;

	gather_begin_old(&f->gather);
	return gather_item(&f->gather, r, i);
}

static int older_finish(void *arg)
{
	struct flamegraph *f = arg;

	/* there is an older picture, even if it is empty */
	gather_begin_old(&f->gather);
	gather_end_old(&f->gather);
	return 0;
}

static int put_page(struct flamegraph *f)
{
	struct buf picture = {0};
	int err;

	put_literal(&picture, "{\"show\":\"flamegraph\",");
	picture_put_about(&picture, &f->info.about);
	err = picture_put_graphs(&picture, &f->gather);
	put_literal(&picture, "}");
	if (!err)
		page_put(&f->s.buf, PAGE_FILE, "Flame graph", &f->info.about, picture.data,
			picture.len);
	buf_free(&picture);
	return err;
}

/* Says which graphs are not drawn.  Returns how many are. */
static uint32_t tell(struct flamegraph *f)
{
	const struct gather *g = &f->gather;
	uint32_t n = 0;

	for (uint32_t i = 0; i < g->graphs.len; i++)
		n += gather_graph_adds_up(g->graphs.data[i]);
	for (uint32_t i = 0; i < g->graphs.len && n; i++) {
		const struct graph *graph = g->graphs.data[i];

		if (!gather_graph_adds_up(graph))
			writer_say(&f->info, "@%s is left out: values of %s() do not add up",
				strcmp(graph->name, "_") != 0 ? graph->name : "", graph->function);
	}
	return n;
}

static int flamegraph_finish(void *arg)
{
	struct flamegraph *f = arg;
	int err;

	if (!tell(f)) {
		*f->info.problem = f->gather.graphs.len ? no_sums : no_stacks;
		return -ENODATA;
	}
	err = f->svg ? flamegraph_svg_put(&f->s.buf, &f->gather) : put_page(f);
	return err ? err : stream_flush(&f->s);
}

static void flamegraph_release(void *arg)
{
	struct flamegraph *f = arg;

	gather_fini(&f->gather);
	buf_free(&f->s.buf);
	free(f);
}

int flamegraph_open(FILE *out, const struct writer_info *info, struct writer *w)
{
	struct flamegraph *f;

	if (info->no_stacks) {
		*info->problem = no_stacks;
		return -ENODATA;
	}
	f = calloc(1, sizeof(*f));
	if (!f)
		return -ENOMEM;
	f->info = *info;
	f->s.out = out;
	f->svg = !strcmp(info->ending, "svg");
	*w = (struct writer){
		.consumer =
			{
				.arg = f,
				.item = flamegraph_item,
				.end = flamegraph_end,
				.table = flamegraph_table,
				.finish = flamegraph_finish,
			},
		.older =
			{
				.arg = f,
				.item = older_item,
				.end = flamegraph_end,
				.table = older_table,
				.finish = older_finish,
			},
		.release = flamegraph_release,
	};
	return 0;
}
