// SPDX-License-Identifier: Apache-2.0
/* Runs the interactive shell: reads programs and commands, and starts each program. */
#define _GNU_SOURCE /* asprintf() */
#include "shell.h"

#include <ctype.h>
#include <dtrace/dtrace.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmdline.h"
#include "message.h"
#include "session.h"

/* ---- programs ---- */

/* In the new process: run the command line WORDS as if it had been typed in another shell. */
static void become(char **words, int n, pid_t shell)
{
	int status;

	signal(SIGINT, SIG_DFL);
	if (editor_interrupted()) /* ^C came before that: the program is not started */
		_exit(STATUS_OK);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != shell) /* it died before that */
		_exit(STATUS_OK);
	setlocale(LC_CTYPE, "C");
	status = command_main(n, words);
	fflush(stdout);
	_exit(status);
}

/* Waits for process PID, whose output ends at ^C: the terminal sends that to both. */
static void await(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return;
	if (WIFSIGNALED(status) && WTERMSIG(status) != SIGINT)
		message_line("the program's process was ended by signal %d", WTERMSIG(status));
}

static void run_words(char **words, int n)
{
	/* not SIG_IGN: the new process would miss a ^C that comes before its own SIG_DFL */
	struct sigaction note = {.sa_handler = editor_interrupt, .sa_flags = SA_RESTART}, before;
	pid_t pid, shell = getpid();

	fflush(NULL);
	sigaction(SIGINT, &note, &before);
	pid = fork();
	if (!pid)
		become(words, n, shell);
	if (pid < 0)
		message_line("cannot start a process: %s", strerror(errno));
	else
		await(pid);
	sigaction(SIGINT, &before, NULL);
}

/* Run a command line that ends with the flag FLAG, its argument and MORE words. */
static void run(struct shell *s, const char *flag, const char *argument, char *more)
{
	size_t room = (size_t)s->nwords + 2 * s->noptions + strlen(more ? more : "") + 4;
	char **words = calloc(room, sizeof(*words)), *save = NULL;
	int n = 0;

	if (!words) {
		message_no_memory();
		return;
	}
	for (; n < s->nwords; n++)
		words[n] = s->words[n];
	for (unsigned i = 0; i < s->noptions; i++) {
		words[n++] = (char *)"-x";
		words[n++] = s->options[i];
	}
	words[n++] = (char *)flag;
	words[n++] = (char *)argument;
	for (char *w = more ? strtok_r(more, " \t", &save) : NULL; w;
		w = strtok_r(NULL, " \t", &save))
		words[n++] = w;
	run_words(words, n);
	free(words);
}

/* ---- is a program finished? ---- */

/* Returns the character after the string, character or comment at P; NULL: it goes on. */
static const char *skip_quoted(const char *p)
{
	char quote = *p;
	const char *end;

	if (quote == '/' && p[1] == '/')
		return p + strcspn(p, "\n");
	if (quote == '/') {
		end = strstr(p + 2, "*/");
		return end ? end + 2 : NULL;
	}
	for (p++; *p && *p != quote; p++)
		if (*p == '\\' && p[1])
			p++;
	return *p ? p + 1 : NULL;
}

/* True if TEXT goes on: a bracket, string or comment is open, or its last line is a pragma. */
static bool is_unfinished(const char *text)
{
	const char *line = text, *last = text;
	int open = 0;

	for (const char *p = text; *p;) {
		if (*p == '"' || *p == '\'' || (*p == '/' && (p[1] == '*' || p[1] == '/'))) {
			p = skip_quoted(p);
			if (!p)
				return true;
			continue;
		}
		open += !!strchr("({[", *p) - !!strchr(")}]", *p);
		if (!isspace((unsigned char)*p))
			last = p;
		if (*p++ == '\n' && *p)
			line = p;
	}
	return open > 0 || *last == ',' || *last == '\\' || line[strspn(line, " \t")] == '#';
}

/* ---- commands ---- */

static void command_help(struct shell *s, const char *words)
{
	char *copy = strdup(words), *save = NULL;
	char **names = calloc(strlen(words) + 1, sizeof(*names));
	struct cmdline cl = {.operands = names};
	const struct shell_command *c;

	if (copy && names)
		for (char *w = strtok_r(copy, " \t", &save); w; w = strtok_r(NULL, " \t", &save))
			names[cl.noperands++] = w;
	if (cl.noperands) {
		help_print(s->d, &cl);
	} else {
		puts("A probe description, with or without a predicate and actions, runs until ^C:\n"
		     "\n    syscall::openat:entry { @[execname] = count(); }\n\n"
		     "A program goes on in the next line while a bracket is open.  Tab completes.\n");
		for (unsigned i = 0; (c = shell_command_at(i)); i++)
			printf("%-6s %-20s %s\n", c->name, c->usage, c->help);
	}
	free(copy);
	free(names);
}

