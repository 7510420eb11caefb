/* SPDX-License-Identifier: Apache-2.0 */
/* lower_unit: one program: its gate, its dispatch to the clauses, the clauses in order. */
#ifndef IR_LOWER_UNIT_H
#define IR_LOWER_UNIT_H

#include <stdint.h>

struct ir_block;
struct lower;
struct lower_session;
struct unit;

/* Generate program number NUMBER from U and add it to the module. */
void lower_unit(struct lower_session *s, struct unit *u, uint32_t number);
/* Jump to OUT unless tracing is on, and on here. */
void lower_gate(struct lower *l, struct ir_block *out);
/* The program that has dt_each(), which is the clauses of U, called (lower_each.c). */
struct ir_func *lower_each_entry(struct lower_session *s, struct unit *u, const char *name);

/* ---- which probe fired (lower_dispatch.c) ---- */

/* Find the probe and its clauses by the firing's key; jump to OUT if it is no probe of ours. */
void lower_dispatch(struct lower *l, struct ir_block *out);
/* Jump to OUT unless clause number I of the unit is enabled on the probe that fired. */
void dispatch_clause(struct lower *l, uint32_t i, struct ir_block *out);

/* ---- programs within programs (lower_guard.c) ---- */

/* Jump to OUT if this hook could deadlock with a program that runs on this CPU. */
void guard_test(struct lower *l, struct ir_block *out);
/* Count this program while it runs. */
void guard_enter(struct lower *l);
void guard_leave(struct lower *l);
void guard_maps(struct lower_session *s);

#endif
