/* SPDX-License-Identifier: Apache-2.0 */
/* functions: the kernel functions that can be traced, as ftrace lists them. */
#ifndef LOAD_FUNCTIONS_H
#define LOAD_FUNCTIONS_H

#include <stdint.h>

#include "base/arena.h"
#include "load/feature.h"

/*
 * Call VISIT for each, in the kernel's order, with its module ("vmlinux": none) and address (0 on
 * kernels before 6.5, which do not list them); names live in A.  0 or -errno: there is no tracefs,
 * or no function tracer.
 */
int load_functions(struct features *f, struct arena *a,
	void (*visit)(void *arg, const char *module, const char *name, uint64_t addr), void *arg);

#endif
