/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report: messages from the stages of a session to its owner: the error that ended a call,
 * messages, listings and debugging lines.
 *
 * The library prints nothing by itself: messages go to the handler, listings to the stream that
 * the owner chose.
 */
#ifndef BASE_REPORT_H
#define BASE_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct report {
	struct arena *arena; /* of the session; holds the texts */
	const char *error;   /* of the last call that failed; "" = none failed */
	const char *hint;    /* on that error; NULL = none */
	void (*handler)(void *arg, const char *text); /* of messages; NULL = nobody listens */
	void *handler_arg;
	FILE *listing; /* borrowed */
	bool debug;    /* option debug is set */
};

/* Set the error, without a hint.  Returns ERR, a negative errno. */
int report_error(struct report *r, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Set the error "Memory allocation failure".  Returns -ENOMEM; needs no memory. */
int report_no_memory(struct report *r);

/* Give the handler one message, without a newline. */
void report_message(struct report *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Write "libdtrace DEBUG <seconds>: text" to the listing if option debug is set. */
void report_debug(const struct report *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Returns CLOCK_MONOTONIC in nanoseconds, and the milliseconds since SINCE on that clock. */
uint64_t report_now(void);
double report_ms(uint64_t since);

#endif
