// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Walks the frames of CPython.
 *
 * Python functions that call each other run in one call of the interpreter's loop, a C function
 * (before 3.11 each has a call of its own).  The loop's frame is not shown; the Python frames that
 * it runs are, in its place.
 *
 * A thread's state has a list of all its Python frames.  An anchor tells which of them are a
 * loop's: an address in the loop's own C frame.  3.10 to 3.12 have a list of struct _PyCFrame
 * there, 3.13 ends the Python frames of a loop with one that is itself in the C frame.  3.9 has
 * neither: each loop's frame takes one Python frame.  Only after the native step are both ends of a
 * C frame known, so the Python frames are shown when the walk is at its caller.
 */
#include "abi/managed.h"
#include "abi/unwind.h"
#include "arch/arch.bpf.h"
#include "rt/managed/managed.h"
#include "rt/rt.h"

#define OWNED_BY_C 3 /* FRAME_OWNED_BY_CSTACK: a frame without code, in the loop's C frame */

#define STATES 4    /* of one thread, which several interpreters can have */
#define NODES  4096 /* of the lists of interpreters and threads that are read */

/* Instead of an address: there is no loop; it was not looked for; it is the next loop's. */
enum { ANCHOR_NONE, ANCHOR_UNREAD, ANCHOR_NEXT };

/*
 * Bytes at the loop's beginning in which its struct _PyCFrame may not be complete.  Code of
 * instructions may be there as well.
 */
#define PROLOGUE 1024

/* The Python frames of one state of the thread, from the innermost. */
struct python_list {
	__u64 frame;  /* the next to be shown; 0: there is none */
	__u64 anchor; /* of the loop that runs it, or ANCHOR_.. */
};

#define CACHED_LINES 64

struct python_line {
	__u64 id, table;
	__u32 offset, line;
};

#define MET 64 /* code objects of a walk */

/*
 * What is known of a code object that a frame has: it stays there as long as the walk takes, as the
 * thread does not run.
 */
struct python_met {
	__u64 walk, code;
	__u64 id, table;
	__u32 first, pad;
};

/* Bytes of each object that are read at once. */
#define HEAD_FRAME_OBJECT 112 /* 3.9, 3.10 */
#define HEAD_FRAME	  72
#define HEAD_CODE	  144
#define HEAD_STR	  40

struct python_walk {
	struct python_list list[STATES];
	__u32 states;  /* of the thread; 0: it runs no Python */
	__u32 now;     /* the list whose frames are being shown */
	__u32 showing; /* true until the loop has no more of them */
	/* of the native frame that was left last: */
	__u32 was_loop; /* it is a loop's, by its address, whose frames were not yet found */
	__u32 was_new;	/* and may have only begun */
	__u32 called;	/* the same, though they were */
	__u32 shown;	/* as a native frame */
	__u64 from;	/* where it begins on the stack; it ends at C->w->sp */
	__u64 self;	/* the thread pointer, which is pthread_self() */
	__u64 interp, thread;
	__u64 code, instr, previous; /* of a frame */
	__u64 look, before; /* a frame that ends a loop's, is looked for; the one after it */
	__u64 walk;	    /* when it began */
	__u64 text;	    /* a str, and its head: */
	__u64 length, hash;
	__u32 kind;
	__u8 entry, owner;
	__u16 pad;
	__u8 frame[HEAD_FRAME_OBJECT];
	__u8 head[HEAD_CODE]; /* of CODE */
	__u8 str[HEAD_STR];
	/* the table of lines */
	__u64 table, lines, lines_end; /* what is left of it */
	__u32 target;		       /* the offset that is looked for, in units of the table */
	__u32 offset;		       /* where the entry that is being read begins */
	__u32 length_of_entry;
	__s32 line, first;	  /* that is looked for; where the function begins */
	__u32 form, shift, value; /* of the entry: its code; a number that is being read */
	__u32 done;		  /* LINE is that of the offset */
	__u8 chunk[64];
	struct python_line cache[CACHED_LINES];
	struct python_met met[MET];
};

_Static_assert(sizeof(struct python_walk) <= MANAGED_STATE, "it is kept there");

/* ---- the thread ---- */

