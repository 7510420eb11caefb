/* SPDX-License-Identifier: Apache-2.0 */
/* call: system calls as text, for tracesys(). */
#ifndef CALLS_CALL_H
#define CALLS_CALL_H

struct buf;
struct dt_syscall;
struct flag_newer;

/*
 * Prints the system call S, as strace(1) does: name, arguments, result.  NEWER, which may be NULL:
 * names of the running kernel.
 */
void call_print(struct buf *b, const struct dt_syscall *s, const struct flag_newer *newer);

#endif
