/* SPDX-License-Identifier: Apache-2.0 */
/*
 * refused: places of enabled probes that the kernel refuses to attach to, or that a provider left
 * out because it would.
 */
#ifndef SESSION_REFUSED_H
#define SESSION_REFUSED_H

struct dtrace;

/*
 * Check after attaching that each clause has a place.  0 or a negative errno, with an error in the
 * report.
 */
int refused_check(struct dtrace *d);

/* Say how many places are left out, and why: one line for each reason. */
void refused_tell(struct dtrace *d);

/* The same of places that came while tracing. */
void refused_tell_late(struct dtrace *d);

#endif
