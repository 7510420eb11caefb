/* SPDX-License-Identifier: Apache-2.0 */
/*
 * runtime: the rows of runtime.def: the run-time functions, the data that they read, and the
 * stack that they take.  Constant tables, nothing to free.
 */
#ifndef ABI_RUNTIME_H
#define ABI_RUNTIME_H

#include <linux/types.h>

/* The maps of the run-time library, by number, for loops over them. */
enum rt_map {
#define RT_MAP(id, name) RT_MAP_##id,
#include "abi/runtime.def"
	RT_MAP_MAX,
};

/* Bits of rt_function.reads: a map, named as in runtime.def, or one of the two after them. */
enum rt_reads {
#define RT_MAP(id, name) RT_##id = 1u << RT_MAP_##id,
#include "abi/runtime.def"
	RT_OFFSETS = 1u << RT_MAP_MAX,	  /* dt_conf.at: where members of kernel structs are */
	RT_EACH = 1u << (RT_MAP_MAX + 1), /* calls dt_each(), which the compiler makes */
};

/* Bits of what functions look for in kernel structs, RT_LOOKS() in runtime.def. */
enum rt_looks {
	RT_LOOKS_FAMILY = 1u << 0,  /* the parents of a process */
	RT_LOOKS_ARGS = 1u << 1,    /* its arguments */
	RT_LOOKS_PATH = 1u << 2,    /* the path of a file */
	RT_LOOKS_CGROUP = 1u << 3,  /* control groups */
	RT_LOOKS_PIDNS = 1u << 4,   /* numbers in another pid namespace */
	RT_LOOKS_USTACK = 1u << 5,  /* user stacks */
	RT_LOOKS_BIO = 1u << 6,	    /* the parts of a request to a disk */
	RT_LOOKS_RETURNS = 1u << 7, /* calls whose returns the kernel remembers */
	RT_LOOKS_TLS = 1u << 8,	    /* memory of the current thread */
};

struct rt_function {
	const char *name;
	int nargs;
	__u32 reads; /* enum rt_reads; also of the functions that it calls */
	/*
	 * Bytes of stack that it takes with its callees, except dt_each(): the frames of the
	 * deepest chain of calls, each rounded up to RT_STACK_UNIT.
	 */
	__u32 stack;
};

/* Kernels before 6.10 round each frame up to so many bytes (kernel/bpf/verifier.c), later to 16. */
#define RT_STACK_UNIT 32

/* How much of the run-time library programs call. */
enum rt_needs {
	RT_NEEDS_NOTHING,
	RT_NEEDS_ALONE, /* functions of src/rt/alone.bpf.c */
	RT_NEEDS_ALL,
};

/* Returns what a program needs that calls F, RT_NEEDS_ALONE or RT_NEEDS_ALL. */
enum rt_needs rt_function_needs(const struct rt_function *f);

/* Returns the name of map number I of enum rt_map. */
const char *rt_map_name(unsigned i);
/*
 * Returns the bits of enum rt_reads for the map named NAME; 0 if it is not one of the run-time's.
 */
__u32 rt_map_bit(const char *name);
/* Returns the row of function NAME, NULL if there is none. */
const struct rt_function *rt_function(const char *name);
/* Returns the bits of enum rt_looks of F. */
__u32 rt_function_looks(const struct rt_function *f);
/* Returns row number I, NULL after the last. */
const struct rt_function *rt_function_at(unsigned i);

#endif
