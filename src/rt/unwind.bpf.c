// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Unwinds the user stack of the current thread, by the tables of abi/unwind.h.
 *
 * The registers are those that the kernel saved when the thread entered it: system call, interrupt,
 * breakpoint of a uprobe.  Where no table covers an address, frame pointers are tried, which is
 * right for code of most JIT compilers.
 *
 * What goes from frame to frame is in map memory, one struct stack_walk for each scratch slot: rt.h
 * says why.  The searches are unrolled and have no branches.
 */
#include "abi/unwind.h"
#include "rt/rt.h"

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

/* Numbers of registers in DWARF (System V ABI, AMD64 supplement, figure 3.36). */
enum { R_AX, R_DX, R_CX, R_BX, R_SI, R_DI, R_BP, R_SP, R_8, R_COUNT = 16 };

/* struct pt_regs as the kernel's entry code writes it (arch/x86/entry/calling.h). */
struct saved_regs {
	__u64 r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di;
	__u64 orig_ax, ip, cs, flags, sp, ss;
};

/* The registers in a signal's frame (struct sigcontext, at 40 in struct ucontext). */
#define SIGNAL_REGS 40
struct signal_regs {
	__u64 r8, r9, r10, r11, r12, r13, r14, r15, di, si, bp, bx, dx, ax, cx, sp, ip;
};

/*
 * The latest results of find_rule(): stacks have most of their frames in common.  A table's word is
 * never given to another one (abi/unwind.h), so a result cannot be out of date.
 */
#define CACHED 256
struct cached_rule {
	__u64 info;
	__u32 pc, rule;
};

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
	__u64 bp;	    /* what rbp has, when bp_at is 0 */
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
	struct vma_seen vma;
	union {
		struct saved_regs saved;
		struct signal_regs signal;
	};
	struct cached_rule cache[CACHED];
};

#define USER_END (1ull << 47) /* of user addresses, unless a program asks for more */

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

/* ---- searches ---- */

/*
 * STEP, a power of two, when A <= B, else 0; both below 2^63.  Shifts, since a verifier (6.18) that
 * sees -1 or 0 in an AND goes on with each by itself.
 */
static inline __u64 step_if(__u64 a, __u64 b, __u32 step)
{
	__u64 above = b - a;

	/* or the compiler makes branches of it */
	RT_FORGET(above);
	above >>= 63;
	RT_FORGET(above);
	return (above ^ 1) * step;
}

static inline void *page_at(__u32 number)
{
	__u32 slab = number / DT_SLAB_PAGES, key = number % DT_SLAB_PAGES;
	void *map = bpf_map_lookup_elem(&dt_slabs, &slab);

	return map ? bpf_map_lookup_elem(map, &key) : NULL;
}

/* Returns the last row whose pc is not above PC; the first if there is none. */
static inline const struct dt_unwind_row *search_rows(const struct dt_unwind_row *rows, __u32 pc)
{
	__u64 i = 0;

#pragma unroll
	for (__u32 step = DT_UNWIND_ROWS / 2; step; step /= 2)
		i += step_if(rows[i + step].pc, pc, step);
	return &rows[i];
}

/* Returns the rule at PC in the table with this root. */
static __attribute__((noinline)) __u32 find_rule(__u32 root, __u32 levels, __u32 pc)
{
	const struct dt_unwind_row *row;
	__u32 number = root, rule = DT_UNWIND_NONE;

#pragma unroll
	for (int i = 0; i < DT_UNWIND_LEVELS; i++) {
		row = page_at(number);
		if (!row)
			return DT_UNWIND_NONE;
		row = search_rows(row, pc);
		if (row->pc > pc)
			return DT_UNWIND_NONE;
		rule = row->rule;
		if (i + 1 >= levels)
			break;
		number = rule;
	}
	return rule;
}

/* Finds the mapping of ADDR in the process's list; 0 if there is none. */
static __always_inline int find_mapping(struct stack_walk *w, __u64 addr)
{
	__u32 number = w->list;
	const struct dt_list *list;
	const struct dt_mapping *m;
	__u64 start;

	if (addr - w->start < w->length)
		return 1;
	if (addr >= DT_LIST_NONE || !number)
		return 0;
#pragma unroll
	for (int level = 0; level < 2; level++) {
		__u64 i = 0;

		list = page_at(number);
		if (!number || !list)
			return 0;
#pragma unroll
		for (__u32 step = DT_LIST_ENTRIES / 2; step; step /= 2)
			i += step_if(list->start[i + step], addr, step);
		m = &list->map[i];
		start = list->start[i];
		if (DT_MAPPING_KIND(m->info) != DT_MAPPING_INDEX)
			break;
		number = DT_MAPPING_ROOT(m->info);
	}
	if (addr < start || addr >= m->end)
		return 0;
	w->start = start;
	w->length = m->end - start;
	w->bias = m->bias;
	w->info = m->info;
	return 1;
}

