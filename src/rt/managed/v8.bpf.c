// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Walks the frames of V8.
 *
 * All code that V8 makes keeps frame pointers.  A frame of JavaScript has its context and its
 * function below the saved frame pointer; another frame has its type there, as a small integer.
 * Builtins that make no frame, and handlers of bytecodes, run with the frame of the function that
 * they work for.
 */
#include "abi/managed.h"
#include "abi/unwind.h"
#include "arch/arch.bpf.h"
#include "rt/managed/managed.h"
#include "rt/managed/v8.h"
#include "rt/rt.h"
#include "rt/unwind.h"

/* ---- code ---- */

/* A member of the Code object that was read, at an offset that is a multiple of its size. */
#define V8_CODE(p, type, off) (*(type *)((p)->code_head + ((off) & (V8_CODE_HEAD - sizeof(type)))))

/* Reads the Code object of the instruction stream at P->stream: 0 if the frame's pc is in it. */
static __attribute__((noinline)) int v8_read_code(struct walker *c)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	const struct dt_v8 *v = &c->proc->v8;

	p->code = p->stream + 1;
	if (v->stream_code != DT_MANAGED_NONE && V8READ(p->code, p->stream + v->stream_code))
		return -1;
	if (!V8_TAGGED(p->code) || V8READ(p->code_head, p->code - 1))
		return -1;
	p->deopt = V8_CODE(p, __u64, v->code_deopt);
	p->code_flags = V8_CODE(p, __u32, v->code_flags);
	p->code_size = V8_CODE(p, __u32, v->code_size);
	p->code_start = p->stream + v->stream_header;
	return p->pc - p->code_start < p->code_size ? 0 : -1;
}

/* Looks whether the instruction stream begins at the I'th place below the pc. */
static long v8_stream_at(__u32 i, struct walker *c)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	const struct dt_v8 *v = &c->proc->v8;
	__u64 at = (p->pc & ~63ull) - (__u64)i * 64 - v->stream_header;

	if (bpf_probe_read_user(&p->temp, 16, (void *)at)) /* and temp2 */
		return 1;
	if ((p->temp & 7) != 1 || (p->temp2 & 7) != 1 || p->temp >= USER_END ||
		p->temp2 >= USER_END)
		return 0;
	if (v8_type(c, at + 1) != v->type_stream)
		return 0;
	p->stream = at;
	return 1;
}

#define V8_MOST_CODE (1u << 17) /* bytes of a function's code */

/* Finds the code that the frame's pc is in: 0, or -1. */
static __always_inline int v8_find_code(struct walker *c)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;

	p->stream = 0;
	bpf_loop(V8_MOST_CODE / 64, v8_stream_at, c, 0);
	return p->stream ? v8_read_code(c) : -1;
}

/* True if the optimised code is that of the frame's function: the frame pointer may still be the
 * caller's. */
static __always_inline int v8_own_code(struct walker *c)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	const struct dt_v8 *v = &c->proc->v8;

	if (!V8_TAGGED(p->deopt) ||
		V8READ(p->temp, p->deopt - 1 + V8_ELEMENTS + v->deopt_shared * 8) ||
		!V8_TAGGED(p->temp))
		return 0;
	if (v->deopt_wrapped && V8READ(p->temp, p->temp - 1 + 8))
		return 0;
	return p->temp == p->outer;
}

/* Reads what optimised code says of the functions that are inlined in it. */
static __always_inline int v8_begin_levels(struct walker *c)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	const struct dt_v8 *v = &c->proc->v8;
	__u64 table;

	p->target = (__u32)(p->pc - p->code_start);
	if (V8READ(table, p->code - 1 + v->code_positions) || v8_position(c, table))
		return -1;
	p->inlined = p->literals = 0;
	if (position_inlined(p->pos) == ~0u)
		return 0;
	if (!V8_TAGGED(p->deopt) ||
		V8READ(p->inlined, p->deopt - 1 + V8_ELEMENTS + v->deopt_inlining * 8) ||
		V8READ(p->literals, p->deopt - 1 + V8_ELEMENTS + v->deopt_literals * 8) ||
		!V8_TAGGED(p->inlined) || !V8_TAGGED(p->literals))
		return -1;
	return 0;
}

