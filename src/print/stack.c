// SPDX-License-Identifier: Apache-2.0
/* Prints stacks and symbols. */
#include "dtrace/data.h"
#include "print/print.h"

#define SYM_WIDTH 50

void print_sym_text(struct printer *pr, const struct dtrace_value *v)
{
	buf_puts(&pr->buf, v->nframes ? v->frames->text : "");
}

void print_sym(struct printer *pr, const struct dtrace_value *v)
{
	size_t from;

	buf_puts(&pr->buf, "  ");
	from = pr->buf.len;
	print_sym_text(pr, v);
	print_name_safe(pr, from);
	print_pad(pr, from, SYM_WIDTH);
}

static void put_line(struct printer *pr, const char *text, uint32_t indent)
{
	size_t from;

	print_pad(pr, pr->buf.len, indent);
	from = pr->buf.len;
	buf_puts(&pr->buf, text);
	print_name_safe(pr, from);
	buf_putc(&pr->buf, '\n');
}

void print_stack(struct printer *pr, const struct dtrace_value *v, uint32_t indent)
{
	size_t from = pr->buf.len;

	if (!v->size)
		return;
	buf_putc(&pr->buf, '\n');
	for (unsigned i = 0; i < v->nframes; i++)
		put_line(pr, v->frames[i].text, indent);
	if (v->incomplete)
		put_line(pr, "...", indent);
	print_safe(pr, from);
}
