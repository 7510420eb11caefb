// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* Reads the arguments of USDT probes. */
#include "rt/rt.h"
#include "abi/usdt.h"
#include "rt/operand.h"

/* The loader sets how many sites there are. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, sizeof(struct dt_usdt_site));
	__uint(max_entries, 1);
} dt_usdt_sites SEC(".maps");

/* Returns the site with this number, NULL if there is none; *OP: its operand N. */
static __always_inline const struct dt_usdt_site *find_site(
	ulong site, ulong n, const struct dt_usdt_operand **op)
{
	const struct dt_usdt_site *s;
	__u32 key = (__u32)site;
	long i = rt_bounded(n, DT_USDT_NARGS - 1);

	s = site == key ? bpf_map_lookup_elem(&dt_usdt_sites, &key) : NULL;
	if (!s || i < 0)
		return NULL;
	*op = &s->arg[i];
	return s;
}

ulong dt_usdt_arg(ulong site, ulong n)
{
	const struct dt_usdt_operand *op;
	const struct dt_usdt_site *s = find_site(site, n, &op);
	__u64 value;

	if (!s)
		return 0;
	if (op->kind == DT_USDT_REG)
		return register_value(op);
	return read_operand(s->pc, op, &value) ? (ulong)DT_USDT_FAULTED : value;
}

ulong dt_usdt_fault(ulong site, ulong n, ulong value_wanted)
{
	const struct dt_usdt_operand *op;
	const struct dt_usdt_site *s = find_site(site, n, &op);
	__u64 value = 0;
	ulong fault = 0;

	if (s && op->kind == DT_USDT_REG)
		value = register_value(op);
	else if (s)
		fault = read_operand(s->pc, op, &value);
	return value_wanted ? value : fault;
}