/* ---- the kernel's own list, where ours has nothing (yet) ---- */

#define VM_EXEC	  4
#define VM_SHARED 8
/*
 * Of struct backing_file, as overlayfs has it (include/linux/fs.h); FMODE_BACKING is another bit in
 * different kernels.  A file with this mode that is none has no such inode where we read.
 */
#define FMODE_NOACCOUNT (1u << 29)

/* Finds the inode that /proc/PID/maps shows; 0: there is none. */
static __always_inline void find_inode(struct vma_seen *v)
{
	v->inode = 0;
	if (!v->file)
		return;
	if (dt_conf.at.backing_path != DT_OFFSET_UNKNOWN && !KREAD(v->word, v->file, file_mode) &&
		v->word & FMODE_NOACCOUNT) {
		if (KREAD(v->on_way, v->file + dt_conf.at.backing_path, path_dentry) ||
			KREAD(v->inode, v->on_way, dentry_inode))
			v->inode = 0;
	} else if (KREAD(v->inode, v->file, file_inode)) {
		v->inode = 0;
	}
}

static __always_inline void read_mtime(struct vma_seen *v)
{
	v->mtime = v->mtime_ns = 0;
	if (!KREAD(v->mtime, v->inode, inode_mtime_sec) &&
		!KREAD(v->word, v->inode, inode_mtime_nsec))
		v->mtime_ns = v->word;
	else if (!KREAD(v->mtime, v->inode, inode_mtime)) /* struct timespec64 */
		KREAD(v->mtime_ns, v->inode + 8, inode_mtime);
	else if (!KREAD(v->mtime, v->inode, inode_mtime_6_7))
		KREAD(v->mtime_ns, v->inode + 8, inode_mtime_6_7);
}

static __always_inline void read_inode(struct vma_seen *v)
{
	v->id.ino = v->id.dev = v->size = 0;
	if (!v->inode || KREAD(v->on_way, v->inode, inode_sb) ||
		KREAD(v->word, v->on_way, sb_dev) || KREAD(v->size, v->inode, inode_size) ||
		KREAD(v->id.ino, v->inode, inode_ino))
		return;
	v->id.dev = v->word;
	read_mtime(v);
}

struct vm_area_struct;

/* bpf_find_vma()'s, with the lock of the mappings held */
static long read_vma(struct task_struct *task, struct vm_area_struct *vma, struct walker *c)
{
	struct vma_seen *v = &c->w->vma;
	__u64 at = (__u64)vma;

	v->end = 0;
	if (KREAD(v->start, at, vma_start) || KREAD(v->pgoff, at, vma_pgoff) ||
		KREAD(v->flags, at, vma_flags) || KREAD(v->file, at, vma_file) ||
		KREAD(v->ops, at, vma_ops) || KREAD(v->end, at, vma_end))
		return 0;
	find_inode(v);
	read_inode(v);
	return 0;
}

/* Sets the table of the mapping that W->vma says, if its file has one. */
static inline void use_file(struct stack_walk *w)
{
	const struct vma_seen *v = &w->vma;
	const struct dt_unwind_tables *t;
	__u64 off = v->pgoff * 4096;

	w->start = v->start;
	w->length = v->end - v->start;
	w->info = v->file || v->ops ? DT_MAPPING_NONE : DT_MAPPING_CODE;
	if (w->info == DT_MAPPING_CODE)
		return;
	t = bpf_map_lookup_elem(&dt_ufiles, &v->id);
	if (!t || t->size != v->size || t->mtime != v->mtime || t->mtime_ns != v->mtime_ns)
		return;
	for (int i = 0; i < DT_FILE_SEGMENTS; i++) {
		if (off < t->segment[i].first || off >= t->segment[i].end)
			continue;
		w->bias = v->start - off - t->segment[i].minus;
		w->info = t->info;
		return;
	}
}

