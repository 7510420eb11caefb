/* SPDX-License-Identifier: Apache-2.0 */
/*
 * safe: text that a terminal only shows.
 *
 * Control characters other than newline and tab (ECMA-48: C0, DEL and, as UTF-8, C1) and bytes that
 * are no UTF-8 (RFC 3629), which may be C1 to an old terminal, are not.  Nor are those that end
 * lines or change the direction of what follows (Unicode UAX #9, 2; UTR #36, 2.5): a name could
 * move the text around it.
 */
#ifndef BASE_SAFE_H
#define BASE_SAFE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct arena;

/* Returns the bytes of the character at S, of at most LEN > 0, if it is safe; else 0. */
size_t safe_char(const char *s, size_t len);

/* True if all LEN bytes of S are safe. */
bool safe_is(const char *s, size_t len);

/* Returns S if it is safe, else a copy in the arena with the other bytes as "\033". */
const char *safe_text(struct arena *a, const char *s);

/* Returns S, a name, on one line: newlines and tabs as "\n" and "\t", and as safe_text() if
 * TERMINAL. */
const char *safe_line(struct arena *a, const char *s, bool terminal);

/* Writes LEN bytes of S to OUT, as safe_text() if that is a terminal. */
void safe_put(FILE *out, const char *s, size_t len);

#endif
