// SPDX-License-Identifier: Apache-2.0
/*
 * Implements the sdt and rawtp providers: the kernel's tracepoints, sdt:GROUP::EVENT.
 *
 * Arguments of sdt are the fields of the event's record, as its file "format" in tracefs describes
 * them (Documentation/trace/events.rst); a program that wants them is attached to the event.
 * Arguments of rawtp are those that the kernel calls the tracepoint with, typed by BTF.  Where no
 * argument is wanted, both attach to the bare tracepoint, one program to many of them: taking an
 * event's program off costs the kernel some 70 ms.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/strmap.h"
#include "probe/args.h"
#include "probe/attach.h"
#include "probe/glob.h"
#include "probe/provider.h"
#include "probe/provider_env.h"
#include "probe/stability.h"
#include "prov/cdecl.h"
#include "prov/prov.h"
#include "types/type.h"
#include "types/types.h"

/* ---- which there are ---- */

/*
 * True if PAT says something that no tracepoint is called: the probes of all other providers,
 * which must not cost a look at the kernel's lists.
 */
static bool is_other(const struct probe_pattern *pat)
{
	if (!glob_match(pat->func, ""))
		return true;
	return strchr(pat->name, '-') || isupper((unsigned char)pat->name[0]) ||
		!strcmp(pat->name, "entry") || !strcmp(pat->name, "return");
}

struct bare {
	struct provider_env *env;
	const struct probe_pattern *pat;
	struct strmap listed; /* by name */
	probe_emit_fn emit;
	void *arg;
};

/* Returns the part before the first "_": the group where tracefs does not tell. */
static const char *prefix(struct arena *a, const char *name)
{
	return arena_strndup(a, name, strcspn(name, "_"));
}

/* Emits a tracepoint that has no event: its group is the part of the name before the first "_". */
static void on_tracepoint(void *arg, const char *name)
{
	struct bare *b = arg;
	const char *group;

	if (strmap_get(&b->listed, name) || !glob_match(b->pat->name, name))
		return;
	group = prefix(b->env->arena, name);
	/* those of system calls are the syscall provider's */
	if (glob_match(b->pat->mod, group))
		b->emit(b->arg, -1, "rawtp", group, "", name, 0);
}

static void discover_bare(struct provider_env *env, const struct probe_pattern *pat,
	const struct kernel_event *events, uint32_t n, probe_emit_fn emit, void *arg)
{
	struct bare b = {.env = env, .pat = pat, .emit = emit, .arg = arg};

	for (uint32_t i = 0; i < n; i++)
		strmap_put(env->arena, &b.listed, events[i].name, (void *)&events[i]);
	types_each_tracepoint(env->types, on_tracepoint, &b);
}

static const struct kernel_event *all_events(struct provider_env *env, uint32_t *n)
{
	*n = 0;
	return env->events ? env->events(env->arg, n) : NULL;
}

/* A probe's data: the place of its event, and one; 0 = it has none. */
static void discover_events(struct provider_env *env, const struct probe_pattern *pat,
	const char *prov, probe_emit_fn emit, void *arg)
{
	uint32_t n;
	const struct kernel_event *e = all_events(env, &n);

	for (uint32_t i = 0; i < n; i++)
		if (glob_match(pat->name, e[i].name) && glob_match(pat->mod, e[i].group))
			emit(arg, (int)i, prov, e[i].group, "", e[i].name, i + 1);
	if (!strcmp(prov, "rawtp"))
		discover_bare(env, pat, e, n, emit, arg);
}

static int discover_sdt(
	struct provider_env *env, const struct probe_pattern *pat, probe_emit_fn emit, void *arg)
{
	if (!is_other(pat) && env_has(env, FEATURE_PERF_TP))
		discover_events(env, pat, "sdt", emit, arg);
	return 0;
}