/* Asks the kernel for the mapping of ADDR: 1; 0: there is no code; -1: it cannot tell now. */
static __always_inline int find_vma(struct walker *c, __u64 addr)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct stack_walk *w = c->w;
	long err;

	if (addr >= USER_END)
		return 0;
	w->vma.end = 0;
	err = bpf_find_vma(task, addr, read_vma, c, 0);
	if (err == -16) /* EBUSY: the lock is taken */
		return -1;
	if (err || !w->vma.end || !(w->vma.flags & VM_EXEC))
		return 0;
	use_file(w);
	return 1;
}

/*
 * Finds the mapping where W is, which is not in the process's list: 1; 0: there is none, or the
 * kernel cannot tell now; -1: the stack ends before this frame.
 *
 * Not inlined, nor is find_rule(): what they need of the stack would make walk_frame()'s larger
 * than 48 bytes.  Since 6.13 the kernel moves such a stack to memory of its own
 * (BPF_PRIV_STACK_MIN_SIZE in kernel/bpf/verifier.c), and each frame takes a quarter longer.
 */
static __attribute__((noinline)) int find_unlisted(struct walker *c)
{
	struct stack_walk *w = c->w;
	int found;

	if (w->list && w->ip < USER_END)
		w->lost = 1;
	found = find_vma(c, w->ip - !w->exact);
	/* without any list, what may be code is taken for code */
	if (w->guess && (!found || (found < 0 && w->list))) {
		w->part = 1;
		return -1;
	}
	return found > 0;
}

/*
 * ---- from frame to frame; each returns 0, or -1: the caller is not found; step() also 1: there is
 * none
 */

static inline int read_user(void *to, ulong size, __u64 addr)
{
	return bpf_probe_read_user(to, size, (const void *)addr) ? -1 : 0;
}

#define INSTANCES 64 /* that are looked at for one frame: all but one were left by longjmp(3) */

static long match_instance(__u32 i, struct walker *c)
{
	struct stack_walk *w = c->w;
	__u64 stack, ip;

	if (!w->instance || KREAD(stack, w->instance, ri_stack) || stack > w->at)
		return 1;
	if (stack == w->at) {
		if (!KREAD(ip, w->instance, ri_orig))
			w->ip = ip;
		return 1;
	}
	if (KREAD(w->instance, w->instance, ri_next))
		w->instance = 0;
	return 0;
}

/* rbp; 0 when it cannot be read: bpf_probe_read_user() clears what it could not fill. */
static inline __u64 read_bp(struct stack_walk *w)
{
	if (w->bp_at)
		read_user(&w->bp, sizeof(w->bp), w->bp_at);
	w->bp_at = 0;
	return w->bp;
}

/*
 * Stores the return address that was read from AT, or the original if a return probe has replaced
 * it.
 */
static inline void returned_to(struct walker *c, __u64 ip, __u64 at)
{
	struct stack_walk *w = c->w;

	w->ip = ip;
	w->at = at;
	if (w->trampoline && ip == w->trampoline)
		bpf_loop(INSTANCES, match_instance, c, 0);
}

/*
 * rbp points to the caller's rbp, the return address after it.  Functions of a program or library
 * without a table may have no frame pointer, so their caller may be missing then.
 */
static inline int by_frame_pointer(struct walker *c, int is_code)
{
	struct stack_walk *w = c->w;
	__u64 pair[2], ip, bp = read_bp(w);
	int innermost = w->exact;

	w->guess = 1;
	w->exact = w->all = 0;
	if (bp >= w->sp && bp - w->sp < (1ull << 23) && !(bp & 7) &&
		!read_user(pair, sizeof(pair), bp) && pair[1] < USER_END) {
		w->sp = bp + 16;
		w->bp = pair[0];
		w->part |= !is_code;
		returned_to(c, pair[1], bp + 8);
		return 0;
	}
	/* a function that has just begun, or has no frame at all */
	if (!innermost || !w->list || read_user(&ip, sizeof(ip), w->sp))
		return -1;
	w->part |= !is_code;
	returned_to(c, ip, w->sp);
	w->sp += 8;
	return 0;
}

