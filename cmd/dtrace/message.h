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
 * explain.c, with option explain, which main.c turns on where stderr is a terminal: the errors of
 * the failed compilation, each with its source line, a caret and what may help.  LABEL stands for
 * the file of a command-line program.
 */
void message_diagnostics(const struct dtrace *d, const char *label);

/* explain.c, with option explain: what may help against the failure just shown. */
void message_hint(const struct dtrace *d);

#endif
