// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* Claims and releases the scratch slots of a CPU. */
#include "rt/rt.h"

const volatile struct dt_conf dt_conf SEC(DT_SEC_CONF);

/* Weak: the compiler's object has its own when its programs use scratch. */
__weak struct rt_scratch dt_scratch SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__type(key, __u32);
	__type(value, __u64);
	__uint(max_entries, 1);
} dt_scratch_busy SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__type(key, __u32);
	__type(value, struct dt_kept);
	__uint(max_entries, 1);
} dt_scratch_kept SEC(".maps");

/* Bit n is set while slot n of this CPU is in use. */
static inline __u64 *busy_word(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&dt_scratch_busy, &zero);
}

/*
 * Programs stay on their CPU but can be preempted and interrupted there, so the bit is taken
 * with one atomic instruction.
 */
ulong dt_scratch_claim(void)
{
	__u64 *busy = busy_word();
	__u32 n;

	if (!busy)
		return ~0ul;
	for (n = 0; n < DT_SCRATCH_SLOTS; n++) {
		__u64 bit = 1ull << n;

		if (*(volatile __u64 *)busy & bit)
			continue;
		if (!(__sync_fetch_and_or(busy, bit) & bit))
			return (ulong)bpf_get_smp_processor_id() * DT_SCRATCH_SLOTS + n;
	}
	return ~0ul;
}

ulong dt_scratch_release(ulong slot)
{
	__u64 *busy = busy_word();

	if (!busy || slot / DT_SCRATCH_SLOTS != bpf_get_smp_processor_id())
		return 0;
	__sync_fetch_and_and(busy, ~(1ull << (slot % DT_SCRATCH_SLOTS)));
	return 0;
}

/*
 * Where BPF has no such instruction (before Linux 5.12) a program is not preempted.  What
 * interrupts it has put back all that it took when the program goes on.
 */
ulong dt_scratch_claim_plain(void)
{
	volatile __u64 *busy = busy_word();
	__u32 n;

	if (!busy)
		return ~0ul;
	for (n = 0; n < DT_SCRATCH_SLOTS; n++) {
		__u64 bit = 1ull << n, word = *busy;

		if (word & bit)
			continue;
		*busy = word | bit;
		return (ulong)bpf_get_smp_processor_id() * DT_SCRATCH_SLOTS + n;
	}
	return ~0ul;
}

ulong dt_scratch_release_plain(ulong slot)
{
	volatile __u64 *busy = busy_word();

	if (busy && slot / DT_SCRATCH_SLOTS == bpf_get_smp_processor_id())
		*busy &= ~(1ull << (slot % DT_SCRATCH_SLOTS));
	return 0;
}

ulong dt_drop(ulong which)
{
	count_drop((__u32)which);
	return 0;
}

static inline struct dt_kept *kept_slots(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&dt_scratch_kept, &zero);
}

ulong dt_scratch_keep(ulong slot, ulong firing)
{
	struct dt_kept *kept = kept_slots();

	if (kept && slot / DT_SCRATCH_SLOTS == bpf_get_smp_processor_id())
		kept->firing[slot % DT_SCRATCH_SLOTS] = firing;
	return 0;
}

ulong dt_scratch_find(ulong firing)
{
	struct dt_kept *kept = kept_slots();
	__u32 n;

	for (n = 0; kept && n < DT_SCRATCH_SLOTS; n++)
		if (kept->firing[n] == firing)
			return (ulong)bpf_get_smp_processor_id() * DT_SCRATCH_SLOTS + n;
	return ~0ul;
}