/* All registers, as W->signal has them. */
static inline void from_signal(struct stack_walk *w)
{
	w->reg[R_AX] = w->signal.ax;
	w->reg[R_DX] = w->signal.dx;
	w->reg[R_CX] = w->signal.cx;
	w->reg[R_BX] = w->signal.bx;
	w->reg[R_SI] = w->signal.si;
	w->reg[R_DI] = w->signal.di;
	w->reg[R_8] = w->signal.r8;
	w->reg[R_8 + 1] = w->signal.r9;
	w->reg[R_8 + 2] = w->signal.r10;
	w->reg[R_8 + 3] = w->signal.r11;
	w->reg[R_8 + 4] = w->signal.r12;
	w->reg[R_8 + 5] = w->signal.r13;
	w->reg[R_8 + 6] = w->signal.r14;
	w->reg[R_8 + 7] = w->signal.r15;
	w->ip = w->signal.ip;
	w->sp = w->signal.sp;
	w->bp = w->signal.bp;
	w->bp_at = 0;
}

static inline void from_saved(struct stack_walk *w)
{
	w->reg[R_AX] = w->saved.ax;
	w->reg[R_DX] = w->saved.dx;
	w->reg[R_CX] = w->saved.cx;
	w->reg[R_BX] = w->saved.bx;
	w->reg[R_SI] = w->saved.si;
	w->reg[R_DI] = w->saved.di;
	w->reg[R_8] = w->saved.r8;
	w->reg[R_8 + 1] = w->saved.r9;
	w->reg[R_8 + 2] = w->saved.r10;
	w->reg[R_8 + 3] = w->saved.r11;
	w->reg[R_8 + 4] = w->saved.r12;
	w->reg[R_8 + 5] = w->saved.r13;
	w->reg[R_8 + 6] = w->saved.r14;
	w->reg[R_8 + 7] = w->saved.r15;
	w->ip = w->saved.ip;
	w->sp = w->saved.sp;
	w->bp = w->saved.bp;
	w->bp_at = 0;
}

static inline int by_signal(struct stack_walk *w)
{
	if (read_user(&w->signal, sizeof(w->signal), w->sp + SIGNAL_REGS))
		return -1;
	from_signal(w);
	w->all = w->exact = 1;
	w->guess = 0;
	return 0;
}

/*
 * Leaves code without a table by what it does next: 0, or -1.
 * - mov $15, %rax; syscall: to which a signal's handler returns, in libraries that don't describe
 * it
 * - add $N, %rsp; ret: -X perf of Python makes a copy of such code for each function
 */
static inline int by_code(struct walker *c, int is_code)
{
	struct stack_walk *w = c->w;
	__u64 code[2], size;

	if (read_user(code, sizeof(code), w->ip))
		return -1;
	if (code[0] == 0x0f0000000fc0c748ull && (code[1] & 0xff) == 0x05)
		return by_signal(w);
	size = code[0] >> 24 & 0xff;
	if (!is_code || (code[0] & 0xff80ffffffull) != 0xc300c48348ull ||
		read_user(code, sizeof(*code), w->sp + size))
		return -1;
	w->exact = w->all = w->guess = 0;
	returned_to(c, code[0], w->sp + size);
	w->sp += size + 8;
	return 0;
}

/* Returns the CFA by RULE; 0: it has none. */
static inline __u64 find_cfa(struct stack_walk *w, __u32 rule)
{
	__u64 at, n = (__s64)DT_RULE_N(rule) * 8;

	switch (DT_RULE_KIND(rule)) {
	case DT_UNWIND_SP:
		return w->sp + (__u64)DT_RULE_BIG(rule) * 8;
	case DT_UNWIND_BP:
		return read_bp(w) + (__u64)DT_RULE_BIG(rule) * 8;
	case DT_UNWIND_REG:
		return w->all ? w->reg[DT_RULE_M(rule) & 15] + n : 0;
	case DT_UNWIND_PLT:
		return w->sp + 8 + ((w->ip & 15) >= DT_RULE_M(rule) ? 8 : 0);
	case DT_UNWIND_AT_SP:
		at = w->sp + n;
		break;
	case DT_UNWIND_AT_BP:
		at = read_bp(w) + n;
		break;
	default:
		return 0;
	}
	if (read_user(&at, sizeof(at), at))
		return 0;
	return at + (__u64)DT_RULE_M(rule) * 8;
}

