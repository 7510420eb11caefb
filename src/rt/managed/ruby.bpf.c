// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Walks the control frames of Ruby (MRI).
 *
 * Ruby methods and blocks that call each other run in one call of rb_vm_exec(), a C function, and
 * of the loop that it calls.  Neither is shown; their frames are, in the place of rb_vm_exec().  A
 * frame that C code called has VM_FRAME_FLAG_FINISH and is the last one of its rb_vm_exec().
 * Frames of methods that are written in C have no name here: their C functions are on the stack.
 */
#include "abi/managed.h"
#include "rt/managed/managed.h"

/* In what glibc's thread pointer points to: the vector of the thread's TLS blocks (struct dtv). */
#define GLIBC_DTV	8
#define GLIBC_DTV_ENTRY 16

/* The flags of a frame, at the end of its environment */
#define RUBY_FINISH 0x20
#define RUBY_CFRAME 0x80

/* An object's flags (ruby/internal/value_type.h, fl_type.h, core/rstring.h, core/rarray.h) */
#define RUBY_TYPE   0x1f
#define TYPE_STRING 5
#define TYPE_ARRAY  7
#define ISEQ_MASK   0xf01f
#define ISEQ_TYPE   0x701a    /* an imemo that is an iseq */
#define RUBY_LONG   (1 << 13) /* a string is not in the object */
#define ARRAY_SHORT (1 << 13) /* an array is */
#define EMBED_LEN   14

/* The index of lines: numbers of entries, then a bit for each instruction at which one begins. */
#define INDEX_FIRST 54 /* instructions of which the numbers are there, nine in a word */
#define INDEX_BLOCK 80 /* bytes, for 512 bits */
#define INDEX_BITS  16 /* in a block */

#define RUBY_BODY 152 /* bytes that are read at once */
#define RUBY_CALL 48
#define RUBY_SKIP 64 /* frames in C that may be between two others */
#define RUBY_SCAN 64 /* words of the stack that code of the JIT may have */

struct ruby_walk {
	__u64 frame; /* the next to be looked at; 0: there is none */
	__u64 end;   /* where there is none any more */
	__u32 ended; /* the rb_vm_exec() where the walk is has no more frames */
	__u32 found;
	__u64 flags; /* of the frame */
	__u64 pc, iseq, body;
	__u64 label, path; /* where their characters are */
	__u64 label_len, path_len;
	__u64 lines, lines_index;
	__u64 at; /* on the stack */
	struct managed_jit jit;
	__u8 call[RUBY_CALL];
	__u8 head[RUBY_BODY]; /* of BODY */
	__u64 str[4];
};

_Static_assert(sizeof(struct ruby_walk) <= MANAGED_STATE, "it is kept there");

/* Finds the thread's frames: ruby_current_ec, as __tls_get_addr() does. */
static __attribute__((noinline)) void ruby_begin(struct walker *c)
{
	struct ruby_walk *p = (struct ruby_walk *)c->m->state;
	const struct dt_ruby *ruby = &c->proc->ruby;
	__u64 task = bpf_get_current_task(), self, at, index[2], stack[2];

	c->m->begun = 1;
	p->ended = 0;
	p->frame = 0;
	if (KREAD(self, task, task_fsbase) || USER_READ(index, ruby->tls) ||
		USER_READ(at, self + GLIBC_DTV) || USER_READ(at, at + GLIBC_DTV_ENTRY * index[0]) ||
		USER_READ(at, at + index[1]) || USER_READ(stack, at) ||
		USER_READ(p->frame, at + ruby->ec_frame))
		return;
	p->end = stack[0] + stack[1] * 8;
}

/* ---- names ---- */

/* Reads the head of the String at ADDR: where its characters are, and how many; 0, or -1. */
static __always_inline int ruby_string(struct ruby_walk *p, __u64 addr, __u64 *text, __u64 *len)
{
	if (USER_READ(p->str, addr) || (p->str[0] & RUBY_TYPE) != TYPE_STRING)
		return -1;
	*text = p->str[0] & RUBY_LONG ? p->str[3] : addr + 16;
	*len = p->str[0] & RUBY_LONG ? p->str[2] : p->str[0] >> EMBED_LEN & 31;
	return *len < 1u << 20 ? 0 : -1;
}

