// SPDX-License-Identifier: Apache-2.0
/* Prints saved sessions: the text output without a session of its own. */
#include "print/text.h"

#include <stdlib.h>

#include <dtrace/dtrace.h>

#include "base/buf.h"
#include "dtrace/data.h"
#include "print/output.h"
#include "print/print.h"

struct text_saved {
	struct text_output text;
	struct printer pr;
	struct dtrace_consumer to; /* the text's */
	const struct print_options *options;
	bool ended;	/* the newline that ends the records is out */
	bool elsewhere; /* freopen() named a file */
};

static int on_begin(void *arg, const struct dtrace_record *r)
{
	struct text_saved *t = arg;

	t->pr.opts = *t->options;
	return t->to.begin(t->to.arg, r);
}

/*
 * Text for another file is thrown away: the session has written that file, and a saved session
 * must not write to files that its reader has not named.
 */
static int reopen(struct text_saved *t, const struct dtrace_item *i)
{
	int err = t->to.flush(t->to.arg);

	t->elsewhere = i->text_len != 0;
	return err ? err : output_reopen(&t->text.out, t->elsewhere ? "/dev/null" : "");
}

static int truncate_output(struct text_saved *t)
{
	int err = t->to.flush(t->to.arg);

	return err || t->elsewhere ? err : output_truncate(&t->text.out);
}

/* Prints the table with the options of now, though the record keeps those of its begin. */
static int print_table_now(
	struct text_saved *t, const struct dtrace_record *r, const struct dtrace_item *i)
{
	struct print_options opts = t->pr.opts;
	int err;

	t->pr.opts = *t->options;
	err = t->to.item(t->to.arg, r, i);
	t->pr.opts = opts;
	return err;
}

static int on_item(void *arg, const struct dtrace_record *r, const struct dtrace_item *i)
{
	struct text_saved *t = arg;

	switch (i->action) {
	case DTRACE_ACTION_FREOPEN:
		return reopen(t, i);
	case DTRACE_ACTION_PRINTA:
		return print_table_now(t, r, i);
	case DTRACE_ACTION_FTRUNCATE:
		return truncate_output(t);
	case DTRACE_ACTION_PCAP:
		return t->elsewhere ? 0 : t->to.item(t->to.arg, r, i);
	default:
		return t->to.item(t->to.arg, r, i);
	}
}

static int on_end(void *arg, const struct dtrace_record *r)
{
	struct text_saved *t = arg;

	return t->to.end(t->to.arg, r);
}

static int end_records(struct text_saved *t)
{
	bool ended = t->ended;

	t->ended = true;
	return ended ? 0 : text_newline(&t->text);
}

static int on_table(void *arg, const struct dtrace_table *table)
{
	struct text_saved *t = arg;
	int err = end_records(t);

	t->pr.opts = *t->options;
	return err ? err : t->to.table(t->to.arg, table);
}

static int on_finish(void *arg)
{
	struct text_saved *t = arg;
	int err = end_records(t);

	return err ? err : t->to.flush(t->to.arg);
}

struct text_saved *text_saved_new(
	FILE *out, const struct print_options *options, struct dtrace_consumer *to)
{
	struct text_saved *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->options = options;
	text_output_begin(&t->text, &t->pr, out, NULL);
	t->to = text_consumer(&t->text);
	*to = (struct dtrace_consumer){
		.arg = t,
		.begin = on_begin,
		.item = on_item,
		.end = on_end,
		.table = on_table,
		.finish = on_finish,
	};
	return t;
}

void text_saved_free(struct text_saved *t)
{
	if (!t)
		return;
	text_output_end(&t->text);
	buf_free(&t->pr.buf);
	free(t);
}
