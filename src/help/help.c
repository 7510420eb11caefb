// SPDX-License-Identifier: Apache-2.0
/* Explains a name: asks each table for it, and suggests another if none has it. */
#include "help/help.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/report.h"
#include "base/suggest.h"
#include "compile/compile.h"
#include "dtrace/dtrace.h"
#include "probe/provider.h"
#include "probe/registry.h"
#include "prov/prov.h"
#include "sema/foreign.h"
#include "sema/names.h"
#include "session/options.h"
#include "session/session.h"

/* ---- help.def ---- */

static const struct help_row rows[] = {
#define HELP_BUILTIN(name, example)	   {HELP_BUILTIN, #name, NULL, example},
#define HELP_FUNCTION(name, example)	   {HELP_FUNCTION, #name, NULL, example},
#define HELP_PROVIDER(name, help, example) {HELP_PROVIDER, #name, help, example},
#define HELP_WORD(spelling, help, example) {HELP_WORD, spelling, help, example},
#define HELP_LIBRARY(name, help, example)  {HELP_LIBRARY, #name, help, example},
#include "help/help.def"
};

const struct help_row *help_row_at(unsigned i)
{
	return i < sizeof(rows) / sizeof(rows[0]) ? &rows[i] : NULL;
}

const struct help_row *help_row_find(enum help_kind kind, const char *name)
{
	const struct help_row *r;

	for (unsigned i = 0; (r = help_row_at(i)); i++)
		if (r->kind == kind && !strcmp(r->name, name))
			return r;
	return NULL;
}

void help_example(struct buf *out, const char *example)
{
	buf_puts(out, "\nExample:\n");
	while (*example) {
		size_t len = strcspn(example, "\n");

		buf_printf(out, "    %.*s\n", (int)len, example);
		example += len + (example[len] == '\n');
	}
}

static void example_of(struct buf *out, enum help_kind kind, const char *name)
{
	const struct help_row *r = help_row_find(kind, name);

	if (r)
		help_example(out, r->example);
}

/* ---- tables ---- */

static void since(struct buf *out, uint32_t version)
{
	if (version)
		buf_printf(out, "    since D %u.%u.%u\n", version >> 24, version >> 12 & 0xfff,
			version & 0xfff);
}

static bool help_builtin(struct dtrace *d, const char *name, struct buf *out)
{
	size_t len = strcspn(name, "[");
	const char *row = arena_strndup(d->arena, name, len);
	const struct builtin *b = builtin_find(row);

	if (!b || !b->type || (name[len] && strcmp(row, "args") && strcmp(row, "uregs")))
		return false;
	buf_printf(out, "%s: built-in variable%s%s\n    %s\n", b->name, *b->type ? " of type " : "",
		b->type, b->help);
	since(out, b->since);
	example_of(out, HELP_BUILTIN, b->name);
	return true;
}

static const char *class_text(enum func_class klass)
{
	static const char *const texts[] = {
		[CLASS_SUBR] = "function",
		[CLASS_ACTION] = "action",
		[CLASS_SPEC] = "action",
		[CLASS_SYMBOL] = "action, or key of an aggregation",
		[CLASS_AGG] = "aggregating function",
	};

	return texts[klass];
}

/* "string, [int]" as people read it: "any" for "@", "@name" for "agg". */
static void parameters(struct buf *out, const char *params)
{
	while (*params) {
		size_t len = strcspn(params, "@ ,[]");

		if (*params == '@')
			buf_puts(out, "any");
		else if (!len)
			buf_putc(out, *params);
		else if (len == 3 && !strncmp(params, "agg", 3))
			buf_puts(out, "@name");
		else
			buf_put(out, params, len);
		params += len ? len : 1;
	}
}

static bool help_function(const char *name, struct buf *out)
{
	const struct function *f = function_find(name);

	if (!f || f->klass == CLASS_LATER)
		return false;
	if (f->klass == CLASS_SUBR)
		buf_printf(out, "%s ", f->result);
	buf_printf(out, "%s(", f->name);
	parameters(out, f->params);
	buf_printf(out, "): %s\n    %s\n", class_text(f->klass), f->help);
	if (f->destructive)
		buf_puts(out, "    destructive: needs -w\n");
	if (f->nullable)
		buf_puts(out, "    can return NULL\n");
	if (f->extension)
		buf_puts(out, "    not in every DTrace\n");
	since(out, f->since);
	example_of(out, HELP_FUNCTION, f->name);
	return true;
}

/* A value that option ID takes, for its example; NULL: it is given without one. */
static const char *option_value(const struct option_info *o, enum option_id id, char *buf, size_t n)
{
	switch (o->kind) {
	case OPTION_FLAG:
	case OPTION_BOOL:
		return NULL;
	case OPTION_WORD:
	case OPTION_WORDS:
		snprintf(buf, n, "%.*s", (int)strcspn(o->text, " "), o->text);
		return buf;
	case OPTION_SIZE:
		return id == OPT_strsize ? "512" : "16m";
	case OPTION_RATE:
		return id == OPT_interval || id == OPT_sendrate ? "10s" : "100ms";
	case OPTION_NUMBER:
		return id == OPT_pidns ? "1" : id == OPT_tree ? "1" : "2";
	case OPTION_PERCENT:
		return "5%";
	case OPTION_VERSION:
		return "1.6";
	case OPTION_ATTRIBUTES:
		return "Evolving/Evolving/Common";
	case OPTION_TEXT:
		return o->text		    ? o->text
			: id == OPT_cgroup  ? "system.slice"
			: id == OPT_program ? "web"
					    : "/tmp/file";
	case OPTION_LIST:
		return id == OPT_setenv			      ? "LANG=C"
			: id == OPT_unsetenv		      ? "LANG"
			: id == OPT_define || id == OPT_undef ? "DEBUG"
			: id == OPT_cppargs		      ? "-DDEBUG"
							      : "/tmp";
	}
	return NULL;
}

