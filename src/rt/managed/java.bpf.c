// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Walks the frames of HotSpot, the Java VM of OpenJDK.
 *
 * The code cache has all code that is not libjvm's: a pc in it is found in the map of its heap's
 * segments, which leads to the blob (CodeBlob) that the code belongs to.  A blob is a compiled
 * method (nmethod), the interpreter, or a stub.  Where a compiled frame ends and which methods were
 * inlined at a pc is written in the blob; an interpreted frame has its method and bytecode in its
 * slots.  Java code is only entered from the code cache: a return address elsewhere means that the
 * frame was taken for what it is not, and the walk ends with an unknown frame.
 *
 * src/managed/java.c has the offsets of members that the VM exports; what it does not export, and
 * is the same in all builds of a version, is here.
 */
#include "abi/managed.h"
#include "abi/unwind.h"
#include "arch/arch.bpf.h"
#include "rt/managed/managed.h"
#include "rt/rt.h"
#include "rt/unwind.h"

/* ---- the code cache ---- */

static inline int is_java_code(const struct java_walk *p, __u64 pc)
{
	return pc - p->low < p->size;
}

static inline int read_heap(struct java_walk *p, const struct dt_java *j, __u32 i, __u64 heap)
{
	struct java_heap *h = &p->heap[i];
	__u64 end;

	if (JREAD(h->low, heap + j->heap_memory + j->space_low) ||
		JREAD(end, heap + j->heap_memory + j->space_high_boundary) ||
		JREAD(h->segments, heap + j->heap_segmap + j->space_low) ||
		JREAD(h->shift, heap + j->heap_shift) || end <= h->low)
		return -1;
	h->size = end - h->low;
	if (!p->size || h->low < p->low) {
		p->size += p->size ? p->low - h->low : h->size;
		p->low = h->low;
	}
	if (end - p->low > p->size)
		p->size = end - p->low;
	return 0;
}

static inline int read_interpreter(struct java_walk *p, const struct dt_java *j)
{
	__u64 queue;
	__u32 size;

	if (JREAD(queue, j->interpreter) || !queue ||
		JREAD(p->interpreter, queue + j->queue_buffer) ||
		JREAD(size, queue + j->queue_limit))
		return -1;
	p->interpreter_size = size;
	return 0;
}

/* Finds the code cache, which does not move. */
static __attribute__((noinline)) int java_begin(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	const struct dt_java *j = &c->proc->java;
	__u64 owner = c->w->top ^ (__u64)c->w->tgid << 48, array = 0, data, heap;
	__u32 n = 0;

	c->m->begun = 1;
	p->walk = bpf_ktime_get_ns();
	p->scopes = JAVA_NO_SCOPES;
	if (JREAD(array, j->heaps) || !array || JREAD(n, array + j->array_length))
		n = 0;
	if (p->owner == owner && p->array == array && p->n == n)
		return 0;
	p->owner = p->size = p->low = 0;
	if (!n || n > JAVA_HEAPS || JREAD(data, array + j->array_data))
		return 0;
#pragma unroll
	for (__u32 i = 0; i < JAVA_HEAPS; i++) {
		p->heap[i].size = 0;
		if (i < n && (JREAD(heap, data + 8 * i) || read_heap(p, j, i, heap))) {
			p->size = 0;
			return 0;
		}
	}
	if (read_interpreter(p, j))
		return 0;
	p->owner = owner;
	p->array = array;
	p->n = n;
	return 0;
}

static long segment_back(__u32 i, struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	__u8 back;

	if (JREAD(back, p->segments + p->segment) || back == 0xff) /* free */
		return 1;
	if (!back) {
		p->found = 1;
		return 1;
	}
	if (back > p->segment)
		return 1;
	p->segment -= back;
	return 0;
}

/* Reads the block at LOW to P->block: 0 if it has the frame's code. */
static __attribute__((noinline)) int java_block(struct walker *c, __u64 low)
{
	struct java_walk *p = JAVA_WALK(c);
	const struct dt_java *j = &c->proc->java;
	__u64 pc = c->w->ip, begin, end;
	long size;

	p->blob = low + sizeof(__u64) * 2;
	size = rt_bounded(j->nmethod_size + sizeof(__u64) * 2, sizeof(p->block));
	if (size < 0 ||
		(bpf_probe_read_user(&p->block, (__u32)size, (void *)low) &&
			bpf_probe_read_user(&p->block, JAVA_BLOB_SIZE + 16, (void *)low)) ||
		!(p->block.used & 1))
		return -1;
	begin = J64(p->block.blob, j->blob_code);
	end = J64(p->block.blob, j->blob_code_end);
	return begin > p->blob && pc - begin <= end - begin ? 0 : -1;
}

