// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Walks a user stack as unwind.bpf.c does, and shows the frames of managed languages by name: at
 * each native frame the walker of the process's language is asked first.
 */
#include "abi/managed.h"
#include "rt/managed/managed.h"
#include "rt/rt.h"
#include "arch/arch.bpf.h"
#include "rt/unwind.h"

static inline int ask_language(struct walker *c)
{
	switch (c->proc->lang) {
	case DT_LANG_PYTHON:
		return python_frame(c);
	case DT_LANG_JAVA:
		return java_frame(c);
	case DT_LANG_V8:
		return v8_frame(c);
	case DT_LANG_PHP:
		return php_frame(c);
	case DT_LANG_RUBY:
		return ruby_frame(c);
	default:
		return MANAGED_NOT;
	}
}

static inline int is_shown(__u32 answer)
{
	return answer != MANAGED_SKIP && answer != MANAGED_HOP;
}

/* Leaves the native frame; if that fails, its language may still have frames in it. */
static inline int leave_native(struct walker *c, int mapped)
{
	if (!leave_frame(c, mapped))
		return 0;
	if (RT_KEPT(c->m->answer) != MANAGED_SKIP)
		return 1;
	c->m->over = 1;
	c->w->sp = USER_END;
	return 0;
}

/* True if the walk is where it was: the native frame is yet to be left. */
static inline int stays_there(__u32 answer)
{
	return answer == MANAGED_MORE || answer == MANAGED_INSTEAD;
}

static inline int has_left(__u32 answer)
{
	return answer == MANAGED_LEFT || answer == MANAGED_HOP;
}

static long walk_managed(__u32 i, struct walker *c)
{
	__u32 answer;
	int mapped = 0;
	__u64 *pc;

	/* a language that is asked where the stack has ended would count an unknown frame */
	if (!c->w->ip)
		return 1;
	/* no address of a user: as a word of the stack it would be a managed frame */
	if (c->w->ip & DT_FRAME_MANAGED) {
		c->w->part = 1;
		return 1;
	}
	RT_KEPT(c->m->answer) = ask_language(c);
	answer = RT_KEPT(c->m->answer);
	if (c->m->over && !stays_there(answer))
		return 1;
	if (!stays_there(answer) && !has_left(answer)) {
		mapped = locate_frame(c);
		if (mapped < 0)
			return 1;
		answer = RT_KEPT(c->m->answer);
	}
	if (answer == MANAGED_INSTEAD && c->w->n) {
		c->w->off -= sizeof(*pc);
		c->w->n--;
	}
	pc = (__u64 *)rt_at(&c->mem, c->w->off, c->last);
	if (!pc)
		return 1;
	if (is_shown(answer) &&
		put_frame(c->w, pc,
			answer == MANAGED_NOT ? c->w->ip - (c->w->n ? 0 : c->shift) : c->m->word))
		return 1;
	return stays_there(answer) || has_left(answer) ? 0 : leave_native(c, mapped);
}

/* Frames that are not shown, beside each that is: entries of the interpreter, stubs. */
#define UNSHOWN 3

/* Copies the element of TGID to M if it is of the memory that has this START_STACK: 1, or 0. */
static inline int copy_language(struct managed_walk *m, __u32 tgid, __u64 start_stack)
{
	const struct dt_managed_proc *p = bpf_map_lookup_elem(&dt_managed, &tgid);

	if (!p || p->start_stack != start_stack)
		return 0;
	__builtin_memcpy(&m->proc, p, sizeof(*p));
	return 1;
}

/* Sets M->proc to what TGID runs: a process that has forked has its parent's memory. */
static inline void find_language(struct managed_walk *m, __u32 tgid, __u64 start_stack)
{
	__u64 task = bpf_get_current_task(), parent;

	if (copy_language(m, tgid, start_stack))
		return;
	if (KREAD(parent, task, task_real_parent) || KREAD(tgid, parent, task_tgid) ||
		!copy_language(m, tgid, start_stack))
		m->proc.lang = DT_LANG_NONE;
}

#define CLEARED 512 /* bytes at a time */

static long clear_state(__u32 i, struct walker *c)
{
	__u64 at = (__u64)i * CLEARED;

	RT_FORGET(at);
	if (at > MANAGED_STATE - CLEARED)
		return 1;
	__builtin_memset(c->m->state + at, 0, CLEARED);
	return 0;
}

/* Makes the state that of the process's language: what others keep would be taken for its own. */
static inline void own_state(struct walker *c)
{
	if (c->m->lang == c->proc->lang || c->proc->lang == DT_LANG_NONE)
		return;
	bpf_loop(MANAGED_STATE / CLEARED, clear_state, c, 0);
	c->m->lang = c->proc->lang;
}

ulong dt_jstack(ulong slot, ulong off, ulong frames, ulong tgid, ulong shift)
{
	struct walker c = {.shift = shift};
	int err = open_walk(&c, slot, off, frames, tgid);
	__u32 key = (__u32)slot;

	if (err)
		return err == -1 ? 0 : (ulong)err;
	c.m = bpf_map_lookup_elem(&dt_mwalks, &key);
	if (!c.m)
		return -22; /* EINVAL */
	c.m->begun = c.m->over = 0;
	c.m->slot = key;
	find_language(c.m, (__u32)tgid, c.w->top);
	c.proc = &c.m->proc;
	own_state(&c);
	bpf_loop(c.w->most * UNSHOWN, walk_managed, &c, 0);
	return close_walk(&c);
}
