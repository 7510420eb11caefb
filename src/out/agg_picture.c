// SPDX-License-Identifier: Apache-2.0
/* Prints the pictures of options agghist and aggpack. */
#include <inttypes.h>

#include "abi/aggregation.h"
#include "abi/record.h"
#include "consume/agg_value.h"
#include "consume/event.h"
#include "out/print.h"

__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

/* ---- agghist: a bar next to each number ---- */

/* Returns the number that a row's bar shows: the one before normalize(). */
static int64_t weight(const struct agg_value *v)
{
	struct agg_value plain = *v;

	/* after clear(): the end of the range, which is the value of nothing */
	if (agg_keeps(v->desc) && !v->words[1])
		return 0;
	plain.normal = 1;
	return agg_number(&plain);
}

#define BESIDE_KEYS 12 /* columns: a blank, an axis, a blank, a count */
#define MIN_BAR	    20 /* columns that keys leave to bars */

static void put_keys(struct printer *pr, const struct agg_row *row, const struct fit *fit)
{
	if (fit->keys)
		print_keys_fit(pr, row, fit);
	else
		print_keys_packed(pr, row);
}

static int print_hist(struct printer *pr, const struct agg_table *t)
{
	struct bars bars = {0};
	struct fit fit;
	int err = fit_table(pr, t, BESIDE_KEYS + MIN_BAR, &fit);
	uint32_t width = fit.keys ? fit.key_columns : keys_packed_width(t->aggs[0]);

	for (uint32_t i = 0; i < t->nrows; i++)
		bars_add(&bars, weight(t->rows[i].values));
	bars.columns = bar_columns(pr, width + BESIDE_KEYS);
	print_bar_title(pr, "key", width, bars.columns);
	for (uint32_t i = 0; i < t->nrows && !err; i++) {
		const struct agg_value *v = t->rows[i].values;

		put_keys(pr, &t->rows[i], &fit);
		buf_putc(&pr->buf, ' ');
		print_bar(pr, &bars, weight(v));
		buf_printf(&pr->buf, " %-9" PRId64, agg_number(v));
		print_cpus(pr, v);
		buf_putc(&pr->buf, '\n');
		err = print_spill(pr);
	}
	fit_free(&fit);
	return err;
}

/* ---- aggpack: a line for each distribution ---- */

struct pack {
	const struct agg_desc *desc;
	uint32_t first, last;	/* buckets shown */
	char low[32], high[32]; /* their labels */
	int left, right;	/* columns of the labels; LEFT has the blank before it, too */
};

/* The buckets that have something in any row, and one next to each end. */
static void find_range(struct pack *p, const struct agg_table *t)
{
	uint32_t zero = agg_bucket(p->desc->func, &p->desc->params, 0);
	bool any = false;

	p->first = p->last = zero;
	for (uint32_t r = 0; r < t->nrows; r++) {
		for (uint32_t i = 0; i < p->desc->nbuckets; i++) {
			if (!t->rows[r].values[0].buckets[i])
				continue;
			p->first = !any || i < p->first ? i : p->first;
			p->last = !any || i > p->last ? i : p->last;
			any = true;
		}
	}
	/* where nothing is negative it begins with 0 at the lowest */
	if (p->first && p->first != zero)
		p->first--;
	if (p->last < p->desc->nbuckets - 1)
		p->last++;
}

static int max_int(int a, int b)
{
	return a > b ? a : b;
}

/* The column titles need some room, whatever the labels need. */
static void set_columns(struct pack *p)
{
	int low, high;

	dist_label(p->desc, p->first, p->first, p->low, sizeof(p->low));
	dist_label(p->desc, p->first, p->last, p->high, sizeof(p->high));
	low = (int)strlen(p->low);
	high = (int)strlen(p->high);
	if (p->desc->func == AGG_quantize) {
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

static void print_pack_row(struct printer *pr, const struct pack *p, const struct agg_value *v)
{
	struct bars bars = {0};
	struct buf *b = &pr->buf;
	i128 sum = 0;

	for (uint32_t i = p->first; i <= p->last; i++) {
		bars_add(&bars, v->buckets[i]);
		sum += v->buckets[i];
	}
	buf_printf(b, "%*s :", p->left, p->low);
	for (uint32_t i = p->first; i <= p->last; i++)
		print_cell(pr, &bars, v->buckets[i]);
	buf_printf(b, ": %-*s | ", p->right, p->high);
	put_sum(b, sum / (i128)v->normal);
}

static int print_pack(struct printer *pr, const struct agg_table *t)
{
	struct pack p = {.desc = t->aggs[0], .first = 0, .last = t->aggs[0]->nbuckets - 1};
	uint32_t width;
	struct fit fit;
	int err;

	if (p.desc->func == AGG_quantize)
		find_range(&p, t);
	set_columns(&p);
	/* labels, cells, and what separates them: "low :cells: high | count" */
	err = fit_table(pr, t, (uint32_t)(p.left + p.right) + p.last - p.first + 16, &fit);
	width = fit.keys ? fit.key_columns : keys_packed_width(p.desc);
	buf_printf(&pr->buf, "\n%*s %*s .", (int)width, width ? "key" : "", p.left - 1, "min");
	for (uint32_t i = p.first; i <= p.last; i++)
		buf_putc(&pr->buf, '-');
	buf_printf(&pr->buf, ". %-*s | count\n", p.right, "max");
	for (uint32_t i = 0; i < t->nrows && !err; i++) {
		put_keys(pr, &t->rows[i], &fit);
		print_pack_row(pr, &p, t->rows[i].values);
		print_cpus(pr, t->rows[i].values);
		buf_putc(&pr->buf, '\n');
		err = print_spill(pr);
	}
	fit_free(&fit);
	return err;
}

bool picture_wanted(const struct printer *pr, const struct agg_table *t)
{
	if (t->format || t->naggs != 1 || !t->nrows)
		return false;
	switch (agg_desc_info(t->aggs[0])->picture) {
	case AGG_BARS:
		return pr->opts.agghist && t->aggs[0]->nkeys;
	case AGG_PACK:
		return pr->opts.aggpack;
	default:
		return false;
	}
}

int print_picture(struct printer *pr, const struct agg_table *t)
{
	return agg_is_distribution(t->aggs[0]) ? print_pack(pr, t) : print_hist(pr, t);
}
