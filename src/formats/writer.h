/* SPDX-License-Identifier: Apache-2.0 */
/*
 * writer: output formats that are consumers of the public interface (dtrace/dtrace.h): they see
 * what any program that uses the library can see, and nothing else.
 */
#ifndef FORMATS_WRITER_H
#define FORMATS_WRITER_H

#include <stdio.h>

#include <dtrace/dtrace.h>

/* How rows are sent (docs/fleet.md); times are in nanoseconds. */
struct writer_sending {
	uint64_t interval;	 /* that a row is about: whole seconds */
	uint64_t batch, limit;	 /* between two batches; for sending the rest at the end */
	const char *program;	 /* name of the D program */
	const char *credentials; /* file; NULL: none */
	const char *authority;	 /* file of certificates to trust; NULL: the system's */
	const char *spool;	 /* folder of what waits */
	uint64_t spool_bytes, spool_age;
	uint64_t rate; /* rows a second, beyond which the writer fails; UINT64_MAX: no limit */
};

/* What results are about, for the title of a picture; NULL or 0: unknown. */
struct writer_about {
	const char *saved;   /* the file that they were read from; NULL: they are new */
	const char *name;    /* a script's, or NULL */
	const char *program; /* the text of the D program, or its script's path */
	const char *command; /* that was traced */
	const char *host;
	uint64_t time; /* when tracing began, seconds since 1970 */
};

/* Of the session, for documents that say what they are. */
struct writer_info {
	const char *version; /* of this program */
	bool pretty;	     /* indented, for people */
	bool flow;	     /* option flowindent */
	/* The options that the text of the session depends on, as for -x; NULL ends them.  May be
	 * NULL. */
	const char *const *options;
	const char *ending; /* of the file's name, one of the format's; "" = it has none */
	/*
	 * Of a format that is written as a whole: the file, which the writer may also replace while
	 * tracing (out/file.h); of one that is sent: the address; of a folder: its name, with '/'.
	 * NULL: a stream.
	 */
	const char *path;
	bool listens;	   /* PATH is an address to listen at */
	uint64_t interval; /* ns between two readings of aggregations while tracing */
	/* Nothing that is shown can have a stack, or a distribution.  False: it can, or is unknown.
	 */
	bool no_stacks, no_distributions;
	const char *format; /* its name */
	/* Tells the user TEXT, one line without a newline, like a message about drops. */
	void (*say)(void *arg, const char *text);
	void *say_arg;
	bool no_times; /* ... nor a count() or sum() a key of type walltime_t */
	/* Where to say, in a few words that stay valid, why a function of the writer failed. */
	const char **problem;
	struct writer_about about;
	const struct writer_sending *sending; /* of formats that send rows; else NULL */
};

/* CONSUMER's functions write to the stream; release() frees what its arg points to. */
struct writer {
	struct dtrace_consumer consumer;
	/*
	 * Of formats that compare: receives the older results, up to finish(), before CONSUMER
	 * receives anything.
	 */
	struct dtrace_consumer older;
	/*
	 * Receives an aggregation right before clear() or trunc() changes it, and again AFTER it,
	 * both times as it was last read.  May be NULL.
	 */
	int (*changing)(void *arg, const struct dtrace_table *t, bool after);
	void (*release)(void *arg);
};

struct writer_format {
	const char *name, *help;
	/* 0 or -ENOMEM; OUT stays the caller's. NULL: the text output, which is not a writer */
	int (*open)(FILE *out, const struct writer_info *info, struct writer *w);
	bool threads;  /* its consumer wants the thread of each record */
	bool hidden;   /* not for --output: a value of option oformat */
	bool compares; /* it shows what changed since older results */
	bool folders;  /* it writes a file for each table if the name ends with '/' */
	/*
	 * Of formats that are written as a whole at the end: how the file's name may end, divided
	 * by blanks, the first for streams; "" = any name will do.  NULL: it is written as the
	 * results come.
	 */
	const char *endings;
	uint64_t interval; /* struct writer_info's, unless option aggrate is set */
	/* HOST:PORT, or the URL, of a format that is sent over a network, unless another one is
	 * given. */
	const char *address;
	bool sends;   /* rows, as struct writer_sending says */
	bool listens; /* where an address (web_parse_address()) is given instead of a file */
};

/* Tell the user one line, after the name of the format; long ones are cut. */
void writer_say(const struct writer_info *info, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
