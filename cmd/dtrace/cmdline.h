/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmdline: sorts the words of the command line into flags, operands and a mode.  Knows the flags
 * and which of them can be combined, not what they do.
 */
#ifndef CMD_CMDLINE_H
#define CMD_CMDLINE_H

#include <stdbool.h>
#include <stdio.h>

enum command_mode {
	MODE_TRACE,
	MODE_LIST,
	MODE_VERSION,
	MODE_DOCTOR,
	MODE_HEADER,
	MODE_LINK,
	MODE_VIEW,
	MODE_TOOLS, /* list them */
	MODE_HELP,
	MODE_EXAMPLES,
	MODE_SCHEMA,
	MODE_FLEET,
	MODE_RELEASE, /* --version */
	MODE_COMPLETE,
	MODE_SHELL,
	MODE_AGENT,
};

/* Exit statuses of the command; exit() in D can set others. */
enum { STATUS_OK = 0, STATUS_ERROR = 1, STATUS_USAGE = 2 };

/* Long options, in place of a letter. */
enum {
	FLAG_BEFORE = 1, /* getopt_long()'s operands are 1 */
#define WORD(id, word, argument, takes, usage, help) FLAG_##id,
#include "flags.def"
	FLAG_END,
	FLAG_LAST = FLAG_END - 1
};

/* The kind of a flag's argument. */
enum flag_takes {
	TAKES_NOTHING,
	TAKES_VALUE, /* something that cannot be completed */
	TAKES_PROGRAM,
	TAKES_PROVIDER, /* the rest of a program, at the level of -P, -m or -f */
	TAKES_MODULE,
	TAKES_FUNCTION,
	TAKES_OPTION,
	TAKES_FORMAT,
	TAKES_FILE,
	TAKES_DIRECTORY,
	TAKES_CGROUP,
	TAKES_COMMAND,
	TAKES_PID,
	TAKES_TOOL,
};

/* A row of flags.def. */
struct flag_info {
	const char *letter; /* without "-"; NULL: it is a word */
	const char *word;   /* without "--"; NULL: it is a letter */
	bool takes_argument, optional;
	enum flag_takes takes;
	const char *usage, *help;
};

/* Returns row I of flags.def, from 0; NULL: there are fewer.  In usage.c. */
const struct flag_info *flag_at(unsigned i);

struct flag {
	int letter;
	char *arg; /* borrowed from argv; NULL = the flag takes none */
};

/* A parameter of a script and its value; NULL for one that takes none. */
struct param_setting {
	const struct dtrace_param *param;
	const char *text;
};

struct cmdline {
	enum command_mode mode;
	bool compile_only;  /* -e */
	unsigned verbose;   /* how often -v was given */
	bool fail_on_drops; /* --fail-on-drops */
	bool buffered;	    /* -B */
	bool top;	    /* --top */
	const char *view;   /* --view */
	const char *schema; /* --schema */
	const char *fleet;  /* --fleet */
	const char *diff;   /* --diff */
	struct flag *flags; /* in the order given */
	int nflags;
	char **operands; /* words that are neither flags nor their arguments */
	int noperands;
	struct tool_words *tool; /* of a script that declares parameters; NULL: of none */
};

/* The words after the name of a script that declares parameters: they are its own. */
struct tool_words {
	struct dtrace_script *script;
	char *path; /* of the script */
	bool help;  /* -h */
	struct param_setting *settings;
	int nsettings;
};

/* Fill in CL.  Returns STATUS_OK, or STATUS_USAGE after a message; call cmdline_free() either way.
 */
int cmdline_parse(struct cmdline *cl, int argc, char **argv);
void cmdline_free(struct cmdline *cl);

/*
 * tool.c: if script PATH declares parameters, take the words from ARGV[*I] on as its own, into CL,
 * and set *I behind them.  Returns STATUS_OK, or STATUS_USAGE after a message.  NAMED: PATH is the
 * name of a tool.
 */
int tool_take_words(struct cmdline *cl, char *path, bool named, char **argv, int *i);
void tool_free(struct tool_words *t);

/* tool.c: print the help of the script that CL has, or the list of tools.  Returns a status. */
int tool_help(const struct cmdline *cl);
int tool_list(void);
/* Call VISIT with the name of each tool, in order. */
void tool_each(void (*visit)(void *arg, const char *name), void *arg);
/* Returns what tool NAME declares, to free with dtrace_script_free(); NULL: there is none. */
struct dtrace_script *tool_read(const char *name);
/* Returns option I, from 0, that each script with parameters has, without "--"; NULL: fewer. */
const char *tool_common_option(unsigned i, const char **help);

/* Print the usage text to OUT. */
void cmdline_print_usage(FILE *out);

/* Print the usage text on stderr.  Returns STATUS_USAGE. */
int cmdline_usage(void);

#endif