static __always_inline void add_state(struct walker *c, struct python_walk *p, __u64 thread)
{
	const struct dt_python *py = &c->proc->python;
	struct python_list *l;
	__u64 n = p->states;

	RT_FORGET(n);
	if (n >= STATES)
		return;
	l = &p->list[n];
	p->states = (__u32)n + 1;
	l->frame = 0;
	if (py->thread_frame != DT_MANAGED_NONE && USER_READ(l->frame, thread + py->thread_frame))
		l->frame = 0;
	if (py->thread_cframe == DT_MANAGED_NONE)
		l->anchor = py->frame_owner == DT_MANAGED_NONE ? ANCHOR_NEXT : ANCHOR_UNREAD;
	else if (USER_READ(l->anchor, thread + py->thread_cframe))
		l->anchor = ANCHOR_NONE;
}

/* Looks at one interpreter, or at one thread of an interpreter. */
static long find_state(__u32 i, struct walker *c)
{
	struct python_walk *p = (struct python_walk *)c->m->state;
	const struct dt_python *py = &c->proc->python;
	__u64 id;

	if (!p->thread) {
		if (!p->interp)
			return 1;
		if (USER_READ(p->thread, p->interp + py->interp_threads))
			p->thread = 0;
		if (USER_READ(p->interp, p->interp + py->interp_next))
			p->interp = 0;
		return 0;
	}
	if (!USER_READ(id, p->thread + py->thread_id) && id == p->self)
		add_state(c, p, p->thread);
	if (USER_READ(p->thread, p->thread + py->thread_next))
		p->thread = 0;
	return 0;
}

/* Returns what the thread has for this key, as pthread_getspecific(3). */
static inline __u64 specific(__u64 self, __u32 key)
{
	__u64 keys = self + DT_GLIBC_FIRST_KEYS, value;

	if (key >= DT_GLIBC_KEYS &&
		USER_READ(keys,
			keys + DT_GLIBC_KEYS * DT_GLIBC_KEY_SIZE + key / DT_GLIBC_KEYS * 8ull))
		return 0;
	if (USER_READ(value, keys + key % DT_GLIBC_KEYS * DT_GLIBC_KEY_SIZE + 8))
		return 0;
	return value;
}

/*
 * Finds the states of the thread: all are in the lists of the interpreters' threads.  A process
 * with one interpreter has one, which the thread itself has.
 */
static __attribute__((noinline)) int python_begin(struct walker *c)
{
	struct python_walk *p = (struct python_walk *)c->m->state;
	const struct dt_python *py = &c->proc->python;
	__u64 task = bpf_get_current_task(), next, id;
	__u32 key;

	c->m->begun = 1;
	p->walk = bpf_ktime_get_ns();
	p->states = p->showing = p->was_loop = p->was_new = p->called = p->shown = 0;
	p->from = p->thread = 0;
	if (KREAD(p->self, task, task_fsbase) ||
		USER_READ(p->interp, py->runtime + py->interpreters) || !p->interp ||
		USER_READ(next, p->interp + py->interp_next))
		return 0;
	if (!next && py->tss && !USER_READ(key, py->runtime + py->tss_key)) {
		p->thread = specific(p->self, key);
		if (p->thread && !USER_READ(id, p->thread + py->thread_id) && id == p->self)
			add_state(c, p, p->thread);
		return 0;
	}
	bpf_loop(NODES, find_state, c, 0);
	return 0;
}

/* ---- names ---- */

/* Reads the head of the str at P->text. */
static inline int python_str(struct python_walk *p, const struct dt_python *py)
{
	if (USER_READ(p->str, p->text) || *(__u64 *)(p->str + 8) != py->str_type)
		return -1;
	p->length = *(__u64 *)(p->str + 16);
	p->hash = *(__u64 *)(p->str + 24);
	p->kind = *(__u32 *)(p->str + 32);
	return p->length < 1u << 20 && p->kind >> 5 & 1 ? 0 : -1; /* compact */
}

/* Reads the characters of that str from number SKIP on to M->out; 1: there was more. */
static __always_inline int python_text(struct walker *c, struct python_walk *p, __u32 skip)
{
	const struct dt_python *py = &c->proc->python;
	__u32 width = p->kind >> 2 & 7, ascii = p->kind >> 6 & 1;

	if (width != 1 && width != 2 && width != 4)
		return -1;
	return text_read(c,
		p->text + (ascii ? py->ascii_size : py->compact_size) + (__u64)skip * width,
		(__u32)p->length - skip, width);
}

