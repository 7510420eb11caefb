/* SPDX-License-Identifier: Apache-2.0 */
/*
 * writers: shared by the output formats (writer.h), and the function that opens each.
 *
 * A stream gathers text and writes it in one piece; who owns it calls buf_free(&s->buf).  The FILE
 * is the caller's.
 */
#ifndef FORMATS_WRITERS_H
#define FORMATS_WRITERS_H

#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"

struct dtrace_agg_value;
struct dtrace_frame;
struct dtrace_value;
struct writer;
struct writer_info;

struct stream {
	FILE *out;
	struct buf buf;
};

/* Write what was gathered: 0 or -errno; -ENOMEM if not everything could be gathered. */
int stream_write(struct stream *s);

/* Writes if much was gathered: for output of any length. */
int stream_relieve(struct stream *s);

/* Writes and flushes. */
int stream_flush(struct stream *s);

/* ---- values, for the formats that show them as one text ---- */

/* Returns the number shown for a count of V's buckets. */
int64_t writer_bucket_shown(const struct dtrace_agg_value *v, int64_t count);

/* Prints the number that V shows, in decimal; not for distributions. */
void writer_put_agg_number(struct buf *b, const struct dtrace_agg_value *v);

/* Writes "object`symbol", or the text of the text output if there is no symbol. */
void writer_put_frame_name(struct buf *b, const struct dtrace_frame *f);

/*
 * Writes decimal numbers, a string unchanged, bytes in hex, an enumerator's or a symbol's name, the
 * frames of a stack outermost first with ';' between them.  Nothing for what has members.
 */
void writer_put_value_text(struct buf *b, const struct dtrace_value *v);

/* ---- the formats: functions for struct writer_format ---- */

#define FORMAT_TEXT(...)
#define FORMAT(name, open, ...) \
	int open(FILE *out, const struct writer_info *info, struct writer *w);
#include "formats/formats.def"

#endif
