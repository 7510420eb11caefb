// SPDX-License-Identifier: Apache-2.0
/*
 * The sched provider: threads on and off CPUs.
 *
 * The kernel's scheduler switches from one thread to the next in one place, sched_switch(preempt,
 * prev, next, prev_state) (include/trace/events/sched.h), where PREV still runs.  So on-cpu is
 * about another thread than the one that runs.
 */
#include "prov/derived.h"
#include "prov/prov.h"

#define SWITCH "preempt prev next prev_state"

#define LWP(i)                                            \
	{                                                 \
		i, "struct task_struct *", "lwpsinfo_t *" \
	}
#define PROC(i)                                         \
	{                                               \
		i, "struct task_struct *", "psinfo_t *" \
	}
#define CPU(i)                          \
	{                               \
		i, "int", "cpuinfo_t *" \
	}

static const struct derived_probe probes[] = {
	{"on-cpu", 0, {}},
	{"off-cpu", 2, {LWP(0), PROC(0)}},
	{"remain-cpu", 0, {}},
	{"preempt", 0, {}},
	{"sleep", 0, {}},
	{"surrender", 2, {LWP(0), PROC(0)}},
	{"wakeup", 2, {LWP(0), PROC(0)}},
	{"enqueue", 4, {LWP(0), PROC(0), CPU(1), {2, "int", NULL}}},
	{"dequeue", 4, {LWP(0), PROC(0), CPU(1), {2, "int", NULL}}},
	{"change-pri", 3, {LWP(0), PROC(0), {1, "int", NULL}}},
	{"tick", 2, {LWP(0), PROC(0)}},
	{NULL, 0, {}},
};

/* Of those that fire at one switch: sleep or preempt, off-cpu, on-cpu. */
static const struct derived_hook hooks[] = {
	{"preempt", .kind = HOOK_TRACEPOINT, .hook = "sched_switch", .params = SWITCH,
		.when = "preempt"},
	{"sleep", .kind = HOOK_TRACEPOINT, .hook = "sched_switch", .params = SWITCH,
		.when = "!preempt && prev_state != 0"},
	{"off-cpu", .kind = HOOK_TRACEPOINT, .hook = "sched_switch", .params = SWITCH,
		.args = {"next"}},
	{"on-cpu", .kind = HOOK_TRACEPOINT, .hook = "sched_switch", .params = SWITCH,
		.task = "next"},
	{"remain-cpu", .kind = HOOK_TRACEPOINT, .hook = "sched_exit_tp", .params = "is_switch",
		.when = "!is_switch"},
	{"wakeup", .kind = HOOK_TRACEPOINT, .hook = "sched_waking", .params = "task",
		.args = {"task"}},
	{.kind = HOOK_END},
};

static const struct derived table = {probes, hooks, "sched_switch"};

DERIVED_PROVIDER(sched, 3100, 64, CLASS_ISA, &table);
