/* SPDX-License-Identifier: Apache-2.0 */
/*
 * INVARIANT(cond): COND holds here, or the program has a defect that would show elsewhere or never.
 *
 * Builds with INVARIANTS (SAN=1, the unit tests and dtrace-scarce of make check-hostile) print COND
 * and abort(3).  In other builds COND is compiled, but not evaluated: it must have no effects, and
 * what it guards against must be harmless there or do what it did before.  Not for what a user, a
 * file or the kernel can cause: that is an error.
 */
#ifndef BASE_INVARIANT_H
#define BASE_INVARIANT_H

#ifdef INVARIANTS

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((noreturn, cold, unused)) static void invariant_broken(
	const char *file, int line, const char *cond)
{
	dprintf(STDERR_FILENO, "dtrace: %s:%d: invariant broken: %s\n", file, line, cond);
	abort();
}

#define INVARIANT(cond) ((cond) ? (void)0 : invariant_broken(__FILE__, __LINE__, #cond))

#else

#define INVARIANT(cond) ((void)(0 && (cond)))

#endif

#endif
