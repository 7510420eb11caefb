/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ast: a parsed program.
 *
 * The parser fills everything but the fields under "set by sema"; the type checker annotates the
 * same nodes.  All of it lives in the compilation's arena.
 */
#ifndef LANG_AST_H
#define LANG_AST_H

#include "base/diag.h"
#include "base/vec.h"
#include "lang/lex.h"

struct type;
struct expr;
struct variable;
struct rec_desc;

/* ---- types as written ---- */

enum storage {
	STORAGE_NONE,
	STORAGE_SELF,
	STORAGE_THIS,
	STORAGE_EXTERN,
	STORAGE_TYPEDEF,
	STORAGE_INLINE,
	STORAGE_STATIC,
	STORAGE_AUTO,
	STORAGE_REGISTER,
};

enum spec_word { /* bits */
	WORD_VOID = 1 << 0,
	WORD_CHAR = 1 << 1,
	WORD_SHORT = 1 << 2,
	WORD_INT = 1 << 3,
	WORD_LONG = 1 << 4,
	WORD_LONGLONG = 1 << 5,
	WORD_SIGNED = 1 << 6,
	WORD_UNSIGNED = 1 << 7,
	WORD_FLOAT = 1 << 8,
	WORD_DOUBLE = 1 << 9,
	WORD_STRING = 1 << 10,
	WORD_INT128 = 1 << 11,
	WORD_COMPLEX = 1 << 12,
};

/* Attributes of GNU C that change a layout. */
struct c_attributes {
	bool packed, aligned;
	struct expr *align;  /* NULL with ALIGNED: the most that the machine has */
	const char *mode;    /* the machine's name of a size, without underscores; NULL */
	struct expr *vector; /* bytes of a vector; NULL: it is none */
	uint32_t pack;	     /* #pragma pack: the most, in bytes; 0: there is none */
};

struct type_spec {
	struct loc loc;
	enum storage storage;
	unsigned words; /* enum spec_word */
	bool is_const, is_volatile;
	bool repeated;		  /* a word stood twice where it may not */
	enum token_kind tag_kind; /* TOK_STRUCT, TOK_UNION, TOK_ENUM; TOK_EOF = none */
	const char *name;	  /* tag or typedef name; NULL */
	/*
	 * A name in a cast or translation that is no type's so far: the token that cannot follow a
	 * variable there, for the message; NULL
	 */
	const char *unknown;
	struct loc unknown_loc;
	struct type_name *of_type;	 /* typeof(type) */
	struct expr *of_expr;		 /* typeof(expression) */
	struct c_attributes attrs;	 /* of the struct or union with a body */
	struct c_attributes other_attrs; /* of what is declared */
	struct expr *str_size;		 /* string<N>: the most bytes without the NUL; NULL */
	bool has_body;
	bool is_c, in_header; /* as in struct decl */
	VEC(struct decl *) members;
	VEC(struct enumerator) enumerators;
	const struct type *type; /* set by sema: of one with a body, defined once */
};

struct enumerator {
	struct loc loc;
	const char *name;
	struct expr *value; /* NULL = one more than the last */
};

enum declarator_mod_kind { MOD_PTR, MOD_ARRAY, MOD_ASSOC, MOD_FUNC };

struct declarator_mod {
	enum declarator_mod_kind kind;
	struct loc loc;
	struct expr *size;	   /* MOD_ARRAY; NULL for [] */
	bool is_c;		   /* -C: it may have no elements */
	VEC(struct decl *) params; /* MOD_ASSOC, MOD_FUNC: one declarator each */
	bool varargs;
};

/* Modifiers go from the name outwards: int *a[3] is ARRAY, PTR. */
struct declarator {
	struct loc loc;
	const char *name; /* NULL when abstract */
	VEC(struct declarator_mod) mods;
	struct expr *bits; /* bit-field width, NULL */
	struct c_attributes attrs;
};

struct decl {
	struct type_spec *spec;
	VEC(struct declarator *) names;
	bool is_c;	/* -C: it may be one that C has and D does not */
	bool in_header; /* it stands in a file of C */
};

/* A type name in a cast, sizeof, offsetof or xlate. */
struct type_name {
	struct type_spec *spec;
	struct declarator *decl;
};

/* ---- expressions ---- */

enum expr_kind {
	EXPR_INT,
	EXPR_STRING,
	EXPR_VAR,     /* name, scope; a built-in, variable, inline or enumerator by name */
	EXPR_SYMBOL,  /* mod`sym */
	EXPR_AGG,     /* @name[args] */
	EXPR_CALL,    /* a = callee, args */
	EXPR_INDEX,   /* a[args] */
	EXPR_MEMBER,  /* a.name, a->name (op) */
	EXPR_UNARY,   /* op a */
	EXPR_POSTFIX, /* a op: ++ or -- */
	EXPR_BINARY,  /* a op b */
	EXPR_ASSIGN,  /* a op b */
	EXPR_COND,    /* a ? b : c */
	EXPR_COMMA,   /* a, b */
	EXPR_CAST,    /* (tname) a; sema inserts some with no tname */
	EXPR_SIZEOF_TYPE,
	EXPR_OFFSETOF, /* tname, name */
	EXPR_XLATE,    /* xlate <tname>(a) */
};

