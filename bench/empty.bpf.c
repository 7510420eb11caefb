// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* An empty program: the least cost of tracing a system call. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

SEC("tp_btf/sys_enter")
int empty(void *ctx)
{
	return 0;
}

char _license[] SEC("license") = "Dual BSD/GPL";
