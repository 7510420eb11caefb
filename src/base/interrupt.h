/* SPDX-License-Identifier: Apache-2.0 */
/*
 * interrupt: counts the requests to end that came while the program runs.
 *
 * Who reads a file of somebody else may read for long.  Such a loop remembers the count and stops
 * when it has grown.  What begins later is read again: after the first request the names in the
 * last results are still looked up.  This is the only state of the library that is not a session's:
 * the readers of files know of no session, and a request ends whatever is being read.
 */
#ifndef BASE_INTERRUPT_H
#define BASE_INTERRUPT_H

/* Counts a request.  Signal handlers may call it. */
void interrupt_note(void);

/* Returns the number of requests so far. */
unsigned interrupt_count(void);

#endif
