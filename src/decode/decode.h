/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decode: the one decoder: fills values and rows of the public interface (dtrace/data.h) from
 * recorded bytes.
 *
 * Numbers and strings point into the record.  What has to be made, names of addresses and
 * members of structs, is in the decoder's arena until who owns that resets it; running out of
 * memory there goes where the arena was told to.
 */
#ifndef DECODE_DECODE_H
#define DECODE_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/record.h"
#include "decode/datum.h"
#include "print/rows.h"

struct arena;
struct datum;
struct dtrace_item;
struct dtrace_row;
struct dtrace_table;
struct dtrace_value;
struct event;
struct printer;
struct rec_action;
struct sink_env;
struct agg_table;

struct decoder {
	const struct sink_env *env;
	struct printer *pr; /* the options; its buffer is room for texts */
	struct arena *arena;
};

/* True if value D needs nothing of the arena. */
static inline bool decode_is_plain(const struct datum *d)
{
	return !datum_is_stack(d) && !datum_is_sym(d) && d->kind != DATUM_FLAGS &&
		d->kind != DATUM_SYSCALL;
}

/*
 * Fills OUT, of which everything is zero or was filled by this function, with the plain value D.
 * WHOLE: as of datum_is_text().
 */
void decode_plain(const struct decoder *dec, const struct datum *d, const struct rec_view *src,
	bool whole, struct dtrace_value *out);

/* Fills OUT with any value D. */
void decode_value(struct decoder *dec, const struct datum *d, const struct rec_view *src,
	struct dtrace_value *out);

/* Fills OUT with the value of print(): all members that are not zero (decode_tree.c). */
void decode_typed(struct decoder *dec, const struct rec_action *act, const struct rec_view *src,
	struct dtrace_value *out);

/* Copies the printer's buffer from byte FROM on into the arena, and takes it from the buffer. */
const char *decode_text(struct decoder *dec, size_t from, size_t *len);

/* ---- decode_stack.c: stacks and symbols ---- */

void decode_stack(struct decoder *dec, const struct datum *d, const struct rec_view *src,
	struct dtrace_value *out);
void decode_symbol(struct decoder *dec, const struct datum *d, const struct rec_view *src,
	struct dtrace_value *out);

/* ---- decode_record.c: actions ---- */

/* The values of an action, which stay valid until those of the next one are asked for. */
struct decoded {
	struct dtrace_value *values;
	unsigned room;
	/* bit N: values[N] is not a plain one; those from 64 on are taken to be */
	uint64_t expanded;
	uint64_t literals; /* bit N: it is a constant of the program (print.h) */
};

void decoded_free(struct decoded *v);

/*
 * Decodes the data of ACT into V.  0 or -ENOMEM; the arena is used only if a value is not plain,
 * which *USED says.
 */
int decode_action(struct decoder *dec, const struct rec_action *act, const struct rec_view *src,
	struct decoded *v, bool *used);

/* Fills OUT with action ACT and its values V, without its text and table. */
void decode_item(const struct rec_action *act, const struct decoded *v, struct dtrace_item *out);

/* ---- decode_table.c ---- */

/* A table whose rows are made when they are asked for, with ROWS as its insides. */
struct decoded_table {
	struct table_insides functions;
	struct decoder *decoder; /* for what lives as long as the table */
	struct arena *row;	 /* for one row */
	const struct agg_table *table;
};

void decode_table(
	struct decoded_table *insides, const struct agg_table *t, struct dtrace_table *out);

#endif
