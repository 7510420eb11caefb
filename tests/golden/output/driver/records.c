// SPDX-License-Identifier: Apache-2.0
/* records FILE.rec: lines, options, probes and records; see rec.h. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "abi/record.h"
#include "consume/event.h"
#include "consume/stacks.h"
#include "lang/format.h"
#include "print/output.h"
#include "probe/probe.h"
#include "rec.h"

#define MAX_PROBES  16
#define MAX_ACTIONS 130

static struct {
	struct print_options opts;
	struct sink_env env;
	struct stacks *stacks;
	struct sink *sink;
	struct rec_aggs *aggs;
	struct probe probes[MAX_PROBES];
	uint32_t nprobes;
} session = {.opts = {.stackindent = 14}};

/* The record whose lines are being read. */
static struct {
	struct event ev;
	struct rec_desc desc;
	struct rec_action actions[MAX_ACTIONS];
	struct image image;
	uint64_t ran[MAX_ACTIONS / 64 + 1];
	bool open;
} rec;

struct arena *arena;
static const char *file;
static uint32_t line_number;

void die(const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fprintf(stderr, "%s:%u: ", file, line_number);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(2);
}

/* ---- words ---- */

static int hex_digit(char c)
{
	if (!isxdigit((unsigned char)c))
		die("\\x wants two hexadecimal digits");
	return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

/* One character behind a backslash; *P is behind it then. */
static char escaped(const char **p)
{
	static const char from[] = "abfnrtv0\\\"", to[] = "\a\b\f\n\r\t\v\0\\\"";
	char c = *(*p)++;
	const char *at;

	if (c == 'x') {
		c = (char)(hex_digit((*p)[0]) << 4 | hex_digit((*p)[1]));
		*p += 2;
		return c;
	}
	at = c ? strchr(from, c) : NULL;
	if (!at)
		die("unknown escape");
	return to[at - from];
}

static const char *read_quoted(struct words *w, const char *p)
{
	char *text = arena_alloc(arena, strlen(p));
	uint32_t len = 0;

	while (*p != '"') {
		if (!*p)
			die("no closing quote");
		if (*p == '\\') {
			p++;
			text[len++] = escaped(&p);
		} else {
			text[len++] = *p++;
		}
	}
	w->word[w->n].text = text;
	w->word[w->n].len = len;
	w->word[w->n].quoted = true;
	return p + 1;
}

void words_read(struct words *w, const char *line)
{
	static const char separators[] = " \t\n,[](){}";
	const char *p = line;

	memset(w, 0, sizeof(*w));
	w->indented = isspace((unsigned char)*p);
	for (;;) {
		size_t len;

		p += strspn(p, separators);
		if (!*p || *p == '#')
			return;
		if (w->n == MAX_WORDS)
			die("too many words");
		if (*p == '"') {
			p = read_quoted(w, p + 1);
		} else {
			len = strcspn(p, separators);
			w->word[w->n].text = arena_strndup(arena, p, len);
			w->word[w->n].len = (uint32_t)len;
			p += len;
		}
		w->n++;
	}
}

bool words_left(const struct words *w)
{
	return w->at < w->n;
}

const char *word_peek(const struct words *w)
{
	return w->at < w->n ? w->word[w->at].text : "";
}

bool word_is_quoted(const struct words *w)
{
	return w->at < w->n && w->word[w->at].quoted;
}

const char *word_take(struct words *w)
{
	if (!words_left(w) || word_is_quoted(w))
		die("word expected");
	return w->word[w->at++].text;
}

bool word_accept(struct words *w, const char *word)
{
	if (word_is_quoted(w) || strcmp(word_peek(w), word))
		return false;
	w->at++;
	return true;
}

/* Signed or unsigned, of 64 bits. */
int64_t number_take(struct words *w)
{
	const char *text = word_take(w);
	uint64_t n;
	char *end;

	n = *text == '-' ? -strtoull(text + 1, &end, 0) : strtoull(text, &end, 0);
	if (*end)
		die("\"%s\" is not a number", text);
	return (int64_t)n;
}

const char *string_take(struct words *w, uint32_t *len)
{
	if (!word_is_quoted(w))
		die("\"string\" expected");
	*len = w->word[w->at].len;
	return w->word[w->at++].text;
}

/* ---- options and probes ---- */

static void set_option(const char *name, const char *value)
{
	struct print_options *o = &session.opts;
	const struct {
		const char *name;
		bool *flag;
		uint32_t *number;
	} options[] = {
		{"quiet", &o->quiet, NULL},
		{"flowindent", &o->flowindent, NULL},
		{"rawbytes", &o->rawbytes, NULL},
		{"noresolve", &o->noresolve, NULL},
		{"agghist", &o->agghist, NULL},
		{"aggpack", &o->aggpack, NULL},
		{"aggzoom", &o->aggzoom, NULL},
		{"noprefix", &o->noprefix, NULL},
		{"stackindent", NULL, &o->stackindent},
		{"width", NULL, &o->width},
	};
	uint32_t n = strcmp(value, "off") ? (uint32_t)strtoul(value, NULL, 0) : 0;

	if (!strcmp(name, "encoding")) {
		o->encoding = strcmp(value, "utf8") ? PRINT_ASCII : PRINT_UTF8;
		return;
	}
	if (!*value)
		n = 1;
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (strcmp(options[i].name, name))
			continue;
		if (options[i].flag)
			*options[i].flag = n;
		else
			*options[i].number = n;
		return;
	}
	if (!rec_aggs_option(session.aggs, name, n))
		die("no option \"%s\"", name);
}

