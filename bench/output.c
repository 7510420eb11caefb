/* SPDX-License-Identifier: Apache-2.0 */
/*
 * output WHAT N TIMES: measures the text output alone.  Writes N firings of a clause to /dev/null,
 * TIMES times, and prints thousands a second of the fastest run.  WHAT is the clause's action:
 *
 *	printf		printf("%d %d %s\n", two integers, a string), quiet
 *	trace		trace(an integer), with the columns of the default layout
 *	default		nothing: the columns alone
 *	rows		a table of @[a string, an integer] = count() with N rows
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "abi/kernel.h"
#include "abi/record.h"
#include "base/arena.h"
#include "consume/event.h"
#include "lang/format.h"
#include "decode/sink.h"
#include "print/print.h"
#include "probe/probe.h"

/* The memory of a record, as a program writes it. */
struct record {
	struct dt_rec rec;
	int64_t number;
	int32_t pid;
	char name[16];
	uint32_t pad;
};

static const struct probe probe = {
	.id = 123, .prov = "syscall", .mod = "vmlinux", .func = "getppid", .name = "entry"};

static const struct datum data[] = {
	{.kind = DATUM_INT,
		.is_signed = true,
		.offset = offsetof(struct record, pid),
		.size = sizeof(int32_t)},
	{.kind = DATUM_INT,
		.is_signed = true,
		.offset = offsetof(struct record, number),
		.size = sizeof(int64_t)},
	{.kind = DATUM_STRING, .offset = offsetof(struct record, name), .size = 16},
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Records differ as those of real programs do: one number grows. */
static int fire(struct sink *s, const struct rec_desc *desc, long n)
{
	struct record r = {.rec = {.probe = probe.id}, .pid = 4711, .name = "getppid"};
	const struct event ev = {.probe = &probe, .desc = desc, .data = &r, .cpu = 1};
	int err = 0;

	for (long i = 0; i < n && !err; i++) {
		r.number = i;
		err = sink_begin(s, &ev);
		for (uint32_t k = 0; k < desc->nactions && !err; k++)
			err = sink_action(s, &ev, k);
		if (!err)
			err = sink_end(s, &ev);
	}
	return err ? err : sink_flush(s);
}

/* ---- rows of a table ---- */

struct key {
	char name[16];
	uint64_t number;
};

static const struct datum key_data[] = {
	{.kind = DATUM_STRING, .size = 16},
	{.kind = DATUM_INT, .offset = offsetof(struct key, number), .size = sizeof(uint64_t)},
};

static const struct agg_desc count = {
	.name = "", .id = 1, .func = AGG_count, .keys = key_data, .nkeys = 2};

static int print_rows(struct sink *s, long n)
{
	const struct agg_desc *const aggs[] = {&count};
	struct agg_row *rows = calloc((size_t)n, sizeof(*rows));
	struct agg_value *values = calloc((size_t)n, sizeof(*values));
	struct key *keys = calloc((size_t)n, sizeof(*keys));
	const struct agg_table t = {
		.aggs = aggs, .naggs = 1, .rows = rows, .nrows = (uint32_t)n, .final = true};
	int err = rows && values && keys ? 0 : -1;

	for (long i = 0; i < n && !err; i++) {
		keys[i] = (struct key){"getppid", (uint64_t)i};
		values[i] = (struct agg_value){
			.desc = &count, .normal = 1, .words = {(uint64_t)i}, .present = true};
		rows[i] = (struct agg_row){
			.key = &keys[i], .desc = &count, .values = &values[i], .nvalues = 1};
	}
	if (!err)
		err = sink_table(s, NULL, 0, &t);
	free(rows);
	free(values);
	free(keys);
	return err;
}

static int measure(const struct sink_env *env, const struct rec_desc *desc, long n, long times)
{
	FILE *out = fopen("/dev/null", "w");
	struct sink *s = out ? sink_text_new(env, out) : NULL;
	double best = 0;
	int err = s ? 0 : -1;

	while (!err && times-- > 0) {
		double start = now(), rate;

		err = desc ? fire(s, desc, n) : print_rows(s, n);
		rate = (double)n / (now() - start) / 1e3;
		if (rate > best)
			best = rate;
	}
	if (s)
		sink_free(s);
	if (out)
		fclose(out);
	if (!err)
		printf("%.0f\n", best);
	return err;
}

int main(int argc, char **argv)
{
	const char *what = argc == 4 ? argv[1] : "", *error, *text = "%d %d %s\n";
	struct print_options opts = {.quiet = strcmp(what, "trace") && strcmp(what, "default")};
	const struct sink_env env = {.opts = &opts};
	struct rec_action act = {.data = data};
	struct rec_desc desc = {.size = sizeof(struct record), .actions = &act, .nactions = 1};
	struct arena *arena = arena_new();
	int err;

	if (!strcmp(what, "printf")) {
		act.kind = REC_PRINTF;
		act.format = format_parse(arena, text, strlen(text), &error);
		act.ndata = 3;
	} else if (!strcmp(what, "trace")) {
		act.kind = REC_TRACE;
		act.ndata = 1;
	} else if (!strcmp(what, "default")) {
		desc.nactions = 0;
	} else if (strcmp(what, "rows") != 0) {
		fprintf(stderr, "output printf|trace|default|rows N TIMES\n");
		return 2;
	}
	err = measure(&env, strcmp(what, "rows") ? &desc : NULL, atol(argv[2]), atol(argv[3]));
	arena_free(arena);
	return err != 0;
}