/* Finds the block that has the frame's code, and reads it: 0, or -1. */
static __attribute__((noinline)) int java_blob(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	__u64 pc = c->w->ip, low = 0;
	__u32 shift = 0;

#pragma unroll
	for (__u32 i = 0; i < JAVA_HEAPS; i++) {
		if (pc - p->heap[i].low >= p->heap[i].size)
			continue;
		low = p->heap[i].low;
		shift = p->heap[i].shift & 31;
		p->segments = p->heap[i].segments;
	}
	if (!low)
		return -1;
	p->segment = (pc - low) >> shift;
	p->found = 0;
	bpf_loop(JAVA_HOPS, segment_back, c, 0);
	return p->found ? java_block(c, low + (p->segment << shift)) : -1;
}

/* ---- leaving frames ---- */

/* The stack cannot be followed from here. */
static inline int java_lost(struct walker *c)
{
	c->m->word = frame_word(DT_NAME_UNKNOWN, DT_LANG_JAVA, DT_KIND_NATIVE, 0);
	c->w->part = 1;
	c->w->ip = 0;
	return MANAGED_LEFT;
}

static inline void java_leave(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	struct stack_walk *w = c->w;

	w->at = p->caller_sp - 8;
	w->ip = p->caller_ip;
	w->sp = p->caller_sp;
	w->bp = p->caller_bp;
	w->bp_at = 0;
	w->exact = w->all = w->guess = 0;
}

/* The caller if the frame pointer and the return address are at ADDR; if the former is not there,
 * at ADDR + 8. */
static __attribute__((noinline)) int java_caller(struct walker *c, __u64 addr, __u32 has_bp)
{
	struct java_walk *p = JAVA_WALK(c);
	__u64 pair[2];

	p->caller_ip = 0;
	if (addr + 8 < c->w->sp || addr & 7)
		return -1;
	if (has_bp) {
		if (JREAD(pair, addr))
			return -1;
	} else {
		pair[0] = read_bp(c->w);
		if (JREAD(pair[1], addr + 8))
			return -1;
	}
	p->caller_bp = pair[0];
	p->caller_ip = pair[1];
	p->caller_sp = addr + 16;
	return is_java_code(p, pair[1]) ? 0 : -1;
}

/* Returns what there is of the frame of compiled code or of a stub at its next instruction. */
static __always_inline __u32 java_frame_state(struct walker *c, __u32 complete)
{
	struct java_walk *p = JAVA_WALK(c);

	if (bpf_probe_read_user(p->code, sizeof(p->code), (void *)(p->pc - 16)))
		return FRAME_WHOLE;
	return arch_java_frame(p->code + 16, complete);
}

/* Finds the caller of compiled code whose frame has SIZE bytes. */
static __attribute__((noinline)) int java_compiled_caller(struct walker *c, __u32 size)
{
	struct java_walk *p = JAVA_WALK(c);
	const struct dt_java *j = &c->proc->java;
	__u64 sp = c->w->sp, begin = J64(p->block.blob, j->blob_code);
	__u32 state = FRAME_WHOLE;

	if (!size && p->leaf) /* it only jumps to a method */
		return java_caller(c, sp - 8, 0);
	if (size < 16 || size > JAVA_FRAME_MAX)
		return -1;
	if (p->leaf)
		state = java_frame_state(
			c, p->pc - begin >= J32(p->block.blob, j->blob_frame_complete));
	switch (state) {
	case FRAME_BP_SAVED:
		if (!java_caller(c, sp, 1))
			return 0;
		break;
	case FRAME_NO_BP:
		if (!java_caller(c, sp + size - 16, 0))
			return 0;
		break;
	case FRAME_RETURN:
		if (!java_caller(c, sp - 8, 0))
			return 0;
		break;
	}
	if (!java_caller(c, sp + size - 16, 1))
		return 0;
	/* what compares strings pushes a register */
	return p->leaf ? java_caller(c, sp + size - 8, 1) : -1;
}

/* ---- compiled methods ---- */

