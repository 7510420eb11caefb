/* SPDX-License-Identifier: Apache-2.0 */
/* look: asks everything about types that a reader of damaged input has made. */
#ifndef FUZZ_LOOK_H
#define FUZZ_LOOK_H

struct type;

/*
 * Ask about TYPE and the types that it is made of.  Members can lead from one type to the next for
 * ever: *BUDGET is the number of types that are left to look at.
 */
void look_at_type(const struct type *type, unsigned *budget);

/* The same of a function type and its parameters. */
void look_at_function(const struct type *func, unsigned *budget);

#endif
