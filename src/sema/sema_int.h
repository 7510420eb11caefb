/* SPDX-License-Identifier: Apache-2.0 */
/* sema_int: shared by the type checker's files. */
#ifndef SEMA_SEMA_INT_H
#define SEMA_SEMA_INT_H

#include "base/diag.h"
#include "base/strmap.h"
#include "lang/ast.h"
#include "lang/lex.h"
#include "probe/stability.h"
#include "sema/names.h"
#include "sema/sema.h"
#include "sema/typed.h"
#include "types/types.h"

typedef VEC(struct binding) binding_vec;

/* inline TYPE name [params] = value; enumerators are constant ones. */
struct inline_def {
	const char *name;
	const struct type *type;
	bool has_params;
	binding_vec params;
	struct expr *value;
	bool constant; /* value is an EXPR_INT */
	bool enumerator;
	bool parameter; /* of the script */
};

/* TYPE name(params) { body } */
struct user_function {
	const char *name;
	const struct type *result;
	binding_vec params;
	const stmt_vec *body;
	uint32_t calls; /* so far: each gets variables of its own */
};

/* The value of a parameter while a definition's expression is checked. */
struct scope {
	const struct scope *outer;
	const char *name;
	const struct type *type;
	struct expr *value;   /* typed; NULL where only the definition is checked */
	struct variable *var; /* a function's parameter or loop's name; else NULL */
};

/* Stability that a pragma gave a name. */
struct named_attrs {
	const char *name;
	struct loc loc;
	struct attributes attrs;
	bool has_attrs;
	uint32_t version; /* by #pragma D binding; 0 = none */
	const struct source *src;
	bool resolved; /* its program's end was reached */
};

/* The same of a part of a provider: number PART of declared_provider.attrs. */
struct provider_attrs {
	const char *provider;
	unsigned part;
	struct loc loc;
	struct attributes attrs;
};

/* #pragma D binding "version" translator: of the translator that follows. */
struct translator_binding {
	struct loc loc;
	uint32_t version;
	bool used;
};

/* provider NAME { probe ... }: */
struct declared_probe {
	const char *name;
	binding_vec in, out; /* as it fires, and as its users see it */
	bool has_out;
};

struct declared_provider {
	const char *name;
	struct attributes attrs[5]; /* provider, module, function, name, args */
	VEC(struct declared_probe) probes;
};

/* The names that a program's errors left undefined so far (recover.h); zeroed = none. */
struct recovery {
	struct strmap names; /* as they are written: x, self->x, @x; functions, inlines too */
	bool types, translators;
	bool consequence; /* the last error is one */
};

#define SEMA_MAX_DEPTH 2000

/* Expressions that one use of an inline, function or translator may become. */
#define SEMA_MAX_EXPANSION 100000

/* A definition that is being put in place of a use. */
struct expansion {
	const struct expansion *outer; /* whose definition has the use; NULL: a clause's, or one of
					  a definition that is only checked */
	const char *name;	       /* of the inline, function or translated type */
	struct loc loc;		       /* of the use */
};

struct sema {
	struct arena *arena;
	struct types *types;
	struct registry *registry;
	const struct sema_config *cfg;
	struct diags *diags;
	struct sema_session session;
	struct strmap names[3]; /* variables, by enum var_scope */
	struct strmap aggs;
	struct strmap typedefs;	      /* D's own; struct type */
	struct strmap inlines;	      /* struct inline_def */
	struct strmap functions;      /* struct user_function */
	struct strmap pragmas;	      /* struct named_attrs */
	struct strmap providers;      /* struct declared_provider */
	struct strmap kernel_symbols; /* struct kernel_symbol */
	struct strmap left_out;	      /* text: why the D libraries lack it on this kernel */
	VEC(struct translator *) translators;
	VEC(struct named_attrs *) pragma_list;
	VEC(struct provider_attrs) provider_pragmas; /* of the program being read */
	VEC(struct translator_binding) bindings;
	const struct scope *scope;  /* parameters in force */
	struct user_function *func; /* whose body is being expanded */
	struct variable *result;    /* of that function; NULL: it is void */
	bool no_actions;	    /* inside a function that is called for its value */
	unsigned loops;		    /* how many stand around what is being checked */
	unsigned loop_depth;	    /* the same, with those around the calls of functions */
	struct sema_clause *clause; /* being checked; NULL outside clauses */
	const struct expr *refused; /* its first call of an unsupported action, or NULL */
	struct attributes attrs;    /* the minimum of what the clause's statements used */
	struct recovery lost;	    /* by errors of this program */
	bool undefined;		    /* the last error was an undefined name */
	bool translates;	    /* some expression is a translated object */
	unsigned depth;
	const struct expansion *expanding; /* innermost; NULL: none */
	uint32_t expanded;		   /* expressions that the outermost one made so far */
	bool libraries_loaded;
	enum token_kind compound; /* the compound assignment that is being typed, or 0 */
};

