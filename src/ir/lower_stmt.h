/* SPDX-License-Identifier: Apache-2.0 */
/* lower_stmt: statements, actions, the records that they fill, and loops. */
#ifndef IR_LOWER_STMT_H
#define IR_LOWER_STMT_H

#include "ir/ir.h"
#include "ir/lower_state.h"
#include "lang/ast.h"

struct datum;

void lower_statements(struct lower *l, const stmt_vec *stmts);
/* The body of the D function that E calls, in place of the call. */
void lower_inlined(struct lower *l, const struct expr *e);

/* The values that were read so far, and back to them after a branch that may not have run. */
struct cached lower_cached(const struct lower *l);
void lower_restore(struct lower *l, struct cached c);

/* ---- records ---- */

/* Begin the record D; until lower_close_record() a fault or the clause's end discards it. */
void lower_open_record(struct lower *l, const struct rec_desc *d);
void lower_close_record(struct lower *l);
/* Write the open record now, before a jump out of the statements that it is for. */
void lower_submit_record(struct lower *l);
/* Give back what the open record has taken of its speculation's room. */
void lower_give_room(struct lower *l);
/* Jump to TO, submitting the open record unless it is RECORD. */
void lower_leave_to(struct lower *l, struct ir_block *to, uint32_t record);

/* ---- actions (lower_action.c, lower_agg.c) ---- */

/* A statement's expression: an action, an aggregation, or evaluated for its effect. */
void lower_action(struct lower *l, const struct expr *e);
/* Lowers @a[keys] = function(arguments). */
void lower_agg_update(struct lower *l, const struct expr *e);
/* Write E as the datum D of a record or key at BASE + OFF. */
void lower_datum(struct lower *l, const struct expr *e, const struct datum *d,
	struct ir_operand base, int32_t off);

void lower_exit(struct lower *l, struct ir_operand status);
/* sema_visit_fn: a call of exit(), which is stored in *FOUND, a const struct expr *, or NULL. */
bool lower_find_exit(void *found, const struct expr *e);

/* ---- loops (lower_loop.c) ---- */

/* The ways in which a round of a loop ends. */
enum loop_flow { FLOW_NEXT, FLOW_BREAK, FLOW_FAULT, FLOW_RETURN, FLOW_SKIP };

/* Make room for the state of a unit's loops. */
void loop_init(struct lower *l);
void lower_loop(struct lower *l, const struct stmt *st);
/* End the loop from inside its body. */
void loop_leave(struct lower *l, enum loop_flow how);
/*
 * For units with loops: begin a clause; note that a record was written; return DT_REC_CONTINUED if
 * one was.
 */
void loop_clause(struct lower *l);
void loop_recorded(struct lower *l);
uint32_t loop_continued(struct lower *l);

#endif
