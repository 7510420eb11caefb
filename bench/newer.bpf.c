// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Functions that newer kernels have, and the helpers that our programs call instead: the
 * difference is seen before a feature row is made.  Each program does its work ROUNDS times and
 * leaves the time in `ns`.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#define ROUNDS 100000
#define SIZE   256 /* strsize */

volatile __u64 ns, sum;

struct args {
	__u64 text; /* an address of the caller */
};

/* include/uapi/linux/bpf.h and kernel/bpf/bpf_iter.c; libbpf's header declares them from 1.2 on */
#ifndef bpf_for_each
struct bpf_iter_num {
	__u64 opaque[1];
} __attribute__((aligned(8)));
extern int bpf_iter_num_new(struct bpf_iter_num *it, int start, int end)
	__attribute__((section(".ksyms")));
extern int *bpf_iter_num_next(struct bpf_iter_num *it) __attribute__((section(".ksyms")));
extern void bpf_iter_num_destroy(struct bpf_iter_num *it) __attribute__((section(".ksyms")));
#endif
/* kernel/bpf/helpers.c, Linux 6.12 */
extern int bpf_copy_from_user_str(void *to, __u32 size, const void *from, __u64 flags)
	__attribute__((section(".ksyms")));

static long step(__u32 i, void *ctx)
{
	sum += i;
	return 0;
}

SEC("syscall")
int loop_helper(struct args *a)
{
	__u64 start = bpf_ktime_get_ns();

	bpf_loop(ROUNDS, step, NULL, 0);
	ns = bpf_ktime_get_ns() - start;
	return 0;
}

SEC("syscall")
int loop_iterator(struct args *a)
{
	__u64 start = bpf_ktime_get_ns();
	struct bpf_iter_num it;
	int *i;

	bpf_iter_num_new(&it, 0, ROUNDS);
	while ((i = bpf_iter_num_next(&it)))
		sum += (__u32)*i;
	bpf_iter_num_destroy(&it);
	ns = bpf_ktime_get_ns() - start;
	return 0;
}

static long read_helper(__u32 i, void *text)
{
	char to[SIZE];

	return bpf_probe_read_user_str(to, sizeof(to), *(void **)text) < 0;
}

SEC("syscall")
int string_helper(struct args *a)
{
	__u64 start = bpf_ktime_get_ns();
	void *text = (void *)a->text;

	bpf_loop(ROUNDS, read_helper, &text, 0);
	ns = bpf_ktime_get_ns() - start;
	return 0;
}

static long read_kfunc(__u32 i, void *text)
{
	char to[SIZE];

	return bpf_copy_from_user_str(to, sizeof(to), *(void **)text, 0) < 0;
}

SEC("syscall")
int string_kfunc(struct args *a)
{
	__u64 start = bpf_ktime_get_ns();
	void *text = (void *)a->text;

	bpf_loop(ROUNDS, read_kfunc, &text, 0);
	ns = bpf_ktime_get_ns() - start;
	return 0;
}

char _license[] SEC("license") = "Dual BSD/GPL";
