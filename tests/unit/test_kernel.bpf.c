// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* Calls src/rt/kernel.bpf.c and path.bpf.c on behalf of test_kernel.c. */
#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>

#include "abi/kernel.h"

extern unsigned long dt_progenyof(unsigned long, unsigned long, unsigned long);
extern unsigned long dt_chill(unsigned long);
extern unsigned long dt_psargs(unsigned long, unsigned long);
extern unsigned long dt_d_path(
	unsigned long, unsigned long, unsigned long, unsigned long, unsigned long);

/* Shaped like what the compiler makes. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, 4096);
	__uint(max_entries, 1);
} dt_scratch SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__type(key, __u32);
	__type(value, __u64[8]);
	__uint(max_entries, 1);
} call SEC(".maps");

/* The arguments; the result goes to where the first is. */
static inline __u64 *args(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&call, &zero);
}

/* () -> number of the process */
SEC("dt/tgid")
int tgid(void *ctx)
{
	__u64 *a = args();

	if (a)
		a[0] = bpf_get_current_pid_tgid() >> 32;
	return 0;
}

SEC("dt/progenyof")
int progenyof(void *ctx)
{
	__u64 *a = args();

	if (a)
		a[0] = dt_progenyof(a[0], bpf_get_current_task(), a[1]);
	return 0;
}

SEC("dt/chill")
int chill(void *ctx)
{
	__u64 *a = args();

	if (a)
		a[0] = dt_chill(a[0]);
	return 0;
}

/* (slot, dst) */
SEC("dt/psargs")
int psargs(void *ctx)
{
	__u64 *a = args();

	if (a)
		a[0] = dt_psargs(a[0], a[1]);
	return 0;
}

/* (slot, dst, path, tmp) */
SEC("dt/d_path")
int d_path(void *ctx)
{
	__u64 *a = args();

	if (a)
		a[0] = dt_d_path(a[0], a[1], a[2], 0, a[3]);
	return 0;
}

static inline __u64 pointer_at(__u64 address)
{
	__u64 p = 0;

	bpf_probe_read_kernel(&p, sizeof(p), (void *)address);
	return p;
}

/* (descriptor, offsets of task_struct.files, files_struct.fdt, fdtable.fd) -> its struct file */
SEC("dt/file_of")
int file_of(void *ctx)
{
	__u64 *a = args(), fds;

	if (!a)
		return 0;
	fds = pointer_at(pointer_at(pointer_at(bpf_get_current_task() + a[1]) + a[2]) + a[3]);
	a[0] = pointer_at(fds + a[0] * 8);
	return 0;
}

char test_license[] SEC("license") = "Dual BSD/GPL";
