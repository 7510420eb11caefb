/* SPDX-License-Identifier: Apache-2.0 */
/* trial: functions on which it is tried what a uprobe in code of our own does to it. */
#ifndef ARCH_TRIAL_H
#define ARCH_TRIAL_H

#include <stdint.h>

/* uint64_t f(uint64_t n): returns N.  A uprobe is placed at OFFSET, bytes from CODE. */
struct trial {
	uint8_t code[20];
	uint64_t offset;
};

/*
 * Keeps N where a call would write at the place, if the kernel replaces what is there by a call;
 * NULL: no kernel does so on this machine.
 */
const struct trial *trial_replaced(void);

/* Has N in the register of its result at the place. */
const struct trial *trial_written(void);

#endif
