// SPDX-License-Identifier: Apache-2.0
/* Evaluates aggregations. */
#include <stdlib.h>
#include <string.h>

#include "eval.h"

static void key_text(char *out, const struct agg *a, const char *key)
{
	for (unsigned i = 0; i < a->nkeys; i++) {
		char *end;

		if (a->keys[i]->kind == K_REC)
			return; /* they come last */
		if (is_int(a->keys[i])) {
			uint64_t v = wrap(strtoull(key, &end, 16), a->keys[i]);

			out += sprintf(out, a->keys[i]->is_signed ? " %lld" : " %llu",
				(unsigned long long)v);
			key = end + 1;
		} else {
			size_t len = strtoull(key, &end, 10);

			out += sprintf(out, " %.*s", (int)len, end + 1);
			key = end + 1 + len + 1;
		}
	}
}

void aggregate(struct machine *m, const struct stmt *s)
{
	const struct agg *a = s->agg;
	const char *key = tuple(m, s->key, a->keys, a->nkeys, NULL);
	struct update *u = arena(sizeof(*u)), **end;
	struct row *r;
	char *t;

	u->value = s->n ? number(m, s->arg[0]) : 0;
	u->by = s->n > 1 ? number(m, s->arg[1]) : 1;
	for (r = m->rows; r; r = r->next)
		if (r->agg == a && !strcmp(r->key, key))
			break;
	if (!r) {
		r = arena(sizeof(*r));
		r->agg = a;
		r->key = key;
		r->text = t = arena(strlen(key) * 2 + 200);
		key_text(t, a, key);
		r->next = m->rows;
		m->rows = r;
	}
	for (end = &r->updates; *end; end = &(*end)->next)
		;
	*end = u;
}

/* ---- printing ---- */

typedef unsigned __int128 u128;

static uint64_t square_root(u128 v)
{
	u128 lo = 0, hi = (u128)1 << 64;

	while (hi - lo > 1) {
		u128 mid = lo + (hi - lo) / 2;

		if (mid * mid <= v)
			lo = mid;
		else
			hi = mid;
	}
	return (uint64_t)lo;
}

static void print_scalar(FILE *out, const struct row *r)
{
	int64_t n = 0, sum = 0, min = INT64_MAX, max = INT64_MIN, mean;
	u128 squares = 0;

	for (const struct update *u = r->updates; u; u = u->next) {
		int64_t v = (int64_t)u->value;

		n++;
		sum = (int64_t)((uint64_t)sum + (uint64_t)v);
		squares += (u128)((__int128)v * v);
		min = v < min ? v : min;
		max = v > max ? v : max;
	}
	mean = sum / n;
	switch (r->agg->func) {
	case COUNT:
		mean = n;
		break;
	case SUM:
		mean = sum;
		break;
	case MIN:
		mean = min;
		break;
	case MAX:
		mean = max;
		break;
	case STDDEV:
		mean = (int64_t)square_root(squares / (u128)n - (u128)((__int128)mean * mean));
		break;
	default:
		break;
	}
	fprintf(out, "%lld", (long long)mean);
}

static const char *quantize(int64_t v)
{
	uint64_t m = v < 0 ? -(uint64_t)v : (uint64_t)v, low = 1;

	if (!v)
		return "0";
	while (m >> 1 && low < 1ull << 62) {
		m >>= 1;
		low <<= 1;
	}
	return arena_printf("%s%llu", v < 0 ? "-" : "", (unsigned long long)low);
}

static const char *lquantize(const struct agg *a, int64_t v)
{
	int64_t base = a->param[0], step = a->param[2], levels = (a->param[1] - base) / step;

	if (v < base)
		return arena_printf("< %lld", (long long)base);
	if (v >= base + levels * step)
		return arena_printf(">= %lld", (long long)(base + levels * step));
	return arena_printf("%lld", (long long)(base + (v - base) / step * step));
}

static uint64_t power(uint64_t f, int n)
{
	uint64_t p = 1;

	while (n-- > 0)
		p *= f;
	return p;
}

static const char *llquantize(const struct agg *a, int64_t v)
{
	uint64_t f = (uint64_t)a->param[0], m = v < 0 ? -(uint64_t)v : (uint64_t)v, w, low;
	int k = a->param[1];

	if (m < power(f, k))
		return k ? arena_printf("< %llu", (unsigned long long)power(f, k)) : "0";
	if (m >= power(f, a->param[2] + 1))
		return arena_printf(v < 0 ? "<= -%llu" : ">= %llu",
			(unsigned long long)power(f, a->param[2] + 1));
	while (m >= power(f, k + 1))
		k++;
	w = power(f, k + 1) / (uint64_t)a->param[3];
	low = w ? m / w * w : m;
	if (low < power(f, k))
		low = power(f, k);
	return arena_printf("%s%llu", v < 0 ? "-" : "", (unsigned long long)low);
}

static const char *label(const struct agg *a, int64_t v)
{
	return a->func == QUANTIZE     ? quantize(v)
		: a->func == LQUANTIZE ? lquantize(a, v)
				       : llquantize(a, v);
}

/* The buckets that are not 0, by the smallest value in them: the order of the table. */
static void print_buckets(FILE *out, const struct row *r)
{
	bool done = false;
	int64_t after = INT64_MIN;

	while (!done) {
		const struct update *least = NULL;
		int64_t sum = 0;
		const char *l;

		for (const struct update *u = r->updates; u; u = u->next)
			if ((int64_t)u->value >= after &&
				(!least || (int64_t)u->value < (int64_t)least->value))
				least = u;
		if (!least)
			return;
		l = label(r->agg, (int64_t)least->value);
		for (const struct update *u = r->updates; u; u = u->next)
			if (!strcmp(label(r->agg, (int64_t)u->value), l)) {
				sum = (int64_t)((uint64_t)sum + u->by);
				if ((int64_t)u->value >= after)
					after = (int64_t)u->value;
			}
		done = after == INT64_MAX;
		after += !done;
		if (sum)
			fprintf(out, "[%s]=%lld ", l, (long long)sum);
	}
}

void print_rows(struct machine *m)
{
	for (const struct row *r = m->rows; r; r = r->next) {
		fprintf(m->out, "@%u%s: ", r->agg->id, r->text);
		if (r->agg->func < QUANTIZE)
			print_scalar(m->out, r);
		else
			print_buckets(m->out, r);
		putc('\n', m->out);
	}
}
