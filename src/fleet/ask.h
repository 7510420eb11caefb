/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ask: the questions of questions.def, for a request of the page.
 *
 * It makes the SQL of constant parts, and the external tables with the values.
 */
#ifndef FLEET_ASK_H
#define FLEET_ASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct query;
struct request;
struct request_side;

enum ask_question {
#define QUESTION(id, text) ASK_##id,
#include "fleet/questions.def"
};

/* Tables with the same rows, summed for longer times; the finest is first. */
enum ask_rows {
#define ROWS(id, name, seconds, days, suffix) ROWS_##id,
#include "fleet/questions.def"
	ASK_ROWS,
};

extern const char *const ask_rows_names[ASK_ROWS];
extern const uint32_t ask_rows_seconds[ASK_ROWS];
extern const uint32_t ask_rows_days[ASK_ROWS];

/* What a question is about; what a question does not need is not looked at. */
struct ask {
	uint64_t id;
	enum ask_question question;
	const struct request *request;
	const struct request_side *side; /* of it: the time and the filters */
	const char *agg;
	bool numbers; /* the table: numbers, or distributions */
	bool region;  /* only values of the request's cells */
	bool any_key; /* filters of keys are about another aggregation */
	enum ask_rows rows;
	uint32_t width;	  /* of columns, in seconds */
	int part;	  /* of TOP and HEAT_BY */
	const char *list; /* rows of `top`, `hosts` or `wanted` */
	size_t list_len;
};

/* Ask.  0, -ENOMEM, or -EPIPE: the process is gone. */
int ask_send(struct query *q, const struct ask *a);

#endif
