/* SPDX-License-Identifier: Apache-2.0 */
/* groups: where control groups of version 2 are mounted. */
#ifndef SESSION_GROUPS_H
#define SESSION_GROUPS_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Reads the next mount of cgroup2 from MOUNTS, /proc/self/mountinfo: where it is, into DIR of
 * PATH_MAX bytes.  *WHOLE: its root is that of the file system, not a group below.  False: there is
 * no other.
 */
bool groups_next(FILE *mounts, char *dir, bool *whole);

#endif
