/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session: what the parts of the command share: the library's handle, the programs and where
 * output goes.  main.c fills it and frees it.
 */
#ifndef CMD_SESSION_H
#define CMD_SESSION_H

#include <stdbool.h>
#include <stdio.h>

#include <dtrace/dtrace.h>

#include "progress.h"

struct cmdline;

/* One program of the command line. */
struct command {
	int letter;	  /* s, or one of P m f n i */
	const char *text; /* the script's path, or the program itself */
	int name_len;	  /* how much of it names the program in notices and reports */
	struct dtrace_prog *prog;
};

/* An --output=FORMAT[:FILE]. */
struct output_stream {
	const char *format;
	const char *file; /* NULL: where -o goes */
	FILE *out;
};

struct session {
	struct dtrace *d;
	struct command *commands;
	int ncommands;
	const char *output; /* -o */
	FILE *out;
	struct output_stream *streams; /* --output */
	int nstreams;
	struct progress progress;
	bool fail_on_drops;
	bool buffered; /* -B */
	bool verbose, compile_only;
};

/* list.c: -l. STATUS_OK or STATUS_ERROR. */
int list_probes(struct session *s);

/* header.c: -h. The exit status. */
int header_check(const struct session *s);
int header_make(struct session *s);

/* link.c: -G, with the operands of CL. The exit status. */
int link_check(const struct cmdline *cl);
int link_make(struct session *s, const struct cmdline *cl);

/* doctor.c: --doctor, with the --output of CL. The exit status. */
int doctor_run(struct dtrace *d, const struct cmdline *cl);

/* report.c: what -v says about a program. */
void report_program(struct session *s, const struct command *c);
void report_probe(FILE *out, const struct dtrace_probe *p);

/* trace.c: enable, consume, print until the end; the exit status. */
int trace_run(struct session *s);

/* buffered.c: results go where -B wants them. 0, or -1 and it was said why not. */
int buffered_open(struct session *s);

/* streams.c: note ARG, an --output; STATUS_OK, or STATUS_USAGE when it was wrong. */
int streams_add(struct session *s, char *arg);
/* Open them, and -o, and give them to the library. */
int streams_open(struct session *s);
/* Write out what is buffered in the files; 0 or an errno, and *NAME is of which. */
int streams_flush(struct session *s, const char **name);
int streams_close(struct session *s);

/*
 * main.c: write out what is buffered; STATUS_ERROR and a message when that fails, or when a write
 * before it had failed: ERR is its errno, 0 = unknown.
 */
int session_flush(struct session *s, int err);

#endif