/* Reads that str to M->out, without its beginning if it is too long. */
static __always_inline int python_path(struct walker *c, struct python_walk *p)
{
	__u32 width = p->kind >> 2 & 7, longest = width == 1 ? 2 : width == 2 ? 3 : 4;
	__u32 len = (__u32)p->length, skip = 0;
	int err;

	if (len > MANAGED_TEXT - 1)
		skip = len - (MANAGED_TEXT - 1);
	err = python_text(c, p, skip);
	if (err != 1)
		return err;
	/* the characters that are left need more bytes than there are */
	longest = (MANAGED_TEXT - 1) / longest;
	return python_text(c, p, len - (len < longest ? len : longest)) < 0 ? -1 : 0;
}

static __always_inline int python_read_name(struct walker *c)
{
	struct python_walk *p = (struct python_walk *)c->m->state;
	const struct dt_python *py = &c->proc->python;
	struct managed_walk *m = c->m;

	if (python_text(c, p, 0) < 0)
		return -1;
	__builtin_memcpy(m->name.function, m->out, MANAGED_TEXT);
	p->text = MEMBER(__u64, p->head, py->code_file);
	if (python_str(p, py) || python_path(c, p))
		return -1;
	__builtin_memcpy(m->name.file, m->out, MANAGED_TEXT);
	return 0;
}

/* Returns the id of the function whose code P has, which this walk has not met. */
static __always_inline __u64 python_new_name(struct walker *c)
{
	struct python_walk *p = (struct python_walk *)c->m->state;
	const struct dt_python *py = &c->proc->python;
	struct managed_walk *m = c->m;
	__u64 id, file;

	if (USER_READ(p->head, p->code) || *(__u64 *)(p->head + 8) != py->code_type)
		return DT_NAME_UNKNOWN;
	p->text = MEMBER(__u64, p->head, py->code_name);
	if (python_str(p, py))
		return DT_NAME_UNKNOWN;
	file = MEMBER(__u64, p->head, py->code_file);
	p->table = MEMBER(__u64, p->head, py->code_lines);
	p->first = (__s32)MEMBER(__u32, p->head, py->code_line);
	m->name.line = (__u32)p->first;
	m->name.key[0] = (__u64)c->w->tgid << 32 | m->name.line;
	m->name.key[1] = p->code ^ file << 40;
	m->name.key[2] = p->text ^ file >> 24 << 40;
	m->name.key[3] = p->hash ^ p->length << 48;
	m->name.pad = 0;
	id = name_find(m);
	if (id != DT_NAME_UNKNOWN || m->id == DT_NAME_UNKNOWN)
		return id;
	if (python_read_name(c))
		return DT_NAME_UNKNOWN;
	return name_keep(m);
}

/* Returns the id of the function whose code P has; P->table and P->first are its. */
static __always_inline __u64 python_name(struct walker *c)
{
	struct python_walk *p = (struct python_walk *)c->m->state;
	struct python_met *met = &p->met[(p->code >> 4 ^ p->code >> 10) % MET];
	__u64 id;

	if (met->walk == p->walk && met->code == p->code) {
		p->table = met->table;
		p->first = (__s32)met->first;
		return met->id;
	}
	id = python_new_name(c);
	if (id == DT_NAME_UNKNOWN)
		return id;
	met->walk = p->walk;
	met->code = p->code;
	met->id = id;
	met->table = p->table;
	met->first = (__u32)p->first;
	return id;
}

/* ---- lines ---- */

/* The entry that was read is complete: true if it covers the offset that is looked for. */
static inline int covers(struct python_walk *p)
{
	return p->target - p->offset < p->length_of_entry;
}

/* A signed number is complete. */
static inline void add_lines(struct python_walk *p, __s32 n)
{
	p->line += n;
}

