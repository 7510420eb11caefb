/* SPDX-License-Identifier: Apache-2.0 */
/* topology: the CPUs, nodes, block devices and clock tick of this machine, as D text. */
#ifndef COMPILE_TOPOLOGY_H
#define COMPILE_TOPOLOGY_H

struct arena;

/*
 * The inlines _cpu_chip[int cpu] and _cpu_node[int cpu], physical package and NUMA node of a CPU,
 * as the files below SYSFS (/sys/devices/system) tell them; what these don't tell is 0.  Where all
 * CPUs have the same they are constants.  In the arena.
 */
const char *topology_text(struct arena *a, const char *sysfs);

/*
 * The inline _block_major[int major], the name of the driver that registered this major number of
 * block devices, "<unknown>" if there is none, from the file DEVICES (/proc/devices).
 */
const char *topology_devices(struct arena *a, const char *devices);

/*
 * The inlines _tick_ns: how long a jiffy is, which is as fine as the kernel's coarse clocks are,
 * and _page_size: bytes.
 */
const char *topology_units(struct arena *a);

#endif
