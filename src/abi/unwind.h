/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * unwind: the contract between the walker of user stacks (src/rt/unwind.bpf.c) and the loader,
 * which fills its maps (src/load/unwind/unwind.c).  x86-64 only.  Compiled by cc and by clang
 * -target bpf; holds plain data only.
 *
 * All tables and lists are made of pages of 4 KB in one pool, the array of maps DT_MAP_SLABS, each
 * of whose maps is a slab of DT_SLAB_PAGES pages; it grows by a slab at a time.  A page is known by
 * its number in the pool; page 0 is never used.  A page that was given back is not used again
 * before every walk that can have seen it has ended.
 *
 * Of each process DT_MAP_PROCS has a list of its executable mappings; of each object (a file, or
 * the vDSO) there is one table, whatever the number of processes that map it.
 */
#ifndef ABI_UNWIND_H
#define ABI_UNWIND_H

#include <linux/types.h>

#define DT_UNWIND_PAGE 4096
#define DT_SLAB_PAGES  256

/* ---- tables: for each address the rule by which its frame is left ---- */

/*
 * A row is valid from its pc up to the next row's; pc counts from the object's base.  A table is a
 * tree of one to DT_UNWIND_LEVELS levels, whose leaves have the rows in ascending order; in the
 * levels above, a row has the first pc of a page below, and that page's number in place of the
 * rule.  Unused rows, at the end of a page, have DT_ROW_NONE.
 */
struct dt_unwind_row {
	__u32 pc;
	__u32 rule;
};

#define DT_UNWIND_ROWS	 (DT_UNWIND_PAGE / 8)
#define DT_UNWIND_LEVELS 3
#define DT_ROW_NONE	 0xffffffffu

/*
 * A rule: bits 0-3 enum dt_unwind_kind, how the CFA is found (DWARF 5, section 6.4: the value that
 * SP has in the frame above); 4-5 enum dt_unwind_bp; 6-13 where FP is, in units of 8 bytes;
 * 14-31 two numbers for the kind: 14-27 n, signed, and 28-31 m, unsigned; or all of them one, N,
 * unsigned.  All offsets are in units of 8 bytes.  The return address is at CFA - 8.
 */
enum dt_unwind_kind {
	DT_UNWIND_NONE = 0, /* no table covers this: by frame pointer */
	DT_UNWIND_SP,	    /* CFA = SP + 8 N */
	DT_UNWIND_BP,	    /* CFA = FP + 8 N */
	DT_UNWIND_REG,	    /* CFA = register m (DWARF's number) + 8 n: where all are known */
	DT_UNWIND_AT_SP,    /* CFA = *(SP + 8 n) + 8 m */
	DT_UNWIND_AT_BP,    /* CFA = *(FP + 8 n) + 8 m */
	DT_UNWIND_PLT,	    /* CFA = SP + 8, and 8 more when (PC & 15) >= m */
	DT_UNWIND_SIGNAL,   /* SP points to the struct ucontext of a signal's frame */
	DT_UNWIND_OUTERMOST /* the thread begins here */
};

enum dt_unwind_bp {
	DT_BP_SAME = 0, /* not saved */
	DT_BP_CFA,	/* saved at CFA - 8 x */
	DT_BP_BP,	/* saved at FP + 8 x, x signed */
	DT_BP_LOST,	/* not known in the frame above */
};

#define DT_RULE_KIND(rule) ((rule)&15)
#define DT_RULE_BP(rule)   ((rule) >> 4 & 3)
#define DT_RULE_X(rule)	   ((rule) >> 6 & 255)
#define DT_RULE_BIG(rule)  ((rule) >> 14)
#define DT_RULE_N(rule)	   ((__s32)((rule) << 4) >> 18)
#define DT_RULE_M(rule)	   ((rule) >> 28)

#define DT_RULE_BIG_MAX ((1 << 18) - 1)
#define DT_RULE_N_MAX	((1 << 13) - 1)
#define DT_RULE_M_MAX	15
#define DT_RULE_X_MAX	255

/* ---- processes: which object is mapped where ---- */

enum dt_mapping_kind {
	DT_MAPPING_NONE = 0, /* no table (yet): by frame pointer */
	DT_MAPPING_TABLE,
	DT_MAPPING_INDEX, /* in the page above a list's others: root is a page of the list */
	DT_MAPPING_CODE,  /* memory without a file, as JIT compilers use it: by frame pointer */
};

/*
 * The mapping of an address; info is one word so that it changes at once: from bit 0 enum
 * dt_mapping_kind, from 8 the table's levels, from 16 a number that tables with the same root, one
 * after another, don't share, from 32 the root.
 */
struct dt_mapping {
	__u64 end;  /* after its last byte */
	__u64 bias; /* address - bias = pc in the table */
	__u64 info;
};

#define DT_MAPPING_KIND(info)	((__u32)(info)&255)
#define DT_MAPPING_LEVELS(info) ((__u32)(info) >> 8 & 255)
#define DT_MAPPING_ROOT(info)	((__u32)((info) >> 32))

#define DT_LIST_ENTRIES (DT_UNWIND_PAGE / 32)
#define DT_LIST_NONE	0x7fffffffffffffffull

/* A page of a list: mappings in ascending order; unused entries start at DT_LIST_NONE. */
struct dt_list {
	__u64 start[DT_LIST_ENTRIES];
	struct dt_mapping map[DT_LIST_ENTRIES];
};

/* DT_MAP_PROCS: key __u32, the process as struct dt_ustack has it. */
struct dt_unwind_proc {
	/*
	 * mm->start_stack when the list was read (proc_pid_stat(5), field 28): a random number,
	 * which exec(2) draws anew and fork(2) copies.
	 */
	__u64 start_stack;
	__u64 asked; /* until then (monotonic clock, ns) no program asks for a new list */
	__u32 page;  /* of the list; 0: there is none yet */
	__u32 tgid;  /* the key again, so that an element that was replaced is noticed */
};

/* ---- files: their tables, for processes that have no list yet ---- */

/* DT_MAP_FILES: key struct dt_unwind_file; both 0: the vDSO. */
struct dt_unwind_file {
	__u64 ino;
	__u64 dev; /* as the kernel has it: major << 20 | minor */
};

#define DT_FILE_SEGMENTS 4

/*
 * The value: what a struct dt_mapping of the file has.  A file that has changed since, or another
 * one with its number, differs in size or time.
 */
struct dt_unwind_tables {
	__u64 info;
	__u64 size;
	__u64 mtime; /* seconds since 1970 */
	__u64 mtime_ns;
	/* by offset in the file: the bias of a mapping is its start - its offset - minus */
	struct {
		__u64 first, end;
		__u64 minus;
	} segment[DT_FILE_SEGMENTS];
};

#define DT_UNWIND_ASK 20000000ull /* ns from one request for a process to the next */

/* DT_MAP_ASKED: a ring buffer of struct dt_unwind_request. */
struct dt_unwind_request {
	__u32 tgid;
	__u32 pad;
};

#define DT_MAP_SLABS "dt_slabs"
#define DT_MAP_PROCS "dt_uprocs"
#define DT_MAP_FILES "dt_ufiles"
#define DT_MAP_ASKED "dt_asked"
#define DT_MAP_WALKS "dt_walks" /* of each scratch slot, what the walker works with */

#endif
