/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The contract between what runs in the kernel and what reads it: the shared state, the ring
 * buffer's records, drop counters and section and map names.  Compiled by cc and by
 * clang -target bpf; holds plain data only.
 */
#ifndef ABI_KERNEL_H
#define ABI_KERNEL_H

#include <linux/types.h>

/* ---- activity: the word that gates every program ---- */

enum dt_activity {
	DT_INACTIVE = 0, /* nothing fires */
	DT_BEGINNING,	 /* BEGIN alone fires */
	DT_ACTIVE,	 /* every probe but BEGIN and END */
	DT_DRAINING,	 /* exit() was executed: nothing fires */
	DT_ENDING,	 /* END alone fires */
};

/* A clause that follows one with exit() must know whether that call came before END. */
enum dt_exited {
	DT_EXITED_NOT = 0,
	DT_EXITED_EARLIER, /* before END began; the consumer stores it */
	DT_EXITED_NOW,	   /* no further clause of a firing runs */
};

/*
 * The data section DT_SEC_STATE, mapped by the consumer.  exit() stores the status, DT_EXITED_NOW
 * and then DT_DRAINING; the consumer moves DT_BEGINNING to DT_ACTIVE and all to DT_ENDING.
 */
struct dt_state {
	__u32 activity;	   /* enum dt_activity */
	__u32 exited;	   /* enum dt_exited: exit() was executed */
	__s32 exit_status; /* its argument; the last one wins */
	__u32 dead; /* a program found the consumer dead (option deadman) and stored DT_DRAINING */
	__u64 wall_offset; /* ns to add to the monotonic clock to get the wall clock */
	/*
	 * The consumer has to store a later time (CLOCK_MONOTONIC, ns) before this one: a program
	 * that drops a record looks.
	 */
	__u64 dead_at;
	__u32 user_frames_shift; /* 31: user stacks are left out; 0 */
	__u32 pad[7];
	/*
	 * Counts keys of aggregations, each after it was made.  What is above is read at each
	 * firing, so this is in a cache line of its own.
	 */
	__u64 new_keys;
	__u64 line[7];
};

/* ---- ring buffer records ---- */

/*
 * Every record begins with this; the data of the clause's actions follow at the offsets that
 * the clause's struct rec_desc gives, counted from the start of the record.
 */
struct dt_rec {
	__u32 probe;  /* id of the probe that fired */
	__u16 clause; /* number of the record's description, DT_REC_FAULT or DT_REC_SPEC */
	__u16 cpu; /* and DT_REC_CONTINUED: the clause has written another before, in this firing */
};

#define DT_REC_CONTINUED 0x8000

/* ---- buffer policies (option bufpolicy) other than switch ---- */

/* fill: of each CPU; DT_MAP_FILL is a per-CPU array of one. */
struct dt_fill {
	__u64 used; /* bytes that records have taken, with their headers */
	__u64 full; /* one did not fit: there will be no more */
};

/*
 * ring: each CPU has a buffer, a power of two in size, that is written backwards.  Positions begin
 * at 0 and go down; a record is at the low bits of its position, after this header.  DT_MAP_OVER
 * has a buffer in chunks, whose values are longer than a chunk: a record begins in one and is
 * never split.
 */
struct dt_over {
	__u32 len;   /* of the record after this */
	__u32 state; /* enum dt_over_state */
	__u64 pos;   /* a multiple of 8, and DT_OVER_OUTERMOST */
	__u64 time;  /* monotonic clock, ns */
};

#define DT_OVER_OUTERMOST 1 /* no other record was open on the CPU when this one was begun */

/* Of each CPU; DT_MAP_OVER_HEADS is a per-CPU array of one. */
struct dt_over_head {
	__u64 newest; /* position of the newest record; 0: there was none yet */
	__u64 lowest; /* of all that were given back: they, too, were written over older ones */
	__u64 open;   /* where the outermost record that is not complete ends, and 1; 0: none is */
};

enum dt_over_state {
	DT_OVER_BUSY = 1,
	DT_OVER_COMPLETE,
	DT_OVER_DISCARDED,
};

#define DT_REC_FAULT 0xffff
#define DT_REC_SPEC  0xfffe

/* A run-time fault: follows struct dt_rec at once. */
struct dt_fault {
	struct dt_rec rec;
	__u32 clause; /* the clause that faulted */
	__u32 fault;  /* enum dt_fault_code and, from bit DT_FAULT_PLACE on, the place's number */
	__u64 value;  /* address, size or index, by code */
};

/* A program that faults keeps the code and the place in one word, as an immediate value has it. */
#define DT_FAULT_PLACE	    8
#define DT_FAULT_CODE_MASK  0xff
#define DT_FAULT_PLACE_MOST ((1 << 23) - 1)

/* commit() or discard() ended a speculation. */
struct dt_spec_end {
	struct dt_rec rec;
	__u64 spec; /* as dt_spec_active() gave it for its records */
	__u32 commit;
	__u32 pad;
};

/*
 * Entry N - 1 of the array DT_MAP_SPECS is the speculation with number N.  Its word has the state
 * in the low 8 bits, the number in the next 24, above them how often the number was given out.  The
 * same word with its state cleared names the speculation in records.  A number is free again as
 * soon as it was committed or discarded: the ring's order tells its speculations apart.
 */
