/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message: prints messages on stderr.  Every line begins with the name that the command was called
 * by.
 */
#ifndef CMD_MESSAGE_H
#define CMD_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct dtrace;

#define PRINTF_LIKE(fmt) __attribute__((format(printf, fmt, (fmt) + 1)))

/* Returns the base name of argv[0]. */
const char *message_name(void);

/* Print LEN bytes of TEXT to OUT; what a terminal would obey is shown as "\033". */
void message_put_safe(FILE *out, const char *text, size_t len);

/* Print TEXT on stderr, safe if that is a terminal. */
void message_put(const char *text);

/* Print "NAME: text". */
void message_line(const char *fmt, ...) PRINTF_LIKE(1);

/* Print "NAME: text: the library's error". */
void message_failure(const struct dtrace *d, const char *fmt, ...) PRINTF_LIKE(2);

/* Print "NAME: out of memory". */
void message_no_memory(void);

/* Print "NAME: text" unless option quiet is set. */
void message_notice(const struct dtrace *d, const char *fmt, ...) PRINTF_LIKE(2);

/*
 * Print the errors of a failed compilation, each with its source line, a caret and a hint, if
 * option explain is set; main.c sets it if stderr is a terminal.  LABEL is printed in place of a
 * file name for a program from the command line.  False: nothing was printed, DTrace's line says
 * everything.  In explain.c.
 */
bool message_diagnostics(const struct dtrace *d, const char *label);

/* True if option explain is set.  In explain.c. */
bool message_explains(const struct dtrace *d);

/* Print source line LINE with a caret under byte COL, counted from 1.  In explain.c. */
void message_source(const char *line, unsigned col);

/* Print a line of advice if option explain is set.  In explain.c. */
void message_advice(const struct dtrace *d, const char *fmt, ...) PRINTF_LIKE(2);

/* Print the hint on the last failure, if option explain is set.  In explain.c. */
void message_hint(const struct dtrace *d);

#endif
