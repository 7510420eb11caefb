/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view: records and tables as the public interface has them (dtrace/data.h), made from their
 * insides.  What is made lives in the view's arena, until the one who made it resets that; running
 * out of memory goes where the arena was told to.
 */
#ifndef OUT_VIEW_H
#define OUT_VIEW_H

#include <stddef.h>
#include <stdint.h>

struct datum;
struct dtrace_item;
struct dtrace_row;
struct dtrace_table;
struct dtrace_value;
struct event;
struct rec_action;
struct rec_view;

struct view {
	struct arena *arena;
	struct printer *pr; /* for text */
};

/* The value D describes. */
void view_value(struct view *v, const struct datum *d, const struct rec_view *src,
	struct dtrace_value *out);

/* Converts the value of print(): all members that are not zero (view_tree.c). */
void view_typed(struct view *v, const struct rec_action *act, const struct rec_view *src,
	struct dtrace_value *out);

/* Converts action I of EV except its text and table; *FORMATTED: its text is from a format. */
void view_item(struct view *v, const struct event *ev, uint32_t i, struct dtrace_item *out);

/* Copies the printer's buffer from byte FROM on into the arena. */
const char *view_text(struct view *v, size_t from, size_t *len);

/* ---- view_agg.c ---- */

/*
 * The first member of the insides of a table: dtrace_table_row() and dtrace_table_text(), whose
 * arguments were checked.  TEXT may be NULL: the table has none.
 */
struct table_insides {
	const struct dtrace_row *(*row)(const struct dtrace_table *t, unsigned i);
	const char *(*text)(const struct dtrace_table *t, unsigned first, unsigned n, size_t *len);
};

/* A table whose rows are made when they are asked for, with ROWS as its insides. */
struct view_table {
	struct table_insides functions;
	struct view *view; /* for what lives as long as the table */
	struct arena *row; /* for one row */
	const struct agg_table *table;
};

void view_table(struct view_table *insides, const struct agg_table *t, struct dtrace_table *out);

#endif
