// SPDX-License-Identifier: Apache-2.0
/* Prints --doctor as a table for people or as one JSON document (docs/json.md). */
#include <dtrace/dtrace.h>
#include <errno.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cmdline.h"
#include "message.h"
#include "session.h"

#define SCHEMA 1

struct examination {
	FILE *out;
	bool json;
	struct utsname kernel;
	long cpus;
	int section;	 /* the kind of the last row, -1 = none yet */
	bool impossible; /* this process lacks the privileges to trace */
};

static const char *const statuses[] = {
	[DTRACE_FINDING_OK] = "ok",
	[DTRACE_FINDING_DEGRADED] = "degraded",
	[DTRACE_FINDING_MISSING] = "missing",
};

/* ---- for people ---- */

static void show_heading(struct examination *x, enum dtrace_finding_kind kind)
{
	if (kind == DTRACE_FINDING_PROVIDER)
		fprintf(x->out,
			"kernel      %s %s %s\n"
			"cpus        %ld\n\n"
			"%-16s %8s  %-8s  %s\n",
			x->kernel.sysname, x->kernel.release, x->kernel.machine, x->cpus,
			"PROVIDER", "PROBES", "STATUS", "WHY");
	else if (kind == DTRACE_FINDING_FEATURE)
		fprintf(x->out, "\n%-25s  %-8s  %s\n", "FEATURE", "STATUS", "WHY");
}

static void show_text(struct examination *x, const struct dtrace_finding *f)
{
	const char *status = statuses[f->status];
	int width = *f->why ? 8 : 0; /* avoid trailing blanks */

	if (f->kind == DTRACE_FINDING_PRIVILEGES)
		fprintf(x->out, "%-10s  %s", f->name, status);
	else if (f->kind == DTRACE_FINDING_PROVIDER)
		fprintf(x->out, "%-16s %8u  %-*s", f->name, f->probes, width, status);
	else
		fprintf(x->out, "%-25s  %-*s", f->name, width, status);
	fprintf(x->out, "%s%s\n", *f->why ? "  " : "", f->why);
}

/* ---- for programs ---- */

/* Texts of the library are ASCII, but names on the machine may have any bytes: escape them. */
static void put_string(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < 0x20 || c >= 0x7f)
			fprintf(out, "\\u%04x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

static void put_member(FILE *out, const char *name, const char *value)
{
	fprintf(out, ",\"%s\":", name);
	put_string(out, value);
}

static void begin_json(struct examination *x, enum dtrace_finding_kind kind)
{
	if (kind == DTRACE_FINDING_PRIVILEGES) {
		fprintf(x->out, "{\"type\":\"doctor\",\"schema\":%d", SCHEMA);
		put_member(x->out, "version", dtrace_version());
		fputs(",\"kernel\":{\"name\":", x->out);
		put_string(x->out, x->kernel.sysname);
		put_member(x->out, "release", x->kernel.release);
		put_member(x->out, "machine", x->kernel.machine);
		fprintf(x->out, "},\"cpus\":%ld,\"privileges\":", x->cpus);
	} else {
		fprintf(x->out, "%s\n\"%s\":[\n", kind == DTRACE_FINDING_PROVIDER ? "," : "\n],",
			kind == DTRACE_FINDING_PROVIDER ? "providers" : "features");
	}
}

static void show_json(struct examination *x, const struct dtrace_finding *f)
{
	fputc('{', x->out);
	if (f->kind != DTRACE_FINDING_PRIVILEGES) {
		fputs("\"name\":", x->out);
		put_string(x->out, f->name);
		fputc(',', x->out);
	}
	fprintf(x->out, "\"status\":\"%s\"", statuses[f->status]);
	if (f->kind == DTRACE_FINDING_PROVIDER)
		fprintf(x->out, ",\"probes\":%u", f->probes);
	if (*f->why)
		put_member(x->out, "why", f->why);
	fputc('}', x->out);
}

/* ---- the command ---- */

static int show_finding(void *arg, const struct dtrace_finding *f)
{
	struct examination *x = arg;
	bool first = x->section != (int)f->kind;

	x->section = (int)f->kind;
	x->impossible |=
		f->kind == DTRACE_FINDING_PRIVILEGES && f->status == DTRACE_FINDING_MISSING;
	if (x->json) {
		if (first)
			begin_json(x, f->kind);
		else
			fputs(",\n", x->out);
		show_json(x, f);
	} else {
		if (first)
			show_heading(x, f->kind);
		show_text(x, f);
	}
	return 0;
}

/* Read --output, which can be text or json.  Returns an exit status. */
static int open_output(struct examination *x, const struct cmdline *cl)
{
	const char *arg = NULL;

	for (int i = 0; i < cl->nflags; i++) {
		if (cl->flags[i].letter != FLAG_OUTPUT)
			continue;
		if (arg) {
			message_line("--doctor takes only one --output");
			return STATUS_USAGE;
		}
		arg = cl->flags[i].arg;
	}
	if (!arg || !strcmp(arg, "text"))
		return STATUS_OK;
	if (strcmp(arg, "json")) {
		message_line(
			"--output=%s: --doctor writes only text or json, and only to stdout", arg);
		return STATUS_USAGE;
	}
	x->json = true;
	return STATUS_OK;
}

int doctor_run(struct dtrace *d, const struct cmdline *cl)
{
	struct examination x = {.out = stdout, .section = -1};
	int status = open_output(&x, cl);

	if (status)
		return status;
	uname(&x.kernel);
	x.cpus = sysconf(_SC_NPROCESSORS_ONLN);
	if (dtrace_doctor_each(d, show_finding, &x)) {
		message_line("%s", dtrace_session_error(d));
		return STATUS_ERROR;
	}
	if (x.json)
		fputs("\n]}\n", x.out);
	if (fflush(stdout) || ferror(stdout)) {
		message_line("failed to write to <stdout>: %s", strerror(errno ? errno : EIO));
		return STATUS_ERROR;
	}
	return x.impossible ? STATUS_ERROR : STATUS_OK;
}
