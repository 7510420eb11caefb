/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program: a D program as a typed tree that can be written as text, evaluated and made smaller.
 *
 * gen.c makes one from a seed; print.c writes it; eval.c says what it prints; torture.c runs it.
 * All memory is one arena's, given back by arena_reset().
 */
#ifndef FUZZ_PROGRAM_H
#define FUZZ_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct ty {
	const char *name;
	uint8_t size; /* 0: string */
	bool is_signed;
};

enum {
	T_CHAR,
	T_INT8,
	T_UCHAR,
	T_SHORT,
	T_USHORT,
	T_INT,
	T_UINT,
	T_LONG,
	T_ULONG,
	T_LLONG,
	T_ULLONG,
	T_INT64,
	T_UINT64,
	T_SIZE,
	T_NINTS,
	T_STRING = T_NINTS,
};

extern const struct ty types[];

enum scope { GLOBAL, SELF, THIS };

#define MAX_KEYS 4
#define MAX_ARGS 6

struct var {
	char name[16];
	enum scope scope;
	const struct ty *type, *keys[MAX_KEYS];
	unsigned nkeys, id;
	bool implicit; /* made by its first assignment */
	bool used;     /* set by program_mark() */
};

enum agg_func { COUNT, SUM, MIN, MAX, AVG, STDDEV, QUANTIZE, LQUANTIZE, LLQUANTIZE, NAGGFUNCS };

struct agg {
	unsigned id;
	enum agg_func func;
	const struct ty *keys[MAX_KEYS];
	unsigned nkeys;
	int param[4];  /* lquantize: base, limit, step; llquantize: factor, lmag, hmag, steps */
	bool declared; /* its keys' types are fixed by a clause that never runs */
	bool used;
};

enum node_kind {
	N_INT,	 /* text, value */
	N_STR,	 /* text */
	N_VAR,	 /* var, kid[] the keys */
	N_KNOWN, /* text: what eval.c knows and the compiler does not */
	N_RAW,	 /* text: nobody knows; only in clauses that never run */
	N_UNARY,
	N_BINARY,
	N_COND,
	N_COMMA,
	N_CAST,
	N_SIZEOF,
	N_ASSIGN, /* kid[0] N_VAR, op "=" or "+=" */
	N_PREFIX, /* ++ -- */
	N_POSTFIX,
	N_CALL, /* text: the function */
};

struct node {
	enum node_kind kind;
	const struct ty *type; /* set by retype() */
	const char *op;
	const char *text;
	uint64_t value;
	struct var *var;
	unsigned nkids;
	struct node *kid[MAX_KEYS];
};

enum stmt_kind { S_EXPR, S_PRINTF, S_TRACE, S_AGG, S_RAW };

struct stmt {
	enum stmt_kind kind;
	bool dead; /* taken out by the shrinker */
	unsigned n;
	struct node
		*arg[MAX_ARGS]; /* of printf; the one expression; value and increment of S_AGG */
	const char *conv[MAX_ARGS];
	struct agg *agg;
	struct node *key[MAX_KEYS];
	const char *text; /* S_RAW */
};

enum firing { ON_BEGIN, ON_END, ON_ERROR, ON_ENTRY, ON_RETURN, ON_NEVER };

#define MAX_STMTS 12

struct clause {
	enum firing on;
	const char *probe; /* ON_NEVER */
	bool wide;	   /* ON_ENTRY, ON_RETURN: of all system calls, getppid picked by name */
	bool dead;
	int number; /* dt_clause_N, set by program_mark() */
	struct node *predicate;
	unsigned nstmts;
	struct stmt stmt[MAX_STMTS];
};

#define MAX_CLAUSES 400
#define MAX_VARS    64
#define MAX_AGGS    64

struct program {
	unsigned nclauses, nvars, naggs;
	struct clause *clause;
	struct var var[MAX_VARS];
	struct agg agg[MAX_AGGS];
	unsigned strsize;
	unsigned ncalls; /* firings of ON_ENTRY and ON_RETURN; 0: exit(0) ends BEGIN */
	bool minimal_parens;
};

void *arena(size_t size);
char *arena_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void arena_reset(void);

/* gen.c: SIZE is about the number of statements. */
struct program *program_generate(uint64_t seed, unsigned size);

/* program.c: types bottom up. */
void retype(struct node *n);
const struct ty *promoted(const struct ty *t);
uint64_t wrap(uint64_t v, const struct ty *t);

/* A op B of type T (the operands' for a comparison), not yet wrapped; *ZERO: division by zero. */
uint64_t eval_binary(const char *op, uint64_t a, uint64_t b, const struct ty *t, bool *zero);

/* Whether the compiler folds N to a constant, as *V. */
bool constant(const struct node *n, uint64_t *v);

/* Call FN with every expression's place, outer ones first. */
typedef void (*node_fn)(void *arg, struct node **place, const struct ty *want);
void program_walk(struct program *p, node_fn fn, void *arg);

/* Types, uses and clause numbers; false when the shrinker has made nonsense of it. */
bool program_mark(struct program *p);

/* print.c */
void program_print(struct program *p, FILE *out);

/* eval.c: what it prints on stdout, in the canonical form of torture.c, and its faults. */
void program_eval(struct program *p, FILE *out, FILE *faults);

#endif
