// SPDX-License-Identifier: Apache-2.0
/* Makes questions for ClickHouse from constant SQL and external tables. */
#include "fleet/ask.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/vec.h"
#include "fleet/query.h"
#include "fleet/request.h"
#include "fleet/tables.h"

#define ASK_MS	 30000u
#define ASK_MOST (32u << 20) /* bytes of an answer */

static const char *const texts[] = {
#define QUESTION(id, text) [ASK_##id] = (text),
#include "fleet/questions.def"
};

static const char *const suffixes[ASK_ROWS] = {
#define ROWS(id, name, seconds, days, suffix) suffix,
#include "fleet/questions.def"
};

const char *const ask_rows_names[ASK_ROWS] = {
#define ROWS(id, name, seconds, days, suffix) name,
#include "fleet/questions.def"
};

const uint32_t ask_rows_seconds[ASK_ROWS] = {
#define ROWS(id, name, seconds, days, suffix) seconds,
#include "fleet/questions.def"
};

const uint32_t ask_rows_days[ASK_ROWS] = {
#define ROWS(id, name, seconds, days, suffix) days,
#include "fleet/questions.def"
};

static const char *const parts[REQUEST_PARTS] = {
#define PART(number, expression) expression,
#include "fleet/questions.def"
};

/* Conditions on a part: one of the values that are kept, and none of the others. */
static const char *const kept[REQUEST_PARTS] = {
#define PART(number, expression) \
	" AND " expression " IN (SELECT value FROM f WHERE keep = 1 AND part = " #number ")",
#include "fleet/questions.def"
};

static const char *const left_out[REQUEST_PARTS] = {
#define PART(number, expression) \
	" AND " expression " NOT IN (SELECT value FROM f WHERE keep = 0 AND part = " #number ")",
#include "fleet/questions.def"
};

/* ---- SQL ---- */

static void put_condition(struct buf *b, const struct ask *a)
{
	bool has[2][REQUEST_PARTS] = {{false}};

	buf_puts(b,
		"prog = (SELECT prog FROM p) AND agg = (SELECT agg FROM p) AND "
		"ts >= (SELECT since FROM p) AND ts < (SELECT until FROM p)");
	if (a->region && !a->numbers)
		buf_puts(b, " AND lo >= (SELECT low FROM p) AND lo <= (SELECT high FROM p)");
	if (a->question == ASK_SIZES_DISTRIBUTIONS || a->question == ASK_SIZES_NUMBERS)
		return; /* an estimate */
	vec_for (f, &a->side->filters)
		has[f->keep][f->part] = !f->part || !a->any_key;
	for (unsigned i = 0; i < REQUEST_PARTS; i++) {
		if (has[true][i])
			buf_puts(b, kept[i]);
		if (has[false][i])
			buf_puts(b, left_out[i]);
	}
}

/* What is summed; of avg() and stddev() how many values there were. */
static const char *value_of(const struct ask *a)
{
	return a->numbers ? "if(function IN ('avg', 'stddev'), toInt64(n), value)" : "count";
}

static void put_sql(struct buf *b, const struct ask *a)
{
	for (const char *p = texts[a->question]; *p; p++) {
		if (*p != '$') {
			buf_putc(b, *p);
			continue;
		}
		p++;
		if (*p == 'T')
			buf_printf(b, "%s%s", a->numbers ? "numbers" : "distributions",
				suffixes[a->rows]);
		else if (*p == 'V')
			buf_puts(b, value_of(a));
		else if (*p == 'P')
			buf_puts(b, parts[a->part]);
		else if (*p == 'C')
			buf_printf(b, "intDiv(toUInt32(ts), %" PRIu32 ")", a->width ? a->width : 1);
		else
			put_condition(b, a);
	}
	buf_putc(b, '\0');
}

/* ---- values ---- */

static void put_parameters(struct buf *b, const struct ask *a)
{
	const struct request *r = a->request;

	fleet_put_text(b, r->prog, strlen(r->prog));
	fleet_put_text(b, a->agg, strlen(a->agg));
	buf_printf(b, "%010" PRIu32 "\t%010" PRIu32 "\t%" PRId64 "\t%" PRId64 "\n", a->side->from,
		a->side->to, r->low, r->high);
}

static void put_filters(struct buf *b, const struct request_side *side)
{
	vec_for (f, &side->filters) {
		buf_printf(b, "%d\t%u\t", f->keep, f->part);
		fleet_put_escaped(b, f->text, strlen(f->text));
		buf_putc(b, '\n');
	}
}

/* Returns the name and the structure of the list that QUESTION needs, NULL: none. */
static const char *list_of(enum ask_question question, const char **structure)
{
	*structure = "id UInt64";
	if (question == ASK_FRAMES || question == ASK_TEXTS)
		return "wanted";
	*structure = "value String";
	if (question == ASK_HEAT_BY)
		return "top";
	*structure = "host String";
	return question == ASK_STACKS_OF_HOSTS ? "hosts" : NULL;
}

int ask_send(struct query *q, const struct ask *a)
{
	struct query_question question = {
		.id = a->id, .ms = ASK_MS, .most = ASK_MOST, .partial = a->request->partial};
	struct query_table tables[3];
	struct buf sql = {0}, row = {0}, filters = {0};
	int err;

	put_sql(&sql, a);
	if (a->side) {
		put_parameters(&row, a);
		tables[question.ntables++] = (struct query_table){"p",
			"prog String, agg String, since DateTime('UTC'), until DateTime('UTC'), "
			"low Int64, high Int64",
			row.data, row.len};
		put_filters(&filters, a->side);
	}
	if (filters.len)
		tables[question.ntables++] = (struct query_table){
			"f", "keep UInt8, part UInt8, value String", filters.data, filters.len};
	if (a->list) {
		struct query_table *t = &tables[question.ntables++];

		t->name = list_of(a->question, &t->structure);
		t->rows = a->list;
		t->len = a->list_len;
	}
	question.sql = sql.data;
	question.tables = tables;
	err = sql.failed || row.failed || filters.failed ? -ENOMEM : query_ask(q, &question);
	buf_free(&sql);
	buf_free(&row);
	buf_free(&filters);
	return err;
}