/* 3.9, co_lnotab: how many bytes of code a line has, and how far the next line is. */
static inline long lnotab_byte(struct python_walk *p, __u32 i, __u32 b)
{
	if (i & 1) {
		add_lines(p, (__s8)b);
		return 0;
	}
	p->length_of_entry = b;
	p->done = covers(p);
	p->offset += b;
	return p->done;
}

#define NO_LINE 0x80

/* 3.10, PEP 626: how many bytes of code, and how far their line is from the one before. */
static inline long lines_byte(struct python_walk *p, __u32 i, __u32 b)
{
	if (!(i & 1)) {
		p->length_of_entry = b;
		return 0;
	}
	if (b != NO_LINE)
		add_lines(p, (__s8)b);
	if (covers(p)) {
		p->done = b != NO_LINE;
		return 1;
	}
	p->offset += p->length_of_entry;
	return 0;
}

/* 3.11, a table of locations (CPython's Objects/locations.md): the forms of entries. */
enum { FORM_ONE_LINE = 10, FORM_NO_COLUMNS = 13, FORM_LONG, FORM_NONE };

static inline long location_byte(struct python_walk *p, __u32 b)
{
	if (b & 0x80) { /* an entry begins */
		if (covers(p)) {
			p->done = p->form != FORM_NONE;
			return 1;
		}
		p->offset += p->length_of_entry;
		p->length_of_entry = (b & 7) + 1;
		p->form = b >> 3 & 15;
		p->shift = p->value = 0;
		if (p->form >= FORM_ONE_LINE && p->form < FORM_NO_COLUMNS)
			add_lines(p, p->form - FORM_ONE_LINE);
		return 0;
	}
	if ((p->form != FORM_NO_COLUMNS && p->form != FORM_LONG) || p->shift >= 30)
		return 0;
	p->value |= (b & 0x3f) << p->shift;
	p->shift += 6;
	if (!(b & 0x40)) { /* the last of a number whose lowest bit is the sign */
		add_lines(p, p->value & 1 ? -(__s32)(p->value >> 1) : (__s32)(p->value >> 1));
		p->shift = 30;
	}
	return 0;
}

/* The table has ended. */
static inline void last_line(struct python_walk *p, __u32 kind)
{
	if (kind == DT_PYTHON_LNOTAB) /* the rest of the code is the last line's */
		p->done = 1;
	else if (kind == DT_PYTHON_LOCATIONS)
		p->done = covers(p) && p->form != FORM_NONE;
}

static long line_byte(__u32 i, struct walker *c)
{
	struct python_walk *p = (struct python_walk *)c->m->state;
	__u32 kind = c->proc->python.lines, b;

	if (p->lines >= p->lines_end) {
		last_line(p, kind);
		return 1;
	}
	if (!(i % sizeof(p->chunk)) && USER_READ(p->chunk, p->lines)) {
		/* beyond its end there may be nothing */
		long left = rt_bounded(p->lines_end - p->lines, sizeof(p->chunk));

		if (left < 0 || bpf_probe_read_user(p->chunk, (__u32)left, (void *)p->lines))
			return 1;
	}
	p->lines++;
	b = p->chunk[i % sizeof(p->chunk)];
	if (kind == DT_PYTHON_LOCATIONS)
		return location_byte(p, b);
	return kind == DT_PYTHON_LINES ? lines_byte(p, i, b) : lnotab_byte(p, i, b);
}

#define MOST_LINES (1u << 17) /* bytes of a table that are read */

/* Returns the line of the instruction P->target; 0: not known. */
static __attribute__((noinline)) __u32 python_find_line(struct walker *c)
{
	struct python_walk *p = (struct python_walk *)c->m->state;
	const struct dt_python *py = &c->proc->python;

	if (USER_READ(p->str, p->table) || *(__u64 *)(p->str + 8) != py->bytes_type)
		return 0;
	p->lines = p->table + 32;
	p->lines_end = p->lines + *(__u64 *)(p->str + 16);
	p->offset = p->length_of_entry = p->done = 0;
	p->form = FORM_NONE;
	p->line = p->first;
	bpf_loop(MOST_LINES, line_byte, c, 0);
	return p->done && p->line > 0 ? (__u32)p->line : 0;
}