enum dt_spec_state {
	DT_SPEC_FREE = 0,
	DT_SPEC_ACTIVE,
};

struct dt_spec {
	__u64 word;
	__s64 used; /* bytes of its records, those under way included */
};

/* Fault codes: arg4 of dtrace:::ERROR, the DTRACEFLT_* constants of D. */
enum dt_fault_code {
	DT_FAULT_UNKNOWN = 0,
	DT_FAULT_BADADDR,
	DT_FAULT_BADALIGN,
	DT_FAULT_ILLOP,
	DT_FAULT_DIVZERO,
	DT_FAULT_NOSCRATCH,
	DT_FAULT_KPRIV,
	DT_FAULT_UPRIV,
	DT_FAULT_TUPOFLOW,
	DT_FAULT_BADSTACK,
	DT_FAULT_BADSIZE,
	DT_FAULT_BADINDEX,
	DT_FAULT_LOOPBOUND,	 /* a loop ran as often as option loopbound allows */
	DT_FAULT_LIBRARY = 1000, /* raised by the consumer */
};

/* ---- drops: a per-CPU array map DT_MAP_DROPS of __u64, one entry a cause ---- */

enum dt_drop {
	DT_DROP_PRINCIPAL = 0, /* no room in the ring buffer */
	DT_DROP_AGGREGATION,   /* no room for a new key */
	DT_DROP_DYNAMIC,       /* no room for a thread-local or associative element */
	DT_DROP_NESTED,	       /* no free scratch slot: the firing was not run */
	DT_DROP_DBLERROR,      /* a fault inside an ERROR clause */
	DT_DROP_SPEC,	       /* speculative data, beyond specsize; the consumer adds its own */
	DT_DROP_SPECUNAVAIL,   /* speculation(): all buffers active */
	DT_DROP_MISSED,	       /* the kernel did not run a program inside itself: counted by it */
	DT_DROP_STOPPED,       /* the kernel had stopped the probe's clock: counted by the loader */
	DT_DROP_UNPLACED, /* a process ran before its probes were placed: counted by the consumer */
	DT_DROP_UNPLACED_CALL, /* of a function, before its probes were placed: by the loader */
	DT_DROP_UNPLACED_NET,  /* the same of a network namespace: counted by the loader */
	DT_DROP_STACK,	       /* no room for a stack */
	DT_DROP_NAME,	       /* the name of a managed frame could not be read, or kept */
	DT_DROP_EVICTED,       /* a stack that is named was evicted: counted by the consumer */
	DT_DROP_UNSEEN,	       /* an event of a process was lost: counted by the consumer */
	DT_DROP_UNCOUNTED, /* a hardware event was not counted for a ms: counted by the loader */
	DT_DROP_RETURN,	   /* of a call that is nested too deep for its return to be remembered */
	DT_DROP_AGGREST,   /* no memory for a key without room in its map: by the consumer */
	DT_DROP_IDLE,	   /* a clock of a CPU did not fire in time: counted by the consumer */
	DT_COUNT_CLOCK,	   /* no drop: firings of clocks that are to fire on all CPUs */
	DT_DROP_MAX,
};

/* ---- the dispatch table of a program that serves many probes ---- */

/*
 * A data section per such program; indexed by the probe's key (attach_plan.key).  A zero id is
 * a key that no enabled probe has.  Bit n of `clauses` is set where the n-th clause of the
 * program is to run for this probe; as many words as the program's clauses need.
 */
struct dt_dispatch {
	__u32 probe;
	__u32 pad;
	__u64 clauses[];
};

/* ---- aggregations ---- */

/*
 * An update whose key has no room in the map: the key and the value of this update alone follow, as
 * the map would have them.  In a BPF ring buffer of its own, from which the consumer adds it up.
 */
struct dt_agg_rest {
	__u32 agg; /* agg_desc.id */
	__u32 cpu;
};

/*
 * The value of one key on one CPU.  An aggregation without keys is a per-CPU array, one with
 * keys a per-CPU hash whose key is the tuple at the offsets agg_desc gives.  A distribution
 * has no value of its own size: its bucket number is the array's index, or the last 8 bytes
 * of the key, and the value is one __s64.
 */
struct dt_agg_sum { /* without keys; with keys the sum alone: the key says that there is one */
	__s64 sum;
	__u64 count;
};

struct dt_agg_avg {
	__u64 count;
	__s64 sum;
};

struct dt_agg_stddev {
	__u64 count;
	__s64 sum;
	__u64 sq_lo, sq_hi; /* 128-bit sum of squares */
};

/*
 * A function that keeps one of the values, as min() and max() do.  The count is 0 until there is
 * one, so that a slot that was never updated does not win the merge.
 */
struct dt_agg_kept {
	__u64 count;
	__s64 value;
};

/* ---- stacks: what stack() and ustack() leave in a record or key ---- */

