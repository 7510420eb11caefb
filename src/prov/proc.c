// SPDX-License-Identifier: Apache-2.0
/*
 * Implements the proc provider: processes, threads and signals (include/trace/events/sched.h,
 * signal.h).
 *
 * The kernel makes threads and processes alike, sched_process_fork(parent, child), in the
 * parent.  A new thread begins to run when the scheduler switches to it for the first time: it
 * has not been switched from yet, neither of its own will nor against it.  There the thread that
 * is switched from still runs, so start and lwp-start are about another than the current one.
 */
#include <signal.h>

#include "probe/stability.h"
#include "prov/constants.h"
#include "prov/derived.h"

#define FORK	  "parent child"
#define SWITCH	  "preempt prev next"
#define FIRST_RUN "next->pid != 0 && next->nvcsw + next->nivcsw == 0"

/* A wait status is of an exit, or has the signal and whether it left a core dump. */
#define REASON(code)                                                                           \
	"(" code " & " K_STATUS_SIGNAL ") == 0 ? " K_CLD_EXITED " : " code " & " K_STATUS_CORE \
	" ? " K_CLD_DUMPED " : " K_CLD_KILLED

#define GENERATE  "sig info task group result"
#define DELIVERED "result == " K_TRACE_SIGNAL_DELIVERED
#define IGNORED	  "result == " K_TRACE_SIGNAL_IGNORED

/*
 * The signals that the processor raises: SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, not sent by a
 * program (include/uapi/asm-generic/siginfo.h).  INFO is 0 and 1 for some signals without any; some
 * kernels' verifiers take it for a number for that.
 */
#define INFO "((siginfo_t *)(uintptr_t)info)"
#define FAULT                                                                                      \
	"(sig == " STRING(SIGILL) " || sig == " STRING(SIGTRAP) " || sig == " STRING(              \
		SIGBUS) " || sig == " STRING(SIGFPE) " || sig == " STRING(SIGSEGV) ") && task == " \
										   "curthread && " \
										   "(uintptr_t)"   \
										   "info > 1 "     \
										   "&& " INFO      \
										   "->si_code > 0"

/*
 * A signal that ends the process at once is put down in signal->group_exit_code, and each thread
 * gets a SIGKILL, as it does when another calls exit_group(2) (flags & SIGNAL_GROUP_EXIT) or
 * execve(2); which is no signal that anybody sent.
 */
#define ENDING "sig == " STRING(SIGKILL) " && curthread->signal->flags & " K_SIGNAL_GROUP_EXIT
#define DEADLY "(curthread->signal->group_exit_code & " K_STATUS_SIGNAL ")"

static const struct derived_probe probes[] = {
	{"create", 1, {ARG_PROC(0)}},
	{"lwp-create", 2, {ARG_LWP(0), ARG_PROC(0)}},
	{"start", 0, {}},
	{"lwp-start", 0, {}},
	{"exec", 1, {{0, "const char *", "string"}}},
	{"exec-success", 0, {}},
	{"exec-failure", 1, {{0, "int", NULL}}},
	{"exit", 1, {{0, "int", NULL}}},
	{"lwp-exit", 0, {}},
	{"signal-send", 3, {ARG_LWP(0), ARG_PROC(0), {1, "int", NULL}}},
	{"signal-discard", 3, {ARG_LWP(0), ARG_PROC(0), {1, "int", NULL}}},
	{"signal-handle", 3,
		{{0, "int", NULL}, {1, "siginfo_t *", NULL}, {2, "__sighandler_t", NULL}}},
	{"signal-clear", 1, {{0, "int", NULL}}},
	{"fault", 2, {{0, "int", NULL}, {1, "siginfo_t *", NULL}}},
	{NULL, 0, {}},
};

static const struct derived_hook hooks[] = {
	{"create", .kind = HOOK_TRACEPOINT, .hook = "sched_process_fork", .params = FORK,
		.when = "child->pid == child->tgid", .args = {"child"}},
	{"lwp-create", .kind = HOOK_TRACEPOINT, .hook = "sched_process_fork", .params = FORK,
		.args = {"child"}},
	{"start", .kind = HOOK_TRACEPOINT, .hook = "sched_switch", .params = SWITCH,
		.when = FIRST_RUN " && next->pid == next->tgid", .task = "next"},
	{"lwp-start", .kind = HOOK_TRACEPOINT, .hook = "sched_switch", .params = SWITCH,
		.when = FIRST_RUN, .task = "next"},
	{"exec", .kind = HOOK_SYSCALL, .hook = "execve", .params = "path", .args = {"path"},
		.user_ptrs = true},
	{"exec", .kind = HOOK_SYSCALL, .hook = "execveat", .params = "fd path", .args = {"path"},
		.user_ptrs = true},
	{"exec-success", .kind = HOOK_TRACEPOINT, .hook = "sched_process_exec",
		.params = "task old_pid bprm"},
	{"exec-failure", .kind = HOOK_SYSCALL_RETURN, .hook = "execve", .params = "result",
		.when = "result < 0", .args = {"-result"}},
	{"exec-failure", .kind = HOOK_SYSCALL_RETURN, .hook = "execveat", .params = "result",
		.when = "result < 0", .args = {"-result"}},

	/*
	 * The tracepoint says since Linux 6.16 whether the thread is the last.  Before, none of
	 * them alive means that all have come thus far, which two can see that end at a time;
	 * taskstats_exit(), after it, is told.
	 */
	{"exit", 0, .kind = HOOK_TRACEPOINT, .hook = "sched_process_exit", .params = "task last",
		.when = "last", .args = {REASON("task->exit_code")}},
	{"exit", 1, .kind = HOOK_FUNCTION, .hook = "taskstats_exit", .params = "task last",
		.when = "last", .args = {REASON("task->exit_code")}},
	{"exit", 2, .kind = HOOK_TRACEPOINT, .hook = "sched_process_exit", .params = "task",
		.when = "task->signal->live.counter == 0", .args = {REASON("task->exit_code")}},
	{"lwp-exit", .kind = HOOK_TRACEPOINT, .hook = "sched_process_exit", .params = "task"},

	{"signal-send", .kind = HOOK_TRACEPOINT, .hook = "signal_generate", .params = GENERATE,
		.when = DELIVERED, .args = {"task", "sig"}},
	{"signal-discard", .kind = HOOK_TRACEPOINT, .hook = "signal_generate", .params = GENERATE,
		.when = IGNORED, .args = {"task", "sig"}},
	{"signal-handle", .kind = HOOK_TRACEPOINT, .hook = "signal_deliver",
		.params = "sig info action", .when = "!(" ENDING ") || " DEADLY " != 0",
		.args = {ENDING " ? " DEADLY " : sig", INFO, "action->sa.sa_handler"}},
	{"signal-clear", .kind = HOOK_SYSCALL_RETURN, .hook = "rt_sigtimedwait", .params = "result",
		.when = "result > 0", .args = {"result"}},
	{"fault", .kind = HOOK_TRACEPOINT, .hook = "signal_generate", .params = GENERATE,
		.when = FAULT, .args = {"sig", INFO}},
	{.kind = HOOK_END},
};

static const struct derived table = {probes, hooks, "sched_process_fork"};

DERIVED_PROVIDER(proc, 3200, 64, CLASS_ISA, &table);