static __always_inline __u32 python_line(struct walker *c, struct python_walk *p, __u64 id)
{
	const struct dt_python *py = &c->proc->python;
	struct python_line *seen;

	if (py->lines == DT_PYTHON_LOCATIONS)
		p->target = (__u32)(p->instr - p->code - py->code_code) / 2;
	else
		p->target = (__u32)p->instr * (py->lines == DT_PYTHON_LINES ? 2 : 1);
	if ((__s32)p->instr < 0 && py->lines != DT_PYTHON_LOCATIONS)
		p->target = 0; /* it has not begun */
	if (p->target > 1u << 30)
		return (__u32)p->first;
	seen = &p->cache[(p->target ^ id) % CACHED_LINES];
	if (seen->id != id || seen->offset != p->target || seen->table != p->table) {
		seen->line = python_find_line(c);
		seen->id = id;
		seen->table = p->table;
		seen->offset = p->target;
	}
	return seen->line;
}

/* ---- frames ---- */

static inline int read_frame(struct python_walk *p, const struct dt_python *py, __u64 frame)
{
	if (bpf_probe_read_user(p->frame,
		    py->frame_owner != DT_MANAGED_NONE || py->frame_entry != DT_MANAGED_NONE
			    ? HEAD_FRAME
			    : HEAD_FRAME_OBJECT,
		    (void *)frame))
		return -1;
	p->code = MEMBER(__u64, p->frame, py->frame_code);
	p->previous = MEMBER(__u64, p->frame, py->frame_previous);
	p->instr = py->lines == DT_PYTHON_LOCATIONS ? MEMBER(__u64, p->frame, py->frame_instr)
						    : MEMBER(__u32, p->frame, py->frame_instr);
	/* bytes 64 to 71 are the last that are read */
	p->entry = py->frame_entry == DT_MANAGED_NONE ? py->frame_owner == DT_MANAGED_NONE
						      : *(p->frame + 64 + (py->frame_entry & 7));
	p->owner =
		py->frame_owner == DT_MANAGED_NONE ? 0 : *(p->frame + 64 + (py->frame_owner & 7));
	return 0;
}

/* Goes on to the frame that a loop began with, or to the one that ends its frames. */
static long look_frame(__u32 i, struct walker *c)
{
	struct python_walk *p = (struct python_walk *)c->m->state;

	if (!p->look || read_frame(p, &c->proc->python, p->look)) {
		p->look = 0;
		return 1;
	}
	p->before = p->previous;
	if (p->owner == OWNED_BY_C || p->entry)
		return 1;
	p->look = p->previous;
	return 0;
}

/* Looks for the end of the frames of a loop, from FRAME on; 0: it is too far. */
static __attribute__((noinline)) __u64 python_look(struct walker *c, __u64 frame)
{
	struct python_walk *p = (struct python_walk *)c->m->state;

	p->look = frame;
	if (bpf_loop(c->w->most, look_frame, c, 0) >= c->w->most)
		return 0;
	return p->look;
}

/* ---- loops ---- */

/*
 * True if the struct _PyCFrame at ANCHOR, which is to have FRAME, is complete: what is there before
 * was left by another call.
 */
static __always_inline int is_complete(
	struct walker *c, struct python_walk *p, __u64 frame, __u64 caller)
{
	const struct dt_python *py = &c->proc->python;
	__u64 end = python_look(c, frame), before;

	if (!end || (caller && USER_READ(before, caller + py->cframe_frame)))
		return 0;
	if (!caller)
		before = 0;
	if (py->frame_owner != DT_MANAGED_NONE && end - p->from >= c->w->sp - p->from)
		return 0;
	return p->before == before;
}

/* True if the native frame that was left is of the loop that runs the frames of L. */
static __always_inline int is_loop_of(
	struct walker *c, struct python_walk *p, struct python_list *l)
{
	const struct dt_python *py = &c->proc->python;
	__u64 anchor;

