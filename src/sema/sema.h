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

#include "base/diag.h"
#include "probe/stability.h"

struct lex_macros;
struct probe;
struct program;
struct registry;
struct symbol;
struct type;
struct types;

struct sema_config {
	uint32_t strsize; /* bytes of a string without NUL */
	uint32_t stackframes, ustackframes, jstackframes;
	uint32_t maxframes, maxuframes; /* of kernel stacks, of user stacks */
	bool zdefs;			/* descriptions may match nothing */
	bool allow_empty;		/* option empty */
	bool lenient;	 /* a library of the system's: what does not compile here is left out */
	bool is_library; /* only declarations and inlines */
	bool argref;	 /* unused operands are fine */
	bool no_extensions;
	uint32_t scratchsize; /* bytes of scratch memory that a clause has */
	uint32_t loopbound;   /* how often a loop without a known bound may run */
	struct attributes amin;
	bool has_amin;
	uint32_t version; /* of D to bind to, as in __SUNW_D_VERSION; 0 = the newest */
	/*
	 * Kernel symbol NAME of MODULE ("" = any): its address, and whether it is code. False:
	 * there is none.
	 */
	bool (*symbol)(void *arg, const char *module, const char *name, uint64_t *addr,
		uint64_t *size, bool *is_func);
	/*
	 * The same of the target's: OUT gets its address there; *TYPE is NULL where its program
	 * does not say.
	 */
	bool (*user_symbol)(void *arg, const char *module, const char *name, struct symbol *out,
		const struct type **type);
	/* Why the kernel shows no addresses of its symbols; NULL: it shows them. */
	const char *(*hides)(void);
	/*
	 * Compile the D libraries; called once, when a name is not found without them.  False:
	 * there are none, or an error was reported.
	 */
	bool (*libraries)(void *arg);
	/* The value that the script's parameter NAME was given; NULL: its default holds. */
	const struct param_value *(*param)(void *arg, const char *name);
	void *arg;
};

struct sema;
struct sema_clause;
struct sema_saved;

struct sema *sema_new(struct arena *a, struct types *types, struct registry *registry);

/* Prepares S for the parser's questions until sema_check(); CFG and DIAGS as there. */
void sema_prepare(struct sema *s, const struct sema_config *cfg, struct diags *diags);

/* True if NAME is a type for the parser: not a variable, built-in or function. */
bool sema_is_type(struct sema *s, const char *name);

/* Compile the libraries of sema_config.libraries now, if that was not done yet. */
void sema_libraries(struct sema *s);

/*
 * Check PROG; NULL when DIAGS got an error.  MACROS as the parser left it. The AST is annotated.
 */
struct sema_program *sema_check(struct sema *s, struct program *prog, const struct sema_config *cfg,
	const struct lex_macros *macros, struct diags *diags);

/*
 * Checks clause C, which was not checked because nothing matched it, with the N probes that it
 * matches now.  True: it is a clause like any other, without those probes.  False: DIAGS got an
 * error, or the arguments cannot be described, and all is as before.
 */
bool sema_check_with(struct sema *s, struct sema_clause *c, const struct probe *const *probes,
	uint32_t n, const struct sema_config *cfg, struct diags *diags);

/* The programs of all checked clauses are loaded: what is checked after this must fit to them. */
void sema_fix_layouts(struct sema *s);

/*
 * Return, and bring back, what sema_check_with() and a layout change.  In the arena; may be
 * restored as long as nothing that was made since is used.
 */
const struct sema_saved *sema_save(struct sema *s);
void sema_restore(struct sema *s, const struct sema_saved *saved);

/*
 * Applies #pragma D attributes or binding, WORD says which, with TEXT after it.  False: an error.
 */
bool sema_pragma(struct sema *s, struct loc loc, const char *word, const char *text);

/* The kinds of names that a program or a D library defines. */
enum sema_name_kind { SEMA_INLINE, SEMA_CONSTANT, SEMA_FUNCTION };

/*
 * Call VISIT for each inline, enumerator and D function that is known now, with its type; variables
 * and aggregations are in sema_session().
 */
void sema_each_name(struct sema *s,
	void (*visit)(
		void *arg, enum sema_name_kind kind, const char *name, const struct type *type),
	void *arg);
/* A global name that programs or D libraries define. */
struct sema_name {
	const struct type *type; /* its own, or its result's; NULL: not determined */
	bool has_params;	 /* an inline with parameters, an array or a function */
	bool is_function;
	bool is_constant;
	int64_t value; /* of a constant */
};
/* Stores what NAME is in *OUT.  False: nothing of that name is defined so far. */
bool sema_named(struct sema *s, const char *name, struct sema_name *out);

/* Returns the type that programs or D libraries call NAME, or NULL. */
const struct type *sema_typedef(struct sema *s, const char *name);

const struct sema_session *sema_session(struct sema *s);

/* The derivation of PROBE's plan number PLAN; NULL = none was asked for. */
const struct sema_derived *sema_derived_of(
	const struct sema_session *session, const struct probe *probe, unsigned plan);

#endif
