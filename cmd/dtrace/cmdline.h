/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmdline: sorts the words of the command line into flags, operands and a mode.  Knows the flags
 * and which of them can be combined, not what they do.
 */
#ifndef CMD_CMDLINE_H
#define CMD_CMDLINE_H

#include <stdbool.h>

enum command_mode { MODE_TRACE, MODE_LIST, MODE_VERSION, MODE_DOCTOR, MODE_HEADER, MODE_LINK };

/* Exit statuses of the command; exit() in D can set others. */
enum { STATUS_OK = 0, STATUS_ERROR = 1, STATUS_USAGE = 2 };

/* Long options, in place of a letter. */
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
	char *arg; /* borrowed from argv; NULL = the flag takes none */
};

struct cmdline {
	enum command_mode mode;
	bool compile_only;  /* -e */
	bool verbose;	    /* -v */
	bool fail_on_drops; /* --fail-on-drops */
	bool buffered;	    /* -B */
	struct flag *flags; /* in the order given */
	int nflags;
	char **operands; /* words that are neither flags nor their arguments */
	int noperands;
};

/* Fill in CL.  Returns STATUS_OK, or STATUS_USAGE after a message; call cmdline_free() either way.
 */
int cmdline_parse(struct cmdline *cl, int argc, char **argv);
void cmdline_free(struct cmdline *cl);

/* Print the usage text on stderr.  Returns STATUS_USAGE. */
int cmdline_usage(void);

#endif
