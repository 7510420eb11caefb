/* SPDX-License-Identifier: Apache-2.0 */
/* layout: the places of variables, keys and records, and their description for the consumer. */
#ifndef IR_LAYOUT_H
#define IR_LAYOUT_H

#include "abi/record.h"
#include "sema/typed.h"

struct lower_session;

/* Lay out everything: sets the offsets of variables and the descriptions of records. */
void layout_session(struct lower_session *s);
void layout_records(struct lower_session *s);

/* Returns the description and size of a value of type T (of expression E, may be NULL). */
struct datum layout_datum(
	struct lower_session *s, const struct expr *e, const struct type *t, bool key);
/* Lay out the key of associative array V; returns its size.  Thread-local: the thread is first. */
uint32_t assoc_layout(struct lower_session *s, const struct variable *v, struct datum *keys);

/* True if statement E is an action that is part of the clause's record. */
bool is_recording(const struct expr *e);

/* layout_names.c: names of the running kernel for tracesys(), in the arena. */
const struct flag_newer *layout_newer_names(struct lower_session *s);

/*
 * Collects the expressions whose values an action records, in order; returns their number, at most
 * MAX.
 */
uint32_t layout_action_data(const struct expr *call, const struct expr **out, uint32_t max);
#define MAX_DATA (SEMA_MAX_ARGS + 1)

/* Returns the source of E's characters if E is a string built-in, else TEXT_NONE. */
const struct builtin_text *layout_builtin_text(const struct expr *e);

#endif