static bool help_option(const char *name, struct buf *out)
{
	int id = options_find(name);
	const struct option_info *o;
	char syntax[256], value[64];
	const char *with;

	if (id < 0)
		return false;
	o = options_info(id);
	with = option_value(o, id, value, sizeof(value));
	buf_printf(out, "%s: option, %s\n    %s\n", o->name,
		options_syntax(id, syntax, sizeof(syntax)), o->help);
	if (o->needs) {
		buf_printf(out, "    not supported: %s\n", o->needs);
		return true;
	}
	if (o->dynamic)
		buf_puts(out, "    setopt() can change it while tracing\n");
	buf_printf(out, "\nExample:\n    dtrace -x %s%s%s -n 'BEGIN { exit(0); }'\n", o->name,
		with ? "=" : "", with ? with : "");
	if (!o->nopragma)
		buf_printf(out, "    #pragma D option %s%s%s\n", o->name, with ? "=" : "",
			with ? with : "");
	return true;
}

static bool help_word(const char *name, struct buf *out)
{
	const struct help_row *r = help_row_find(HELP_WORD, name);

	if (!r)
		return false;
	buf_printf(out, "%s: %s\n    %s\n", name,
		isalpha((unsigned char)*name) ? "word of the language" : "operator or syntax",
		r->help);
	help_example(out, r->example);
	return true;
}

static bool help_provider(struct dtrace *d, const char *name, struct buf *out)
{
	const struct help_row *r = help_row_find(HELP_PROVIDER, name);
	const struct provider *p = NULL;
	const char *missing;

	for (unsigned i = 0; providers_all[i] && !p; i++)
		if (!strcmp(providers_all[i]->name, name))
			p = providers_all[i];
	if (!r || !p)
		return false;
	missing = provider_diagnose(p, registry_env(d->compiling.registry), NULL).missing;
	buf_printf(out, "%s: provider\n    %s\n", name, r->help);
	if (missing)
		buf_printf(out, "    no probes here: %s\n", missing);
	if (!p->user)
		buf_printf(out, "    dtrace -l -P %s lists its probes\n", name);
	else
		buf_printf(out, "    dtrace -l -P '%s' -p PID lists the probes of a process\n",
			p == &provider_pid ? "pid$target" : "*");
	help_example(out, r->example);
	return true;
}

/* ---- names that do not exist ---- */

static void offer_option(void *arg, const char *name, const char *kind, const char *help)
{
	(void)kind;
	(void)help;
	suggest_offer(arg, name);
}

/* What D has in place of a name of another tracer, or the nearest name; NULL: neither. */
static const char *nearest(struct dtrace *d, const char *name)
{
	const char *ours = foreign_function(name);
	struct suggest near;

	if (!ours)
		ours = foreign_variable(name);
	if (!ours)
		ours = foreign_probe(d->arena, name);
	if (ours)
		return arena_printf(d->arena, "use %s", ours);
	suggest_begin(&near, name);
	for (unsigned i = 0; help_row_at(i); i++)
		suggest_offer(&near, help_row_at(i)->name);
	dtrace_option_each(offer_option, &near);
	return suggest_best(&near)
		? arena_printf(d->arena, "did you mean '%s'?", suggest_best(&near))
		: NULL;
}

/* ---- the interface ---- */

/* NAME without the blanks around it and without the parentheses of "count()". */
static const char *plain_name(struct dtrace *d, const char *name)
{
	size_t len;

	name += strspn(name, " \t\n");
	len = strlen(name);
	while (len && isspace((unsigned char)name[len - 1]))
		len--;
	if (len > 2 && !strncmp(name + len - 2, "()", 2))
		len -= 2;
	if (len > 3 && !strncmp(name, "-x ", 3)) {
		name += 3;
		len -= 3;
	}
	return arena_strndup(d->arena, name, len);
}

/* Begin another section if there is one already. */
static void separate(struct buf *out, size_t *from)
{
	if (out->len != *from) {
		buf_putc(out, '\n');
		*from = out->len;
	}
}

static void explain(struct dtrace *d, const char *name, struct buf *out)
{
	size_t from = 0;

	if (help_argument(d, name, out))
		return;
	help_builtin(d, name, out);
	separate(out, &from);
	help_function(name, out);
	separate(out, &from);
	help_word(name, out);
	separate(out, &from);
	help_provider(d, name, out);
	separate(out, &from);
	if (!help_library(d, name, out))
		help_type(d, name, NULL, out);
	separate(out, &from);
	help_option(name, out);
	separate(out, &from);
	/* a probe's name may be like any other: "read", "start" */
	if (!out->len || strchr(name, ':'))
		help_probe(d, name, out);
	if (out->len && out->len == from)
		out->len--; /* of a section that is not there */
}

static const char *help(struct dtrace *d, const char *name)
{
	struct buf out = {0};
	const char *text = NULL;

	compiling_begin(&d->compiling);
	settings_for_program(d);
	if (session_prepare(d))
		return NULL;
	buf_own(&out, d->arena);
	name = plain_name(d, name);
	if (*name) {
		compile_library_names(&d->compiling);
		explain(d, name, &out);
	}
	if (out.failed) {
		report_no_memory(&d->report);
	} else if (out.len) {
		text = arena_strndup(d->arena, out.data, out.len);
	} else {
		report_error(&d->report, -ENOENT, "no help for '%s'", name);
		d->report.hint = nearest(d, name);
	}
	arena_release(d->arena, &out);
	return text;
}

const char *dtrace_help(struct dtrace *d, const char *name)
{
	return SESSION_FIND(d, help(d, name));
}
