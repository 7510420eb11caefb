// SPDX-License-Identifier: Apache-2.0
/* Prints the syntax tree as text, for -x dump=ast. */
#include "base/arena.h"
#include "base/buf.h"
#include "lang/ast.h"
#include "lang/lex.h"

#include <inttypes.h>

static void put_string(struct buf *out, const char *s, uint32_t len)
{
	buf_putc(out, '"');
	for (uint32_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c == '"' || c == '\\')
			buf_printf(out, "\\%c", c);
		else if (c == '\n')
			buf_puts(out, "\\n");
		else if (c == '\t')
			buf_puts(out, "\\t");
		else if (c < 0x20 || c > 0x7e)
			buf_printf(out, "\\%03o", c);
		else
			buf_putc(out, (char)c);
	}
	buf_putc(out, '"');
}

static void put_declarator(struct buf *out, const struct declarator *d);
static void put_expr(struct buf *out, const struct expr *e);
static void put_words(struct buf *out, const struct type_spec *s);

static void put_declarators(struct buf *out, const struct decl *d)
{
	for (uint32_t i = 0; i < d->names.len; i++) {
		buf_puts(out, i ? "," : "");
		put_declarator(out, d->names.data[i]);
	}
}

/* Members or enumerators, where a body was written. */
static void put_body(struct buf *out, const struct type_spec *s)
{
	if (!s->has_body)
		return;
	buf_puts(out, " {");
	for (uint32_t i = 0; i < s->members.len; i++) {
		buf_puts(out, i ? "; " : "");
		put_words(out, s->members.data[i]->spec);
		put_declarators(out, s->members.data[i]);
	}
	for (uint32_t i = 0; i < s->enumerators.len; i++) {
		const struct enumerator *e = &s->enumerators.data[i];

		buf_printf(out, "%s%s", i ? ", " : "", e->name);
		if (e->value) {
			buf_puts(out, " = ");
			put_expr(out, e->value);
		}
	}
	buf_puts(out, "}");
}

static void put_words(struct buf *out, const struct type_spec *s)
{
	static const char *const words[] = {"void", "char", "short", "int", "long", "long",
		"signed", "unsigned", "float", "double", "string"};
	const char *sep = "";

	if (s->is_const)
		buf_puts(out, "const ");
	if (s->is_volatile)
		buf_puts(out, "volatile ");
	if (s->tag_kind != TOK_EOF) {
		buf_printf(out, "%s%s%s", lex_token_spelling(s->tag_kind), s->name ? " " : "",
			s->name ? s->name : "");
		put_body(out, s);
		return;
	}
	if (s->name) {
		buf_puts(out, s->name);
		return;
	}
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (s->words & 1u << i) {
			buf_printf(out, "%s%s", sep, words[i]);
			sep = " ";
		}
	}
	if (s->str_size) {
		buf_puts(out, "<");
		put_expr(out, s->str_size);
		buf_puts(out, ">");
	}
}

static const char *storage_text(enum storage s)
{
	static const char *const text[] = {"", "self ", "this ", "extern ", "typedef ", "inline ",
		"static ", "auto ", "register "};

	return text[s];
}

static void put_param_list(struct buf *out, struct decl *const *params, uint32_t n, bool varargs)
{
	for (uint32_t i = 0; i < n; i++) {
		buf_puts(out, i ? ", " : "");
		buf_puts(out, storage_text(params[i]->spec->storage));
		put_words(out, params[i]->spec);
		put_declarators(out, params[i]);
	}
	if (varargs)
		buf_puts(out, n ? ", ..." : "...");
}

static void put_params(struct buf *out, const struct declarator_mod *m)
{
	put_param_list(out, m->params.data, m->params.len, m->varargs);
}

static void put_declarator(struct buf *out, const struct declarator *d)
{
	if (d->name)
		buf_printf(out, " %s", d->name);
	for (uint32_t i = 0; i < d->mods.len; i++) {
		const struct declarator_mod *m = &d->mods.data[i];

		switch (m->kind) {
		case MOD_PTR:
			buf_puts(out, " *");
			break;
		case MOD_ARRAY:
			buf_puts(out, " [");
			if (m->size)
				put_expr(out, m->size);
			buf_puts(out, "]");
			break;
		case MOD_ASSOC:
			buf_puts(out, " [");
			put_params(out, m);
			buf_puts(out, "]");
			break;
		case MOD_FUNC:
			buf_puts(out, " (");
			put_params(out, m);
			buf_puts(out, ")");
			break;
		}
	}
	if (d->bits) {
		buf_puts(out, " : ");
		put_expr(out, d->bits);
	}
}

