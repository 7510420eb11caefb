/* SPDX-License-Identifier: Apache-2.0 */
/*
 * typed: a checked program: variables, aggregations, typed expressions and clauses.
 *
 * Everything lives in the session's arena.
 */
#ifndef SEMA_TYPED_H
#define SEMA_TYPED_H

#include "abi/aggregation.h"
#include "abi/flags.h"
#include "base/diag.h"
#include "lang/ast.h"
#include "probe/args.h"
#include "probe/attach.h"
#include "probe/derivation.h"
#include "probe/probe.h"
#include "probe/stability.h"
#include "types/type.h"

#define SEMA_MAX_KEYS 16
#define SEMA_MAX_ARGS 255 /* of one call */

/*
 * The translated objects that a variable holds: the members that are read through it anywhere,
 * which an assignment copies.  One that is spelled T * begins with the value that was translated,
 * its input, as a word; 0 is NULL.
 */
struct kept_object {
	const struct type *type; /* the translators' output */
	bool pointer;		 /* spelled T *, not T */
	bool flagged;		 /* a word after the input says that there is an object */
	bool whole;		 /* all members that its translators define are wanted */
	VEC(struct kept_member *) members;
	uint32_t size; /* set by layout, bytes */
};

struct kept_member {
	const char *name;
	struct loc loc; /* where it is read; of no source where only the whole object is */
	struct member_path path;
	struct kept_object *object; /* a translated object in its turn; else NULL */
	uint32_t offset;	    /* set by layout: in the object */
};

struct variable {
	const char *name;
	enum var_scope scope;
	const struct type *type; /* of the value */
	bool is_assoc;
	bool declared;	  /* by a declaration, not by a first assignment */
	bool hidden;	  /* made by the compiler: a function's parameter, a loop's name */
	bool scratch;	  /* holds pointers to scratch memory (alloca(), copyin()) */
	bool unjudged;	  /* holds pointers that may lead there or anywhere */
	bool nonscratch;  /* holds pointers that lead elsewhere */
	bool subscripted; /* a string: the program writes single characters of it */
	bool untyped;	  /* only NULL was assigned so far: the next assignment gives the type */
	bool supposed;	  /* only an unchecked clause assigns it: the first use gives its shape */
	bool laid, fixed; /* it has a place; programs that are loaded may use it there */
	struct loc first; /* where it got its first pointer */
	struct kept_object *kept; /* it holds translated objects; else NULL */
	bool plain;		  /* it holds other values, or is written to in part */
	uint32_t nkeys;
	const struct type *keys[SEMA_MAX_KEYS];
	uint32_t id;	 /* in order of creation */
	uint32_t offset; /* set by layout: in its section or task storage */
	bool iterated;	 /* by a foreach */
	/*
	 * Set by layout, of an associative array: its map, the size of the map's keys, and whether
	 * the map has other arrays too: then the id is the last 8 bytes of a key.  Of a
	 * thread-local variable: its map in task storage; of a global one: its data section.
	 */
	const char *map;
	uint32_t map_key_size, map_value_size;
	bool shared;
	const struct kept_object *laid_object; /* what was kept then */
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
	bool supposed;	       /* only unchecked clauses update it: it has no data */
	bool awaited;	       /* an unchecked clause updates it that may be checked later */
	bool in_irq, in_task;  /* updated by programs of both kinds: updates must be atomic */
	bool atomic;	       /* they were when it was laid out */
	bool fixed;	       /* programs that are loaded may update it */
	struct agg_desc *desc; /* set by layout */
};

/* The kinds of names that sema found in an expression. */
enum ref_kind {
	REF_NONE,
	REF_BUILTIN,
	REF_VAR,
	REF_FUNC,
	REF_AGG,
	REF_MEMBER,
	REF_SYMBOL,  /* a variable or function of the kernel or of the target */
	REF_XLATE,   /* a translated object; its value is that of its input */
	REF_INLINED, /* a call of a D function: its body, put in place */
	REF_PARAM,   /* in a definition that is only checked: a parameter */
	REF_HOOK,    /* in a derivation: argument number `value` of the hook */
};

/* translator OUT < IN param > { members } */
struct translator {
	const struct type *out, *in;
	const struct translator_ast *ast;
	struct attributes attrs;
	uint32_t version; /* of D, since when it exists (#pragma D binding); 0 = always */
};

/* A member of a translated object whose value is wanted where the object is made. */
struct xlate_member {
	const char *name;
	struct member_path path;
	struct expr *value;
};

/* A kernel symbol. */
struct symbol {
	const char *name;
	uint64_t addr;
	uint64_t size;	      /* of a function, bytes */
	uint64_t percpu_base; /* where the kernel keeps the areas' addresses */
	bool percpu;	      /* addr is an offset in each CPU's area */
	bool is_user;	      /* of the target */
};

