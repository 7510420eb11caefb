/* SPDX-License-Identifier: Apache-2.0 */
/*
 * writers: shared by the output formats (writer.h), and the function that opens each.
 *
 * A stream gathers text and writes it in one piece; who owns it calls buf_free(&s->buf).  The FILE
 * is the caller's.
 */
#ifndef FORMATS_WRITERS_H
#define FORMATS_WRITERS_H

#include "abi/aggregation.h"
#include "base/buf.h"
#include "dtrace/data.h"
#include "formats/writer.h"

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

static inline bool value_is_stack(const struct dtrace_value *v)
{
	return v->kind == DTRACE_KIND_STACK || v->kind == DTRACE_KIND_USTACK;
}

static inline bool aggregation_is_distribution(const struct dtrace_aggregation *a)
{
	return agg_public(a->function)->kind == AGG_DISTRIBUTION;
}

/* Returns the parameters of A's buckets; without buckets they are 0. */
static inline struct agg_params aggregation_params(const struct dtrace_aggregation *a)
{
	return (struct agg_params){
		.base = a->base,
		.limit = a->limit,
		.step = (uint16_t)a->step,
		.factor = (uint16_t)a->factor,
		.lmag = (uint16_t)a->low,
		.hmag = (uint16_t)a->high,
		.steps = (uint16_t)a->steps,
	};
}

/* Returns the number shown for a count of V's buckets. */
int64_t bucket_shown(const struct dtrace_agg_value *v, int64_t count);

/* Prints the number that V shows, in decimal; not for distributions. */
void put_agg_number(struct buf *b, const struct dtrace_agg_value *v);

/* Writes "object`symbol", or the text of the text output if there is no symbol. */
void put_frame_name(struct buf *b, const struct dtrace_frame *f);

/*
 * Writes decimal numbers, a string unchanged, bytes in hex, an enumerator's or a symbol's name, the
 * frames of a stack outermost first with ';' between them.  Nothing for what has members.
 */
void put_value_text(struct buf *b, const struct dtrace_value *v);

/* ---- the formats: functions for struct writer_format ---- */

#define FORMAT_TEXT(...)
#define FORMAT(name, open, ...) \
	int open(FILE *out, const struct writer_info *info, struct writer *w);
#include "formats/formats.def"

#endif