/* Reads the return address in the frame with this CFA, and rbp by RULE: 0, or -1. */
static inline int read_saved(struct stack_walk *w, __u32 rule, __u64 cfa, __u64 *ip)
{
	__u64 pair[2];

	/* side by side where the function begins with push %rbp */
	if (DT_RULE_BP(rule) == DT_BP_CFA && DT_RULE_X(rule) == 2) {
		if (read_user(pair, sizeof(pair), cfa - 16))
			return -1;
		w->bp = pair[0];
		w->bp_at = 0;
		*ip = pair[1];
		return 0;
	}
	switch (DT_RULE_BP(rule)) {
	case DT_BP_CFA:
		w->bp_at = cfa - (__u64)DT_RULE_X(rule) * 8;
		break;
	case DT_BP_BP:
		w->bp_at = read_bp(w) + (__s64)(__s8)DT_RULE_X(rule) * 8;
		break;
	case DT_BP_LOST:
		w->bp = w->bp_at = 0;
		break;
	}
	return read_user(ip, sizeof(*ip), cfa - 8);
}

static inline int by_rule(struct walker *c, __u32 rule)
{
	struct stack_walk *w = c->w;
	__u64 cfa = find_cfa(w, rule), ip;

	/* the stack grows down */
	if (!cfa || cfa <= w->sp || read_saved(w, rule, cfa, &ip))
		return -1;
	w->sp = cfa;
	w->exact = w->all = w->guess = 0;
	returned_to(c, ip, cfa - 8);
	return 0;
}

/* Returns the rule where W is, by the table that W->info says. */
static inline __u32 rule_here(struct stack_walk *w)
{
	__u32 pc = (__u32)(w->ip - !w->exact - w->bias);
	struct cached_rule *seen = &w->cache[(pc ^ pc >> 8) % CACHED];

	if (seen->info != w->info || seen->pc != pc) {
		seen->rule = find_rule(DT_MAPPING_ROOT(w->info), DT_MAPPING_LEVELS(w->info), pc);
		seen->pc = pc;
		seen->info = w->info;
	}
	return seen->rule;
}

static inline int step(struct walker *c, int mapped)
{
	struct stack_walk *w = c->w;
	int is_code = mapped && DT_MAPPING_KIND(w->info) == DT_MAPPING_CODE;
	__u32 rule = DT_UNWIND_NONE;

	if (mapped && DT_MAPPING_KIND(w->info) == DT_MAPPING_TABLE)
		rule = rule_here(w);
	switch (DT_RULE_KIND(rule)) {
	case DT_UNWIND_OUTERMOST:
		return 1;
	case DT_UNWIND_SIGNAL:
		return by_signal(w);
	case DT_UNWIND_NONE:
		if (!by_code(c, is_code))
			return 0;
		return by_frame_pointer(c, is_code);
	default:
		return by_rule(c, rule);
	}
}

/* What a process starts with need not have a table: there is nothing above it on the stack. */
#define START 32 /* bytes that it may use */

static inline int is_start(const struct stack_walk *w)
{
	return w->sp <= w->top && w->top - w->sp <= START;
}

/* Finds the mapping where C is, 0 = there is none; -1: the stack has ended before. */
static __always_inline int locate_frame(struct walker *c)
{
	struct stack_walk *w = c->w;
	int mapped = find_mapping(w, w->ip - !w->exact);

	return mapped ? mapped : find_unlisted(c);
}

/* Adds a frame at PC; returns 1 when no more are wanted. */
static inline int put_frame(struct stack_walk *w, __u64 *pc, __u64 frame)
{
	*pc = frame;
	w->off += sizeof(*pc);
	w->n++;
	return w->n >= w->most;
}

/* Goes to the caller; returns 1 at the end. */
static __always_inline int leave_frame(struct walker *c, int mapped)
{
	int end = step(c, mapped);

	if (end < 0 && !is_start(c->w))
		c->w->part = 1;
	return end != 0;
}

static long walk_frame(__u32 i, struct walker *c)
{
	__u64 *pc = (__u64 *)rt_at(&c->mem, c->w->off, c->last);
	int mapped;

	if (!pc || !c->w->ip)
		return 1;
	mapped = locate_frame(c);
	if (mapped < 0 || put_frame(c->w, pc, c->w->ip))
		return 1;
	return leave_frame(c, mapped);
}

/* ---- whose stack ---- */

/* Returns the list of process TGID, if it is of the memory whose start_stack is this. */
static inline __u32 list_of(__u32 tgid, __u64 start_stack)
{
	struct dt_unwind_proc *p = bpf_map_lookup_elem(&dt_uprocs, &tgid);
	__u32 page;

	if (!p || p->start_stack != start_stack)
		return 0;
	page = p->page;
	return p->tgid == tgid ? page : 0;
}