/* True if the version of D that is bound to has NAME. */
bool sema_in_version(const struct sema *s, const char *name);

/* True if NAME is a function of D's, not one of our additions, whose names programs may have. */
static inline bool sema_is_function(const char *name)
{
	const struct function *f = function_find(name);

	return f && !f->extension;
}

/* error: report and return false. */
bool sema_error(struct sema *s, struct loc loc, const char *tag, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * NAME of a D library, or MEMBER of its translator to type NAME, does not compile on this kernel:
 * the last error says why.  The reason is returned by the second, until the session ends; NULL: it
 * was not left out.
 */
void sema_leave_out(struct sema *s, const char *name, const char *member);
const char *sema_left_out(struct sema *s, const char *name, const char *member);

/* Load the D libraries if that was not done yet; false when there is nothing new. */
bool sema_from_library(struct sema *s, const char *name);

/* ---- types ---- */

static inline const struct type *basic(struct sema *s, enum type_basic which)
{
	return types_basic(s->types, which);
}

bool sema_is_int(const struct type *t); /* integer or enum */
bool sema_is_ptr(const struct type *t);
bool sema_is_scalar(const struct type *t); /* integer, enum or pointer */
bool sema_is_string(const struct type *t); /* D's string */
bool sema_is_stack(const struct type *t);  /* of stack() or ustack() */
/* True if E may be a condition: a scalar, or a variable that holds a stack or none. */
bool sema_is_truth(const struct expr *e);
/* True if E is the call of an action; stack() and its kin are values unless D is the old one. */
bool sema_is_action(const struct sema *s, const struct expr *e);
bool sema_is_void(const struct type *t);
bool sema_is_dyn(const struct type *t);
bool sema_is_unsigned(const struct type *t);
bool sema_is_zero(const struct expr *e); /* the constant 0 */
bool sema_is_null(const struct expr *e); /* NULL, a constant 0 of type int */
const char *sema_type_text(struct sema *s, const struct type *t);

/* Returns int for narrower types (C's promotion), else the type itself without qualifiers. */
const struct type *sema_promote(struct sema *s, const struct type *t);
/* Applies C's usual arithmetic conversions to two integer types. */
const struct type *sema_usual(struct sema *s, const struct type *a, const struct type *b);

/* True if E may be assigned, passed or used as a key where TO is wanted (d-language 9.3). */
bool sema_compatible(const struct type *to, const struct expr *e);

/* Returns the type that a function table spells. */
const struct type *sema_spelled_type(struct sema *s, const char *spelling);

/* ---- expr.c, ops.c ---- */

bool sema_expr(struct sema *s, struct expr *e);
/* Types E, a member of an expression that is typed already. */
bool sema_member(struct sema *s, struct expr *e);
/* Types E, a ?: whose parts are typed. */
bool sema_choice(struct sema *s, struct expr *e);
bool sema_operator(struct sema *s, struct expr *e); /* unary, binary, ?: , comma */
/* Where a scalar is wanted, string + integer is the pointer that it is in C. */
void sema_decay_rest(struct sema *s, struct expr **e);
bool sema_assign(struct sema *s, struct expr *e);
bool sema_increment(struct sema *s, struct expr *e);
struct sema_expr *sema_info(struct sema *s, struct expr *e);
/* Replaces E by its value if it names a parameter in force; true if it did. */
bool sema_bind(struct sema *s, struct expr *e);
/* Put a conversion to TYPE around *E when it has another one. */
void sema_convert(struct sema *s, struct expr **e, const struct type *type);

/*
 * The same of an operand of an operator: integers are computed in 64 bits, so only the type of one
 * changes, and with it the signedness of what the operator does (d-language, arithmetic).
 */
void sema_retype(struct sema *s, struct expr **e, const struct type *type);
/* Returns the variable that E (EXPR_VAR or EXPR_INDEX) names or may create; NULL on error. */
struct variable *sema_variable(struct sema *s, struct expr *e, const struct type *create);
struct variable *sema_new_variable(
	struct sema *s, enum var_scope scope, const char *name, const struct type *type);
/* Restores the state of CLEAN after an error, which leaves its item in the middle. */
void sema_leave(struct sema *s, const struct sema *clean);

/* ---- call.c, agg.c, format.c ---- */

bool sema_call(struct sema *s, struct expr *e, bool statement, bool key);
/* Reports that E calls an unsupported action; returns false. */
bool sema_not_implemented(struct sema *s, const struct expr *e);
bool sema_arguments(struct sema *s, struct expr *e, const struct function *f);
bool sema_agg_name(struct sema *s, struct expr *e, bool create, struct aggregation **out);
/*
 * Checks E as sema_expr() does, but accepts an aggregation and gives it the type T_DYN: for callers
 * that report an aggregation with an error of their own.
 */
bool sema_operand(struct sema *s, struct expr *e);
bool sema_agg_assign(struct sema *s, struct expr *e);
/* Find the parameters of a distribution in CALL, an untyped call of an aggregating function. */
bool sema_agg_params(struct sema *s, struct expr *call, struct agg_params *out);
bool sema_keys(struct sema *s, struct expr *e, const char *what, const struct type **keys,
	uint32_t *nkeys, bool *fixed, bool is_agg);
bool sema_printf(struct sema *s, struct expr *e);
bool sema_printa(struct sema *s, struct expr *e);

/* ---- fold.c ---- */

/* Replace E by a constant where its operands are constants; false when that is an error. */
bool sema_fold(struct sema *s, struct expr *e);
/* Make E the integer constant V of TYPE. */
void sema_make_int(struct expr *e, uint64_t v, const struct type *type);
/* Returns V as a value of integer type T: cut and extended. */
uint64_t sema_wrap(uint64_t v, const struct type *t);
struct expr *sema_clone(struct arena *a, const struct expr *e);

stmt_vec sema_clone_stmts(struct arena *a, const stmt_vec *in);

/* ---- expand.c ---- */

/* Begin and end putting definition NAME in place of the use at LOC. */
void sema_expand_begin(struct sema *s, struct expansion *x, const char *name, struct loc loc);
void sema_expand_end(struct sema *s);
/*
 * Return a copy of a definition, or of an argument in it.  NULL, after an error: the use becomes
 * more than SEMA_MAX_EXPANSION expressions.  The second stores the copy in *OUT.
 */
struct expr *sema_expand(struct sema *s, const struct expr *e);
bool sema_expand_stmts(struct sema *s, const stmt_vec *in, stmt_vec *out);

/* ---- inline.c ---- */

/*
 * Replace E, a name, by the value V that it stands for, where DEFINITION is what was written for
 * the name.  Messages go on to give the place of the name.
 */
void sema_put_definition(struct expr *e, const struct expr *v, const struct expr *definition);

bool sema_inline(struct sema *s, const struct item *it);
void sema_define_constant(struct sema *s, const char *name, int64_t v, const struct type *type);
/* E, a name or name[args], becomes a copy of the inline's value. */
bool sema_use_inline(struct sema *s, struct expr *e, const struct inline_def *in);
/* Checks the parameters of an inline or a function: PARAMS, one declarator each. */
bool sema_params(struct sema *s, const struct declarator_mod *m, binding_vec *out);

/* ---- translate.c ---- */

bool sema_translator(struct sema *s, const struct translator_ast *ast, struct loc loc);
bool sema_xlate(struct sema *s, struct expr *e);
/* E->a, typed, as an object of type T; false (no error) when there is no translator. */
bool sema_translate(struct sema *s, struct expr *e, const struct type *t);
/* Replaces E, which is xlate<T>(x).member, by the member's expression. */
bool sema_xlate_member(struct sema *s, struct expr *e);
/*
 * Replaces E, a member of an expression that gives a translated object in another way, by the
 * member of each object that it may be: (c ? a : b)->m becomes c ? a->m : b->m.
 */
bool sema_member_of_choice(struct sema *s, struct expr *e);
/*
 * Returns the value of member NAME of E, an xlate expression, typed where E stands; it is made once
 * and kept with E.  NULL after an error; WHERE is the place that asks for the member.
 */
struct expr *sema_xlate_value(struct sema *s, struct expr *e, const char *name, struct loc where);
bool sema_is_dynamic(const struct expr *e);

/* ---- kept.c ---- */

/* Notes that V is assigned the translated object VALUE. */
void sema_hold(struct sema *s, struct variable *v, const struct expr *value);
/*
 * Decides which members of translated objects the session's variables keep, and types them at the
 * assignments; call it when a program is checked.  May be called again after more programs.
 */
bool sema_keep_members(struct sema *s);

/* ---- function.c ---- */

bool sema_function(struct sema *s, const struct item *it);
/* Returns an expression that names the clause-local variable V. */
struct expr *sema_variable_expr(struct sema *s, struct variable *v, struct loc loc);
bool sema_call_user(struct sema *s, struct expr *e, struct user_function *f, bool statement);

/* ---- stmt.c ---- */

bool sema_statements(struct sema *s, stmt_vec *stmts);

/* ---- order.c ---- */

/* The order of speculate(), commit() and other actions in a clause (d-language 17.1). */
bool sema_spec_order(struct sema *s, const stmt_vec *stmts);

/* ---- lvalue.c ---- */

bool sema_writable(struct sema *s, struct expr *e, enum token_kind op);
/* True if pointer E is known to lead to other memory than scratch memory. */
bool sema_is_elsewhere(const struct expr *e);
bool sema_note_pointer(struct sema *s, struct variable *v, const struct expr *value);

/* ---- symbol.c ---- */

bool sema_symbol(struct sema *s, struct expr *e);

/* ---- decl.c ---- */

bool sema_declaration(struct sema *s, const struct decl *d);
/* Returns the type that a type name spells; NULL after an error. */
const struct type *sema_type_name(struct sema *s, const struct type_name *tn);

/* ---- attributes (sema.c), pragma.c, provider.c ---- */

struct attributes attrs_min(struct attributes a, struct attributes b);
/* WHAT, which has attributes A, is used; false (and an error) when that is below -x amin. */
bool sema_use_attrs(struct sema *s, struct loc loc, const char *what, struct attributes a);
/*
 * Returns the attributes that a pragma gave to NAME, an inline, function or global variable; NULL =
 * none.
 */
const struct named_attrs *sema_named_attrs(struct sema *s, const char *name);
/*
 * Notes that NAME is used, so its attributes count; false (and an error) when -x version or amin
 * forbids.
 */
bool sema_use_named(struct sema *s, struct loc loc, const char *name);
/* Returns the version that a pragma before LOC gave to the translator there; 0 = none did. */
uint32_t sema_bind_translator(struct sema *s, struct loc loc);
/* Checks that the names in the pragmas of SRC are defined now. */
bool sema_resolve_pragmas(struct sema *s, const struct source *src);
/*
 * Finds the arguments of P in a provider block: its provider's name without the process's number.
 * False: there is none, OUT stays.
 */
bool sema_declared_args(struct sema *s, const struct probe *p, struct probe_args *out);
bool sema_provider(
	struct sema *s, const struct provider_ast *ast, struct loc loc, struct sema_program *out);

/* ---- derive.c ---- */

/* Type what probe P is made of, where it is derived; USED are the bits of its arguments. */
bool sema_derive(struct sema *s, const struct probe *p, uint32_t used);

/* ---- clause.c ---- */

/* Types predicate and body of AST into C, whose probes are known.  False: an error. */
bool sema_check_clause(struct sema *s, struct sema_clause *c, const struct clause *ast);
bool sema_clause(
	struct sema *s, struct program *prog, const struct clause *c, struct sema_program *out);

#endif