/* Program counters, innermost first, zero-filled; ustack() has the process before them. */
#define DT_STACK_GLUE  3 /* frames between a tracepoint and its program: see src/sym/kallsyms.c */
#define DT_STACK_EXTRA 8 /* frames of the machinery on top of stack(), which the consumer drops */

struct dt_ustack {
	__u64 tgid; /* and DT_USTACK_PART */
	__u64 pc[];
};

/* The walk ended before the outermost frame, or may have left out frames. */
#define DT_USTACK_PART (1ull << 32)

/* uaddr(), usym(), ufunc(), umod() */
struct dt_uaddr {
	__u64 tgid;
	__u64 addr;
};

/* ---- scratch: strings and keys too big for the stack ---- */

/*
 * DT_MAP_SCRATCH is an array of DT_SCRATCH_SLOTS entries a CPU, claimed by a bit in the
 * per-CPU word DT_MAP_SCRATCH_BUSY: programs can nest and be preempted on a CPU.
 */
#define DT_SCRATCH_SLOTS 8
/* The per-CPU array DT_MAP_SCRATCH_KEPT has one struct: who will ask for a slot again; 0 = nobody.
 */
struct dt_kept {
	__u64 firing[DT_SCRATCH_SLOTS];
};

#define DT_PATH_ROOM 1152 /* bytes of a slot that the functions for paths want for themselves */

/* ---- filters ---- */

/* DT_MAP_CGROUP is an array of the one cgroup that programs are for. */

/*
 * Processes that are followed: DT_MAP_FOLLOWED has the number of each, in the initial pid
 * namespace, as its key.  Programs on fork and exit keep it; the consumer puts the targets in.
 */
#define DT_FOLLOWED_MOST 131072

/* The first four as enum pid_type of the kernel has them. */
enum dt_pid_which {
	DT_PID_THREAD,
	DT_PID_PROCESS,
	DT_PID_GROUP,
	DT_PID_SESSION,
	DT_PID_PARENT, /* the parent's process */
};

/* ---- names of programs ---- */

/*
 * execname is the comm of a process's first thread unless that has another name than exec gave.
 * DT_SEC_EXECS is a cache of DT_EXEC_CACHE words, by the low bits of the process's number: the
 * dt_exec_key() for which it was found out, XOR the number of the name in DT_MAP_EXECS, less than
 * DT_EXECS; 0 stands for comm.  A process that gets another comm has another key.  Names stay.
 */
#define DT_EXEC_CACHE	4096
#define DT_EXECS	1024
#define DT_EXEC_TRIES	2	   /* of numbers for a name */
#define DT_EXEC_UNKNOWN (~0ul)	   /* comm, this time */
#define DT_EXEC_MIX	0x2545f491 /* odd: multiplying by it loses nothing */

enum dt_exec_state {
	DT_EXEC_FREE,
	DT_EXEC_BUSY,
	DT_EXEC_READY,
};

struct dt_exec {
	__u64 state; /* enum dt_exec_state */
	__u64 name[2];
};

/*
 * The offsets of mm, flags, group_leader and comm in struct task_struct, 16 bits each.  They are an
 * argument, so that the library need not know the kernel's types.
 */
#define DT_EXEC_MEMBERS(mm, flags, leader, comm) \
	((__u64)(mm) | (__u64)(flags) << 16 | (__u64)(leader) << 32 | (__u64)(comm) << 48)

/* The offset of env_end in struct mm_struct, and the bytes of a page, for the same reason. */
#define DT_EXEC_MEMORY(env_end, page) ((__u64)(env_end) | (__u64)(page) << 32)

/* The programs compute the same: src/ir/lower_exec.c. */
static inline __u64 dt_exec_key(__u64 comm0, __u64 comm1, __u64 tgid)
{
	return ((comm0 + tgid) * DT_EXEC_MIX + comm1) * DT_EXEC_MIX;
}

/* ---- names ---- */

#define DT_MAP_BUSY	    "dt_busy" /* how many programs of the session the CPU is in */
#define DT_SEC_STATE	    ".bss.state"
#define DT_SEC_GLOBALS	    ".bss.globals"
#define DT_SEC_EXECS	    ".bss.execs"
#define DT_SEC_CONF	    ".rodata.conf"
#define DT_MAP_RING	    "dt_ring"
#define DT_MAP_AGG_REST	    "dt_agg_rest"
#define DT_MAP_DROPS	    "dt_drops"
#define DT_MAP_FILL	    "dt_fill"
#define DT_MAP_OVER	    "dt_over"
#define DT_MAP_OVER_HEADS   "dt_over_heads"
#define DT_MAP_SPECS	    "dt_specs"
#define DT_MAP_SCRATCH	    "dt_scratch"
#define DT_MAP_SCRATCH_BUSY "dt_scratch_busy"
#define DT_MAP_SCRATCH_KEPT "dt_scratch_kept"
#define DT_MAP_CGROUP	    "dt_cgroups"
#define DT_MAP_FOLLOWED	    "dt_followed_pids" /* the targets and their descendants, by pid */
#define DT_MAP_EXECS	    "dt_execs"	       /* names of programs, struct dt_exec, by number */
#define DT_MAP_CHILLED	    "dt_chilled"       /* of each CPU, how long chill() has waited */

#endif