/* An element of the array of inlined functions. */
struct v8_inlined {
	__u64 pos; /* where it is called from */
	__u32 function, pad;
};

/*
 * Goes to the function that P->pos is in, one level further out with each call; P->position becomes
 * the position in it.  1: it is the frame's own, the last; -1: the tables cannot be read.
 */
static __always_inline int v8_next_level(struct walker *c)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	__u32 i = position_inlined(p->pos);
	struct v8_inlined in;

	p->position = position_offset(p->pos);
	p->shared = p->outer;
	if (i == ~0u)
		return 1;
	if (V8READ(p->temp, p->inlined - 1 + V8_LENGTH) || !V8_IS_SMI(p->temp) ||
		((__u64)i + 1) * sizeof(in) > V8_SMI(p->temp) ||
		V8READ(in, p->inlined - 1 + V8_ELEMENTS + i * sizeof(in)))
		return -1;
	if (V8READ(p->temp, p->literals - 1 + V8_LENGTH) || !V8_IS_SMI(p->temp) ||
		in.function >= V8_SMI(p->temp) ||
		V8READ(p->shared, p->literals - 1 + V8_ELEMENTS + in.function * 8))
		return -1;
	p->shared = (p->shared & ~3ull) | 1; /* it may be a weak reference */
	p->pos = in.pos;
	return 0;
}

/* ---- frames ---- */

enum v8_place {
	V8_ELSEWHERE, /* not V8's code */
	V8_UNLISTED,  /* it may be: in memory that the process has just got */
	V8_JIT,
	V8_TRAMPOLINE, /* the interpreter's, where interpreted functions return to */
	V8_HANDLER,    /* of a bytecode */
	V8_BUILTIN,
};

static inline int v8_in_blob(const struct dt_v8 *v, __u64 off)
{
	if (off - v->enter < v->enter_size || off - v->enter_at < v->enter_at_size)
		return V8_TRAMPOLINE;
	return off >= v->handlers ? V8_HANDLER : V8_BUILTIN;
}

/* Says where ADDR is. */
static __attribute__((noinline)) int v8_place(struct walker *c, __u64 addr)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	const struct dt_v8 *v = &c->proc->v8;
	struct stack_walk *w = c->w;

	if (addr - v->blob < v->blob_size)
		return v8_in_blob(v, addr - v->blob);
	if (addr - p->copy < p->copy_size)
		return v8_in_blob(v, addr - p->copy);
	if (!find_mapping(w, addr)) {
		if (w->list && addr < USER_END)
			w->lost = 1;
		return V8_UNLISTED;
	}
	if (DT_MAPPING_KIND(w->info) == DT_MAPPING_CODE)
		return V8_JIT;
	if (DT_MAPPING_KIND(w->info) != DT_MAPPING_TABLE)
		return V8_ELSEWHERE;
	p->temp = w->info;
	p->temp2 = w->bias;
	if (!p->blob_info && find_mapping(w, v->blob)) {
		p->blob_info = w->info;
		p->blob_pc = v->blob - w->bias;
	}
	/* V8 maps its builtins a second time, near the code that it makes */
	if (p->temp != p->blob_info || addr - p->temp2 - p->blob_pc >= v->blob_size)
		return V8_ELSEWHERE;
	p->copy = p->temp2 + p->blob_pc;
	p->copy_size = v->blob_size;
	return v8_in_blob(v, addr - p->copy);
}

/* True if ADDR is in code that V8 has made, where the last frame was: no call is needed then. */
static inline int v8_is_near(const struct stack_walk *w, __u64 addr)
{
	return addr - w->start < w->length && DT_MAPPING_KIND(w->info) == DT_MAPPING_CODE;
}

/* Goes to the caller of the frame that P has. */
static inline void v8_leave(struct walker *c)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	struct stack_walk *w = c->w;

	p->state = V8_NEW;
	w->exact = w->all = w->guess = 0;
	w->sp = p->fp + 16;
	w->bp = p->slot[S_BP];
	w->bp_at = 0;
	returned_to(c, p->slot[S_RETURN], p->fp + 8);
}

