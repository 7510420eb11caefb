// SPDX-License-Identifier: Apache-2.0
/* Reads what the page of a fleet asks. */
#include "fleet/request.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/ask.h"

#define MOST_FILTERS 300
#define LONGEST_TIME (400u * 86400) /* seconds: a little more than a year */

/* U+EF80 to U+EFFF stand for bytes that are no UTF-8 (docs/json.md); TEXT becomes these bytes. */
static void restore_bytes(char *text)
{
	unsigned char *from = (unsigned char *)text, *to = from;

	for (; *from; from++) {
		if (from[0] == 0xee && (from[1] == 0xbe || from[1] == 0xbf) &&
			(from[2] & 0xc0) == 0x80) {
			*to++ = (unsigned char)(from[1] == 0xbe ? from[2] : from[2] + 0x40);
			from += 2;
		} else {
			*to++ = *from;
		}
	}
	*to = '\0';
}

/* Reads decimal digits, with a sign if LEAST is negative, and nothing else. */
static bool read_number(const char *text, int64_t least, int64_t most, int64_t *to)
{
	const char *digits = *text == '-' && least < 0 ? text + 1 : text;
	char *end;

	if (*digits < '0' || *digits > '9' || strlen(digits) > 19)
		return false;
	errno = 0;
	*to = strtoll(text, &end, 10);
	return !errno && !*end && *to >= least && *to <= most;
}

static bool read_word(const char *text, const char *const *words, int n, int *to)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(text, words[i])) {
			*to = i;
			return true;
		}
	return false;
}

static bool add_filter(struct request_side *side, bool keep, const char *text)
{
	struct request_filter *f;

	if (text[0] < '0' || text[0] >= '0' + REQUEST_PARTS || text[1] != ':' ||
		side->filters.len == MOST_FILTERS)
		return false;
	f = heapvec_add(&side->filters);
	if (!f)
		return false;
	*f = (struct request_filter){keep, (uint8_t)(text[0] - '0'), text + 2};
	return true;
}

/* ---- arguments ---- */

static bool take_what(struct request *r, const char *text)
{
	static const char *const words[] = {"list", "heat", "cells", "flame"};
	int what;

	if (!read_word(text, words, 4, &what))
		return false;
	r->what = (enum request_what)what;
	return true;
}

/* Sets *TO if TEXT is YES, not if it is NO. */
static bool take_choice(bool *to, const char *text, const char *no, const char *yes)
{
	*to = !strcmp(text, yes);
	return *to || !strcmp(text, no);
}

static bool take_by(struct request *r, const char *text)
{
	int64_t part;

	if (!strcmp(text, "none"))
		return true;
	if (!read_number(text, 0, REQUEST_PARTS - 1, &part))
		return false;
	r->by = (int)part;
	return true;
}

static bool take_rows(struct request *r, const char *text)
{
	return !strcmp(text, "auto") || read_word(text, ask_rows_names, ASK_ROWS, &r->rows);
}

static bool take_time(uint32_t *to, const char *text)
{
	int64_t n;

	if (!read_number(text, 0, UINT32_MAX, &n))
		return false;
	*to = (uint32_t)n;
	return true;
}

static bool take_text(const char **to, const char *text)
{
	*to = text;
	return true;
}

static bool take(struct request *r, const char *name, const char *text)
{
	if (!strcmp(name, "what"))
		return take_what(r, text);
	if (!strcmp(name, "table"))
		return take_choice(&r->numbers, text, "distributions", "numbers");
	if (!strcmp(name, "by"))
		return take_by(r, text);
	if (!strcmp(name, "rows"))
		return take_rows(r, text);
	if (!strcmp(name, "shards"))
		return take_choice(&r->partial, text, "all", "up");
	if (!strcmp(name, "prog"))
		return take_text(&r->prog, text);
	if (!strcmp(name, "agg"))
		return take_text(&r->agg, text);
	if (!strcmp(name, "through"))
		return take_text(&r->through, text);
	if (!strcmp(name, "low"))
		return read_number(text, INT64_MIN, INT64_MAX, &r->low);
	if (!strcmp(name, "high"))
		return read_number(text, INT64_MIN, INT64_MAX, &r->high);
	if (!strcmp(name, "from"))
		return take_time(&r->now.from, text);
	if (!strcmp(name, "to"))
		return take_time(&r->now.to, text);
	r->has_old |= !strncmp(name, "old_", 4);
	if (!strcmp(name, "old_from"))
		return take_time(&r->old.from, text);
	if (!strcmp(name, "old_to"))
		return take_time(&r->old.to, text);
	if (!strcmp(name, "only") || !strcmp(name, "without"))
		return add_filter(&r->now, *name == 'o', text);
	if (!strcmp(name, "old_only") || !strcmp(name, "old_without"))
		return add_filter(&r->old, name[4] == 'o', text);
	return false;
}

/* ---- the whole ---- */

static const char *side_problem(const struct request_side *s)
{
	if (s->from >= s->to)
		return "the time begins after its end";
	return s->to - s->from > LONGEST_TIME ? "the time is longer than a year" : NULL;
}

static const char *find_problem(const struct request *r)
{
	const char *problem;

	if (r->what == REQUEST_LIST)
		return NULL;
	if (!r->prog || !r->agg)
		return "no program or aggregation is named";
	if (r->what == REQUEST_HEAT && r->numbers)
		return "only distributions have a heat map";
	if (r->low > r->high)
		return "the least value is larger than the largest";
	problem = side_problem(&r->now);
	return problem || !r->has_old ? problem : side_problem(&r->old);
}

int request_parse(struct request *r, const char *text, size_t len, const char **problem)
{
	*r = (struct request){
		.by = REQUEST_NONE, .rows = REQUEST_NONE, .low = INT64_MIN, .high = INT64_MAX};
	*problem = "not enough memory";
	r->texts = malloc(len + 1);
	if (!r->texts)
		return -ENOMEM;
	memcpy(r->texts, text, len);
	r->texts[len] = '\0';
	*problem = "the page asks for something that dtrace does not know";
	for (char *p = r->texts, *end = p + len; p < end;) {
		char *name = p, *value = p + strlen(p) + 1, *next;

		if (value >= end)
			return -EINVAL;
		next = value + strlen(value) + 1;
		restore_bytes(value);
		if (!take(r, name, value))
			return -EINVAL;
		p = next;
	}
	*problem = find_problem(r);
	return *problem ? -EINVAL : 0;
}

void request_fini(struct request *r)
{
	heapvec_free(&r->now.filters);
	heapvec_free(&r->old.filters);
	free(r->texts);
}
