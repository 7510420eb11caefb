// SPDX-License-Identifier: Apache-2.0
/* Interprets control lines that begin with "#pragma D". */
#include "compile/private.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/suggest.h"
#include "compile/compiling.h"
#include "compile/settings.h"
#include "lang/parse.h"
#include "sema/sema.h"

/* Apply the new values to the rest of the program. */
static void apply_settings(struct compiling *c)
{
	c->macros->defaultargs = c->set->defaultargs;
	if (!c->parsing)
		return;
	c->parsing->no_extensions = c->set->language.no_extensions;
	c->parsing->hooks.pspec = c->set->pspec;
}

static void pragma_option(struct compiling *c, struct loc loc, const char *arg)
{
	char *name = arena_strdup(c->arena, arg), *value;
	const char *text = "", *hint = NULL;

	if (!*name) {
		diag_add(&c->diags, "D_PRAGMA_MALFORM", loc,
			"malformed #pragma option <option>=<val>");
		return;
	}
	if (strpbrk(name, " \t\"")) {
		diag_add(&c->diags, "D_PRAGMA_MALFORM", loc,
			"superfluous arguments specified for #pragma option");
		return;
	}
	value = strchr(name, '=');
	if (value)
		*value++ = '\0';
	if (!c->hooks.set_option(c->hooks.arg, name, value, &text, &hint)) {
		apply_settings(c);
		return;
	}
	if (value)
		diag_add(&c->diags, "D_PRAGMA_OPTSET", loc, "failed to set option '%s' to '%s': %s",
			name, value, text);
	else
		diag_add(&c->diags, "D_PRAGMA_OPTSET", loc, "failed to set option '%s': %s", name,
			text);
	if (hint)
		diag_hint(&c->diags, "%s", hint);
}

static void unknown_pragma(struct compiling *c, struct loc loc, const char *word)
{
	static const char *const known[] = {
		"option", "attributes", "binding", "depends_on", "error"};
	struct suggest s;

	diag_add(&c->diags, "D_PRAGMA_INVAL", loc, "invalid #pragma D %s", word);
	suggest_begin(&s, word);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		suggest_offer(&s, known[i]);
	if (suggest_best(&s))
		diag_hint(&c->diags, "did you mean %s?", suggest_best(&s));
}

void on_pragma(void *arg, struct loc loc, const char *text)
{
	struct compiling *c = arg;
	size_t len = strcspn(text, " \t");
	const char *word = arena_strndup(c->arena, text, len), *rest = text + len;

	while (isspace((unsigned char)*rest))
		rest++;
	if (!strcmp(word, "option"))
		pragma_option(c, loc, rest);
	else if (!strcmp(word, "attributes") || !strcmp(word, "binding"))
		sema_pragma(c->sema, loc, word, rest);
	else if (!strcmp(word, "depends_on"))
		library_depends(c, loc, rest);
	else
		unknown_pragma(c, loc, word);
}
