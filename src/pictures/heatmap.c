// SPDX-License-Identifier: Apache-2.0
/* Draws heat maps of all distributions, and of counts by time, when the session has ended. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "dtrace/dtrace.h"
#include "pictures/heat_gather.h"
#include "pictures/heat_page.h"
#include "pictures/heat_png.h"
#include "formats/json.h"
#include "pictures/picture.h"
#include "formats/writer.h"
#include "formats/writers.h"

struct heatmap {
	struct stream s;
	struct heat_gather gather;
	bool png;
	struct writer_about about;
	const char **problem;
};

static int heatmap_item(void *arg, const struct dtrace_record *r, const struct dtrace_item *i)
{
	struct heatmap *h = arg;

	return heat_gather_item(&h->gather, r, i);
}

static int heatmap_table(void *arg, const struct dtrace_table *t)
{
	struct heatmap *h = arg;

	return heat_gather_table(&h->gather, t);
}

static int heatmap_snapshot(void *arg, uint64_t time, const struct dtrace_table *t)
{
	struct heatmap *h = arg;

	return heat_gather_snapshot(&h->gather, time, t);
}

static int put_page(struct heatmap *h)
{
	struct buf picture = {0};
	int err;

	put_literal(&picture, "{\"show\":\"heatmap\",");
	picture_put_about(&picture, &h->about);
	err = heat_page_put(&picture, &h->gather);
	put_literal(&picture, "}");
	if (!err)
		page_put(&h->s.buf, PAGE_FILE, "Heat map", &h->about, picture.data, picture.len);
	buf_free(&picture);
	return err;
}

static int heatmap_finish(void *arg)
{
	struct heatmap *h = arg;
	int err = heat_gather_finish(&h->gather);

	if (err == -ENODATA)
		*h->problem = "no value was aggregated";
	if (!err)
		err = h->png ? heat_png_put(&h->s.buf, &h->gather) : put_page(h);
	return err ? err : stream_flush(&h->s);
}

static void heatmap_release(void *arg)
{
	struct heatmap *h = arg;

	heat_gather_fini(&h->gather);
	buf_free(&h->s.buf);
	free(h);
}

int heatmap_open(FILE *out, const struct writer_info *info, struct writer *w)
{
	struct heatmap *h;

	if (info->no_distributions && info->no_times) {
		*info->problem =
			"no aggregation is a distribution, and no count() or sum() has a walltime_t in its key";
		return -ENODATA;
	}
	h = calloc(1, sizeof(*h));
	if (!h)
		return -ENOMEM;
	h->about = info->about;
	h->problem = info->problem;
	h->s.out = out;
	h->png = h->gather.no_stacks = !strcmp(info->ending, "png");
	heat_gather_begin(&h->gather);
	*w = (struct writer){
		.consumer =
			{
				.arg = h,
				.want_time = true,
				.item = heatmap_item,
				.table = heatmap_table,
				.snapshot_interval = info->interval,
				.snapshot = heatmap_snapshot,
				.finish = heatmap_finish,
			},
		.release = heatmap_release,
	};
	return 0;
}