/* probe ID PROVIDER:MODULE:FUNCTION:NAME */
static void add_probe(struct words *w)
{
	struct probe *p = &session.probes[session.nprobes++];
	const char **parts[] = {&p->prov, &p->mod, &p->func, &p->name};
	const char *text;

	if (session.nprobes > MAX_PROBES)
		die("too many probes");
	p->id = (uint32_t)number_take(w);
	text = word_take(w);
	for (size_t i = 0; i < 4; i++) {
		size_t len = strcspn(text, ":");

		*parts[i] = arena_strndup(arena, text, len);
		if ((text[len] == ':') != (i < 3))
			die("a probe has four parts");
		text += len + 1;
	}
}

static const struct probe *probe_by_id(void *arg, uint64_t id)
{
	for (uint32_t i = 0; i < session.nprobes; i++)
		if (session.probes[i].id == id)
			return &session.probes[i];
	return NULL;
}

/* ---- records ---- */

static const char *datum_string(const struct datum *d)
{
	return (const char *)rec.image.bytes + d->offset;
}

/* Carries out the consumer's part of an action, before the sink or in its place. */
static int consumer_action(const struct event *ev, uint32_t i)
{
	const struct rec_action *act = &ev->desc->actions[i];

	if (act->kind == REC_SETOPT) {
		set_option(datum_string(&act->data[0]),
			act->ndata > 1 ? datum_string(&act->data[1]) : "");
		return 0;
	}
	if (act->naggs)
		return rec_aggs_action(session.aggs, ev, i);
	return 0;
}

/* The record from its beginning to its end, as src/session/events.c does it. */
static int put_event(const struct event *ev)
{
	struct sink *s = session.sink;
	int err = sink_begin(s, ev);

	for (uint32_t i = 0; !err && i < ev->desc->nactions; i++) {
		if (!event_ran(ev, i))
			continue;
		err = consumer_action(ev, i);
		if (!err && ev->desc->actions[i].kind != REC_PRINTA)
			err = sink_action(s, ev, i);
		if (!err)
			err = sink_flush(s);
		if (!err)
			err = sink_carry_out(sink_text_output(s), &session.env, ev, i);
	}
	if (!err)
		err = sink_end(s, ev);
	return err ? err : sink_flush(s);
}

static void record_end(void)
{
	int err;

	if (!rec.open)
		return;
	rec.open = false;
	rec.desc.actions = rec.actions;
	rec.desc.ran = rec.image.len;
	memcpy(rec.image.bytes + rec.image.len, rec.ran, sizeof(rec.ran));
	rec.ev.desc = &rec.desc;
	rec.ev.data = rec.image.bytes;
	err = put_event(&rec.ev);
	if (err)
		printf("error: %s\n", strerror(-err));
}

/* record PROBE [cpu N] [clause N] [continued] */
static void record_begin(struct words *w)
{
	memset(&rec, 0, sizeof(rec));
	rec.open = true;
	rec.ev.probe = probe_by_id(NULL, (uint32_t)number_take(w));
	if (!rec.ev.probe)
		die("no such probe");
	if (word_accept(w, "cpu"))
		rec.ev.cpu = (uint32_t)number_take(w);
	if (word_accept(w, "clause"))
		rec.desc.clause = (uint32_t)number_take(w);
	rec.ev.continued = word_accept(w, "continued");
}

/* The data of an action: types and values to the end of the line. */
static void take_data(struct words *w, struct rec_action *act)
{
	struct datum *data = arena_new_array(arena, struct datum, MAX_DATA);

	act->data = data;
	while (words_left(w)) {
		if (act->ndata == MAX_DATA)
			die("too much data");
		data[act->ndata] = type_take(w, &rec.image.len, false);
		value_take(w, &data[act->ndata++], &rec.image);
	}
}

static void take_format(struct words *w, struct rec_action *act)
{
	const char *error, *text;
	uint32_t len;

	text = string_take(w, &len);
	act->format = format_parse(arena, text, len, &error);
	if (error)
		die("%s", error);
}

static void take_aggs(struct words *w, struct rec_action *act)
{
	const struct agg_desc **aggs = arena_new_array(arena, const struct agg_desc *, MAX_DATA);

	act->aggs = aggs;
	while (words_left(w) && !word_is_quoted(w) && *word_peek(w) == '@') {
		if (act->naggs == MAX_DATA)
			die("too many aggregations");
		aggs[act->naggs++] = rec_aggs_find(session.aggs, word_take(w));
	}
}

