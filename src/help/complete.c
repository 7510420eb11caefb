// SPDX-License-Identifier: Apache-2.0
/* Completes D programs: finds the place of the cursor and what can stand there. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/report.h"
#include "base/safe.h"
#include "compile/compile.h"
#include "compile/compiling.h"
#include "compile/settings.h"
#include "help/complete_private.h"
#include "lang/lex.h"
#include "sema/sema.h"
#include "session/options.h"
#include "session/session.h"
#include "target/words.h"

/* Who wrote a program chose its names: a terminal could obey some, and no line may end in one. */
static bool is_plain(const char *text)
{
	return safe_is(text, strlen(text)) && !strpbrk(text, "\n\t");
}

static void keep(struct completing *k, const struct dtrace_completion *c)
{
	struct dtrace_completion plain = *c;

	if (k->found.len == COMPLETIONS_MOST || !is_plain(c->text))
		return;
	if (!is_plain(c->type))
		plain.type = "";
	vec_push(k->arena, &k->found, plain);
}

void complete_offer(struct completing *k, enum dtrace_completion_kind kind, const char *text,
	const char *type, const char *help)
{
	struct dtrace_completion c = {kind, text, k->start, type, help};

	if (!strncmp(text, k->prefix, strlen(k->prefix)))
		keep(k, &c);
}

void complete_offer_matched(
	struct completing *k, enum dtrace_completion_kind kind, const char *text, const char *type)
{
	struct dtrace_completion c = {kind, text, k->start, type, ""};

	keep(k, &c);
}

/* ---- #pragma D ---- */

static void offer_values(struct completing *k, enum option_id id)
{
	const struct option_info *o = options_info(id);
	char syntax[128], *save = NULL;
	const char *words;

	words = o->kind == OPTION_BOOL ? "on|off"
		: o->kind == OPTION_WORD || o->kind == OPTION_WORDS
		? options_syntax(id, syntax, sizeof(syntax))
		: "";
	for (char *w = strtok_r(arena_strdup(k->arena, words), "|,", &save); w;
		w = strtok_r(NULL, "|,", &save))
		complete_offer(k, DTRACE_COMPLETION_VALUE, w, "", "");
}

static void offer_options(struct completing *k)
{
	char syntax[128];

	for (int i = 0; i < OPTION_COUNT; i++) {
		const struct option_info *o = options_info((enum option_id)i);

		if (!o->needs)
			complete_offer(k, DTRACE_COMPLETION_OPTION,
				o->kind == OPTION_FLAG || o->kind == OPTION_BOOL
					? o->name
					: arena_printf(k->arena, "%s=", o->name),
				arena_strdup(k->arena,
					options_syntax((enum option_id)i, syntax, sizeof(syntax))),
				o->help);
	}
}

/* Skips blanks and then WORD at P, before END; NULL: something else is there. */
static const char *skip_word(const char *p, const char *word)
{
	size_t n = strlen(word);

	p += strspn(p, " \t");
	return !strncmp(p, word, n) && (p[n] == ' ' || p[n] == '\t') ? p + n : NULL;
}

/* Complete a control line, from its # at LINE on.  False: it is none. */
static bool complete_control(struct completing *k, const char *line, const char *whole)
{
	static const char *const words[] = {"attributes", "binding", "depends_on", "option"};
	const char *p = skip_word(line + 1, "pragma"), *rest, *value;
	int id;

	p = p ? skip_word(p, "D") : NULL;
	if (!p)
		return true;
	rest = skip_word(p, "option");
	p = rest ? rest : p;
	p += strspn(p, " \t");
	value = rest ? strchr(p, '=') : NULL;
	if (value) {
		id = options_find(arena_strndup(k->arena, p, (size_t)(value - p)));
		p = value + 1;
	}
	k->prefix = p;
	k->start = (unsigned)(p - whole);
	if (value && id >= 0)
		offer_values(k, (enum option_id)id);
	else if (rest && !value)
		offer_options(k);
	for (size_t i = 0; !rest && i < sizeof(words) / sizeof(words[0]); i++)
		complete_offer(k, DTRACE_COMPLETION_KEYWORD, words[i], "", "");
	return true;
}

/* Returns the # that begins the last line of TEXT; NULL: another character does. */
static const char *control_line(const char *text)
{
	const char *line = strrchr(text, '\n');

	line = line ? line + 1 : text;
	line += strspn(line, " \t");
	return *line == '#' ? line : NULL;
}

/* ---- programs ---- */

