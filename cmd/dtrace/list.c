// SPDX-License-Identifier: Apache-2.0
/* Runs -l: lists probes. */
#include <dtrace/dtrace.h>

#include "cmdline.h"
#include "message.h"
#include "session.h"

static int visit_probe(void *arg, const struct dtrace_probe *p)
{
	struct session *s = arg;

	/* a file without a line tells functions of one name apart */
	bool apart = p->file && !p->line;

	fprintf(s->out, "%5u %10s %17s %33s %s%s%s%s\n", p->id, p->provider, p->module, p->function,
		p->name, apart ? " (" : "", apart ? p->file : "", apart ? ")" : "");
	if (s->verbose)
		report_probe(s, p);
	return 0;
}

static void visit_description(void *arg, const char *desc, unsigned nprobes, const char *missing)
{
	struct session *s = arg;

	if (nprobes)
		return;
	fflush(s->out);
	message_line(
		"failed to match %s: %s", desc, missing ? missing : "No probe matches description");
	message_hint(s->d);
}

int list_probes(struct session *s)
{
	struct dtrace_prog_visitor v = {visit_description, visit_probe, s};
	int err = 0;

	fprintf(s->out, "%5s %10s %17s %33s %s\n", "ID", "PROVIDER", "MODULE", "FUNCTION", "NAME");
	if (!s->ncommands)
		err = dtrace_probe_each(s->d, s->verbose, visit_probe, s);
	for (int i = 0; i < s->ncommands && !err; i++)
		err = dtrace_prog_probe_each(s->d, s->commands[i].prog, s->verbose, &v);
	if (err) {
		message_failure(s->d, "failed to list probes");
		return STATUS_ERROR;
	}
	return session_flush(s, 0);
}