/* The path is a String or an Array, of which it is the first. */
static __always_inline int ruby_path(struct ruby_walk *p, __u64 addr)
{
	__u64 flags;

	if (USER_READ(flags, addr))
		return -1;
	if ((flags & RUBY_TYPE) == TYPE_ARRAY) {
		if (flags & ARRAY_SHORT)
			addr += 16;
		else if (USER_READ(addr, addr + 32))
			return -1;
		if (USER_READ(addr, addr))
			return -1;
	}
	return ruby_string(p, addr, &p->path, &p->path_len);
}

/* Reads what the iseq of the frame is known by: 0, or -1: it is none. */
static __always_inline int ruby_iseq(struct walker *c, struct ruby_walk *p)
{
	const struct dt_ruby *ruby = &c->proc->ruby;
	struct managed_walk *m = c->m;
	__u64 flags, line, first = 0;

	if (USER_READ(flags, p->iseq) || (flags & ISEQ_MASK) != ISEQ_TYPE ||
		USER_READ(p->body, p->iseq + ruby->iseq_body) || USER_READ(p->head, p->body))
		return -1;
	line = MEMBER(__u64, p->head, ruby->body_line);
	if (!(line & 1) || line >> 32) /* a small Integer is twice its value, and 1 */
		return -1;
	m->name.line = (__u32)(line >> 1);
	if (ruby_string(p, MEMBER(__u64, p->head, ruby->body_label), &p->label, &p->label_len) ||
		ruby_path(p, MEMBER(__u64, p->head, ruby->body_path)))
		return -1;
	/* the memory of a name that is collected may come to be another's */
	USER_READ(first, p->label);
	m->name.pad = 0;
	m->name.key[0] = (__u64)c->w->tgid << 32 | m->name.line;
	m->name.key[1] = p->label ^ p->label_len << 48;
	m->name.key[2] = p->path ^ p->path_len << 48;
	m->name.key[3] = first;
	return 0;
}

/* Returns the id of the method or block of the frame. */
static __attribute__((noinline)) __u64 ruby_name(struct walker *c)
{
	struct ruby_walk *p = (struct ruby_walk *)c->m->state;
	struct managed_walk *m = c->m;
	__u64 id;

	if (ruby_iseq(c, p))
		return DT_NAME_UNKNOWN;
	id = name_find(m);
	if (id != DT_NAME_UNKNOWN || m->id == DT_NAME_UNKNOWN)
		return id;
	text_begin(m);
	if (text_bytes(c, p->label, p->label_len))
		return DT_NAME_UNKNOWN;
	text_end(m);
	__builtin_memcpy(m->name.function, m->out, MANAGED_TEXT);
	if (text_path(c, p->path, p->path_len))
		return DT_NAME_UNKNOWN;
	__builtin_memcpy(m->name.file, m->out, MANAGED_TEXT);
	return name_keep(m);
}

/* ---- lines ---- */

/* Returns the number of entries of the table that begin up to instruction POS. */
static __always_inline __u64 ruby_entries(__u64 index, __u64 pos)
{
	__u64 word, ranks, before = 0;
	__u32 rank;

	if (pos < INDEX_FIRST)
		return USER_READ(word, index + pos / 9 * 8) ? 0 : word >> pos % 9 * 7 & 0x7f;
	pos -= INDEX_FIRST;
	index += (INDEX_FIRST / 9) * 8 + pos / 512 * INDEX_BLOCK;
	pos %= 512;
	if (USER_READ(rank, index) || USER_READ(ranks, index + 8) ||
		USER_READ(word, index + INDEX_BITS + pos / 64 * 8))
		return 0;
	if (pos / 64)
		before = ranks >> (pos / 64 - 1) * 9 & 0x1ff;
	return rank + before + (__u64)__builtin_popcountll(word << (63 - pos % 64));
}

/* Returns the line of the frame, or that where it begins, with DT_FRAME_FIRST_LINE. */
static __attribute__((noinline)) __u64 ruby_line(struct walker *c)
{
	struct ruby_walk *p = (struct ruby_walk *)c->m->state;
	const struct dt_ruby *ruby = &c->proc->ruby;
	__u64 pos = (p->pc - MEMBER(__u64, p->head, ruby->body_code)) / 8, n = 1;
	__u32 count = MEMBER(__u32, p->head, ruby->body_lines_count), line;

	/* the pc is that of the next instruction */
	if (pos)
		pos--;
	if (!p->pc || pos >= MEMBER(__u32, p->head, ruby->body_size))
		return c->m->name.line | DT_FRAME_FIRST_LINE;
	if (count > 1)
		n = ruby_entries(MEMBER(__u64, p->head, ruby->body_lines_index), pos);
	if (n - 1 >= count ||
		USER_READ(line,
			MEMBER(__u64, p->head, ruby->body_lines) + (n - 1) * ruby->line_size) ||
		!line || line > DT_FRAME_LINE_MAX)
		return c->m->name.line | DT_FRAME_FIRST_LINE;
	return line;
}

