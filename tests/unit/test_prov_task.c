// SPDX-License-Identifier: Apache-2.0
/*
 * Tests which hooks the probes of proc and sched are made of, on made-up kernels.
 *
 * @ref providers 6
 * @ref providers 7
 */
#include <errno.h>

#include "made_up.h"
#include "test.h"

/*
 * The tracepoints of kernels of different age; "btf_trace_x 3" is a tracepoint of three arguments.
 */
static const char *const common[] = {
	"btf_trace_sched_switch 4",
	"btf_trace_sched_waking 1",
	"btf_trace_sched_wakeup 1",
	"btf_trace_sched_wakeup_new 1",
	"btf_trace_sched_migrate_task 2",
	"btf_trace_sched_pi_setprio 2",
	"btf_trace_sched_process_fork 2",
	"btf_trace_sched_process_exec 3",
	"btf_trace_signal_generate 5",
	"btf_trace_signal_deliver 3",
	"btf_trace_hrtimer_expire_entry 2",
	"btf_trace_sys_enter 2",
	"btf_trace_sys_exit 2",
	"__x64_sys_execve 1",
	"__x64_sys_execveat 1",
	"__x64_sys_rt_sigtimedwait 1",
	"__do_sys_sched_yield 0",
	"__x64_sys_setpriority 1",
	"__x64_sys_sched_setscheduler 1",
	"__x64_sys_sched_setparam 1",
	"__x64_sys_sched_setattr 1",
	NULL,
};
static const char *const functions[] = {
	"set_user_nice 2",
	"__sched_setscheduler 4",
	"enqueue_task_fair 3",
	"enqueue_task_rt 3",
	"enqueue_task_dl 3",
	"taskstats_exit 2",
	"tick_nohz_handler 1",
	NULL,
};
static const char *const old[] = {
	"btf_trace_sched_process_exit 1",
	"tick_sched_timer 1",
	"scheduler_tick 0",
	NULL,
};
static const char *const new[] = {
	"btf_trace_sched_process_exit 2",
	"btf_trace_sched_exit_tp 1",
	"sched_tick 0",
	NULL,
};

static void add_hooks(struct btf *b, const char *const *hooks)
{
	for (; *hooks; hooks++) {
		char name[64];
		int n;

		CHECK_INT(sscanf(*hooks, "%63s %d", name, &n), 2);
		add_hook(b, name, n, 0);
	}
}

/* The hooks that PROBE is made of, in SEEN. */
static const char *hooks_of(struct session *s, const char *prov, const char *probe)
{
	struct attach_plan p;

	match(s, prov, probe);
	seen[0] = '\0';
	for (unsigned i = 0; last && !plan(s, last, i, &p); i++) {
		size_t n = strlen(seen);

		CHECK(p.from);
		snprintf(seen + n, sizeof(seen) - n, "%s%s", n ? " " : "", p.hook);
	}
	return seen;
}

/* The condition of the first of them. */
static const char *condition(struct session *s, const char *prov, const char *probe)
{
	struct attach_plan p;

	CHECK_INT(match(s, prov, probe), 1);
	CHECK_INT(plan(s, last, 0, &p), 0);
	return p.from->when;
}

#define EVERY_PROC                                                                           \
	"3200:create 3201:lwp-create 3202:start 3203:lwp-start 3204:exec 3205:exec-success " \
	"3206:exec-failure 3207:exit 3208:lwp-exit 3209:signal-send 3210:signal-discard "    \
	"3211:signal-handle 3212:signal-clear 3213:fault"