/* An option's name and value are words here, strings in the record. */
static void take_setopt(struct words *w, struct rec_action *act)
{
	struct datum *data = arena_new_array(arena, struct datum, 2);

	act->data = data;
	while (words_left(w) && act->ndata < 2) {
		const char *text = word_take(w);
		struct datum *d = &data[act->ndata++];

		*d = (struct datum){.kind = DATUM_STRING,
			.offset = rec.image.len,
			.size = (uint32_t)strlen(text) + 1};
		memcpy(rec.image.bytes + d->offset, text, d->size);
		rec.image.len += d->size;
	}
}

/* ["not"] ACTION: one that did not run has its place in the record, but no data are there. */
static void record_action(struct words *w)
{
	static const struct {
		const char *name;
		enum rec_action_kind kind;
	} kinds[] = {
		{"trace", REC_TRACE},
		{"tracemem", REC_TRACEMEM},
		{"printf", REC_PRINTF},
		{"printa", REC_PRINTA},
		{"stack", REC_STACK},
		{"ustack", REC_STACK},
		{"sym", REC_SYM},
		{"mod", REC_SYM},
		{"usym", REC_SYM},
		{"uaddr", REC_SYM},
		{"umod", REC_SYM},
		{"exit", REC_EXIT},
		{"clear", REC_CLEAR},
		{"trunc", REC_TRUNC},
		{"normalize", REC_NORMALIZE},
		{"denormalize", REC_DENORMALIZE},
		{"setopt", REC_SETOPT},
		{"none", REC_NONE},
	};
	uint32_t number = rec.desc.nactions++;
	struct rec_action *act = &rec.actions[number];
	bool ran = !word_accept(w, "not");
	const char *name = word_take(w);
	size_t i = 0;

	if (!rec.open || number == MAX_ACTIONS)
		die("no record, or too many actions");
	rec.desc.conditional |= !ran;
	if (ran)
		rec.ran[number / 64] |= UINT64_C(1) << number % 64;
	while (i < sizeof(kinds) / sizeof(kinds[0]) && strcmp(kinds[i].name, name))
		i++;
	if (i == sizeof(kinds) / sizeof(kinds[0]))
		die("no action \"%s\"", name);
	act->kind = kinds[i].kind;
	if (act->kind == REC_STACK || act->kind == REC_SYM)
		w->at--; /* their names are those of the types, too */
	take_aggs(w, act);
	if (act->kind == REC_PRINTA && !act->naggs)
		die("which aggregation?");
	if (act->kind == REC_SETOPT) {
		take_setopt(w, act);
		return;
	}
	if (act->kind == REC_PRINTF || (act->kind == REC_PRINTA && words_left(w)))
		take_format(w, act);
	take_data(w, act);
}

/* ---- the file ---- */

static void top_line(struct words *w)
{
	int err = 0;

	record_end();
	if (*word_peek(w) == '@') {
		rec_aggs_update(session.aggs, w);
		return;
	}
	if (word_accept(w, "option")) {
		const char *name = word_take(w);

		set_option(name, word_peek(w));
		w->at = w->n;
	} else if (word_accept(w, "probe")) {
		add_probe(w);
	} else if (word_accept(w, "kernel")) {
		syms_line(session.env.syms, w, false);
	} else if (word_accept(w, "process")) {
		syms_line(session.env.syms, w, true);
	} else if (word_accept(w, "aggregation")) {
		rec_aggs_declare(session.aggs, w);
	} else if (word_accept(w, "record")) {
		record_begin(w);
	} else if (word_accept(w, "text")) {
		uint32_t len;
		const char *text = string_take(w, &len);

		fwrite(text, 1, len, stdout);
	} else if (word_accept(w, "newline")) {
		err = sink_newline(session.sink);
	} else if (word_accept(w, "final")) {
		err = rec_aggs_rest(session.aggs);
	} else {
		die("what is \"%s\"?", word_peek(w));
	}
	if (!err)
		err = sink_flush(session.sink);
	if (err)
		printf("error: %s\n", strerror(-err));
}

static void session_open(void)
{
	session.env.opts = &session.opts;
	session.env.syms = syms_new();
	session.stacks = stacks_of(session.env.syms);
	session.env.stacks = &session.stacks;
	session.env.probe = probe_by_id;
	session.env.target = 42;
	session.sink = sink_text_new(&session.env, stdout);
	session.aggs = rec_aggs_new(session.sink, &session.env);
}

int main(int argc, char **argv)
{
	static struct words w;
	char *line = NULL;
	size_t room = 0;
	FILE *f;

	file = argc == 2 ? argv[1] : "records FILE.rec";
	f = fopen(file, "r");
	if (!f)
		die("%s", strerror(errno));
	setenv("TZ", "UTC", 1);
	arena = arena_new();
	session_open();
	while (getline(&line, &room, f) > 0) {
		line_number++;
		words_read(&w, line);
		if (!w.n)
			continue;
		if (w.indented)
			record_action(&w);
		else
			top_line(&w);
		if (words_left(&w))
			die("what is \"%s\" for?", word_peek(&w));
	}
	record_end();
	rec_aggs_free(session.aggs);
	sink_free(session.sink);
	stacks_free(session.stacks);
	arena_free(arena);
	free(line);
	fclose(f);
	return 0;
}
