/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message: what the command says on stderr.  Every line begins with the name that the command was
 * called by.
 */
#ifndef CMD_MESSAGE_H
#define CMD_MESSAGE_H

#include <dtrace/dtrace.h>

#define PRINTF_LIKE(fmt) __attribute__((format(printf, fmt, (fmt) + 1)))

/* The base name of argv[0]. */
const char *message_name(void);

/* "NAME: text" */
void message_line(const char *fmt, ...) PRINTF_LIKE(1);

/* "NAME: text: what the library says went wrong" */
void message_failure(const struct dtrace *d, const char *fmt, ...) PRINTF_LIKE(2);

/* "NAME: text", unless option quiet is set. */
void message_notice(const struct dtrace *d, const char *fmt, ...) PRINTF_LIKE(2);

/*
 * On a terminal: each error of the failed compilation, with its source line and a caret.  LABEL
 * stands for the file of a command-line program.
 */
void message_diagnostics(const struct dtrace *d, const char *label);

/* A handler for dtrace_set_message_handler(). */
void message_handler(void *arg, const char *text);

#endif