static void put_type_name(struct buf *out, const struct type_name *tn)
{
	if (!tn) /* the error has been reported */
		return;
	buf_puts(out, "<");
	put_words(out, tn->spec);
	put_declarator(out, tn->decl);
	buf_puts(out, ">");
}

static void put_list(struct buf *out, const char *head, const struct expr *e)
{
	buf_printf(out, "(%s", head);
	if (e->a) {
		buf_putc(out, ' ');
		put_expr(out, e->a);
	}
	for (uint32_t i = 0; i < e->args.len; i++) {
		buf_putc(out, ' ');
		put_expr(out, e->args.data[i]);
	}
	if (e->b) {
		buf_putc(out, ' ');
		put_expr(out, e->b);
	}
	if (e->c) {
		buf_putc(out, ' ');
		put_expr(out, e->c);
	}
	buf_putc(out, ')');
}

static const char *scope_prefix(const struct expr *e)
{
	return e->scope == SCOPE_SELF ? "self->" : e->scope == SCOPE_THIS ? "this->" : "";
}

static void put_expr(struct buf *out, const struct expr *e)
{
	switch (e->kind) {
	case EXPR_INT:
		buf_printf(out, "%" PRId64, (int64_t)e->value);
		break;
	case EXPR_STRING:
		put_string(out, e->str, e->str_len);
		break;
	case EXPR_VAR:
		buf_printf(out, "%s%s", scope_prefix(e), e->name);
		break;
	case EXPR_SYMBOL:
		buf_puts(out, e->name);
		break;
	case EXPR_AGG:
		if (!e->args.len) {
			buf_printf(out, "@%s", e->name);
			break;
		}
		buf_printf(out, "(@%s", e->name);
		for (uint32_t i = 0; i < e->args.len; i++) {
			buf_putc(out, ' ');
			put_expr(out, e->args.data[i]);
		}
		buf_putc(out, ')');
		break;
	case EXPR_CALL:
		put_list(out, "call", e);
		break;
	case EXPR_INDEX:
		put_list(out, "index", e);
		break;
	case EXPR_MEMBER:
		buf_printf(out, "(%s ", lex_token_spelling(e->op));
		put_expr(out, e->a);
		buf_printf(out, " %s)", e->name);
		break;
	case EXPR_UNARY:
	case EXPR_BINARY:
	case EXPR_ASSIGN:
		put_list(out, lex_token_spelling(e->op), e);
		break;
	case EXPR_POSTFIX:
		put_list(out, e->op == TOK_INC ? "post++" : "post--", e);
		break;
	case EXPR_COND:
		put_list(out, "?:", e);
		break;
	case EXPR_COMMA:
		put_list(out, ",", e);
		break;
	case EXPR_CAST:
		buf_puts(out, "(cast ");
		if (e->tname)
			put_type_name(out, e->tname);
		buf_putc(out, ' ');
		put_expr(out, e->a);
		buf_putc(out, ')');
		break;
	case EXPR_SIZEOF_TYPE:
		buf_puts(out, "(sizeof ");
		put_type_name(out, e->tname);
		buf_putc(out, ')');
		break;
	case EXPR_OFFSETOF:
		buf_puts(out, "(offsetof ");
		put_type_name(out, e->tname);
		buf_printf(out, " %s)", e->name);
		break;
	case EXPR_XLATE:
		buf_puts(out, "(xlate ");
		put_type_name(out, e->tname);
		buf_putc(out, ' ');
		put_expr(out, e->a);
		buf_putc(out, ')');
		break;
	}
}

/* ---- statements ---- */

static void put_statements(struct buf *out, const stmt_vec *v, unsigned indent);

static void put_line(struct buf *out, unsigned indent)
{
	buf_printf(out, "\n%*s", (int)indent, "");
}

/* " E", or " -" for what was left out. */
static void put_part(struct buf *out, const struct expr *e)
{
	buf_puts(out, e ? " " : " -");
	if (e)
		put_expr(out, e);
}

static void put_if(struct buf *out, const struct stmt *s, unsigned indent)
{
	buf_puts(out, "(if");
	put_part(out, s->expr);
	put_line(out, indent + 2);
	buf_puts(out, "(then");
	put_statements(out, &s->body, indent + 4);
	if (s->orelse.len) {
		buf_putc(out, ')');
		put_line(out, indent + 2);
		buf_puts(out, "(else");
		put_statements(out, &s->orelse, indent + 4);
	}
	buf_puts(out, "))");
}

