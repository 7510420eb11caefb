// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Includes the part of the run-time library that is linked by itself if a program calls nothing
 * else.  To link all of it takes 8 ms, more than a short program takes for everything else.
 */
#include "rt/exec.bpf.c"

char dt_license[] SEC("license") = "Dual BSD/GPL";
