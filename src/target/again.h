/* SPDX-License-Identifier: Apache-2.0 */
/* again: has a process that stands right after execve(2) make the same call once more. */
#ifndef TARGET_AGAIN_H
#define TARGET_AGAIN_H

#include <sys/types.h>

/*
 * Tracing begins after the call that started the program, whose memory has to be there for its
 * probes to be found.  The call is repeated with the arguments that the kernel has put on the new
 * stack (System V ABI for x86-64, 3.4.1), so that proc:::exec-success is seen.
 *
 * PID is seized, has STOP_OPTIONS and stands where stop_after_exec() left it; afterwards it stands
 * there again: 0.  1: it has died, *STATUS is waitpid(2)'s.  Negative errno: it was left as it was,
 * as a 32-bit process is.
 */
int exec_again(pid_t pid, int *status);

#endif
