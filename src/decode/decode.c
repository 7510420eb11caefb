// SPDX-License-Identifier: Apache-2.0
/* Decodes values. */
#include "decode/decode.h"

#include <string.h>

#include "abi/flags.h"
#include "abi/record.h"
#include "base/arena.h"
#include "base/buf.h"
#include "calls/call.h"
#include "decode/sink.h"
#include "dtrace/data.h"
#include "print/print.h"
#include "probe/part.h"

const char *decode_text(struct decoder *dec, size_t from, size_t *len)
{
	struct buf *b = &dec->pr->buf;
	const char *text;

	if (b->failed) { /* as much as there was memory for */
		b->failed = false;
		from = b->len;
	}
	*len = b->len - from;
	text = arena_strndup(dec->arena, b->data ? b->data + from : "", *len);
	b->len = from;
	return text;
}

/* ---- plain values: nothing is made for them ---- */

static void integer(const struct datum *d, const struct rec_view *src, struct dtrace_value *out)
{
	int64_t n = 0;

	out->kind = d->kind == DATUM_PTR ? DTRACE_KIND_POINTER : DTRACE_KIND_INT;
	out->is_signed = d->kind == DATUM_INT && d->is_signed;
	if (out->is_signed)
		datum_signed(d, src, &n);
	else
		datum_unsigned(d, src, (uint64_t *)&n);
	out->number = (uint64_t)n;
}

static void real(const struct datum *d, const struct rec_view *src, struct dtrace_value *out)
{
	const void *p = datum_bytes(d, src);
	double dbl;
	float flt;

	out->kind = DTRACE_KIND_FLOAT;
	out->bytes = p;
	out->len = d->size;
	out->real = 0;
	if (d->size == sizeof(flt)) {
		memcpy(&flt, p, sizeof(flt));
		out->real = flt;
	} else if (d->size == sizeof(dbl)) {
		memcpy(&dbl, p, sizeof(dbl));
		out->real = dbl;
	} else {
		memcpy(&out->real, p, d->size < sizeof(out->real) ? d->size : sizeof(out->real));
	}
}

static void characters(
	const struct datum *d, const struct rec_view *src, bool text, struct dtrace_value *out)
{
	out->kind = text ? DTRACE_KIND_STRING : DTRACE_KIND_BYTES;
	out->is_char = true;
	out->bytes = datum_bytes(d, src);
	out->len = text ? strnlen(out->bytes, d->size) : d->size;
}

/* A string whose TEXT is kept elsewhere. */
static void string(const struct datum *d, const char *text, struct dtrace_value *out)
{
	out->kind = DTRACE_KIND_STRING;
	out->bytes = text;
	out->len = d->string_size ? strnlen(text, d->string_size - 1) : strlen(text);
	out->size = (uint32_t)datum_string_size(d, out->len);
}

static const char *probe_by_id(
	const struct sink_env *env, const struct datum *d, const struct rec_view *src)
{
	const struct probe *p = NULL;
	uint64_t id;

	if (env->probe && datum_unsigned(d, src, &id))
		p = env->probe(env->arg, id);
	return p ? probe_part(p, d->part) : "";
}

void decode_plain(const struct decoder *dec, const struct datum *d, const struct rec_view *src,
	bool whole, struct dtrace_value *out)
{
	out->type = d->type ? d->type : "";
	out->size = d->size;
	out->is_signed = out->is_char = false;
	out->number = 0;
	out->bytes = "";
	out->len = 0;
	switch (d->kind) {
	case DATUM_INT:
	case DATUM_PTR:
		integer(d, src, out);
		break;
	case DATUM_FLOAT:
		real(d, src, out);
		break;
	case DATUM_STRING:
		out->kind = DTRACE_KIND_STRING;
		out->bytes = datum_bytes(d, src);
		out->len = strnlen(out->bytes, d->size);
		out->size = (uint32_t)datum_string_size(d, out->len);
		break;
	case DATUM_CHARS:
		characters(d, src, !dec->pr->opts.rawbytes && datum_is_text(d, src, whole), out);
		break;
	case DATUM_LITERAL:
		string(d, d->literal, out);
		break;
	case DATUM_PROBEID:
		string(d, probe_by_id(dec->env, d, src), out);
		break;
	case DATUM_PROBEPROV:
	case DATUM_PROBEMOD:
	case DATUM_PROBEFUNC:
	case DATUM_PROBENAME:
	case DATUM_PROBEFILE:
		string(d, probe_part(src->probe, d->kind), out);
		break;
	default:
		out->kind = DTRACE_KIND_BYTES;
		out->bytes = datum_bytes(d, src);
		out->len = d->size;
	}
}

/* ---- others ---- */

#define FLAGS_MOST 1024 /* bytes of the longest text that flags have */

static void flags(struct decoder *dec, const struct datum *d, const struct rec_view *src,
	struct dtrace_value *out)
{
	char text[FLAGS_MOST];
	uint64_t number;

	memcpy(&number, datum_bytes(d, src), sizeof(number));
	flag_text(d->flags, number, text, sizeof(text));
	string(d, arena_strdup(dec->arena, text), out);
}

static void system_call(struct decoder *dec, const struct datum *d, const struct rec_view *src,
	struct dtrace_value *out)
{
	size_t from = dec->pr->buf.len;

	call_print(&dec->pr->buf, datum_bytes(d, src), d->newer);
	out->kind = DTRACE_KIND_STRING;
	out->bytes = decode_text(dec, from, &out->len);
	out->size = (uint32_t)out->len + 1;
}

void decode_value(struct decoder *dec, const struct datum *d, const struct rec_view *src,
	struct dtrace_value *out)
{
	*out = (struct dtrace_value){.type = d->type ? d->type : "", .size = d->size, .bytes = ""};
	if (datum_is_stack(d))
		decode_stack(dec, d, src, out);
	else if (datum_is_sym(d))
		decode_symbol(dec, d, src, out);
	else if (d->kind == DATUM_FLAGS)
		flags(dec, d, src, out);
	else if (d->kind == DATUM_SYSCALL)
		system_call(dec, d, src, out);
	else
		decode_plain(dec, d, src, false, out);
}
