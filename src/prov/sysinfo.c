// SPDX-License-Identifier: Apache-2.0
/*
 * Implements the sysinfo provider: the places at which the kernel counts what sar(1) shows. arg0
 * is the increment, arg1 the address of the statistic: there is none.
 */
#include <linux/sched.h>

#include "probe/stability.h"
#include "prov/constants.h"
#include "prov/derived.h"

static const struct derived_probe probes[] = {
	{"bawrite", 0, {}},
	{"bread", 0, {}},
	{"bwrite", 0, {}},
	{"cpumigrate", 0, {}},
	{"idlethread", 0, {}},
	{"intr", 0, {}},
	{"intrblk", 0, {}},
	{"inv_swtch", 0, {}},
	{"lread", 0, {}},
	{"lwrite", 0, {}},
	{"modload", 0, {}},
	{"mutex_adenters", 0, {}},
	{"namei", 0, {}},
	{"nthreads", 0, {}},
	{"phread", 0, {}},
	{"phwrite", 0, {}},
	{"pswitch", 0, {}},
	{"readch", 0, {}},
	{"rw_rdfails", 0, {}},
	{"rw_wrfails", 0, {}},
	{"sysexec", 0, {}},
	{"sysfork", 0, {}},
	{"sysread", 0, {}},
	{"sysvfork", 0, {}},
	{"syswrite", 0, {}},
	{"trap", 0, {}},
	{"writech", 0, {}},
	{"xcalls", 0, {}},
	{NULL, 0, {}},
};

/* One more at each NAME. */
#define AT(probe, name, list, cond)                                                             \
	{                                                                                       \
		probe, .optional = true, .kind = HOOK_TRACEPOINT, .hook = name, .params = list, \
		       .when = cond, .args = {                                                  \
			       "1"                                                              \
		       }                                                                        \
	}

/* The same where programs get to as well, by what they use. */
#define INNER_AT(probe, name, list, cond)                                                      \
	{                                                                                      \
		probe, .optional = true, .inner = true, .kind = HOOK_TRACEPOINT, .hook = name, \
		       .params = list, .when = cond, .args = {                                 \
			       "1"                                                             \
		       }                                                                       \
	}

/* A system call that reads or writes: one more call, RET more bytes. */
#define CALL(calls, bytes, name)                                                      \
	{calls, .optional = true, .kind = HOOK_SYSCALL, .hook = name, .args = {"1"}}, \
	{                                                                             \
		bytes, .optional = true, .kind = HOOK_SYSCALL_RETURN, .hook = name,   \
		       .params = "ret", .when = "ret > 0", .args = {                  \
			       "ret"                                                  \
		       }                                                              \
	}

#define PATH(name)                                                                             \
	{                                                                                      \
		"namei", .optional = true, .kind = HOOK_SYSCALL, .hook = name, .args = { "1" } \
	}

#define SWITCH "preempt prev next"

#define OPERATION "(rq->cmd_flags & " K_REQ_OP_MASK ")"
#define READS	  OPERATION " == " K_REQ_OP_READ
#define WRITES	  OPERATION " == " K_REQ_OP_WRITE
/* not of the page cache: dlib/io.d */
#define RAW   " && rq->bio && !_bio_inode(rq->bio)"
#define ASYNC "!(rq->cmd_flags & 1 << " K_REQ_SYNC_BIT ")"

/* No kernel thread makes the thread. */
#define USERS  "!(curthread->flags & " K_PF_KTHREAD ")"
#define VFORK  STRING(CLONE_VFORK)
#define THREAD STRING(CLONE_THREAD)

static const struct derived_hook hooks[] = {
	CALL("sysread", "readch", "read"),
	CALL("sysread", "readch", "pread64"),
	CALL("sysread", "readch", "readv"),
	CALL("sysread", "readch", "preadv"),
	CALL("sysread", "readch", "preadv2"),
	CALL("syswrite", "writech", "write"),
	CALL("syswrite", "writech", "pwrite64"),
	CALL("syswrite", "writech", "writev"),
	CALL("syswrite", "writech", "pwritev"),
	CALL("syswrite", "writech", "pwritev2"),
	PATH("open"),
	PATH("openat"),
	PATH("openat2"),
	PATH("newstat"),
	PATH("newlstat"),
	PATH("newfstatat"),
	PATH("statx"),
	AT("sysexec", "sched_process_exec", NULL, NULL),
	AT("sysfork", "task_newtask", "task flags",
		USERS " && !(flags & (" VFORK " | " THREAD "))"),
	AT("sysvfork", "task_newtask", "task flags",
		USERS " && flags & " VFORK " && !(flags & " THREAD ")"),
	AT("nthreads", "task_newtask", "task flags", "(flags & " THREAD ") != 0"),
	AT("cpumigrate", "sched_migrate_task", NULL, NULL),
	AT("pswitch", "sched_switch", NULL, NULL),
	AT("inv_swtch", "sched_switch", SWITCH " prev_state", "preempt || !prev_state"),
	AT("idlethread", "sched_switch", SWITCH, "next->pid == 0"),
	AT("trap", "page_fault_user", NULL, NULL),
	AT("trap", "page_fault_kernel", NULL, NULL),
	INNER_AT("xcalls", "ipi_send_cpu", NULL, NULL),
	INNER_AT("xcalls", "ipi_send_cpumask", NULL, NULL),
	AT("intr", "irq_handler_entry", NULL, NULL),
	/* the rest of it is for a thread */
	AT("intrblk", "irq_handler_exit", "irq action ret", "ret == " K_IRQ_WAKE_THREAD),
	/* a wait for a mutex may be of several phases, see lockstat.c */
	{"mutex_adenters", .inner = true, .kind = HOOK_TRACEPOINT, .hook = "contention_begin",
		.params = "lock flags",
		.when = "flags & " K_LCB_F_MUTEX " && !self->dt_lock[(long)lock]", .args = {"1"},
		.state = LOCKSTAT_STATE},
	INNER_AT("rw_rdfails", "contention_begin", "lock flags", "(flags & " K_LCB_F_READ ") != 0"),
	INNER_AT(
		"rw_wrfails", "contention_begin", "lock flags", "(flags & " K_LCB_F_WRITE ") != 0"),
	AT("bread", "block_rq_issue", "rq", READS),
	AT("phread", "block_rq_issue", "rq", READS RAW),
	AT("bwrite", "block_rq_issue", "rq", WRITES),
	AT("phwrite", "block_rq_issue", "rq", WRITES RAW),
	AT("bawrite", "block_rq_issue", "rq", WRITES " && " ASYNC),
	/* in the cache of a block device's own pages */
	AT("lread", "block_touch_buffer", NULL, NULL),
	AT("lwrite", "block_dirty_buffer", NULL, NULL),
	AT("modload", "module_load", NULL, NULL),
	{.kind = HOOK_END},
};

static const struct derived table = {probes, hooks, "sched_switch"};

DERIVED_PROVIDER(sysinfo, 4000, 64, CLASS_ISA, &table);
