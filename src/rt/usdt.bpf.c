// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Reads the arguments of USDT probes.  The registers are those that the current task has saved on
 * its way into the kernel: within a uprobe these are what the process had at the probed
 * instruction, wherever the program's context is.
 */
#include "rt/rt.h"
#include "abi/usdt.h"

/* The loader sets how many sites there are. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, sizeof(struct dt_usdt_site));
	__uint(max_entries, 1);
} dt_usdt_sites SEC(".maps");

/*
 * The word at a constant offset of the saved registers is loaded without a call.  A compiler that
 * saw the loads would make one of them, with an offset that the verifier does not know.
 */
#define LOAD_REG(reg)                                                                          \
	case reg:                                                                              \
		__asm__ volatile("%0 = *(u64 *)(%1 + %2)" : "=r"(*out) : "r"(regs), "i"(reg)); \
		break

/* Register REG of the current task into *OUT; 0 if there is no such register. */
static inline void user_reg(__u8 reg, __u64 *out)
{
	long regs;

	*out = 0;
	if (reg > DT_REG_LAST)
		return;
	regs = bpf_task_pt_regs(bpf_get_current_task_btf());
	switch (reg) {
		LOAD_REG(DT_REG_R15);
		LOAD_REG(DT_REG_R14);
		LOAD_REG(DT_REG_R13);
		LOAD_REG(DT_REG_R12);
		LOAD_REG(DT_REG_RBP);
		LOAD_REG(DT_REG_RBX);
		LOAD_REG(DT_REG_R11);
		LOAD_REG(DT_REG_R10);
		LOAD_REG(DT_REG_R9);
		LOAD_REG(DT_REG_R8);
		LOAD_REG(DT_REG_RAX);
		LOAD_REG(DT_REG_RCX);
		LOAD_REG(DT_REG_RDX);
		LOAD_REG(DT_REG_RSI);
		LOAD_REG(DT_REG_RDI);
		LOAD_REG(DT_REG_RIP);
		LOAD_REG(DT_REG_RSP);
	}
}

/* Returns the address that OP, of memory, is about, without the bias of the file's addresses. */
static inline __u64 operand_address(const struct dt_usdt_operand *op)
{
	__u64 base, index;

	user_reg(op->base, &base);
	user_reg(op->index, &index);
	return base + (index << (op->shift & 3)) + (__u64)op->number;
}

/* Returns VALUE's low BYTES, extended by SIZE. */
static inline __u64 extended(__u64 value, __s8 size)
{
	__u32 bytes = size < 0 ? -size : size, off = (64 - bytes * 8) & 63;

	value <<= off;
	return size < 0 ? (__u64)((__s64)value >> off) : value >> off;
}

/* Reads an operand; *VALUE is the bias of the file's addresses, then the result. */
static inline ulong operand_value(const struct dt_usdt_operand *op, __u64 *value)
{
	__u64 addr, bytes = op->size < 0 ? -op->size : op->size;

	if (op->kind == DT_USDT_CONST) {
		*value += (__u64)op->number;
	} else if (op->kind == DT_USDT_REG) {
		user_reg(op->base, value);
		*value >>= op->shift & 63;
	} else {
		addr = *value + operand_address(op);
		*value = 0;
		if (bytes > sizeof(*value))
			return DT_FAULT_ILLOP;
		if (bpf_probe_read_user(value, bytes, (void *)addr)) {
			*value = addr;
			return DT_FAULT_BADADDR;
		}
	}
	*value = extended(*value, op->size);
	return 0;
}

/*
 * Returns eight bytes at DST of the slot, which need not have room for a string; NULL: there is
 * none.
 */
static inline char *eight_bytes(ulong slot, ulong dst)
{
	ulong size = dt_conf.scratch_size;
	struct rt_mem mem = {0};
	__u32 key = (__u32)slot;

	if (slot != key || size < sizeof(__u64))
		return NULL;
	mem.slot = bpf_map_lookup_elem(&dt_scratch, &key);
	return mem.slot ? rt_at(&mem, dst, size - sizeof(__u64)) : NULL;
}

ulong dt_usdt_arg(ulong site, ulong n, ulong slot, ulong dst)
{
	const struct dt_usdt_operand *op;
	const struct dt_usdt_site *s;
	__u32 key = (__u32)site;
	ulong fault = 0;
	long i;
	__u64 value = 0;
	char *to = eight_bytes(slot, dst);

	if (!to)
		return DT_FAULT_NOSCRATCH;
	i = rt_bounded(n, DT_USDT_NARGS - 1);
	s = site == key ? bpf_map_lookup_elem(&dt_usdt_sites, &key) : NULL;
	if (s && i >= 0) {
		op = &s->arg[i];
		if (op->moves) {
			user_reg(DT_REG_RIP, &value);
			value -= s->pc;
		}
		if (op->kind == DT_USDT_NONE)
			value = 0;
		else if (op->kind >= DT_USDT_UNKNOWN)
			fault = DT_FAULT_ILLOP;
		else
			fault = operand_value(op, &value);
	}
	*(__u64 *)to = value;
	return fault;
}
