// SPDX-License-Identifier: Apache-2.0
/* Plans the questions of a request, and makes the document of their answers. */
#include "fleet/job.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/vec.h"
#include "fleet/rows.h"
#include "formats/json.h"

#define MOST_CELLS   100000u
#define MOST_COLUMNS 1440u
#define DAY	     86400u
#define SLACK	     60u /* seconds that a question is under way */
#define MOST_ROWS \
	2000000u  /* that are read if there are coarser ones: FINAL reads 2,000,000 a second */
#define GROUPS 7u /* ASK_TOP's, and all others */

static void add_step(struct fleet_job *j, enum ask_question question, bool old, bool through)
{
	j->steps[j->nsteps++] = (struct job_step){question, old, through};
}

static bool names_hosts(const struct request_side *side)
{
	vec_for (f, &side->filters)
		if (!f->part)
			return true;
	return false;
}

static void plan_flame(struct fleet_job *j)
{
	const struct request *r = &j->request;
	enum ask_question sizes = r->numbers ? ASK_SIZES_NUMBERS : ASK_SIZES_DISTRIBUTIONS;
	enum ask_question stacks = r->through ? ASK_STACKS_OF_HOSTS : ASK_STACKS;

	if (r->through) {
		add_step(j, ASK_SIZES_DISTRIBUTIONS, false, true);
		add_step(j, ASK_HOSTS, false, true);
	}
	add_step(j, sizes, false, false);
	add_step(j, stacks, false, false);
	if (r->has_old) {
		add_step(j, sizes, true, false);
		/* hosts that are named are others than those of the cells */
		add_step(j, names_hosts(&r->old) ? ASK_STACKS : stacks, true, false);
	}
	add_step(j, ASK_FRAMES, false, false);
	add_step(j, ASK_TEXTS, false, false);
}

static void plan(struct fleet_job *j)
{
	const struct request *r = &j->request;

	switch (r->what) {
	case REQUEST_LIST:
		add_step(j, ASK_LIST, false, false);
		return;
	case REQUEST_HEAT:
		add_step(j, ASK_SIZES_DISTRIBUTIONS, false, false);
		if (r->by != REQUEST_NONE)
			add_step(j, ASK_TOP, false, false);
		add_step(j, r->by == REQUEST_NONE ? ASK_HEAT : ASK_HEAT_BY, false, false);
		return;
	case REQUEST_CELLS:
		add_step(j, r->numbers ? ASK_SIZES_NUMBERS : ASK_SIZES_DISTRIBUTIONS, false, false);
		add_step(j, ASK_CELLS, false, false);
		return;
	case REQUEST_FLAME:
		plan_flame(j);
	}
}

int fleet_job_begin(struct fleet_job *j, const char *text, size_t len, const char **problem)
{
	int err;

	memset(j, 0, sizeof(*j));
	fleet_flame_init(&j->flame);
	err = request_parse(&j->request, text, len, problem);
	if (!err)
		plan(j);
	j->now = j->request.now;
	j->old = j->request.old;
	return err;
}

void fleet_job_fini(struct fleet_job *j)
{
	request_fini(&j->request);
	fleet_flame_fini(&j->flame);
	buf_free(&j->list);
	buf_free(&j->hosts);
}

/* ---- questions ---- */

static void choose_list(struct fleet_job *j, enum ask_question question, struct ask *a)
{
	const struct buf *list = &j->list;

	if (question == ASK_STACKS_OF_HOSTS)
		list = &j->hosts;
	else if (question == ASK_FRAMES || question == ASK_TEXTS) {
		j->list.len = 0;
		fleet_flame_put_wanted(&j->flame, question == ASK_TEXTS, &j->list);
	} else if (question != ASK_HEAT_BY)
		return;
	a->list = list->data ? list->data : "";
	a->list_len = list->len;
}

bool fleet_job_next(struct fleet_job *j, struct ask *a)
{
	const struct job_step *s = &j->steps[j->at];
	const struct request *r = &j->request;
	bool names = s->question == ASK_FRAMES || s->question == ASK_TEXTS;

	if (j->at == j->nsteps)
		return false;
	*a = (struct ask){
		.id = j->id,
		.question = s->question,
		.request = r,
		.side = names || r->what == REQUEST_LIST ? NULL
			: s->old			 ? &j->old
							 : &j->now,
		.agg = s->through ? r->through : r->agg,
		.numbers = r->numbers && !s->through,
		.region = s->through || (r->what != REQUEST_HEAT && !r->through),
		.any_key = r->through && !s->through,
		.rows = j->rows,
		.width = j->width,
		.part = r->by == REQUEST_NONE ? 0 : r->by,
	};
	choose_list(j, s->question, a);
	return true;
}

