// SPDX-License-Identifier: Apache-2.0
/* Advises about command lines that do something else than they seem to. */
#include <dtrace/dtrace.h>
#include <string.h>
#include <unistd.h>

#include "cmdline.h"
#include "message.h"
#include "session.h"

void advise_no_program(struct session *s, const struct cmdline *cl)
{
	const char *word = cl->noperands ? cl->operands[0] : NULL;

	if (s->ncommands || !word)
		return;
	if (!access(word, R_OK))
		message_advice(s->d, "a script is given with -s: %s -s %s", message_name(), word);
	else
		message_advice(
			s->d, "a program is given with -n: %s -n '%s'", message_name(), word);
}

/* ---- -p and $target ---- */

#define MOST_TEXT (1 << 16) /* bytes of a script that are looked at */

/* Returns the text of C; that of a script is in BUF, MOST_TEXT bytes. */
static const char *program_text(const struct command *c, char *buf)
{
	FILE *in = c->letter == 's' ? input_look(c->text) : NULL;

	if (c->letter != 's')
		return c->text;
	buf[in ? fread(buf, 1, MOST_TEXT - 1, in) : 0] = '\0';
	if (in)
		fclose(in);
	return buf;
}

/* True if TEXT, a program, looks at who made a probe fire. */
static bool selects_process(const char *text)
{
	static const char *const names[] = {
		"pid", "$target", "progenyof", "execname", "tid", "curpsinfo", "curthread"};

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strstr(text, names[i]))
			return true;
	return false;
}

/* Stores the provider of the first probe that all processes make fire. */
static int find_general(void *arg, const struct dtrace_probe *p)
{
	static const char *const general[] = {"syscall", "sched", "proc", "io", "fbt", "rawfbt",
		"sdt", "rawtp", "vminfo", "sysinfo", "lockstat"};
	const char **found = arg;

	for (unsigned i = 0; i < sizeof(general) / sizeof(general[0]); i++)
		if (!strcmp(p->provider, general[i]))
			*found = general[i];
	return *found ? 1 : 0;
}

static void skip_description(void *arg, const char *desc, unsigned nprobes, const char *missing)
{
	(void)arg;
	(void)desc;
	(void)nprobes;
	(void)missing;
}

/* Advise if C, with the text TEXT, traces more than process PID.  True: it was said. */
static bool advise_general(
	struct session *s, const struct command *c, const char *text, const char *pid)
{
	const char *provider = NULL;
	const struct dtrace_prog_visitor v = {skip_description, find_general, &provider};

	if (!*text || selects_process(text))
		return false;
	dtrace_prog_probe_each(s->d, c->prog, false, &v);
	if (provider)
		message_advice(s->d,
			"-p %s does not limit probes of %s to that process: add /pid == $target/",
			pid, provider);
	return provider;
}

void advise_target(struct session *s, const struct cmdline *cl)
{
	char buf[MOST_TEXT];
	const char *pid = NULL;
	bool target = false;

	for (int i = 0; i < cl->nflags; i++) {
		target |= cl->flags[i].letter == 'p' || cl->flags[i].letter == 'c';
		if (cl->flags[i].letter == 'p')
			pid = cl->flags[i].arg;
	}
	if (!message_explains(s->d))
		return;
	for (int i = 0; i < s->ncommands; i++) {
		const struct command *c = &s->commands[i];
		const char *text = program_text(c, buf);

		if (pid && advise_general(s, c, text, pid))
			return;
		if (target || !strstr(text, "$target"))
			continue;
		message_advice(s->d, "$target is 0: start a process with -c, or name one with -p");
		return;
	}
}
