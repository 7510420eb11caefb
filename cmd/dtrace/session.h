/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session: the data that the parts of the command share: the library's handle, the programs and the
 * outputs.  main.c fills it in and frees it.
 */
#ifndef CMD_SESSION_H
#define CMD_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "progress.h"

struct cmdline;
struct dtrace_agent;
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
	bool is_new; /* FILE was made by this command */
	long before; /* its size when it was opened; -1: it is no regular file */
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
	int64_t width;	      /* of the terminal that the text goes to, as option width; 0: none */
	struct place *faults; /* fault.c's: the places that faulted */
	struct repeated *repeated; /* fault.c's: the messages that were printed */
	bool count_faults;	   /* equal messages are counted */
	struct top *top;	   /* --top; NULL: without */
	FILE *older;		   /* --diff; NULL: none */
	bool fail_on_drops;
	bool buffered; /* -B */
	bool verbose, compile_only;
	bool details; /* reports have what DTrace's have not */
};

/* list.c: run -l.  Returns an exit status. */
int list_probes(struct session *s);

/* header.c: check the flags of -h; run it.  Both return an exit status. */
int header_check(const struct session *s);
int header_make(struct session *s);

/* link.c: check the operands of -G; run it.  Both return an exit status. */
int link_check(const struct cmdline *cl);
int link_make(struct session *s, const struct cmdline *cl);

/*
 * conf.c: read /etc/dtrace.conf and set its limits, unless the real user is root.  Call it before
 * anything is compiled.  Returns an exit status.
 */
int conf_read(struct dtrace *d);

/* As above, for --agent: pass on the other sections.  There has to be a file. */
int conf_read_agent(struct dtrace *d, struct dtrace_agent *a);

/* agent.c: run --agent.  Returns an exit status. */
int agent_run(struct dtrace *d);

/* doctor.c: run --doctor, with the --output of CL.  Returns the exit status. */
int doctor_run(struct dtrace *d, const struct cmdline *cl);

/*
 * advise.c: advise if words are given, but no program; if -p does not limit what is traced, or
 * $target is no process.
 */
void advise_no_program(struct session *s, const struct cmdline *cl);
void advise_target(struct session *s, const struct cmdline *cl);

/* help.c: print --version, --help and --examples, with the operands of CL.  Return exit statuses.
 */
int help_version(void);
int help_print(struct dtrace *d, const struct cmdline *cl);
int help_examples(const struct cmdline *cl);
/* main.c: parse and run a command line.  Returns the exit status. */
int command_main(int argc, char **argv);

/*
 * shell.c: run the interactive shell, with the command line that started it.  Returns the exit
 * status.
 */
int shell_run(struct dtrace *d, const struct cmdline *cl, int argc, char **argv);

/* complete.c: complete the last of the operands of --complete.  Returns the exit status. */
int complete_run(struct dtrace *d, const struct cmdline *cl);

/* view.c: pass the saved session FILE, "-" for stdin, to the outputs.  Returns the exit status. */
int view_run(struct session *s, const char *file);

/*
 * Let the outputs compare with the saved session FILE.  Returns an exit status; view_close() closes
 * the file.
 */
int view_compare(struct session *s, const char *file);
void view_close(struct session *s);

/* fleet.c: serve the page of --fleet until ^C.  Returns the exit status. */
int fleet_run(struct dtrace *d, const struct cmdline *cl);

/* report.c: print the -v report of a program; of one probe. */
void report_program(struct session *s, const struct command *c);
void report_probe(struct session *s, const struct dtrace_probe *p);

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
/*
 * The handler for dtrace_set_message_handler().  On a terminal the messages of faults that differ
 * at most in the address are counted; fault_step() prints how many there are, once a second each,
 * and fault_flush() at once.
 */
void fault_message(void *arg, const char *text);
void fault_step(struct session *s);
void fault_flush(struct session *s);

/*
 * top.c: prepare --top before the outputs are opened; take the terminal; look at keys and the
 * window's size after each dtrace_session_work(); give the terminal back and print what was kept.
 * 0, or -1 after a message.
 */
int top_prepare(struct session *s);
int top_open(struct session *s);
void top_step(struct session *s);
void top_close(struct session *s);
/* Give the terminal back: the process is about to end.  Async-signal-safe. */
void top_abandon(const struct session *s);

/* streams.c: add ARG, the value of an --output.  Returns STATUS_OK, or STATUS_USAGE after a
 * message. */
int streams_add(struct session *s, char *arg);
/* Read ARG, the port of --web; NULL: any, 0.  Returns STATUS_OK, or STATUS_USAGE after a message.
 */
int streams_port(const char *arg, uint16_t *port);
/* Start the server of --web at port ARG; NULL: any.  Returns an exit status. */
int streams_web(struct session *s, const char *arg);
/* Open the files of --output and -o for the library.  Returns an exit status. */
int streams_open(struct session *s);
/* Set option width to the window's if the text goes to a terminal, unless the user has set it. */
void streams_fit(struct session *s);
/* Flush the files.  Returns 0, or an errno with the file's name in *NAME. */
int streams_flush(struct session *s, const char **name);
/* Remove what was written to files of --output, and files that did not exist. */
void streams_undo(struct session *s);
int streams_close(struct session *s);

/*
 * main.c: flush all outputs.  ERR is the errno of a write that failed before, 0 = unknown.  Returns
 * STATUS_OK, or STATUS_ERROR after a message.
 */
int session_flush(struct session *s, int err);

/*
 * input.c: open PATH to look at it, if it is a regular file: others have nothing left for who reads
 * them after that, or let us wait.  NULL and errno.
 */
FILE *input_look(const char *path);

/*
 * Opens PATH to read it.  A FIFO without a writer is waited for, and a message says so.  NULL and
 * errno.
 */
FILE *input_open(const char *path);

/*
 * If PATH is a FIFO, waits for its reader, and a message says so.  Pass what it returns to
 * output_awaited() when PATH has been opened: until then it keeps the reader from its end.
 */
int output_await(const char *path);
void output_awaited(int fd);

#endif
