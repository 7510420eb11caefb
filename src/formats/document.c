// SPDX-License-Identifier: Apache-2.0
/* Writes option oformat's document of probe firings, in one of three syntaxes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "abi/action.h"
#include "abi/aggregation.h"
#include "base/buf.h"
#include "base/interrupt.h"
#include "dtrace/data.h"
#include "dtrace/dtrace.h"
#include "formats/document.h"
#include "formats/writer.h"
#include "print/kinds.h"

/* The names of a firing, a frame and so on. */
#define PROBES "probes"
#define OUTPUT "output"

/* ---- values ---- */

static const char *object_of(const struct dtrace_frame *f)
{
	const char *slash = strrchr(f->object, '/');

	return slash ? slash + 1 : f->object;
}

static void put_frame(struct document *d, const char *list, const struct dtrace_frame *f)
{
	document_open_instance(d, list);
	document_put_text(d, "symbol", NULL, f->text);
	document_put_text(d, "module", NULL, object_of(f));
	document_put_text(d, "name", NULL, f->symbol);
	document_put_unsigned(d, "offset", NULL, f->offset);
	document_close_instance(d, list);
}

static void put_stack(struct document *d, const struct dtrace_value *v)
{
	const char *list = v->kind == DTRACE_KIND_USTACK ? "ustack-frames" : "stack-frames";

	document_open_list(d, list);
	for (unsigned i = 0; i < v->nframes; i++)
		put_frame(d, list, &v->frames[i]);
	document_close_list(d);
}

static void put_integer(
	struct document *d, const char *name, const char *list, const struct dtrace_value *v)
{
	if (v->is_signed)
		document_put_signed(d, name, list, (int64_t)v->number);
	else
		document_put_unsigned(d, name, list, v->number);
}

/* A value that is one field, as NAME, or as member of LIST. */
static void put_plain(
	struct document *d, const char *name, const char *list, const struct dtrace_value *v)
{
	struct buf text = {0};

	switch (v->kind) {
	case DTRACE_KIND_INT:
	case DTRACE_KIND_POINTER:
		if (v->size <= sizeof(v->number)) {
			put_integer(d, name, list, v);
			return;
		}
		document_put_string(d, name, list, v->bytes, v->len);
		return;
	case DTRACE_KIND_FLOAT:
		document_put_float(d, name, list, v->real, v->size);
		return;
	case DTRACE_KIND_STRING:
		document_put_string(d, name, list, v->bytes, v->len);
		return;
	default:
		writer_put_value_text(&text, v);
		d->s.buf.failed |= text.failed;
		document_put_string(d, name, list, text.data ? text.data : "", text.len);
		buf_free(&text);
	}
}

/* Writes an object of its own in list OUTPUT. */
static void put_value(struct document *d, const struct dtrace_value *v)
{
	document_open_instance(d, OUTPUT);
	if (value_is_stack(v))
		put_stack(d, v);
	else
		put_plain(d, "value", NULL, v);
	document_close_instance(d, OUTPUT);
}

static void put_symbol(struct document *d, const char *name, const struct dtrace_frame *f)
{
	document_open_instance(d, OUTPUT);
	document_put_text(d, name, NULL, f->text);
	document_put_text(d, "object", NULL, object_of(f));
	document_put_text(d, "name", NULL, f->symbol);
	document_put_unsigned(d, "offset", NULL, f->offset);
	document_close_instance(d, OUTPUT);
}

/* ---- print() ---- */

/* The members of a value, each an object of list "type": PATH is how a program would name it. */
static void put_tree(struct document *d, const struct dtrace_value *v, struct buf *path)
{
	bool inner = v->kind == DTRACE_KIND_STRUCT || v->kind == DTRACE_KIND_UNION ||
		v->kind == DTRACE_KIND_ARRAY;
	size_t len = path->len;

	document_open_instance(d, "type");
	document_put_text(d, "object-name", NULL, "");
	document_put_text(d, "name", NULL, v->type);
	document_put_string(d, "member-name", NULL, path->data ? path->data : "", path->len);
	if (!inner)
		put_plain(d, "value", NULL, v);
	document_close_instance(d, "type");
	for (unsigned i = 0; inner && i < v->nmembers; i++) {
		const struct dtrace_member *m = &v->members[i];

		if (v->kind == DTRACE_KIND_ARRAY)
			buf_printf(path, "[%u]", m->index);
		else if (*m->name)
			buf_printf(path, "%s%s", len ? "." : "", m->name);
		put_tree(d, &m->value, path);
		path->len = len;
	}
}