static long java_search(__u32 i, struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	__u64 middle = (p->first + p->last) / 2;
	__s32 pc;

	if (p->first >= p->last)
		return 1;
	if (JREAD(pc, middle * 16 + p->segments)) {
		p->found = 0;
		return 1;
	}
	if (pc < p->target)
		p->first = middle + 1;
	else
		p->last = middle;
	return 0;
}

#define JAVA_SEARCH 24

/*
 * Sets P->scope for P->pc.  The VM describes pcs where calls return and other safepoints.  The
 * innermost frame may be at any instruction: the next safepoint's scope is taken, or the last one's
 * behind it.
 */
static __always_inline void java_find_scope(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	const struct dt_java *j = &c->proc->java;
	__u32 pcs = J32(p->block.blob, j->nmethod_pcs),
	      end = J32(p->block.blob, j->nmethod_pcs_end);
	__s32 desc[2];

	p->scope = 0;
	if (end <= pcs)
		return;
	p->segments = p->blob + pcs;
	p->first = 0;
	p->last = (end - pcs) / 16;
	p->target = (__s32)(p->pc - J64(p->block.blob, j->blob_code));
	p->found = 1;
	bpf_loop(JAVA_SEARCH, java_search, c, 0);
	if (!p->found || p->first >= (end - pcs) / 16 || JREAD(desc, p->segments + p->first * 16))
		return;
	if (p->leaf && !desc[1] && p->first && JREAD(desc, p->segments + p->first * 16 - 16))
		return;
	if (p->leaf || desc[0] == p->target)
		p->scope = (__u32)desc[1];
}

/* Reads the scope P->scope: sets P->method, P->bci, and P->scope to its caller's. */
static __attribute__((noinline)) int java_read_scope(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	const struct dt_java *j = &c->proc->java;
	__u64 data = J64(p->block.blob, j->nmethod_scopes);
	__u64 metadata = p->blob + J32(p->block.blob, j->nmethod_metadata);
	__u32 sender, index;

	p->bci = -1;
	if (!p->scope) { /* no more is known */
		p->method = J64(p->block.blob, j->nmethod_method);
		return 0;
	}
	if (bpf_probe_read_user(p->in, 16, (void *)(data + p->scope)))
		return -1;
	p->at_in = 0;
	sender = java_number(p);
	index = java_number(p);
	p->bci = (__s32)java_number(p) - 1;
	/* a caller's scope is written before those of what it calls */
	if (!index || sender >= p->scope || metadata + 8ull * index > data ||
		JREAD(p->method, metadata + 8ull * (index - 1)))
		return -1;
	p->scope = sender;
	return 0;
}

static __attribute__((noinline)) void java_cache(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	const struct dt_java *j = &c->proc->java;
	struct java_scopes *s = &p->cache[(p->pc ^ p->pc >> 7) % CACHED_SCOPES];

	s->pc = p->pc;
	s->owner = p->owner;
	s->block = p->blob - sizeof(__u64) * 2;
	s->name = J64(p->block.blob, j->blob_name);
	s->compilation = J32(p->block.blob, j->nmethod_compilation);
	s->n = p->at;
#pragma unroll
	for (__u32 i = 0; i < CACHED_FRAMES; i++)
		s->word[i] = p->word[i];
}

/* Shows the next scope that is to be decoded; 1: there is another one. */
static __attribute__((noinline)) int java_decode(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	__u32 line = 0, kind;
	__u64 at;

	RT_KEPT(p->id) = DT_NAME_UNKNOWN;
	if (java_read_scope(c))
		p->scope = 0;
	else
		RT_KEPT(p->id) = java_name(c);
	if (RT_KEPT(p->id) != DT_NAME_UNKNOWN)
		line = java_find_line(c, p->id);
	else
		p->at = CACHED_FRAMES; /* what is not known is not kept */
	kind = p->scope ? DT_KIND_INLINED : p->kind;
	c->m->word = frame_word(RT_KEPT(p->id), DT_LANG_JAVA, kind, line);
	at = p->at;
	RT_FORGET(at);
	if (at < CACHED_FRAMES)
		p->word[at] = c->m->word;
	p->at++;
	if (p->scope)
		return 1;
	if (p->at <= CACHED_FRAMES)
		java_cache(c);
	return 0;
}

/* Shows the next scope of those that are kept; 1: there is another one. */
static __always_inline int java_replay(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	const struct java_scopes *s = &p->cache[(p->pc ^ p->pc >> 7) % CACHED_SCOPES];
	__u64 at = p->at++;

	RT_FORGET(at);
	if (at >= CACHED_FRAMES)
		return 0;
	c->m->word = s->word[at];
	return at + 1 < s->n;
}

