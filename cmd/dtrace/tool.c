// SPDX-License-Identifier: Apache-2.0
/*
 * Takes the words of scripts that declare parameters, finds tools by name, and prints the help of
 * both.
 */
#define _GNU_SOURCE /* asprintf() */
#include <dirent.h>
#include <dtrace/dtrace.h>
#include <dtrace/script.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmdline.h"
#include "message.h"
#include "session.h"

/* ---- tools by name ---- */

/* Returns the path of tool NAME, to free; NULL after a message. */
static char *find_tool(const char *name)
{
	char *folder = dtrace_tools_folder(), *path = NULL;

	if (!folder) {
		if (errno == ENOMEM)
			message_no_memory();
		else
			message_line(
				"there are no tools: no folder share/dtrace/tools beside this program's");
		return NULL;
	}
	if (strchr(name, '/')) {
		message_line("there is no tool '%s' (--tool alone lists them)", name);
	} else if (asprintf(&path, "%s/%s.d", folder, name) < 0) {
		message_no_memory();
		path = NULL;
	}
	free(folder);
	return path;
}

static int is_script(const struct dirent *e)
{
	size_t len = strlen(e->d_name);

	return len > 2 && !strcmp(e->d_name + len - 2, ".d");
}

/* Prints the usage of the tool in file NAME of FOLDER, which begins with its name; false: no
 * memory. */
static bool print_tool(const char *folder, const char *name)
{
	struct dtrace_script *s;
	const char *text;
	char *path;

	if (asprintf(&path, "%s/%s", folder, name) < 0) {
		message_no_memory();
		return false;
	}
	s = dtrace_script_read(path);
	text = s && s->usage ? strchr(s->usage, ':') : NULL;
	printf("%-16.*s%s\n", (int)strlen(name) - 2, name,
		text ? text + 1 + strspn(text + 1, " ") : "");
	dtrace_script_free(s);
	free(path);
	return true;
}

void tool_each(void (*visit)(void *arg, const char *name), void *arg)
{
	char *folder = dtrace_tools_folder();
	struct dirent **list = NULL;
	int n = folder ? scandir(folder, &list, is_script, alphasort) : -1;

	for (int i = 0; i < n; i++) {
		list[i]->d_name[strlen(list[i]->d_name) - 2] = '\0';
		visit(arg, list[i]->d_name);
		free(list[i]);
	}
	free(list);
	free(folder);
}

struct dtrace_script *tool_read(const char *name)
{
	char *folder = dtrace_tools_folder(), *path = NULL;
	struct dtrace_script *s = NULL;

	if (folder && !strchr(name, '/') && asprintf(&path, "%s/%s.d", folder, name) >= 0) {
		s = dtrace_script_read(path);
		free(path);
	}
	free(folder);
	return s;
}

int tool_list(void)
{
	char *folder = dtrace_tools_folder();
	struct dirent **list = NULL;
	int n = folder ? scandir(folder, &list, is_script, alphasort) : -1;
	bool all = n >= 0;

	for (int i = 0; i < n; i++) {
		all = print_tool(folder, list[i]->d_name) && all;
		free(list[i]);
	}
	free(list);
	if (n < 0)
		message_line("there are no tools: %s: %s", folder ? folder : "share/dtrace/tools",
			strerror(errno));
	free(folder);
	return all ? STATUS_OK : STATUS_ERROR;
}

/* ---- words ---- */

/* Options of the command that each script with parameters has. */
static const struct {
	const char *name, *word;
	int flag;
	const char *help;
} common[] = {
	/* the first two are those of scripts that trace $target */
	{"p", "PID", 'p', "trace this process"},
	{"c", "COMMAND", 'c', "run a command, and trace it until it exits"},
	{"output", "FORMAT[:FILE]", FLAG_OUTPUT, "write in this format: json, csv and others"},
	{"cgroup", "CGROUP", FLAG_CGROUP, "only what runs in this control group"},
	{"top", NULL, FLAG_TOP, "show the aggregations on the whole terminal"},
	{"web", NULL, FLAG_WEB, "show the aggregations in browsers"},
	{"fail-on-drops", NULL, FLAG_FAIL_ON_DROPS, "exit with status 1 if anything was lost"},
};
#define NCOMMON (sizeof(common) / sizeof(common[0]))

static size_t first_common(const struct dtrace_script *s)
{
	return s->targets ? 0 : 2;
}