static void test_old(void)
{
	struct btf *b = btf__new_empty();
	struct kernel k = {0};
	struct session s;

	add_hooks(b, common);
	add_hooks(b, functions);
	add_hooks(b, old);
	k.data = btf__raw_data(b, &k.len);
	k.features = 1ull << FEATURE_FENTRY;
	s = session_new(&k);
	match(&s, "proc", "");
	CHECK_STR(seen, EVERY_PROC);
	match(&s, "sched", "");
	CHECK_STR(seen,
		"3100:on-cpu 3101:off-cpu 3103:preempt 3104:sleep 3105:surrender 3106:wakeup "
		"3107:enqueue 3108:dequeue 3109:change-pri 3110:tick");
	CHECK_STR(hooks_of(&s, "proc", "exit"), "taskstats_exit");
	CHECK_STR(hooks_of(&s, "sched", "enqueue"),
		"enqueue_task_fair enqueue_task_rt enqueue_task_dl");
	/* there are no functions for this one */
	CHECK_STR(hooks_of(&s, "sched", "dequeue"), "sched_switch sched_migrate_task");
	CHECK_STR(hooks_of(&s, "sched", "change-pri"),
		"set_user_nice __sched_setscheduler sched_pi_setprio");
	/* a function of the other name was another then */
	CHECK(strstr(condition(&s, "sched", "tick"), "tick_sched_timer"));
	arena_free(s.a);

	k.features = 0;
	s = session_new(&k);
	CHECK_STR(hooks_of(&s, "proc", "exit"), "sched_process_exit");
	CHECK_STR(condition(&s, "proc", "exit"), "task->signal->live.counter == 0");
	CHECK_STR(hooks_of(&s, "sched", "change-pri"),
		"sys_enter sys_enter sys_enter sys_enter sched_pi_setprio");
	arena_free(s.a);
	btf__free(b);
}

static void test_new(void)
{
	struct btf *b = btf__new_empty();
	struct kernel k = {0};
	struct session s;

	add_hooks(b, common);
	add_hooks(b, functions);
	add_hooks(b, new);
	k.data = btf__raw_data(b, &k.len);
	s = session_new(&k);
	match(&s, "proc", "");
	CHECK_STR(seen, EVERY_PROC);
	CHECK_STR(hooks_of(&s, "proc", "exit"), "sched_process_exit");
	CHECK_STR(condition(&s, "proc", "exit"), "last");
	CHECK_STR(hooks_of(&s, "proc", "exec"), "sys_enter sys_enter");
	CHECK_STR(hooks_of(&s, "proc", "exec-failure"), "sys_exit sys_exit");
	CHECK_STR(hooks_of(&s, "sched", "enqueue"),
		"sched_wakeup sched_wakeup_new sched_migrate_task");
	CHECK_STR(hooks_of(&s, "sched", "remain-cpu"), "sched_exit_tp");
	CHECK_STR(hooks_of(&s, "sched", "wakeup"), "sched_waking sched_wakeup_new");
	CHECK(strstr(condition(&s, "sched", "tick"), "tick_nohz_handler"));
	arena_free(s.a);
	btf__free(b);
}

/* Without the timer's function the tick itself, where functions can be traced. */
static void test_tick(void)
{
	struct btf *b = btf__new_empty();
	struct kernel k = {0};
	struct session s;

	add_hooks(b, common);
	add_hooks(b, new);
	k.data = btf__raw_data(b, &k.len);
	s = session_new(&k);
	CHECK_INT(match(&s, "sched", "tick"), 0);
	arena_free(s.a);
	k.features = 1ull << FEATURE_FENTRY;
	s = session_new(&k);
	CHECK_STR(hooks_of(&s, "sched", "tick"), "sched_tick");
	arena_free(s.a);
	btf__free(b);
}

/* Arguments: what is translated from what, and whose memory a path is in. */
static void test_args(void)
{
	struct btf *b = btf__new_empty();
	struct probe_args args = {0};
	struct kernel k = {0};
	struct session s;

	btf__add_int(b, "char", 1, BTF_INT_SIGNED);
	add_hooks(b, common);
	k.data = btf__raw_data(b, &k.len);
	s = session_new(&k);
	CHECK_INT(match(&s, "proc", "signal-send"), 1);
	CHECK_INT(last->provider->describe(registry_env(s.r), last, &args), 0);
	CHECK_INT(args.nargs, 3);
	CHECK_STR(args.xtypes[0], "lwpsinfo_t *");
	CHECK_STR(args.xtypes[1], "psinfo_t *");
	CHECK_STR(args.xtypes[2], NULL);
	CHECK_INT(args.from[1], 0);
	CHECK_INT(args.from[2], 1);
	CHECK(!args.user_ptrs);
	args = (struct probe_args){0};
	CHECK_INT(match(&s, "proc", "exec"), 1);
	CHECK_INT(last->provider->describe(registry_env(s.r), last, &args), 0);
	CHECK_INT(args.nargs, 1);
	CHECK_STR(args.xtypes[0], "string");
	CHECK(args.user_ptrs);
	arena_free(s.a);
	btf__free(b);
}

int main(void)
{
	test_old();
	test_new();
	test_tick();
	test_args();
	return test_done();
}
