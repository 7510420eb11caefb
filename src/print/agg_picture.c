// SPDX-License-Identifier: Apache-2.0
/* Prints the pictures of options agghist and aggpack. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <dtrace/dtrace.h>

#include "abi/aggregation.h"
#include "abi/record.h"
#include "consume/agg_value.h"
#include "consume/event.h"
#include "dtrace/data.h"
#include "print/kinds.h"
#include "print/print.h"

__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

/* ---- agghist: a bar next to each number ---- */

/* Returns the number that a row's bar shows: the one before normalize(). */
static int64_t weight(const struct dtrace_agg_value *v)
{
	const struct agg_desc desc = {.func = agg_public(v->aggregation->function)->func};
	struct agg_value plain = {.desc = &desc, .normal = 1};

	/* after clear(): the end of the range, which is the value of nothing */
	if (agg_keeps(&desc) && !v->words[1])
		return 0;
	memcpy(plain.words, v->words, sizeof(plain.words));
	return agg_number(&plain);
}

#define BESIDE_KEYS 12 /* columns: a blank, an axis, a blank, a count */
#define MIN_BAR	    20 /* columns that keys leave to bars */

/* A table in work: its rows are made one by one. */
struct rows {
	struct printer *pr;
	const struct dtrace_table *t;
	unsigned first, n;
	struct fit fit;
	uint32_t width; /* of the keys */
};

static const struct dtrace_row *row_of(const struct rows *r, unsigned i)
{
	return dtrace_table_row(r->t, r->first + i);
}

/* Chooses the columns of the keys beside a picture of so many. */
static int fit_keys(struct rows *r, uint32_t picture)
{
	int err = fit_table(r->pr, r->t, r->first, r->n, picture, &r->fit);
	const struct dtrace_row *row = r->n ? row_of(r, 0) : NULL;

	if (err || (r->n && !row))
		return -ENOMEM;
	r->width = r->fit.keys ? r->fit.key_columns
		: row	       ? keys_packed_width(row->keys, r->t->aggregations->nkeys)
			       : 0;
	return 0;
}

static void put_keys(const struct rows *r, const struct dtrace_row *row)
{
	if (r->fit.keys)
		print_keys_fit(r->pr, row->keys, &r->fit);
	else
		print_keys_packed(r->pr, row->keys, r->t->aggregations->nkeys);
}

static int print_hist(struct rows *r)
{
	struct printer *pr = r->pr;
	struct bars bars = {0};
	int err = fit_keys(r, BESIDE_KEYS + MIN_BAR);

	for (unsigned i = 0; i < r->n && !err; i++) {
		const struct dtrace_row *row = row_of(r, i);

		if (row)
			bars_add(&bars, weight(row->values));
		else
			err = -ENOMEM;
	}
	if (err)
		return err;
	bars.columns = bar_columns(pr, r->width + BESIDE_KEYS);
	print_bar_title(pr, "key", r->width, bars.columns);
	for (unsigned i = 0; i < r->n && !err; i++) {
		const struct dtrace_row *row = row_of(r, i);

		if (!row)
			return -ENOMEM;
		put_keys(r, row);
		buf_putc(&pr->buf, ' ');
		print_bar(pr, &bars, weight(row->values));
		buf_printf(&pr->buf, " %-9" PRId64, row->values->number);
		print_cpus(pr, row->values);
		buf_putc(&pr->buf, '\n');
		err = print_spill(pr);
	}
	return err;
}

/* ---- aggpack: a line for each distribution ---- */

struct pack {
	struct dist_buckets of; /* the function's, of no row */
	uint32_t first, last;	/* buckets shown */
	char low[32], high[32]; /* their labels */
	int left, right;	/* columns of the labels; LEFT has the blank before it, too */
};

/* The buckets that have something in any row, and one next to each end. */
static int find_range(struct pack *p, const struct rows *r)
{
	uint32_t zero = agg_bucket(p->of.func, &p->of.params, 0);
	bool any = false;

	p->first = p->last = zero;
	for (unsigned i = 0; i < r->n; i++) {
		const struct dtrace_row *row = row_of(r, i);
		const struct dtrace_agg_value *v;
		uint32_t first, last;

		if (!row)
			return -ENOMEM;
		v = row->values;
		if (!v->nbuckets)
			continue;
		first = agg_bucket(p->of.func, &p->of.params, v->buckets[0].low);
		last = agg_bucket(p->of.func, &p->of.params, v->buckets[v->nbuckets - 1].low);
		p->first = !any || first < p->first ? first : p->first;
		p->last = !any || last > p->last ? last : p->last;
		any = true;
	}
	/* where nothing is negative it begins with 0 at the lowest */
	if (p->first && p->first != zero)
		p->first--;
	if (p->last < p->of.n - 1)
		p->last++;
	return 0;
}

