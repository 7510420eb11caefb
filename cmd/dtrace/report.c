// SPDX-License-Identifier: Apache-2.0
/* Prints the stability and argument reports of -v. */
#include <dtrace/data.h>
#include <dtrace/dtrace.h>
#include <string.h>
#include <unistd.h>

#include "session.h"

static void print_attributes(FILE *out, const char *title, const struct dtrace_attributes *a)
{
	fprintf(out, "\n\t%s\n", title);
	fprintf(out, "\t\tIdentifier Names: %s\n", a->name);
	fprintf(out, "\t\tData Semantics:   %s\n", a->data);
	fprintf(out, "\t\tDependency Class: %s\n", a->klass);
}

#define MEMBERS_SHOWN 32 /* of an argument, at most */

static void print_names(FILE *out, const struct dtrace_probe *p)
{
	bool any = false;

	for (unsigned i = 0; i < p->nargs; i++) {
		if (!p->arg_names[i])
			continue;
		if (!any)
			fprintf(out, "\n\tArgument Names\n");
		any = true;
		fprintf(out, "\t\targs[%u]: %s\n", i, p->arg_names[i]);
	}
}

static bool same_type(const struct dtrace_probe *p, unsigned i, unsigned k)
{
	return p->args[i] && p->args[k] && !strcmp(p->args[i], p->args[k]);
}

/* "Members of args[1], args[2]": of I, and those after it of the same type. */
static void print_members_title(FILE *out, const struct dtrace_probe *p, unsigned i)
{
	fprintf(out, "\n\tMembers of args[%u]", i);
	for (unsigned k = i + 1; k < p->nargs; k++)
		if (same_type(p, i, k))
			fprintf(out, ", args[%u]", k);
	fputc('\n', out);
}

static void print_members(FILE *out, const struct dtrace_probe *p)
{
	for (unsigned i = 0; i < p->nargs; i++) {
		unsigned first = 0;

		while (first < i && !same_type(p, first, i))
			first++;
		if (first < i || !p->nmembers[i])
			continue;
		print_members_title(out, p, i);
		for (unsigned k = 0; k < p->nmembers[i] && k < MEMBERS_SHOWN; k++)
			fprintf(out, "\t\t%s: %s\n", p->members[i][k].name, p->members[i][k].type);
		if (p->nmembers[i] > MEMBERS_SHOWN)
			fprintf(out, "\t\tand %u more\n", p->nmembers[i] - MEMBERS_SHOWN);
	}
}

static void print_source(FILE *out, const struct dtrace_probe *p)
{
	fprintf(out, "\n\tSource\n\t\t%s", p->file);
	if (p->line)
		fprintf(out, ":%u", p->line);
	fputc('\n', out);
}

/* A person at a terminal wants to know what scripts that read DTrace's report do not expect. */
static bool wants_details(const struct session *s)
{
	return s->details || isatty(fileno(s->out));
}

void report_probe(struct session *s, const struct dtrace_probe *p)
{
	FILE *out = s->out;

	print_attributes(out, "Probe Description Attributes", &p->attr_probe);
	print_attributes(out, "Argument Attributes", &p->attr_args);
	fprintf(out, "\n\tArgument Types\n");
	for (unsigned i = 0; i < p->nargs; i++)
		fprintf(out, "\t\targs[%u]: %s\n", i, p->args[i] ? p->args[i] : "(unknown)");
	if (!p->nargs)
		fprintf(out, "\t\tNone\n");
	if (wants_details(s)) {
		print_names(out, p);
		print_members(out, p);
		if (p->file)
			print_source(out, p);
		if (p->cost)
			fprintf(out, "\n\tCost\n\t\t%s\n", p->cost);
	}
	fputc('\n', out);
}

/* ---- the common attributes of a description's probes ---- */

/* Returns the lower of two words of SCALE, which begins with the lowest; A if both are unknown. */
static const char *lower(const char *const *scale, const char *a, const char *b)
{
	for (; *scale; scale++)
		if (!strcmp(*scale, a) || !strcmp(*scale, b))
			return *scale;
	return a;
}

static void lower_attributes(struct dtrace_attributes *a, const struct dtrace_attributes *b)
{
	static const char *const stabilities[] = {"Internal", "Private", "Obsolete", "External",
		"Unstable", "Evolving", "Stable", "Standard", NULL};
	static const char *const classes[] = {
		"Unknown", "CPU", "Platform", "Group", "ISA", "Common", NULL};

	a->name = lower(stabilities, a->name, b->name);
	a->data = lower(stabilities, a->data, b->data);
	a->klass = lower(classes, a->klass, b->klass);
}

