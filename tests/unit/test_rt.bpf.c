// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* Calls the run-time functions on behalf of test_rt.c: one program a function. */
#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>

#include "abi/kernel.h"

/* Shaped like what the compiler makes. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, 4096);
	__uint(max_entries, 1);
} dt_scratch SEC(".maps");

/* Arguments, then the result. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__type(key, __u32);
	__type(value, __u64[8]);
	__uint(max_entries, 1);
} call SEC(".maps");

#define RESULT 5

static inline unsigned long *call_args(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&call, &zero);
}

#define P_0 void
#define P_1 unsigned long
#define P_2 P_1, unsigned long
#define P_3 P_2, unsigned long
#define P_4 P_3, unsigned long
#define P_5 P_4, unsigned long
#define A_0
#define A_1 a[0]
#define A_2 A_1, a[1]
#define A_3 A_2, a[2]
#define A_4 A_3, a[3]
#define A_5 A_4, a[4]

#define RT(name, nargs, reads, stack)                \
	extern unsigned long name(P_##nargs);        \
	SEC("dt/" #name)                             \
	int test_##name(void *ctx)                   \
	{                                            \
		unsigned long *a = call_args();      \
                                                     \
		if (a)                               \
			a[RESULT] = name(A_##nargs); \
		return 0;                            \
	}
#include "abi/runtime.def"

char test_license[] SEC("license") = "Dual BSD/GPL";