	if (l->anchor == ANCHOR_UNREAD) {
		anchor = l->frame ? python_look(c, l->frame) : ANCHOR_NONE;
		l->anchor = anchor || !l->frame ? anchor : ANCHOR_NEXT;
	}
	anchor = l->anchor;
	if (anchor == ANCHOR_NEXT)
		return p->was_loop && l->frame;
	if (anchor < p->from || anchor >= c->w->sp)
		return 0;
	if (py->thread_cframe == DT_MANAGED_NONE)
		return 1;
	if (USER_READ(l->anchor, anchor + py->cframe_previous))
		l->anchor = ANCHOR_NONE;
	if (py->cframe_frame == DT_MANAGED_NONE)
		return 1;
	if (USER_READ(l->frame, anchor + py->cframe_frame))
		return 0;
	return !p->was_new || is_complete(c, p, l->frame, l->anchor);
}

/* Finds the list whose frames belong where the native frame was that was left. */
static __always_inline int find_loop(struct walker *c)
{
	struct python_walk *p = (struct python_walk *)c->m->state;

#pragma unroll
	for (__u32 i = 0; i < STATES; i++) {
		if (i >= p->states)
			return 0;
		if (is_loop_of(c, p, &p->list[i])) {
			p->now = i;
			p->was_loop = 0;
			p->showing = 1;
			return 1;
		}
	}
	return 0;
}

static inline void end_loop(
	struct python_walk *p, const struct dt_python *py, struct python_list *l)
{
	p->showing = 0;
	if (py->thread_cframe == DT_MANAGED_NONE && py->frame_owner != DT_MANAGED_NONE)
		l->anchor = ANCHOR_UNREAD;
}

/* Shows the next frame of the loop; MANAGED_NOT: there is none. */
static __always_inline int show_frame(struct walker *c)
{
	struct python_walk *p = (struct python_walk *)c->m->state;
	const struct dt_python *py = &c->proc->python;
	__u64 now = p->now, id;
	struct python_list *l;
	__u32 line = 0;

	RT_FORGET(now);
	if (now >= STATES)
		return MANAGED_NOT;
	l = &p->list[now];
	if (!l->frame || read_frame(p, py, l->frame)) {
		l->frame = 0;
		end_loop(p, py, l);
		return MANAGED_NOT;
	}
	l->frame = p->previous;
	if (p->owner == OWNED_BY_C || p->entry)
		end_loop(p, py, l);
	if (p->owner == OWNED_BY_C)
		return MANAGED_NOT;
	id = python_name(c);
	if (id != DT_NAME_UNKNOWN)
		line = python_line(c, p, id);
	c->m->word = frame_word(id, DT_LANG_PYTHON, DT_KIND_INTERPRETED, line);
	if (p->shown) {
		p->shown = 0;
		return MANAGED_INSTEAD;
	}
	return MANAGED_MORE;
}

/* ---- native frames ---- */

static inline int is_loop(struct walker *c, const struct dt_python *py)
{
	__u64 ip = c->w->ip - !c->w->exact;

	return ip - py->eval < py->eval_size || ip - py->cold < py->cold_size;
}

/*
 * True for the piece of code that -X perf makes for each function, which calls the loop, and has a
 * frame of 8 bytes.
 */
static __attribute__((noinline)) int is_trampoline(struct walker *c)
{
	struct stack_walk *w = c->w;
	__u64 code, size;

	if (USER_READ(code, w->ip) || !arch_leaves_frame(code, &size) || size != 8)
		return 0;
	/* new ones are in no list yet; the interpreter is, and has such code as well */
	return !find_mapping(w, w->ip) || DT_MAPPING_KIND(w->info) == DT_MAPPING_CODE;
}

/* An answer of managed.h for the frame where C is. */
static __attribute__((noinline)) int python_frame(struct walker *c)
{
	struct python_walk *p = (struct python_walk *)c->m->state;
	const struct dt_python *py = &c->proc->python;
	int hide, answer;

	if (!c->m->begun)
		python_begin(c);
	if (!p->states)
		return MANAGED_NOT;
	if (p->showing || find_loop(c)) {
		answer = show_frame(c);
		if (answer != MANAGED_NOT)
			return answer;
	}
	p->from = c->w->sp;
	p->shown = 0;
	p->was_loop = is_loop(c, py);
	p->was_new = p->was_loop && !c->w->n && c->w->ip - py->eval < PROLOGUE;
	hide = p->was_loop || (p->called && is_trampoline(c));
	p->called = p->was_loop;
	if (hide)
		return MANAGED_SKIP;
	p->shown = 1;
	return MANAGED_NOT;
}
