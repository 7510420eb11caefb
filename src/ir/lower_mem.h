/* SPDX-License-Identifier: Apache-2.0 */
/* lower_mem: objects in memory: struct members, array elements, *p, and scratch memory. */
#ifndef IR_LOWER_MEM_H
#define IR_LOWER_MEM_H

#include "ir/ir.h"

struct expr;
struct lower;
struct member_path;
struct type;

enum mem_kind {
	MEM_KERNEL,  /* typed pointer: direct loads */
	MEM_ADDRESS, /* checked reads of kernel memory */
	MEM_USER,    /* checked reads of the current process */
	MEM_OWN,     /* a variable or temporary of ours: direct loads and stores */
	MEM_SCRATCH, /* a number that should point into the clause's scratch memory */
};

/* An object: base + off. */
struct mem {
	enum mem_kind kind;
	struct ir_operand base;
	int64_t off;
	uint32_t bit_offset, bit_size; /* of a bit-field, from off; bit_size 0 = none */
};

/* True if E names an object in memory, rather than a value. */
bool is_memory_expr(const struct expr *e);
/* Returns the object that E names; a value that is a struct is put into scratch. */
struct mem lower_mem(struct lower *l, const struct expr *e);
/*
 * Returns the object that E names, to be written with V (OP_NONE if that is not known yet).  An
 * element that E is a part of is made if it does not exist.
 */
struct mem lower_mem_to_write(struct lower *l, const struct expr *e, struct ir_operand v);
/* Returns the target of pointer E, of a type that the verifier follows: IRT_KERNEL. */
uint32_t lower_kernel_pointer(struct lower *l, const struct expr *e);
/* Moves M from a record to its member P. */
void mem_add_member(struct mem *m, const struct member_path *p);
/* Returns the address of M as a number. */
struct ir_operand mem_address(struct lower *l, const struct mem *m);
/* Load a scalar of type T; a bad address faults. */
struct ir_operand mem_read(struct lower *l, const struct mem *m, const struct type *t);
/* Store V, a scalar of type T, to memory of ours. */
void mem_write(struct lower *l, const struct mem *m, struct ir_operand v, const struct type *t);
/* Copy SIZE bytes of M to our memory at BASE + OFF. */
void mem_copy(
	struct lower *l, struct ir_operand base, int32_t off, const struct mem *m, uint32_t size);
/* Bytes after an object of type T that the verifier takes an index in it to reach. */
uint32_t lower_index_overshoot(const struct type *t);
/* True if E is an address of the current process. */
bool lower_is_user_pointer(const struct lower *l, const struct expr *e);
/* Lowers a pointer, array or string to an address. */
struct ir_operand lower_pointer_value(struct lower *l, const struct expr *e);

/* ---- structs, unions, arrays (lower_struct.c) ---- */

bool lower_is_aggregate(const struct type *t);
/* The value of E, an aggregate, to our memory at BASE + OFF. */
void lower_struct_into(struct lower *l, const struct expr *e, struct ir_operand base, int32_t off);
void lower_assign_struct(struct lower *l, const struct expr *e);
/* VALUE to the member at PATH of the object at BASE + OFF, memory of ours. */
void lower_put_member(struct lower *l, const struct expr *value, const struct member_path *path,
	struct ir_operand base, int32_t off);
/* All members of E, an xlate expression, to the struct at BASE + OFF. */
void lower_translated_into(
	struct lower *l, const struct expr *e, struct ir_operand base, int32_t off);

/* ---- scratch memory of D programs (lower_scratch.c) ---- */

/* True if the unit's clauses use scratch memory; scratch_memory_init() then makes room for it. */
bool scratch_memory_used(const struct lower *l);
void scratch_memory_init(struct lower *l);
/* Begins a clause: nothing is allocated. */
void scratch_memory_begin(struct lower *l);
/* Returns M, checked for an access of SIZE bytes, as memory of ours. */
struct mem scratch_access(struct lower *l, const struct mem *m, uint32_t size);
/* The subroutines of that name: E is the call. */
struct ir_operand lower_alloca(struct lower *l, const struct expr *e);
struct ir_operand lower_copyin(struct lower *l, const struct expr *e);
void lower_copyinto(struct lower *l, const struct expr *e);
void lower_bcopy(struct lower *l, const struct expr *e);
void lower_copyout(struct lower *l, const struct expr *e);
void lower_copyoutstr(struct lower *l, const struct expr *e);

#endif
