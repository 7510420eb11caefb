/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * usdt: the places of a USDT probe's arguments, as the kernel side and the user side see them.
 *
 * The consumer reads the text of a site's note (src/usdt/args.h), and puts what it means into the
 * array DT_MAP_USDT_SITES, also while tracing; dt_usdt_arg() (src/rt/usdt.bpf.c) follows it when
 * the site is hit.  Compiled by cc and by clang -target bpf; holds plain data only.
 */
#ifndef ABI_USDT_H
#define ABI_USDT_H

#include <linux/types.h>

#define DT_USDT_NARGS 12

enum dt_usdt_kind {
	DT_USDT_NONE = 0, /* the site has no such argument: reads 0 */
	DT_USDT_CONST,	  /* `number` itself */
	DT_USDT_REG,	  /* the register `base`, shifted right by `shift` bits */
	DT_USDT_MEMORY,	  /* user memory at base + (index << shift) + number */
	DT_USDT_UNKNOWN,  /* there is one, but not in a way that can be followed: faults */
	DT_USDT_KINDS,
};

#define DT_USDT_NO_REG 0xff

/* A register is its byte offset in the kernel's struct pt_regs, or DT_USDT_NO_REG. */
struct dt_usdt_operand {
	__u8 kind;  /* enum dt_usdt_kind */
	__s8 size;  /* bytes: 1, 2, 4 or 8, negative = signed: how the value is extended */
	__u8 base;  /* a register */
	__u8 index; /* DT_USDT_MEMORY: a register */
	__u8 shift; /* DT_USDT_REG: of a part that is not the lowest; DT_USDT_MEMORY: 0..3 for
		       scale 1..8 */
	__u8 moves; /* `number` is an address in the object's file, wherever that is mapped */
	__u8 pad[2];
	__s64 number;
};

/* One place in a file; zeroed = it has no arguments. */
struct dt_usdt_site {
	__u64 pc; /* of the site in the file: where it is hit tells where the file is mapped */
	struct dt_usdt_operand arg[DT_USDT_NARGS];
};

#define DT_MAP_USDT_SITES "dt_usdt_sites"

/*
 * dt_usdt_arg() returns this if it cannot read the argument.  An argument can also have this
 * value, so its caller then asks dt_usdt_fault().
 */
#define DT_USDT_FAULTED (-0x4525228bll)

#endif
