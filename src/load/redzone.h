/* SPDX-License-Identifier: Apache-2.0 */
/* redzone: tries whether a uprobe at a 5-byte NOP changes what a function has below rsp. */
#ifndef LOAD_REDZONE_H
#define LOAD_REDZONE_H

/*
 * Attaches PROG to a NOP in code of our own, which keeps a number in its red zone (System V ABI for
 * x86-64, 3.2.2), and runs that.  From Linux 6.18 some kernels replace the NOP, when it has been
 * hit once, by a call (arch/x86/kernel/uprobes.c), which writes its return address there.  0: the
 * number stays; -EFAULT: it changes; or another -errno: it cannot be tried.  Takes about 1 ms.
 */
int redzone_try(int prog);

#endif
