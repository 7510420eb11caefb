// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Reads the current process: its pid in a namespace, its ancestors and arguments; implements
 * chill().
 */
#include "rt/rt.h"
#include "rt/text.h"

/*
 * Read member FIELD of the object at BASE into VAR; 0 on success.  A NULL or bad BASE fails, so
 * does a member that the kernel does not have.
 */
#define KREAD(var, base, field)                   \
	(dt_conf.at.field == DT_OFFSET_UNKNOWN || \
		bpf_probe_read_kernel(&(var), sizeof(var), (void *)((base) + dt_conf.at.field)))

/*
 * Load member FIELD, 8 bytes, of the object at BASE, whose type the verifier knows; 0 if BASE is
 * NULL or the kernel has no such member.  KREAD()'s call takes some 20 ns.
 */
#define KLOAD(base, field) \
	(dt_conf.at.field == DT_OFFSET_UNKNOWN ? 0 : *(__u64 *)((base) + dt_conf.at.field))

/* ---- pid namespaces ---- */

#define MAX_LEVEL 32 /* MAX_PID_NS_LEVEL */
#define UPID_SIZE 16 /* sizeof(struct upid) */

/* Returns the number that namespace NS has for the struct pid at PID; 0 = it has none. */
static inline ulong number_seen(__u64 pid, ulong ns)
{
	__u32 level, inum, nr;
	__u64 upid, at;

	if (KREAD(level, pid, pid_level) || level > MAX_LEVEL ||
		dt_conf.at.pid_numbers == DT_OFFSET_UNKNOWN)
		return 0;
	upid = pid + dt_conf.at.pid_numbers + (__u64)level * UPID_SIZE;
	/* from its own namespace outwards; tracers are mostly not far from what they trace */
	for (int i = 0; ns && i <= MAX_LEVEL; i++) {
		if (KREAD(at, upid, upid_ns) || KREAD(inum, at, pidns_inum))
			return 0;
		if (inum == ns)
			break;
		if (!level)
			return 0;
		level--;
		upid -= UPID_SIZE;
	}
	return KREAD(nr, upid, upid_nr) ? 0 : nr;
}

/* Of TASK's process, group or session; the last of a task that is being released has none. */
static inline ulong member_seen(__u64 task, ulong which, ulong ns)
{
	__u64 signal, pid;

	if (KREAD(signal, task, task_signal) ||
		KREAD(pid, signal + which * sizeof(pid), signal_pids))
		return 0;
	return number_seen(pid, ns);
}

ulong dt_pid_seen(ulong task, ulong which, ulong ns)
{
	__u64 from = task;

	if (which == DT_PID_THREAD)
		return KREAD(from, task, task_thread_pid) ? 0 : number_seen(from, ns);
	if (which == DT_PID_PARENT) {
		if (KREAD(from, task, task_real_parent))
			return 0;
		which = DT_PID_PROCESS;
	}
	return which > DT_PID_SESSION ? 0 : member_seen(from, which, ns);
}

/* ---- ancestors ---- */

#define MAX_ANCESTORS 256

struct family {
	__u64 task, parent;
	__u32 pid, tgid;
	__u64 ns;
	__u64 found;
};

static long look_up(__u32 i, struct family *f)
{
	if (KREAD(f->tgid, f->task, task_tgid) || KREAD(f->parent, f->task, task_real_parent))
		return 1;
	if (f->ns)
		f->tgid = (__u32)member_seen(f->task, DT_PID_PROCESS, f->ns);
	if (f->tgid == f->pid) {
		f->found = 1;
		return 1;
	}
	if (f->parent == f->task)
		return 1;
	f->task = f->parent;
	return 0;
}

ulong dt_progenyof(ulong pid, ulong task, ulong ns)
{
	struct family f = {.task = task, .pid = (__u32)pid, .ns = ns};

	if (ns && !f.pid) /* a process that is not seen there */
		return 0;

	bpf_loop(MAX_ANCESTORS, look_up, &f, 0);
	return f.found;
}

