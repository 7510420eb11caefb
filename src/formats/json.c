// SPDX-License-Identifier: Apache-2.0
/* Writes one JSON object a line; docs/json.md is the schema, and SCHEMA its number. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/aggregation.h"
#include "base/interrupt.h"
#include "dtrace/data.h"
#include "dtrace/dtrace.h"
#include "formats/json.h"
#include "formats/writer.h"
#include "formats/writers.h"
#include "print/kinds.h"

#define SCHEMA "2"

struct json {
	struct stream s;
	/* the members that tell the probe of the last record */
	struct buf probe;
	uint32_t probe_id;
	/* what happens while a record is being written comes after it */
	struct buf later;
	bool in_record, any_item;
	uint64_t records, drops, errors;
};

/* Returns the buffer for a line that is not part of a record. */
static struct buf *line_of(struct json *j)
{
	return j->in_record ? &j->later : &j->s.buf;
}

static int end_line(struct json *j)
{
	return j->in_record ? 0 : stream_write(&j->s);
}

/* ---- values ---- */

/* True if P is what the text output has after a frame, for F's place in the source. */
static bool is_usual_tail(const struct dtrace_frame *f, const char *p)
{
	char line[32] = "";
	size_t n;

	if (*f->file) {
		n = strlen(f->file);
		if (strncmp(p, " (", 2) != 0 || strncmp(p + 2, f->file, n) != 0)
			return false;
		p += 2 + n;
		if (f->line)
			snprintf(line, sizeof(line), ":%lu%s)", (unsigned long)f->line,
				f->first_line ? "+" : "");
		else
			strcpy(line, ")");
	}
	n = strlen(line);
	return !strncmp(p, line, n) && !strcmp(p + n, f->inlined ? " [inlined]" : "");
}

/* True if the text of a frame follows from its object, symbol, address and line. */
static bool is_usual_text(const struct dtrace_frame *f)
{
	char text[40];
	const char *p = f->text;
	size_t n = strlen(f->object);

	if (n) {
		if (strncmp(p, f->object, n) != 0 || p[n] != '`')
			return false;
		p += n + 1;
	}
	n = strlen(f->symbol);
	if (!n) {
		snprintf(text, sizeof(text), "0x%llx", (unsigned long long)f->address);
		n = strlen(text);
		return !strncmp(p, text, n) && is_usual_tail(f, p + n);
	}
	if (strncmp(p, f->symbol, n) != 0)
		return false;
	p += n;
	*text = '\0';
	if (f->offset)
		snprintf(text, sizeof(text), "+0x%llx", (unsigned long long)f->offset);
	n = strlen(text);
	return !strncmp(p, text, n) && is_usual_tail(f, p + n);
}

static void put_frame(struct buf *b, const struct dtrace_frame *f)
{
	if (*f->kind) {
		put_literal(b, "{\"kind\":");
		json_put_text(b, f->kind);
	} else {
		put_literal(b, "{\"address\":");
		json_put_unsigned(b, f->address);
	}
	if (*f->object) {
		put_literal(b, ",\"object\":");
		json_put_text(b, f->object);
	}
	if (*f->symbol) {
		put_literal(b, ",\"symbol\":");
		json_put_text(b, f->symbol);
	}
	if (!*f->kind && (*f->symbol || *f->object)) {
		put_literal(b, ",\"offset\":");
		json_put_unsigned(b, f->offset);
	}
	if (*f->file) {
		put_literal(b, ",\"file\":");
		json_put_text(b, f->file);
	}
	if (f->line) {
		put_literal(b, ",\"line\":");
		json_put_unsigned(b, f->line);
	}
	if (f->first_line)
		put_literal(b, ",\"first_line\":true");
	if (f->inlined)
		put_literal(b, ",\"inlined\":true");
	if (!is_usual_text(f)) {
		put_literal(b, ",\"text\":");
		json_put_text(b, f->text);
	}
	put_char(b, '}');
}

