// SPDX-License-Identifier: Apache-2.0
/*
 * Implements the syscall provider: entry and return of each system call, all from the raw
 * tracepoints sys_enter(struct pt_regs *regs, long id) and sys_exit(struct pt_regs *regs, long
 * ret) (include/trace/events/syscalls.h).
 *
 * A call is named as the kernel names its function (newstat, not stat), and is listed when the
 * running kernel has that function.  nosys is any call whose number is in no row.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "probe/args.h"
#include "probe/attach.h"
#include "probe/glob.h"
#include "probe/provider.h"
#include "probe/provider_env.h"
#include "probe/stability.h"
#include "prov/cdecl.h"
#include "prov/derived.h"
#include "prov/prov.h"
#include "types/types.h"

struct row {
	uint16_t number;
	const char *name;
	const char *params;
};

static const struct row rows[] = {
#define SYSCALL_AS(name, kernel, parameters, ...) {ARCH_NR(name), #kernel, parameters},
#include "abi/syscalls.def"
};

/* The probes of numbers without a row: the row after the last. */
static const struct row nosys = {0, "nosys", ""};

#define NROWS ((int)(sizeof(rows) / sizeof(rows[0])))

/* Larger than any number in the table; room for the calls to come. */
#define MAX_NUMBER 511
#define NOSYS_SLOT ((MAX_NUMBER + 1) * 2)

/*
 * The names of a call's function (SYSCALL_DEFINEx and SYSCALL_DEFINE0 in the kernel's
 * asm/syscall_wrapper.h).  For a call without arguments the first is only an alias
 * of the second, and aliases are not in the kernel's type information.
 */
#define FUNC_PREFIX  ARCH_CALL_PREFIX
#define FUNC0_PREFIX "__do_sys_"
#define FUNC_COMMON  "__" /* the beginning of both */

#define MAX_FUNC 128

static bool is_return(const struct probe *p)
{
	return p->data & 1;
}

static const struct row *row_of(const struct probe *p)
{
	return p->data >> 1 < (uint64_t)NROWS ? &rows[p->data >> 1] : &nosys;
}

/* exit and exit_group do not come back. */
static bool returns(const struct row *row)
{
	return strcmp(row->name, "exit") && strcmp(row->name, "exit_group");
}

/* ---- which calls the kernel has ---- */

/* The rows by name, and which of them exist. */
struct scan {
	const struct row *by_name[NROWS];
	bool exists[NROWS]; /* as rows[] */
};

