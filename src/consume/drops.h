/* SPDX-License-Identifier: Apache-2.0 */
/* drops: what was lost since it was last asked, by cause and CPU, in DTrace's words. */
#ifndef CONSUME_DROPS_H
#define CONSUME_DROPS_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/kernel.h"

struct drops;

/* FD is the map DT_MAP_DROPS (borrowed), or -1: nothing is ever dropped. NULL: no memory. */
struct drops *drops_new(int fd);
void drops_free(struct drops *d);

/* The consumer itself has lost N so far for CAUSE, one that the programs do not count. */
void drops_set(struct drops *d, enum dt_drop cause, uint64_t n);

/*
 * Report each increase since the last call as a line without newline ("3 drops on CPU 1"; with
 * TAGS "[DTRACEDROP_PRINCIPAL] 3 drops on CPU 1"). 0 or -errno.
 */
int drops_report(struct drops *d, bool tags, void (*line)(void *arg, const char *text), void *arg);

#endif