enum var_scope { SCOPE_GLOBAL, SCOPE_SELF, SCOPE_THIS };

struct expr {
	enum expr_kind kind;
	struct loc loc;
	enum token_kind op;
	enum var_scope scope;
	struct expr *a, *b, *c;
	VEC(struct expr *) args;
	const char *name;
	struct type_name *tname;
	uint64_t value; /* EXPR_INT */
	enum int_kind ikind;
	const char *str; /* EXPR_STRING */
	uint32_t str_len;
	/* as written, in the source's text; NULL: the compiler made the expression */
	const char *text;
	uint32_t text_len;

	/* ---- set by sema ---- */
	const struct type *type;
	bool retyped;		      /* EXPR_CAST: of an integer, whose 64 bits stay as they are */
	const struct sema_expr *info; /* sema/program.h */
	/* where an inline or a translator's member stood: its definition; NULL */
	const struct expr *definition;
};

/* ---- statements, clauses, program ---- */

enum stmt_kind {
	STMT_EXPR, /* expr */
	STMT_BLOCK,
	STMT_IF,
	STMT_WHILE,
	STMT_FOR,
	STMT_FOREACH, /* foreach (keys in over) */
	STMT_BREAK,
	STMT_CONTINUE,
	STMT_RETURN, /* expr or NULL; in functions only */
};

/* A name that a foreach binds, or a function's parameter. */
struct binding {
	struct loc loc;
	const char *name;
	const struct type *type; /* set by sema */
	struct variable *var;	 /* set by sema: the clause-local that holds it */
};

struct stmt;
typedef VEC(struct stmt) stmt_vec;

struct stmt {
	enum stmt_kind kind;
	struct loc loc;
	struct expr *expr;	  /* STMT_EXPR; condition of IF, WHILE, FOR (NULL: none) */
	struct expr *init, *step; /* FOR; NULL where left out */
	stmt_vec body;		  /* BLOCK, loops; of IF what runs when true */
	stmt_vec orelse;	  /* IF */
	VEC(struct binding) keys; /* FOREACH */
	struct expr *over;	  /* FOREACH: the associative array, EXPR_VAR */
	struct variable *result;  /* RETURN; set by sema: where the value goes, NULL: none */
	/* set by layout: a record is begun before this statement, or is complete after it */
	const struct rec_desc *open;
	bool close;
};

struct spec {
	struct loc loc;
	const char *text; /* as written, macros expanded */
	bool is_id;	  /* a decimal integer alone */
};

struct clause {
	struct loc loc;
	const char *text; /* as written, in the source's text */
	uint32_t text_len;
	VEC(struct spec) specs;
	struct expr *predicate; /* NULL */
	bool has_body;
	stmt_vec stmts;
};

/* translator OUT < IN name > { members }; */
struct translator_member {
	struct loc loc;
	const char *name;
	struct expr *value;
};

struct translator_ast {
	struct type_name *out, *in;
	const char *param;
	VEC(struct translator_member) members;
};

/* provider NAME { probe name(params) : (xparams); }; */
struct provider_probe {
	struct loc loc;
	const char *name;
	VEC(struct decl *) params, xparams; /* one declarator each */
	bool has_xparams;
	bool varargs; /* a "..." stood in one of the lists */
};

struct provider_ast {
	const char *name;
	VEC(struct provider_probe) probes;
};

enum item_kind {
	ITEM_CLAUSE,
	ITEM_DECL,
	ITEM_INLINE,
	ITEM_FUNCTION, /* decl: one declarator whose first modifier is MOD_FUNC */
	ITEM_TRANSLATOR,
	ITEM_PROVIDER,
};

struct item {
	enum item_kind kind;
	struct loc loc;
	struct clause *clause; /* ITEM_CLAUSE */
	struct decl *decl;     /* ITEM_DECL, ITEM_INLINE and ITEM_FUNCTION (one declarator) */
	struct expr *value;    /* ITEM_INLINE */
	const struct script_param *param; /* ITEM_INLINE: what it is, or NULL */
	stmt_vec body;			  /* ITEM_FUNCTION */
	bool skips_body; /* ITEM_DECL: of a function of C, whose body is not read */
	struct translator_ast *translator;
	struct provider_ast *provider;
};

struct program {
	struct source *src;
	VEC(struct item) items;
};

/* An expression as D text, for messages about functions and for dumps. */
const char *ast_expr_text(struct arena *a, const struct expr *e);

/* The program as indented s-expressions, for -x dump=ast; appended to OUT. */
struct buf;
void ast_dump(struct buf *out, const struct program *p);

#endif
