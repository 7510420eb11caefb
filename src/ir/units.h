/* SPDX-License-Identifier: Apache-2.0 */
/*
 * units: the programs of a session and the probes that each serves.
 *
 * A unit is one program to be: all enabled probes of one hook, and the clauses that are enabled on
 * any of them, in session order.  Everything is in the session's arena.
 */
#ifndef IR_UNITS_H
#define IR_UNITS_H

#include "ir/lower.h"
#include "probe/args.h"
#include "probe/attach.h"
#include "sema/typed.h"

struct lower_session;

struct unit {
	struct attach_plan plan;
	VEC(const struct probe *) probes;  /* may be empty if is_open: they come while tracing */
	VEC(uint32_t) keys;		   /* plan.key of each probe */
	VEC(struct attach_site) sites;	   /* KEY_COOKIE: of each probe, which may have several */
	VEC(struct sema_clause *) clauses; /* in session order */
	struct probe_args args;
	const struct sema_derived *derived; /* NULL: the hook is the probe's own */
	unsigned number;		    /* of the probe's plan */
	uint32_t order;			    /* in which units are made */
	uint32_t index;			    /* among the units of the session */
	bool short_stack;		    /* struct lowering_plan */
	bool is_error;			    /* dt_error(): the clauses of ERROR */
	bool is_each;	  /* dt_each(): called for each item of a list (struct derivation) */
	bool is_state;	  /* keeps state for derived probes */
	bool is_open;	  /* places and probes may come while tracing */
	const char *pids; /* is_open: section with the process of each place, or NULL */
	const char *names[LOWER_PARTS]; /* is_open: sections of its probes' names, by part */
	const char *lines;		/* is_open: section of their lines, or NULL */
	bool has_loops;
	uint32_t piece;	      /* instructions of IR in one of its programs; 0: it is one program */
	uint32_t piece_loops; /* if it is not one program: bodies of loops in all */
	bool piece_functions; /* its pieces are functions */
	uint32_t nloops;      /* so far */
};

typedef VEC(struct unit *) units_vec;

/*
 * Returns the units of the session's clauses: ERROR's first, those of one hook in the order in
 * which they run.  A probe that cannot be attached is reported and fails the session.
 */
const units_vec *session_units(struct lower_session *s);

/*
 * Adds the programs that keep the processes which --follow follows, if UNITS need them
 * (lower_follow.c).
 */
void lower_follow(struct lower_session *s, const units_vec *units);

/* Mark the aggregations that programs in interrupts, and that tasks, update (contexts.c). */
void mark_contexts(struct lower_session *s);

/* True if U's clauses are a function with number parameters, dt_error() or dt_each(). */
static inline bool is_called(const struct unit *u)
{
	return u->is_error || u->is_each;
}

#define LOWER_PARAMS 4 /* the most parameters that such a function has */
#define ERROR_PARAMS 4
#define EACH_PARAMS  3

static inline int unit_params(const struct unit *u)
{
	return u->is_error ? ERROR_PARAMS : u->is_each ? EACH_PARAMS : 0;
}

/* True if VISIT or EACH is for an expression or statement of U's clauses or derived probe. */
bool unit_has(const struct unit *u, sema_visit_fn visit, sema_visit_stmt_fn each);

/* All ones up to the highest bit of U's largest key; a table by key has one entry more. */
uint32_t units_key_mask(const struct unit *u);

#endif
