// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Unwinds the user stack of the current thread, by the tables of abi/unwind.h.
 *
 * The registers are those that the kernel saved when the thread entered it: system call, interrupt,
 * breakpoint of a uprobe.  Where no table covers an address, frame pointers are tried, which is
 * right for code of most JIT compilers.
 *
 * What goes from frame to frame is in map memory, one struct stack_walk for each scratch slot: rt.h
 * says why.
 */
#include "rt/unwind.h"
#include "arch/arch.bpf.h"

/*
 * ---- from frame to frame; each returns 0, or -1: the caller is not found; step() also 1: there is
 * none
 */

static inline int read_user(void *to, ulong size, __u64 addr)
{
	return bpf_probe_read_user(to, size, (const void *)addr) ? -1 : 0;
}

/*
 * Reads the words from ADDR on: as many as are kept if MANY, otherwise two, or one at the end of
 * the stack.  Not inlined, as find_rule().
 */
static __attribute__((noinline)) int fetch_words(struct stack_walk *w, __u64 addr, __u32 many)
{
	w->near_at = addr;
	w->near_size = NEAR;
	if (many && !w->sparse) {
		if (!read_user(w->near, NEAR, addr))
			return 0;
		w->sparse = 1;
	}
	w->near_size = 16;
	if (!read_user(w->near, 16, addr))
		return 0;
	w->near_size = 8;
	if (!read_user(w->near, 8, addr))
		return 0;
	w->near_size = 0;
	return -1;
}

/*
 * True if the NEAR bytes that begin with the two words of a frame of SIZE bytes also have those of
 * its caller's frame, if that is no larger.
 */
static inline __u32 is_small(__u64 size)
{
	return size <= NEAR - 16;
}

/* True if the word at OFF of what is kept is there. */
static inline int has_word(const struct stack_walk *w, __u64 off)
{
	return off < w->near_size && !(off & 7);
}

/* True if SIZE bytes at OFF of what is kept are there. */
static inline int has_words(const struct stack_walk *w, __u64 off, __u64 size)
{
	return off < w->near_size && size <= w->near_size - off && !(off & 7);
}

static inline __u64 word_at(const struct stack_walk *w, __u64 off)
{
	return w->near[off / 8 % (NEAR / 8)];
}

/* Reads the word of the stack at ADDR; MANY: those after it will be read as well. */
static inline int read_word(struct stack_walk *w, __u64 addr, __u32 many, __u64 *to)
{
	__u64 off = addr - w->near_at;

	if (!has_word(w, off)) {
		if (fetch_words(w, addr, many))
			return -1;
		off = 0;
	}
	*to = word_at(w, off);
	return 0;
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

/* The frame pointer; 0 when it cannot be read: bpf_probe_read_user() clears what it could not fill.
 */
static inline __u64 read_bp(struct stack_walk *w)
{
	__u64 off = w->bp_at - w->near_at;

	if (w->bp_at && has_word(w, off))
		w->bp = word_at(w, off);
	else if (w->bp_at)
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
 * It points to the caller's, and the return address is after that.  Functions of a program or
 * library without a table may have no frame pointer, so their caller may be missing then.
 */
static inline int by_frame_pointer(struct walker *c, int is_code)
{
	struct stack_walk *w = c->w;
	__u64 above, ip, bp = read_bp(w);
	__u32 many = is_small(bp - w->sp);
	int innermost = w->exact;

	w->guess = 1;
	w->exact = w->all = 0;
	if (bp >= w->sp && bp - w->sp < (1ull << 23) && !(bp & 7) &&
		!read_word(w, bp, many, &above) && !read_word(w, bp + 8, many, &ip) &&
		ip < USER_END) {
		w->sp = bp + 16;
		w->bp = above;
		w->part |= !is_code;
		returned_to(c, ip, bp + 8);
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
	ARCH_READ_REGS(w->reg, &w->signal);
	w->ip = w->signal.ip;
	w->sp = w->signal.sp;
	w->bp = w->signal.bp;
	w->bp_at = 0;
}

static inline void from_saved(struct stack_walk *w)
{
	ARCH_READ_REGS(w->reg, &w->saved);
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
 * - the system call by which a signal's handler returns, in libraries that don't describe it
 * - it leaves a frame and returns: -X perf of Python makes a copy of such code for each function
 */
static inline int by_code(struct walker *c, int is_code)
{
	struct stack_walk *w = c->w;
	__u64 code[2], size;

	if (read_user(code, sizeof(code), w->ip))
		return -1;
	if (arch_is_sigreturn(code))
		return by_signal(w);
	if (!is_code || !arch_leaves_frame(code[0], &size) ||
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

/* Reads the return address in the frame with this CFA, and the frame pointer by RULE: 0, or -1. */
static inline int read_saved(struct stack_walk *w, __u32 rule, __u64 cfa, __u64 *ip)
{
	__u32 many = is_small(cfa - w->sp);

	/* side by side where the function begins by pushing the latter */
	if (DT_RULE_BP(rule) == DT_BP_CFA && DT_RULE_X(rule) == 2) {
		w->bp_at = 0;
		return read_word(w, cfa - 16, many, &w->bp) || read_word(w, cfa - 8, many, ip);
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
	return read_word(w, cfa - 8, many, ip);
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

static inline void find_trampoline(struct stack_walk *w, __u64 utask, __u64 mm)
{
	__u64 area;

	w->trampoline = 0;
	/* a kernel without uprobes has neither, and to the verifier 0 is no pointer */
	w->instance =
		dt_conf.at.task_utask == DT_OFFSET_UNKNOWN ? 0 : KLOAD(utask, utask_instances);
	if (!w->instance)
		return;
	if (KREAD(area, mm, mm_xol_area) || !area || KREAD(w->trampoline, area, xol_vaddr))
		w->trampoline = 0;
}

#define COPY_MOST 16 /* bytes of an instruction, so that what follows it is at one of them */

/*
 * While the kernel single-steps an instruction, the thread is at a copy of it, of which no table
 * knows (pre_ssout() in kernel/events/uprobes.c).  Goes back to where it came from.
 */
static inline void leave_copy(struct stack_walk *w, __u64 utask)
{
	__u64 copy, from;

	if (utask && !KREAD(copy, utask, utask_xol_vaddr) && copy && w->ip - copy < COPY_MOST &&
		!KREAD(from, utask, utask_vaddr))
		w->ip = from + (w->ip - copy);
}

static inline int begin_stack(struct stack_walk *w, __u32 tgid)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u64 mm = KLOAD((__u64)task, task_mm), start_stack = KLOAD(mm, mm_start_stack), utask;

	if (!start_stack)
		return -1;
	if (bpf_probe_read_kernel(&w->saved, sizeof(w->saved), (void *)bpf_task_pt_regs(task)) ||
		!arch_is_user(&w->saved))
		return -1;
	from_saved(w);
	w->all = w->exact = 1;
	w->guess = w->n = w->lost = w->part = w->sparse = 0;
	w->near_size = 0;
	w->top = start_stack;
	w->start = w->length = 0;
	w->tgid = tgid;
	w->list = list_of(tgid, start_stack);
	if (!w->list) {
		w->list = parents_list(bpf_get_current_task(), start_stack);
		if (!arch_is_narrow(&w->saved))
			ask(tgid);
	}
	utask = KLOAD((__u64)task, task_utask);
	find_trampoline(w, utask, mm);
	leave_copy(w, utask);
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
	if (arch_is_narrow(&c->w->saved) && frames > 1) { /* whose frames these are not */
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