/* ---- sizes ---- */

struct size {
	uint64_t rows, buckets;
	uint64_t ms; /* the usual length of an interval */
};

/* True if table I may answer: a sum of all hosts is no use if one of them is asked for. */
static bool can_use(const struct fleet_job *j, const struct size *size, unsigned i)
{
	const struct request *r = &j->request;
	bool hosts = names_hosts(&r->now) || r->what != REQUEST_HEAT || !r->by;

	if (!size->rows || (i == ROWS_1S && hosts))
		return false;
	return r->rows == REQUEST_NONE || (int)i == r->rows;
}

/*
 * Chooses the finest table that has few enough rows, and still has those of the time FROM; if there
 * is none, the coarsest one.
 */
static bool choose_rows(struct fleet_job *j, const struct size *sizes, uint32_t from)
{
	uint64_t now = (uint64_t)time(NULL);
	bool any = false;

	for (unsigned i = 0; i < ASK_ROWS; i++) {
		if (!can_use(j, &sizes[i], i))
			continue;
		any = true;
		j->rows = (enum ask_rows)i;
		if (sizes[i].rows <= MOST_ROWS && from + ask_rows_days[i] * DAY + SLACK >= now)
			break;
	}
	return any;
}

/* Returns a width of columns, in seconds, that people count in, of at least LEAST. */
static uint32_t round_width(uint32_t least, uint32_t resolution)
{
	static const uint32_t widths[] = {1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1200,
		1800, 3600, 7200, 10800, 21600, 43200, 86400};

	for (size_t i = 0; i < sizeof(widths) / sizeof(*widths); i++)
		if (widths[i] >= least && widths[i] % resolution == 0)
			return widths[i];
	return (least + resolution - 1) / resolution * resolution;
}

/* The columns of the time that was asked for, of at least LEAST seconds. */
static void set_columns(struct fleet_job *j, uint32_t least)
{
	const struct request_side *asked = &j->request.now;

	j->width = round_width(least, j->resolution);
	j->now.from = asked->from - asked->from % j->width;
	j->now.to = asked->to - 1 - (asked->to - 1) % j->width;
	j->now.to = j->now.to < UINT32_MAX - j->width ? j->now.to + j->width : asked->to;
}

/* Columns that make at most MOST_CELLS cells, as far as the buckets are known. */
static void choose_columns(struct fleet_job *j, const struct size *size)
{
	const struct request_side *asked = &j->request.now;
	uint64_t of_column =
		(size->buckets ? size->buckets : 1) * (j->request.by == REQUEST_NONE ? 1 : GROUPS);
	uint64_t columns = MOST_CELLS / of_column;

	/* narrower columns than intervals would be empty in between */
	j->resolution = (uint32_t)(size->ms < 1000u * DAY ? (size->ms + 500) / 1000 : DAY);
	if (j->resolution < ask_rows_seconds[j->rows])
		j->resolution = ask_rows_seconds[j->rows];
	columns = columns > MOST_COLUMNS ? MOST_COLUMNS : columns;
	columns = columns > 1 ? columns - 1 : 1; /* both ends are rounded */
	set_columns(j, (uint32_t)((asked->to - asked->from + columns - 1) / columns));
}

static void take_sizes(struct fleet_job *j, const struct job_step *s, char *text, size_t len)
{
	const struct request_side *asked = s->old ? &j->request.old : &j->request.now;
	struct size sizes[ASK_ROWS] = {{0}};
	char *at = text;
	struct rows_row row;

	while (rows_next(&at, text + len, &row)) {
		uint64_t i = rows_unsigned(&row, 0);

		if (i < ASK_ROWS)
			sizes[i] = (struct size){rows_unsigned(&row, 1), rows_unsigned(&row, 2),
				rows_unsigned(&row, 3)};
	}
	j->empty = !choose_rows(j, sizes, asked->from);
	if (!j->empty && j->request.what == REQUEST_HEAT)
		choose_columns(j, &sizes[j->rows]);
}

/* ---- documents ---- */

static void put_head(const struct fleet_job *j, struct buf *out)
{
	buf_printf(out, "{\"rows\":\"%s\",", ask_rows_names[j->rows]);
}

