/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * returns: the instructions with which functions of user code return, as the kernel side and the
 * user side see them.
 *
 * The consumer finds them (src/sym/returns.h) and puts them into the array DT_MAP_RETURN_SITES,
 * also while tracing; dt_leaves() and dt_return_offset() (src/rt/returns.bpf.c) look there when one
 * is hit.  Compiled by cc and by clang -target bpf; holds plain data only.
 */
#ifndef ABI_RETURNS_H
#define ABI_RETURNS_H

#include <linux/types.h>

#include "abi/usdt.h"

/* When the instruction leaves its function. */
enum dt_leave_kind {
	DT_LEAVE_RETURN = 0, /* always: it returns */
	DT_LEAVE_JUMP,	     /* always: it jumps to another function */
	DT_LEAVE_IF,	     /* condition code `cc` holds: Intel SDM, volume 1, appendix B */
	DT_LEAVE_OUT,	     /* the address in `target` is in none of `inside` */
};

#define DT_LEAVE_RANGES 3

/*
 * One instruction; zeroed = it returns.  The ranges are those of the function and its parts, in
 * bytes from the instruction; unused ones are empty.
 */
struct dt_return_site {
	__u64 pc;     /* of the instruction in the file */
	__s64 offset; /* of the instruction in the function: arg0 */
	__u8 kind;    /* enum dt_leave_kind */
	__u8 cc;
	__u8 carry; /* 1: a program may carry the instruction out, see dt_return_address() */
	__u8 pad[5];
	struct dt_usdt_operand target;
	struct {
		__s32 from, to;
	} inside[DT_LEAVE_RANGES];
};

#define DT_MAP_RETURN_SITES "dt_return_sites"

#define DT_RETURNS_KEPT \
	64 /* exchanged addresses of a thread: MAX_URETPROBE_DEPTH (linux/uprobes.h) */

/* dt_leaves() returns one of these. */
enum dt_leaves {
	DT_STAYS = 0,
	DT_LEAVES_BY_JUMP, /* no value is known: another function will return it */
	DT_LEAVES_BY_RETURN,
};

#endif
