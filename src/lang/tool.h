/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tool: "#pragma tool" lines, by which a script declares what it is for and which parameters it
 * takes.  Other implementations ignore them and run the script with the defaults.
 *
 *	#pragma tool usage "opensnoop: files as they are opened"
 *	#pragma tool param p pid "only this process"
 *	inline pid_t p = 0;
 *
 * A parameter is the inline that follows its line.  The compiler reads the lines as it parses;
 * tool_scan() reads them before, as they decide what the words of the command line mean.
 */
#ifndef LANG_TOOL_H
#define LANG_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct arena;

/* What the inline of a parameter must be. */
enum param_class { PARAM_INT, PARAM_TEXT, PARAM_ANY };

enum param_kind {
#define PARAM(name, word, klass, help) PARAM_KIND_##name,
#include "lang/param.def"
#undef PARAM
	PARAM_KINDS
};

/* A row of param.def. */
struct param_type {
	const char *name, *word, *help;
	enum param_class klass;
};

const struct param_type *tool_param_type(enum param_kind kind);

/* A parameter: one letter is an option -p, more are --name. */
struct script_param {
	const char *name, *help;
	enum param_kind kind;
	const char *initial; /* the default, as D text; tool_scan() only */
	bool is_text;	     /* the inline is a string; tool_scan() only */
};

/* The value that a parameter was given. */
struct param_value {
	const char *name;
	const char *text; /* NULL: it has a number only */
	int64_t number;
	bool is_process; /* the number is one's */
};

/* A line: either member is NULL. */
struct tool_line {
	const char *usage;
	struct script_param *param;
};

/*
 * Reads TEXT, which follows "#pragma tool", into *LINE.  Returns NULL, or what is wrong with it.
 * Texts belong to the arena.
 */
const char *tool_line(struct arena *a, const char *text, struct tool_line *line);

/* What a script declares. */
struct tool {
	const char *usage; /* NULL: nothing */
	VEC(struct script_param) params;
	bool targets;	   /* the script mentions $target, the process of -p or -c */
	const char *error; /* NULL, or what is wrong with line number LINE */
	unsigned line;
};

/* Finds the lines in the text of a script, LEN bytes. */
void tool_scan(struct arena *a, const char *text, size_t len, struct tool *t);

#endif
