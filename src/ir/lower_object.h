/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_object: translated objects, and the variables that keep members of them (struct
 * kept_object).
 */
#ifndef IR_LOWER_OBJECT_H
#define IR_LOWER_OBJECT_H

#include "ir/ir.h"
#include "ir/lower_mem.h"

struct expr;
struct kept_object;
struct lower;

/* Gives the members of O their offsets, and O its size. */
void layout_object(struct kept_object *o);
/* Bytes before the first member of O: all 0 where there is no object, if there are any. */
uint32_t object_header(const struct kept_object *o);
/* True if all that is kept are words, which a variable may have in the stack frame. */
bool object_is_words(const struct kept_object *o);
/* True if E is a variable that keeps members of translated objects, or an element of one. */
bool is_object_variable(const struct expr *e);

/* True if E, a struct or union, is a translated object: it has no bytes that can be copied. */
bool is_object(const struct expr *e);

/* Returns member E of an object that a variable keeps; that there is no object faults. */
struct mem object_member(struct lower *l, const struct expr *e);
/* Returns the input of E, an xlate expression, as a number: an address for what is no scalar. */
struct ir_operand object_input(struct lower *l, const struct expr *e);
/*
 * Returns the pointer to a translated object that condition E compares with NULL, or that E is;
 * NULL if there is none.
 */
const struct expr *object_tested(const struct expr *e);
/* Jump to YES if there is an object at pointer E, to NO if it is NULL. */
void lower_object_condition(
	struct lower *l, const struct expr *e, struct ir_block *yes, struct ir_block *no);
/* Lowers the assignment E, whose left side is such a variable. */
void lower_assign_object(struct lower *l, const struct expr *e);
/*
 * Writes what E is or points to, a translated object, to memory of ours at BASE + OFF: all its
 * members, laid out as its type says.
 */
void lower_object_into(struct lower *l, const struct expr *e, struct ir_operand base, int32_t off);
/* The same for a pointer, which goes to NUMBER, 8 bytes of ours, as a number. */
void lower_pointed_object(struct lower *l, const struct expr *e, struct ir_operand base,
	int32_t off, const struct mem *number);

#endif