static void put_frames(struct buf *b, const struct dtrace_value *v)
{
	put_char(b, '[');
	for (unsigned i = 0; i < v->nframes; i++) {
		if (i)
			put_char(b, ',');
		put_frame(b, &v->frames[i]);
	}
	put_char(b, ']');
}

/* Writes a number; BYTES are the digits of an integer of 16 bytes. */
static void put_number(struct buf *b, const struct dtrace_value *v)
{
	if (v->kind != DTRACE_KIND_ENUM && v->size > sizeof(v->number) && v->len)
		put_bytes(b, v->bytes, v->len);
	else if (v->is_signed)
		json_put_signed(b, (int64_t)v->number);
	else
		json_put_unsigned(b, v->number);
}

static void put_members(struct buf *b, const struct dtrace_value *v);

static void put_value(struct buf *b, const struct dtrace_value *v)
{
	put_literal(b, ",\"value\":");
	switch (v->kind) {
	case DTRACE_KIND_INT:
	case DTRACE_KIND_POINTER:
	case DTRACE_KIND_ENUM:
		put_number(b, v);
		break;
	case DTRACE_KIND_FLOAT:
		json_put_float(b, v->real, v->size);
		break;
	case DTRACE_KIND_STRING:
		json_put_string(b, v->bytes, v->len);
		break;
	case DTRACE_KIND_BYTES:
		put_char(b, '"');
		json_put_hex(b, v->bytes, v->len);
		put_char(b, '"');
		break;
	case DTRACE_KIND_STACK:
	case DTRACE_KIND_USTACK:
		put_frames(b, v);
		break;
	case DTRACE_KIND_SYMBOL:
	case DTRACE_KIND_USYMBOL:
		if (v->nframes)
			put_frame(b, v->frames);
		else
			put_literal(b, "null");
		break;
	case DTRACE_KIND_STRUCT:
	case DTRACE_KIND_UNION:
	case DTRACE_KIND_ARRAY:
		put_members(b, v);
		break;
	}
}

/* Writes the members that are optional. */
static void put_extras(struct buf *b, const struct dtrace_value *v)
{
	switch (v->kind) {
	case DTRACE_KIND_INT:
	case DTRACE_KIND_STRING:
	case DTRACE_KIND_BYTES:
		if (v->is_char)
			put_literal(b, ",\"char\":true");
		break;
	case DTRACE_KIND_ENUM:
		if (v->len) {
			put_literal(b, ",\"enumerator\":");
			json_put_string(b, v->bytes, v->len);
		}
		break;
	case DTRACE_KIND_FLOAT:
		put_literal(b, ",\"bytes\":\"");
		json_put_hex(b, v->bytes, v->len);
		put_char(b, '"');
		break;
	case DTRACE_KIND_USTACK:
	case DTRACE_KIND_USYMBOL:
		put_literal(b, ",\"pid\":");
		json_put_signed(b, v->pid);
		break;
	default:
		break;
	}
	if (v->incomplete)
		put_literal(b, ",\"complete\":false");
	if (v->cut)
		put_literal(b, ",\"cut\":true");
}

/* Writes the members of a value's object. */
static void put_typed(struct buf *b, const struct dtrace_value *v)
{
	put_literal(b, "\"kind\":\"");
	buf_puts(b, json_kinds[v->kind]);
	put_char(b, '"');
	if (*v->type) {
		put_literal(b, ",\"type\":");
		json_put_text(b, v->type);
	}
	put_literal(b, ",\"size\":");
	json_put_unsigned(b, v->size);
	if (v->kind == DTRACE_KIND_INT || v->kind == DTRACE_KIND_ENUM)
		buf_puts(b, v->is_signed ? ",\"signed\":true" : ",\"signed\":false");
	put_value(b, v);
	put_extras(b, v);
}

