// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Keeps the processes that are followed: the consumer names the targets, a fork adds the child
 * before it runs, and the end of a process removes it before its number can be another's.
 */
#include "rt/rt.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(key_size, 4);
	__uint(value_size, 4);
	__uint(max_entries, DT_FOLLOWED_MOST);
} dt_followed_pids SEC(".maps");

ulong dt_followed(void)
{
	__u32 tgid = bpf_get_current_pid_tgid() >> 32;

	return bpf_map_lookup_elem(&dt_followed_pids, &tgid) != NULL;
}

/* TP_PROTO(parent, child), include/trace/events/sched.h: before the child runs. */
ulong dt_follow_fork(ulong parent, ulong child)
{
	__u32 from, to, one = 1;

	if (KREAD(from, parent, task_tgid) || KREAD(to, child, task_tgid) || from == to ||
		!bpf_map_lookup_elem(&dt_followed_pids, &from))
		return 0;
	return bpf_map_update_elem(&dt_followed_pids, &to, &one, BPF_ANY) ? 1 : 0;
}

/* TP_PROTO(task, ...): of each thread; the last one has taken the count of those alive to 0. */
ulong dt_follow_exit(ulong task)
{
	__u64 signal;
	__u32 tgid;
	__s32 live;

	if (!KREAD(tgid, task, task_tgid) && !KREAD(signal, task, task_signal) &&
		!KREAD(live, signal, signal_live) && !live)
		bpf_map_delete_elem(&dt_followed_pids, &tgid);
	return 0;
}
