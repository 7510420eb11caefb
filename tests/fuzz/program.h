/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program: a D program as a typed tree that can be written as text, evaluated and made smaller.
 *
 * gen*.c make one from a seed; print.c writes it; eval*.c say what it prints; torture.c runs it.
 * All memory is one arena's, given back by arena_reset().
 */
#ifndef FUZZ_PROGRAM_H
#define FUZZ_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- types ---- */

enum kind { K_INT, K_STR, K_REC, K_ARR, K_PTR, K_OBJ, K_VOID };

struct field {
	char name[8];
	const struct ty *type;
	unsigned off;  /* in bits */
	unsigned bits; /* of a bit-field; 0: none */
};

struct ty {
	enum kind kind;
	const char *name; /* as it is spelled, without [] and * */
	unsigned size;	  /* bytes; of a string<N> N, of a string 0 */
	bool is_signed;
	bool is_union;
	bool scratch;	     /* K_PTR: to memory of alloca() */
	const struct ty *of; /* K_ARR, K_PTR, K_OBJ */
	unsigned n;	     /* K_ARR */
	struct field *field; /* K_REC */
	unsigned nfields, align;
	bool used; /* K_REC, set by program_mark() */
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
	T_VOID,
	T_ENUM,
};

extern const struct ty types[];

static inline bool is_int(const struct ty *t)
{
	return t->kind == K_INT;
}

static inline bool is_str(const struct ty *t)
{
	return t->kind == K_STR;
}

/* Bytes that one takes in a struct. */
unsigned storage(const struct ty *t);
const struct ty *array_of(const struct ty *t, unsigned n);
const struct ty *pointer_to(const struct ty *t, bool scratch);
/* A pointer to a translated object. */
const struct ty *object_of(const struct ty *t);
unsigned align_of(const struct ty *t);

/* Place the fields as C does on x86-64. */
void lay_out(struct ty *rec);

/* ---- variables ---- */

enum scope { GLOBAL, SELF, THIS };

#define MAX_KEYS 4
#define MAX_ARGS 6

struct var {
	char name[16];
	enum scope scope;
	const struct ty *type, *keys[MAX_KEYS];
	unsigned nkeys, id;
	struct def *def; /* K_OBJ: the translator */
	bool implicit;	 /* made by its first assignment */
	bool counter;	 /* only loops and speculations use it */
	bool used;	 /* set by program_mark() */
};

