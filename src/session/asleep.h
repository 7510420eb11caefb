/* SPDX-License-Identifier: Apache-2.0 */
/* asleep: probes that do not fire because of how their process was started. */
#ifndef SESSION_ASLEEP_H
#define SESSION_ASLEEP_H

#include <stdbool.h>

struct dtrace;

/*
 * Look at the processes of the enabled probes, and tell of those whose probes need a flag that they
 * lack, once each.  What cannot be told yet is looked at with the next call.  ALL: also at those
 * that no description names.
 */
void asleep_check(struct dtrace *d, bool all);

/* True if a clause can have probes that need a flag. */
bool asleep_concerns(struct dtrace *d);

#endif
