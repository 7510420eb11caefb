// SPDX-License-Identifier: Apache-2.0
/*
 * Implements the sched provider: threads on and off CPUs.
 *
 * The kernel's scheduler switches from one thread to the next in one place, sched_switch(preempt,
 * prev, next, prev_state) (include/trace/events/sched.h), where PREV still runs.  So on-cpu is
 * about another thread than the one that runs.
 */
#include <asm/unistd.h>
#include <linux/sched.h>

#include "probe/stability.h"
#include "prov/constants.h"
#include "prov/derived.h"

#define SWITCH	     "preempt prev next"
#define SWITCH_STATE SWITCH " prev_state" /* since Linux 5.18, and in some older ones */
/* before, the thread says it itself, in a member that was renamed in 5.14 */
#define OLD_STATE   "__state"
#define OLDER_STATE "state"

/*
 * A thread that could go on: preempted on its way out of the kernel (schedule(), PREEMPT is not
 * set) or in it, but not the idle one, which gives way to whoever comes, nor one that yields.
 */
#define PREEMPTED(state)                                    \
	"(preempt || " state " == 0) && prev->pid != 0 && " \
	"xlate <lwpsinfo_t> (prev).pr_syscall != " STRING(__NR_sched_yield)
#define BLOCKED(state) "!preempt && " state " != 0"

#define FIFO	 STRING(SCHED_FIFO)
#define RR	 STRING(SCHED_RR)
#define DEADLINE STRING(SCHED_DEADLINE)

/* The priority of a thread: real-time, deadline (before all of these) or by its nice value. */
#define PRIORITY(policy, priority, nice)                                                   \
	"(" policy ") == " FIFO " || (" policy ") == " RR " ? " K_MAX_RT_PRIO              \
	" - 1 - (int)(" priority ") : (" policy ") == " DEADLINE " ? -1 : " K_DEFAULT_PRIO \
	" + (int)(" nice ")"
#define POLICY(word)  "((" word ") & ~" STRING(SCHED_RESET_ON_FORK) ")"
#define NICE	      "curthread->static_prio - " K_DEFAULT_PRIO
#define SETS_PRIORITY "(attr->sched_flags & " STRING(SCHED_FLAG_KEEP_PARAMS) ") == 0"
/* rt_mutex_setprio(): a thread has the priority of who waits for it, if that is more urgent */
#define BOOSTED		   "donor && donor->prio < task->normal_prio ? donor->prio : task->normal_prio"
#define TIMER_OF(function) "(uintptr_t)timer->function == (uintptr_t)&vmlinux`" function

#define ENQUEUE(function, ...)                                                                 \
	{                                                                                      \
		"enqueue", .kind = HOOK_FUNCTION, .hook = function, .params = "rq task flags", \
			   .args = {"task", "rq->cpu", "(flags & " K_ENQUEUE_HEAD ") != 0"},   \
			   ##__VA_ARGS__                                                       \
	}
#define DEQUEUE(function, ...)                                                                 \
	{                                                                                      \
		"dequeue", .kind = HOOK_FUNCTION, .hook = function, .params = "rq task flags", \
			   .args = {"task", "rq->cpu", "0"}, ##__VA_ARGS__                     \
	}
