/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* unwind: the maps of the walker of user stacks, and what it carries from frame to frame. */
#ifndef RT_UNWIND_H
#define RT_UNWIND_H

#include "abi/unwind.h"
#include "rt/rt.h"
#include "arch/arch.bpf.h"

struct slab {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, DT_UNWIND_PAGE);
	__uint(max_entries, DT_SLAB_PAGES);
	__uint(map_flags, BPF_F_MMAPABLE);
};

/* As many as option unwindsize allows; the loader sets it. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(key_size, 4);
	__uint(max_entries, 1);
	__array(values, struct slab);
} dt_slabs SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(key_size, 4);
	__uint(value_size, sizeof(struct dt_unwind_proc));
	__uint(max_entries, 32768);
	__uint(map_flags, BPF_F_NO_PREALLOC);
} dt_uprocs SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, struct dt_unwind_file);
	__type(value, struct dt_unwind_tables);
	__uint(max_entries, 32768);
	__uint(map_flags, BPF_F_NO_PREALLOC);
} dt_ufiles SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} dt_asked SEC(".maps");

/*
 * The latest results of find_rule(): stacks have most of their frames in common.  A table's word is
 * never given to another one (abi/unwind.h), so a result cannot be out of date.
 */
#define CACHED 256
struct cached_rule {
	__u64 info;
	__u32 pc, rule;
};

/*
 * Bytes of the stack that are read at a time if frames are small: a call of the helper takes 50 ns,
 * and copying so many bytes 10 ns more than copying two words.
 */
#define NEAR 512

/* A mapping as the kernel has it, with its file's inode. */
struct vma_seen {
	__u64 start, end, pgoff;
	__u64 flags; /* VM_EXEC .. */
	__u64 file, ops;
	struct dt_unwind_file id;
	__u64 size, mtime, mtime_ns;
	__u64 inode, on_way; /* not on the stack, which is short here */
	__u32 word;
};

struct stack_walk {
	__u64 ip, sp;
	__u64 bp;	    /* what the frame pointer has, when bp_at is 0 */
	__u64 bp_at;	    /* where it was saved: most frames are left without it */
	__u64 reg[R_COUNT]; /* by DWARF's numbers; of a frame of which all are known */
	__u32 all;
	__u32 exact; /* ip is the next instruction, not after a call */
	__u32 guess; /* ip was found without a table: it may be anything */
	__u32 part;  /* the stack is not whole: it ends early, or a frame may be missing */
	__u32 n;     /* frames so far */
	__u32 most;  /* as many are wanted */
	__u32 off;   /* where they go */
	__u32 tgid;
	__u32 list;   /* the page of the process's list; 0: there is none */
	__u32 lost;   /* an address is in no mapping of the list */
	__u64 start;  /* of the mapping that was found last */
	__u64 length; /* of it */
	__u64 bias, info;
	__u64 top;	  /* mm->start_stack: what was on the stack first, argc */
	__u64 trampoline; /* of return probes, 0 = the thread is in no function that has one */
	__u64 instance;	  /* the innermost such function that was not yet come by */
	__u64 at;	  /* where the return address was that is being looked for there */
	__u64 near_at;	  /* a part of the stack, from this address on */
	__u64 near_size;  /* bytes that are there */
	__u32 sparse;	  /* a part could not be read: its end is near */
	__u32 pad;
	__u64 near[NEAR / 8];
	struct vma_seen vma;
	union {
		struct saved_regs saved;
		struct signal_regs signal;
	};
	struct cached_rule cache[CACHED];
};

/* Sizes are nominal, the loader sets the real ones. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, sizeof(struct stack_walk));
	__uint(max_entries, 1);
} dt_walks SEC(".maps");

struct walker {
	struct stack_walk *w;
	struct rt_mem mem;
	ulong last; /* offset in the slot at which a pc fits */
	/* of jstack(): what the process runs, see managed.h */
	const struct dt_managed_proc *proc;
	struct managed_walk *m;
	ulong shift; /* what is added to the program counter of the innermost frame */
};

#endif
