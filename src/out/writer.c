// SPDX-License-Identifier: Apache-2.0
/* Writes what all output formats share: streams, numbers, values and frames. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "abi/aggregation.h"
#include "base/buf.h"
#include "dtrace/data.h"
#include "out/json.h"
#include "out/writer.h"
#include "out/writers.h"

const struct writer_format writer_formats[] = {
	{.name = "text", .help = "what dtrace prints without this option"},
	{.name = "json", .help = "one JSON object a line, for programs", .open = json_open},
	{.name = "folded", .help = "stacks, for flame graph tools", .open = folded_open},
	{.name = "csv", .help = "aggregations, for spreadsheets", .open = csv_open},
	{.name = "oformat-json", .help = "", .open = document_open_json, .hidden = true},
	{.name = "oformat-xml", .help = "", .open = document_open_xml, .hidden = true},
	{.name = "oformat-html", .help = "", .open = document_open_html, .hidden = true},
	{.name = NULL},
};

/* ---- streams ---- */

int stream_write(struct stream *s)
{
	struct buf *b = &s->buf;
	size_t len = b->len;

	if (b->failed)
		return -ENOMEM;
	b->len = 0;
	if (!len)
		return 0;
	errno = 0;
	if (fwrite(b->data, 1, len, s->out) != len)
		return errno ? -errno : -EIO;
	return 0;
}

int stream_relieve(struct stream *s)
{
	return s->buf.len > 65536 || s->buf.failed ? stream_write(s) : 0;
}

int stream_flush(struct stream *s)
{
	int err = stream_write(s);

	if (err)
		return err;
	errno = 0;
	if (fflush(s->out))
		return errno ? -errno : -EIO;
	return 0;
}

/* ---- values ---- */

int64_t bucket_shown(const struct dtrace_agg_value *v, int64_t count)
{
	return v->normal > 1 ? (int64_t)((__int128)count / (__int128)v->normal) : count;
}

void put_agg_number(struct buf *b, const struct dtrace_agg_value *v)
{
	if (agg_shows_signed(agg_public(v->aggregation->function)))
		put_signed(b, v->number);
	else
		put_unsigned(b, (uint64_t)v->number);
}

void put_frame_name(struct buf *b, const struct dtrace_frame *f)
{
	if (!*f->symbol) {
		buf_puts(b, f->text);
		return;
	}
	if (*f->object) {
		buf_puts(b, f->object);
		buf_putc(b, '`');
	}
	buf_puts(b, f->symbol);
	if (f->line)
		buf_printf(b, " (%s:%" PRIu32 ")", f->file, f->line);
	if (f->inlined)
		buf_puts(b, " [inlined]");
}

static void put_integer(struct buf *b, const struct dtrace_value *v)
{
	if (v->is_signed)
		put_signed(b, (int64_t)v->number);
	else
		put_unsigned(b, v->number);
}

void put_value_text(struct buf *b, const struct dtrace_value *v)
{
	switch (v->kind) {
	case DTRACE_KIND_INT:
	case DTRACE_KIND_POINTER:
		put_integer(b, v);
		break;
	case DTRACE_KIND_FLOAT:
		put_float(b, v->real, v->size);
		break;
	case DTRACE_KIND_STRING:
		buf_put(b, v->bytes, v->len);
		break;
	case DTRACE_KIND_BYTES:
		put_hex(b, v->bytes, v->len);
		break;
	case DTRACE_KIND_ENUM:
		if (v->len)
			buf_put(b, v->bytes, v->len);
		else
			put_integer(b, v);
		break;
	case DTRACE_KIND_SYMBOL:
	case DTRACE_KIND_USYMBOL:
		if (v->nframes)
			buf_puts(b, v->frames[0].text);
		break;
	case DTRACE_KIND_STACK:
	case DTRACE_KIND_USTACK:
		for (unsigned i = v->nframes; i--;) {
			put_frame_name(b, &v->frames[i]);
			if (i)
				buf_putc(b, ';');
		}
		break;
	default:
		break;
	}
}
