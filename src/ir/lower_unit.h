/* SPDX-License-Identifier: Apache-2.0 */
/* lower_unit: one program: its gate, its dispatch to the clauses, the clauses in order. */
#ifndef IR_LOWER_UNIT_H
#define IR_LOWER_UNIT_H

#include <stdint.h>

struct ir_block;
struct lower;
struct lower_session;
struct unit;

/* Generate the program of U and add it to the module. */
void lower_unit(struct lower_session *s, struct unit *u);
/* Release the scratch slot and return from the program. */
void leave_unit(struct lower *l);
/* Find the memory of the slot l->firing.slot; jumps to OUT if there is none. */
void lower_find_scratch(struct lower *l, struct ir_block *out);
/* The end of a program: netfilter accepts the packet. */
void lower_emit_return(struct lower *l);
/* Jump to OUT unless tracing is on, and on here. */
void lower_gate(struct lower *l, struct ir_block *out);
/* The program that has dt_each(), which is the clauses of U, called (lower_each.c). */
struct ir_func *lower_each_entry(struct lower_session *s, struct unit *u, const char *name);

/* ---- which probe fired (lower_dispatch.c) ---- */

/* Find the probe and its clauses by the firing's key; jump to OUT if it is no probe of ours. */
void lower_dispatch(struct lower *l, struct ir_block *out);
/* Jump to OUT unless clause number I of the unit is enabled on the probe that fired. */
void dispatch_clause(struct lower *l, uint32_t i, struct ir_block *out);

/*
 * Keep what lower_dispatch() found at offset AT of the scratch slot, DISPATCH_KEPT bytes, and get
 * it from there in another function.
 */
#define DISPATCH_KEPT 24
void dispatch_keep(struct lower *l, int32_t at);
void dispatch_restore(struct lower *l, int32_t at);

/* ---- programs within programs (lower_guard.c) ---- */

/* Jump to OUT if this hook could deadlock with a program that runs on this CPU. */
void guard_test(struct lower *l, struct ir_block *out);
/* Count this program while it runs. */
void guard_enter(struct lower *l);
/* Find the count again in another function. */
void guard_again(struct lower *l, struct ir_block *out);
void guard_leave(struct lower *l);
void guard_maps(struct lower_session *s);

#endif