static int discover_rawtp(
	struct provider_env *env, const struct probe_pattern *pat, probe_emit_fn emit, void *arg)
{
	if (!is_other(pat))
		discover_events(env, pat, "rawtp", emit, arg);
	return 0;
}

/* ---- the fields of a record ---- */

struct field {
	char type[128], name[64];
	unsigned offset, size;
	int is_signed;
	bool is_array, is_loc;
};

/* "\tfield:TYPE NAME[N];\toffset:O;\tsize:S;\tsigned:B;" */
static bool read_field(const char *line, struct field *f)
{
	char decl[192];
	char *name;

	if (sscanf(line, " field:%191[^;]; offset:%u; size:%u; signed:%d;", decl, &f->offset,
		    &f->size, &f->is_signed) != 4)
		return false;
	f->is_loc = !strncmp(decl, "__data_loc ", 11);
	f->is_array = strchr(decl, '[') != NULL;
	name = strrchr(decl, ' ');
	if (!name)
		return false;
	*name++ = '\0';
	name[strcspn(name, "[")] = '\0';
	snprintf(f->name, sizeof(f->name), "%.63s", name);
	snprintf(f->type, sizeof(f->type), "%.127s", f->is_loc ? decl + 11 : decl);
	f->type[strcspn(f->type, "[")] = '\0';
	return true;
}

static const struct type *field_type(struct types *t, const struct field *f)
{
	const char *text = f->type;
	const struct type *type = cdecl_param(t, &text);

	if (!f->is_array)
		return type ? type : types_int(t, f->size, f->is_signed);
	if (!type)
		type = types_basic(t, T_UINT8);
	/* an array of known length is one; of what else there is, where it begins is known */
	return types_ptr(t, type);
}

static struct arg_source field_source(const struct field *f)
{
	int8_t size = (int8_t)(f->is_signed ? -(int)f->size : (int)f->size);

	if (f->is_loc)
		return (struct arg_source){.where = WHERE_RECORD_LOC, .offset = f->offset};
	if (f->is_array || f->size > 8 || f->size & (f->size - 1))
		return (struct arg_source){.where = WHERE_RECORD_ADDR, .offset = f->offset};
	return (struct arg_source){.where = WHERE_RECORD, .offset = f->offset, .size = size};
}

static int describe_sdt(struct provider_env *env, const struct probe *probe, struct probe_args *out)
{
	uint32_t n, i = 0;
	const struct kernel_event *e = all_events(env, &n);
	const char *p = env->event_format(env->arg, &e[probe->data - 1]);
	struct field f;

	/* the fields that all events have come first, before an empty line */
	p = p ? strstr(p, "\n\n") : NULL;
	p += p != NULL;
	for (; p && *p && i < PROBE_NARGS; p = strchr(p + 1, '\n')) {
		if (!read_field(p, &f))
			continue;
		out->raw[i] = field_source(&f);
		out->types[i] = field_type(env->types, &f);
		out->names[i] = arena_strdup(env->arena, f.name);
		out->from[i] = (uint8_t)i;
		i++;
	}
	out->nargs = i;
	return 0;
}

static int describe_rawtp(
	struct provider_env *env, const struct probe *probe, struct probe_args *out)
{
	const struct type *proto = NULL;
	uint32_t n;

	types_tracepoint(env->types, probe->name, &proto);
	n = proto ? type_params(proto, out->types, out->names, PROBE_NARGS) : 0;
	out->nargs = n < PROBE_NARGS ? n : PROBE_NARGS;
	for (uint32_t i = 0; i < out->nargs; i++) {
		out->raw[i] = (struct arg_source){.where = WHERE_CTX, .offset = 8 * i};
		out->from[i] = (uint8_t)i;
	}
	return 0;
}

/* The prototype has no names; the function that calls the tracepoint's probes has them. */
static void name_rawtp_args(
	struct provider_env *env, const struct probe *probe, struct probe_args *out)
{
	const char *names[PROBE_NARGS + 1] = {NULL}; /* void *__data comes first */
	const struct type *types[PROBE_NARGS + 1];
	const struct type *iterator =
		types_function(env->types, arena_printf(env->arena, "__traceiter_%s", probe->name));