/* ---- chill() ---- */

#define CHILL_INTERVAL 1000000000ull
#define CHILL_MAX      500000000ull /* ns, in each interval on each CPU */

struct chilled {
	__u64 since, spent;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, sizeof(struct chilled));
	__uint(max_entries, 1);
} dt_chilled SEC(".maps");

struct wait {
	__u64 from, ns;
};

static inline int is_over(const struct wait *w)
{
	return bpf_ktime_get_ns() - w->from >= w->ns;
}

static long wait_a_little(__u32 i, struct wait *w)
{
	return is_over(w);
}

/* One bpf_loop() has at most 2^23 rounds, which may be less than half a second. */
static long wait_on(__u32 i, struct wait *w)
{
	bpf_loop(1u << 23, wait_a_little, w, 0);
	return is_over(w);
}

ulong dt_chill(ulong ns)
{
	struct wait w = {bpf_ktime_get_ns(), ns};
	struct chilled *c;
	__u32 zero = 0;

	c = bpf_map_lookup_elem(&dt_chilled, &zero);
	if (!c)
		return ~0ul;
	if (w.from - c->since > CHILL_INTERVAL) {
		c->since = w.from;
		c->spent = 0;
	}
	if (c->spent > CHILL_MAX || ns > CHILL_MAX - c->spent)
		return ~0ul;
	c->spent += ns;
	bpf_loop(1024, wait_on, &w, 0);
	return 0;
}

/* ---- arguments ---- */

struct args {
	char *text;
	__u64 len;
	__u64 end; /* after the last byte that is not NUL */
};

#define LOW_7BITS 0x7f7f7f7f7f7f7f7full

/* Eight bytes: NULs become spaces; those after the end, no longer of the arguments, stay. */
static long space_word(__u32 round, struct args *args)
{
	__u64 pos = (__u64)round * sizeof(__u64), word, flags, inside = ~0ull;
	__u64 *at;

	if (pos >= args->len || pos > dt_conf.strsize)
		return 1;
	at = (__u64 *)(args->text + pos);
	word = *at;
	if (args->len - pos < sizeof(word))
		inside = (1ull << (args->len - pos) * 8) - 1;
	/* the high bit of each byte that is not zero */
	flags = (((word & LOW_7BITS) + LOW_7BITS) | word) & ~LOW_7BITS & inside;
	if (flags)
		args->end = pos + log2_of(flags >> 7) / 8 + 1;
	flags = ~flags & ~LOW_7BITS & inside;
	if (flags)
		*at = word | flags >> 2; /* 0x20, a space */
	return 0;
}

/*
 * Copies the process's arguments into TEXT; returns their length, 0 if there are none that can be
 * read.
 */
static inline ulong read_args(char *text, ulong strsize)
{
	__u64 task = bpf_get_current_task(), mm, start, end;
	struct args args = {.text = text};

	if (KREAD(mm, task, task_mm) || KREAD(start, mm, mm_arg_start) ||
		KREAD(end, mm, mm_arg_end) || end <= start)
		return 0;
	args.len = end - start;
	if (args.len > strsize)
		args.len = strsize;
	RT_FORGET(args.len);
	if (args.len > strsize || bpf_probe_read_user(text, (__u32)args.len, (void *)start))
		return 0;
	bpf_loop((__u32)(args.len / sizeof(__u64) + 1), space_word, &args, 0);
	if (args.end > strsize)
		return 0;
	text[args.end] = '\0';
	return args.end;
}

ulong dt_psargs(ulong slot, ulong dst)
{
	char comm[16];
	struct rt_mem mem;
	char *to;
	ulong len;

	if (!rt_open(&mem, slot))
		return 0;
	to = rt_string(&mem, dst);
	if (!to)
		return 0;
	len = read_args(to, mem.strsize);
	if (len)
		return len;
	bpf_get_current_comm(comm, sizeof(comm));
	return str_copy(to, mem.strsize + 1, comm);
}
