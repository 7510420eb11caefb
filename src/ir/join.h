/* SPDX-License-Identifier: Apache-2.0 */
/*
 * join: clauses about one process, or a family, in the programs of the files that are attached for
 * more processes.
 *
 * A place is attached to once: were it attached to for one process and for all, a hit in that
 * process would cost twice, and its clauses would run in the order of the two links.  So a clause
 * of the narrower scope is in the program of the wider one, too, which asks for its process.
 */
#ifndef IR_JOIN_H
#define IR_JOIN_H

#include <stdbool.h>

#include "base/strmap.h"
#include "base/vec.h"
#include "probe/attach.h"

struct lower_session;
struct probe;
struct sema_clause;
struct unit;

/* A place that processes share. */
struct join_place {
	const struct probe *probe;
	unsigned plan; /* of the probe */
	enum attach_scope scope;
};

/* The places that processes share of the probes that are enabled when tracing begins. */
struct join_places {
	struct strmap by_place; /* struct join_place, the one of the widest scope */
	VEC(const struct probe *) probes;
};

/* Sets sema_clause.joins of the session's clauses.  Call it before layout. */
void join_mark(struct lower_session *s);

/* Returns the shared places; none if no clause joins.  In the session's arena. */
struct join_places *join_places(struct lower_session *s);

/* Returns the place of wider scope at which clause C joins, instead of at PLAN; NULL: there is
 * none. */
const struct join_place *join_at(struct lower_session *s, const struct join_places *places,
	const struct sema_clause *c, const struct attach_plan *plan);

/*
 * Returns plan I of P as a place at which clause C joins if its process, too, comes to map the
 * file; NULL: it does not.
 */
const struct join_place *join_named(struct lower_session *s, const struct join_places *places,
	const struct sema_clause *c, const struct probe *p, unsigned i);

/* True if C, whose scope is narrower than SCOPE, joins clauses of SCOPE. */
bool join_meets(
	const struct lower_session *s, const struct sema_clause *c, enum attach_scope scope);

/* True if U has clauses of a narrower scope than its own. */
bool unit_joined(const struct unit *u);

#endif
