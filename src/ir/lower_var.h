/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_var: D variables: global, thread-local, clause-local, and associative arrays.
 *
 * lower_key.c makes the keys of elements, lower_this.c has the clause-local variables,
 * lower_locate.c finds and reads a variable, lower_store.c writes it, lower_assign.c has the
 * operators that do so.
 */
#ifndef IR_LOWER_VAR_H
#define IR_LOWER_VAR_H

#include "ir/ir.h"
#include "ir/lower_mem.h"

struct datum;
struct variable;

#define MAP_SELF "dt_self" /* the map of thread-local variables, in task storage */

/* ---- sizes ---- */

/* Bytes of a variable's value. */
unsigned lower_var_size(const struct variable *v);
/* Bytes of storage of a string variable, of a struct variable, each without its flag. */
uint32_t lower_var_room(const struct variable *v);
uint32_t lower_struct_room(const struct variable *v);

/* ---- keys (lower_key.c) ---- */

/*
 * Write the key tuple of E's subscripts, laid out as KEYS[NKEYS], to KEY_SIZE bytes at BASE + OFF,
 * whose first FIRST bytes are left to the caller.
 */
void lower_keys_at(struct lower *l, const struct expr *e, const struct datum *keys, uint32_t nkeys,
	uint32_t first, uint32_t key_size, struct ir_operand base, int32_t off);
/* Returns the key of element E of associative array V. */
struct ir_operand element_key(struct lower *l, const struct variable *v, const struct expr *e);

/* ---- clause-local variables (lower_this.c) ---- */

/* Make room for those of all clauses of the unit, and clear it. */
void lower_this_init(struct lower *l);
/* Returns the place of V, NULL if no clause uses it. */
struct this_slot *this_slot(struct lower *l, const struct variable *v);
/* Put the key datum D of the map key at address KEY into clause-local variable V. */
void lower_bind(struct lower *l, const struct variable *v, uint32_t key, const struct datum *d);
/* The result of a D function whose body was put in place of the call. */
struct ir_operand lower_result(struct lower *l, const struct expr *call);

/* ---- finding and reading (lower_locate.c) ---- */

/* A located lvalue: memory at base + off, or a map value that may be null. */
struct element {
	const struct variable *var;
	struct ir_operand base;
	int32_t off;	       /* also of a thread-local in its map value */
	uint32_t maybe;	       /* temporary with the map value; 0 = base is set */
	struct ir_operand key; /* of an associative array's element */
};

/*
 * Keep the key of ELEMENT, which may be any variable, until the statement ends: its subscripts are
 * not evaluated twice if it is located again.
 */
void lower_keep_key(struct lower *l, const struct expr *element);
/* Find variable or element E; CREATE makes the thread's storage if there is none. */
struct element locate(struct lower *l, const struct expr *e, bool create);
/* Returns the scalar at EL; 0 if the element does not exist. */
struct ir_operand lower_load_element(struct lower *l, const struct element *el);
struct ir_operand lower_load_var(struct lower *l, const struct expr *e);
/*
 * Returns the struct, union or array that E names.  One that is unset is read as zeros; if E is
 * l->written.variable, it is made.
 */
struct mem lower_variable_mem(struct lower *l, const struct expr *e);
/* Returns the object at EL, whose el.maybe is set; ROOM bytes of zeros if it does not exist. */
struct mem lower_element_or_zeros(struct lower *l, const struct element *el, uint32_t room);
/* Returns the address of string variable E for a checked read, and its null flag in *NUL. */
struct ir_operand lower_string_variable(
	struct lower *l, const struct expr *e, struct ir_operand *nul);
/*
 * Returns the character that E, a subscript of a string variable or member, names, as memory of
 * ours: NULL and an index that no character can have fault.
 */
struct mem lower_string_character(struct lower *l, const struct expr *e);

/* ---- storing (lower_store.c) ---- */

void store_scalar(struct lower *l, const struct element *el, struct ir_operand v);
/* The string or struct at scratch offset OFF to the variable or element TARGET. */
void store_string(struct lower *l, const struct expr *target, uint32_t off);
void store_struct(struct lower *l, const struct expr *target, uint32_t off);
/*
 * Returns the object at EL, whose el.maybe is set, to be written.  It is made of zeros if it does
 * not exist, unless V, the value to be stored in it, is known and 0.
 */
struct mem lower_element_to_write(struct lower *l, const struct element *el, struct ir_operand v);
/* Lowers s = NULL. */
void store_null(struct lower *l, const struct expr *target);
/* What is kept of a translated object, at BASE + OFF, to TARGET, which keeps it. */
void store_object(struct lower *l, const struct expr *target, struct ir_operand base, int32_t off);
/* Lowers x[k] = 0 or self->x = 0, for a struct. */
void lower_delete_variable(struct lower *l, const struct expr *target);

/* ---- operators (lower_assign.c) ---- */

struct ir_operand lower_assign(struct lower *l, const struct expr *e);
/*
 * s = e.  Returns the value's offset in the scratch slot, -1 if E is the constant NULL.  NUL, a
 * temporary or 0, is set to the value's null flag.
 */
int32_t lower_assign_string(struct lower *l, const struct expr *e, uint32_t nul);
/* Lowers x++ and the like: the expression's value if WANT. */
struct ir_operand lower_increment(struct lower *l, const struct expr *e, bool want);
/* Lowers v = E; E has V's type. */
void lower_set_variable(struct lower *l, struct variable *v, const struct expr *e);

#endif