static void put_members(struct buf *b, const struct dtrace_value *v)
{
	put_char(b, '[');
	for (unsigned i = 0; i < v->nmembers; i++) {
		const struct dtrace_member *m = &v->members[i];

		buf_puts(b, i ? ",{" : "{");
		if (v->kind == DTRACE_KIND_ARRAY) {
			put_literal(b, "\"index\":");
			json_put_unsigned(b, m->index);
		} else {
			put_literal(b, "\"member\":");
			json_put_text(b, m->name);
		}
		put_char(b, ',');
		put_typed(b, &m->value);
		put_char(b, '}');
	}
	put_char(b, ']');
}

static void put_values(struct buf *b, const struct dtrace_value *values, unsigned n)
{
	put_char(b, '[');
	for (unsigned i = 0; i < n; i++) {
		buf_puts(b, i ? ",{" : "{");
		put_typed(b, &values[i]);
		put_char(b, '}');
	}
	put_char(b, ']');
}

/* ---- aggregations ---- */

static void put_parameter(struct buf *b, const char *name, int64_t n)
{
	put_char(b, ',');
	json_put_text(b, name);
	put_char(b, ':');
	json_put_signed(b, n);
}

static void parameters_quantize(struct buf *b, const struct dtrace_aggregation *a)
{
}

static void parameters_lquantize(struct buf *b, const struct dtrace_aggregation *a)
{
	put_parameter(b, "base", a->base);
	put_parameter(b, "limit", a->limit);
	put_parameter(b, "step", a->step);
}

static void parameters_llquantize(struct buf *b, const struct dtrace_aggregation *a)
{
	put_parameter(b, "factor", a->factor);
	put_parameter(b, "low", a->low);
	put_parameter(b, "high", a->high);
	put_parameter(b, "steps", a->steps);
}

