/* SPDX-License-Identifier: Apache-2.0 */
/* sema_int: what the type checker's files share. */
#ifndef SEMA_SEMA_INT_H
#define SEMA_SEMA_INT_H

#include "sema/sema.h"

struct sema {
	struct arena *arena;
	struct types *types;
	struct registry *registry;
	const struct sema_config *cfg;
	struct diags *diags;
	struct sema_session session;
	struct strmap names[3]; /* variables, by enum var_scope */
	struct strmap aggs;
	struct strmap typedefs;	    /* D's own; struct type */
	struct strmap inlines;	    /* integer constants; struct expr */
	struct sema_clause *clause; /* being checked; NULL outside clauses */
	struct attributes attrs;    /* the minimum of what the clause's statements used */
	bool undefined;		    /* the last error was an undefined name */
	unsigned depth;
	bool libraries_loaded;
	enum token_kind compound; /* the compound assignment that is being typed, or 0 */
};

/* error: report and return false. */
bool sema_error(struct sema *s, struct loc loc, const char *tag, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Load the D libraries if that was not done yet; true when NAME is an inline now. */
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
bool sema_is_void(const struct type *t);
bool sema_is_dyn(const struct type *t);
bool sema_is_unsigned(const struct type *t);
bool sema_is_zero(const struct expr *e); /* the constant 0 */
const char *sema_type_text(struct sema *s, const struct type *t);

/* The type of int for narrower ones (C's promotion), else the type itself without qualifiers. */
const struct type *sema_promote(struct sema *s, const struct type *t);
/* C's usual arithmetic conversions of two integer types. */
const struct type *sema_usual(struct sema *s, const struct type *a, const struct type *b);

/* Whether E may be assigned, passed or used as a key where TO is wanted (d-language 9.3). */
bool sema_compatible(const struct type *to, const struct expr *e);

/* A type from a function table's spelling. */
const struct type *sema_spelled_type(struct sema *s, const char *spelling);

/* ---- expr.c, ops.c ---- */

bool sema_expr(struct sema *s, struct expr *e);
bool sema_operator(struct sema *s, struct expr *e); /* unary, binary, ?: , comma */
bool sema_assign(struct sema *s, struct expr *e);
bool sema_increment(struct sema *s, struct expr *e);
struct sema_expr *sema_info(struct sema *s, struct expr *e);
/* Put a conversion to TYPE around *E when it has another one. */
void sema_convert(struct sema *s, struct expr **e, const struct type *type);
/* The variable that E (EXPR_VAR or EXPR_INDEX) names or may create; NULL on error. */
struct variable *sema_variable(struct sema *s, struct expr *e, const struct type *create);

/* ---- call.c, agg.c, format.c ---- */

bool sema_call(struct sema *s, struct expr *e, bool statement, bool key);
bool sema_arguments(struct sema *s, struct expr *e, const struct function *f);
bool sema_agg_name(struct sema *s, struct expr *e, bool create, struct aggregation **out);
bool sema_agg_assign(struct sema *s, struct expr *e);
bool sema_keys(struct sema *s, struct expr *e, const char *what, const struct type **keys,
	uint32_t *nkeys, bool *fixed, bool is_agg);
bool sema_printf(struct sema *s, struct expr *e);
bool sema_printa(struct sema *s, struct expr *e);

/* ---- fold.c ---- */

/* Replace E by a constant where its operands are constants; false when that is an error. */
bool sema_fold(struct sema *s, struct expr *e);
/* Make E the integer constant V of TYPE. */
void sema_make_int(struct expr *e, uint64_t v, const struct type *type);
/* V as a value of integer type T: cut and extended. */
uint64_t sema_wrap(uint64_t v, const struct type *t);
struct expr *sema_clone(struct arena *a, const struct expr *e);

/* ---- decl.c ---- */

bool sema_declaration(struct sema *s, const struct decl *d);
bool sema_inline(struct sema *s, const struct item *it);
/* The type that a type name spells; NULL after an error. */
const struct type *sema_type_name(struct sema *s, const struct type_name *tn);

/* ---- attrs.c ---- */

struct attributes attrs_min(struct attributes a, struct attributes b);

/* ---- clause.c ---- */

bool sema_clause(
	struct sema *s, struct program *prog, const struct clause *c, struct sema_program *out);

#endif
