// SPDX-License-Identifier: Apache-2.0
/* Explains probes and their arguments. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "dtrace/data.h"
#include "help/help.h"
#include "probe/args.h"
#include "probe/probe.h"
#include "probe/provider.h"
#include "probe/registry.h"
#include "session/session.h"
#include "types/type.h"
#include "types/types.h"

#define MOST_PROBES 12 /* that are listed */
/* Providers with more probes are only searched if the description names them. */
#define FEW_SLOTS 4096

enum { PROV, MOD, FUNC, NAME, NPARTS };

struct found {
	struct dtrace *d;
	const struct probe *first[MOST_PROBES];
	unsigned n;
};

static void add(void *arg, const struct probe *p)
{
	struct found *f = arg;

	if (f->n < MOST_PROBES)
		f->first[f->n] = p;
	f->n++;
}

/* The parts of TEXT, the last one first; false: there are too many. */
static bool parse(struct arena *a, const char *text, struct probe_pattern *out)
{
	const char *parts[NPARTS] = {"", "", "", ""};
	const char *end = text + strlen(text);
	int i = NAME;

	for (;; i--) {
		const char *from = end;

		if (i < 0)
			return false;
		while (from > text && from[-1] != ':')
			from--;
		parts[i] = arena_strndup(a, from, (size_t)(end - from));
		if (from == text)
			break;
		end = from - 1;
	}
	*out = (struct probe_pattern){parts[PROV], parts[MOD], parts[FUNC], parts[NAME]};
	return true;
}

/* "openat" or "start": probes of providers with few probes whose function or name it is. */
static void find_by_word(struct dtrace *d, const char *word, struct found *f)
{
	const struct provider *p;

	for (unsigned i = 0; (p = registry_provider(d->compiling.registry, i)); i++) {
		const struct probe_pattern func = {p->name, "", word, ""};
		const struct probe_pattern name = {p->name, "", "", word};

		if (!p->max_slots || p->max_slots > FEW_SLOTS)
			continue;
		registry_match(d->compiling.registry, &func, add, f);
		registry_match(d->compiling.registry, &name, add, f);
	}
}

static bool find_probes(struct dtrace *d, const char *text, struct found *f)
{
	struct probe_pattern pat;

	f->d = d;
	if (strpbrk(text, " \t{/"))
		return false;
	if (!strchr(text, ':'))
		find_by_word(d, text, f);
	else if (parse(d->arena, text, &pat))
		registry_match(d->compiling.registry, &pat, add, f);
	return f->n > 0;
}

static const char *full_name(struct arena *a, const struct probe *p)
{
	return arena_printf(a, "%s:%s:%s:%s", p->prov, p->mod, p->func, p->name);
}

/* ---- a probe ---- */

/* ONE_OF_MANY: name P. */
static void write_arguments(
	struct dtrace *d, const struct probe *p, bool one_of_many, struct buf *out)
{
	struct dtrace_probe described;

	if (session_describe(d, p, true, &described))
		return;
	if (one_of_many && described.nargs)
		buf_printf(out, "    arguments of %s:\n", full_name(d->arena, p));
	for (unsigned i = 0; i < described.nargs; i++)
		buf_printf(out, "    args[%u]  %s\n", i, described.args[i]);
}

/* "pid$target::malloc:entry" and others that exist with their process: the row of their provider.
 */
static bool user_probe(const char *name, struct buf *out)
{
	size_t len = strcspn(name, "$*0123456789:");
	const struct help_row *row =
		len == 3 && !strncmp(name, "pid", 3) ? help_row_find(HELP_PROVIDER, "pid") : NULL;

	if (!row || !strchr(name, ':'))
		return false;
	buf_printf(out, "%s: probe of provider pid\n    %s\n", name, row->help);
	buf_puts(out, "    -c COMMAND or -p PID sets $target\n");
	help_example(out, row->example);
	return true;
}

/* "fbt::vfs_read:entry" where the kernel has no function tracing: why there is no such probe. */
static bool lacking_probe(struct dtrace *d, const char *name, struct buf *out)
{
	size_t len = strcspn(name, ":");
	const char *prov = arena_strndup(d->arena, name, len);
	const struct help_row *row = help_row_find(HELP_PROVIDER, prov);
	const struct probe_pattern pat = {prov, "", "", ""};
	const char *missing = row ? registry_missing(d->compiling.registry, &pat) : NULL;

	if (!missing || !name[len])
		return false;
	buf_printf(out, "%s: probe of provider %s\n    %s\n    no probes here: %s\n", name, prov,
		row->help, missing);
	help_example(out, row->example);
	return true;
}

