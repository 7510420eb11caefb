// SPDX-License-Identifier: Apache-2.0
/*
 * Completes the last of some words of a command line, for bash, zsh and fish (completions/).  Each
 * line of output is a word and, after a tab, what it is.  A line that begins with a tab names what
 * the shell completes better: "file", "directory" or "command".
 */
#include <ctype.h>
#include <dirent.h>
#include <dtrace/dtrace.h>
#include <dtrace/script.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmdline.h"
#include "message.h"
#include "session.h"

struct completion {
	struct dtrace *d;
	const char *word; /* that is completed */
	int done;	  /* bytes of it that stand before the argument of a flag: "-n" */
	const char *argument;
	enum flag_takes takes;
	struct dtrace_script *script; /* whose words it is one of; NULL: none */
};

/* ---- the flags before it ---- */

static const struct flag_info *find_flag(const char *name, size_t len, bool is_word)
{
	const struct flag_info *f;

	for (unsigned i = 0; (f = flag_at(i)); i++) {
		const char *own = is_word ? f->word : f->letter;

		if (own && strlen(own) == len && !memcmp(own, name, len))
			return f;
	}
	return NULL;
}

/* A flag, or an option of a script, that takes an argument. */
struct taker {
	const struct flag_info *flag;	  /* NULL: not one of dtrace's */
	const struct dtrace_param *param; /* NULL: not one of the script's */
	const char *argument;		  /* in the same word; NULL: it is the next one */
};

static enum flag_takes taken(const struct taker *t)
{
	if (t->flag)
		return t->flag->takes;
	return !strcmp(t->param->type, "pid")	    ? TAKES_PID
		: !strcmp(t->param->type, "cgroup") ? TAKES_CGROUP
						    : TAKES_VALUE;
}

/* Finds what takes an argument in WORD, "-n" or "--name"; false: nothing does. */
static bool find_taker(const char *word, struct taker *t)
{
	const struct flag_info *f;
	size_t len;

	*t = (struct taker){0};
	if (*word != '-' || !word[1])
		return false;
	if (word[1] == '-') {
		len = strcspn(word + 2, "=");
		f = find_flag(word + 2, len, true);
		if (word[2 + len] == '=')
			t->argument = word + 2 + len + 1;
		t->flag = f && f->takes_argument && (t->argument || !f->optional) ? f : NULL;
		return t->flag;
	}
	for (const char *p = word + 1; *p && !t->flag; p++) {
		f = find_flag(p, 1, false);
		if (!f || !f->takes_argument)
			continue;
		t->argument = p[1] ? p + 1 : NULL;
		t->flag = f;
	}
	return t->flag;
}

/* The same among the words of script S. */
static bool find_script_taker(const struct dtrace_script *s, const char *word, struct taker *t)
{
	bool is_long = word[1] == '-';
	const char *name = word + 1 + is_long, *help;
	size_t len = is_long ? strcspn(name, "=") : 1;
	const char *value = name + len + (is_long && name[len]);

	*t = (struct taker){0};
	if (*word != '-' || !word[1])
		return false;
	for (unsigned i = 0; i < s->nparams; i++) {
		const struct dtrace_param *p = &s->params[i];

		if (strlen(p->name) != len || strncmp(p->name, name, len) || !p->word)
			continue;
		t->param = p;
		t->argument = *value ? value : NULL;
		return true;
	}
	for (unsigned i = 0; is_long && (name = tool_common_option(i, &help)); i++)
		if (strlen(name) == len && !strncmp(name, word + 2, len))
			return find_taker(word, t);
	return false;
}

/* Applies options that add libraries and processes.  Errors are ignored. */
static void apply(struct dtrace *d, const struct flag_info *f, const char *argument)
{
	char *name, *value;

	if (!f->letter || !strchr("xLpc", *f->letter))
		return;
	if (*f->letter == 'p') {
		dtrace_target_grab(d, (pid_t)strtol(argument, NULL, 10));
		return;
	}
	if (*f->letter == 'c') {
		dtrace_complete_command(d, argument);
		return;
	}
	if (*f->letter == 'L') {
		dtrace_option_set(d, "libdir", argument);
		return;
	}
	name = strdup(argument);
	if (!name)
		return;
	value = strchr(name, '=');
	if (value)
		*value++ = '\0';
	dtrace_option_set(d, name, value);
	free(name);
}

/* ARGUMENT is that of T, in a word before the last. */
static void finish_taker(struct completion *c, const struct taker *t, const char *argument)
{
	struct dtrace_script *s = NULL;

	if (c->script || !t->flag)
		return;
	apply(c->d, t->flag, argument);
	if (t->flag->takes == TAKES_TOOL)
		s = tool_read(argument);
	else if (t->flag->letter && *t->flag->letter == 's')
		s = dtrace_script_read(argument);
	if (s && !s->usage && !s->nparams) {
		dtrace_script_free(s); /* its words are dtrace's */
		s = NULL;
	}
	c->script = s;
}