static int max_int(int a, int b)
{
	return a > b ? a : b;
}

/* The column titles need some room, whatever the labels need. */
static void set_columns(struct pack *p)
{
	int low, high;

	dist_label(&p->of, p->first, p->first, p->low, sizeof(p->low));
	dist_label(&p->of, p->first, p->last, p->high, sizeof(p->high));
	low = (int)strlen(p->low);
	high = (int)strlen(p->high);
	if (p->of.func == AGG_quantize) {
		p->left = 1 + max_int(low, 4);
		p->right = max_int(high, 4);
	} else {
		p->left = low > 8 ? 1 + low : 8;
		p->right = max_int(high, 8);
	}
}

/* Prints a sum: with 64-bit counts in up to 65537 buckets it needs 80 bits. */
static void put_sum(struct buf *b, i128 sum)
{
	const uint64_t unit = 1000000000000000000;
	u128 n = sum < 0 ? -(u128)sum : (u128)sum;

	if (sum < 0)
		buf_putc(b, '-');
	if (n < unit)
		buf_printf(b, "%" PRIu64, (uint64_t)n);
	else
		buf_printf(b, "%" PRIu64 "%018" PRIu64, (uint64_t)(n / unit), (uint64_t)(n % unit));
}

static void print_pack_row(
	struct printer *pr, const struct pack *p, const struct dtrace_agg_value *v)
{
	struct dist_buckets d;
	struct bars bars = {0};
	struct buf *b = &pr->buf;
	unsigned next = 0;
	i128 sum = 0;

	dist_buckets(v, &d);
	for (unsigned i = 0; i < d.nlist; i++) {
		bars_add(&bars, d.list[i].count);
		sum += d.list[i].count;
	}
	buf_printf(b, "%*s :", p->left, p->low);
	for (uint32_t i = p->first; i <= p->last; i++)
		print_cell(pr, &bars, dist_count(&d, i, &next));
	buf_printf(b, ": %-*s | ", p->right, p->high);
	put_sum(b, sum / (i128)v->normal);
}

static int print_pack(struct rows *r)
{
	const struct dtrace_agg_value any = {.aggregation = r->t->aggregations};
	struct printer *pr = r->pr;
	struct pack p = {0};
	int err = 0;

	dist_buckets(&any, &p.of);
	p.last = p.of.n - 1;
	if (p.of.func == AGG_quantize)
		err = find_range(&p, r);
	if (err)
		return err;
	set_columns(&p);
	/* labels, cells, and what separates them: "low :cells: high | count" */
	err = fit_keys(r, (uint32_t)(p.left + p.right) + p.last - p.first + 16);
	if (err)
		return err;
	buf_printf(
		&pr->buf, "\n%*s %*s .", (int)r->width, r->width ? "key" : "", p.left - 1, "min");
	for (uint32_t i = p.first; i <= p.last; i++)
		buf_putc(&pr->buf, '-');
	buf_printf(&pr->buf, ". %-*s | count\n", p.right, "max");
	for (unsigned i = 0; i < r->n && !err; i++) {
		const struct dtrace_row *row = row_of(r, i);

		if (!row)
			return -ENOMEM;
		put_keys(r, row);
		print_pack_row(pr, &p, row->values);
		print_cpus(pr, row->values);
		buf_putc(&pr->buf, '\n');
		err = print_spill(pr);
	}
	return err;
}

bool picture_wanted(const struct printer *pr, const struct dtrace_table *t)
{
	if (t->format || t->naggregations != 1 || !t->nrows)
		return false;
	switch (agg_public(t->aggregations->function)->picture) {
	case AGG_BARS:
		return pr->opts.agghist && t->aggregations->nkeys;
	case AGG_PACK:
		return pr->opts.aggpack;
	default:
		return false;
	}
}

int print_picture(struct printer *pr, const struct dtrace_table *t, unsigned first, unsigned n)
{
	struct rows r = {.pr = pr, .t = t, .first = first, .n = n};
	int err = aggregation_is_distribution(t->aggregations) ? print_pack(&r) : print_hist(&r);

	fit_free(&r.fit);
	return err;
}
