// SPDX-License-Identifier: Apache-2.0
/* Shows with -B the pieces that make up the text output, and the probe of each. */
#include <dtrace/data.h>
#include <dtrace/dtrace.h>
#include <string.h>

#include "message.h"
#include "session.h"

#define AGGVAL	  0x1
#define AGGKEY	  0x2
#define AGGFORMAT 0x4
#define AGGLAST	  0x8

/* A piece of output and where it comes from. */
struct piece {
	const char *text;
	size_t len;
	const struct dtrace_probe *probe; /* NULL: at the end of the run */
	const struct dtrace_item *item;
	const struct dtrace_aggregation *agg;
	unsigned flags;
};

static void field(const char *name, const char *value)
{
	printf("%s: %20s => %s\n", message_name(), name, value);
}

static void presence(const char *name, const void *what)
{
	field(name, what ? "<non-NULL>" : "<NULL>");
}

static void text_field(const struct piece *p)
{
	printf("%s: %20s => \"", message_name(), "buffered");
	for (size_t i = 0; i < p->len; i++) {
		if (p->text[i] == '\n')
			fputs("\\n", stdout);
		else
			putchar(p->text[i]);
	}
	puts("\"");
}

static void flags_field(unsigned flags)
{
	static const char *const names[] = {"AGGVAL", "AGGKEY", "AGGFORMAT", "AGGLAST"};
	const char *sep = " (";

	printf("%s: %20s => 0x%x", message_name(), "flags", flags);
	for (int i = 0; i < 4; i++) {
		if (!(flags >> i & 1))
			continue;
		printf("%s%s", sep, names[i]);
		sep = " | ";
	}
	puts(flags ? ")" : "");
}

static void show_piece(const struct piece *p)
{
	char id[16];

	if (!p->len)
		return;
	text_field(p);
	presence("probe", p->probe);
	presence("aggdata", p->agg);
	presence("recdesc", p->item);
	flags_field(p->flags);
	if (p->probe) {
		field("provider", p->probe->provider);
		field("module", p->probe->module);
		field("function", p->probe->function);
		field("name", p->probe->name);
	}
	if (p->item)
		field("action", p->item->name);
	if (p->agg) {
		snprintf(id, sizeof(id), "%u", p->agg->id);
		field("aggregation", p->agg->name);
		field("aggregation id", id);
	}
}

static int begin_record(void *arg, const struct dtrace_record *r)
{
	const struct piece p = {.text = r->prefix, .len = strlen(r->prefix), .probe = r->probe};

	(void)arg;
	show_piece(&p);
	return 0;
}

static unsigned table_flags(const struct dtrace_table *t)
{
	return AGGVAL | (t->aggregations[0].nkeys ? AGGKEY : 0) | (t->format ? AGGFORMAT : 0) |
		AGGLAST;
}

static int item(void *arg, const struct dtrace_record *r, const struct dtrace_item *i)
{
	bool printa = i->action == DTRACE_ACTION_PRINTA;
	const struct piece p = {
		.text = i->text,
		.len = i->text ? i->text_len : 0,
		.probe = r->probe,
		.item = i,
		.agg = printa ? i->table->aggregations : NULL,
		.flags = printa ? table_flags(i->table) : 0,
	};

	(void)arg;
	show_piece(&p);
	return 0;
}

static int end_record(void *arg, const struct dtrace_record *r)
{
	const struct session *s = arg;
	const struct piece p = {.text = "\n", .len = 1, .probe = r->probe};
	int64_t quiet = 0;

	dtrace_option_get(s->d, "quiet", &quiet);
	if (!quiet)
		show_piece(&p);
	return 0;
}

static int table(void *arg, const struct dtrace_table *t)
{
	struct piece p = {.agg = t->aggregations, .flags = table_flags(t)};

	(void)arg;
	for (unsigned i = 0; i < t->nrows; i++) {
		p.text = dtrace_table_text(t, i, 1, &p.len);
		if (p.text)
			show_piece(&p);
	}
	return 0;
}

int buffered_open(struct session *s)
{
	const struct dtrace_consumer c = {
		.arg = s,
		.want_text = true,
		.begin = begin_record,
		.item = item,
		.end = end_record,
		.table = table,
	};

	if (!dtrace_consumer_add(s->d, &c))
		return 0;
	message_line("%s", dtrace_session_error(s->d));
	return -1;
}
