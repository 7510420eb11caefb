// SPDX-License-Identifier: Apache-2.0
#include <errno.h>

#include "consume/agg_value.h"
#include "out/print.h"

static void print_value(struct printer *pr, const struct agg_value *v)
{
	if (agg_is_distribution(v->desc)) {
		print_distribution(pr, v);
		return;
	}
	buf_putc(&pr->buf, ' ');
	print_signed(&pr->buf, agg_number(v), 16);
}

void print_cpus(struct printer *pr, const struct agg_value *v)
{
	for (uint32_t cpu = 0; v->cpus && cpu < v->ncpus; cpu++) {
		buf_printf(&pr->buf, "\n    [CPU %u]", cpu);
		print_value(pr, &v->cpus[cpu]);
	}
}

static void print_row(struct printer *pr, const struct agg_row *row)
{
	print_keys(pr, row);
	for (uint32_t i = 0; i < row->nvalues; i++) {
		print_value(pr, &row->values[i]);
		print_cpus(pr, &row->values[i]);
	}
	buf_putc(&pr->buf, '\n');
}

int print_table(struct printer *pr, const struct agg_table *t)
{
	if (!t->format && !t->final)
		buf_putc(&pr->buf, '\n');
	if (print_picture(pr, t))
		return 0;
	for (uint32_t i = 0; i < t->nrows; i++) {
		const struct agg_row *row = &t->rows[i];
		struct format_args args = {
			.data = row->desc->keys,
			.ndata = row->desc->nkeys,
			.values = row->values,
			.nvalues = row->nvalues,
			.src = {.base = row->key},
		};
		int err;

		if (!t->format) {
			print_row(pr, row);
			continue;
		}
		err = print_format(pr, t->format, &args);
		if (err)
			return err;
	}
	return 0;
}
