// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Finds the probe of the Python function that begins or ends at a place that all functions go
 * through: by the code object of the thread's innermost frame.
 */
#include "abi/function.h"
#include "abi/managed.h"
#include "rt/rt.h"
#include "arch/arch.h"

/* The loader sets how many functions there may be. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, struct dt_function);
	__type(value, struct dt_function_probe);
	__uint(max_entries, 1);
	__uint(map_flags, BPF_F_NO_PREALLOC);
} dt_functions SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} dt_functions_new SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u32);
	__type(value, struct dt_python);
	__uint(max_entries, 1024);
	__uint(map_flags, BPF_F_NO_PREALLOC);
} dt_pythons SEC(".maps");

/* A thread's state is looked for in lists: what was found is kept. */
struct known_thread {
	__u64 state;
	__u64 interps; /* the first interpreter then, and there was one */
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__type(key, __u64);
	__type(value, struct known_thread);
	__uint(max_entries, 16384);
} dt_pythreads SEC(".maps");

struct thread_search {
	const struct dt_python *py;
	__u64 self;	      /* pthread_self() */
	__u64 interp, thread; /* to be looked at next */
	__u64 sp;
	__u64 found, cframe; /* the state, and where its innermost struct _PyCFrame is */
};

#define UREAD(var, addr) bpf_probe_read_user(&(var), sizeof(var), (const void *)(addr))

/* Notes THREAD, if its C frame is further in than that of the one before. */
static inline void note_thread(struct thread_search *s, __u64 thread)
{
	__u64 cframe;

	if (s->py->thread_cframe == DT_MANAGED_NONE) {
		if (!s->found)
			s->found = thread;
		return;
	}
	if (UREAD(cframe, thread + s->py->thread_cframe) || cframe < s->sp)
		return;
	if (!s->found || cframe < s->cframe) {
		s->found = thread;
		s->cframe = cframe;
	}
}

/* Looks at one interpreter, or at one thread of an interpreter. */
static long look_at_state(__u32 i, struct thread_search *s)
{
	__u64 id;

	if (!s->thread) {
		if (!s->interp)
			return 1;
		if (UREAD(s->thread, s->interp + s->py->interp_threads))
			s->thread = 0;
		if (UREAD(s->interp, s->interp + s->py->interp_next))
			s->interp = 0;
		return 0;
	}
	if (!UREAD(id, s->thread + s->py->thread_id) && id == s->self)
		note_thread(s, s->thread);
	if (UREAD(s->thread, s->thread + s->py->thread_next))
		s->thread = 0;
	return 0;
}

#define MOST_STATES 65536 /* of the lists of interpreters and threads that are read */

/* Looks for the state of the current thread in the lists that begin with interpreter HEAD. */
static __attribute__((noinline)) __u64 find_thread(
	const struct dt_python *py, __u64 self, __u64 head)
{
	__u64 key = bpf_get_current_pid_tgid(), regs;
	struct thread_search s = {.py = py, .self = self};
	struct known_thread found = {.interps = head};

	regs = (__u64)bpf_task_pt_regs(bpf_get_current_task_btf());
	if (bpf_probe_read_kernel(&s.sp, sizeof(s.sp), (void *)(regs + ARCH_REG_SP)) ||
		UREAD(s.interp, head + py->interp_next) ||
		UREAD(s.thread, head + py->interp_threads))
		return 0;
	/* with several interpreters a thread can have several states */
	if (s.interp)
		found.interps = 0;
	/* 0, which verifiers before 6.6 must not know: they look at the callback once */
	s.found = s.cframe = bpf_get_current_task() ^ bpf_get_current_task();
	bpf_loop(MOST_STATES, look_at_state, &s, 0);
	found.state = s.found;
	if (s.found && found.interps)
		bpf_map_update_elem(&dt_pythreads, &key, &found, BPF_ANY);
	return s.found;
}

/* What is read of a thread's state: its id and its innermost frame are there in all versions. */
#define STATE_FROM 24
#define STATE_SIZE 160

/* Returns word OFF of a state, which was read from STATE_FROM on. */
static inline __u64 state_word(const __u8 *state, __u32 off)
{
	long at = rt_bounded(off - STATE_FROM, STATE_SIZE - 8);

	return at < 0 ? 0 : *(const __u64 *)(state + (at & ~7l));
}

/*
 * Returns what tells the innermost frame of the thread with this STATE, if it is SELF's: the frame,
 * or its struct _PyCFrame; else 0.
 */
static __attribute__((noinline)) __u64 innermost(
	const struct dt_python *py, __u64 self, __u64 thread)
{
	__u8 state[STATE_SIZE];

	if (UREAD(state, thread + STATE_FROM) || state_word(state, py->thread_id) != self)
		return 0;
	return state_word(
		state, py->cframe_frame == DT_MANAGED_NONE ? py->thread_frame : py->thread_cframe);
}

/* Returns the current thread's innermost frame, or 0. */
static inline __u64 current_frame(const struct dt_python *py, __u64 self)
{
	__u64 key = bpf_get_current_pid_tgid(), head, at = 0;
	struct known_thread *known = bpf_map_lookup_elem(&dt_pythreads, &key);

	if (UREAD(head, py->runtime + py->interpreters) || !head)
		return 0;
	/* a new interpreter becomes the first; a thread may have ended */
	if (known && known->interps == head)
		at = innermost(py, self, known->state);
	if (!at)
		at = innermost(py, self, find_thread(py, self, head));
	if (!at || py->cframe_frame == DT_MANAGED_NONE)
		return at;
	return UREAD(at, at + py->cframe_frame) ? 0 : at;
}

/*
 * Counts a call that has no probe, and has the consumer look at the functions that there are in the
 * process now if it was not told of this one.
 */
static inline void count_call(const struct dt_function *key, struct dt_function_probe *probe)
{
	probe->calls++;
	if (!probe->told)
		probe->told = !bpf_ringbuf_output(
			&dt_functions_new, (void *)&key->tgid, sizeof(key->tgid), 0);
}

/* Returns argument 2 of the C function that begins where the task is. */
static inline __u64 second_argument(void)
{
	__u64 regs = (__u64)bpf_task_pt_regs(bpf_get_current_task_btf()), at;

	return bpf_probe_read_kernel(&at, sizeof(at), (void *)(regs + ARCH_REG_ARG1)) ? 0 : at;
}

ulong dt_function(ulong tgid, ulong place)
{
	__u32 process = (__u32)tgid, frame = DT_FUNCTION_FRAME(place);
	const struct dt_python *py = bpf_map_lookup_elem(&dt_pythons, &process);
	struct dt_function key = {.tgid = process, .place = (__u32)place};
	__u64 task = bpf_get_current_task(), self, at, texts[3];
	const struct dt_function_probe none = {0};
	struct dt_function_probe *probe;

	if (!py || frame == DT_FUNCTION_NONE || KREAD(self, task, task_fsbase))
		return 0;
	at = frame == DT_FUNCTION_ARGUMENT ? second_argument() : current_frame(py, self);
	if (!at || UREAD(key.code, at + py->frame_code) || UREAD(texts, key.code + py->code_file))
		return 0;
	key.file = texts[0];
	key.name = py->code_name - py->code_file == 16 ? texts[2] : texts[1];
	probe = bpf_map_lookup_elem(&dt_functions, &key);
	if (!probe) {
		bpf_map_update_elem(&dt_functions, &key, &none, BPF_NOEXIST);
		probe = bpf_map_lookup_elem(&dt_functions, &key);
	}
	if (!probe)
		return 0;
	if (!probe->cookie)
		count_call(&key, probe);
	return probe->cookie;
}