static inline void v8_mix(__u64 *h, __u64 word)
{
	*h = (*h ^ word) * 0x9e3779b97f4a7c15ull; /* of the golden ratio */
	*h ^= *h >> 32;
}

static inline struct v8_met *v8_met_at(struct v8_walk *p, __u64 fn)
{
	return &p->met[(fn >> 3 ^ fn >> 9) % V8_MET];
}

/* True if the walk has met the frame's function: then what v8_function() finds is there. */
static __always_inline int v8_has_met(struct walker *c)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	__u64 fn = p->slot[S_FUNCTION];
	const struct v8_met *met = v8_met_at(p, fn);

	if (met->walk != p->walk || met->function != fn || c->w->exact)
		return 0;
	p->shared = p->outer = met->outer;
	p->identity = met->identity;
	p->builtin = (__u32)met->builtin;
	return 1;
}

/* Finds the frame's SharedFunctionInfo, and what tells it from others: 0, or -1. */
static __attribute__((noinline)) int v8_function(struct walker *c)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	const struct dt_v8 *v = &c->proc->v8;
	__u64 fn = p->slot[S_FUNCTION], h;
	struct v8_met *met = v8_met_at(p, fn);

	if (!V8_TAGGED(fn) || V8READ(p->outer, fn - 1 + v->function_shared))
		return -1;
	p->shared = p->outer;
	if (v8_read_sfi(p, v))
		return -1;
	h = c->w->top ^ (__u64)c->w->tgid << 48;
	v8_mix(&h, p->outer);
	v8_mix(&h, p->sfi[v->sfi_data / 8 % V8_SFI_WORDS]);
	v8_mix(&h, p->sfi[v->sfi_scope / 8 % V8_SFI_WORDS]);
	v8_mix(&h, p->sfi[v->sfi_literal_id / 8 % V8_SFI_WORDS]);
	v8_mix(&h, p->script);
	v8_mix(&h, p->script_id);
	p->identity = h;
	p->builtin = V8_IS_SMI(p->sfi[v->sfi_data / 8 % V8_SFI_WORDS]);
	met->walk = p->walk;
	met->function = fn;
	met->outer = p->outer;
	met->identity = h;
	met->builtin = p->builtin;
	return 0;
}

/* Checks by types what v8_function() took for granted. */
static __attribute__((noinline)) int v8_check_function(struct walker *c)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	const struct dt_v8 *v = &c->proc->v8;
	int type = v8_type(c, p->slot[S_FUNCTION]);

	if (type < v->type_function || type > v->type_function_last)
		return -1;
	if (V8READ(p->outer, p->base + v->function_shared))
		return -1;
	return v8_type(c, p->outer) == v->type_sfi ? 0 : -1;
}

/* Sets the line that an interpreted frame has, if V8 has made the table. */
static __always_inline void v8_bytecode_position(struct walker *c)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	const struct dt_v8 *v = &c->proc->v8;
	__u64 table;

	p->pos = 1; /* none */
	if (p->kind != DT_KIND_INTERPRETED || p->leaf || p->builtin ||
		!V8_IS_SMI(p->slot[S_OFFSET]) ||
		v8_type(c, p->slot[S_BYTECODES]) != v->type_bytecodes ||
		V8READ(table, p->base + v->bytecodes_positions))
		return;
	p->target = V8_SMI(p->slot[S_OFFSET]) - (v->bytecodes_header - 1);
	/* garbage if it says that something is inlined, and P->inlined is another frame's */
	if (v8_position(c, table) || position_inlined(p->pos) != ~0u)
		p->pos = 1;
}

/*
 * Sets which code the frame at the frame pointer runs, from PLACE, which is where the thread is: a
 * builtin without a frame was called by it.
 */
