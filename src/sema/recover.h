/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recover: going on after an error, so that one run shows all of them, and only them: what a
 * declaration or clause with an error would have defined is not reported as undefined.
 */
#ifndef SEMA_RECOVER_H
#define SEMA_RECOVER_H

#include <stdbool.h>

struct item;
struct sema;

/* IT had an error: take note of what it would have defined. */
void recover_from(struct sema *s, const struct item *it);

/*
 * Notes that the last error is about a name, which something with an error may have been about to
 * define.
 */
void recover_name(struct sema *s, const char *prefix, const char *name);

/* True if the last error is a consequence of an earlier one. */
bool recover_is_consequence(struct sema *s);

#endif
