// SPDX-License-Identifier: Apache-2.0
/* Compiles D text with a made-up provider and without a kernel, for the fuzzers. */
#include "compile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "bpf/code.h"
#include "ir/lower.h"
#include "ir/plan.h"
#include "ir/target.h"
#include "lang/ast.h"
#include "lang/lex.h"
#include "lang/parse.h"
#include "lang/source.h"
#include "probe/registry.h"
#include "prov/prov.h"
#include "sema/sema.h"
#include "types/types.h"

/* ---- probes ---- */

static const char *const names[] = {"entry", "return", "go", "stop"};

static int discover(
	struct provider_env *env, const struct probe_pattern *pat, probe_emit_fn emit, void *arg)
{
	for (unsigned i = 0; i < 4; i++)
		emit(arg, (int)i, "fake", "mod", i < 2 ? "func" : "other", names[i], i);
	return 0;
}

static int describe(struct provider_env *env, const struct probe *probe, struct probe_args *out)
{
	static const enum type_basic types[] = {T_INT, T_STRING, T_ULONG, T_CHAR};

	out->nargs = 4;
	for (unsigned i = 0; i < 4; i++) {
		out->raw[i] = (struct arg_source){WHERE_CTX, 8 * i, NULL, 0};
		out->types[i] = types_basic(env->types, types[i]);
		out->from[i] = (uint8_t)i;
	}
	out->types[2] = types_ptr(env->types, out->types[2]);
	out->has_errno = probe->data == 1;
	out->user_ptrs = probe->data == 0;
	return 0;
}

static int plan(
	struct provider_env *env, const struct probe *probe, unsigned i, struct attach_plan *out)
{
	if (i)
		return -ENOENT;
	out->kind = ATTACH_TP_BTF;
	out->hook = probe->data < 2 ? "fake_func" : "fake_other";
	out->key_source = probe->data < 2 ? KEY_SYSCALL_ENTER : KEY_NONE;
	out->key = (uint32_t)probe->data;
	out->max_key = 7;
	return 0;
}

static const struct provider fake = {
	.name = "fake",
	.first_id = 100,
	.max_slots = 4,
	.attr_prov = {STAB_STABLE, STAB_STABLE, CLASS_COMMON},
	.attr_mod = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
	.attr_func = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
	.attr_name = {STAB_STABLE, STAB_STABLE, CLASS_COMMON},
	.attr_args = {STAB_STABLE, STAB_STABLE, CLASS_COMMON},
	.discover = discover,
	.describe = describe,
	.plan = plan,
};

static const struct provider *const providers[] = {
	&provider_dtrace, &provider_profile, &fake, NULL};

/* ---- the passes, as src/compile has them ---- */

static void on_pragma(void *arg, struct loc loc, const char *text)
{
}

static bool is_type(void *arg, const char *name)
{
	return sema_is_type(arg, name);
}

static void generate(struct arena *a, struct lowered *l, const struct target *target)
{
	struct ir_module *m = &l->module;
	struct bpf_code **codes = arena_new_array(a, struct bpf_code *, m->progs.len + 1);
	struct bpf_code **texts = arena_new_array(a, struct bpf_code *, m->callbacks.len + 2);
	uint32_t ntexts = 0;
	struct buf text = {0}, object = {0};

	if (m->error)
		ir_optimise(a, m->error);
	if (m->error && ir_check(a, m->error))
		abort();
	for (uint32_t i = 0; i < m->callbacks.len; i++) {
		ir_optimise(a, m->callbacks.data[i]);
		if (ir_check(a, m->callbacks.data[i]))
			abort();
	}
	for (uint32_t i = 0; i < m->progs.len; i++) {
		ir_optimise(a, m->progs.data[i].func);
		if (ir_check(a, m->progs.data[i].func))
			abort();
	}
	lower_drop_unused(a, m, target);
	ir_dump(&text, m, a);
	if (m->error)
		texts[ntexts++] = bpf_generate(a, m->error, NULL);
	for (uint32_t i = 0; i < m->callbacks.len; i++)
		texts[ntexts++] = bpf_generate(a, m->callbacks.data[i], NULL);
	for (uint32_t i = 0; i < m->progs.len; i++) {
		codes[i] = bpf_generate(a, m->progs.data[i].func, NULL);
		bpf_disassemble(&text, codes[i], a);
	}
	bpf_object(a, m, codes, (const struct bpf_code *const *)texts, ntexts, &object);
	buf_free(&text);
	buf_free(&object);
}

/* Returns D's source, as a script or as an option gives it. */
static struct source *source_of(struct arena *a, const char *d, const struct fuzz_way *way)
{
	return source_new(a, way->is_file ? "fuzz.d" : d, way->is_file, way->level, d, strlen(d));
}

void fuzz_compile(const uint8_t *text, size_t size, const struct fuzz_way *way)
{
	char *argv[] = {(char *)"12", (char *)"word", (char *)"two words", NULL};
	struct arena *a = arena_new();
	struct diags diags = {.arena = a};
	struct types *types = types_new(a, 256, NULL, NULL);
	struct registry *registry = registry_new(a, types, providers, NULL);
	struct sema *sema = sema_new(a, types, registry);
	struct lex_macros macros = {
		.name0 = "fuzz", .argc = 3, .argv = argv, .defaultargs = true, .pid = 7};
	const char *d = arena_strndup(a, (const char *)text, strnlen((const char *)text, size));
	struct parse_input in = {.arena = a,
		.src = source_of(a, d, way),
		.diags = &diags,
		.macros = &macros,
		/* what cpp gives begins with a # line */
		.hooks = {on_pragma, NULL, is_type, sema, false, *d == '#'}};
	struct sema_config cfg = {.strsize = 256,
		.stackframes = 20,
		.ustackframes = 20,
		.maxframes = 127,
		.maxuframes = 2048,
		.scratchsize = 256,
		.loopbound = 64,
		.zdefs = strstr(d, "zdefs") != NULL,
		.argref = true};
	const bool *all = memset(arena_alloc(a, size + 64), true, size + 64); /* units */
	struct target target = {.types = types,
		.ncpus = 2,
		.page = 4096,
		.strsize = 256,
		.scratchsize = 256,
		.nspec = 2,
		.printsize = 8192,
		.loopbound = 64,
		.maxframes = 127,
		.maxuframes = 2048,
		.bufsize = 4 << 20,
		.aggsize = 4 << 20,
		.dynvarsize = 1 << 20,
		.specsize = 4 << 20};
	const struct lowering_plan plan = {.short_stack = size & 1 ? all : NULL};
	struct sema_program *checked = NULL;
	struct lowered *l;
	struct buf dump = {0};
	struct program *p;

	sema_prepare(sema, &cfg, &diags);
	p = parse_program(&in);

	ast_dump(&dump, p);
	buf_free(&dump);
	if (!diags.list.len)
		checked = sema_check(sema, p, &cfg, &macros, &diags);
	if (checked && way->use)
		way->use(way->arg, checked);
	if (checked && way->through) {
		l = lower_session(&(struct lower_input){.arena = a,
			.sema = sema_session(sema),
			.registry = registry,
			.target = &target,
			.plan = &plan,
			.diags = &diags});
		if (l)
			generate(a, l, &target);
		else if (!diags.list.len)
			abort(); /* refused without a word */
	}
	for (uint32_t i = 0; i < diags.list.len; i++)
		if (diags.list.data[i].loc.src)
			source_line(a, diags.list.data[i].loc.src, diags.list.data[i].loc.line);
	registry_free(registry);
	arena_free(a);
}
