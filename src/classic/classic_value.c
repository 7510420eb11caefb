// SPDX-License-Identifier: Apache-2.0
/* Lays out typed values as classic records: a description and bytes each. */
#include "abi/aggregation.h"
#include "base/heapvec.h"
#include "classic/classic.h"
#include "dtrace.h"
#include "dtrace/data.h"

#include <stdlib.h>
#include <string.h>

void *classic_bytes_add(struct bytes *b, size_t n, size_t align)
{
	uint64_t at = (b->len + align - 1) / align * align;

	/* one more than asked for: what has no bytes has an address too */
	if (heapvec_reserve(b, at + n + 1)) {
		b->failed = true;
		return NULL;
	}
	memset(b->data + b->len, 0, at + n - b->len);
	b->len = (uint32_t)(at + n);
	return b->data + at;
}

/* ---- records ---- */

void classic_records_reset(struct records *r)
{
	r->desc.len = r->sign.len = r->data.len = 0;
}

void classic_records_free(struct records *r)
{
	free(r->desc.data);
	free(r->sign.data);
	free(r->data.data);
}

bool classic_records_failed(const struct records *r)
{
	return r->desc.failed || r->sign.failed || r->data.failed;
}

void *classic_records_add(struct records *r, dtrace_actkind_t action, size_t size, size_t align)
{
	dtrace_recdesc_t *d = classic_bytes_add(&r->desc, sizeof(*d), 1);
	bool *sign = classic_bytes_add(&r->sign, sizeof(*sign), 1);
	char *data = classic_bytes_add(&r->data, size, align);

	if (!d || !sign || (!data && size))
		return NULL;
	d->dtrd_action = action;
	d->dtrd_size = (uint32_t)size;
	d->dtrd_offset = (uint32_t)(data - r->data.data);
	d->dtrd_alignment = (uint16_t)align;
	return data;
}

static dtrace_recdesc_t *last(struct records *r)
{
	return (dtrace_recdesc_t *)(r->desc.data + r->desc.len) - 1;
}

/* ---- values ---- */

static void add_number(struct records *r, const struct dtrace_value *v, dtrace_actkind_t action)
{
	size_t size = v->size == 1 || v->size == 2 || v->size == 4 ? v->size : 8;
	void *to = classic_records_add(r, action, size, size);
	const uint8_t n8 = (uint8_t)v->number;
	const uint16_t n16 = (uint16_t)v->number;
	const uint32_t n32 = (uint32_t)v->number;

	if (!to)
		return;
	memcpy(to,
		size == 1	    ? (const void *)&n8
			: size == 2 ? (const void *)&n16
			: size == 4 ? (const void *)&n32
				    : (const void *)&v->number,
		size);
	((bool *)r->sign.data)[r->sign.len - 1] = v->is_signed;
}

/*
 * NULs fill an array of char up to its size, and a string up to the size of its type if no integer
 * has that size, which is all that some programs look at; else up to one of few sizes.
 */
static void string(struct records *r, const struct dtrace_value *v, dtrace_actkind_t action)
{
	bool whole = v->is_char || (v->size > v->len && v->size > sizeof(uint64_t));
	size_t size = whole ? v->size : 16;
	char *to;

	while (!whole && size <= v->len)
		size *= 2;
	to = classic_records_add(r, action, size, 1);
	if (to && v->len)
		memcpy(to, v->bytes, v->len);
}

static void raw(struct records *r, const struct dtrace_value *v, dtrace_actkind_t action)
{
	size_t size = v->kind == DTRACE_KIND_BYTES || v->kind == DTRACE_KIND_FLOAT ? v->len : 0;
	void *to = classic_records_add(r, action, size, size && size % 8 == 0 ? 8 : 1);

	if (to && size)
		memcpy(to, v->bytes, size);
}

/*
 * Adds the frames of a stack, a multiple of 8 and at least one that is 0; a user stack's after the
 * process.
 */
static void stack(struct records *r, const struct dtrace_value *v, dtrace_actkind_t action)
{
	bool user = v->kind == DTRACE_KIND_USTACK;
	size_t n = (v->nframes + 8) / 8 * 8;
	uint64_t *to;

	if (!action)
		action = user ? DTRACEACT_USTACK : DTRACEACT_STACK;
	to = classic_records_add(r, action, (n + user) * sizeof(*to), sizeof(*to));
	if (!to)
		return;
	last(r)->dtrd_arg = n;
	if (user)
		*to++ = (uint64_t)v->pid;
	for (unsigned i = 0; i < v->nframes; i++)
		to[i] = v->frames[i].address;
}

static dtrace_actkind_t symbol_action(const char *type)
{
	static const struct {
		const char *type;
		dtrace_actkind_t action;
	} kinds[] = {
		{"sym", DTRACEACT_SYM},
		{"mod", DTRACEACT_MOD},
		{"usym", DTRACEACT_USYM},
		{"uaddr", DTRACEACT_UADDR},
		{"umod", DTRACEACT_UMOD},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(type, kinds[i].type))
			return kinds[i].action;
	return DTRACEACT_NONE;
}

static void symbol(struct records *r, const struct dtrace_value *v, dtrace_actkind_t action)
{
	bool user = v->kind == DTRACE_KIND_USYMBOL;
	uint64_t *to = classic_records_add(
		r, action ? action : symbol_action(v->type), (1 + user) * sizeof(*to), sizeof(*to));

	if (to && user)
		*to++ = (uint64_t)v->pid;
	if (to)
		*to = v->frames[0].address;
}

