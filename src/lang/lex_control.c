// SPDX-License-Identifier: Apache-2.0
/* Reads control lines: #!, # N "file", #line, #pragma, #ident, #error. */
#include "lang/lex_int.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "lang/lex.h"
#include "lang/source.h"

static const char *skip_space(const char *p)
{
	while (*p && isspace((unsigned char)*p))
		p++;
	return p;
}

/* Returns the next word of the line at *P, moved past it; its length in *LEN. */
static const char *word(const char **p, size_t *len)
{
	const char *w = skip_space(*p);

	*len = strcspn(w, " \t\v\f\r");
	*p = w + *len;
	return w;
}

static bool is_word(const char *w, size_t len, const char *text)
{
	return strlen(text) == len && !memcmp(w, text, len);
}

/* Returns the quote that closes the file name at Q; NULL when none does. */
static const char *closing_quote(const char *q)
{
	for (q++; *q && *q != '"'; q++)
		if (*q == '\\' && q[1])
			q++;
	return *q ? q : NULL;
}

/* [ "file" flags ], flags being numbers; the file name's quotes in *OPEN and *CLOSE. */
static bool file_part(const char *q, const char **open, const char **close)
{
	*open = *close = NULL;
	if (!*q)
		return true;
	if (*q != '"' || !closing_quote(q))
		return false;
	*open = q;
	*close = closing_quote(q);
	for (q = *close + 1; *q; q++)
		if (!isdigit((unsigned char)*q) && !isspace((unsigned char)*q))
			return false;
	return true;
}

/* Sets the next line's number, and perhaps the file's name, after "# N" or "#line N". */
static bool set_line(struct lexer *lx, struct loc loc, const char *p)
{
	struct source *src;
	char *end;
	unsigned long n;
	const char *open, *close;
	uint32_t len;

	p = skip_space(p);
	n = strtoul(p, &end, 10);
	if (!isdigit((unsigned char)*p) || (*end && !isspace((unsigned char)*end)) ||
		!file_part(skip_space(end), &open, &close)) {
		diag_add(lx->diags, "D_PRAGMA_MALFORM", loc, "malformed #line directive");
		return false;
	}
	src = arena_new_obj(lx->arena, struct source);
	*src = *lx->src;
	/* lx->line is the logical number of the line after the directive already */
	src->phys_line = lx->line - lx->src->first_line + lx->src->phys_line;
	src->first_line = (unsigned)n;
	if (open) {
		src->name = lex_unescape(lx->arena, open + 1, (size_t)(close - open - 1), &len);
		src->is_included = strcmp(src->name, "/dev/stdin") && strcmp(src->name, "<stdin>");
		if (!src->is_included) /* the preprocessor reads the script from a pipe */
			src->name = src->own;
	}
	lx->src = src;
	lx->line = (unsigned)n;
	return true;
}

static bool error_line(struct lexer *lx, struct loc loc, const char *text)
{
	diag_add(lx->diags, "D_PRAGERR", loc, "#error: %s", skip_space(text));
	return false;
}

uint32_t lex_pack(const struct lexer *lx)
{
	return lx->pack;
}

/* "pack(4)", "pack(push, 4)", "pack(pop)", "pack()" after #pragma: of what GNU C has */
static void pragma_pack(struct lexer *lx, const char *p)
{
	p = skip_space(p + strlen("pack"));
	if (*p++ != '(')
		return;
	p = skip_space(p);
	if (!strncmp(p, "pop", 3)) {
		lx->pack = lx->packs.len ? lx->packs.data[--lx->packs.len] : 0;
		return;
	}
	if (!strncmp(p, "push", 4)) {
		vec_push(lx->arena, &lx->packs, lx->pack);
		p += 4 + strcspn(p + 4, ",)");
		if (*p++ != ',')
			return;
		p = skip_space(p);
	}
	lx->pack = (uint32_t)strtoul(p, NULL, 10);
}

/* #error and #ident may be written as pragmas too, with or without D. */
static bool pragma(struct lexer *lx, struct loc loc, const char *p)
{
	size_t len;
	const char *w = word(&p, &len), *after = p;
	bool d = is_word(w, len, "D");

	if (d)
		w = word(&after, &len);
	if (is_word(w, len, "error"))
		return error_line(lx, loc, after);
	if (d && !is_word(w, len, "ident")) {
		const char *rest = skip_space(p);
		size_t n = strlen(rest);

		while (n && isspace((unsigned char)rest[n - 1]))
			n--;
		if (lx->hooks->pragma)
			lx->hooks->pragma(lx->hooks->arg, loc, arena_strndup(lx->arena, rest, n));
	}
	if (is_word(w, len, "tool") && lx->hooks->tool)
		lx->hooks->tool(lx->hooks->arg, loc, after);
	if (lx->c && !d && !strncmp(w, "pack", 4))
		pragma_pack(lx, w);
	return true; /* #pragma of somebody else, and #pragma ident */
}

static bool control(struct lexer *lx, struct loc loc, const char *text)
{
	const char *p = text + 1; /* after the # */
	const char *arg;
	size_t len;
	const char *w = word(&p, &len);

	if (!len || *w == '!' || is_word(w, len, "ident"))
		return true;
	arg = p;
	if (isdigit((unsigned char)*w))
		return set_line(lx, loc, w);
	if (is_word(w, len, "line"))
		return set_line(lx, loc, arg);
	if (is_word(w, len, "pragma"))
		return pragma(lx, loc, arg);
	if (is_word(w, len, "error"))
		return error_line(lx, loc, arg);
	diag_add(
		lx->diags, "D_PRAGCTL_INVAL", loc, "invalid control directive: #%.*s", (int)len, w);
	return false;
}

/* Cuts the comment that ends TEXT, a line: two slashes after a blank, not in a string. */
static void cut_comment(char *text)
{
	bool quoted = false;

	for (char *p = text + 1; *p; p++) {
		if (*p == '\\' && quoted && p[1])
			p++;
		else if (*p == '"')
			quoted = !quoted;
		else if (!quoted && *p == '/' && p[1] == '/' && isspace((unsigned char)p[-1]))
			*p-- = '\0';
	}
}

bool lex_control_line(struct lexer *lx)
{
	const char *start = lx->p;
	const char *nl = memchr(start, '\n', (size_t)(lx->end - start));
	struct loc loc = lex_loc(lx, start);
	char *text = arena_strndup(lx->arena, start, (size_t)((nl ? nl : lx->end) - start));

	cut_comment(text);
	lx->p = nl ? nl : lx->end;
	if (nl)
		lex_newline(lx);
	if (!lx->hooks) /* looking ahead only */
		return true;
	if (!nl && *skip_space(start + 1) != '!') {
		diag_add(lx->diags, "D_SYNTAX", loc,
			"end-of-file encountered before end of control line");
		return false;
	}
	return control(lx, loc, text);
}
