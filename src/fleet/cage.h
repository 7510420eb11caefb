/* SPDX-License-Identifier: Apache-2.0 */
/* cage: takes from a process that speaks HTTP with libcurl what that does not need. */
#ifndef FLEET_CAGE_H
#define FLEET_CAGE_H

/*
 * Give up all capabilities for good; refuse system calls other than those for connecting, looking
 * up names, threads, memory, time and reading files (seccomp(2)); and, where the kernel has
 * Landlock, read only the system's libraries and configuration, and AUTHORITY, a file that may be
 * NULL. FOLDER, unless NULL, stays writable.  0 or a negative errno.
 */
int cage_enter(const char *authority, const char *folder);

#endif
