/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_str: strings.
 *
 * A string is written straight to its destination, a struct byte_place.  One that may be NULL has a
 * null flag: a temporary that is not 0 if the string is NULL.
 */
#ifndef IR_LOWER_STR_H
#define IR_LOWER_STR_H

#include "ir/ir.h"

struct expr;
struct lower;

/* A destination for a string or other bytes. */
struct byte_place {
	struct ir_operand base;
	int32_t off;
	uint32_t room;	 /* bytes */
	int32_t scratch; /* offset in the scratch slot, -1 = elsewhere */
};

/* Write string E to P; NULL faults. */
void lower_string_into(struct lower *l, const struct expr *e, const struct byte_place *p);
/* Does the same, but NULL is no fault: it sets temporary NUL. */
void lower_string_maybe(
	struct lower *l, const struct expr *e, const struct byte_place *p, uint32_t nul);
/*
 * Write the names of the current process and thread, COMM_LEN bytes each whatever option strsize
 * is.  Nothing faults.
 */
void lower_names_into(struct lower *l, const struct byte_place *p);
/*
 * The comm of the current process's first thread is at P, COMM_LEN bytes: writes the name there
 * that exec gave to the process, if it is another one.
 */
void lower_given_name(struct lower *l, const struct byte_place *p);
/* Lowers _task_name(task) of the libraries: the same of any task. */
void lower_task_name(struct lower *l, const struct expr *e, const struct byte_place *p);

/*
 * The same to the frame, 16 bytes at *AT with zeros after the name; false if the kernel's types are
 * not known.
 */
bool lower_exec_name(struct lower *l, uint32_t *at);

/* Write E to the scratch slot; returns its offset there. */
uint32_t lower_string_scratch(struct lower *l, const struct expr *e);
/* Returns the address of string E's bytes as a number; 0 if it is NULL. */
struct ir_operand lower_string_pointer(struct lower *l, const struct expr *e);
struct ir_operand lower_strlen(struct lower *l, const struct expr *e);
/* Jump to YES or NO by a comparison of strings (lower_strcmp.c). */
void lower_string_condition(
	struct lower *l, const struct expr *e, struct ir_block *yes, struct ir_block *no);

bool lower_is_null_constant(const struct expr *e);
bool lower_may_be_null(const struct expr *e);
/* True if E is a D variable or an element of one. */
bool lower_is_variable(const struct expr *e);

/* Copy the string at ADDR with HELPER, at most ROOM bytes; a bad address faults. */
void read_string(struct lower *l, struct ir_operand addr, const struct byte_place *p, int helper,
	uint32_t room);
/* Returns the room of P that one string may fill: at most strsize + 1 bytes. */
uint32_t string_limit(struct lower *l, const struct byte_place *p);

/* ---- subroutines that give strings (lower_strcall.c) ---- */

/* The result of call E to P; the second sets NUL if the result is NULL. */
void lower_string_call(struct lower *l, const struct expr *e, const struct byte_place *p);
void lower_string_call_maybe(
	struct lower *l, const struct expr *e, const struct byte_place *p, uint32_t nul);
/* True if the result of a call can be NULL. */
bool lower_gives_null(const struct expr *e);

#endif
