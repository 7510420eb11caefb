/* SPDX-License-Identifier: Apache-2.0 */
/*
 * living: the thread by which /proc shows the memory, files and folders of a process.
 *
 * The first thread of a process may end before the others (pthread_exit(3) in main()).  From then
 * on /proc/PID/maps is empty, and exe, root, cwd, auxv, mem, fd and ns/net are not there; those of
 * another thread, /proc/TID/maps, are.
 */
#ifndef BASE_LIVING_H
#define BASE_LIVING_H

#include <stdbool.h>
#include <sys/types.h>

/* Returns the first thread of process PID, PID itself, or a living one if that has ended. */
pid_t living_thread(pid_t pid);

/* True if process PID has more threads than one, of which the first may end before the others. */
bool living_threads(pid_t pid);

#endif
