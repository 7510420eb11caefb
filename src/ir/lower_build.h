/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_build: operands, instructions, blocks, and space for temporaries.
 *
 * Instructions go to the block l->build.cur.  ir_emit_jmp() and ir_emit_br() end it; ir_place()
 * begins the next. Blocks are placed in the order in which they run, jumps go forward only.
 */
#ifndef IR_LOWER_BUILD_H
#define IR_LOWER_BUILD_H

#include <linux/bpf.h>

#include "ir/ir.h"

struct lower;

/* ---- operands ---- */

struct ir_operand ir_op_imm(int64_t v);
/* True if V is the constant 0. */
bool ir_is_zero_operand(struct ir_operand v);
struct ir_operand ir_op_temp(uint32_t t);
struct ir_operand ir_op_frame(int64_t off);
struct ir_operand ir_op_map(const char *name);
struct ir_operand ir_op_data(const char *section, int64_t off);
/* Returns the context of the program, also in the body of a loop. */
struct ir_operand ir_op_ctx(const struct lower *l);
/* Returns the id of the probe that fired. */
struct ir_operand ir_fired_probe(const struct lower *l);

/* ---- blocks and instructions ---- */

uint32_t ir_new_temp(struct lower *l, enum ir_type type);
/* A block named LABEL (static, for dumps) that is not placed yet. */
struct ir_block *ir_new_block(struct lower *l, const char *label);
/* Begin B; the block before it falls through. */
void ir_place(struct lower *l, struct ir_block *b);
/* Append an instruction; the caller fills in its operands. */
struct ir_insn *ir_emit(struct lower *l, enum ir_op op);
/* Move V to a new temporary, or to the existing temporary DST. */
uint32_t ir_emit_mov(struct lower *l, struct ir_operand v);
void ir_emit_set(struct lower *l, uint32_t dst, struct ir_operand v);
/* Returns V as a temporary: its own, or a new one for anything else. */
uint32_t ir_as_temp(struct lower *l, struct ir_operand v);
uint32_t ir_emit_op(struct lower *l, enum ir_op op, struct ir_operand a, struct ir_operand b);
/* Load or store SIZE (1, 2, 4, 8) bytes at BASE + OFF; a load is zero-extended. */
uint32_t ir_emit_load(struct lower *l, struct ir_operand base, int32_t off, unsigned size);
/* Load a pointer to a kernel object, which is read as the object at BASE is. */
uint32_t ir_emit_load_pointer(struct lower *l, struct ir_operand base, int32_t off);
/* Load as ir_emit_load() does, but into DST; other instructions may set that as well. */
void ir_emit_load_to(
	struct lower *l, uint32_t dst, struct ir_operand base, int32_t off, unsigned size);
void ir_emit_store(
	struct lower *l, struct ir_operand base, int32_t off, struct ir_operand v, unsigned size);
/* Call kernel helper BPF_FUNC_x, or run-time function NAME of abi/runtime.def; the result. */
uint32_t ir_emit_call(struct lower *l, int helper, uint32_t nargs, ...);
uint32_t ir_emit_rt(struct lower *l, const char *name, uint32_t nargs, ...);
uint32_t ir_emit_rt_args(
	struct lower *l, const char *name, uint32_t nargs, const struct ir_operand *args);
void ir_emit_jmp(struct lower *l, struct ir_block *to);
void ir_emit_br(struct lower *l, enum ir_cond cond, struct ir_operand a, struct ir_operand b,
	struct ir_block *then, struct ir_block *orelse);
/* Returns the address BASE + OFF as a call's argument. */
struct ir_operand ir_address(struct lower *l, struct ir_operand base, int64_t off);
/* Turn a possibly null map value into memory, jumping to NONE if it is null. */
uint32_t ir_emit_nonnull(struct lower *l, uint32_t maybe, struct ir_block *none);
void ir_emit_zero(struct lower *l, struct ir_operand base, int32_t off, uint32_t size);
void ir_emit_bytes(
	struct lower *l, struct ir_operand base, int32_t off, const void *bytes, uint32_t size);

/* ---- space ---- */

/* Returns the section of data named NAME; its size is 0 if it is new. */
struct ir_data *ir_data_section(struct lower *l, const char *name);
/* Returns the address of SIZE bytes that are always 0. */
struct ir_operand ir_zeros(struct lower *l, uint32_t size);

/* Offsets of SIZE bytes, rounded up to words, in the stack frame or the scratch slot. */
uint32_t ir_frame_alloc(struct lower *l, uint32_t size);
uint32_t ir_scratch_alloc(struct lower *l, uint32_t size);
/*
 * Returns the address of element INDEX of array MAP, or NULL: a temporary.  The key takes room in
 * the frame until then.
 */
uint32_t ir_array_lookup(struct lower *l, const char *map, struct ir_operand index);
/* Let the function spill numbers to SPILL_ROOM bytes at OFF of the scratch slot from here on. */
void ir_put_spills(struct lower *l, uint32_t off);
/*
 * Returns SIZE bytes for one statement, on the stack if that is small, else in scratch: base and
 * *OFF.
 */
struct ir_operand ir_temp_space(struct lower *l, uint32_t size, int32_t *off);

/* Report an error at the current location, with errortag TAG, and fail the session. */
void lower_error(struct lower *l, const char *tag, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