static void put_foreach(struct buf *out, const struct stmt *s)
{
	buf_puts(out, "(foreach (");
	for (uint32_t i = 0; i < s->keys.len; i++)
		buf_printf(out, "%s%s", i ? " " : "", s->keys.data[i].name);
	buf_puts(out, ")");
	put_part(out, s->over);
}

static void put_statement(struct buf *out, const struct stmt *s, unsigned indent)
{
	switch (s->kind) {
	case STMT_EXPR:
		put_expr(out, s->expr);
		return;
	case STMT_IF:
		put_if(out, s, indent);
		return;
	case STMT_BLOCK:
		buf_puts(out, "(block");
		break;
	case STMT_WHILE:
		buf_puts(out, "(while");
		put_part(out, s->expr);
		break;
	case STMT_FOR:
		buf_puts(out, "(for");
		put_part(out, s->init);
		put_part(out, s->expr);
		put_part(out, s->step);
		break;
	case STMT_FOREACH:
		put_foreach(out, s);
		break;
	case STMT_BREAK:
		buf_puts(out, "(break");
		break;
	case STMT_CONTINUE:
		buf_puts(out, "(continue");
		break;
	case STMT_RETURN:
		buf_puts(out, "(return");
		if (s->expr)
			put_part(out, s->expr);
		break;
	}
	put_statements(out, &s->body, indent + 2);
	buf_putc(out, ')');
}

static void put_statements(struct buf *out, const stmt_vec *v, unsigned indent)
{
	for (uint32_t i = 0; i < v->len; i++) {
		put_line(out, indent);
		put_statement(out, &v->data[i], indent);
	}
}

/* ---- items ---- */

static void put_clause(struct buf *out, const struct clause *c)
{
	buf_puts(out, "(clause");
	for (uint32_t i = 0; i < c->specs.len; i++)
		buf_printf(out, " %s", c->specs.data[i].text);
	if (c->predicate) {
		buf_puts(out, "\n  (predicate ");
		put_expr(out, c->predicate);
		buf_putc(out, ')');
	}
	put_statements(out, &c->stmts, 2);
}

static void put_decl(struct buf *out, const struct decl *d, const char *head)
{
	buf_printf(out, "(%s %s", head, storage_text(d->spec->storage));
	put_words(out, d->spec);
	put_declarators(out, d);
}

static void put_translator(struct buf *out, const struct translator_ast *t)
{
	buf_puts(out, "(translator ");
	put_type_name(out, t->out);
	buf_putc(out, ' ');
	put_type_name(out, t->in);
	buf_printf(out, " %s", t->param);
	for (uint32_t i = 0; i < t->members.len; i++) {
		const struct translator_member *m = &t->members.data[i];

		buf_printf(out, "\n  (= %s ", m->name);
		put_expr(out, m->value);
		buf_putc(out, ')');
	}
}

static void put_provider(struct buf *out, const struct provider_ast *prov)
{
	buf_printf(out, "(provider %s", prov->name);
	for (uint32_t i = 0; i < prov->probes.len; i++) {
		const struct provider_probe *pr = &prov->probes.data[i];

		buf_printf(out, "\n  (probe %s (", pr->name);
		put_param_list(out, pr->params.data, pr->params.len, pr->varargs);
		buf_putc(out, ')');
		if (pr->has_xparams) {
			buf_puts(out, " (");
			put_param_list(out, pr->xparams.data, pr->xparams.len, false);
			buf_putc(out, ')');
		}
		buf_putc(out, ')');
	}
}

void ast_dump(struct buf *out, const struct program *p)
{
	for (uint32_t i = 0; i < p->items.len; i++) {
		const struct item *it = &p->items.data[i];

		switch (it->kind) {
		case ITEM_CLAUSE:
			put_clause(out, it->clause);
			break;
		case ITEM_DECL:
			put_decl(out, it->decl, "decl");
			break;
		case ITEM_INLINE:
			put_decl(out, it->decl, "inline");
			buf_puts(out, " =");
			put_part(out, it->value);
			break;
		case ITEM_FUNCTION:
			put_decl(out, it->decl, "function");
			put_statements(out, &it->body, 2);
			break;
		case ITEM_TRANSLATOR:
			put_translator(out, it->translator);
			break;
		case ITEM_PROVIDER:
			put_provider(out, it->provider);
			break;
		}
		buf_puts(out, ")\n");
	}
}

const char *ast_expr_text(struct arena *a, const struct expr *e)
{
	struct buf b = {0};
	const char *s;

	put_expr(&b, e);
	buf_own(&b, a);
	s = b.failed || !b.data ? "" : arena_strdup(a, b.data);
	arena_release(a, &b);
	return s;
}
