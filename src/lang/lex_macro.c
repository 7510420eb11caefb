// SPDX-License-Identifier: Apache-2.0
/* Expands macro variables: $1, $$1, $target and the like. */
#include "lang/lex_int.h"

#include "base/diag.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "lang/lex.h"

struct macro {
	const char *text; /* of an operand; NULL for a named one */
	int64_t value;
	bool missing; /* operand not given, option defaultargs */
};

static bool named(const struct lex_macros *m, const char *name, size_t len, int64_t *out)
{
	const struct {
		const char *name;
		int64_t value;
	} table[] = {
		{"pid", m->pid},
		{"ppid", m->ppid},
		{"pgid", m->pgid},
		{"sid", m->sid},
		{"uid", m->uid},
		{"euid", m->euid},
		{"gid", m->gid},
		{"egid", m->egid},
		{"target", m->target},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (strlen(table[i].name) == len && !memcmp(name, table[i].name, len)) {
			*out = table[i].value;
			return true;
		}
	}
	return false;
}

/* Find the macro called NAME; false when there is none. */
static bool find_macro(struct lex_macros *m, const char *name, size_t len, struct macro *out)
{
	unsigned long n;

	memset(out, 0, sizeof(*out));
	if (!len)
		return false;
	if (!isdigit((unsigned char)*name))
		return named(m, name, len, &out->value);
	if (len > 9)
		return false;
	n = strtoul(name, NULL, 10); /* stops at the first non-digit */
	if (n == 0) {
		out->text = m->name0 ? m->name0 : "";
		return true;
	}
	if (n == (unsigned long)m->argc)
		m->last_used = true;
	if (n <= (unsigned long)m->argc) {
		out->text = m->argv[n - 1];
		return true;
	}
	out->missing = m->defaultargs;
	return m->defaultargs;
}

static const char *name_end(const char *p, const char *end)
{
	if (p < end && isdigit((unsigned char)*p)) {
		while (p < end && isdigit((unsigned char)*p))
			p++;
		return p;
	}
	while (p < end && (isalnum((unsigned char)*p) || *p == '_'))
		p++;
	return p;
}

static void undefined(struct lexer *lx, const char *at, const char *name, size_t len)
{
	if (isdigit((unsigned char)*name))
		lex_error(lx, at, "D_MACRO_UNDEF", "macro argument $%.*s is not defined", (int)len,
			name);
	else
		lex_error(lx, at, "D_MACRO_UNDEF", "macro variable $%.*s is not defined", (int)len,
			name);
	if (!isdigit((unsigned char)*name))
		diag_hint(lx->diags, "a variable of a clause is this->%.*s", (int)len, name);
}

static void as_string(struct lexer *lx, struct token *t, const char *s)
{
	t->kind = TOK_STRINGLIT;
	t->str = arena_strdup(lx->arena, s);
	t->str_len = (uint32_t)strlen(s);
}

static void as_integer(struct token *t, int64_t v)
{
	t->kind = TOK_INTEGER;
	t->value = (uint64_t)v;
	t->ikind = v == (int32_t)v ? INT_INT : INT_LONG;
}

static bool is_identifier(const char *s)
{
	if (!isalpha((unsigned char)*s) && *s != '_' && *s != '`')
		return false;
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && *s != '_' && *s != '`')
			return false;
	return true;
}

/* An operand as the token its text spells: integer, identifier or else a string. */
static bool as_operand(struct lexer *lx, struct token *t, const char *s)
{
	size_t len = strlen(s);
	int is_int = lex_integer_text(s, len, t);

	if (is_int == 0) {
		lex_error(lx, lx->p, "D_MACRO_OFLOW",
			"macro argument %s cannot be represented in any built-in integral type", s);
		return false;
	}
	if (is_int > 0) {
		t->kind = TOK_INTEGER;
	} else if (is_identifier(s)) {
		t->kind = TOK_IDENT;
		t->str = arena_strdup(lx->arena, s);
		t->str_len = (uint32_t)len;
	} else {
		if (len >= 2 && s[0] == '"' && s[len - 1] == '"') {
			s++;
			len -= 2;
		}
		t->kind = TOK_STRINGLIT;
		t->str = lex_unescape(lx->arena, s, len, &t->str_len);
	}
	return true;
}

bool lex_macro(struct lexer *lx, struct token *t)
{
	const char *at = lx->p;
	bool text = at + 1 < lx->end && at[1] == '$';
	const char *name = at + 1 + text, *end = name_end(name, lx->end);
	struct macro m;
	bool ok = true;

	if (end == name) {
		lex_error(lx, at, "D_SYNTAX", "syntax error near \"$\"");
		lx->p++;
		return false;
	}
	if (!find_macro(lx->macros, name, (size_t)(end - name), &m)) {
		undefined(lx, at, name, (size_t)(end - name));
		ok = false;
	} else if (m.missing) {
		if (text)
			as_string(lx, t, "");
		else
			as_integer(t, 0);
	} else if (!m.text) {
		if (text)
			as_string(lx, t, arena_printf(lx->arena, "%lld", (long long)m.value));
		else
			as_integer(t, m.value);
	} else if (text) {
		as_string(lx, t, m.text);
	} else {
		ok = as_operand(lx, t, m.text);
	}
	lx->p = end;
	return ok;
}

bool lex_expand_spec(struct lexer *lx, struct token *t, size_t len)
{
	const char *p = t->start, *end = t->start + len;
	char *out = arena_strdup(lx->arena, "");

	while (p < end) {
		const char *dollar = memchr(p, '$', (size_t)(end - p));
		const char *name, *stop;
		struct macro m;

		if (!dollar) {
			out = arena_printf(lx->arena, "%s%.*s", out, (int)(end - p), p);
			break;
		}
		name = dollar + 1 + (dollar + 1 < end && dollar[1] == '$');
		stop = name_end(name, end);
		if (stop == name || !find_macro(lx->macros, name, (size_t)(stop - name), &m)) {
			lex_error(lx, t->start, "D_PDESC_INVAL",
				"invalid probe description \"%.*s\": Undefined macro variable in probe description",
				(int)len, t->start);
			return false;
		}
		out = arena_printf(lx->arena, "%s%.*s", out, (int)(dollar - p), p);
		if (m.text)
			out = arena_printf(lx->arena, "%s%s", out, m.text);
		else if (!m.missing)
			out = arena_printf(lx->arena, "%s%lld", out, (long long)m.value);
		p = stop;
	}
	t->str = out;
	t->str_len = (uint32_t)strlen(out);
	return true;
}
