/* SPDX-License-Identifier: Apache-2.0 */
/* uprobe_try: tries what uprobes in code of our own do to it. */
#ifndef LOAD_UPROBE_TRY_H
#define LOAD_UPROBE_TRY_H

/*
 * Attaches PROG to a 5-byte NOP in a function that keeps a number in its red zone (System V ABI for
 * x86-64, 3.2.2), and calls that.  From Linux 6.18 some kernels replace the NOP, when it has been
 * hit once, by a call (arch/x86/kernel/uprobes.c), which writes its return address there.  0: the
 * number stays; -EFAULT: it changes; or another -errno: it cannot be tried.  Takes about 1 ms.
 */
int uprobe_try_nop5(int prog);

#define TRIAL_RESULT 42

/*
 * Attaches PROG, which writes TRIAL_RESULT to the saved rax, and looks if that has an effect.  0;
 * -EOPNOTSUPP: it has none; or another -errno: the kernel does not attach it.
 */
int uprobe_try_write(int prog);

#endif