static void command_examples(struct shell *s, const char *words)
{
	char *copy = strdup(words), *save = NULL;
	char **names = calloc(strlen(words) + 1, sizeof(*names));
	struct cmdline cl = {.operands = names};

	if (copy && names)
		for (char *w = strtok_r(copy, " \t", &save); w; w = strtok_r(NULL, " \t", &save))
			names[cl.noperands++] = w;
	help_examples(&cl);
	free(copy);
	free(names);
}

static void command_list(struct shell *s, const char *words)
{
	bool verbose = !strncmp(words, "-v ", 3);

	if (verbose)
		words += 3 + strspn(words + 3, " \t");
	if (*words)
		run(s, verbose ? "-lvvn" : "-ln", words, NULL);
	else
		run(s, "-l", "--", NULL);
}

/* Forget option NAME, of LEN bytes, which is set again or not any more. */
static void forget(struct shell *s, const char *name, size_t len)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < s->noptions; i++) {
		char *o = s->options[i];

		if (!strncmp(o, name, len) && (!o[len] || o[len] == '='))
			free(o);
		else
			s->options[kept++] = o;
	}
	s->noptions = kept;
}

static void report_option(struct shell *s, const char *word)
{
	const char *hint = dtrace_session_hint(s->d);

	message_failure(s->d, "failed to set %s", word);
	if (hint)
		message_line("%s", hint);
}

static void command_set(struct shell *s, const char *words)
{
	size_t len = strcspn(words, "=");
	char *name = strndup(words, len), *all = strdup(words);
	char **more = realloc(s->options, (s->noptions + 1) * sizeof(*more));

	if (more)
		s->options = more;
	if (!*words) {
		for (unsigned i = 0; i < s->noptions; i++)
			puts(s->options[i]);
	} else if (name && all && more) {
		if (dtrace_option_set(s->d, name, words[len] ? words + len + 1 : NULL)) {
			report_option(s, words);
		} else {
			forget(s, name, len);
			s->options[s->noptions++] = all;
			all = NULL;
		}
	}
	free(name);
	free(all);
}

static void command_unset(struct shell *s, const char *words)
{
	if (dtrace_option_unset(s->d, words))
		report_option(s, words);
	else
		forget(s, words, strlen(words));
}

static void command_load(struct shell *s, const char *words)
{
	char *file = strdup(words), *more;

	if (!*words) {
		message_line(":load needs the name of a script");
	} else if (file) {
		more = file + strcspn(file, " \t");
		if (*more)
			*more++ = '\0';
		run(s, "-s", file, more);
	}
	free(file);
}

static void command_tool(struct shell *s, const char *words)
{
	char *name = strdup(words), *more;

	if (!*words) {
		tool_list();
	} else if (name) {
		more = name + strcspn(name, " \t");
		if (*more)
			*more++ = '\0';
		run(s, "--tool", name, more);
	}
	free(name);
}

static void command_save(struct shell *s, const char *words)
{
	int err, fd;
	FILE *out;

	if (!*words || !s->last) {
		message_line(
			!*words ? ":save needs the name of a file" : "there is no program to save");
		return;
	}
	/* a FIFO that nobody reads is not waited for */
	fd = open(words, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0666);
	out = fd < 0 ? NULL : fdopen(fd, "w");
	if (!out) {
		message_line("cannot write %s: %s", words, strerror(errno));
		if (fd >= 0)
			close(fd);
		return;
	}
	fprintf(out, "#!/usr/sbin/dtrace -s\n%s\n", s->last);
	err = ferror(out) ? EIO : 0;
	if (fclose(out))
		err = errno;
	if (err)
		message_line("cannot write %s: %s", words, strerror(err));
}

static const struct shell_command commands[] = {
	{":help", "[NAME]", "explain a probe, provider, variable, function, option or type",
		command_help},
	{":list", "[-v] [DESCRIPTION]", "list the probes that a description matches", command_list},
	{":set", "[OPTION[=VALUE]]", "set an option as -x does, or print those that were set",
		command_set},
	{":unset", "OPTION", "reset an option to its default", command_unset},
	{":examples", "[WORD]", "print examples that have a word", command_examples},
	{":tool", "[NAME [OPTION]...]", "run a tool, or list them", command_tool},
	{":load", "FILE [WORD]...", "run a script", command_load},
	{":save", "FILE", "write the last program to a file", command_save},
	{":quit", "", "leave the shell, as ^D does", NULL},
};

const struct shell_command *shell_command_at(unsigned i)
{
	return i < sizeof(commands) / sizeof(commands[0]) ? &commands[i] : NULL;
}