static __always_inline int java_scope(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	int more = p->scopes == JAVA_REPLAY ? java_replay(c) : java_decode(c);

	if (more)
		return MANAGED_MORE;
	p->scopes = JAVA_NO_SCOPES;
	java_leave(c);
	return MANAGED_LEFT;
}

/* True if the return address of the frame, which is to be interpreted, was exchanged. */
static inline int is_exchanged(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	const struct dt_java *j = &c->proc->java;

	return !p->leaf &&
		(p->pc == J64(p->block.blob, j->nmethod_deopt) ||
			p->pc == J64(p->block.blob, j->nmethod_deopt_mh));
}

/*
 * 1: the frame is of compiled code whose frames are kept, and P its caller; 0: it is not; -1: its
 * caller is not found.  A method's code at the same address with the same number is the same code.
 */
static __attribute__((noinline)) int java_known(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	const struct dt_java *j = &c->proc->java;
	const struct java_scopes *s = &p->cache[(p->pc ^ p->pc >> 7) % CACHED_SCOPES];

	if (s->pc != p->pc || s->owner != p->owner || java_block(c, s->block) ||
		s->name != J64(p->block.blob, j->blob_name) ||
		s->compilation != J32(p->block.blob, j->nmethod_compilation) || is_exchanged(c))
		return 0;
	if (java_compiled_caller(c, J32(p->block.blob, j->blob_frame_size) * 8))
		return -1;
	p->at = 0;
	p->scopes = JAVA_REPLAY;
	return 1;
}

static __always_inline int java_compiled(struct walker *c, __u32 is_native)
{
	struct java_walk *p = JAVA_WALK(c);
	const struct dt_java *j = &c->proc->java;

	if (is_exchanged(c) && JREAD(p->pc, c->w->sp + J32(p->block.blob, j->nmethod_orig_pc)))
		return -1;
	if (java_compiled_caller(c, J32(p->block.blob, j->blob_frame_size) * 8))
		return -1;
	p->at = 0;
	p->kind = is_native					      ? DT_KIND_NATIVE
		: J32(p->block.blob, j->nmethod_level) == j->level_c2 ? DT_KIND_OPTIMISED
								      : DT_KIND_BASELINE;
	p->at = 0;
	java_find_scope(c);
	p->scopes = JAVA_DECODE;
	return 0;
}

/* ---- interpreted methods ---- */

/* Copies the interpreted frame that the frame pointer points to; 0 if it may be one. */
static __always_inline int java_slots(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	__u64 bp = read_bp(c->w), sp = c->w->sp;

	if (bp < sp || bp - sp > JAVA_FRAME_MAX || bp & 7 ||
		JREAD(p->slot, bp - SLOT_BYTES_BELOW_BP))
		return -1;
	p->caller_ip = p->slot[SLOT_RETURN];
	p->caller_bp = p->slot[SLOT_BP];
	p->caller_sp = p->slot[SLOT_SENDER_SP];
	p->method = p->slot[SLOT_METHOD];
	if (p->leaf && c->w->all && bp - sp < 24) { /* not yet stored */
		p->method = c->w->reg[R_BX];
		p->slot[SLOT_BCP] = 0;
		if (bp - sp < 8)
			p->caller_sp = c->w->reg[JAVA_SENDER];
	}
	return is_java_code(p, p->caller_ip) && p->caller_sp - bp < JAVA_FRAME_MAX && p->method
		? 0
		: -1;
}

/* The entry of a method, before it has a frame: its registers are those of a call. */
static __always_inline int java_entry(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	struct stack_walk *w = c->w;

	if (!p->leaf || !w->all)
		return -1;
	p->method = w->reg[R_BX];
	p->slot[SLOT_BCP] = 0;
	if (java_caller(c, w->sp - 8, 0)) {
		if (!is_java_code(p, w->reg[JAVA_RETURN])) /* it was popped */
			return -1;
		p->caller_ip = w->reg[JAVA_RETURN];
		p->caller_bp = read_bp(w);
	}
	p->caller_sp = w->reg[JAVA_SENDER];
	return p->caller_sp - w->sp < JAVA_FRAME_MAX ? 0 : -1;
}

