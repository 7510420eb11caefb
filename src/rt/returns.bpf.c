// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* Tells whether an instruction of user code that was hit leaves its function. */
#include "rt/rt.h"
#include "abi/returns.h"
#include "abi/usdt.h"
#include "rt/operand.h"

/* The loader sets how many sites there are. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, sizeof(struct dt_return_site));
	__uint(max_entries, 1);
} dt_return_sites SEC(".maps");

/* EFLAGS (Intel SDM, volume 1, 3.4.3) */
enum { CF = 0, PF = 2, ZF = 6, SF = 7, OF = 11 };

static __always_inline ulong flag(__u64 flags, int bit)
{
	return flags >> bit & 1;
}

/* Returns 1 if condition CC holds (Intel SDM, volume 1, appendix B): its lowest bit negates. */
static __always_inline ulong holds(__u8 cc)
{
	__u64 f = user_reg(DT_REG_FLAGS);
	ulong less = flag(f, SF) ^ flag(f, OF), is;

	switch (cc >> 1 & 7) {
	case 0:
		is = flag(f, OF);
		break;
	case 1:
		is = flag(f, CF);
		break;
	case 2:
		is = flag(f, ZF);
		break;
	case 3:
		is = flag(f, CF) | flag(f, ZF);
		break;
	case 4:
		is = flag(f, SF);
		break;
	case 5:
		is = flag(f, PF);
		break;
	case 6:
		is = less;
		break;
	default:
		is = less | flag(f, ZF);
	}
	return is ^ (cc & 1);
}

/* Returns 1 if the indirect jump at S goes to none of its function's ranges. */
static __always_inline ulong goes_out(const struct dt_return_site *s)
{
	__u64 target;
	ulong inside = 0;

	if (s->target.kind == DT_USDT_REG)
		target = register_value(&s->target);
	else if (read_operand(s->pc, &s->target, &target))
		return 0; /* the jump itself will fault */
	target -= user_reg(DT_REG_RIP);
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
		return holds(s->cc) ? DT_LEAVES_BY_JUMP : DT_STAYS;
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

#define BREAKPOINT 0xcc
#define USER_CS	   0x33 /* of 64-bit code: arch/x86/include/asm/segment.h */
#define SHSTK	   1ul	/* ARCH_SHSTK_SHSTK of arch/x86/include/uapi/asm/prctl.h */
#define USER_BITS  47	/* of addresses, with page tables of four levels */

/* Returns 1 if the thread has a shadow stack, on which a return must take place as well. */
static __always_inline ulong has_shadow_stack(void)
{
	__u32 at = dt_conf.at.task_features;
	ulong features = 0;

	if (at == DT_OFFSET_UNKNOWN)
		return 0;
	if (bpf_probe_read_kernel(&features, sizeof(features), (void *)bpf_get_current_task() + at))
		return 1;
	return features & SHSTK;
}

/*
 * Another tracer's program may have carried out the instruction already, so ip must still be at the
 * breakpoint.
 */
ulong dt_return_address(ulong site)
{
	const struct dt_return_site *s = find_return(site);
	__u64 ip, to = 0;
	__u8 byte = 0;

	if (!s || !s->carry)
		return 0;
	ip = user_reg(DT_REG_RIP);
	if (((ip ^ s->pc) & 0xfff) || user_reg(DT_REG_CS) != USER_CS || has_shadow_stack())
		return 0;
	if (bpf_probe_read_user(&byte, 1, (void *)ip) || byte != BREAKPOINT)
		return 0;
	if (bpf_probe_read_user(&to, sizeof(to), (void *)user_reg(DT_REG_RSP)))
		return 0;
	return to >> USER_BITS ? 0 : to;
}