struct sema_expr {
	enum ref_kind ref;
	const struct builtin *builtin;
	struct variable *var;
	const struct function *func;
	struct aggregation *agg;
	struct member_path member;   /* EXPR_MEMBER */
	const struct format *format; /* printf(), printa() */
	uint32_t frames;	     /* stack(), ustack() */
	const struct symbol *symbol; /* REF_SYMBOL */
	const struct translator *xlate;
	VEC(struct xlate_member) xmembers; /* REF_XLATE: those that an assignment copies */
	stmt_vec inlined;		   /* REF_INLINED */
	struct variable *result;	   /* REF_INLINED: NULL when void */
	/* set by layout, of an action: its record and place there */
	const struct rec_desc *rec;
	uint32_t rec_index;
};

/* ---- clauses ---- */

struct sema_clause {
	uint32_t number;	     /* in session order: dt_clause_N */
	bool enabled;		     /* its program is to be traced with */
	bool derived;		     /* some of its probes are made from hooks not their own */
	bool is_state;		     /* keeps state for probes that are derived from others */
	bool is_typed;		     /* the types of args[] were asked for, where that is costly */
	bool unchecked;		     /* it matches no probe and does not compile without one */
	bool fresh;		     /* it was unchecked, and no program that is loaded has it */
	enum attach_scope scope;     /* whose firings count, of probes of user code */
	pid_t process;		     /* that SCOPE is about; 0: several, or all */
	bool joins;		     /* set by src/ir: it may run in a wider scope (join.h) */
	const struct provider *late; /* which may have more probes for it while tracing; or NULL */
	uint32_t args_used;	     /* bits: which of arg0 .. its expressions name */
	const struct source *src;
	struct loc loc;
	const char *text;	      /* the description as written */
	struct probe_pattern pat;     /* what it matched */
	struct clause *ast;	      /* typed; its specs are not used any more */
	const struct clause *written; /* of one that is or was unchecked: what was parsed */
	VEC(const struct probe *) probes;
	struct probe_args args;		       /* of the first probe */
	const struct rec_desc *default_action; /* set by layout */
	VEC(struct rec_desc *) descs;	       /* set by layout: the records that it may write */
};

/* A probe of a provider block, by its name there ("query__start"), and its native arguments. */
struct provider_block_probe {
	const char *name;
	uint32_t nargs;
	const struct type **types;
};

struct provider_block {
	const char *name;
	VEC(struct provider_block_probe) probes;
};

struct sema_program {
	const struct source *src;
	VEC(struct sema_clause *) clauses;
	VEC(struct provider_block *) providers; /* that it declares, in order */
	uint32_t nmatches;
	struct attributes desc_attrs, stmt_attrs;
};

/*
 * A probe made from a hook that is not its own (struct derivation): its expressions, typed.
 * STATE are the clauses that keep its state; they have no records.
 */
struct sema_derived {
	const struct probe *probe;
	unsigned plan; /* which of the probe's plans */
	struct derivation from;
	struct expr *when, *task, *args[PROBE_NARGS]; /* NULL: none, or not used */
	VEC(struct sema_clause *) state;
};

/* All clauses, variables and aggregations of the session so far, in order of creation. */
struct sema_session {
	VEC(struct sema_clause *) clauses;
	VEC(struct sema_derived *) derived;
	VEC(struct variable *) vars;
	VEC(struct aggregation *) aggs;
	bool destructive;      /* an action may change what is traced */
	bool warned_unquoted;  /* of text for the shell, once */
	uint32_t stack_frames; /* of the deepest stack that a clause asks for */
};
/*
 * Visit expressions from the outside in, those of functions put in place too, until VISIT returns
 * true; true when it did.  EACH, if not NULL, sees each statement first.
 */
typedef bool (*sema_visit_fn)(void *arg, const struct expr *e);
typedef bool (*sema_visit_stmt_fn)(void *arg, const struct stmt *st);
bool sema_any_expr(const struct expr *e, sema_visit_fn visit, sema_visit_stmt_fn each, void *arg);
bool sema_any_stmt(const stmt_vec *stmts, sema_visit_fn visit, sema_visit_stmt_fn each, void *arg);

/* True if pointer expression E points to scratch memory; call it when all programs are checked. */
bool sema_is_scratch(const struct expr *e);
/* True if E calls a subroutine that takes scratch memory, or writes to it. */
bool sema_is_scratch_call(const struct expr *e);
/*
 * Returns the set of which E, a call of strflags(), strerror(), errnoname() or signame(), returns a
 * text; FLAGS_MAX if it is no such call.  Its first argument is the number.
 */
enum flag_set sema_flags(const struct expr *e);
/* True if object E is reached through a pointer, rather than being a part of a variable. */
bool sema_is_pointed(const struct expr *e);

/*
 * True if E is a translated object without bytes of its own: xlate<T>(e), xlate<T *>(e), a variable
 * that holds the latter, what such a variable points to, or a choice between them.
 */
bool sema_is_translated(const struct expr *e);
/* Returns what is kept of the object that E, a variable or part of one, names; else NULL. */
struct kept_object *sema_kept_object(const struct expr *e);
/* Returns member NAME of O, NULL if it is not kept. */
struct kept_member *sema_kept_member(const struct kept_object *o, const char *name);

/* True for string, char *, char []; char being any 8-bit integer. */
bool sema_is_stringy(const struct type *t);

#endif