static void put_print(struct document *d, const struct dtrace_value *v)
{
	struct buf path = {0};

	document_open_instance(d, OUTPUT);
	document_open_list(d, "type");
	put_tree(d, v, &path);
	document_close_list(d);
	document_close_instance(d, OUTPUT);
	d->s.buf.failed |= path.failed;
	buf_free(&path);
}

/* ---- aggregations ---- */

#define ROWS "aggregation-data"

static void put_keys(struct document *d, const struct dtrace_row *row, unsigned n)
{
	document_open_list(d, "keys");
	for (unsigned i = 0; i < n; i++) {
		if (!value_is_stack(&row->keys[i])) {
			put_plain(d, NULL, "keys", &row->keys[i]);
			continue;
		}
		document_open_instance(d, "keys");
		put_stack(d, &row->keys[i]);
		document_close_instance(d, "keys");
	}
	document_close_list(d);
}

static void put_agg_value(struct document *d, const struct dtrace_agg_value *v)
{
	const struct dtrace_aggregation *a = v->aggregation;

	if (!aggregation_is_distribution(a)) {
		if (agg_shows_signed(agg_public(a->function)))
			document_put_signed(d, a->function_name, NULL, v->number);
		else
			document_put_unsigned(d, a->function_name, NULL, (uint64_t)v->number);
		return;
	}
	document_open_list(d, "buckets");
	for (unsigned i = 0; i < v->nbuckets; i++) {
		document_open_instance(d, "buckets");
		document_put_signed(d, "value", NULL, v->buckets[i].low);
		document_put_signed(d, "count", NULL, writer_bucket_shown(v, v->buckets[i].count));
		document_close_instance(d, "buckets");
	}
	document_close_list(d);
}

/* Number I of the aggregations that T joins. */
static int put_aggregation(struct document *d, const struct dtrace_table *t, unsigned i)
{
	const struct dtrace_aggregation *a = &t->aggregations[i];
	const unsigned requests = interrupt_count();
	int err = 0;

	document_open_instance(d, OUTPUT);
	document_open_list(d, ROWS);
	for (unsigned k = 0; !err && k < t->nrows && interrupt_count() == requests; k++) {
		const struct dtrace_row *row = dtrace_table_row(t, k);

		if (!row)
			return -ENOMEM;
		if (!row->values[i].present)
			continue;
		document_open_instance(d, ROWS);
		put_keys(d, row, a->nkeys);
		put_agg_value(d, &row->values[i]);
		document_close_instance(d, ROWS);
		err = stream_relieve(&d->s);
	}
	document_close_list(d);
	document_put_text(d, "aggregation-name", NULL, a->name);
	document_close_instance(d, OUTPUT);
	return err;
}

static int put_table(struct document *d, const struct dtrace_table *t)
{
	int err = 0;

	for (unsigned i = 0; !err && i < t->naggregations; i++)
		err = put_aggregation(d, t, i);
	return err;
}

/* ---- firings ---- */

static int end_firing(struct document *d)
{
	document_close_instance(d, PROBES);
	if (!d->pretty)
		buf_putc(&d->s.buf, '\n');
	return stream_write(&d->s);
}

static int document_begin_record(void *arg, const struct dtrace_record *r)
{
	struct document *d = arg;

	document_open_instance(d, PROBES);
	document_put_unsigned(d, "timestamp", NULL, r->time);
	document_put_unsigned(d, "cpu", NULL, r->cpu);
	document_put_unsigned(d, "id", NULL, r->probe->id);
	document_put_text(d, "provider", NULL, r->probe->provider);
	document_put_text(d, "module", NULL, r->probe->module);
	document_put_text(d, "function", NULL, r->probe->function);
	document_put_text(d, "name", NULL, r->probe->name);
	document_open_list(d, OUTPUT);
	return 0;
}