const char *tool_common_option(unsigned i, const char **help)
{
	if (i >= NCOMMON)
		return NULL;
	*help = common[i].help;
	return common[i].name;
}

/* The name of a script: its file's, without a folder and ".d". */
static int name_of(const char *path, const char **name)
{
	const char *slash = strrchr(path, '/');
	size_t len;

	*name = slash ? slash + 1 : path;
	len = strlen(*name);
	return (int)(len > 2 && !strcmp(*name + len - 2, ".d") ? len - 2 : len);
}

static const struct dtrace_param *find_param(
	const struct dtrace_script *s, const char *name, size_t len)
{
	for (unsigned i = 0; i < s->nparams; i++)
		if (strlen(s->params[i].name) == len && !strncmp(s->params[i].name, name, len))
			return &s->params[i];
	return NULL;
}

/* An option of a script, as its words are read. */
struct option_word {
	const struct dtrace_param *param; /* or one of common[], by its index; NCOMMON: neither */
	size_t common;
	const char *word;  /* what a value is called; NULL: it takes none */
	const char *value; /* that stands in the same word; NULL: none does */
};

/* Finds what WORD, "-p", "-p12", "--name" or "--name=12", names. */
static bool find_option(const struct dtrace_script *s, const char *word, struct option_word *o)
{
	bool is_long = word[1] == '-';
	const char *name = word + 1 + is_long;
	size_t len = is_long ? strcspn(name, "=") : 1;

	*o = (struct option_word){.common = NCOMMON};
	o->value = is_long ? (name[len] ? name + len + 1 : NULL) : (name[1] ? name + 1 : NULL);
	o->param = find_param(s, name, len);
	if (o->param) {
		o->word = o->param->word;
		return is_long == (o->param->name[1] != '\0');
	}
	for (size_t i = first_common(s); i < NCOMMON; i++) {
		if (is_long != (common[i].name[1] != '\0') || strlen(common[i].name) != len ||
			strncmp(common[i].name, name, len) != 0)
			continue;
		o->common = i;
		o->word = common[i].word;
		return true;
	}
	return false;
}

static int refuse(const struct tool_words *t, const char *what, const char *word)
{
	const char *name;
	int len = name_of(t->path, &name);

	message_line("%.*s: %s '%s' (-h shows its options)", len, name, what, word);
	return STATUS_USAGE;
}

/* Takes the option in ARGV[*I], with its value. */
static int take_option(struct cmdline *cl, char **argv, int *i)
{
	struct tool_words *t = cl->tool;
	const char *word = argv[*i];
	struct option_word o;
	const char *name;

	if (!find_option(t->script, word, &o))
		return refuse(t, "unrecognized option", word);
	if (!o.word && o.value)
		return refuse(t, "no value belongs to option", word);
	if (o.word && !o.value) {
		o.value = argv[*i + 1];
		if (!o.value) {
			int len = name_of(t->path, &name);

			message_line("%.*s: option '%s' requires %s (-h shows its options)", len,
				name, word, o.word);
			return STATUS_USAGE;
		}
		++*i;
	}
	if (o.param)
		t->settings[t->nsettings++] = (struct param_setting){o.param, o.value};
	else
		cl->flags[cl->nflags++] = (struct flag){common[o.common].flag, (char *)o.value};
	return STATUS_OK;
}

static int take_words(struct cmdline *cl, char **argv, int *i)
{
	int status = STATUS_OK;

	if (argv[*i] && !strcmp(argv[*i], "--")) /* it ended dtrace's own options */
		++*i;
	for (; argv[*i] && !status; ++*i) {
		const char *word = argv[*i];

		if (!strcmp(word, "-h") || !strcmp(word, "--help")) {
			cl->tool->help = true;
		} else if (!strcmp(word, "--")) {
			while (argv[++*i])
				cl->operands[cl->noperands++] = argv[*i];
			break;
		} else if (*word == '-' && word[1]) {
			status = take_option(cl, argv, i);
		} else {
			cl->operands[cl->noperands++] = argv[*i];
		}
	}
	return status;
}

static int no_memory(void)
{
	message_no_memory();
	return STATUS_USAGE;
}

/* Reads what tool or script PATH declares; NULL: nothing, or after a message in *STATUS. */
static struct tool_words *read_script(const char *path, bool named, int *status)
{
	struct tool_words *t = calloc(1, sizeof(*t));

