// SPDX-License-Identifier: Apache-2.0
/* Reads "#pragma tool" lines. */
#include "lang/tool.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"

static const struct param_type types[] = {
#define PARAM(name, word, klass, help) [PARAM_KIND_##name] = {#name, word, help, PARAM_##klass},
#include "lang/param.def"
#undef PARAM
};

const struct param_type *tool_param_type(enum param_kind kind)
{
	return &types[kind];
}

static const char *skip_blanks(const char *p)
{
	return p + strspn(p, " \t\r");
}

/* Returns the word that *P begins with, and moves *P behind it. */
static const char *next_word(struct arena *a, const char **p)
{
	const char *start = skip_blanks(*p);
	size_t len = strcspn(start, " \t\r\"");

	*p = start + len;
	return arena_strndup(a, start, len);
}

/* Returns the text in quotes that is all of P; a quote in it is \".  NULL: it is not of that form.
 */
static const char *quoted(struct arena *a, const char *p)
{
	char *text, *to;

	p = skip_blanks(p);
	if (*p++ != '"')
		return NULL;
	text = to = arena_strdup(a, p);
	while (*p && *p != '"') {
		if (*p == '\\' && (p[1] == '"' || p[1] == '\\'))
			p++;
		*to++ = *p++;
	}
	*to = '\0';
	return *p == '"' && !*skip_blanks(p + 1) ? text : NULL;
}

/* -h and the options that each tool has; cmd/dtrace/tool.c takes them itself. */
static bool is_reserved(const char *name)
{
	static const char *const reserved[] = {
		"h", "help", "output", "top", "web", "fail-on-drops"};

	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		if (!strcmp(name, reserved[i]))
			return true;
	return false;
}

static bool is_option_name(const char *name)
{
	if (!isalnum((unsigned char)*name))
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && *name != '-')
			return false;
	return true;
}

static const char *param_line(struct arena *a, const char *p, struct script_param *param)
{
	const char *type;
	unsigned kind;

	param->name = next_word(a, &p);
	if (!is_option_name(param->name))
		return "malformed #pragma tool param <name> <type> \"<help>\": a name consists of letters, digits and hyphens";
	if (is_reserved(param->name))
		return arena_printf(
			a, "parameter '%s' is an option that each tool has", param->name);
	type = next_word(a, &p);
	for (kind = 0; kind < PARAM_KINDS && strcmp(types[kind].name, type) != 0; kind++)
		;
	if (kind == PARAM_KINDS) {
		const char *list = types[0].name;

		for (unsigned i = 1; i < PARAM_KINDS; i++)
			list = arena_printf(a, "%s, %s", list, types[i].name);
		return arena_printf(a, "unknown type '%s' of parameter '%s'; types are %s", type,
			param->name, list);
	}
	param->kind = (enum param_kind)kind;
	param->help = quoted(a, p);
	return param->help ? NULL : "malformed #pragma tool param <name> <type> \"<help>\"";
}

const char *tool_line(struct arena *a, const char *text, struct tool_line *line)
{
	const char *word = next_word(a, &text);

	*line = (struct tool_line){0};
	if (!strcmp(word, "usage")) {
		line->usage = quoted(a, text);
		return line->usage ? NULL : "malformed #pragma tool usage \"<name>: <text>\"";
	}
	if (strcmp(word, "param") != 0)
		return arena_printf(a, "invalid #pragma tool %s: usage and param are known", word);
	line->param = arena_new_obj(a, struct script_param);
	return param_line(a, text, line->param);
}

/* ---- before compiling ---- */

/* The text after WORD, which LINE begins with after blanks; NULL: it does not. */
static const char *after(const char *line, const char *word)
{
	size_t len = strlen(word);

	line = skip_blanks(line);
	if (strncmp(line, word, len) != 0 || isalnum((unsigned char)line[len]) || line[len] == '_')
		return NULL;
	return skip_blanks(line + len);
}

static const char *tool_text(const char *line)
{
	line = skip_blanks(line);
	line = *line == '#' ? after(line + 1, "pragma") : NULL;
	return line ? after(line, "tool") : NULL;
}

/* Takes type and default from LINE, "inline TYPE NAME = DEFAULT;", if it is one. */
static bool take_default(struct arena *a, const char *line, struct script_param *p)
{
	const char *rest = after(line, "inline"), *value, *end;

	value = rest ? strchr(rest, '=') : NULL;
	end = value ? strrchr(value, ';') : NULL;
	if (!end)
		return false;
	value = skip_blanks(value + 1);
	p->is_text = after(rest, "string") != NULL;
	while (end > value && isspace((unsigned char)end[-1]))
		end--;
	p->initial = arena_strndup(a, value, (size_t)(end - value));
	return true;
}

static bool is_taken(const struct tool *t, const char *name)
{
	for (uint32_t i = 0; i < t->params.len; i++)
		if (!strcmp(t->params.data[i].name, name))
			return true;
	return false;
}

void tool_scan(struct arena *a, const char *text, size_t len, struct tool *t)
{
	const char *end = text + len;
	struct script_param *open = NULL; /* its inline is expected */
	unsigned number = 0;

	*t = (struct tool){0};
	while (text < end && !t->error) {
		const char *nl = memchr(text, '\n', (size_t)(end - text));
		const char *line = arena_strndup(a, text, (size_t)((nl ? nl : end) - text));
		const char *pragma = tool_text(line);
		struct tool_line l;

		t->targets |= strstr(line, "$target") != NULL;
		text = nl ? nl + 1 : end;
		number++;
		if (open && take_default(a, line, open))
			open = NULL;
		if (!pragma)
			continue;
		t->error = tool_line(a, pragma, &l);
		if (!t->error && l.param && is_taken(t, l.param->name))
			t->error =
				arena_printf(a, "parameter '%s' is declared twice", l.param->name);
		if (t->error) {
			t->line = number;
		} else if (l.param) {
			vec_push(a, &t->params, *l.param);
			open = &t->params.data[t->params.len - 1];
		} else {
			t->usage = l.usage;
		}
	}
}
