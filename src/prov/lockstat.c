// SPDX-License-Identifier: Apache-2.0
/*
 * Implements the lockstat provider: the time that threads wait for the kernel's locks.
 *
 * A wait is a row of phases, of spinning and of sleep, each of which begins with
 * contention_begin(lock, flags) and ends with the next or with contention_end(lock, ret)
 * (include/trace/events/lock.h).  The phase that a thread is in with a lock is kept in a variable
 * of the thread: when it began, and in the low bits the flags that it began with.
 */
#include "probe/stability.h"
#include "prov/constants.h"
#include "prov/derived.h"

#define PHASE "self->dt_lock[(long)lock]"

#define FLAGS	  "(" PHASE " & " LOCKSTAT_FLAGS ")"
#define SINCE	  "(" PHASE " >> " LOCKSTAT_SHIFT ")"
#define IS_SPIN	  PHASE " & " K_LCB_F_SPIN
#define IS_RWLOCK "(" PHASE " & (" K_LCB_F_READ " | " K_LCB_F_WRITE "))"

#define BLOCKS_MUTEX FLAGS " == " K_LCB_F_MUTEX
#define SPINS_MUTEX  FLAGS " == (" K_LCB_F_MUTEX " | " K_LCB_F_SPIN ")"
#define SPINS	     FLAGS " == " K_LCB_F_SPIN
#define SPINS_RW     "(" IS_SPIN ") && " IS_RWLOCK
#define BLOCKS_RW    "!(" IS_SPIN ") && " IS_RWLOCK

/* RW_READER, RW_WRITER */
#define IS_READER "(" PHASE " & " K_LCB_F_READ ") != 0"

/* The two ends of a phase. */
#define PHASE_ENDS(probe, cond, which)                                                         \
	{probe, .inner = true, .kind = HOOK_TRACEPOINT, .hook = "contention_begin",            \
		.params = "lock", .when = cond, .args = {"lock", "timestamp - " SINCE, which}, \
		.state = LOCKSTAT_STATE},                                                      \
	{                                                                                      \
		probe, .inner = true, .kind = HOOK_TRACEPOINT, .hook = "contention_end",       \
		       .params = "lock", .when = cond,                                         \
		       .args = {"lock", "timestamp - " SINCE, which}, .state = LOCKSTAT_STATE  \
	}

#define WRITER "0"
#define READER "1"

/* A function that may fail to take the lock. */
#define TAKEN(probe, name, cond, which)                                                           \
	{                                                                                         \
		probe, .optional = true, .kind = HOOK_RETURN, .hook = name, .params = "lock ret", \
		       .when = cond, .args = {                                                    \
			       "lock",                                                            \
			       which                                                              \
		       }                                                                          \
	}

#define SPINLOCKS "safe place for programs where spinlocks are taken"

static const struct derived_probe probes[] = {
	{"adaptive-acquire", 1, {{0, "struct mutex *", NULL}}},
	{"adaptive-acquire-error", 2, {{0, "struct mutex *", NULL}, {1, "int", NULL}}},
	{"adaptive-block", 2, {{0, "struct mutex *", NULL}, {1, "uint64_t", NULL}}},
	{"adaptive-release", 1, {{0, "struct mutex *", NULL}}},
	{"adaptive-spin", 2, {{0, "struct mutex *", NULL}, {1, "uint64_t", NULL}}},
	{"rw-block", 3, {{0, "void *", NULL}, {1, "uint64_t", NULL}, {2, "int", NULL}}},
	{"rw-spin", 3, {{0, "rwlock_t *", NULL}, {1, "uint64_t", NULL}, {2, "int", NULL}}},
	{"spin-spin", 2, {{0, "spinlock_t *", NULL}, {1, "uint64_t", NULL}}},
	{"rw-acquire", 2, {{0, "struct rw_semaphore *", NULL}, {1, "int", NULL}}},
	{"rw-downgrade", 1, {{0, "struct rw_semaphore *", NULL}}},
	{"rw-release", 2, {{0, "struct rw_semaphore *", NULL}, {1, "int", NULL}}},
	{"spin-acquire", 0, {}},
	{"spin-release", 0, {}},
	/* for the state */
	{"-begin", 0, {}},
	{"-end", 0, {}},
	{NULL, 0, {}},
};

static const struct derived_hook hooks[] = {
	PHASE_ENDS("adaptive-block", BLOCKS_MUTEX, NULL),
	PHASE_ENDS("adaptive-spin", SPINS_MUTEX, NULL),
	PHASE_ENDS("spin-spin", SPINS, NULL),
	PHASE_ENDS("rw-block", BLOCKS_RW, IS_READER),
	PHASE_ENDS("rw-spin", SPINS_RW, IS_READER),
	{"adaptive-acquire-error", .inner = true, .kind = HOOK_TRACEPOINT, .hook = "contention_end",
		.params = "lock ret", .when = "ret && " PHASE " & " K_LCB_F_MUTEX,
		.args = {"lock", "ret"}, .state = LOCKSTAT_STATE},
	{"adaptive-acquire", .kind = HOOK_RETURN, .hook = "mutex_lock", .params = "lock",
		.args = {"lock"}},
	TAKEN("adaptive-acquire", "mutex_lock_interruptible", "!ret", NULL),
	TAKEN("adaptive-acquire", "mutex_lock_killable", "!ret", NULL),
	TAKEN("adaptive-acquire", "mutex_trylock", "ret", NULL),
	{"adaptive-release", .kind = HOOK_FUNCTION, .hook = "mutex_unlock", .params = "lock",
		.args = {"lock"}},
	{"rw-acquire", .kind = HOOK_RETURN, .hook = "down_read", .params = "lock",
		.args = {"lock", READER}},
	{"rw-acquire", .kind = HOOK_RETURN, .hook = "down_write", .params = "lock",
		.args = {"lock", WRITER}},
	TAKEN("rw-acquire", "down_read_interruptible", "!ret", READER),
	TAKEN("rw-acquire", "down_read_killable", "!ret", READER),
	TAKEN("rw-acquire", "down_read_trylock", "ret", READER),
	TAKEN("rw-acquire", "down_write_killable", "!ret", WRITER),
	TAKEN("rw-acquire", "down_write_trylock", "ret", WRITER),
	{"rw-release", .kind = HOOK_FUNCTION, .hook = "up_read", .params = "lock",
		.args = {"lock", READER}},
	{"rw-release", .kind = HOOK_FUNCTION, .hook = "up_write", .params = "lock",
		.args = {"lock", WRITER}},
	{"rw-downgrade", .kind = HOOK_FUNCTION, .hook = "downgrade_write", .params = "lock",
		.args = {"lock"}},
	/* what programs use takes spinlocks, and might be in the middle of it */
	{"spin-acquire", .kind = HOOK_NEVER, .hook = SPINLOCKS},
	{"spin-release", .kind = HOOK_NEVER, .hook = SPINLOCKS},
	{"-begin", .inner = true, .kind = HOOK_TRACEPOINT, .hook = "contention_begin",
		.params = "lock flags", .args = {"lock", "flags"}},
	{"-end", .inner = true, .kind = HOOK_TRACEPOINT, .hook = "contention_end", .params = "lock",
		.args = {"lock"}},
	{.kind = HOOK_END},
};

static const struct derived table = {probes, hooks, "contention_begin"};

DERIVED_PROVIDER(lockstat, 3800, 64, CLASS_ISA, &table);
