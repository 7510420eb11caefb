// SPDX-License-Identifier: Apache-2.0
/* Control lines: #!, # N "file", #line, #pragma, #ident, #error. */
#include "lang/lex_int.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_space(const char *p)
{
	while (*p && isspace((unsigned char)*p))
		p++;
	return p;
}

/* The next word of the line at *P, moved past it; its length in *LEN. */
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

/* After "# N" or "#line N": the next line's number, and perhaps the file's name. */
static bool set_line(struct lexer *lx, struct loc loc, const char *p)
{
	struct source *src;
	char *end;
	unsigned long n;
	const char *q;

	p = skip_space(p);
	n = strtoul(p, &end, 10);
	q = skip_space(end);
	if (end == p || (*q && *q != '"') || (*q == '"' && !strchr(q + 1, '"'))) {
		diag_add(lx->diags, "D_PRAGMA_MALFORM", loc, "malformed #line directive");
		return false;
	}
	src = arena_new_obj(lx->arena, struct source);
	*src = *lx->src;
	/* lx->line is the logical number of the line after the directive already */
	src->phys_line = lx->line - lx->src->first_line + lx->src->phys_line;
	src->first_line = (unsigned)n;
	if (*q == '"') {
		const char *close = strchr(q + 1, '"');

		src->name = arena_strndup(lx->arena, q + 1, (size_t)(close - q - 1));
		src->is_included = strcmp(src->name, "/dev/stdin") && strcmp(src->name, "<stdin>");
	}
	lx->src = src;
	lx->line = (unsigned)n;
	return true;
}

static bool pragma(struct lexer *lx, struct loc loc, const char *p)
{
	size_t len;
	const char *w = word(&p, &len);

	if (is_word(w, len, "D")) {
		const char *rest = skip_space(p);
		size_t n = strlen(rest);

		while (n && isspace((unsigned char)rest[n - 1]))
			n--;
		if (lx->hooks->pragma)
			lx->hooks->pragma(lx->hooks->arg, loc, arena_strndup(lx->arena, rest, n));
		return true;
	}
	if (is_word(w, len, "error")) {
		diag_add(lx->diags, "D_PRAGERR", loc, "#error: %s", skip_space(p));
		return false;
	}
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
	if (is_word(w, len, "error")) {
		diag_add(lx->diags, "D_PRAGERR", loc, "#error: %s", skip_space(arg));
		return false;
	}
	diag_add(
		lx->diags, "D_PRAGCTL_INVAL", loc, "invalid control directive: #%.*s", (int)len, w);
	return false;
}

bool lex_control_line(struct lexer *lx)
{
	const char *start = lx->p;
	const char *nl = memchr(start, '\n', (size_t)(lx->end - start));
	struct loc loc = lex_loc(lx, start);
	const char *text;

	if (!nl && start[1] != '!' && lx->src->is_file && lx->hooks) {
		/* a # line must end in a newline; a command-line program's need not */
		nl = lx->end;
	}
	text = arena_strndup(lx->arena, start, (size_t)((nl ? nl : lx->end) - start));
	lx->p = nl ? nl : lx->end;
	if (lx->p < lx->end)
		lex_newline(lx);
	if (!lx->hooks) /* looking ahead only */
		return true;
	return control(lx, loc, text);
}