/* A parameter or a key of foreach: a name that ends with its block. */
struct local {
	char name[8];
	const struct ty *type;
	void *cell; /* eval.c's */
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

/* ---- expressions ---- */

enum node_kind {
	N_INT,	 /* text, value */
	N_STR,	 /* text */
	N_NULL,	 /* a string */
	N_VAR,	 /* var, kid[] the keys */
	N_LOCAL, /* local */
	N_KNOWN, /* text: what eval.c knows and the compiler does not */
	N_RAW,	 /* text: nobody knows; only in clauses that never run */
	N_UNARY,
	N_BINARY,
	N_COND,
	N_COMMA,
	N_CAST,
	N_SIZEOF,
	N_ASSIGN, /* op "=" or "+=" */
	N_PREFIX, /* ++ -- */
	N_POSTFIX,
	N_CALL,	  /* text: D's function */
	N_FIELD,  /* kid[0].field */
	N_ARROW,  /* kid[0]->field */
	N_INDEX,  /* kid[0][kid[1]] of an array, a pointer or a string */
	N_DEREF,  /* *kid[0] of a pointer or a string */
	N_ADDR,	  /* &kid[0] */
	N_INLINE, /* def, kid[] the parameters */
	N_FUNC,	  /* def, kid[] the parameters */
	N_XLATE,  /* def, kid[0]; field, NULL: all of it, or of type K_OBJ a pointer */
};

struct node {
	enum node_kind kind;
	const struct ty *type; /* set by retype() */
	const char *op;
	const char *text;
	uint64_t value;
	struct var *var;
	struct local *local;
	struct def *def;
	const struct field *field;
	unsigned nkids;
	struct node *kid[MAX_KEYS];
};

/* ---- statements ---- */

enum stmt_kind {
	S_EXPR,
	S_PRINTF,
	S_TRACE,
	S_AGG,
	S_RAW,
	S_SHOW,	    /* print(): only its faults are known */
	S_TRACEMEM, /* arg[0], arg[1] */
	S_DELETE,   /* arg[0] = 0 */
	S_BCOPY,    /* arg[0] from, arg[1] to, arg[2] size */
	S_IF,	    /* arg[0], body, orelse */
	S_FOR,	    /* var from lo to hi by step, body */
	S_WHILE,    /* arg[0], body */
	S_FOREACH,  /* var, key locals, body */
	S_BREAK,
	S_CONTINUE,
	S_RETURN,      /* arg[0] or none */
	S_SPECULATION, /* var */
	S_SPECULATE,
	S_COMMIT,
	S_DISCARD,
	S_EXIT,
};

struct block {
	unsigned n;
	struct stmt *stmt;
};

struct stmt {
	enum stmt_kind kind;
	bool dead; /* taken out by the shrinker */
	unsigned uid;
	unsigned n;
	struct node *arg[MAX_ARGS]; /* value and increment of S_AGG */
	const char *conv[MAX_ARGS];
	struct agg *agg;
	struct node *key[MAX_KEYS];
	const char *text; /* S_RAW */
	struct var *var;
	int64_t lo, hi, step;
	const char *op; /* S_FOR: the comparison */
	struct local *local[MAX_KEYS];
	bool braces;
	struct block body, orelse;
};

enum firing { ON_BEGIN, ON_END, ON_ERROR, ON_ENTRY, ON_RETURN, ON_NEVER };

struct clause {
	enum firing on;
	const char *probe; /* ON_NEVER */
	bool wide;	   /* ON_ENTRY, ON_RETURN: of all system calls, getppid picked by name */
	bool dead;
	int number; /* dt_clause_N, set by program_mark() */
	struct node *predicate;
	struct block body;
};

/* ---- definitions ---- */

enum def_kind { D_INLINE, D_FUNC, D_XLATE };

#define MAX_PARAMS  3
#define MAX_MEMBERS 8

struct def {
	enum def_kind kind;
	char name[8];
	const struct ty *result; /* D_XLATE: what it makes */
	unsigned nparams;
	struct local param[MAX_PARAMS];
	struct node *value; /* D_INLINE */
	struct block body;  /* D_FUNC */
	unsigned nmembers;  /* D_XLATE */
	const struct field *member[MAX_MEMBERS];
	struct node *mvalue[MAX_MEMBERS];
	bool pure; /* no effects */
	bool used;
};

#define MAX_CLAUSES 400
#define MAX_VARS    64
#define MAX_AGGS    64
#define MAX_DEFS    12
#define MAX_RECS    6

struct program {
	unsigned nclauses, nvars, naggs, ndefs, nrecs;
	struct clause *clause;
	struct var var[MAX_VARS];
	struct agg agg[MAX_AGGS];
	struct def def[MAX_DEFS];
	struct ty rec[MAX_RECS];
	unsigned strsize, scratchsize, nspec, loopbound;
	unsigned ncalls; /* firings of ON_ENTRY and ON_RETURN; 0: exit(0) ends BEGIN */
	unsigned nstmts; /* uids given */
	unsigned filler; /* assignments without effect before each statement of a clause */
	bool minimal_parens;
	bool enums; /* there is an enum e0 */
};

void *arena(size_t size);
char *arena_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void arena_reset(void);

/*
 * gen.c: SIZE is about the number of statements; OFF names features, separated by commas, that
 * are to be left out.
 */
struct program *program_generate(uint64_t seed, unsigned size, const char *off);

/* program.c: types bottom up. */
void retype(struct node *n);
const struct ty *promoted(const struct ty *t);
/* The type of N in arithmetic: a bit-field that fits an int is one. */
const struct ty *operand(const struct node *n);
uint64_t wrap(uint64_t v, const struct ty *t);

/* A op B of type T (the operands' for a comparison), not yet wrapped; *ZERO: division by zero. */
uint64_t eval_binary(const char *op, uint64_t a, uint64_t b, const struct ty *t, bool *zero);

/* True if the compiler folds N to a constant, as *V. */
bool constant(const struct node *n, uint64_t *v);
/* Returns what the bit-field keeps of V, if N uses one of a translation. */
uint64_t cut_to_field(uint64_t v, const struct node *n);

/* Call FN with every expression's place, outer ones first. */
typedef void (*node_fn)(void *arg, struct node **place, const struct ty *want);
void program_walk(struct program *p, node_fn fn, void *arg);

/* Call FN with every statement, outer ones first. */
typedef void (*stmt_fn)(void *arg, struct stmt *s);
void program_statements(struct program *p, stmt_fn fn, void *arg);

/* Types, uses and clause numbers; false when the shrinker has made nonsense of it. */
bool program_mark(struct program *p);

/* print.c */
void program_print(struct program *p, FILE *out);

/*
 * eval.c: what it prints on stdout, in the canonical form of torture.c, and its faults.  Why
 * that is not defined by the language, NULL when it is.
 */
const char *program_eval(struct program *p, FILE *out, FILE *faults);

#endif