/* Obey LINE, ":name words".  False: leave the shell. */
static bool obey(struct shell *s, char *line)
{
	size_t len = strcspn(line, " \t"), end = strlen(line);
	const struct shell_command *c;

	while (end && isspace((unsigned char)line[end - 1]))
		line[--end] = '\0';
	for (unsigned i = 0; (c = shell_command_at(i)); i++) {
		if (strlen(c->name) != len || strncmp(c->name, line, len))
			continue;
		if (c->run)
			c->run(s, line + len + strspn(line + len, " \t"));
		return c->run;
	}
	message_line("unknown command %.*s (:help lists them)", (int)len, line);
	return true;
}

/*
 * Returns the command, which the caller frees, that LINE is without a colon: what every other shell
 * has, and no probe that anybody wants to trace without a clause.  NULL: it is none.
 */
static char *plain_command(const char *line)
{
	static const struct {
		const char *word, *command;
		bool words; /* it may have some */
	} plain[] = {{"exit", ":quit", false}, {"quit", ":quit", false}, {"help", ":help", true}};
	size_t len = strcspn(line, " \t;");
	const char *rest = line + len + strspn(line + len, " \t;");
	char *command;

	for (unsigned i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		if (strlen(plain[i].word) != len || strncmp(plain[i].word, line, len) != 0 ||
			(*rest && (!plain[i].words || strpbrk(rest, "/{"))))
			continue;
		return asprintf(&command, "%s %s", plain[i].command, rest) < 0 ? NULL : command;
	}
	return NULL;
}

/* ---- the loop ---- */

/* Adds LINE to the program, and runs it if it is finished. */
static void take_line(struct shell *s, const char *line)
{
	char *text;

	if (asprintf(&text, "%s%s%s", s->text ? s->text : "", s->text ? "\n" : "", line) < 0) {
		message_no_memory();
		return;
	}
	free(s->text);
	s->text = text;
	if (is_unfinished(text))
		return;
	s->text = NULL;
	free(s->last);
	s->last = text;
	editor_remember(s->editor, text);
	run(s, "-n", text, NULL);
}

static void drop_text(struct shell *s)
{
	free(s->text);
	s->text = NULL;
}

static void loop(struct shell *s)
{
	for (;;) {
		char *line = NULL, *start, *plain;
		enum editor_result r = editor_read(s->editor, &line);
		bool more = true;

		if (r == EDITOR_END)
			break;
		if (r == EDITOR_INTERRUPTED) {
			drop_text(s);
			continue;
		}
		plain = s->text ? NULL : plain_command(line + strspn(line, " \t"));
		start = plain ? plain : line + strspn(line, " \t");
		if (!s->text && *start == ':') {
			editor_remember(s->editor, start);
			more = obey(s, start);
			fflush(stdout);
		} else if (s->text || *start) {
			take_line(s, line);
		}
		free(plain);
		free(line);
		if (!more)
			return;
	}
	if (s->text) /* the end of the input is the end of the program */
		run(s, "-n", s->text, NULL);
}

/* Returns the words of the command line without --shell, which may be shortened. */
static char **other_words(int argc, char **argv, int *n)
{
	char **words = calloc((size_t)argc + 1, sizeof(*words));

	*n = 0;
	for (int i = 0; words && i < argc; i++)
		if (i == 0 || strlen(argv[i]) < 4 || strncmp("--shell", argv[i], strlen(argv[i])))
			words[(*n)++] = argv[i];
	return words;
}

static void set_from_flags(struct dtrace *d, const struct cmdline *cl)
{
	for (int i = 0; i < cl->nflags; i++) {
		char *name = cl->flags[i].letter == 'x' ? strdup(cl->flags[i].arg) : NULL;
		char *value = name ? strchr(name, '=') : NULL;

		if (value)
			*value++ = '\0';
		if (name)
			dtrace_option_set(d, name, value);
		if (cl->flags[i].letter == 'L')
			dtrace_option_set(d, "libdir", cl->flags[i].arg);
		free(name);
	}
}

int shell_run(struct dtrace *d, const struct cmdline *cl, int argc, char **argv)
{
	struct shell s = {.d = d};
	const char *lacking = dtrace_session_privileges(d);

	if (lacking) {
		message_line("%s", lacking);
		return STATUS_USAGE;
	}
	dtrace_option_environment(d);
	set_from_flags(d, cl);
	s.words = other_words(argc, argv, &s.nwords);
	s.editor = s.words ? editor_open(&s) : NULL;
	if (s.editor)
		loop(&s);
	else
		message_no_memory();
	editor_close(s.editor);
	drop_text(&s);
	forget(&s, "", 0);
	for (unsigned i = 0; i < s.noptions; i++)
		free(s.options[i]);
	free(s.options);
	free(s.last);
	free(s.words);
	return s.editor ? STATUS_OK : STATUS_ERROR;
}