static void (*const parameters[AGG_FUNCS])(struct buf *b, const struct dtrace_aggregation *a) = {
#define AGGREGATION(name, params, traits, help, kind, ...) \
	AGG_IF_DISTRIBUTION(kind, [AGG_##name] = parameters_##name, )
#include "abi/aggregations.def"
};

static void put_aggregation(struct buf *b, const struct dtrace_aggregation *a)
{
	enum agg_func func = agg_public(a->function)->func;

	put_literal(b, "{\"name\":");
	json_put_text(b, a->name);
	put_parameter(b, "id", a->id);
	put_literal(b, ",\"function\":");
	json_put_text(b, a->function_name);
	if (parameters[func])
		parameters[func](b, a);
	put_char(b, '}');
}

static void put_buckets(struct buf *b, const struct dtrace_agg_value *v)
{
	put_literal(b, "\"buckets\":[");
	for (unsigned i = 0; i < v->nbuckets; i++) {
		buf_puts(b, i ? ",{\"low\":" : "{\"low\":");
		json_put_signed(b, v->buckets[i].low);
		put_literal(b, ",\"high\":");
		json_put_signed(b, v->buckets[i].high);
		put_literal(b, ",\"count\":");
		json_put_signed(b, v->buckets[i].count);
		put_char(b, '}');
	}
	put_char(b, ']');
}

/* Writes the words that the number shown was computed from. */
static void put_words(struct buf *b, const struct dtrace_agg_value *v)
{
	const struct agg_info *info = agg_public(v->aggregation->function);

	if (info->kind == AGG_KEEPS) {
		put_literal(b, ",\"count\":");
		json_put_unsigned(b, v->words[1]);
	} else if (info->result == AGG_MEAN || info->result == AGG_DEVIATION) {
		put_literal(b, ",\"count\":");
		json_put_unsigned(b, v->words[0]);
		put_literal(b, ",\"sum\":");
		json_put_signed(b, (int64_t)v->words[1]);
	}
	if (info->result == AGG_DEVIATION) {
		put_literal(b, ",\"sum_of_squares\":");
		json_put_unsigned128(b, (unsigned __int128)v->words[3] << 64 | v->words[2]);
	}
}

static void put_normal(struct buf *b, const struct dtrace_agg_value *v)
{
	enum agg_result result = agg_public(v->aggregation->function)->result;

	if (v->normal == 1)
		return;
	put_literal(b, ",\"normal\":");
	json_put_unsigned(b, v->normal);
	if (result != AGG_SIGNED && result != AGG_UNSIGNED)
		return;
	put_literal(b, ",\"raw\":");
	if (result == AGG_SIGNED)
		json_put_signed(b, (int64_t)v->words[0]);
	else
		json_put_unsigned(b, v->words[0]);
}

static void put_agg_value(struct buf *b, const struct dtrace_agg_value *v)
{
	put_char(b, '{');
	if (aggregation_is_distribution(v->aggregation)) {
		put_buckets(b, v);
	} else {
		put_literal(b, "\"value\":");
		writer_put_agg_number(b, v);
		put_words(b, v);
	}
	put_normal(b, v);
	if (!v->present)
		put_literal(b, ",\"present\":false");
	if (v->cpus) {
		put_literal(b, ",\"cpus\":[");
		for (unsigned i = 0; i < v->ncpus; i++) {
			if (i)
				put_char(b, ',');
			put_agg_value(b, &v->cpus[i]);
		}
		put_char(b, ']');
	}
	put_char(b, '}');
}

static void put_row(struct buf *b, const struct dtrace_table *t, const struct dtrace_row *row)
{
	put_literal(b, "{\"keys\":");
	put_values(b, row->keys, t->aggregations[0].nkeys);
	put_literal(b, ",\"values\":[");
	for (unsigned i = 0; i < t->naggregations; i++) {
		if (i)
			put_char(b, ',');
		put_agg_value(b, &row->values[i]);
	}
	put_char(b, ']');
	if (row->text) {
		put_literal(b, ",\"text\":");
		json_put_string(b, row->text, row->text_len);
	}
	put_char(b, '}');
}

/* Members "aggregations" and "rows"; there may be more rows than memory should hold. */
static int put_table(struct json *j, const struct dtrace_table *t, bool rows)
{
	const unsigned requests = interrupt_count();
	struct buf *b = &j->s.buf;
	int err = 0;

	put_literal(b, ",\"aggregations\":[");
	for (unsigned i = 0; i < t->naggregations; i++) {
		if (i)
			put_char(b, ',');
		put_aggregation(b, &t->aggregations[i]);
	}
	put_char(b, ']');
	if (!rows)
		return 0;
	put_literal(b, ",\"rows\":[");
	for (unsigned i = 0; !err && i < t->nrows && interrupt_count() == requests; i++) {
		const struct dtrace_row *row = dtrace_table_row(t, i);

		if (!row)
			return -ENOMEM;
		if (i)
			put_char(b, ',');
		put_row(b, t, row);
		err = stream_relieve(&j->s);
	}
	put_char(b, ']');
	return err;
}

static int json_table(void *arg, const struct dtrace_table *t)
{
	struct json *j = arg;
	int err;

	put_literal(&j->s.buf, "{\"type\":\"aggregation\"");
	err = put_table(j, t, true);
	put_literal(&j->s.buf, "}\n");
	return err ? err : stream_write(&j->s);
}

/* ---- records ---- */

static void put_probe(struct buf *b, const struct dtrace_probe *p)
{
	put_literal(b, ",\"id\":");
	json_put_unsigned(b, p->id);
	put_literal(b, ",\"provider\":");
	json_put_text(b, p->provider);
	put_literal(b, ",\"module\":");
	json_put_text(b, p->module);
	put_literal(b, ",\"function\":");
	json_put_text(b, p->function);
	put_literal(b, ",\"name\":");
	json_put_text(b, p->name);
}

/* Of what was running; idle CPUs run no process. */
static void put_thread(struct buf *b, const struct dtrace_record *r)
{
	if (r->tid) {
		put_literal(b, ",\"pid\":");
		json_put_signed(b, r->pid);
		put_literal(b, ",\"tid\":");
		json_put_signed(b, r->tid);
	}
	if (*r->execname) {
		put_literal(b, ",\"execname\":");
		json_put_text(b, r->execname);
	}
	if (strcmp(r->threadname, r->execname) != 0) {
		put_literal(b, ",\"threadname\":");
		json_put_text(b, r->threadname);
	}
}

static int json_begin(void *arg, const struct dtrace_record *r)
{
	struct json *j = arg;
	struct buf *b = &j->s.buf;

	put_literal(b, "{\"type\":\"record\"");
	if (r->time) {
		put_literal(b, ",\"time\":");
		json_put_unsigned(b, r->time);
	}
	put_literal(b, ",\"cpu\":");
	json_put_unsigned(b, r->cpu);
	put_thread(b, r);
	if (!j->probe.len || j->probe_id != r->probe->id) {
		j->probe.len = 0;
		j->probe_id = r->probe->id;
		put_probe(&j->probe, r->probe);
		b->failed |= j->probe.failed;
	}
	put_bytes(b, j->probe.data, j->probe.len);
	put_literal(b, ",\"clause\":");
	json_put_unsigned(b, r->clause);
	if (r->continued)
		put_literal(b, ",\"continued\":true");
	put_literal(b, ",\"items\":[");
	j->in_record = true;
	j->any_item = false;
	j->records++;
	return 0;
}

static int json_item(void *arg, const struct dtrace_record *r, const struct dtrace_item *i)
{
	struct json *j = arg;
	struct buf *b = &j->s.buf;
	int err = 0;

	buf_puts(b, j->any_item ? ",{\"action\":" : "{\"action\":");
	j->any_item = true;
	json_put_text(b, i->name);
	if (i->format) {
		put_literal(b, ",\"format\":");
		json_put_text(b, i->format);
	}
	/* of printa() it is that of the rows */
	if (i->text && !i->table) {
		put_literal(b, ",\"text\":");
		json_put_string(b, i->text, i->text_len);
	}
	if (i->nvalues) {
		put_literal(b, ",\"values\":");
		put_values(b, i->values, i->nvalues);
	}
	if (i->table)
		err = put_table(j, i->table, i->action == DTRACE_ACTION_PRINTA);
	put_char(b, '}');
	return err ? err : stream_relieve(&j->s);
}

static int json_end(void *arg, const struct dtrace_record *r)
{
	struct json *j = arg;
	struct buf *b = &j->s.buf;

	put_literal(b, "]}\n");
	j->in_record = false;
	b->failed |= j->later.failed;
	put_bytes(b, j->later.data, j->later.len);
	j->later.len = 0;
	return stream_write(&j->s);
}

/* ---- the rest ---- */

static int json_drop(void *arg, const struct dtrace_drop *d)
{
	struct json *j = arg;
	struct buf *b = line_of(j);

	put_literal(b, "{\"type\":\"drop\",\"kind\":");
	json_put_text(b, d->kind);
	if (d->cpu >= 0) {
		put_literal(b, ",\"cpu\":");
		json_put_signed(b, d->cpu);
	}
	put_literal(b, ",\"count\":");
	json_put_unsigned(b, d->count);
	put_literal(b, ",\"total\":");
	json_put_unsigned(b, d->total);
	put_literal(b, ",\"text\":");
	json_put_text(b, d->text);
	put_literal(b, "}\n");
	j->drops += d->count;
	return end_line(j);
}

/* Append the members of a place, without braces. */
static void put_place(struct buf *b, const struct dtrace_place *p)
{
	if (p->file) {
		put_literal(b, "\"file\":");
		json_put_text(b, p->file);
		put_literal(b, ",");
	}
	put_literal(b, "\"line\":");
	json_put_unsigned(b, p->line);
	put_literal(b, ",\"column\":");
	json_put_unsigned(b, p->column);
	if (p->expression) {
		put_literal(b, ",\"expression\":");
		json_put_text(b, p->expression);
	}
}

static int json_fault(void *arg, const struct dtrace_fault *f)
{
	struct json *j = arg;
	struct buf *b = line_of(j);

	put_literal(b, "{\"type\":\"error\"");
	if (f->probe)
		put_probe(b, f->probe);
	put_literal(b, ",\"clause\":");
	json_put_unsigned(b, f->clause);
	put_literal(b, ",\"cpu\":");
	json_put_unsigned(b, f->cpu);
	put_literal(b, ",\"code\":");
	json_put_unsigned(b, f->code);
	put_literal(b, ",\"value\":");
	json_put_unsigned(b, f->value);
	put_literal(b, ",\"what\":");
	json_put_text(b, f->what);
	put_literal(b, ",\"text\":");
	json_put_text(b, f->text);
	if (f->place) {
		put_literal(b, ",\"action\":");
		json_put_unsigned(b, f->action);
		put_literal(b, ",");
		put_place(b, f->place);
	}
	if (f->definition) {
		put_literal(b, ",\"definition\":{");
		put_place(b, f->definition);
		put_literal(b, "}");
	}
	put_literal(b, "}\n");
	j->errors++;
	return end_line(j);
}

static int json_finish(void *arg)
{
	struct json *j = arg;
	struct buf *b = &j->s.buf;

	put_literal(b, "{\"type\":\"end\",\"records\":");
	json_put_unsigned(b, j->records);
	put_literal(b, ",\"drops\":");
	json_put_unsigned(b, j->drops);
	put_literal(b, ",\"errors\":");
	json_put_unsigned(b, j->errors);
	put_literal(b, "}\n");
	return stream_flush(&j->s);
}

static int json_flush(void *arg)
{
	struct json *j = arg;

	return stream_flush(&j->s);
}

static void json_release(void *arg)
{
	struct json *j = arg;

	buf_free(&j->s.buf);
	buf_free(&j->later);
	buf_free(&j->probe);
	free(j);
}

static void put_options(struct buf *b, const char *const *options)
{
	if (!options || !*options)
		return;
	for (unsigned i = 0; options[i]; i++) {
		buf_puts(b, i ? "," : ",\"options\":[");
		json_put_text(b, options[i]);
	}
	put_char(b, ']');
}

static void put_about(struct buf *b, const struct writer_about *about)
{
	const char *texts[][2] = {{"name", about->name}, {"program", about->program},
		{"command", about->command}, {"host", about->host}};
	const char *before = ",\"about\":{";

	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (!texts[i][1])
			continue;
		buf_printf(b, "%s\"%s\":", before, texts[i][0]);
		json_put_text(b, texts[i][1]);
		before = ",";
	}
	if (about->time) {
		buf_printf(b, "%s\"time\":%llu", before, (unsigned long long)about->time);
		before = ",";
	}
	if (*before == ',' && !before[1])
		put_char(b, '}');
}

int json_open(FILE *out, const struct writer_info *info, struct writer *w)
{
	struct json *j = calloc(1, sizeof(*j));

	if (!j)
		return -ENOMEM;
	j->s.out = out;
	put_literal(&j->s.buf, "{\"type\":\"session\",\"schema\":" SCHEMA ",\"version\":");
	json_put_text(&j->s.buf, info->version);
	put_options(&j->s.buf, info->options);
	put_about(&j->s.buf, &info->about);
	put_literal(&j->s.buf, "}\n");
	*w = (struct writer){
		.consumer =
			{
				.arg = j,
				.want_time = true,
				.want_thread = true,
				.begin = json_begin,
				.item = json_item,
				.end = json_end,
				.table = json_table,
				.drop = json_drop,
				.fault = json_fault,
				.finish = json_finish,
				.flush = json_flush,
			},
		.release = json_release,
	};
	return 0;
}
