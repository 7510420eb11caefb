// SPDX-License-Identifier: Apache-2.0
/* Runs -h: writes the header for the probes that the programs' provider blocks declare. */
#include <dtrace/dtrace.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmdline.h"
#include "message.h"
#include "session.h"

/* True if TEXT is the name of a script; the header's name is made from it. */
static bool is_script_name(const char *text)
{
	const char *dot = strrchr(text, '.');

	return dot && !strcmp(dot, ".d");
}

int header_check(const struct session *s)
{
	if (s->output)
		return STATUS_OK;
	if (s->ncommands > 1)
		message_line("-h requires an output file if multiple scripts are specified");
	else if (!is_script_name(s->commands[0].text))
		message_line("-h requires an output file if no scripts are specified");
	else
		return STATUS_OK;
	return STATUS_USAGE;
}

/* Turns "dir/prov.d" into "prov.h".  The caller frees it; NULL = out of memory. */
static char *default_name(const char *script)
{
	const char *slash = strrchr(script, '/');
	char *name = strdup(slash ? slash + 1 : script);

	if (name)
		name[strlen(name) - 1] = 'h';
	return name;
}

static int write_header(struct session *s, const char *name, FILE *out)
{
	struct dtrace_prog **progs = calloc((size_t)s->ncommands, sizeof(struct dtrace_prog *));
	int err = progs ? 0 : -ENOMEM;

	for (int i = 0; i < s->ncommands && !err; i++)
		progs[i] = s->commands[i].prog;
	if (!err)
		err = dtrace_header_write(s->d, progs, (unsigned)s->ncommands, name, out);
	free(progs);
	if (!err)
		return STATUS_OK;
	message_failure(s->d, "failed to create header file '%s'", name);
	return STATUS_ERROR;
}

int header_make(struct session *s)
{
	char *made = s->output ? NULL : default_name(s->commands[0].text);
	const char *name = s->output ? s->output : made;
	int status = STATUS_ERROR, hold = name ? output_await(name) : -1;
	FILE *out = name ? fopen(name, "we") : NULL;

	output_awaited(hold);
	if (!out) {
		message_line(
			"failed to open header file '%s': %s", name ? name : "", strerror(errno));
	} else {
		status = write_header(s, name, out);
		if (fclose(out) && !status) {
			message_line(
				"failed to create header file '%s': %s", name, strerror(errno));
			status = STATUS_ERROR;
		}
	}
	free(made);
	return status;
}