	if (!iterator || type_params(iterator, types, names, PROBE_NARGS + 1) != out->nargs + 1)
		return;
	for (uint32_t i = 0; i < out->nargs; i++)
		out->names[i] = names[i + 1];
}

/* ---- attaching ---- */

/* The bare tracepoint, whose arguments nobody looks at. */
static void plan_bare(struct provider_env *env, const struct probe *probe, struct attach_plan *out)
{
	out->kind = ATTACH_RAW_TP;
	out->hook = probe->name;
	out->key_source = env_has(env, FEATURE_RAW_TP_COOKIE) ? KEY_COOKIE : KEY_NONE;
}

static int plan_sdt(
	struct provider_env *env, const struct probe *probe, unsigned i, struct attach_plan *out)
{
	if (i)
		return -ENOENT;
	if (!out->args_used) {
		plan_bare(env, probe, out);
		return 0;
	}
	out->kind = ATTACH_EVENT_RECORD;
	out->hook = probe->name;
	out->module = probe->mod;
	out->key_source = KEY_NONE;
	return 0;
}

static int plan_rawtp(
	struct provider_env *env, const struct probe *probe, unsigned i, struct attach_plan *out)
{
	if (i)
		return -ENOENT;
	if (!out->args_used && !out->few) {
		plan_bare(env, probe, out);
		return 0;
	}
	/* a module's has no type that the kernel would go by */
	out->kind = types_tracepoint(env->types, probe->name, NULL) ? ATTACH_TP_BTF : ATTACH_RAW_TP;
	out->hook = probe->name;
	out->key_source = KEY_NONE;
	return 0;
}

static void doctor_sdt(
	struct provider_env *env, const struct probe_pattern *pat, struct diagnosis *out)
{
	const char *lacks;
	uint32_t n;

	if (env_has(env, FEATURE_PERF_TP) && all_events(env, &n))
		return;
	lacks = env_lacks(env, FEATURE_PERF_TP);
	if (lacks)
		out->missing = arena_printf(env->arena,
			"trace events are read from tracefs, which takes %s; rawtp has most of them",
			lacks);
	else
		out->missing =
			"the kernel's trace events are not to be had: it needs tracefs (CONFIG_EVENT_TRACING)";
}

static void doctor_rawtp(
	struct provider_env *env, const struct probe_pattern *pat, struct diagnosis *out)
{
	if (!types_tracepoint(env->types, "sched_switch", NULL))
		out->missing =
			"the kernel has no tracepoints that BPF programs can use: it needs CONFIG_BPF_EVENTS and CONFIG_DEBUG_INFO_BTF";
}

#define ATTRIBUTES                                                \
	.attr_prov = {STAB_EVOLVING, STAB_EVOLVING, CLASS_ISA},   \
	.attr_mod = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},  \
	.attr_func = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN}, \
	.attr_name = {STAB_PRIVATE, STAB_PRIVATE, CLASS_ISA},     \
	.attr_args = {STAB_PRIVATE, STAB_PRIVATE, CLASS_ISA}

const struct provider provider_sdt = {
	.name = "sdt",
	.first_id = 5000,
	.max_slots = 8000,
	ATTRIBUTES,
	.discover = discover_sdt,
	.describe = describe_sdt,
	.plan = plan_sdt,
	.doctor = doctor_sdt,
};

const struct provider provider_rawtp = {
	.name = "rawtp",
	.first_id = 13000,
	.max_slots = 7000,
	ATTRIBUTES,
	.discover = discover_rawtp,
	.describe = describe_rawtp,
	.name_args = name_rawtp_args,
	.plan = plan_rawtp,
	.doctor = doctor_rawtp,
};
