/* SPDX-License-Identifier: Apache-2.0 */
/*
 * named: the processes that a session is told of before it begins: those of -p and -c, and those
 * that parameters of a script name.  What is known of them before anything fires is known when they
 * end.
 */
#ifndef SESSION_NAMED_H
#define SESSION_NAMED_H

#include <sys/types.h>

struct dtrace;

/* Calls FN for each of them; one that was named twice comes twice. */
void named_each(struct dtrace *d, void (*fn)(struct dtrace *d, pid_t pid));

#endif
