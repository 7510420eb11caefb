// SPDX-License-Identifier: Apache-2.0
/* Runs -G: patches the objects that the operands name and writes the one that goes with them. */
#define _GNU_SOURCE /* asprintf() */
#include <dtrace/dtrace.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmdline.h"
#include "message.h"
#include "session.h"

/* Returns the class of an ELF file; 0 = it is not one or is unreadable, which linking reports. */
static int class_of(const char *path)
{
	unsigned char ident[EI_NIDENT];
	FILE *f = input_look(path);
	int class = 0;

	if (f && fread(ident, sizeof(ident), 1, f) == 1 && !memcmp(ident, ELFMAG, SELFMAG))
		class = ident[EI_CLASS];
	if (f)
		fclose(f);
	return class;
}

int link_check(const struct cmdline *cl)
{
	int all = 0;
	bool small;

	for (int i = 0; i < cl->nflags; i++)
		if (cl->flags[i].letter == '6' || cl->flags[i].letter == '3')
			all = cl->flags[i].letter == '6' ? ELFCLASS64 : ELFCLASS32;
	small = all == ELFCLASS32;
	for (int i = 0; i < cl->noperands; i++) {
		int class = class_of(cl->operands[i]);

		if (class && all && class != all) {
			message_line("can't mix 32-bit and 64-bit object files");
			return STATUS_ERROR;
		}
		all = all ? all : class;
	}
	if (!small)
		return STATUS_OK;
	message_line("cannot make 32-bit object files: only 64-bit programs can be traced by USDT");
	return STATUS_ERROR;
}

/* Turns "dir/prov.d" into "prov.o".  Other commands give d.out, or d.out.N if there are several. */
static char *default_name(const struct session *s, int i)
{
	const char *text = s->commands[i].text, *slash = strrchr(text, '/');
	const char *base = slash ? slash + 1 : text, *dot = strrchr(base, '.');
	char *name = NULL;

	if (s->commands[i].letter == 's' && dot && !strcmp(dot, ".d")) {
		name = strdup(base);
		if (name)
			name[strlen(name) - 1] = 'o';
	} else if (s->ncommands > 1) {
		if (asprintf(&name, "d.out.%d", i) < 0)
			name = NULL;
	} else {
		name = strdup("d.out");
	}
	return name;
}

static int failed(struct session *s, const struct command *c)
{
	message_failure(s->d, "failed to link %s %.*s", c->letter == 's' ? "script" : "description",
		c->name_len, c->text);
	return STATUS_ERROR;
}

static int link_one(struct session *s, int i, const struct cmdline *cl)
{
	char *name = default_name(s, i);
	int err = -ENOMEM;

	if (name)
		err = dtrace_objects_link(
			s->d, &s->commands[i].prog, 1, name, cl->operands, (unsigned)cl->noperands);
	free(name);
	return err ? failed(s, &s->commands[i]) : STATUS_OK;
}

/* Links all operands; with -o all go into one file. */
static int link_all(struct session *s, const struct cmdline *cl)
{
	struct dtrace_prog **progs = calloc((size_t)s->ncommands, sizeof(struct dtrace_prog *));
	int err = -ENOMEM;

	for (int i = 0; progs && i < s->ncommands; i++)
		progs[i] = s->commands[i].prog;
	if (progs)
		err = dtrace_objects_link(s->d, progs, (unsigned)s->ncommands, s->output,
			cl->operands, (unsigned)cl->noperands);
	free(progs);
	return err ? failed(s, &s->commands[0]) : STATUS_OK;
}

int link_make(struct session *s, const struct cmdline *cl)
{
	int status = STATUS_OK;

	if (s->output)
		return link_all(s, cl);
	for (int i = 0; i < s->ncommands && !status; i++)
		status = link_one(s, i, cl);
	return status;
}
