// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* Tells whether an instruction of user code that was hit leaves its function. */
#include "rt/rt.h"
#include "abi/returns.h"
#include "abi/usdt.h"
#include "arch/arch.bpf.h"
#include "arch/arch.h"
#include "rt/operand.h"

/* The loader sets how many sites there are. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, sizeof(struct dt_return_site));
	__uint(max_entries, 1);
} dt_return_sites SEC(".maps");

/* Returns 1 if the indirect jump at S goes to none of its function's ranges. */
static __always_inline ulong goes_out(const struct dt_return_site *s)
{
	__u64 target;
	ulong inside = 0;

	if (s->target.kind == DT_USDT_REG)
		target = register_value(&s->target);
	else if (read_operand(s->pc, &s->target, &target))
		return 0; /* the jump itself will fault */
	target -= user_reg(ARCH_REG_PC);
	for (int i = 0; i < DT_LEAVE_RANGES; i++)
		inside |= (__s64)target >= s->inside[i].from && (__s64)target < s->inside[i].to;
	return !inside;
}

static __always_inline const struct dt_return_site *find_return(ulong site)
{
	__u32 key = (__u32)site;

	return site == key ? bpf_map_lookup_elem(&dt_return_sites, &key) : NULL;
}

ulong dt_leaves(ulong site)
{
	const struct dt_return_site *s = find_return(site);

	if (!s)
		return DT_STAYS;
	switch (s->kind) {
	case DT_LEAVE_RETURN:
		return DT_LEAVES_BY_RETURN;
	case DT_LEAVE_JUMP:
		return DT_LEAVES_BY_JUMP;
	case DT_LEAVE_IF:
		return arch_holds(user_reg(ARCH_REG_FLAGS), s->cc) ? DT_LEAVES_BY_JUMP : DT_STAYS;
	default:
		return goes_out(s) ? DT_LEAVES_BY_JUMP : DT_STAYS;
	}
}

ulong dt_return_depth(void)
{
	__u64 task = (__u64)bpf_get_current_task(), utask;
	__u32 depth;

	if (KREAD(utask, task, task_utask) || !utask || KREAD(depth, utask, utask_depth))
		return 0;
	return depth;
}

ulong dt_return_offset(ulong site)
{
	const struct dt_return_site *s = find_return(site);

	return s ? (ulong)s->offset : 0;
}

/* Returns what the thread has of the machine's features; all, if they cannot be read. */
static __always_inline ulong features(void)
{
	__u32 at = dt_conf.at.task_features;
	ulong found = 0;

	if (at == DT_OFFSET_UNKNOWN)
		return 0;
	if (bpf_probe_read_kernel(&found, sizeof(found), (void *)bpf_get_current_task() + at))
		return ~0ul;
	return found;
}

/*
 * Another tracer's program may have carried out the instruction already, so ip must still be at the
 * breakpoint.
 */
ulong dt_return_address(ulong site)
{
	const struct dt_return_site *s = find_return(site);
	__u64 ip;

	if (!s || !s->carry)
		return 0;
	ip = user_reg(ARCH_REG_PC);
	if ((ip ^ s->pc) & 0xfff)
		return 0;
	return arch_return_address(ip, user_reg(ARCH_REG_MODE), user_reg(ARCH_REG_SP), features());
}
