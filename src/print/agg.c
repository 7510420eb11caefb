// SPDX-License-Identifier: Apache-2.0
/* Prints a table of aggregations as text. */
#include <errno.h>

#include <dtrace/dtrace.h>

#include "base/interrupt.h"
#include "print/kinds.h"
#include "print/print.h"

#define VALUE_COLUMNS 16

static void print_number(struct printer *pr, const struct dtrace_agg_value *v, uint32_t columns)
{
	if (aggregation_is_distribution(v->aggregation)) {
		print_distribution(pr, v);
		return;
	}
	buf_putc(&pr->buf, ' ');
	print_signed(&pr->buf, v->number, columns);
}

void print_cpus(struct printer *pr, const struct dtrace_agg_value *v)
{
	for (unsigned cpu = 0; v->cpus && cpu < v->ncpus; cpu++) {
		buf_printf(&pr->buf, "\n    [CPU %u]", cpu);
		print_number(pr, &v->cpus[cpu], VALUE_COLUMNS);
	}
}

static void print_row(struct printer *pr, const struct dtrace_table *t,
	const struct dtrace_row *row, const struct fit *f)
{
	if (f->keys)
		print_keys_fit(pr, row->keys, f);
	else
		print_keys(pr, row->keys, t->aggregations->nkeys);
	for (unsigned i = 0; i < t->naggregations; i++) {
		print_number(pr, &row->values[i], f->values ? f->values[i] : VALUE_COLUMNS);
		print_cpus(pr, &row->values[i]);
	}
	buf_putc(&pr->buf, '\n');
}

static int print_rows(struct printer *pr, const struct dtrace_table *t, unsigned first, unsigned n)
{
	const unsigned requests = interrupt_count();
	struct fit fit = {0};
	int err = t->format ? 0 : fit_table(pr, t, first, n, 0, &fit);

	for (unsigned i = 0; i < n && !err && interrupt_count() == requests; i++) {
		const struct dtrace_row *row = dtrace_table_row(t, first + i);

		if (!row)
			err = -ENOMEM;
		else if (t->format)
			buf_put(&pr->buf, row->text ? row->text : "", row->text_len);
		else
			print_row(pr, t, row, &fit);
		if (!err)
			err = print_spill(pr);
	}
	fit_free(&fit);
	return err;
}

int print_table(struct printer *pr, const struct dtrace_table *t, unsigned first, unsigned n)
{
	if (!t->format && !t->final)
		buf_putc(&pr->buf, '\n');
	return n && picture_wanted(pr, t) ? print_picture(pr, t, first, n)
					  : print_rows(pr, t, first, n);
}
