/* SPDX-License-Identifier: Apache-2.0 */
/*
 * debug: what option debug tells while it happens, as lines "libdtrace DEBUG <sec>: text" on the
 * stream that listings go to (dtrace_set_dump()).  Knows nothing of what is told.
 */
#ifndef SESSION_DEBUG_H
#define SESSION_DEBUG_H

#include "session/handle.h"

/* One line, without its newline; nothing unless option debug is set. */
void debug(const struct dtrace *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A moment, and the milliseconds since then. */
uint64_t debug_now(void);
double debug_ms(uint64_t since);

#endif