static bool same_arguments(const struct dtrace_probe *a, const struct dtrace_probe *b)
{
	if (a->nargs != b->nargs)
		return false;
	for (unsigned i = 0; i < a->nargs; i++)
		if (!a->args[i] != !b->args[i] || (a->args[i] && strcmp(a->args[i], b->args[i])))
			return false;
	return true;
}

struct common {
	struct session *s;
	unsigned nprobes;
	struct dtrace_probe probe; /* a probe with the attributes and arguments common to all */
};

static void finish_description(struct common *c)
{
	if (c->nprobes)
		report_probe(c->s, &c->probe);
	c->nprobes = 0;
}

static void visit_description(void *arg, const char *desc, unsigned nprobes, const char *missing)
{
	struct common *c = arg;

	(void)nprobes;
	(void)missing;
	finish_description(c);
	fprintf(c->s->out, "\n%s\n", desc);
}

static int visit_probe(void *arg, const struct dtrace_probe *p)
{
	struct common *c = arg;

	if (!c->nprobes++) {
		c->probe = *p;
		return 0;
	}
	lower_attributes(&c->probe.attr_probe, &p->attr_probe);
	lower_attributes(&c->probe.attr_args, &p->attr_args);
	if (!same_arguments(&c->probe, p))
		c->probe.nargs = 0;
	for (unsigned i = 0; i < c->probe.nargs; i++)
		if (!p->arg_names[i] || !c->probe.arg_names[i] ||
			strcmp(c->probe.arg_names[i], p->arg_names[i]) != 0)
			c->probe.arg_names[i] = NULL;
	return 0;
}

static void report_descriptions(struct session *s, const struct command *c)
{
	struct common common = {.s = s};
	struct dtrace_prog_visitor v = {visit_description, visit_probe, &common};

	dtrace_prog_probe_each(s->d, c->prog, true, &v);
	finish_description(&common);
}

/* ---- expensive probes ---- */

#define SHOWN 20 /* at most */

struct costly {
	FILE *out;
	unsigned n;
};

static void no_description(void *arg, const char *desc, unsigned nprobes, const char *missing)
{
	(void)arg;
	(void)desc;
	(void)nprobes;
	(void)missing;
}

static int visit_costly(void *arg, const struct dtrace_probe *p)
{
	struct costly *c = arg;

	if (p->cost && c->n++ < SHOWN)
		fprintf(c->out, "\t%s:%s:%s:%s: %s\n", p->provider, p->module, p->function, p->name,
			p->cost);
	return 0;
}

static void report_costs(struct session *s, const struct command *c)
{
	struct costly costly = {.out = s->out};
	struct dtrace_prog_visitor v = {no_description, visit_costly, &costly};

	dtrace_prog_probe_each(s->d, c->prog, false, &v);
	if (costly.n > SHOWN)
		fprintf(s->out, "\tand %u more like these\n", costly.n - SHOWN);
}

/* ---- clauses that were not checked ---- */

static void report_unchecked(struct session *s, const struct command *c)
{
	const char *desc;

	for (unsigned i = 0; (desc = dtrace_prog_unchecked(c->prog, i)); i++)
		fprintf(s->out, "\t%s: no probe matches, the actions are not checked\n", desc);
}

/* ---- files that are attached for all processes ---- */

static void report_shared(struct session *s, const struct command *c)
{
	unsigned processes;
	const char *path;

	for (unsigned i = 0; (path = dtrace_prog_shared(s->d, c->prog, i, &processes)); i++)
		fprintf(s->out, "\t%s: attached in all processes; %u map%s it now\n", path,
			processes, processes == 1 ? "s" : "");
}

void report_program(struct session *s, const struct command *c)
{
	struct dtrace_attributes descriptions, statements;

	dtrace_prog_attributes(c->prog, &descriptions, &statements);
	fprintf(s->out, "\nStability attributes for %s %.*s:\n",
		c->letter == 's' ? "script" : "description", c->name_len, c->text);
	print_attributes(s->out, "Minimum Probe Description Attributes", &descriptions);
	print_attributes(s->out, "Minimum Statement Attributes", &statements);
	if (s->compile_only)
		report_descriptions(s, c);
	else
		fputc('\n', s->out);
	report_costs(s, c);
	report_unchecked(s, c);
	report_shared(s, c);
}
