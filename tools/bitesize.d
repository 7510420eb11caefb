#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "bitesize: how large the block I/O of each process is"
#pragma tool param p pid "only I/O that this process starts"
inline pid_t p = 0;
#pragma tool param i int "print every so many seconds, not only at the end"
inline int i = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

BEGIN { printf("Sizes of block I/O, in bytes. Ends with ^C.\n"); }

io:::start /!p || pid == p/ { @[pid, execname] = quantize(args[0]->b_bcount); }

tick-1s /i && ++seconds % (i ? i : 1) == 0/ { printf("\n%Y\n", walltimestamp); printa(@); trunc(@); }
tick-1s /d && ++ticks >= d/ { exit(0); }
END /i/ { printa(@); } /* what came after the last table */
