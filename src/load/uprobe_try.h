/* SPDX-License-Identifier: Apache-2.0 */
/* uprobe_try: tries what uprobes in code of our own do to it. */
#ifndef LOAD_UPROBE_TRY_H
#define LOAD_UPROBE_TRY_H

/*
 * Attaches PROG to an instruction that some kernels replace by a call, which writes its return
 * address where the function keeps a number (trial_replaced()), and calls that.  0: the number
 * stays; -EFAULT: it changes; or another -errno: it cannot be tried.  Takes about 1 ms.
 */
int uprobe_try_nop5(int prog);

#define TRIAL_RESULT 42

/*
 * Attaches PROG, which writes TRIAL_RESULT to the register of a result, and looks if that has an
 * effect.  0; -EOPNOTSUPP: it has none; or another -errno: the kernel does not attach it.
 */
int uprobe_try_write(int prog);

#endif
