/* SPDX-License-Identifier: Apache-2.0 */
/* lower_stack: kernel and user stacks of the current thread. */
#ifndef IR_LOWER_STACK_H
#define IR_LOWER_STACK_H

#include "ir/ir.h"

struct expr;
struct lower;

enum stack_of {
	STACK_KERNEL,
	STACK_USER,
	STACK_MANAGED, /* user code, with the frames of managed languages by name */
};

/* Returns what the call of stack(), ustack() or jstack() takes. */
enum stack_of stack_of(const struct expr *e);
/* Write the stack's SIZE bytes at AT: returns the bytes written, or a negative error. */
uint32_t emit_stack(struct lower *l, struct ir_operand at, uint32_t size, enum stack_of of);
/*
 * Returns what is to be added to the process of a user stack for which emit_stack() returned N:
 * DT_USTACK_PART, or 0 if it is whole.
 */
struct ir_operand emit_stack_mark(struct lower *l, uint32_t n);
/* True if the probe has such a stack: BEGIN, END, ERROR and probes about other tasks lack some. */
bool has_stack(const struct lower *l, bool user);
/* Lowers stack(), ustack() or jstack() as a value: the id by which it is kept. */
struct ir_operand lower_kept_stack(struct lower *l, const struct expr *e);
/* Lower stackdepth and caller; ustackdepth and ucaller if USER. */
struct ir_operand lower_stack_depth(struct lower *l, bool user);
struct ir_operand lower_caller(struct lower *l, bool user);

#endif
