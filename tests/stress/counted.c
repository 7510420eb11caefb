// SPDX-License-Identifier: Apache-2.0
/*
 * counted COMMAND...: run a command, and as long as it runs the kernel counts how often BPF
 * programs run (kernel.bpf_stats_enabled, which ends with the last descriptor of it).
 */
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.enable_stats.type = BPF_STATS_RUN_TIME;
	if (argc < 2)
		return 2;
	/* the kernel closes it on exec: the command gets a copy */
	if (dup(syscall(SYS_bpf, BPF_ENABLE_STATS, &attr, sizeof(attr.enable_stats))) < 0) {
		perror("BPF_ENABLE_STATS");
		return 1;
	}
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 1;
}