static __attribute__((noinline)) int java_interpreted(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	const struct dt_java *j = &c->proc->java;
	__u64 at, bcp;
	__u32 line;

	if (java_slots(c) && java_entry(c))
		return java_lost(c);
	RT_KEPT(p->id) = java_name(c);
	bcp = p->const_method + j->const_size;
	at = p->slot[SLOT_BCP] - bcp;
	/* r13 has the bytecode, which is stored before calls */
	if (p->leaf && c->w->all && c->w->reg[JAVA_BCP] - bcp < p->code_size)
		at = c->w->reg[JAVA_BCP] - bcp;
	p->bci = at < p->code_size ? (__s32)at : -1;
	line = java_find_line(c, RT_KEPT(p->id));
	c->m->word = frame_word(RT_KEPT(p->id), DT_LANG_JAVA, DT_KIND_INTERPRETED, line);
	java_leave(c);
	return MANAGED_LEFT;
}

/* ---- stubs ---- */

/* The stub that C calls to run Java code; or another one that C calls: it returns to a file. */
static __always_inline int java_leave_to_c(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	__u64 bp = read_bp(c->w);

	if (bp < c->w->sp || bp - c->w->sp > JAVA_FRAME_MAX)
		return -1;
	return !java_caller(c, bp, 1) ||
			(p->caller_ip && find_mapping(c->w, p->caller_ip - 1) &&
				DT_MAPPING_KIND(c->w->info) == DT_MAPPING_TABLE)
		? 0
		: -1;
}

/* Adapters take the return address from the stack while they make room for arguments below it. */
static __always_inline int java_adapter_caller(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	struct stack_walk *w = c->w;

	if (!w->all || !is_java_code(p, w->reg[JAVA_RETURN]) ||
		w->reg[JAVA_SENDER] - w->sp > JAVA_FRAME_MAX)
		return -1;
	p->caller_ip = w->reg[JAVA_RETURN];
	p->caller_sp = w->reg[JAVA_SENDER];
	p->caller_bp = read_bp(w);
	return 0;
}

static __always_inline int java_stub_caller(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	const struct dt_java *j = &c->proc->java;
	__s32 words = (__s32)J32(p->block.blob, j->blob_frame_size);
	__u32 state;

	if (p->leaf) {
		if (p->blob_name == NAME_ADAPTER && !java_adapter_caller(c))
			return 0;
		state = java_frame_state(c, 1);
		if (state == FRAME_RETURN || arch_java_begins(p->code + 16))
			return java_caller(c, c->w->sp - 8, 0);
		if (arch_java_begins(p->code + 15))
			return java_caller(c, c->w->sp, 1);
	}
	if (words > 0 && !java_compiled_caller(c, (__u32)words * 8))
		return 0;
	if ((words <= 0 || p->leaf) && !java_leave_to_c(c))
		return 0;
	return p->leaf ? java_caller(c, c->w->sp - 8, 0) : -1;
}

static __attribute__((noinline)) int java_stub(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);

	if (java_stub_caller(c))
		return java_lost(c);
	if (p->leaf)
		c->m->word = frame_word(java_stub_name(c), DT_LANG_JAVA, DT_KIND_NATIVE, 0);
	java_leave(c);
	return p->leaf ? MANAGED_LEFT : MANAGED_HOP;
}

/* An answer of managed.h for the frame where C is. */
static __attribute__((noinline)) int java_frame(struct walker *c)
{
	struct java_walk *p = JAVA_WALK(c);
	const struct dt_java *j = &c->proc->java;
	__u64 name;
	int known;

	if (!c->m->begun)
		java_begin(c);
	if (p->scopes != JAVA_NO_SCOPES)
		return java_scope(c);
	if (!is_java_code(p, c->w->ip))
		return MANAGED_NOT;
	p->pc = c->w->ip;
	p->leaf = c->w->exact;
	if (p->pc - p->interpreter < p->interpreter_size)
		return java_interpreted(c);
	known = java_known(c);
	if (known)
		return known < 0 ? java_lost(c) : java_scope(c);
	if (java_blob(c))
		return java_lost(c);
	if (JREAD(p->blob_name, J64(p->block.blob, j->blob_name)))
		return java_lost(c);
	name = p->blob_name;
	if (name != NAME_NMETHOD && name != NAME_NATIVE)
		return java_stub(c);
	if (java_compiled(c, name == NAME_NATIVE))
		return java_lost(c);
	return java_scope(c);
}
