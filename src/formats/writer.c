// SPDX-License-Identifier: Apache-2.0
/* Writes what all output formats share: streams, numbers, values and frames. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "abi/aggregation.h"
#include "base/buf.h"
#include "dtrace/data.h"
#include "formats/json.h"
#include "formats/writer.h"
#include "formats/writers.h"

void writer_say(const struct writer_info *info, const char *fmt, ...)
{
	char text[512];
	int len = snprintf(text, sizeof(text), "%s: ", info->format);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text + len, sizeof(text) - (size_t)len, fmt, ap);
	va_end(ap);
	info->say(info->say_arg, text);
}

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

int64_t writer_bucket_shown(const struct dtrace_agg_value *v, int64_t count)
{
	return v->normal > 1 ? (int64_t)((__int128)count / (__int128)v->normal) : count;
}

void writer_put_agg_number(struct buf *b, const struct dtrace_agg_value *v)
{
	if (agg_shows_signed(agg_public(v->aggregation->function)))
		json_put_signed(b, v->number);
	else
		json_put_unsigned(b, (uint64_t)v->number);
}

void writer_put_frame_name(struct buf *b, const struct dtrace_frame *f)
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
	/* a managed function is one frame, whatever its line: these names are for sums */
	if (f->line && !*f->kind)
		buf_printf(b, " (%s:%" PRIu32 ")", f->file, f->line);
	else if (*f->file)
		buf_printf(b, " (%s)", f->file);
	if (f->inlined)
		buf_puts(b, " [inlined]");
}

static void put_integer(struct buf *b, const struct dtrace_value *v)
{
	if (v->is_signed)
		json_put_signed(b, (int64_t)v->number);
	else
		json_put_unsigned(b, v->number);
}

void writer_put_value_text(struct buf *b, const struct dtrace_value *v)
{
	switch (v->kind) {
	case DTRACE_KIND_INT:
	case DTRACE_KIND_POINTER:
		put_integer(b, v);
		break;
	case DTRACE_KIND_FLOAT:
		json_put_double(b, v->real, v->size);
		break;
	case DTRACE_KIND_STRING:
		buf_put(b, v->bytes, v->len);
		break;
	case DTRACE_KIND_BYTES:
		json_put_hex(b, v->bytes, v->len);
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
			writer_put_frame_name(b, &v->frames[i]);
			if (i)
				buf_putc(b, ';');
		}
		break;
	default:
		break;
	}
}
