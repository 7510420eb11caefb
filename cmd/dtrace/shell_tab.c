// SPDX-License-Identifier: Apache-2.0
/* Completes in the shell: programs, commands and their arguments. */
#define _GNU_SOURCE /* asprintf() */
#include <dirent.h>
#include <dtrace/dtrace.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmdline.h"
#include "shell.h"

/* At most this many possibilities are printed. */
#define LISTED_MOST 200

struct possibility {
	char *text, *what;
	size_t erase; /* bytes before the cursor that it replaces */
};

struct possibilities {
	struct possibility *all;
	size_t n, room;
	size_t cursor; /* where the cursor is in the text that dtrace_complete() gets */
};

static int add(
	struct possibilities *p, const char *text, size_t erase, const char *type, const char *help)
{
	struct possibility *q;

	if (p->n == p->room) {
		size_t room = p->room ? 2 * p->room : 64;

		q = realloc(p->all, room * sizeof(*q));
		if (!q)
			return -1;
		p->all = q;
		p->room = room;
	}
	q = &p->all[p->n];
	q->text = strdup(text);
	if (!q->text || asprintf(&q->what, "%s%s%s", type, *type && *help ? "  " : "", help) < 0) {
		free(q->text);
		return -1;
	}
	q->erase = erase;
	p->n++;
	return 0;
}

static int add_completion(void *arg, const struct dtrace_completion *c)
{
	struct possibilities *p = arg;

	return add(p, c->text, p->cursor - c->start, c->type, c->help);
}

/* Complete LEN bytes of TEXT as a program that has BEFORE in front. */
static void add_program(
	struct shell *s, struct possibilities *p, const char *before, const char *text, size_t len)
{
	char *program;

	if (asprintf(&program, "%s%.*s", before, (int)len, text) < 0)
		return;
	p->cursor = strlen(program);
	dtrace_complete(s->d, program, (unsigned)p->cursor, add_completion, p);
	free(program);
}

static void add_files(struct possibilities *p, const char *word, size_t len)
{
	char path[4096 + 256], folder[4096];
	size_t parent = len;
	struct dirent *e;
	struct stat st;
	DIR *dir;

	while (parent && word[parent - 1] != '/')
		parent--;
	snprintf(folder, sizeof(folder), "%.*s", (int)parent, word);
	dir = opendir(parent ? folder : ".");
	while (dir && (e = readdir(dir))) {
		if (strncmp(e->d_name, word + parent, len - parent) ||
			(*e->d_name == '.' && len == parent))
			continue;
		snprintf(path, sizeof(path), "%s%s", folder, e->d_name);
		if (!stat(path, &st) && S_ISDIR(st.st_mode))
			snprintf(path, sizeof(path), "%s/", e->d_name);
		else
			snprintf(path, sizeof(path), "%s", e->d_name);
		add(p, path, len - parent, "", "");
	}
	if (dir)
		closedir(dir);
}

struct tool_names {
	struct possibilities *p;
	const char *word;
	size_t len;
};

static void add_tool(void *arg, const char *name)
{
	const struct tool_names *t = arg;

	if (!strncmp(name, t->word, t->len))
		add(t->p, name, t->len, "", "");
}

/* Complete LINE, ":command words", up to LEN. */
static void add_for_command(struct shell *s, struct possibilities *p, const char *line, size_t len)
{
	size_t name = strcspn(line, " \t"), from = len;
	const struct shell_command *c;
	struct tool_names tools;

	if (name >= len) {
		for (unsigned i = 0; (c = shell_command_at(i)); i++)
			if (!strncmp(c->name, line, len))
				add(p, c->name, len, c->usage, c->help);
		return;
	}
	while (line[from - 1] != ' ' && line[from - 1] != '\t')
		from--;
	len -= from;
	if (!strncmp(line, ":set ", 5) || !strncmp(line, ":unset ", 7)) {
		add_program(s, p, "#pragma D option ", line + from, len);
	} else if (!strncmp(line, ":list ", 6)) {
		add_program(s, p, "", line + from, len);
	} else if (!strncmp(line, ":help ", 6)) {
		add_program(s, p, "", line + from, len);
		add_program(s, p, "BEGIN{", line + from, len);
		add_program(s, p, "#pragma D option ", line + from, len);
	} else if (!strncmp(line, ":load ", 6) || !strncmp(line, ":save ", 6)) {
		add_files(p, line + from, len);
	} else if (!strncmp(line, ":tool ", 6)) {
		tools = (struct tool_names){p, line + from, len};
		tool_each(add_tool, &tools);
	}
}

/* ---- what tab does ---- */

/* True if each possibility goes on from what was typed, which ends at END. */
static bool all_go_on(const struct possibilities *p, const char *end)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct possibility *q = &p->all[i];

		if (q->erase != p->all[0].erase || strncmp(q->text, end - q->erase, q->erase) != 0)
			return false;
	}
	return true;
}

/* Returns the number of bytes that all possibilities begin with. */
static size_t common_length(const struct possibilities *p)
{
	size_t len = strlen(p->all[0].text);

	for (size_t i = 1; i < p->n; i++)
		for (size_t k = 0; k < len; k++)
			if (p->all[i].text[k] != p->all[0].text[k])
				len = k;
	return len;
}

/* Print the possibilities, one a line, with their types in a column. */
static void list(const struct possibilities *p)
{
	size_t n = p->n < LISTED_MOST ? p->n : LISTED_MOST;
	struct winsize w = {0};
	int wide = 0, columns;

	ioctl(STDOUT_FILENO, TIOCGWINSZ, &w);
	columns = w.ws_col > 20 ? w.ws_col : 80;
	for (size_t i = 0; i < n; i++)
		if ((int)strlen(p->all[i].text) > wide)
			wide = (int)strlen(p->all[i].text);
	putchar('\n');
	for (size_t i = 0; i < n; i++)
		printf("%-*s  %.*s\n", wide, p->all[i].text,
			columns > wide + 3 ? columns - wide - 3 : 0, p->all[i].what);
	if (n < p->n)
		printf("and %zu more\n", p->n - n);
}

static struct tab decide(const struct possibilities *p, const char *end)
{
	struct tab t = {0};
	size_t len;

	if (!p->n)
		return t;
	len = common_length(p);
	if (all_go_on(p, end) ? len > p->all[0].erase : p->n == 1) {
		t.erase = (unsigned)p->all[0].erase;
		t.insert = strndup(p->all[0].text, len);
	} else if (p->n > 1) {
		list(p);
		t.listed = true;
	}
	return t;
}

struct tab shell_complete(struct shell *s, const char *line, size_t cursor)
{
	struct possibilities p = {0};
	const char *start = line + strspn(line, " \t");
	char *before = NULL;
	struct tab t;

	if (!s->text && *start == ':' && start < line + cursor)
		add_for_command(s, &p, start, (size_t)(line + cursor - start));
	else if (asprintf(&before, "%s%s", s->text ? s->text : "", s->text ? "\n" : "") >= 0)
		add_program(s, &p, before, line, cursor);
	t = decide(&p, line + cursor);
	free(before);
	for (size_t i = 0; i < p.n; i++) {
		free(p.all[i].text);
		free(p.all[i].what);
	}
	free(p.all);
	return t;
}
