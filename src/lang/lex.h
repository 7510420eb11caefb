/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lex: D text to tokens.
 *
 * What a character means depends on where it stands (d-language, lexical contexts), so the parser
 * names the context with each request.  Control lines (#pragma, # line) and macro variables
 * ($1, $target) are dealt with here.  The lexer opens nothing; all it knows comes from struct
 * lex_input.
 */
#ifndef LANG_LEX_H
#define LANG_LEX_H

#include <stdint.h>

#include "base/diag.h"

enum token_kind {
	TOK_EOF,
	TOK_ERROR, /* already reported */
	TOK_INTEGER,
	TOK_STRINGLIT,
	TOK_IDENT,
	TOK_AGGNAME,   /* @name; `str` without the @ */
	TOK_PROBESPEC, /* outer context: a probe description */
	TOK_PREDEND,   /* the / that ends a predicate */
#define TOK(kind, text) kind,
#define KW(kind, text)	kind,
#define CKW(kind, text) kind,
#include "lang/token.def"
	TOK_KIND_MAX,
};

/* The type that an integer constant's value and suffix give it. */
enum int_kind { INT_INT, INT_UINT, INT_LONG, INT_ULONG, INT_LLONG, INT_ULLONG };

struct token {
	enum token_kind kind;
	struct loc loc;
	const char *start; /* in the source text, for messages */
	uint32_t len;
	uint64_t value; /* TOK_INTEGER */
	enum int_kind ikind;
	const char *str; /* TOK_IDENT, TOK_STRINGLIT, TOK_AGGNAME, TOK_PROBESPEC */
	uint32_t str_len;
};

enum lex_context {
	LEX_OUTER,     /* between clauses: probe descriptions */
	LEX_EXPR,      /* inside { } and declarations */
	LEX_PREDICATE, /* inside / /: a / may end it */
};

/* Values of the named macro variables and the operands. */
struct lex_macros {
	const char *name0; /* $0 */
	int argc;
	char *const *argv; /* $1 is argv[0] */
	bool defaultargs;
	int64_t pid, ppid, pgid, sid, uid, euid, gid, egid, target;
	bool last_used; /* set when the highest operand was referenced */
};

/* A control line that means something to the compiler, not to the lexer. */
struct lex_hooks {
	/* #pragma D WORD...; TEXT is what follows "D", trimmed. */
	void (*pragma)(void *arg, struct loc loc, const char *text);
	/* #pragma tool WORD...; TEXT is what follows "tool". */
	void (*tool)(void *arg, struct loc loc, const char *text);
	/* True if NAME is known as a type, in the outer context. */
	bool (*is_type)(void *arg, const char *name);
	void *arg;
	bool pspec; /* no word of the outer context begins a declaration */
	bool c;	    /* the text may have included C headers: the words of C are reserved */
};

struct lexer;

struct lexer *lex_new(struct arena *a, struct source *src, struct diags *diags,
	struct lex_macros *macros, const struct lex_hooks *hooks);

/* Returns the next token, read in CTX, consumed. */
struct token lex_next(struct lexer *lx, enum lex_context ctx);

/*
 * Returns the N-th token ahead in CTX (1 = what lex_next() would give).  Nothing is consumed or
 * reported, and control lines on the way have no effect; only kind and spelling of the answer
 * count.
 */
struct token lex_peek(const struct lexer *lx, enum lex_context ctx, unsigned n);

/* Put the position back to where T began, to read it again in another context. */
void lex_rewind(struct lexer *lx, const struct token *t);

/*
 * Skip the rest of a broken clause or declaration (DECL) that has DEPTH open braces: up to the
 * end of the last one, or the next ';' outside braces, which is where a declaration ends.
 */
void lex_resync(struct lexer *lx, int depth, bool decl);

/*
 * Skip C text from token T, the last one read: an initializer, up to a ',' or ';' (STOP is ",;");
 * or what stands in braces or parentheses, of which T is the first, and its end (STOP is NULL).
 */
void lex_skip_c(struct lexer *lx, const struct token *t, const char *stop);

/* Returns the most alignment of members after #pragma pack, in bytes; 0: any. */
uint32_t lex_pack(const struct lexer *lx);

/* Returns the spelling of a token kind, for messages. */
const char *lex_token_spelling(enum token_kind kind);

#endif
