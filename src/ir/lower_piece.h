/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_piece: a unit that is too long for one program becomes several, its pieces.
 *
 * The kernel's verifier takes time that grows with the square of a program's length, follows 8,192
 * open branches, and allows 256 functions.  So the clauses are cut between statements, and each
 * piece runs the next by a tail call, which leaves nothing of it but the context.  What has to stay
 * is in the scratch slot, which the next piece finds again by the address of the context:
 * variables, the open record (written to the buffer when it is complete), the fault under way, the
 * clock as the clause has read it.  A jump to a later piece is a tail call too; a word in the slot
 * says to which block.
 *
 * The kernel has no tail calls in functions, nor in programs that may sleep.  The pieces of these,
 * and of dt_error() and dt_each(), are global functions, which the verifier looks at one by one
 * too.  The first piece calls them, each returns the number of the next.  The body of a loop is not
 * cut.
 */
#ifndef IR_LOWER_PIECE_H
#define IR_LOWER_PIECE_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/ir.h"

struct lower;
struct unit;

/*
 * Returns how many instructions of IR a piece is to have, if the unit that L lowered as one
 * program, with NLOOPS bodies of loops, is better cut; else 0.
 */
uint32_t piece_size(const struct lower *l, uint32_t nloops);

/* True if pieces of U must be functions; known when U was lowered as one program. */
bool pieces_are_functions(const struct unit *u);

/* Take room in the scratch slot; the rest of the unit's can follow.  Nothing if it is not cut. */
void piece_begin_unit(struct lower *l);
/* Begin a clause. */
void piece_clause(struct lower *l);
/* To be called between statements, when no temporary is needed any more: begins a new piece here
 * if this one is long enough. */
void piece_boundary(struct lower *l);
/*
 * True if drops are better counted by a call: the kernel puts code in place of each look-up in a
 * program, which takes it time that grows with the program's length.
 */
bool piece_calls_drop(const struct lower *l);
/* The unit is left: nobody will look for the slot. */
void piece_leave(struct lower *l);
/* Connect the pieces; emits the tail calls of jumps from one to another. */
void piece_end_unit(struct lower *l);

/* Returns the function of the first piece, which is attached. */
struct ir_func *piece_first(const struct lower *l);
/* Add the programs of the other pieces to the module, after that of the first. */
void piece_programs(const struct lower *l);

/* ---- what outlives a piece ---- */

/* True if the code that is being lowered keeps the following in the scratch slot. */
bool piece_keeps(const struct lower *l);

/* Returns the address of a record of SIZE bytes; jumps to FULL if the buffer has no room for it. */
uint32_t piece_record(struct lower *l, uint32_t size, struct ir_block *full);
/* Write the record to the buffer. */
void piece_submit(struct lower *l, uint32_t size);

/* What describes a fault under way; into new temporaries of L. */
void piece_keep_code(struct lower *l, struct ir_operand code);
void piece_keep_value(struct lower *l, struct ir_operand value);
void piece_get_fault(struct lower *l);

enum piece_value { PIECE_TIME, PIECE_VTIME, PIECE_VALUES };
/* Returns the value that READ gives, the same for the whole clause. */
uint32_t piece_value(struct lower *l, enum piece_value which, uint32_t (*read)(struct lower *l));

#endif