/* A hook for each kernel: WHEN is PREEMPTED or BLOCKED. */
#define AT_SWITCH(name, first, WHEN, ...)                                                        \
	{name, (first), .kind = HOOK_TRACEPOINT, .hook = "sched_switch", .params = SWITCH_STATE, \
		.when = WHEN("prev_state"), ##__VA_ARGS__},                                      \
		{name, (first) + 1, .kind = HOOK_TRACEPOINT, .hook = "sched_switch",             \
			.params = SWITCH, .member = "task_struct." OLD_STATE,                    \
			.when = WHEN("prev->" OLD_STATE), ##__VA_ARGS__},                        \
	{                                                                                        \
		name, (first) + 2, .kind = HOOK_TRACEPOINT, .hook = "sched_switch",              \
				   .params = SWITCH, .member = "task_struct." OLDER_STATE,       \
				   .when = WHEN("prev->" OLDER_STATE), ##__VA_ARGS__             \
	}
#define MINE "(who == 0 || who == tid)"

static const struct derived_probe probes[] = {
	{"on-cpu", 0, {}},
	{"off-cpu", 2, {ARG_LWP(0), ARG_PROC(0)}},
	{"remain-cpu", 0, {}},
	{"preempt", 0, {}},
	{"sleep", 0, {}},
	{"surrender", 2, {ARG_LWP(0), ARG_PROC(0)}},
	{"wakeup", 2, {ARG_LWP(0), ARG_PROC(0)}},
	{"enqueue", 4, {ARG_LWP(0), ARG_PROC(0), ARG_CPU(1), {2, "int", NULL}}},
	{"dequeue", 4, {ARG_LWP(0), ARG_PROC(0), ARG_CPU(1), {2, "int", NULL}}},
	{"change-pri", 3, {ARG_LWP(0), ARG_PROC(0), {1, "int", NULL}}},
	{"tick", 2, {ARG_LWP(0), ARG_PROC(0)}},
	{NULL, 0, {}},
};

/* Of those that fire at one switch: sleep or preempt, off-cpu, on-cpu. */
static const struct derived_hook hooks[] = {
	AT_SWITCH("preempt", 0, PREEMPTED),
	AT_SWITCH("sleep", 0, BLOCKED),
	{"off-cpu", .kind = HOOK_TRACEPOINT, .hook = "sched_switch", .params = SWITCH,
		.args = {"next"}},
	{"on-cpu", .kind = HOOK_TRACEPOINT, .hook = "sched_switch", .params = SWITCH,
		.task = "next"},
	{"remain-cpu", .kind = HOOK_TRACEPOINT, .hook = "sched_exit_tp", .params = "is_switch",
		.when = "!is_switch"},
	{"surrender", .kind = HOOK_SYSCALL, .hook = "sched_yield", .args = {"curthread"}},
	/* in the waker, where sched_wakeup may be on the CPU that the thread wakes on */
	{"wakeup", .kind = HOOK_TRACEPOINT, .hook = "sched_waking", .params = "task",
		.args = {"task"}},
	{"wakeup", .kind = HOOK_TRACEPOINT, .hook = "sched_wakeup_new", .params = "task",
		.args = {"task"}},

	/* the functions of each scheduling class */
	ENQUEUE("enqueue_task_fair"),
	ENQUEUE("enqueue_task_rt"),
	ENQUEUE("enqueue_task_dl"),
	ENQUEUE("enqueue_task_stop", .optional = true),
	ENQUEUE("enqueue_task_scx", .optional = true),
	DEQUEUE("dequeue_task_fair"),
	DEQUEUE("dequeue_task_rt"),
	DEQUEUE("dequeue_task_dl"),
	DEQUEUE("dequeue_task_stop", .optional = true),
	DEQUEUE("dequeue_task_scx", .optional = true),
	/* without them what leads there: waking, sleeping, moving while on a queue */
	{"enqueue", 1, .kind = HOOK_TRACEPOINT, .hook = "sched_wakeup", .params = "task",
		.when = "task != curthread", .args = {"task", "task->thread_info.cpu", "0"}},
	{"enqueue", 1, .kind = HOOK_TRACEPOINT, .hook = "sched_wakeup_new", .params = "task",
		.args = {"task", "task->thread_info.cpu", "0"}},
	{"enqueue", 1, .kind = HOOK_TRACEPOINT, .hook = "sched_migrate_task", .params = "task cpu",
		.when = "task->on_rq != 0", .args = {"task", "cpu", "0"}},
	{"dequeue", 1, .kind = HOOK_TRACEPOINT, .hook = "sched_switch", .params = SWITCH_STATE,
		.when = BLOCKED("prev_state"), .args = {"prev", "prev->thread_info.cpu", "0"}},
	{"dequeue", 1, .kind = HOOK_TRACEPOINT, .hook = "sched_migrate_task", .params = "task cpu",
		.when = "task->on_rq != 0", .args = {"task", "task->thread_info.cpu", "0"}},

	/* a real-time thread's nice value is not its priority */
	{"change-pri", .kind = HOOK_FUNCTION, .hook = "set_user_nice", .params = "task nice",
		.when = "task->static_prio != " K_DEFAULT_PRIO " + nice && nice >= " K_MIN_NICE
			" && nice <= " K_MAX_NICE " && task->policy != " FIFO
			" && task->policy != " RR " && task->policy != " DEADLINE,
		.args = {"task", K_DEFAULT_PRIO " + nice"}},
	{"change-pri", .kind = HOOK_FUNCTION, .hook = "__sched_setscheduler", .params = "task attr",
		.when = SETS_PRIORITY,
		.args = {"task",
			PRIORITY(
				"(attr->sched_policy == (uint32_t)-1 ? task->policy : attr->sched_policy)",
				"attr->sched_priority", "attr->sched_nice")}},
	{"change-pri", .kind = HOOK_TRACEPOINT, .hook = "sched_pi_setprio", .params = "task donor",
		.args = {"task", BOOSTED}},
	/* without them the system calls of threads about themselves */
	{"change-pri", 1, .kind = HOOK_SYSCALL, .hook = "setpriority", .params = "which who nice",
		.when = "which == " K_PRIO_PROCESS " && " MINE,
		.args = {"curthread",
			K_DEFAULT_PRIO " + (nice < " K_MIN_NICE " ? " K_MIN_NICE
				       " : nice > " K_MAX_NICE " ? " K_MAX_NICE " : nice)"}},
	{"change-pri", 1, .kind = HOOK_SYSCALL, .hook = "sched_setscheduler",
		.params = "who policy param", .when = MINE,
		.args = {"curthread", PRIORITY(POLICY("policy"), "param->sched_priority", NICE)}},
	{"change-pri", 1, .kind = HOOK_SYSCALL, .hook = "sched_setparam", .params = "who param",
		.when = MINE,
		.args = {"curthread",
			PRIORITY("curthread->policy", "param->sched_priority", NICE)}},
	{"change-pri", 1, .kind = HOOK_SYSCALL, .hook = "sched_setattr", .params = "who attr",
		.when = MINE " && " SETS_PRIORITY,
		.args = {"curthread",
			PRIORITY(
				"attr->sched_policy", "attr->sched_priority", "attr->sched_nice")}},
	{"change-pri", 1, .kind = HOOK_TRACEPOINT, .hook = "sched_pi_setprio",
		.params = "task donor", .args = {"task", BOOSTED}},

	/*
	 * The timer of the tick; a function tick_nohz_handler() was another before Linux 6.8,
	 * which had both.
	 */
	{"tick", 0, .kind = HOOK_TRACEPOINT, .hook = "hrtimer_expire_entry", .params = "timer",
		.function = "tick_sched_timer", .when = TIMER_OF("tick_sched_timer"),
		.args = {"curthread"}},
	{"tick", 1, .kind = HOOK_TRACEPOINT, .hook = "hrtimer_expire_entry", .params = "timer",
		.function = "tick_nohz_handler", .when = TIMER_OF("tick_nohz_handler"),
		.args = {"curthread"}},
	{"tick", 2, .kind = HOOK_FUNCTION, .hook = "sched_tick", .args = {"curthread"}},
	{"tick", 3, .kind = HOOK_FUNCTION, .hook = "scheduler_tick", .args = {"curthread"}},
	{.kind = HOOK_END},
};

static const struct derived table = {probes, hooks, "sched_switch"};

DERIVED_PROVIDER(sched, 3100, 64, CLASS_ISA, &table);
