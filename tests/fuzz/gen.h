/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gen: random programs.  Everything is well typed, and known to eval.c unless it never runs.
 * gen.c: the program; gen_leaf.c: constants and names; gen_expr.c: expressions; gen_stmt.c:
 * statements; gen_def.c: inlines, functions, translators.
 */
#ifndef FUZZ_GEN_H
#define FUZZ_GEN_H

#include "program.h"

#define MAX_LOCALS 8

struct gen {
	uint64_t state;
	struct program *p;
	const char *off;
	enum firing on; /* of the clause being made */
	bool pure;	/* no side effects here */
	bool in_def;	/* of a function: no clause-local variables */
	bool in_expr;	/* of an inline: nothing that could be an error where it is used */
	bool in_void;	/* a function that is called as a statement */
	bool writing;	/* what is reached must be writable */
	bool in_spec;	/* only what may follow speculate() */
	unsigned in_loop, in_foreach;
	uint64_t assigned; /* bits: variables that have values */
	unsigned live;	   /* bits: pointers that were set in this clause */
	unsigned counters; /* bits: those in use by loops around */
	struct local *local[MAX_LOCALS];
	unsigned nlocals;
	const struct ty *returns; /* of the function being made */
	unsigned left;		  /* statements */
	unsigned nest;		  /* keys in keys */
};

/* True if feature NAME is to be used. */
bool on(const struct gen *g, const char *name);

uint64_t draw(struct gen *g);
unsigned below(struct gen *g, unsigned n);
bool chance(struct gen *g, unsigned percent);

#define PICK(g, table) (table)[below(g, sizeof(table) / sizeof((table)[0]))]

/* gen_leaf.c */
struct node *node(enum node_kind kind, const char *op, struct node *a, struct node *b);
struct node *leaf(enum node_kind kind, const char *text, const struct ty *type);
struct node *small(uint64_t v);
const struct ty *int_type(struct gen *g);
struct node *constant_int(struct gen *g);
struct node *literal(struct gen *g);
struct node *raw_int(struct gen *g);
struct node *raw_string(struct gen *g);
struct node *known_int(struct gen *g);

/* gen_expr.c: DEPTH of operators at most; those that say so return NULL when there is none */
struct node *integer(struct gen *g, unsigned depth);
struct node *string(struct gen *g, unsigned depth);
struct node *value(struct gen *g, const struct ty *t, unsigned depth);
struct node *cast_to(struct node *n, const struct ty *t);
struct node *variable(struct gen *g, struct var *v, unsigned depth);
/* Something of KIND; TYPE: exactly that, NULL: any; or NULL.  target(): it may be assigned. */
struct node *target(struct gen *g, enum kind kind, const struct ty *type, unsigned depth);
struct node *lvalue(struct gen *g, enum kind kind, const struct ty *type, unsigned depth);
struct node *record(struct gen *g, const struct ty *t, unsigned depth);	  /* or NULL */
struct node *pointer(struct gen *g, const struct var *v, unsigned depth); /* to what V does */
struct node *pointer_like(struct gen *g, const struct ty *t);		  /* or NULL */
struct node *int_assignment(struct gen *g, unsigned depth);
struct node *char_target(struct gen *g, unsigned depth); /* or NULL */
void make_plain(struct gen *g, struct node *n);		 /* no effects or faults in keys */
struct node *divisor_checked(struct node *n);
struct node *array_index(struct gen *g, unsigned n, unsigned depth);
bool usable(const struct gen *g, const struct var *v);

/* gen_def.c */
void make_defs(struct gen *g);
struct node *use_def(struct gen *g, enum def_kind kind, const struct ty *like, unsigned depth);
struct node *translation(struct gen *g, const struct ty *t, unsigned depth);	   /* or NULL */
struct node *member_of_translation(struct gen *g, enum kind kind, unsigned depth); /* or NULL */
struct node *procedure(struct gen *g);						   /* or NULL */
void make_objects(struct gen *g);						   /* variables */
struct node *object_assignment(struct gen *g);					   /* or NULL */

/* gen_stmt.c */
void make_block(struct gen *g, struct block *b, unsigned n, unsigned depth);
struct stmt *add(struct gen *g, struct block *b, enum stmt_kind kind);

#endif
