/* SPDX-License-Identifier: Apache-2.0 */
/* lower_fault: run-time faults (D's ERROR probe), drops, and code for memory that may be missing.
 */
#ifndef IR_LOWER_FAULT_H
#define IR_LOWER_FAULT_H

#include "abi/kernel.h"
#include "ir/ir.h"
#include "ir/lower_state.h"

/* If A COND B is false, the clause faults. */
void check_or_fault(struct lower *l, enum ir_cond cond, struct ir_operand a, struct ir_operand b,
	enum dt_fault_code code, struct ir_operand value);
void emit_fault(struct lower *l, enum dt_fault_code code, struct ir_operand value);
/* Does the same with a code that is known at run time. */
void emit_fault_code(struct lower *l, struct ir_operand code, struct ir_operand value);
/* Set what the block l->clause.fault will report. */
void set_fault_code(struct lower *l, struct ir_operand code);
void set_fault_value(struct lower *l, struct ir_operand value);
/*
 * Up to the end of the block, what faults is expression E, or one within E that is being lowered
 * then.
 */
#define LOWER_AT(l, e)                                                                  \
	struct lower_outer lower_outer __attribute__((cleanup(lower_at_end), unused)) = \
		lower_at_begin(l, e)
struct lower_outer {
	struct lower *l;
	struct lower_at at;
};
struct lower_outer lower_at_begin(struct lower *l, const struct expr *e);
void lower_at_end(struct lower_outer *outer);

/* Returns the number of the place that is being lowered, from 1; 0: there can be no more. */
uint32_t fault_place_number(struct lower *l);

/*
 * Lowers the block that a clause's faults jump to: reports the fault, runs ERROR, goes on at NEXT.
 */
void lower_fault_block(struct lower *l, struct ir_block *next);

/* Count one drop. */
void lower_emit_drop(struct lower *l, enum dt_drop which);
#define NO_DROP DT_DROP_MAX

/*
 * Code that uses memory which a look-up or a reservation may fail to give:
 *
 *	struct attempt a = lower_attempt(l, "full", "stored");
 *	p = ir_emit_nonnull(l, maybe, a.failed);
 *	... the code for success
 *	lower_attempt_end(l, &a, DT_DROP_DYNAMIC);
 *
 * lower_attempt_end() counts a drop in the case of failure (unless NO_DROP), then both cases go on.
 *If failure needs other code, that stands between lower_attempt_else() and ir_place(l, a.done).
 */
struct attempt {
	struct ir_block *failed, *done;
};
/* FAILED and DONE are the labels of the two blocks in dumps. */
struct attempt lower_attempt(struct lower *l, const char *failed, const char *done);
void lower_attempt_else(struct lower *l, const struct attempt *a);
void lower_attempt_end(struct lower *l, const struct attempt *a, enum dt_drop which);

#endif