static __always_inline void v8_running(struct walker *c, int place)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	__u64 ip;

	p->pc = c->w->ip - !c->w->exact;
	p->leaf = c->w->exact;
	if (p->leaf && place == V8_BUILTIN && !p->builtin) {
		p->pc = 0;
		if (!V8READ(ip, c->w->sp)) {
			place = v8_place(c, ip - 1);
			p->pc = ip - 1;
		}
	}
	p->jit = place == V8_JIT || place == V8_UNLISTED;
	if (!p->jit)
		p->pc = 0;
	p->offset = p->jit || p->leaf || p->builtin ? 0 : p->slot[S_OFFSET];
	p->kind = DT_KIND_INTERPRETED;
}

/* Sets the key to a hash of all that would change if this were another function, or other code. */
static __always_inline void v8_make_key(struct walker *c)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	__u64 h = p->identity;

	v8_mix(&h, p->pc << 1 | p->leaf);
	if (p->jit) {
		v8_mix(&h, p->code);
		v8_mix(&h, p->deopt);
	} else if (!p->builtin) {
		v8_mix(&h, p->offset);
		v8_mix(&h, p->slot[S_BYTECODES]);
	}
	p->key = h;
}

static inline struct v8_seen *v8_set(struct v8_walk *p)
{
	__u64 h = p->offset;

	v8_mix(&h, p->pc);
	v8_mix(&h, p->outer);
	return p->seen[(h >> 8) % V8_SETS];
}

/* True if S has the frames of this one; they are P->n words at P->first. */
static __always_inline int v8_recall(struct walker *c, struct v8_seen *s)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;

	if (!s->n || s->pc != p->pc || p->ring_end - s->at > V8_RING - V8_WORDS)
		return 0;
	/* a walk looks at code once: that of a frame which has not returned stays where it is */
	if (!p->jit || p->leaf || s->walk != p->walk || s->function != p->identity) {
		p->stream = s->stream;
		if (p->jit && (!p->stream || v8_read_code(c)))
			return 0;
		v8_make_key(c);
		if (s->key != p->key)
			return 0;
		s->walk = p->leaf ? 0 : p->walk;
	}
	p->first = s->at;
	p->n = (__u32)s->n;
	p->next = 0;
	p->state = V8_KNOWN;
	return 1;
}

static __always_inline void v8_remember(struct walker *c)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	struct v8_seen *s = v8_set(p);

	if (!p->n || p->n > V8_WORDS || p->unknown)
		return;
	s[1] = s[0];
	s->pc = p->pc;
	s->key = p->key;
	s->stream = p->jit ? p->stream : 0;
	s->walk = 0;
	s->function = p->identity;
	s->at = p->first;
	s->n = p->n;
	p->ring_end += p->n;
}

/* Reads the frame at the frame pointer: 0, or -1: there is none. */
static __always_inline int v8_read_frame(struct walker *c)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	struct stack_walk *w = c->w;
	__u64 at, off;

	p->fp = read_bp(w);
	if (p->fp < w->sp || p->fp - w->sp >= 1ull << 23 || p->fp & 7)
		return -1;
	at = p->fp - V8_SLOTS;
	if (!has_words(w, at - w->near_at, sizeof(p->slot))) {
		/* as read_saved(): only small frames are read in one piece with their callers */
		if (w->sparse || p->fp - w->sp > NEAR / 4 || fetch_words(w, at, 1) ||
			w->near_size < NEAR)
			return V8READ(p->slot, at) ? -1 : 0;
	}
	off = at - w->near_at;
#pragma unroll
	for (int i = 0; i < S_COUNT; i++)
		p->slot[i] = word_at(w, off + i * 8);
	return 0;
}

/* An answer for a frame of this type, a small integer in its lower half. */
static inline int v8_typed(const struct dt_v8 *v, __u64 type, int place)
{
	if (place == V8_UNLISTED)
		return MANAGED_NOT;
	if (!type || type > 2 * V8_FRAME_TYPES)
		return place == V8_JIT ? MANAGED_NOT : MANAGED_HOP;
	return type / 2 == v->frame_wasm ? MANAGED_LEFT : MANAGED_HOP;
}

