// SPDX-License-Identifier: Apache-2.0
/* Finds the pid namespace of a process and writes the D inlines that number tasks in it. */
#include "compile/pidns.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#define INITIAL_PIDNS 0xEFFFFFFCu /* PROC_PID_INIT_INO of the kernel's linux/proc_ns.h */

int pidns_of(const char *process, uint32_t *ns)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%s/ns/pid", process);
	if (stat(path, &st))
		return -errno;
	*ns = st.st_ino == INITIAL_PIDNS ? 0 : (uint32_t)st.st_ino;
	return 0;
}

uint32_t pidns_own(void)
{
	uint32_t ns;

	return pidns_of("self", &ns) ? 0 : ns;
}

/* The second argument of _task_id() is an enum dt_pid_which. */
const char *pidns_text(bool inner)
{
	if (inner)
		return "inline pid_t _task_tid[struct task_struct *t] = _task_id(t, 0);\n"
		       "inline pid_t _task_tgid[struct task_struct *t] = _task_id(t, 1);\n"
		       "inline pid_t _task_pgid[struct task_struct *t] = _task_id(t, 2);\n"
		       "inline pid_t _task_sid[struct task_struct *t] = _task_id(t, 3);\n";
	/* a task that has been reaped has no signal_struct */
	return "inline pid_t _task_tid[struct task_struct *t] = t->pid;\n"
	       "inline pid_t _task_tgid[struct task_struct *t] = t->tgid;\n"
	       "inline pid_t _task_pgid[struct task_struct *t] =\n"
	       "\tt->signal ? t->signal->pids[2]->numbers[0].nr : 0;\n"
	       "inline pid_t _task_sid[struct task_struct *t] =\n"
	       "\tt->signal ? t->signal->pids[3]->numbers[0].nr : 0;\n";
}