/* Find out what the last of N words is. */
static void find_argument(struct completion *c, char **words, int n)
{
	struct taker t = {0};
	bool pending = false;

	for (int i = 0; i < n; i++) {
		const char *argument = pending ? words[i] : NULL;

		if (!pending &&
			(c->script ? find_script_taker(c->script, words[i], &t)
				   : find_taker(words[i], &t))) {
			pending = true;
			argument = t.argument;
		}
		if (!argument && i + 1 < n)
			continue;
		c->done = argument ? (int)(argument - words[i]) : 0;
		c->takes = argument ? taken(&t) : TAKES_NOTHING;
		if (argument && i + 1 < n) {
			finish_taker(c, &t, argument);
			pending = false;
		}
	}
	c->word = words[n - 1];
	c->argument = c->word + c->done;
}

/* ---- what can stand there ---- */

/*
 * True if a shell can insert TEXT.  Others choose the names of functions, files and control groups,
 * and a shell may insert them as they are: none ends a quote or begins a command.
 */
static bool can_be_inserted(const char *text)
{
	for (const char *p = text; *p; p++)
		if ((*p >= 0 && *p < ' ') || *p == 0x7f || strchr("\"'`\\;|&<>", *p) ||
			(*p == '$' && (p[1] == '(' || p[1] == '{')))
			return false;
	return true;
}

/* Print the word with TEXT from byte START of the argument on.  WHAT is only shown. */
static void put(const struct completion *c, unsigned start, const char *text, const char *what)
{
	if (!can_be_inserted(text))
		return;
	printf("%.*s%.*s%s\t", c->done, c->word, (int)start, c->argument, text);
	for (; *what; what++)
		putchar(*what < ' ' || *what > '~' ? '?' : *what);
	putchar('\n');
}

/* The same, if TEXT begins with the argument. */
static void put_matching(const struct completion *c, const char *text, const char *what)
{
	if (!strncmp(text, c->argument, strlen(c->argument)))
		put(c, 0, text, what);
}

/* What dtrace_complete() says, with some text before the argument that is not shown. */
struct program_completion {
	const struct completion *c;
	unsigned hidden;
	enum dtrace_completion_kind last; /* the part that ends a description: no ':' after it */
};

static int put_completion(void *arg, const struct dtrace_completion *d)
{
	const struct program_completion *p = arg;
	bool has_type = *d->type, has_help = *d->help;
	char text[512], what[512];

	if (d->start < p->hidden || (d->kind == p->last && !strcmp(d->text, ":")))
		return 0;
	snprintf(text, sizeof(text), "%s", d->text);
	if (d->kind == p->last && *text && text[strlen(text) - 1] == ':')
		text[strlen(text) - 1] = '\0';
	snprintf(what, sizeof(what), "%s%s%s", d->type, has_type && has_help ? "  " : "", d->help);
	put(p->c, d->start - p->hidden, text, what);
	return 0;
}

/* Complete BEFORE and the argument as a program. */
static void put_program(
	const struct completion *c, const char *before, enum dtrace_completion_kind last)
{
	size_t hidden = strlen(before), len = strlen(c->argument);
	struct program_completion p = {c, (unsigned)hidden, last};
	char *text = malloc(hidden + len + 1);

	if (!text)
		return;
	memcpy(text, before, hidden);
	memcpy(text + hidden, c->argument, len + 1);
	dtrace_complete(c->d, text, (unsigned)(hidden + len), put_completion, &p);
	free(text);
}

static void put_processes(const struct completion *c)
{
	DIR *proc = opendir("/proc");
	struct dirent *e;

	while (proc && (e = readdir(proc))) {
		char path[300], comm[64] = "";
		FILE *in;

		if (!isdigit((unsigned char)*e->d_name))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/comm", e->d_name);
		in = fopen(path, "re");
		if (!in)
			continue;
		if (fgets(comm, sizeof(comm), in))
			comm[strcspn(comm, "\n")] = '\0';
		fclose(in);
		put_matching(c, e->d_name, comm);
	}
	if (proc)
		closedir(proc);
}

