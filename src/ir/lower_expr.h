/* SPDX-License-Identifier: Apache-2.0 */
/* lower_expr: scalar expressions and conditions. */
#ifndef IR_LOWER_EXPR_H
#define IR_LOWER_EXPR_H

#include "ir/ir.h"

struct expr;
struct lower;
struct type;

/* Returns the value of scalar E, extended to 64 bits by its type. */
struct ir_operand lower_expr(struct lower *l, const struct expr *e);
/* Lowers E for its effect: the value is not used. */
void lower_effect(struct lower *l, const struct expr *e);
/* Jump to YES or NO by the truth of E. */
void lower_condition(
	struct lower *l, const struct expr *e, struct ir_block *yes, struct ir_block *no);

/* Sign- or zero-extend V to 64 bits from the size of T. */
struct ir_operand lower_extend(struct lower *l, struct ir_operand v, const struct type *t);

#endif