static int put_heat(struct fleet_job *j, char *text, size_t len, struct buf *out)
{
	const struct fleet_map map = {
		.agg = j->request.agg,
		.function = "",
		.width = j->width,
		.grouped = j->request.by != REQUEST_NONE,
		.groups = j->list.data,
		.groups_len = j->list.len,
	};
	int err;

	put_head(j, out);
	buf_printf(out, "\"width\":%" PRIu32 ",", j->width);
	err = fleet_put_map(out, &map, text, len);
	put_literal(out, "}");
	return err;
}

static int put_flame(struct fleet_job *j, char *text, size_t len, struct buf *out)
{
	int err;

	if (!j->flame.stacks.n) {
		put_literal(out, "{\"empty\":true}");
		return 0;
	}
	put_head(j, out);
	err = fleet_flame_put(&j->flame, out, j->request.agg, j->request.has_old, text, len);
	put_literal(out, "}");
	return err;
}

static int put_document(struct fleet_job *j, char *text, size_t len, struct buf *out)
{
	switch (j->request.what) {
	case REQUEST_LIST:
		fleet_put_list(out, text, len);
		return 0;
	case REQUEST_CELLS:
		put_head(j, out);
		fleet_put_parts(out, text, len);
		put_literal(out, "}");
		return 0;
	case REQUEST_HEAT:
		return put_heat(j, text, len, out);
	default:
		return put_flame(j, text, len, out);
	}
}

/* ---- answers ---- */

/* Keeps the names of the groups: the first column, which stays escaped. */
static void take_top(struct fleet_job *j, const char *text, size_t len)
{
	const char *end = text + len;

	j->list.len = 0;
	while (text < end) {
		const char *line = memchr(text, '\n', (size_t)(end - text));
		const char *tab = memchr(text, '\t', (size_t)(end - text));

		if (!line || !tab || tab > line)
			return;
		buf_put(&j->list, text, (size_t)(tab - text));
		buf_putc(&j->list, '\n');
		text = line + 1;
	}
}

/* Nothing of this side: its other questions are not asked. */
static void skip_empty(struct fleet_job *j, struct buf *out)
{
	if (j->request.what == REQUEST_FLAME && !j->steps[j->at].through) {
		j->at++;
		return;
	}
	put_literal(out, "{\"empty\":true}");
	j->at = j->nsteps;
}

/* There were more buckets than the sizes said: the same with wider columns. */
static int take_cells(struct fleet_job *j, char *text, size_t len, struct buf *out)
{
	uint32_t n = 0;

	for (const char *p = text; (p = memchr(p, '\n', (size_t)(text + len - p))); p++)
		n++;
	if (n <= MOST_CELLS)
		return put_document(j, text, len, out);
	set_columns(j, j->width + 1);
	j->at--;
	return 0;
}

static int take_step(
	struct fleet_job *j, const struct job_step *s, char *text, size_t len, struct buf *out)
{
	switch (s->question) {
	case ASK_SIZES_DISTRIBUTIONS:
	case ASK_SIZES_NUMBERS:
		take_sizes(j, s, text, len);
		if (j->empty)
			skip_empty(j, out);
		return 0;
	case ASK_TOP:
		take_top(j, text, len);
		return j->list.failed ? -ENOMEM : 0;
	case ASK_HOSTS:
		buf_put(&j->hosts, text, len);
		return j->hosts.failed ? -ENOMEM : 0;
	case ASK_STACKS:
	case ASK_STACKS_OF_HOSTS:
		return fleet_flame_stacks(&j->flame, text, len, s->old);
	case ASK_HEAT:
	case ASK_HEAT_BY:
		return take_cells(j, text, len, out);
	case ASK_FRAMES:
		return fleet_flame_frames(&j->flame, text, len);
	default:
		return put_document(j, text, len, out);
	}
}

int fleet_job_take(struct fleet_job *j, const char *text, size_t len, struct buf *out)
{
	const struct job_step *s = &j->steps[j->at];
	struct buf copy = {0};
	int err;

	buf_put(&copy, text, len);
	buf_putc(&copy, '\0');
	err = copy.failed ? -ENOMEM : take_step(j, s, copy.data, len, out);
	if (j->at < j->nsteps || err)
		j->at++;
	buf_free(&copy);
	return err ? err : out->failed ? -ENOMEM : 0;
}