static bool is_type(void *arg, const char *name)
{
	return sema_is_type(arg, name);
}

static void complete_program(struct completing *k, const char *text, unsigned cursor)
{
	struct lex_hooks hooks = {.is_type = is_type, .arg = k->c->sema};
	struct lex_macros macros;

	hooks.pspec = k->c->set->pspec;
	compile_macros(k->c, "dtrace", &macros);
	k->place = place_find(k->arena, text, cursor, &macros, &hooks);
	k->prefix = arena_strndup(
		k->arena, k->place.word.len ? k->place.word.start : "", k->place.word.len);
	k->start = cursor - k->place.word.len;
	if (k->place.kind == PLACE_SPEC)
		complete_description(k);
	else if (k->place.kind == PLACE_EXPR)
		complete_expression(k);
}

static int by_text(const void *a, const void *b)
{
	const struct dtrace_completion *x = a, *y = b;

	return strcmp(x->text, y->text);
}

/* Members stay in the order of their struct. */
static void sort(struct completing *k)
{
	if (k->found.len && k->found.data[0].kind != DTRACE_COMPLETION_MEMBER)
		qsort(k->found.data, k->found.len, sizeof(*k->found.data), by_text);
}

/* struct compile_hooks' set_option: a pragma of an unfinished program sets nothing. */
static int ignore_option(
	void *arg, const char *name, const char *value, const char **text, const char **hint)
{
	return 0;
}

static int complete_in(struct completing *k, struct dtrace *d, const char *text, unsigned cursor)
{
	const char *before = arena_strndup(k->arena, text, cursor);
	const char *line = control_line(before);
	int err;

	err = compiling_prepare(k->c);
	if (!err)
		err = compile_libraries(k->c);
	if (err)
		return report_error(
			&d->report, err, "%s", arena_strdup(d->arena, k->c->report->error));
	if (line)
		complete_control(k, line, before);
	else
		complete_program(k, before, cursor);
	sort(k);
	return 0;
}

/* A compiler with the settings and targets of D, in arena A. */
static struct compiling make_compiler(
	struct dtrace *d, struct arena *a, struct report *report, struct compile_settings *set)
{
	struct compiling c = {.arena = a,
		.report = report,
		.set = set,
		.hooks = {ignore_option, NULL},
		.targets = d->targets,
		.argc = d->compiling.argc,
		.argv = d->compiling.argv};

	settings_for_program(d);
	*set = d->settings;
	set->defaultargs = set->language.argref = set->language.zdefs = true;
	set->language.allow_empty = true;
	set->explain = false;
	set->dump.ast = false;
	*report = (struct report){.arena = a, .error = "", .listing = d->report.listing};
	c.diags.arena = a;
	return c;
}

static int set_command(struct dtrace *d, const char *cmd)
{
	char unmatched, **words = words_split(cmd, &unmatched);

	if (!words)
		return unmatched ? -EINVAL : report_no_memory(&d->report);
	arena_own(d->arena, free, words);
	d->awaited = words[0] ? arena_strdup(d->arena, words[0]) : NULL;
	arena_release(d->arena, words);
	return d->awaited ? 0 : -EINVAL;
}

int dtrace_complete_command(struct dtrace *d, const char *cmd)
{
	return SESSION_TRY(d, set_command(d, cmd));
}

static void close_compiler(void *c)
{
	compiling_close(c);
}

static int complete(struct dtrace *d, const char *text, unsigned cursor,
	int (*visit)(void *arg, const struct dtrace_completion *c), void *arg)
{
	struct arena *a = arena_own_new(d->arena);
	size_t len = strlen(text);
	struct compile_settings set;
	struct report report;
	struct compiling c;
	struct completing k = {.arena = a, .c = &c, .program = d->awaited};
	int err;

	if (!a)
		return report_no_memory(&d->report);
	c = make_compiler(d, a, &report, &set);
	arena_own(a, close_compiler, &c);
	err = complete_in(&k, d, text, cursor < len ? cursor : (unsigned)len);
	for (uint32_t i = 0; !err && i < k.found.len; i++)
		err = visit(arg, &k.found.data[i]);
	arena_release(a, &c);
	arena_release(d->arena, a);
	return err;
}

int dtrace_complete(struct dtrace *d, const char *text, unsigned cursor,
	int (*visit)(void *arg, const struct dtrace_completion *c), void *arg)
{
	return SESSION_TRY(d, complete(d, text, cursor, visit, arg));
}
