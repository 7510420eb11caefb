/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sema: names and types.  Turns a parsed program into typed clauses for code generation.
 *
 * Variables, aggregations and clause numbers are the session's: programs compiled later see what
 * earlier ones made.  Everything lives in the session's arena.  Errors go to the diags given with
 * each program; DTrace's tags and words.
 */
#ifndef SEMA_SEMA_H
#define SEMA_SEMA_H

#include "abi/record.h"
#include "base/strmap.h"
#include "lang/ast.h"
#include "lang/format.h"
#include "probe/registry.h"

/* ---- what names stand for ---- */

enum builtin_id {
#define BUILTIN(name, type, attrs, help) BUILTIN_##name,
#include "sema/builtins.def"
	BUILTIN_MAX,
};

enum func_id {
#define FUNCTION(name, klass, result, params, help) FUNC_##name,
#include "sema/functions.def"
	FUNC_MAX,
};

enum func_class { CLASS_SUBR, CLASS_ACTION, CLASS_SYMBOL, CLASS_AGG, CLASS_LATER };

struct builtin {
	const char *name;
	enum builtin_id id;
	const char *type; /* NULL: not supported yet */
	struct attributes attrs;
	const char *help;
};

struct function {
	const char *name;
	enum func_id id;
	enum func_class klass;
	const char *result, *params, *help;
};

/* The rows of the tables; i counts from 0, NULL past the end. */
const struct builtin *builtin_at(unsigned i);
const struct builtin *builtin_find(const char *name);
const struct function *function_find(const char *name);

#define SEMA_MAX_KEYS 16
#define SEMA_MAX_ARGS 255 /* of one call */

struct variable {
	const char *name;
	enum var_scope scope;
	const struct type *type; /* of the value */
	bool is_assoc;
	bool declared; /* by a declaration, not by a first assignment */
	uint32_t nkeys;
	const struct type *keys[SEMA_MAX_KEYS];
	uint32_t id;	 /* in order of creation */
	uint32_t offset; /* set by layout: in its section or task storage */
	const char *map; /* set by layout: of an associative array */
};

struct aggregation {
	const char *name;
	uint32_t id;
	const struct function *func; /* NULL until the first aggregating function */
	struct agg_params params;
	uint32_t nkeys;
	const struct type *keys[SEMA_MAX_KEYS];
	/* what the uses have in common, for a narrower layout: NULL = nothing but the type */
	const struct expr *key_exprs[SEMA_MAX_KEYS];
	bool keyed;	       /* a use has fixed the signature */
	bool in_irq, in_task;  /* updated by programs of both kinds: updates must be atomic */
	struct agg_desc *desc; /* set by layout */
};

/* What sema found out about an expression, besides its type. */
enum ref_kind { REF_NONE, REF_BUILTIN, REF_VAR, REF_FUNC, REF_AGG, REF_MEMBER };

struct sema_expr {
	enum ref_kind ref;
	const struct builtin *builtin;
	struct variable *var;
	const struct function *func;
	struct aggregation *agg;
	struct member_path member;   /* EXPR_MEMBER */
	const struct format *format; /* printf(), printa() */
	uint32_t frames;	     /* stack(), ustack() */
};

/* ---- clauses ---- */

struct sema_clause {
	uint32_t number; /* in session order: dt_clause_N */
	const struct source *src;
	struct loc loc;
	const char *text;	  /* the description as written */
	struct probe_pattern pat; /* what it matched */
	struct clause *ast;	  /* typed; its specs are not used any more */
	VEC(const struct probe *) probes;
	struct probe_args args; /* of the first probe */
	struct rec_desc *desc;	/* set by layout */
};

struct sema_program {
	const struct source *src;
	VEC(struct sema_clause *) clauses;
	uint32_t nmatches;
	struct attributes desc_attrs, stmt_attrs;
};

struct sema_config {
	uint32_t strsize; /* bytes of a string without NUL */
	uint32_t stackframes, ustackframes, maxframes;
	bool zdefs;	  /* descriptions may match nothing */
	bool allow_empty; /* option empty */
	bool is_library;  /* only declarations and inlines */
	bool argref;	  /* unused operands are fine */
	/*
	 * Compile the D libraries; called once, when a name is not found without them.  False:
	 * there are none, or an error was reported.
	 */
	bool (*libraries)(void *arg);
	void *arg;
};

/* string, char *, char []; char being any 8-bit integer */
bool sema_is_stringy(const struct type *t);

struct sema;

struct sema *sema_new(struct arena *a, struct types *types, struct registry *registry);

/* Whether NAME is a type for the parser: not a variable, built-in or function. */
bool sema_is_type(struct sema *s, const char *name);

/*
 * Check PROG; NULL when DIAGS got an error.  MACROS as the parser left it. The AST is annotated.
 */
struct sema_program *sema_check(struct sema *s, struct program *prog, const struct sema_config *cfg,
	const struct lex_macros *macros, struct diags *diags);

/* All clauses, variables and aggregations of the session so far, in order of creation. */
struct sema_session {
	VEC(struct sema_clause *) clauses;
	VEC(struct variable *) vars;
	VEC(struct aggregation *) aggs;
};
const struct sema_session *sema_session(struct sema *s);

#endif
