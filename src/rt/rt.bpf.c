// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* Includes the whole run-time library as one unit: one object to embed, without a linking step. */
#include "rt/scratch.bpf.c"
#include "rt/strings.bpf.c"
#include "rt/search.bpf.c"
#include "rt/convert.bpf.c"
#include "rt/net.bpf.c"
#include "rt/json.bpf.c"
#include "rt/aggs.bpf.c"
#include "rt/spec.bpf.c"
#include "rt/over.bpf.c"
#include "rt/kernel.bpf.c"
#include "rt/path.bpf.c"
#include "rt/cgroup.bpf.c"
#include "rt/each.bpf.c"
#include "rt/unwind.bpf.c"
#include "rt/stacks.bpf.c"
#include "rt/usdt.bpf.c"
#include "rt/follow.bpf.c"

char dt_license[] SEC("license") = "Dual BSD/GPL";