	*status = STATUS_OK;
	if (t)
		t->path = named ? find_tool(path) : strdup(path);
	if (!t || !t->path) {
		*status = t && named ? STATUS_USAGE : no_memory();
		tool_free(t);
		return NULL;
	}
	t->script = dtrace_script_read(t->path);
	if (!t->script && named) {
		message_line("there is no tool '%s' (--tool alone lists them): %s: %s", path,
			t->path, strerror(errno));
		*status = STATUS_USAGE;
	} else if (t->script && t->script->error) {
		message_line("failed to compile script %s: line %u: %s", t->path, t->script->line,
			t->script->error);
		*status = STATUS_ERROR;
	} else if (t->script && (named || t->script->usage || t->script->nparams)) {
		return t;
	}
	tool_free(t);
	return NULL;
}

int tool_take_words(struct cmdline *cl, char *path, bool named, char **argv, int *i)
{
	int status, n = 0;
	struct tool_words *t = read_script(path, named, &status);

	if (!t)
		return status;
	while (argv[*i + n])
		n++;
	cl->tool = t;
	t->settings = calloc((size_t)n + 1, sizeof(*t->settings));
	if (!t->settings)
		return no_memory();
	if (named)
		cl->flags[cl->nflags++] = (struct flag){'s', t->path};
	return take_words(cl, argv, i);
}

void tool_free(struct tool_words *t)
{
	if (!t)
		return;
	dtrace_script_free(t->script);
	free(t->settings);
	free(t->path);
	free(t);
}

/* ---- help ---- */

static void print_option(const char *name, const char *word, const char *help, const char *initial)
{
	char text[64];

	snprintf(text, sizeof(text), "%s%s%s%s", name[1] ? "--" : "-", name, word ? " " : "",
		word ? word : "");
	printf("  %-24s  %s", text, help);
	/* 0 and "" stand for "not given" */
	if (word && initial && strcmp(initial, "0") != 0 && strcmp(initial, "\"\"") != 0)
		printf(" (%s)", initial);
	putchar('\n');
}

/*
 * Gives D the process that the words name with -p or -c, or else a program that every machine has;
 * it never runs.  *NAMED: the words named one.
 */
static bool take_target(struct dtrace *d, const struct cmdline *cl, bool *named)
{
	for (int i = 0; i < cl->nflags; i++) {
		const struct flag *f = &cl->flags[i];

		*named = f->letter == 'p' || f->letter == 'c';
		if (*named)
			return !(f->letter == 'p' ? dtrace_target_grab(d, atol(f->arg))
						  : dtrace_target_create(d, f->arg));
	}
	return !dtrace_target_create(d, "/bin/true");
}

/* Compiles the script, and prints why this machine cannot run it, if so. */
static void print_ability(const struct cmdline *cl)
{
	const char *path = cl->tool->path;
	struct dtrace *d = dtrace_session_open();
	const char *lacking = d ? dtrace_session_privileges(d) : NULL;
	bool targets = cl->tool->script->targets, named = false;
	FILE *in = d && !lacking ? input_look(path) : NULL;

	if (lacking)
		printf("\nNot checked whether this machine can run it: %s\n", lacking);
	else if (!in ||
		((!targets || take_target(d, cl, &named)) && dtrace_compile_file(d, path, in)))
		; /* it can, or nobody can tell */
	else if (targets && !named)
		printf("\nWhether this machine can run it may depend on the process (-p or -c): %s\n",
			dtrace_session_error(d));
	else
		printf("\nThis machine cannot run it: %s\n", dtrace_session_error(d));
	if (in)
		fclose(in);
	if (d)
		dtrace_session_close(d);
}

int tool_help(const struct cmdline *cl)
{
	const struct dtrace_script *s = cl->tool->script;
	const char *name;
	int len = name_of(cl->tool->path, &name);

	if (s->usage)
		printf("%s\n\n", s->usage);
	printf("Usage: %.*s%s\n\n", len, name, " [OPTION]...");
	for (unsigned i = 0; i < s->nparams; i++) {
		const struct dtrace_param *p = &s->params[i];

		print_option(p->name, p->word, p->help, p->initial);
	}
	for (size_t i = first_common(s); i < NCOMMON; i++)
		if (!find_param(s, common[i].name, strlen(common[i].name)))
			print_option(common[i].name, common[i].word, common[i].help, NULL);
	print_option("h", NULL, "print this text", NULL);
	print_ability(cl);
	if (!fflush(stdout) && !ferror(stdout))
		return STATUS_OK;
	message_line("failed to write to <stdout>: %s", strerror(errno ? errno : EIO));
	return STATUS_ERROR;
}