/* Looks at the frame where C is: an answer of managed.h, MANAGED_MORE if P has what to show. */
static __attribute__((noinline)) int v8_open(struct walker *c)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	const struct dt_v8 *v = &c->proc->v8;
	__u64 at = c->w->ip - !c->w->exact;
	int place = v8_is_near(c->w, at) ? V8_JIT : v8_place(c, at);
	struct v8_seen *seen;
	__u64 context;

	p->n = p->unknown = 0;
	p->first = p->ring_end;
	if (place == V8_ELSEWHERE || v8_read_frame(c))
		return MANAGED_NOT;
	context = p->slot[S_CONTEXT];
	if (c->w->exact && c->w->sp > p->fp - 16) { /* the frame is being made */
		if (place >= V8_HANDLER)
			return MANAGED_HOP;
		p->slot[S_FUNCTION] = c->w->reg[V8_FUNCTION];
	} else if (!(context & 1)) {
		return v8_typed(v, context, place);
	}
	if (!v8_has_met(c) && v8_function(c))
		return place < V8_TRAMPOLINE && v8_type(c, context) < 0 ? MANAGED_NOT
									: MANAGED_LEFT;
	v8_running(c, place);
	seen = v8_set(p);
	if (v8_recall(c, seen) || v8_recall(c, seen + 1))
		return MANAGED_MORE;
	if (v8_check_function(c))
		return MANAGED_LEFT;
	p->state = V8_LEVELS;
	if (p->jit && !v8_find_code(c)) {
		__u32 kind = p->code_flags & 15;

		p->kind = kind == v->kind_baseline ? DT_KIND_BASELINE
			: kind > v->kind_baseline  ? DT_KIND_OPTIMISED
						   : DT_KIND_INTERPRETED;
		v8_make_key(c);
		if (p->kind == DT_KIND_OPTIMISED) {
			if (!v8_own_code(c) || v8_begin_levels(c))
				p->pos = 1;
			return MANAGED_MORE;
		}
	} else if (p->jit) {
		p->code = p->deopt = p->stream = 0;
		p->kind = DT_KIND_OPTIMISED;
	}
	v8_make_key(c);
	v8_bytecode_position(c);
	return MANAGED_MORE;
}

/* Finds the next of the functions that the frame stands for; true if it is the last one. */
static __always_inline int v8_level(struct walker *c)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	__u32 n = p->n;

	RT_KEPT(p->last) = v8_next_level(c);
	if (RT_KEPT(p->last) < 0) {
		c->m->word = frame_word(DT_NAME_UNKNOWN, DT_LANG_V8, DT_KIND_INLINED, 0);
		p->unknown = 1;
		p->pos = 1; /* the frame's own function is certain */
		return 0;
	}
	c->m->word = v8_word(c, RT_KEPT(p->last) ? p->kind : DT_KIND_INLINED);
	if (DT_FRAME_ID(c->m->word) == DT_NAME_UNKNOWN)
		p->unknown = 1;
	if (n < V8_WORDS)
		p->ring[(p->first + n) % V8_RING] = c->m->word;
	p->n = n + 1;
	return RT_KEPT(p->last);
}

/* An answer of managed.h for the frame where C is. */
static __attribute__((noinline)) int v8_frame(struct walker *c)
{
	struct v8_walk *p = (struct v8_walk *)c->m->state;
	int answer, last;

	if (!c->m->begun) {
		c->m->begun = 1;
		p->state = V8_NEW;
		p->walk = bpf_ktime_get_ns();
		p->copy_size = p->blob_info = 0;
	}
	if (p->state == V8_NEW) {
		answer = v8_open(c);
		if (answer == MANAGED_LEFT)
			c->m->word =
				frame_word(DT_NAME_UNKNOWN, DT_LANG_V8, DT_KIND_INTERPRETED, 0);
		if (answer == MANAGED_LEFT || answer == MANAGED_HOP)
			v8_leave(c);
		if (answer != MANAGED_MORE)
			return answer;
	}
	if (p->state == V8_KNOWN) {
		__u32 i = p->next;

		c->m->word = p->ring[(p->first + i) % V8_RING];
		p->next = i + 1;
		last = p->next >= p->n;
	} else {
		last = v8_level(c);
		if (last)
			v8_remember(c);
	}
	if (!last)
		return MANAGED_MORE;
	v8_leave(c);
	return MANAGED_LEFT;
}
