/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmdline: the words of the command line, sorted into flags, operands and a mode.  Knows which
 * letters exist and which go together, not what they do.
 */
#ifndef CMD_CMDLINE_H
#define CMD_CMDLINE_H

#include <stdbool.h>

enum command_mode { MODE_TRACE, MODE_LIST, MODE_VERSION, MODE_DOCTOR, MODE_HEADER, MODE_LINK };

/* Exit statuses of the command itself; exit() in D gives others. */
enum { STATUS_OK = 0, STATUS_ERROR = 1, STATUS_USAGE = 2 };

/* In the place of a letter. */
enum {
	FLAG_OUTPUT = 2,
	FLAG_FAIL_ON_DROPS,
	FLAG_DOCTOR,
	FLAG_CGROUP,
	FLAG_FOLLOW,
	FLAG_PIDNS,
	FLAG_LAST = FLAG_PIDNS
};

struct flag {
	int letter;
	char *arg; /* borrowed from argv; NULL = takes none */
};

struct cmdline {
	enum command_mode mode;
	bool compile_only;  /* -e */
	bool verbose;	    /* -v */
	bool fail_on_drops; /* --fail-on-drops */
	bool buffered;	    /* -B */
	struct flag *flags; /* in the order given */
	int nflags;
	char **operands; /* what is neither a flag nor its argument */
	int noperands;
};

/* STATUS_OK, or STATUS_USAGE when something was wrong and has been said. */
int cmdline_parse(struct cmdline *cl, int argc, char **argv);
void cmdline_free(struct cmdline *cl);

/* Print the usage text on stderr; returns STATUS_USAGE. */
int cmdline_usage(void);

#endif