static int document_item(void *arg, const struct dtrace_record *r, const struct dtrace_item *i)
{
	struct document *d = arg;
	int err = 0;

	switch (action_public(i->action)->shape) {
	case SHAPE_VALUE:
		if (i->action == DTRACE_ACTION_SYMBOL)
			put_symbol(d, i->name, &i->values[0].frames[0]);
		else
			put_value(d, &i->values[0]);
		break;
	case SHAPE_BYTES:
		put_value(d, &i->values[0]);
		break;
	case SHAPE_TYPED:
		put_print(d, &i->values[0]);
		break;
	case SHAPE_FORMAT:
		document_open_instance(d, OUTPUT);
		document_put_string(d, "message", NULL, i->text ? i->text : "", i->text_len);
		document_close_instance(d, OUTPUT);
		for (unsigned k = 0; k < i->nvalues; k++)
			put_value(d, &i->values[k]);
		break;
	case SHAPE_PACKET:
		put_value(d, &i->values[2]);
		break;
	case SHAPE_TABLE:
		err = put_table(d, i->table);
		break;
	case SHAPE_NOTHING:
		break;
	}
	return err ? err : stream_relieve(&d->s);
}

static int document_end_record(void *arg, const struct dtrace_record *r)
{
	struct document *d = arg;

	document_close_list(d);
	return end_firing(d);
}

/* Opens a firing for output that no probe fired for. */
static void open_pseudo(struct document *d, const char *name)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	document_open_instance(d, PROBES);
	document_put_unsigned(
		d, "timestamp", NULL, (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec);
	document_put_signed(d, "cpu", NULL, -1);
	document_put_signed(d, "id", NULL, -1);
	document_put_text(d, "provider", NULL, "dtrace");
	document_put_text(d, "module", NULL, "INTERNAL");
	document_put_text(d, "function", NULL, "INTERNAL");
	document_put_text(d, "name", NULL, name);
}

static int document_table(void *arg, const struct dtrace_table *t)
{
	struct document *d = arg;
	int err;

	open_pseudo(d, "AGGREGATION");
	document_open_list(d, OUTPUT);
	err = put_table(d, t);
	document_close_list(d);
	return err ? err : end_firing(d);
}

static int document_drop(void *arg, const struct dtrace_drop *drop)
{
	struct document *d = arg;

	open_pseudo(d, "DROP");
	document_put_unsigned(d, "count", NULL, drop->count);
	document_put_unsigned(d, "total", NULL, drop->total);
	document_put_text(d, "kind", NULL, drop->kind);
	document_put_text(d, "msg", NULL, drop->text);
	return end_firing(d);
}

/* ---- the document ---- */

static int document_finish(void *arg)
{
	struct document *d = arg;

	document_close_list(d);
	document_close_container(d, "dtrace");
	document_end(d);
	return stream_flush(&d->s);
}

static int document_flush(void *arg)
{
	struct document *d = arg;

	return stream_flush(&d->s);
}

static void document_release(void *arg)
{
	struct document *d = arg;

	buf_free(&d->s.buf);
	free(d);
}

static int document_open(
	enum document_syntax syntax, FILE *out, const struct writer_info *info, struct writer *w)
{
	struct document *d = calloc(1, sizeof(*d));

	if (!d)
		return -ENOMEM;
	d->syntax = syntax;
	d->pretty = info->pretty;
	d->s.out = out;
	document_begin(d);
	document_open_container(d, "dtrace");
	document_open_list(d, PROBES);
	*w = (struct writer){
		.consumer =
			{
				.arg = d,
				.want_time = true,
				.begin = document_begin_record,
				.item = document_item,
				.end = document_end_record,
				.table = document_table,
				.drop = document_drop,
				.finish = document_finish,
				.flush = document_flush,
			},
		.release = document_release,
	};
	return 0;
}

int document_open_json(FILE *out, const struct writer_info *info, struct writer *w)
{
	return document_open(DOCUMENT_JSON, out, info, w);
}

int document_open_xml(FILE *out, const struct writer_info *info, struct writer *w)
{
	return document_open(DOCUMENT_XML, out, info, w);
}

int document_open_html(FILE *out, const struct writer_info *info, struct writer *w)
{
	return document_open(DOCUMENT_HTML, out, info, w);
}