static int compare_rows(const void *a, const void *b)
{
	const struct row *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

/*
 * Returns the call's name in that of kernel function NAME with prefix KIND, NULL when it has
 * another.
 */
static const char *call_name(const char *name, const char *kind)
{
	size_t len = strlen(kind);

	return strncmp(name, kind, len) ? NULL : name + len;
}

static void on_function(void *arg, const char *function)
{
	const char *call = call_name(function, FUNC_PREFIX);
	const char *call0 = call ? NULL : call_name(function, FUNC0_PREFIX);
	struct row key = {.name = call ? call : call0}, *kp = &key;
	struct scan *s = arg;
	const struct row **at;

	if (!key.name)
		return;
	at = bsearch(&kp, s->by_name, NROWS, sizeof(s->by_name[0]), compare_rows);
	if (at && (call || !*(*at)->params))
		s->exists[*at - rows] = true;
}

/* Mark the rows that exist, at least those that match PATTERN, in one pass over the functions. */
static void scan_functions(struct types *t, struct scan *s, const char *pattern, bool func0)
{
	char prefix[MAX_FUNC] = FUNC_COMMON;

	/* the plain beginning of the pattern narrows it down where there is only one prefix */
	if (!func0)
		snprintf(prefix, sizeof(prefix), FUNC_PREFIX "%.*s", (int)strcspn(pattern, "*?[\\"),
			pattern);
	for (int i = 0; i < NROWS; i++)
		s->by_name[i] = &rows[i];
	qsort(s->by_name, NROWS, sizeof(s->by_name[0]), compare_rows);
	types_each_function(t, prefix, on_function, s);
}

static bool has_function(struct types *t, const char *kind, const char *name)
{
	char function[MAX_FUNC];

	strcpy(function, kind);
	strcat(function, name);
	return types_function(t, function);
}

/* True if ROW alone exists: cheaper than a scan. */
static bool row_exists(struct types *t, const struct row *row)
{
	return has_function(t, FUNC_PREFIX, row->name) ||
		(!*row->params && has_function(t, FUNC0_PREFIX, row->name));
}

/* Sets s->exists for every row that matches PATTERN; false = no row matches it. */
static bool find_calls(struct types *t, struct scan *s, const char *pattern)
{
	bool any = false, any_without_params = false;

	for (int i = 0; i < NROWS; i++) {
		if (!glob_match(pattern, rows[i].name))
			continue;
		any = true;
		any_without_params |= !*rows[i].params;
		if (!glob_is_pattern(pattern)) {
			s->exists[i] = row_exists(t, &rows[i]);
			return true;
		}
	}
	if (any)
		scan_functions(t, s, pattern, any_without_params);
	return any;
}

/* ---- the provider ---- */

static int discover(
	struct provider_env *env, const struct probe_pattern *pat, probe_emit_fn emit, void *arg)
{
	bool entry = glob_match(pat->name, "entry"), ret = glob_match(pat->name, "return");
	struct scan s = {0};

	/* The kernel's types are not looked at for what cannot be a system call. */
	if ((!entry && !ret) || !glob_match(pat->mod, "vmlinux"))
		return 0;
	if (!find_calls(env->types, &s, pat->func) && !glob_match(pat->func, nosys.name))
		return 0;
	/* nothing is listed that cannot fire */
	entry = entry && types_tracepoint(env->types, "sys_enter", NULL);
	ret = ret && types_tracepoint(env->types, "sys_exit", NULL);
	for (int i = 0; i < NROWS; i++) {
		const struct row *row = &rows[i];
		int slot = row->number * 2;

		if (!s.exists[i])
			continue;
		if (entry)
			emit(arg, slot, "syscall", "vmlinux", row->name, "entry", (uint64_t)i * 2);
		if (ret && returns(row))
			emit(arg, slot + 1, "syscall", "vmlinux", row->name, "return",
				(uint64_t)i * 2 + 1);
	}
	if (entry && glob_match(pat->func, nosys.name))
		emit(arg, NOSYS_SLOT, "syscall", "vmlinux", nosys.name, "entry",
			(uint64_t)NROWS * 2);
	if (ret && glob_match(pat->func, nosys.name))
		emit(arg, NOSYS_SLOT + 1, "syscall", "vmlinux", nosys.name, "return",
			(uint64_t)NROWS * 2 + 1);
	return 0;
}

/*
 * True if the programs of the tracepoints would be preempted: the kernel misses the firings of all
 * other threads on that CPU then.  It disables preemption for the trace events
 * raw_syscalls:sys_enter and sys_exit, whose records perf keeps for each CPU
 * (include/trace/perf.h); they cost some 50 ns more.
 */
static bool takes_records(struct provider_env *env)
{
	return env_has(env, FEATURE_SYSCALLS_PREEMPT) && env_has(env, FEATURE_PERF_TP);
}

/* In the records: after the number, which is at 8. */
#define RECORD_VALUES 16

static void describe_row(
	struct provider_env *env, const struct row *row, bool ret, struct probe_args *out)
{
#define IN_REGS(name) {WHERE_REGS, 0, name, 0},
	static const struct arg_source entry[] = {ARCH_CALL_ARGS(IN_REGS)};
#undef IN_REGS
	bool records = takes_records(env);
	struct types *t = env->types;

	if (ret) {
		out->raw[0] = out->raw[1] =
			(struct arg_source){WHERE_CTX, records ? RECORD_VALUES : 8, NULL, 0};
		out->nargs = 1;
		out->types[0] = types_basic(t, T_LONG);
		out->has_errno = true;
		return;
	}
	memcpy(out->raw, entry, sizeof(entry));
	for (uint32_t i = 0; records && i < sizeof(entry) / sizeof(entry[0]); i++)
		out->raw[i] = (struct arg_source){WHERE_CTX, RECORD_VALUES + 8 * i, NULL, 0};
	out->nargs = cdecl_count(row->params);
	cdecl_types(t, row->params, out->types, PROBE_NARGS);
	for (unsigned i = 0; i < out->nargs; i++)
		out->from[i] = (uint8_t)i;
	out->user_ptrs = true;
}

static int describe(struct provider_env *env, const struct probe *probe, struct probe_args *out)
{
	describe_row(env, row_of(probe), is_return(probe), out);
	return 0;
}

/* The call's trace event has its parameters; the kernel may be built without these events. */
static void name_args(struct provider_env *env, const struct probe *probe, struct probe_args *out)
{
	const struct kernel_event event = {
		.group = "syscalls",
		.name = arena_printf(env->arena, "sys_enter_%s", row_of(probe)->name),
	};
	const char *p;

	p = is_return(probe) || !env->event_format ? NULL : env->event_format(env->arg, &event);
	/* "field:int __syscall_nr;" comes before them */
	p = p ? strstr(p, " __syscall_nr;") : NULL;
	for (unsigned i = 0; p && i < out->nargs; i++) {
		const char *end;

		p = strstr(p + 1, "field:");
		end = p ? strchr(p, ';') : NULL;
		p = end;
		while (p && p[-1] != ' ' && p[-1] != '*')
			p--;
		if (p)
			out->names[i] = arena_strndup(env->arena, p, (size_t)(end - p));
	}
}

static void plan_row(
	struct provider_env *env, const struct row *row, bool ret, struct attach_plan *out)
{
	out->kind = ATTACH_TP_BTF;
	out->hook = ret ? "sys_exit" : "sys_enter";
	out->key_source = ret ? KEY_SYSCALL_EXIT : KEY_SYSCALL_ENTER;
	if (takes_records(env)) {
		out->kind = ATTACH_EVENT_RECORD;
		out->module = "raw_syscalls";
		out->key_source = KEY_SYSCALL_RECORD;
	}
	out->key = row->number;
	out->max_key = MAX_NUMBER;
}

/* Sets the keys of nosys in *OUT: all numbers without a row. */
static void plan_unlisted(struct provider_env *env, struct attach_plan *out)
{
	uint16_t *keys = arena_new_array(env->arena, uint16_t, MAX_NUMBER + 1);
	bool listed[MAX_NUMBER + 1] = {false};
	uint32_t n = 0;

	for (int r = 0; r < NROWS; r++)
		listed[rows[r].number] = true;
	for (int k = 0; k <= MAX_NUMBER; k++)
		if (!listed[k])
			keys[n++] = (uint16_t)k;
	out->key = keys[0];
	out->more_keys = keys + 1;
	out->nmore_keys = n - 1;
}

static int plan(
	struct provider_env *env, const struct probe *probe, unsigned i, struct attach_plan *out)
{
	const struct row *row = row_of(probe);

	if (i)
		return -ENOENT;
	plan_row(env, row, is_return(probe), out);
	if (row == &nosys)
		plan_unlisted(env, out);
	return 0;
}

bool syscall_hook(struct provider_env *env, const char *name, bool ret, struct attach_plan *plan,
	struct probe_args *args)
{
	for (int i = 0; i < NROWS; i++) {
		if (strcmp(rows[i].name, name))
			continue;
		if (!row_exists(env->types, &rows[i]) ||
			!types_tracepoint(env->types, ret ? "sys_exit" : "sys_enter", NULL))
			return false;
		plan_row(env, &rows[i], ret, plan);
		describe_row(env, &rows[i], ret, args);
		return true;
	}
	return false;
}

static void doctor(struct provider_env *env, const struct probe_pattern *pat, struct diagnosis *out)
{
	const char *hook;
	int err;

	if (!types_tracepoint(env->types, "sys_enter", NULL))
		hook = "sys_enter";
	else if (!types_tracepoint(env->types, "sys_exit", NULL))
		hook = "sys_exit";
	else
		return;
	err = types_error(env->types);
	if (err)
		out->missing = arena_printf(env->arena,
			"syscall: the kernel's type information, /sys/kernel/btf/vmlinux, cannot be read (%s); run a kernel built with CONFIG_DEBUG_INFO_BTF",
			strerror(-err));
	else
		out->missing = arena_printf(env->arena,
			"syscall: the kernel has no tracepoint %s; run a kernel built with CONFIG_FTRACE and CONFIG_DEBUG_INFO_BTF",
			hook);
}

const struct provider provider_syscall = {
	.name = "syscall",
	.first_id = 1000,
	.max_slots = 2048,
	.attr_prov = {STAB_EVOLVING, STAB_EVOLVING, CLASS_COMMON},
	.attr_mod = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
	.attr_func = {STAB_PRIVATE, STAB_PRIVATE, CLASS_ISA},
	.attr_name = {STAB_EVOLVING, STAB_EVOLVING, CLASS_COMMON},
	.attr_args = {STAB_PRIVATE, STAB_PRIVATE, CLASS_ISA},
	.discover = discover,
	.describe = describe,
	.name_args = name_args,
	.plan = plan,
	.doctor = doctor,
};