static void write_parameter(uint32_t i, const struct type *type, const char *name, struct buf *out)
{
	char text[256];
	const char *end = type_name(type, text, sizeof(text)) + strlen(text);

	buf_printf(out, "    args[%u]  %s%s%s\n", i, text, name && end[-1] != '*' ? " " : "",
		name ? name : "");
}

/* A function of the kernel by its name alone: its prototype. */
static bool kernel_function(struct dtrace *d, const char *name, struct buf *out)
{
	const struct type *f = types_function(d->compiling.types, name);
	const struct type *params[PROBE_NARGS];
	const char *names[PROBE_NARGS];
	char text[256];
	uint32_t n;

	if (!f)
		return false;
	n = type_params(f, params, names, PROBE_NARGS);
	buf_printf(out,
		"%s: function of the kernel\n    fbt::%s:entry and fbt::%s:return are its probes\n",
		name, name, name);
	for (uint32_t i = 0; i < n && i < PROBE_NARGS; i++)
		write_parameter(i, params[i], names[i], out);
	buf_printf(out, "    returns   %s\n", type_name(f->ref, text, sizeof(text)));
	help_example(out, arena_printf(d->arena, "fbt::%s:entry { @[execname] = count(); }", name));
	return true;
}

bool help_probe(struct dtrace *d, const char *name, struct buf *out)
{
	struct found f = {0};
	const struct help_row *row;
	const char *desc;

	if (!find_probes(d, name, &f))
		return user_probe(name, out) || lacking_probe(d, name, out) ||
			kernel_function(d, name, out);
	desc = strchr(name, ':') ? name : full_name(d->arena, f.first[0]);
	row = help_row_find(HELP_PROVIDER, f.first[0]->provider->name);
	if (f.n == 1) {
		buf_printf(out, "%s: probe %u of provider %s\n", full_name(d->arena, f.first[0]),
			f.first[0]->id, f.first[0]->prov);
	} else {
		buf_printf(out, "%s: %u probes\n", name, f.n);
		for (unsigned i = 0; i < f.n && i < MOST_PROBES; i++)
			buf_printf(out, "    %s\n", full_name(d->arena, f.first[i]));
		if (f.n > MOST_PROBES)
			buf_printf(out, "    and %u more: dtrace -l -n '%s' lists them\n",
				f.n - MOST_PROBES, desc);
	}
	if (row)
		buf_printf(out, "    %s: %s\n", row->name, row->help);
	write_arguments(d, f.first[0], f.n > 1, out);
	help_example(out, arena_printf(d->arena, "%s { @[execname] = count(); }", desc));
	return true;
}

/* ---- an argument ---- */

/* The digit of "args[N]" or "argN"; -1: WORD is neither.  *TYPED: it is the first. */
static int argument_number(const char *word, bool *typed)
{
	int n = -1, end = 0;

	*typed = sscanf(word, "args[%1d]%n", &n, &end) == 1 && end && !word[end];
	if (*typed)
		return n;
	end = 0;
	return sscanf(word, "arg%1d%n", &n, &end) == 1 && end && !word[end] ? n : -1;
}

bool help_argument(struct dtrace *d, const char *name, struct buf *out)
{
	const char *blank = strrchr(name, ' ');
	struct dtrace_probe described;
	struct found f = {0};
	const char *desc, *example;
	bool typed;
	int n;

	if (!blank)
		return false;
	n = argument_number(blank + 1, &typed);
	desc = arena_strndup(d->arena, name, (size_t)(blank - name));
	if (n < 0 || !find_probes(d, desc, &f) || session_describe(d, f.first[0], true, &described))
		return false;
	if (!strchr(desc, ':'))
		desc = full_name(d->arena, f.first[0]);
	buf_printf(out, "%s of %s:", blank + 1, full_name(d->arena, f.first[0]));
	if (!typed)
		buf_puts(out, " int64_t, as the probe passes it\n");
	else if ((unsigned)n < described.nargs)
		buf_printf(out, " %s\n", described.args[n]);
	else
		buf_printf(out, " the probe has %u typed argument%s\n", described.nargs,
			described.nargs == 1 ? "" : "s");
	if (!typed && (unsigned)n < described.nargs)
		buf_printf(
			out, "    args[%d] is the same with its type, %s\n", n, described.args[n]);
	example = arena_printf(d->arena, "%s { trace(arg%d); }", desc, n);
	if (typed && (unsigned)n < described.nargs) {
		bool pointer = strchr(described.args[n], '*');

		example = arena_printf(d->arena, "%s { %s[%d]); }", desc,
			pointer ? "print(*args" : "trace(args", n);
		buf_putc(out, '\n');
		if (help_type(d, described.args[n], example, out))
			return true;
		out->len--;
	}
	help_example(out, example);
	return true;
}
