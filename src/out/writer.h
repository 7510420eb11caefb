/* SPDX-License-Identifier: Apache-2.0 */
/*
 * writer: output formats that are consumers of the public interface (dtrace/dtrace.h): they see
 * what any program that uses the library can see, and nothing else.
 */
#ifndef OUT_WRITER_H
#define OUT_WRITER_H

#include <stdio.h>

#include <dtrace/dtrace.h>

/* Of the session, for documents that say what they are. */
struct writer_info {
	const char *version; /* of this program */
	bool pretty;	     /* indented, for people */
};

/* CONSUMER's functions write to the stream; release() frees what its arg points to. */
struct writer {
	struct dtrace_consumer consumer;
	void (*release)(void *arg);
};

struct writer_format {
	const char *name, *help;
	/* 0 or -ENOMEM; OUT stays the caller's. NULL: the text output, which is not a writer */
	int (*open)(FILE *out, const struct writer_info *info, struct writer *w);
	bool hidden; /* not for --output: a value of option oformat */
};

/* NULL-terminated by name. */
extern const struct writer_format writer_formats[];

#endif
