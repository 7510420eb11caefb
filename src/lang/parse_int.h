/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parse_int: shared by the parser's files.  One token of look-ahead; after an error in a clause the
 * parser sees only end of input until parse_program() finds the next clause.
 */
#ifndef LANG_PARSE_INT_H
#define LANG_PARSE_INT_H

#include "base/diag.h"
#include "base/strmap.h"
#include "lang/ast.h"
#include "lang/lex.h"

/* A name in scope for a while, and what parser.names had under it before. */
struct parse_bound {
	const char *name;
	void *before;
};

struct parser {
	const struct parse_input *in;
	struct arena *arena;
	struct diags *diags;
	struct lexer *lx;
	struct lex_hooks hooks; /* the caller's; is_type asks this program's typedefs first */
	const struct lex_hooks *outer;
	enum token_kind bad; /* what the error was at */
	int braces;	     /* open ones of the clause or declaration */
	bool in_decl;
	bool in_function; /* return is allowed */
	unsigned loops;	  /* open ones: break and continue are allowed */
	struct token tok;
	const char *end; /* of the token before it, in the source's text */
	enum lex_context ctx;
	bool panic;
	int parens;	      /* open ( and [ in a predicate: a / cannot end it there */
	struct token unknown; /* shows that the next name is a type's; TOK_EOF: nothing does */
	struct strmap types;  /* typedef names of this program */
	struct strmap names;  /* variables of this program */
	VEC(struct parse_bound) bound;
	unsigned depth;			  /* of nesting, bounded */
	const struct script_param *param; /* that the next item is; NULL: it is none */
	struct loc param_loc;
};

#define PARSE_MAX_DEPTH 200

/* parse.c */
void parse_advance(struct parser *p);
void parse_fetch(struct parser *p); /* the next token, without a look at the current one */
void parse_set_context(struct parser *p, enum lex_context ctx);
bool parse_accept(struct parser *p, enum token_kind kind);
bool parse_expect(struct parser *p, enum token_kind kind);
void parse_syntax_error(struct parser *p);
void parse_error(struct parser *p, struct loc loc, const char *tag, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
bool parse_enter(struct parser *p); /* one level deeper; false (and an error) when too deep */
/* Returns the N-th token after the current one. */
struct token parse_peek(struct parser *p, unsigned n);
/* Parses an identifier or, where only a member can stand, a reserved word; NULL is an error. */
const char *parse_member_name(struct parser *p);

/* Reports the parameter whose inline has not come, if there is one. */
void parse_end_param(struct parser *p);

/* Parameters and the like: a name is no type until the scope it was bound in ends. */
uint32_t parse_scope_begin(struct parser *p);
void parse_bind(struct parser *p, const char *name);
void parse_scope_end(struct parser *p, uint32_t mark);

/* parse_expr.c */
struct expr *parse_expression(struct parser *p);
struct expr *parse_assignment(struct parser *p);
struct expr *parse_conditional(struct parser *p);
struct expr *parse_additive(struct parser *p); /* stops at a > */
struct expr *expr_new(struct parser *p, enum expr_kind kind, struct loc loc);

/* parse_decl.c */
bool parse_starts_type(struct parser *p, const struct token *t);
bool parse_starts_declaration(struct parser *p);
struct type_spec *parse_specifiers(struct parser *p, bool storage_allowed);
struct declarator *parse_declarator(struct parser *p);
/* Parameters up to and with CLOSING, into the modifier. */
void parse_parameters(struct parser *p, struct declarator_mod *m, enum token_kind closing);
struct type_name *parse_type_name(struct parser *p);
/* Accepts the '>' that closes a type, even if the lexer saw a longer operator. */
void parse_close_angle(struct parser *p);

/* parse_c.c: with -C, C */

/* True if the current token stands in a file of C: an included one whose name ends in ".h". */
bool parse_in_header(const struct parser *p);
/* True if the current token can be a name: in headers, also a word that only D reserves. */
bool parse_is_name(const struct parser *p);
/* Parses attributes, assembler names and words without a meaning here, if there are any, into A. */
void parse_attributes(struct parser *p, struct c_attributes *a);
void parse_typeof(struct parser *p, struct type_spec *s);
void parse_skip_initializer(struct parser *p);
/* Skips what declares nothing; false: there is nothing of the kind. */
bool parse_skip_assertion(struct parser *p);
/* True if D, before a brace, is a function of C and not of D. */
bool parse_is_c_function(const struct parser *p, const struct decl *d);
/* Skips a body with its last brace. */
void parse_skip_body(struct parser *p);

/* parse_item.c */
void parse_declaration(struct parser *p, struct program *prog);

/* parse_stmt.c */
/* '{' statements '}' of a clause or function; the current token is the first and then the last. */
void parse_block(struct parser *p, stmt_vec *out);

#endif
