/* SPDX-License-Identifier: Apache-2.0 */
/*
 * eval: the machine that evaluates a program.  eval.c: expressions; eval_object.c: variables
 * and memory; eval_string.c: subroutines on strings; eval_run.c: statements, clauses and probes;
 * eval_agg.c: aggregations.
 */
#ifndef FUZZ_EVAL_H
#define FUZZ_EVAL_H

#include <setjmp.h>

#include "program.h"

/* Some memory, and which of its bytes have been written. */
struct object {
	uint8_t *bytes;
	bool *known;
	unsigned size;
	bool scratch;
	unsigned firing; /* scratch memory: which one had it */
};

struct value {
	uint64_t i;
	const char *s;	  /* of a string; NULL: the null string */
	struct object *o; /* of a pointer: what it points to, NULL: nothing; of a struct: a copy */
	int64_t off;
	bool past; /* the rest of a string that begins after its end */
};

/* A variable, or an element. */
struct cell {
	struct cell *next;
	const struct var *var;
	const char *key;
	struct value keys[MAX_KEYS];
	struct value v;	 /* string, pointer */
	struct object o; /* anything else */
	bool present;
};

/* The place of an object. */
struct place {
	struct object *o;
	int64_t off;
	const struct ty *type;
	const struct field *bits; /* of a bit-field */
	const struct place *text; /* of a character: its string, in which it is at OFF */
	struct cell *cell;	  /* it is this whole variable */
	struct cell *whole;	  /* it is a part of this variable, or it is this one */
};

struct update {
	struct update *next;
	uint64_t value, by;
};

struct row {
	struct row *next;
	const struct agg *agg;
	const char *key;
	const char *text; /* of the keys */
	struct update *updates;
};

enum fault {
	FAULT_NONE,
	FAULT_BADADDR = 1,
	FAULT_ILLOP = 3,
	FAULT_DIVZERO = 4,
	FAULT_NOSCRATCH = 5,
	FAULT_BADSIZE = 10,
	FAULT_BADINDEX = 11,
	FAULT_LOOPBOUND = 12,
	SKIP = 100, /* no fault: the clause ends */
};

/* A use of an inline or a translator: its parameters are expressions. */
struct frame {
	const struct frame *outer;
	const struct node *use;
};

enum spec_state { SPEC_FREE, SPEC_ACTIVE, SPEC_DONE };

#define MAX_SPECS 64

struct machine {
	struct program *p;
	struct cell *cells;
	struct row *rows;
	FILE *out, *faults;
	FILE *rec; /* the record that is being made; NULL */
	char *rec_text;
	size_t rec_len;
	jmp_buf env;
	const struct clause *clause;
	enum firing on;
	bool target; /* the thread is the target's, not dtrace's */
	bool exited;
	unsigned error_probe, error_clause;
	enum fault error_code;
	int64_t fault_value, error_value;
	const struct frame *frame;
	struct value result;	/* of a function */
	const char *token;	/* strtok()'s rest */
	struct object *scratch; /* the clause's */
	unsigned top, firing;
	unsigned many;	  /* rounds of foreach whose order is not known */
	unsigned foreach; /* loops around */
	unsigned nspecs, speculating, failed;
	struct {
		enum spec_state state;
		const char *text;
	} spec[MAX_SPECS];
	unsigned long steps;
	const char *undefined;
};

/* eval.c */
struct value eval(struct machine *m, const struct node *n);
uint64_t number(struct machine *m, const struct node *n);
const char *text(struct machine *m, const struct node *n); /* NULL is a bad address */
void fault(struct machine *m, enum fault code, int64_t value) __attribute__((noreturn));
void undefined(struct machine *m, const char *why);
struct value convert(struct machine *m, struct value v, const struct ty *t);

/* eval_object.c */
struct object *new_object(unsigned size, bool known);
bool is_dynamic(const struct var *v); /* made and deleted by assignments */
struct place locate(struct machine *m, const struct node *n);
uint64_t read_int(struct machine *m, const struct place *p);
struct value read_place(struct machine *m, const struct place *p);
void store(struct machine *m, const struct place *p, struct value v);
/* The element that P is a part of exists from now on. */
void make_whole(const struct place *p);
struct cell *local_cell(const struct local *l, struct value v);
bool is_accessible(struct machine *m, const struct place *p, unsigned size);
void check_access(struct machine *m, const struct place *p, unsigned size);
void copy(struct object *to, int64_t at, const struct object *from, int64_t off, unsigned size);
const char *tuple(struct machine *m, struct node *const *kid, const struct ty *const *t, unsigned n,
	struct value *out);

/* eval_string.c */
const char *cut(struct machine *m, const char *s, size_t len);
struct value call(struct machine *m, const struct node *n);

/* eval_run.c */
void run_function(struct machine *m, const struct node *n, bool recording);

/* eval_agg.c */
void aggregate(struct machine *m, const struct stmt *s);
void print_rows(struct machine *m);

#endif
