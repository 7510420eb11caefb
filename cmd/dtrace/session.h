/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session: the data that the parts of the command share: the library's handle, the programs and the
 * outputs.  main.c fills it in and frees it.
 */
#ifndef CMD_SESSION_H
#define CMD_SESSION_H

#include <stdbool.h>
#include <stdio.h>

#include "progress.h"

struct cmdline;
struct dtrace_probe;

/* One program of the command line. */
struct command {
	int letter;	  /* s, or one of P m f n i */
	const char *text; /* the script's path, or the program itself */
	int name_len;	  /* length of the part that names the program in messages */
	struct dtrace_prog *prog;
};

/* An --output=FORMAT[:FILE]. */
struct output_stream {
	const char *format;
	const char *file; /* NULL: the file of -o */
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
	struct place *faults; /* fault.c's: the places that faulted */
	bool fail_on_drops;
	bool buffered; /* -B */
	bool verbose, compile_only;
};

/* list.c: run -l.  Returns an exit status. */
int list_probes(struct session *s);

/* header.c: check the flags of -h; run it.  Both return an exit status. */
int header_check(const struct session *s);
int header_make(struct session *s);

/* link.c: check the operands of -G; run it.  Both return an exit status. */
int link_check(const struct cmdline *cl);
int link_make(struct session *s, const struct cmdline *cl);

/* doctor.c: run --doctor, with the --output of CL.  Returns the exit status. */
int doctor_run(struct dtrace *d, const struct cmdline *cl);

/* report.c: print the -v report of a program; of one probe. */
void report_program(struct session *s, const struct command *c);
void report_probe(FILE *out, const struct dtrace_probe *p);

/* trace.c: enable the probes, then print until the end.  Returns the exit status. */
int trace_run(struct session *s);

/* buffered.c: set up the output of -B.  Returns 0, or -1 after a message. */
int buffered_open(struct session *s);

/*
 * fault.c: with option explain, show where faults happen.  Returns 0, or -1 after a message.
 * fault_close() frees what was kept.
 */
int fault_open(struct session *s);
void fault_close(struct session *s);

/* streams.c: add ARG, the value of an --output.  Returns STATUS_OK, or STATUS_USAGE after a
 * message. */
int streams_add(struct session *s, char *arg);
/* Open the files of --output and -o for the library.  Returns an exit status. */
int streams_open(struct session *s);
/* Flush the files.  Returns 0, or an errno with the file's name in *NAME. */
int streams_flush(struct session *s, const char **name);
int streams_close(struct session *s);

/*
 * main.c: flush all outputs.  ERR is the errno of a write that failed before, 0 = unknown.  Returns
 * STATUS_OK, or STATUS_ERROR after a message.
 */
int session_flush(struct session *s, int err);

#endif