/* Control groups below the mount point, as --cgroup takes them. */
static void put_cgroups(const struct completion *c)
{
	char *root = *c->argument == '/' ? NULL : dtrace_cgroup_folder();
	const char *slash = strrchr(c->argument, '/');
	int parent = slash ? (int)(slash + 1 - c->argument) : 0;
	char path[1024];
	struct dirent *e;
	DIR *dir;

	if (*c->argument == '/') {
		printf("\tdirectory\n");
		return;
	}
	if (!root)
		return;
	snprintf(path, sizeof(path), "%s/%.*s", root, parent, c->argument);
	free(root);
	dir = opendir(path);
	while (dir && (e = readdir(dir))) {
		if (e->d_type != DT_DIR || *e->d_name == '.')
			continue;
		snprintf(path, sizeof(path), "%.*s%s", parent, c->argument, e->d_name);
		put_matching(c, path, "control group");
	}
	if (dir)
		closedir(dir);
}

static void put_format(void *arg, const char *name, const char *help)
{
	put_matching(arg, name, help);
}

/* Options of a script, its own and those that each has. */
static void put_script_options(const struct completion *c)
{
	const char *name, *help;
	char text[64];

	for (unsigned i = 0; i < c->script->nparams; i++) {
		const struct dtrace_param *p = &c->script->params[i];

		snprintf(text, sizeof(text), "%s%s", p->name[1] ? "--" : "-", p->name);
		put_matching(c, text, p->help);
	}
	for (unsigned i = 0; (name = tool_common_option(i, &help)); i++) {
		const struct flag_info *f = find_flag(name, strlen(name), true);

		snprintf(text, sizeof(text), "--%s%s", name,
			f && f->takes_argument && !f->optional ? "=" : "");
		put_matching(c, text, help);
	}
	put_matching(c, "-h", "print the options");
}

static void put_tool(void *arg, const char *name)
{
	struct dtrace_script *s = tool_read(name);
	const char *text = s && s->usage ? strchr(s->usage, ':') : NULL;

	put_matching(arg, name, text ? text + 1 + strspn(text + 1, " ") : "");
	dtrace_script_free(s);
}

static void put_flags(const struct completion *c)
{
	const struct flag_info *f;
	char text[64];

	for (unsigned i = 0; (f = flag_at(i)); i++) {
		if (!f->help)
			continue;
		if (f->letter)
			snprintf(text, sizeof(text), "-%s", f->letter);
		else
			snprintf(text, sizeof(text), "--%s%s", f->word,
				f->takes_argument && !f->optional ? "=" : "");
		put_matching(c, text, f->help);
	}
}

static void put_description(const struct completion *c)
{
	bool plain = !strpbrk(c->argument, ":/{");

	if (c->takes == TAKES_PROVIDER) {
		put_program(c, "", DTRACE_COMPLETION_PROVIDER);
	} else if (c->takes == TAKES_MODULE) {
		put_program(c, plain ? ":" : "", DTRACE_COMPLETION_MODULE);
	} else if (c->takes == TAKES_FUNCTION) {
		put_program(c, plain ? "::" : "", DTRACE_COMPLETION_PROBEFUNC);
	}
}

static void put_argument(struct completion *c)
{
	switch (c->takes) {
	case TAKES_NOTHING:
		if (*c->word == '-' && c->script)
			put_script_options(c);
		else if (*c->word == '-')
			put_flags(c);
		else
			printf("\tfile\n"); /* an operand */
		break;
	case TAKES_VALUE:
		break;
	case TAKES_PROGRAM:
		put_program(c, "", -1);
		break;
	case TAKES_PROVIDER:
	case TAKES_MODULE:
	case TAKES_FUNCTION:
		put_description(c);
		break;
	case TAKES_OPTION:
		put_program(c, "#pragma D option ", -1);
		break;
	case TAKES_FORMAT:
		if (strchr(c->argument, ':'))
			printf("\tfile\n");
		else
			dtrace_format_each(put_format, c);
		break;
	case TAKES_FILE:
		printf("\tfile\n");
		break;
	case TAKES_DIRECTORY:
		printf("\tdirectory\n");
		break;
	case TAKES_CGROUP:
		put_cgroups(c);
		break;
	case TAKES_COMMAND:
		printf("\tcommand\n");
		break;
	case TAKES_TOOL:
		tool_each(put_tool, c);
		break;
	case TAKES_PID:
		put_processes(c);
		break;
	}
}

int complete_run(struct dtrace *d, const struct cmdline *cl)
{
	struct completion c = {.d = d};

	if (!cl->noperands) {
		message_line("--complete requires the words of a command line");
		return STATUS_USAGE;
	}
	dtrace_option_environment(d);
	find_argument(&c, cl->operands, cl->noperands);
	put_argument(&c);
	dtrace_script_free(c.script);
	if (!fflush(stdout) && !ferror(stdout))
		return STATUS_OK;
	message_line("failed to write to <stdout>: %s", strerror(errno ? errno : EIO));
	return STATUS_ERROR;
}
