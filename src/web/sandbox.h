/* SPDX-License-Identifier: Apache-2.0 */
/* sandbox: takes from this process all that a server of prepared bytes does not need. */
#ifndef WEB_SANDBOX_H
#define WEB_SANDBOX_H

/*
 * Become user nobody without capabilities, for good, and refuse system calls other than those for
 * memory, time, and descriptors that are open or accepted (seccomp(2)).  0 or a negative errno.
 */
int sandbox_enter(void);

#endif
