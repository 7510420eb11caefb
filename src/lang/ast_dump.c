// SPDX-License-Identifier: Apache-2.0
#include "base/buf.h"
#include "lang/ast.h"

#include <inttypes.h>
#include <string.h>

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
		buf_printf(out, "%s%s%s", token_spelling(s->tag_kind), s->name ? " " : "",
			s->name ? s->name : "");
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
}

static void put_declarator(struct buf *out, const struct declarator *d);
static void put_expr(struct buf *out, const struct expr *e);

static void put_params(struct buf *out, const struct declarator_mod *m)
{
	for (uint32_t i = 0; i < m->params.len; i++) {
		buf_puts(out, i ? ", " : "");
		put_words(out, m->params.data[i]->spec);
		put_declarator(out, m->params.data[i]->names.data[0]);
	}
	if (m->varargs)
		buf_puts(out, ", ...");
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
		buf_printf(out, "(%s ", token_spelling(e->op));
		put_expr(out, e->a);
		buf_printf(out, " %s)", e->name);
		break;
	case EXPR_UNARY:
	case EXPR_BINARY:
	case EXPR_ASSIGN:
		put_list(out, token_spelling(e->op), e);
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
	for (uint32_t i = 0; i < c->stmts.len; i++) {
		buf_puts(out, "\n  ");
		put_expr(out, c->stmts.data[i].expr);
	}
	buf_puts(out, ")\n");
}

static void put_decl(struct buf *out, const struct decl *d, const char *head)
{
	static const char *const storage[] = {"", "self ", "this ", "extern ", "typedef ",
		"inline ", "static ", "auto ", "register "};

	buf_printf(out, "(%s %s", head, storage[d->spec->storage]);
	put_words(out, d->spec);
	for (uint32_t i = 0; i < d->names.len; i++) {
		buf_puts(out, i ? "," : "");
		put_declarator(out, d->names.data[i]);
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
			buf_puts(out, ")\n");
			break;
		case ITEM_FUNCTION:
	case ITEM_INLINE:
			put_decl(out, it->decl, "inline");
			buf_puts(out, " = ");
			put_expr(out, it->value);
			buf_puts(out, ")\n");
			break;
		case ITEM_TRANSLATOR:
			buf_puts(out, "(translator)\n");
			break;
		case ITEM_PROVIDER:
			buf_puts(out, "(provider)\n");
			break;
		}
	}
}

const char *expr_text(struct arena *a, const struct expr *e)
{
	struct buf b = {0};
	const char *s;

	put_expr(&b, e);
	s = b.failed || !b.data ? "" : arena_strdup(a, b.data);
	buf_free(&b);
	return s;
}
