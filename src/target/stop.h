/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stop: a process that we created and seized, brought to where it is to be held (option evaltime).
 *
 * Knows ptrace(2), the System V ABI's start of a process (AT_ENTRY, AT_BASE) and the dynamic
 * linkers' meeting point with debuggers (_dl_debug_state, <link.h>'s struct r_debug); nothing of
 * lists of targets.  What it changes in the process it has put back when it returns, also in the
 * children that the process has made meanwhile.
 */
#ifndef TARGET_STOP_H
#define TARGET_STOP_H

#include <stdbool.h>
#include <sys/types.h>

#include "target/target.h"

/* ptrace(2)'s, of PTRACE_SEIZE. */
#define STOP_OPTIONS (PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC)

/* waitpid(2) for PID, of whatever kind, that no signal interrupts. */
pid_t stop_waitpid(pid_t pid, int *status, int flags);

/*
 * Wait until PID has called execve(2): 0, or has died: 1, and *STATUS is that of waitpid(2), -1 =
 * unknown; or negative errno.  Other signals go to it.
 */
int stop_after_exec(pid_t pid, int *status);

/*
 * Bring PID, which stands right after execve(2), to WHERE or to the last place before it that can
 * be told: 0, or it has died, 1.  When it calls execve(2) on its way, the new program counts.
 */
int stop_run(pid_t pid, enum target_stop where, int *status);

/*
 * True if PID, which is held after it has executed a set-user-ID or set-group-ID program, does not
 * have its ids, because we hold it and lack CAP_SYS_PTRACE (execve(2)).
 */
bool stop_lost_ids(pid_t pid);

#endif
