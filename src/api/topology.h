/* SPDX-License-Identifier: Apache-2.0 */
/* topology: where each CPU is, as D text for the libraries. */
#ifndef API_TOPOLOGY_H
#define API_TOPOLOGY_H

#include "base/arena.h"

/*
 * The inlines _cpu_chip[int cpu] and _cpu_node[int cpu], physical package and NUMA node of a CPU,
 * as the files below SYSFS (/sys/devices/system) tell them; what these don't tell is 0.  Where all
 * CPUs have the same they are constants.  In the arena.
 */
const char *topology_text(struct arena *a, const char *sysfs);

#endif