/* ---- frames ---- */

/* Goes to the next frame that is not of C; P->found says if there is one. */
static long ruby_next(__u32 i, struct walker *c)
{
	struct ruby_walk *p = (struct ruby_walk *)c->m->state;
	const struct dt_ruby *ruby = &c->proc->ruby;

	if (!p->frame || p->frame >= p->end || USER_READ(p->call, p->frame) ||
		USER_READ(p->flags, MEMBER(__u64, p->call, ruby->frame_env))) {
		p->frame = 0;
		return 1;
	}
	p->pc = MEMBER(__u64, p->call, ruby->frame_pc);
	p->iseq = MEMBER(__u64, p->call, ruby->frame_iseq);
	p->frame += ruby->frame_size;
	p->found = !(p->flags & RUBY_CFRAME);
	return p->found;
}

/* Shows the next frame of the rb_vm_exec() where the walk is; MANAGED_NOT: there is none. */
static __always_inline int ruby_show(struct walker *c)
{
	struct ruby_walk *p = (struct ruby_walk *)c->m->state;
	__u64 id, line = 0;

	p->found = 0;
	bpf_loop(RUBY_SKIP, ruby_next, c, 0);
	if (!p->found)
		return MANAGED_NOT;
	id = ruby_name(c);
	if (id != DT_NAME_UNKNOWN)
		line = ruby_line(c);
	c->m->word = frame_word(id, DT_LANG_RUBY, DT_KIND_INTERPRETED, (__u32)line) |
		(line & DT_FRAME_FIRST_LINE);
	p->ended = (p->flags & RUBY_FINISH) != 0;
	return MANAGED_MORE;
}

/* ---- native frames ---- */

static inline int is_exec(const struct dt_ruby *ruby, __u64 ip)
{
	return ip - ruby->exec < ruby->exec_size || ip - ruby->exec_cold < ruby->exec_cold_size;
}

static inline int is_ruby_loop(const struct dt_ruby *ruby, __u64 ip)
{
	return ip - ruby->loop < ruby->loop_size || ip - ruby->loop_cold < ruby->loop_cold_size;
}

/* Looks for what has called code of the JIT, which has no tables and no frame pointer. */
static long ruby_scan(__u32 i, struct walker *c)
{
	struct ruby_walk *p = (struct ruby_walk *)c->m->state;
	__u64 word;

	if (USER_READ(word, p->at))
		return 1;
	p->at += 8;
	if (!is_exec(&c->proc->ruby, word - 1) && !is_ruby_loop(&c->proc->ruby, word - 1))
		return 0;
	c->w->ip = word;
	c->w->sp = p->at;
	c->w->exact = c->w->all = c->w->guess = 0;
	return 1;
}

/* An answer of managed.h for the frame where C is. */
static __attribute__((noinline)) int ruby_frame(struct walker *c)
{
	struct ruby_walk *p = (struct ruby_walk *)c->m->state;
	const struct dt_ruby *ruby = &c->proc->ruby;
	int answer;

	if (!c->m->begun)
		ruby_begin(c);
	if (!p->frame)
		return MANAGED_NOT;
	if (!is_exec(ruby, c->w->ip - !c->w->exact) &&
		!is_ruby_loop(ruby, c->w->ip - !c->w->exact)) {
		if (!is_jit(c, &p->jit))
			return MANAGED_NOT;
		p->at = c->w->sp;
		bpf_loop(RUBY_SCAN, ruby_scan, c, 0);
	}
	if (!is_exec(ruby, c->w->ip - !c->w->exact))
		return is_ruby_loop(ruby, c->w->ip - !c->w->exact) ? MANAGED_SKIP : MANAGED_NOT;
	if (!p->ended) {
		answer = ruby_show(c);
		if (answer != MANAGED_NOT)
			return answer;
	}
	p->ended = 0;
	return MANAGED_SKIP;
}
