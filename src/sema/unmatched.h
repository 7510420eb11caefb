/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unmatched: with option zdefs, the clauses whose descriptions match no probe.  Their arguments and
 * the types that they name may not exist here, so their errors do not count; what they define does,
 * because other clauses use it.
 */
#ifndef SEMA_UNMATCHED_H
#define SEMA_UNMATCHED_H

struct clause;
struct sema;

/*
 * Define the variables and aggregations that clause C assigns and that do not exist yet.  Those
 * whose types are unknown are int64_t until another clause uses them.  Reports nothing.
 */
void unmatched_define(struct sema *s, const struct clause *c);

#endif