void classic_records_value(struct records *r, const struct dtrace_value *v, dtrace_actkind_t action)
{
	dtrace_actkind_t plain = action ? action : DTRACEACT_DIFEXPR;

	switch (v->kind) {
	case DTRACE_KIND_INT:
		if (v->size > 8)
			raw(r, v, plain);
		else
			add_number(r, v, plain);
		break;
	case DTRACE_KIND_POINTER:
	case DTRACE_KIND_ENUM:
		add_number(r, v, plain);
		break;
	case DTRACE_KIND_STRING:
		string(r, v, plain);
		break;
	case DTRACE_KIND_STACK:
	case DTRACE_KIND_USTACK:
		stack(r, v, action);
		break;
	case DTRACE_KIND_SYMBOL:
	case DTRACE_KIND_USYMBOL:
		symbol(r, v, action);
		break;
	default:
		raw(r, v, plain);
		break;
	}
}

/* ---- values of aggregations ---- */

static unsigned log2_of(uint64_t n)
{
	return 63 - (unsigned)__builtin_clzll(n);
}

static unsigned quantize_buckets(const struct dtrace_aggregation *a)
{
	return DTRACE_QUANTIZE_NBUCKETS;
}

static unsigned quantize_index(const struct dtrace_aggregation *a, const struct dtrace_bucket *b)
{
	if (b->low > 0)
		return DTRACE_QUANTIZE_ZEROBUCKET + 1 + log2_of((uint64_t)b->low);
	if (b->high < 0)
		return DTRACE_QUANTIZE_ZEROBUCKET - 1 - log2_of(-(uint64_t)b->high);
	return DTRACE_QUANTIZE_ZEROBUCKET;
}

static unsigned lquantize_levels(const struct dtrace_aggregation *a)
{
	return (unsigned)(((int64_t)a->limit - a->base) / a->step);
}

static unsigned lquantize_buckets(const struct dtrace_aggregation *a)
{
	return lquantize_levels(a) + 2;
}

static unsigned lquantize_index(const struct dtrace_aggregation *a, const struct dtrace_bucket *b)
{
	int64_t at = b->low == INT64_MIN ? -1 : (b->low - a->base) / a->step;

	return (unsigned)(at + 1);
}

static uint64_t power(uint64_t base, uint32_t exp)
{
	uint64_t v = 1;

	while (exp--)
		v *= base;
	return v;
}

static unsigned llquantize_per_magnitude(const struct dtrace_aggregation *a)
{
	return a->steps - a->steps / a->factor;
}

static unsigned llquantize_buckets(const struct dtrace_aggregation *a)
{
	return (a->high - a->low + 1) * llquantize_per_magnitude(a) + 2;
}

/* By its upper end: the first magnitude that reaches it, and the place there. */
static unsigned llquantize_index(const struct dtrace_aggregation *a, const struct dtrace_bucket *b)
{
	uint64_t top = (uint64_t)b->high, begin = power(a->factor, a->low);
	unsigned per = llquantize_per_magnitude(a), skipped = a->steps / a->factor;

	if (b->high < 0 || top < begin)
		return 0;
	for (unsigned m = 0; m <= a->high - a->low; m++) {
		uint64_t end = begin * a->factor;

		if (top < end) {
			uint64_t place =
				end >= a->steps ? top / (end / a->steps) : top * a->steps / end;

			if (place >= a->steps)
				place = a->steps - 1;
			return 1 + m * per + (unsigned)(place > skipped ? place - skipped : 0);
		}
		begin = end;
	}
	return llquantize_buckets(a) - 1;
}

/* Returns the word before the buckets; quantize() has none. */
static uint64_t quantize_parameters(const struct dtrace_aggregation *a)
{
	return 0;
}

static uint64_t lquantize_parameters(const struct dtrace_aggregation *a)
{
	return (uint64_t)a->step << 48 | (uint64_t)lquantize_levels(a) << 32 | (uint32_t)a->base;
}

static uint64_t llquantize_parameters(const struct dtrace_aggregation *a)
{
	return (uint64_t)a->factor << 48 | (uint64_t)a->low << 32 | (uint64_t)a->high << 16 |
		a->steps;
}

static const struct {
	unsigned (*buckets)(const struct dtrace_aggregation *a);
	unsigned (*index)(const struct dtrace_aggregation *a, const struct dtrace_bucket *b);
	uint64_t (*parameters)(const struct dtrace_aggregation *a);
} distributions[AGG_FUNCS] = {
#define AGGREGATION(name, params, traits, help, kind, ...) \
	AGG_IF_DISTRIBUTION(                               \
		kind, [AGG_##name] = {name##_buckets, name##_index, name##_parameters}, )
#include "abi/aggregations.def"
};

static void distribution(
	struct records *r, const struct dtrace_agg_value *v, const struct agg_info *info)
{
	const struct dtrace_aggregation *a = v->aggregation;
	uint64_t parameters = distributions[info->func].parameters(a);
	unsigned n = distributions[info->func].buckets(a);
	int64_t *to = classic_records_add(
		r, info->classic_id, (n + !!parameters) * sizeof(*to), sizeof(*to));

	if (!to)
		return;
	if (parameters) {
		last(r)->dtrd_arg = parameters;
		*to++ = (int64_t)parameters;
	}
	for (unsigned i = 0; i < v->nbuckets; i++) {
		unsigned at = distributions[info->func].index(a, &v->buckets[i]);

		if (at < n)
			to[at] += v->buckets[i].count;
	}
}

void classic_records_agg_value(struct records *r, const struct dtrace_agg_value *v)
{
	const struct agg_info *info = agg_public(v->aggregation->function);
	size_t size = (info->kind == AGG_KEEPS ? 1 : info->words) * sizeof(uint64_t);
	void *to;

	if (info->kind == AGG_DISTRIBUTION) {
		distribution(r, v, info);
		return;
	}
	to = classic_records_add(r, info->classic_id, size, sizeof(uint64_t));
	if (to)
		memcpy(to, v->words, size);
}
