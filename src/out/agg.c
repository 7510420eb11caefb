// SPDX-License-Identifier: Apache-2.0
/* Prints a table of aggregations as text. */

#include "abi/record.h"
#include "base/interrupt.h"
#include "consume/agg_value.h"
#include "out/print.h"

#define VALUE_COLUMNS 16

static void print_value(struct printer *pr, const struct agg_value *v, uint32_t columns)
{
	if (agg_is_distribution(v->desc)) {
		print_distribution(pr, v);
		return;
	}
	buf_putc(&pr->buf, ' ');
	print_signed(&pr->buf, agg_number(v), columns);
}

void print_cpus(struct printer *pr, const struct agg_value *v)
{
	for (uint32_t cpu = 0; v->cpus && cpu < v->ncpus; cpu++) {
		buf_printf(&pr->buf, "\n    [CPU %u]", cpu);
		print_value(pr, &v->cpus[cpu], VALUE_COLUMNS);
	}
}

static void print_row(struct printer *pr, const struct agg_row *row, const struct fit *f)
{
	if (f->keys)
		print_keys_fit(pr, row, f);
	else
		print_keys(pr, row);
	for (uint32_t i = 0; i < row->nvalues; i++) {
		print_value(pr, &row->values[i], f->values ? f->values[i] : VALUE_COLUMNS);
		print_cpus(pr, &row->values[i]);
	}
	buf_putc(&pr->buf, '\n');
}

static int print_formatted(
	struct printer *pr, const struct format *format, const struct agg_row *row)
{
	const struct format_args args = {
		.data = row->desc->keys,
		.ndata = row->desc->nkeys,
		.values = row->values,
		.shares = row->shares,
		.nvalues = row->nvalues,
		.src = {.base = row->key},
	};

	return print_format(pr, format, &args);
}

#define AHEAD 8 /* rows; enough for memory to answer */

/* Sorting leaves the keys and values of neighbours far apart in memory. */
static void prefetch_row(const struct agg_table *t, uint32_t i)
{
	if (i >= t->nrows)
		return;
	__builtin_prefetch(t->rows[i].key);
	__builtin_prefetch(t->rows[i].values);
}

static int print_rows(struct printer *pr, const struct agg_table *t)
{
	const unsigned requests = interrupt_count();
	struct fit fit = {0};
	int err = t->format ? 0 : fit_table(pr, t, 0, &fit);

	for (uint32_t i = 0; i < t->nrows && !err && interrupt_count() == requests; i++) {
		prefetch_row(t, i + AHEAD);
		if (t->format)
			err = print_formatted(pr, t->format, &t->rows[i]);
		else
			print_row(pr, &t->rows[i], &fit);
		if (!err)
			err = print_spill(pr);
	}
	fit_free(&fit);
	return err;
}

int print_table(struct printer *pr, const struct agg_table *t)
{
	if (!t->format && !t->final)
		buf_putc(&pr->buf, '\n');
	return picture_wanted(pr, t) ? print_picture(pr, t) : print_rows(pr, t);
}
