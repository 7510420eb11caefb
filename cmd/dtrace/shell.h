/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shell: the interactive shell.  Each program runs in a process of its own, as if it had been given
 * with -n; the shell's own session is for completion, help and the options that :set sets.
 */
#ifndef CMD_SHELL_H
#define CMD_SHELL_H

#include <stdbool.h>
#include <stddef.h>

struct cmdline;
struct dtrace;
struct editor;

struct shell {
	struct dtrace *d;
	char **words; /* the command line that started it, without --shell */
	int nwords;
	char **options; /* of :set, "name=value" */
	unsigned noptions;
	char *text; /* the lines of a program that is not finished; NULL: none */
	char *last; /* the last program; NULL: none */
	struct editor *editor;
};

/* A command of the shell. */
struct shell_command {
	const char *name; /* with its colon */
	const char *usage, *help;
	void (*run)(struct shell *s, const char *words);
};

/* Returns row I, from 0; NULL: there are fewer.  In shell.c. */
const struct shell_command *shell_command_at(unsigned i);

/* ---- shell_line.c: reading lines ---- */

/* Take the terminal, or plain input if stdin is none.  NULL: out of memory. */
struct editor *editor_open(struct shell *s);
void editor_close(struct editor *e);

enum editor_result { EDITOR_LINE, EDITOR_INTERRUPTED, EDITOR_END };

/* Read a line, without its newline, into *LINE, which the caller frees. */
enum editor_result editor_read(struct editor *e, char **line);

/* A signal handler for ^C, and true if it has run since the last editor_read() began. */
void editor_interrupt(int sig);
bool editor_interrupted(void);

/* Keep TEXT in the history. */
void editor_remember(struct editor *e, const char *text);

/* ---- shell_tab.c: completion ---- */

/* What a key for completion does to the line that is edited. */
struct tab {
	unsigned erase; /* bytes before the cursor */
	char *insert;	/* in their place; NULL: nothing */
	bool listed;	/* the possibilities were printed: the line has to be shown again */
};

/* Complete LINE, which goes on after the cursor at byte CURSOR.  Free tab.insert. */
struct tab shell_complete(struct shell *s, const char *line, size_t cursor);

#endif
