// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Finds the name that exec gave to a process whose first thread has been renamed since.  The kernel
 * keeps no copy of it, but execve(2) leaves the path at the end of the new stack (AT_EXECFN,
 * getauxval(3)): no process has to be watched from its beginning.
 */
#include "rt/rt.h"

#define STACK_END	8	   /* bytes after the path: bprm_mm_init(), fs/exec.c */
#define WINDOW		32	   /* the last bytes of the path, all that is looked at */
#define TASK_IS_KERNELS 0x00200000 /* PF_KTHREAD, include/linux/sched.h */
#define DEV_FD		0x2f64662f7665642full /* "/dev/fd/", for fexecve(3) */

struct rt_execs {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, sizeof(struct dt_exec));
	__uint(max_entries, DT_EXECS);
};
__weak struct rt_execs dt_execs SEC(".maps");

#define READ(var, addr) bpf_probe_read_kernel(&(var), sizeof(var), (void *)(addr))

/* Returns the bits of the bytes of W that are slashes, the lowest first.  Without branches, as
 * below: the verifier goes through each way. */
static inline __u64 slashes(__u64 w)
{
	const __u64 low = 0x7f7f7f7f7f7f7f7full;

	w ^= 0x2f2f2f2f2f2f2f2full;
	w = ~(((w & low) + low) | w | low) >> 7; /* 1 for each slash */
	return w * 0x0102040810204080ull >> 56;	 /* from bit 8n to bit n */
}

/* Returns the number of bits in V up to the highest that is set. */
static inline ulong last_bit(__u64 v)
{
	for (int i = 1; i < 64; i *= 2)
		v |= v >> i;
	v -= v >> 1 & 0x5555555555555555ull;
	v = (v & 0x3333333333333333ull) + (v >> 2 & 0x3333333333333333ull);
	v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0full;
	return v * 0x0101010101010101ull >> 56;
}

/* Returns the offset after the last slash of the window, 0 if it has none. */
static inline ulong after_slash(const __u64 *w)
{
	__u64 found = 0;

	for (int i = 0; i < WINDOW / 8; i++)
		found |= slashes(w[i]) << 8 * i;
	return last_bit(found);
}

/*
 * Reads the last part of the path in memory MM into NAME, as a comm has it; returns 1.  0: it is
 * not of use, or too long.  -1: it cannot be read now.
 */
static inline int read_name(__u64 mm, ulong memory, struct dt_exec *name)
{
	__u64 path, end, start, fd, w[WINDOW / 8], page = memory >> 32;
	long len;

	if (READ(path, mm + (__u32)memory) || !path)
		return -1; /* none yet: in execve(2) */
	/* a stack ends with a page; a path that crosses one has no NUL there */
	end = ((path + page) & ~(page - 1)) - STACK_END;
	if (bpf_probe_read_user(&fd, sizeof(fd), (void *)path) ||
		bpf_probe_read_user(w, sizeof(w), (void *)(end - WINDOW)))
		return -1;
	if (fd == DEV_FD || w[WINDOW / 8 - 1] >> 56 || !(w[WINDOW / 8 - 1] >> 48))
		return 0;
	start = end - WINDOW + after_slash(w);
	if (start < path)
		start = path;
	else if (start == end - WINDOW)
		return 0;
	name->name[0] = name->name[1] = 0;
	len = bpf_probe_read_user_str(name->name, sizeof(name->name), (void *)start);
	return len > 1 && (len == sizeof(name->name) || (ulong)len == end - start);
}

/* Returns the number of a name, which nobody changes then; DT_EXEC_UNKNOWN: there is no room. */
static inline ulong number_of(const struct dt_exec *name)
{
	__u64 hash = dt_exec_key(name->name[0], name->name[1], 0) >> 32;

	for (int i = 0; i < DT_EXEC_TRIES; i++) {
		__u32 n = 1 + (hash + i) % (DT_EXECS - 1);
		struct dt_exec *e = bpf_map_lookup_elem(&dt_execs, &n);
		__u64 state;

		if (!e)
			break;
		state = __sync_val_compare_and_swap(&e->state, DT_EXEC_FREE, DT_EXEC_BUSY);
		if (state == DT_EXEC_FREE) {
			e->name[0] = name->name[0];
			e->name[1] = name->name[1];
			__sync_lock_test_and_set(&e->state, DT_EXEC_READY);
			return n;
		}
		if (state == DT_EXEC_READY && e->name[0] == name->name[0] &&
			e->name[1] == name->name[1])
			return n;
	}
	return DT_EXEC_UNKNOWN;
}

/* Member number I of those that MEMBERS has (DT_EXEC_MEMBERS). */
#define AT(task, members, i) ((task) + ((members) >> 16 * (i)&0xffff))

ulong dt_exec_name(ulong task, ulong tgid, ulong key, ulong members, ulong memory)
{
	__u64 leader, mm, own, comm[2];
	struct dt_exec name;
	__u32 flags;
	int found;

	/* without memory: it is about to end, or a thread of the kernel */
	if (READ(mm, AT(task, members, 0)) || READ(own, AT(bpf_get_current_task(), members, 0)) ||
		mm != own || READ(flags, AT(task, members, 1)))
		return DT_EXEC_UNKNOWN;
	if (flags & TASK_IS_KERNELS)
		return 0;
	found = mm ? read_name(mm, memory, &name) : -1;
	if (found <= 0)
		return found ? DT_EXEC_UNKNOWN : 0;
	if (READ(leader, AT(task, members, 2)) || READ(comm, AT(leader, members, 3)) ||
		dt_exec_key(comm[0], comm[1], tgid) != key)
		return DT_EXEC_UNKNOWN; /* renamed just now */
	return name.name[0] == comm[0] && name.name[1] == comm[1] ? 0 : number_of(&name);
}
