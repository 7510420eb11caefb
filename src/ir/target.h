/* SPDX-License-Identifier: Apache-2.0 */
/* target: all that code generation may know of the machine; the compiler asks nobody else. */
#ifndef IR_TARGET_H
#define IR_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/feature.h"

/* The policies for records when the buffer is full. */
enum buffer_policy { POLICY_SWITCH, POLICY_FILL, POLICY_RING };

/* Code of the kernel, as its symbols have it. */
struct kernel_code {
	uint64_t addr, size;
};

#define KERNEL_CODE_MOST 4

struct target {
	bool (*has)(void *arg, enum feature feature); /* does the kernel? NULL: it has nothing */
	void *arg;
	struct types *types;
	uint32_t ncpus; /* possible ones */
	uint32_t page;	/* bytes */
	int64_t cpu;	/* trace on this one only; -1 = all */
	uint32_t strsize, scratchsize, nspec, printsize, pcapsize, loopbound;
	uint32_t maxframes, maxuframes;			 /* of kernel stacks, of user stacks */
	uint64_t bufsize, aggsize, dynvarsize, specsize; /* bytes, as the options say */
	enum buffer_policy policy;
	bool times;	    /* records carry the time */
	bool demangle;	    /* probefunc is a demangled name */
	bool threads;	    /* and the thread that fired the probe */
	bool errexit;	    /* a fault ends tracing */
	uint64_t in_cgroup; /* id: only tasks of the cgroup in DT_MAP_CGROUP, or below; 0 = all */
	uint32_t in_pidns;  /* only tasks that this pid namespace sees; 0 = all */
	uint32_t self;	    /* our process, as `pid` shows it */
	uint32_t own_pidns; /* pids are those of this one; 0 = of the initial one */
	bool aggsize_given;
	bool aggpercpu;	    /* the values of CPUs are kept apart */
	bool bufsize_given; /* the user chose it */
	/*
	 * Finds N labels of the core kernel by name, at most KERNEL_CODE_MOST.  False: some are
	 * unknown, whose address is 0.  NULL: none are known.
	 */
	bool (*code)(const char *const *names, uint32_t n, struct kernel_code *out);
};

/* True if the kernel has FEATURE, which is tried when it is asked for first. */
static inline bool target_has(const struct target *t, enum feature feature)
{
	return t->has && t->has(t->arg, feature);
}

/* The most that option printsize can be. */
#define TARGET_PRINT_MOST 65536

/* Returns the bytes that print() shows if option printsize is N: whole words. */
static inline uint32_t target_print_size(int64_t n)
{
	return n <= 0 || n > TARGET_PRINT_MOST ? 8192 : ((uint32_t)n + 7) & ~7u;
}

#endif
