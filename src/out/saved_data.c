// SPDX-License-Identifier: Apache-2.0
/* Converts values and rows of the public interface into data of records and aggregations. */
#include "out/saved_data.h"

#include <string.h>

#include "abi/aggregation.h"
#include "abi/record.h"
#include "base/arena.h"
#include "consume/event.h"
#include "dtrace/data.h"
#include "out/writers.h"

#define PADDING_MOST (1 << 20) /* bytes of NULs after strings; a damaged file can ask for more */

/* ---- values ---- */

/* Returns the size of V's string type in bytes; USED bytes come before it. */
static uint32_t string_size(const struct dtrace_value *v, uint32_t used)
{
	if (v->size <= v->len || v->size - v->len + used > PADDING_MOST)
		return (uint32_t)v->len + !v->is_char; /* an array may have no NUL */
	return v->size;
}

static uint32_t int_size(const struct dtrace_value *v)
{
	return v->size == 1 || v->size == 2 || v->size == 4 ? v->size : sizeof(v->number);
}

static bool is_resolved(const struct dtrace_value *v)
{
	return v->kind == DTRACE_KIND_STACK || v->kind == DTRACE_KIND_USTACK ||
		v->kind == DTRACE_KIND_SYMBOL || v->kind == DTRACE_KIND_USYMBOL;
}

/* Describes V, whose bytes come at byte OFFSET. */
static struct datum describe(const struct dtrace_value *v, uint32_t offset)
{
	struct datum d = {.offset = offset, .type = v->type, .is_char = v->is_char};

	switch (v->kind) {
	case DTRACE_KIND_INT:
	case DTRACE_KIND_ENUM:
		d.kind = DATUM_INT;
		d.is_signed = v->is_signed;
		d.size = int_size(v);
		break;
	case DTRACE_KIND_POINTER:
		d.kind = DATUM_PTR;
		d.size = sizeof(v->number);
		break;
	case DTRACE_KIND_FLOAT:
		d.kind = DATUM_FLOAT;
		d.size = (uint32_t)v->len;
		break;
	case DTRACE_KIND_STRING:
		d.kind = v->is_char ? DATUM_CHARS : DATUM_STRING;
		d.string_size = v->is_char ? 0 : string_size(v, offset);
		d.size = v->is_char ? string_size(v, offset) : (uint32_t)v->len + 1;
		break;
	default:
		/* an array of char that is not text is printed as bytes, as are other integers */
		d.kind = v->is_char ? DATUM_CHARS : DATUM_BYTES;
		d.is_char = false;
		d.size = (uint32_t)v->len;
	}
	return d;
}

/* Copies the frames of a stack or symbol. */
static const struct dtrace_value *copy_resolved(struct arena *a, const struct dtrace_value *v)
{
	struct dtrace_value *out = arena_new_obj(a, struct dtrace_value);
	struct dtrace_frame *frames = arena_new_array(a, struct dtrace_frame, v->nframes + 1ul);

	for (unsigned i = 0; i < v->nframes; i++)
		frames[i].text = arena_strdup(a, v->frames[i].text);
	*out = *v;
	out->frames = frames;
	return out;
}

static void copy_bytes(const struct dtrace_value *v, const struct datum *d, char *to)
{
	if (d->kind == DATUM_INT || d->kind == DATUM_PTR) {
		memcpy(to, &v->number, d->size); /* the byte order of x86-64 */
		return;
	}
	memcpy(to, v->bytes, v->len);
	memset(to + v->len, 0, d->size - v->len);
}

void saved_data(struct arena *a, const struct dtrace_value *values, unsigned n, bool typed,
	struct saved_data *out)
{
	struct datum *data = arena_new_array(a, struct datum, n + 1ul);
	uint32_t size = 0;
	char *base;

	for (unsigned i = 0; i < n; i++) {
		data[i] = (struct datum){.kind = DATUM_VALUE, .type = values[i].type};
		if (typed && !i)
			data[i].value = &values[i];
		else if (is_resolved(&values[i]))
			data[i].value = copy_resolved(a, &values[i]);
		else
			data[i] = describe(&values[i], size);
		size += data[i].size;
	}
	base = arena_alloc(a, size + 1ul);
	for (unsigned i = 0; i < n; i++)
		if (data[i].kind != DATUM_VALUE)
			copy_bytes(&values[i], &data[i], base + data[i].offset);
	*out = (struct saved_data){data, base};
}

/* ---- aggregations ---- */

struct agg_desc *saved_aggregations(struct arena *a, const struct dtrace_table *t)
{
	struct agg_desc *out = arena_new_array(a, struct agg_desc, t->naggregations + 1ul);

	for (unsigned i = 0; i < t->naggregations; i++) {
		const struct dtrace_aggregation *from = &t->aggregations[i];

		out[i] = (struct agg_desc){
			.name = from->name,
			.id = from->id,
			.func = agg_public(from->function)->func,
			.params = aggregation_params(from),
			.nkeys = from->nkeys,
		};
		out[i].nbuckets = agg_nbuckets(out[i].func, &out[i].params);
	}
	return out;
}

static void fill_value(struct arena *a, const struct dtrace_agg_value *from,
	const struct agg_desc *desc, struct agg_value *out)
{
	int64_t *buckets = NULL;

	*out = (struct agg_value){.desc = desc, .normal = from->normal, .present = from->present};
	memcpy(out->words, from->words, sizeof(out->words));
	if (!desc->nbuckets)
		return;
	buckets = arena_new_array(a, int64_t, desc->nbuckets);
	for (unsigned i = 0; i < from->nbuckets; i++)
		buckets[agg_bucket(desc->func, &desc->params, from->buckets[i].low)] +=
			from->buckets[i].count;
	out->buckets = buckets;
}

static void fill_cpus(struct arena *a, const struct dtrace_agg_value *from, struct agg_value *out)
{
	struct agg_value *cpus;

	if (!from->cpus)
		return;
	cpus = arena_new_array(a, struct agg_value, from->ncpus + 1ul);
	for (unsigned i = 0; i < from->ncpus; i++)
		fill_value(a, &from->cpus[i], out->desc, &cpus[i]);
	out->cpus = cpus;
	out->ncpus = from->ncpus;
}

void saved_row(struct arena *a, const struct dtrace_table *t, const struct dtrace_row *row,
	const struct agg_desc *aggs, struct agg_row *out)
{
	struct agg_desc *desc = arena_new_obj(a, struct agg_desc);
	struct agg_value *values = arena_new_array(a, struct agg_value, t->naggregations + 1ul);
	struct saved_data key;

	*desc = aggs[0];
	saved_data(a, row->keys, desc->nkeys, false, &key);
	desc->keys = key.data;
	for (unsigned i = 0; i < t->naggregations; i++) {
		fill_value(a, &row->values[i], &aggs[i], &values[i]);
		fill_cpus(a, &row->values[i], &values[i]);
	}
	*out = (struct agg_row){
		.key = key.base, .desc = desc, .values = values, .nvalues = t->naggregations};
}
