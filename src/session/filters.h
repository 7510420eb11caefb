/* SPDX-License-Identifier: Apache-2.0 */
/* filters: which tasks are traced (options cgroup and pidns). */
#ifndef SESSION_FILTERS_H
#define SESSION_FILTERS_H

struct dtrace;
struct target;

/*
 * Find what the options name and put it into T, for which code is generated.  0 or a negative
 * errno and an error that says which option is wrong and why.
 */
int filters_resolve(struct dtrace *d, struct target *t);

/*
 * Returns a descriptor of control group NAME, a directory or its path below the root; or a negative
 * errno and an error that begins with WHAT.
 */
int filters_open_group(struct dtrace *d, const char *what, const char *name);

/* Give the loaded programs the control group to trace.  0 or a negative errno and an error. */
int filters_install(struct dtrace *d);

#endif
