/* SPDX-License-Identifier: Apache-2.0 */
/*
 * output: the stream that a sink writes to, and what freopen(), ftruncate() and system() do to it.
 *
 * The original stream is the caller's and is never closed here; a file that freopen() named is
 * opened and closed here.  Functions return 0 or a negative errno.
 */
#ifndef PRINT_OUTPUT_H
#define PRINT_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct packet;

struct output {
	FILE *original, *stream; /* the same until freopen() */
	char *path;		 /* that freopen() named; NULL */
	bool failed;		 /* that file could not be written */
	bool was_empty;		 /* the file that freopen() named, then */
	bool capture;		 /* it holds packets: text goes to the original stream */
	uint32_t link;		 /* their link type */
	bool aside;		 /* the standard output is somebody else's: not for commands */
};

/* Text. */
int output_write(struct output *o, const void *data, size_t len);
int output_flush(struct output *o);

/*
 * Appends output to PATH from now on; "" = writes to the original stream again.  On failure nothing
 * changes.  The caller has flushed.
 */
int output_reopen(struct output *o, const char *path);

static inline bool output_redirected(const struct output *o)
{
	return o->stream != o->original;
}

/*
 * Append P to the file that freopen() named, which becomes a capture: text that has gone there
 * since then is moved to the original stream.  A file that was a capture before is continued.
 * -EPROTOTYPE: the packets in it are of another link type.
 */
int output_capture(struct output *o, const struct packet *p);

/* Empties the file; does nothing if the output is not a file. */
int output_truncate(struct output *o);

/*
 * Run COMMAND with the shell and wait for it.  Its standard output is this process's (or, if it is
 * not for commands, our standard error output), or the file that freopen() put in its place.  The
 * caller has flushed; how COMMAND ends is its own business.
 */
int output_system(struct output *o, const char *command);

/* Goes back to the original stream. */
void output_close(struct output *o);

#endif
