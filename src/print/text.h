/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text: records and tables as dtrace(8) prints them: a consumer of the public interface
 * (dtrace/dtrace.h), like the other formats.
 */
#ifndef PRINT_TEXT_H
#define PRINT_TEXT_H

#include <dtrace/dtrace.h>

#include "print/output.h"
#include "print/pcap.h"
#include "print/print.h"

/* Questions about the item that is handed over, which only a session can answer. */
struct text_hooks {
	void *arg;
	/* Append the text of the format of the item that is handed over; 0 or a negative errno. */
	int (*format)(void *arg, struct printer *pr);
	/* True if the first value of that item is a constant of the program. */
	bool (*literal)(void *arg);
	/* Tell the user why that item could not be carried out. */
	void (*failed)(void *arg, const char *why);
};

struct text_output {
	struct printer *pr;
	struct flow flow;
	struct output out;
	struct viewers viewers;
	const struct text_hooks *hooks; /* NULL: a saved session's */
	bool begun;			/* a record was seen: the header is out, or is not wanted */
};

/*
 * Begins *T, which prints into PR's buffer; with OUT that is written there, and PR must be part of
 * nobody else's output.  All stay the caller's.
 */
void text_output_begin(
	struct text_output *t, struct printer *pr, FILE *out, const struct text_hooks *hooks);

/* Frees what *T has; what was not written stays in the buffer. */
void text_output_end(struct text_output *t);

/* The functions of a consumer, whose arg is a struct text_output. */
struct dtrace_consumer text_consumer(struct text_output *t);

/* The newline that ends the records, and the one after ^C. */
int text_newline(struct text_output *t);

/* Appends the columns that begin R, and what the text of item I is; nothing is written. */
int text_put_prefix(struct text_output *t, const struct dtrace_record *r);
int text_put_item(
	struct text_output *t, const struct dtrace_record *r, const struct dtrace_item *i);

/*
 * A consumer that prints a saved session to OUT, which stays the caller's.  freopen() is not
 * carried out; what was printed to other files is left out.  ftruncate() is, system() is not.
 * OPTIONS are read at each use.  NULL: no memory.  text_saved_free() frees it.
 */
struct text_saved;
struct text_saved *text_saved_new(
	FILE *out, const struct print_options *options, struct dtrace_consumer *to);
void text_saved_free(struct text_saved *t);

#endif
