/* SPDX-License-Identifier: Apache-2.0 */
/* args: a probe's arguments, their types and the places that their values come from. */
#ifndef PROBE_ARGS_H
#define PROBE_ARGS_H

#include <stdbool.h>
#include <stdint.h>

struct type;

/* The place of an argument's value when the probe fires. */
enum arg_where {
	WHERE_ZERO,	 /* none: the argument reads as 0 */
	WHERE_CTX,	 /* 8 bytes at `offset` of the program's context */
	WHERE_REGS,	 /* pt_regs member `member`; the context has the pointer at `offset` */
	WHERE_KERNEL_PC, /* perf event: the interrupted pc if it was in the kernel, else 0 */
	WHERE_USER_PC,	 /* perf event: the interrupted pc if it was in user code, else 0 */
	WHERE_FAULT,	 /* ERROR: fault argument number `offset` */
	WHERE_RECORD, /* trace event: `size` bytes (negative: signed) at `offset` of its record */
	WHERE_RECORD_ADDR, /* trace event: the address of the record's byte `offset` */
	WHERE_RECORD_LOC,  /* trace event: the address in the __data_loc word at `offset` */
	WHERE_REG,	   /* kprobe: pt_regs member `member` of the context itself */
	WHERE_MINUS_ONE,   /* none: the argument reads as -1 */
	WHERE_STACK, /* user code at a function's entry: word `offset` above its return address */
	WHERE_USDT,  /* static probe: argument `offset`, found as the note of the site says */
	WHERE_RETURN_OFFSET, /* user code: the offset of the instruction that leaves the function */
	WHERE_RETURN_VALUE,  /* the function's value; faults if it leaves by a jump */
	WHERE_ITEM, /* argument `offset` of the calls that struct derivation's EACH makes */
};

struct arg_source {
	enum arg_where where;
	uint32_t offset;
	const char *member;
	int8_t size;
};

#define PROBE_NARGS 10

/* For the lists of arch/arch.h: rows of a table of sources. */
#define ARG_IN_REG(name)  {.where = WHERE_REG, .member = (name)},
#define ARG_ON_STACK(n)	  {.where = WHERE_STACK, .offset = (n)},
#define ARG_UNREADABLE(n) {.where = WHERE_ZERO},

/* The arguments of a probe.  arg0 .. arg9 are 64-bit numbers, args[] are typed. */
struct probe_args {
	struct arg_source raw[PROBE_NARGS]; /* of arg0 .. arg9 */
	uint32_t nargs;			    /* the number of args[] */
	/* the type of args[i]; if NULL, dtypes[i] names a type of a D library, or NULL: unknown */
	const struct type *types[PROBE_NARGS];
	const char *dtypes[PROBE_NARGS];
	const char *xtypes[PROBE_NARGS]; /* the D type it is translated to; NULL: not translated */
	const char *names[PROBE_NARGS];	 /* as the kernel or the program has them; NULL: unknown */
	uint8_t from[PROBE_NARGS];	 /* args[i] is the value of arg `from[i]` */
	bool has_errno; /* errno is -arg0 if that is in -4095..-1: the return of a system call */
	const char *untyped; /* why the types of args[] are unknown; NULL: they are known */
	bool user_ptrs;	     /* the pointers among args[] are to user memory */
	uint32_t valueless;  /* bits: the arguments of `raw` that never have a value here */
	const char *why_valueless;
};

#endif
