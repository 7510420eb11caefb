// SPDX-License-Identifier: Apache-2.0
/*
 * Reads any bytes as a saved session and hands it to the outputs.  What the JSON output writes is
 * read again and must come out the same.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtrace/dtrace.h>

#include "base/arena.h"
#include "formats/json_read.h"
#include "print/print.h"
#include "print/text.h"
#include "formats/writer.h"
#include "session/formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_WRITERS 16

struct session {
	struct dtrace_consumer to[MAX_WRITERS];
	unsigned n;
};

#define EACH(arg, function, ...)                                             \
	do {                                                                 \
		const struct session *s_ = (arg);                            \
		int err_ = 0;                                                \
                                                                             \
		for (unsigned i_ = 0; i_ < s_->n && !err_; i_++) {           \
			const struct dtrace_consumer *c_ = &s_->to[i_];      \
                                                                             \
			if (c_->function)                                    \
				err_ = c_->function(c_->arg, ##__VA_ARGS__); \
		}                                                            \
		return err_;                                                 \
	} while (0)

static int on_begin(void *arg, const struct dtrace_record *r)
{
	EACH(arg, begin, r);
}

static int on_item(void *arg, const struct dtrace_record *r, const struct dtrace_item *i)
{
	EACH(arg, item, r, i);
}

static int on_end(void *arg, const struct dtrace_record *r)
{
	EACH(arg, end, r);
}

/* The public interface refuses rows that do not exist. */
static int on_table(void *arg, const struct dtrace_table *t)
{
	size_t len;

	if (dtrace_table_row(t, t->nrows) || dtrace_table_text(t, 0, t->nrows, &len))
		abort();
	EACH(arg, table, t);
}

static int on_drop(void *arg, const struct dtrace_drop *d)
{
	EACH(arg, drop, d);
}

static int on_fault(void *arg, const struct dtrace_fault *f)
{
	EACH(arg, fault, f);
}

static int on_finish(void *arg)
{
	EACH(arg, finish);
}

/* What a format leaves out is of no interest here. */
static void ignore_message(void *arg, const char *text)
{
}

/* True if FORMAT writes to a stream alone. */
static bool is_usable(const struct writer_format *f)
{
	static const char *const names[] = {"json", "folded", "csv", "flamegraph", "heatmap",
		"pprof", "speedscope", "perfetto", "openmetrics"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(f->name, names[i]))
			return true;
	return false;
}

/* Returns what the JSON output has of DATA, or NULL; ALL: the other outputs are made as well. */
static char *view(const void *data, size_t size, bool all, size_t *len)
{
	struct arena *names = arena_new();
	FILE *in = size ? fmemopen((void *)data, size, "r") : fopen("/dev/null", "r");
	FILE *null = fopen("/dev/null", "w");
	char *text = NULL;
	FILE *out = open_memstream(&text, len);
	struct json_read *r = json_read_new(in, "fuzz", names);
	struct writer writers[MAX_WRITERS] = {0};
	const char *problem = NULL;
	struct session s = {.n = 0};
	/* of every way to print a value, one of the two has it */
	const struct print_options plain = {0};
	const struct print_options pictures = {
		.rawbytes = true, .flowindent = true, .agghist = true, .aggpack = true};
	const struct print_options *const options[] = {&plain, &pictures};
	struct text_saved *texts[2] = {NULL};
	unsigned nwriters;
	const struct dtrace_consumer to = {
		.arg = &s,
		.begin = on_begin,
		.item = on_item,
		.end = on_end,
		.table = on_table,
		.drop = on_drop,
		.fault = on_fault,
	};
	int err = json_read_open(r);

	for (const struct writer_format *f = writer_formats; !err && f->name; f++) {
		const struct writer_info info = {.version = json_read_version(r),
			.ending = "html",
			.format = f->name,
			.flow = true,
			.options = json_read_options(r),
			.say = ignore_message,
			.problem = &problem};
		bool json = !strcmp(f->name, "json");

		if (!is_usable(f) || (!all && !json))
			continue;
		if (f->open(json ? out : null, &info, &writers[s.n]))
			abort();
		s.to[s.n] = writers[s.n].consumer;
		s.n++;
	}
	nwriters = s.n;
	for (unsigned i = 0; !err && all && i < 2; i++) {
		texts[i] = text_saved_new(null, options[i], &s.to[s.n++]);
		if (!texts[i])
			abort();
	}
	if (!err)
		err = json_read_run(r, &to);
	if ((err != 0) != (json_read_problem(r) != NULL))
		abort();
	if (!err)
		on_finish(&s);
	for (unsigned i = 0; i < nwriters; i++)
		writers[i].release(writers[i].consumer.arg);
	for (unsigned i = 0; i < 2; i++)
		text_saved_free(texts[i]);
	json_read_free(r);
	arena_free(names);
	fclose(in);
	fclose(null);
	fclose(out);
	if (!err)
		return text;
	free(text);
	return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t len, again_len;
	char *text = view(data, size, true, &len), *again;

	if (!text)
		return 0;
	again = view(text, len, false, &again_len);
	if (!again || again_len != len || memcmp(text, again, len) != 0)
		abort();
	free(text);
	free(again);
	return 0;
}