/* A process that has forked and not yet called exec(2) has its parent's mappings. */
static inline __u32 parents_list(__u64 task, __u64 start_stack)
{
	__u64 parent;
	__u32 tgid;

	if (KREAD(parent, task, task_real_parent) || KREAD(tgid, parent, task_tgid))
		return 0;
	return list_of(tgid, start_stack);
}

/* Asks for the process's mappings to be read, again if they were read before. */
static inline void ask(__u32 tgid)
{
	struct dt_unwind_request request = {.tgid = tgid};
	struct dt_unwind_proc *p = bpf_map_lookup_elem(&dt_uprocs, &tgid), none = {.tgid = tgid};
	__u64 now = bpf_ktime_get_ns();

	if (!tgid)
		return;
	if (p) {
		if (p->asked > now)
			return;
		p->asked = now + DT_UNWIND_ASK;
	} else {
		none.asked = now + DT_UNWIND_ASK;
		if (bpf_map_update_elem(&dt_uprocs, &tgid, &none, BPF_NOEXIST))
			return;
	}
	bpf_ringbuf_output(&dt_asked, &request, sizeof(request), 0);
}

static inline void find_trampoline(struct stack_walk *w, __u64 task, __u64 mm)
{
	__u64 utask, area;

	w->trampoline = 0;
	if (KREAD(utask, task, task_utask) || !utask ||
		KREAD(w->instance, utask, utask_instances) || !w->instance)
		return;
	if (KREAD(area, mm, mm_xol_area) || !area || KREAD(w->trampoline, area, xol_vaddr))
		w->trampoline = 0;
}

/* As a selector: 32-bit code, whose frames these are not. */
#define USER32_CS 0x23

static inline int begin_stack(struct stack_walk *w, __u32 tgid)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u64 addr = bpf_get_current_task(), mm, start_stack;

	if (KREAD(mm, addr, task_mm) || !mm || KREAD(start_stack, mm, mm_start_stack))
		return -1;
	if (bpf_probe_read_kernel(&w->saved, sizeof(w->saved), (void *)bpf_task_pt_regs(task)) ||
		!(w->saved.cs & 3))
		return -1;
	from_saved(w);
	w->all = w->exact = 1;
	w->guess = w->n = w->lost = w->part = 0;
	w->top = start_stack;
	w->start = w->length = 0;
	w->tgid = tgid;
	w->list = list_of(tgid, start_stack);
	if (!w->list) {
		w->list = parents_list(addr, start_stack);
		if (w->saved.cs != USER32_CS)
			ask(tgid);
	}
	find_trampoline(w, addr, mm);
	return 0;
}

/* Prepares C for the stack that is to be at OFF of SLOT: 0, -1 there is none, -22 (EINVAL). */
static inline int open_walk(struct walker *c, ulong slot, ulong off, ulong frames, ulong tgid)
{
	__u32 key = (__u32)slot;

	c->last = dt_conf.scratch_size - sizeof(__u64);
	if (slot != key || c->last > dt_conf.scratch_size)
		return -22;
	if (!frames) /* the consumer has turned stacks off */
		return -1;
	c->mem.slot = bpf_map_lookup_elem(&dt_scratch, &key);
	if (!c->mem.slot)
		return -22;
	c->w = bpf_map_lookup_elem(&dt_walks, &key);
	if (!c->w || begin_stack(c->w, (__u32)tgid))
		return -1;
	c->w->off = (__u32)off;
	c->w->most = (__u32)frames;
	if (c->w->saved.cs == USER32_CS && frames > 1) {
		c->w->most = 1;
		c->w->part = 1;
	}
	return 0;
}

/* What dt_ustack() and dt_jstack() return. */
static inline ulong close_walk(struct walker *c)
{
	if (c->w->lost)
		ask(c->w->tgid);
	return c->w->n * sizeof(__u64) | c->w->part;
}

ulong dt_ustack(ulong slot, ulong off, ulong frames, ulong tgid)
{
	struct walker c = {0};
	int err = open_walk(&c, slot, off, frames, tgid);

	if (err)
		return err == -1 ? 0 : (ulong)err;
	bpf_loop(c.w->most, walk_frame, &c, 0);
	return close_walk(&c);
}
