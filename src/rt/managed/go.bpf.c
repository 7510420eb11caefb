// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* Finds the goroutine of the current thread.  Go's frames need nothing: it has frame pointers. */
#include "abi/managed.h"
#include "rt/rt.h"

ulong dt_goid(ulong tgid)
{
	__u64 task = bpf_get_current_task(), mm, start_stack, self, g, id;
	__u32 process = (__u32)tgid;
	const struct dt_managed_proc *proc = bpf_map_lookup_elem(&dt_managed, &process);
	const struct dt_unwind_proc *seen;

	if (KREAD(mm, task, task_mm) || !mm || KREAD(start_stack, mm, mm_start_stack))
		return 0;
	if (!proc || proc->start_stack != start_stack) {
		seen = bpf_map_lookup_elem(&dt_uprocs, &process);
		if (!seen || seen->start_stack != start_stack)
			ask(process);
		return 0;
	}
	if (proc->lang != DT_LANG_GO || KREAD(self, task, task_fsbase) ||
		bpf_probe_read_user(&g, sizeof(g), (void *)(self + proc->go.tls)) || !g ||
		bpf_probe_read_user(&id, sizeof(id), (void *)(g + proc->go.goid)))
		return 0;
	return id;
}
