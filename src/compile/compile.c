// SPDX-License-Identifier: Apache-2.0
/* Drives the compiler: runs the stages of its two halves in order. */
#include "compile/private.h"

#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/input.h"
#include "base/report.h"
#include "base/vec.h"
#include "bpf/code.h"
#include "compile/compile.h"
#include "compile/compiling.h"
#include "compile/settings.h"
#include "ir/lower.h"
#include "ir/share.h"
#include "ir/target.h"
#include "lang/source.h"
#include "load/feature.h"
#include "load/load.h"
#include "managed/java_attach.h"
#include "probe/registry.h"
#include "prov/prov.h"
#include "sema/sema.h"
#include "sema/typed.h"
#include "sym/userland.h"
#include "types/types.h"
#include "usdt/notes_cache.h"

/* ---- text to typed clauses ---- */

static struct sema_program *compile_text(struct compiling *c, const struct compile_input *in)
{
	const char *text = in->text;
	size_t len = in->len;
	struct sema_program *program;
	struct source *src;

	src = source_new(c->arena, in->name, in->is_file, in->spec, text, len);
	if (!check_text(c, src)) {
		compile_report(c);
		return NULL;
	}
	if (in->is_file && c->set->cpp.len) {
		if (preprocess(c, &text, &len))
			return NULL;
		src = source_new(c->arena, in->name, true, in->spec, text, len);
	}
	program = check_program(c, src, in->name0, false);
	if (!program || c->diags.list.len) {
		compile_report(c);
		return NULL;
	}
	compile_warn(c);
	vec_for (block, &program->providers)
		vec_push(c->arena, &c->blocks, *block);
	return program;
}

static int out_of_memory(struct compiling *c)
{
	c->diags.list.len = 0;
	return report_no_memory(c->report);
}

struct sema_program *compile_program(struct compiling *c, const struct compile_input *in)
{
	return ARENA_TRY(c->arena, compile_text(c, in), (out_of_memory(c), NULL));
}

void compile_incomplete(struct compiling *c, const struct compile_input *in)
{
	struct source *src =
		source_new(c->arena, in->name, in->is_file, in->spec, in->text, in->len);

	check_incomplete(c, src, in->name0);
}

static int load_libraries(struct compiling *c)
{
	c->library.given = library_load_given(c);
	return c->library.given ? 0 : compile_report(c);
}

int compile_libraries(struct compiling *c)
{
	if (c->library.given || c->set->nolibs)
		return 0;
	return ARENA_TRY(c->arena, load_libraries(c), out_of_memory(c));
}

/* ---- clauses to an object ---- */

/* Make B's programs as its plan says. */
static bool make_programs(struct compiling *c, struct build *b, const struct lower_input *in)
{
	b->lowered = lower_session(in);
	if (!b->lowered || !object_optimise_module(c, &b->lowered->module))
		return false;
	lower_drop_unused(c->arena, &b->lowered->module, b->target);
	object_generate_code(c, b);
	return true;
}

/*
 * Looks at B's programs for what the kernel would refuse.  True: its plan has changed, and they
 * have to be made again.  Each answer is found at most once, those that others depend on first.
 */
static bool revise_plan(struct compiling *c, struct build *b)
{
	struct lowering_plan *plan = &b->plan;

	if (!plan->variable_maps) {
		plan->variable_maps = share_count_variable_maps(c->arena, &b->lowered->module);
		if (plan->variable_maps)
			return true;
	}
	if (!plan->short_stack) {
		plan->short_stack = object_long_stacks(c, b);
		if (plan->short_stack)
			return true;
	}
	if (!plan->whole && !object_pieces_fit(b)) {
		plan->whole = true;
		return true;
	}
	return false;
}

int make_object(struct compiling *c, const struct target *target, const struct lowered *before,
	const struct places *places, const struct image **out)
{
	struct build *b = arena_new_obj(c->arena, struct build);
	const struct lower_input in = {
		.arena = c->arena,
		.sema = sema_session(c->sema),
		.registry = c->registry,
		.target = target,
		.plan = &b->plan,
		.before = before,
		.places = places,
		.diags = &c->diags,
	};

	b->target = target;
	b->plan = (struct lowering_plan){.cut = c->cut, .many = c->many};
	do {
		if (!make_programs(c, b, &in))
			return -EINVAL;
	} while (revise_plan(c, b));
	if (!object_check_stacks(c, b))
		return -EINVAL;
	object_list_stages(c, b);
	c->build = b;
	buf_free(&c->object);
	if (bpf_object(c->arena, &b->lowered->module, b->programs,
		    (const struct bpf_code *const *)b->functions, b->nfunctions, &c->object))
		return report_no_memory(c->report);
	*out = image_of(c, b);
	return 0;
}

int compile_object(struct compiling *c, const struct image **out)
{
	struct target *target = arena_new_obj(c->arena, struct target);
	int err;

	*target = c->set->target;
	if (target->strsize > COMPILE_STRSIZE_MOST)
		return report_error(
			c->report, -E2BIG, "strings and scratch of this size do not fit a map");
	types_set_strsize(c->types, target->strsize);
	target->types = c->types;
	target->has = compiling_has;
	target->arg = c;
	target->code = symbols_kernel_code;
	err = make_object(c, target, NULL, NULL, out);
	if (!err)
		compile_warn(c);
	return err;
}

/* ---- the state ---- */

int compiling_prepare(struct compiling *c)
{
	if (c->sema)
		return 0;
	c->types = types_new(c->arena, c->set->language.strsize, load_kernel_types, &c->btf);
	types_set_module_loader(c->types, load_module_types, c->arena);
	types_set_program_finder(c->types, symbols_target_program, c);
	c->userland = userland_new(c->types);
	c->notes = notes_cache_new(c->arena);
	c->java = java_vms_new();
	c->registry = registry_new(c->arena, c->types, providers_all, providers_later);
	if (c->set->providers)
		registry_allow(c->registry, c->set->providers);
	machine_answer(c, registry_env(c->registry));
	c->sema = sema_new(c->arena, c->types, c->registry);
	return c->types && c->registry && c->userland && c->notes && c->java
		? 0
		: report_no_memory(c->report);
}

void compiling_begin(struct compiling *c)
{
	c->diags.list.len = c->diags.warnings.len = 0;
	c->diags.region = REGION_NONE;
}

void compiling_close(struct compiling *c)
{
	features_free(c->features);
	registry_free(c->registry);
	java_vms_free(c->java);
	userland_free(c->userland);
	load_kernel_types_free(&c->btf);
	buf_free(&c->object);
}

const char *compile_read(struct compiling *c, FILE *in, size_t *len, const char **why)
{
	const char *text = NULL, *refusal = input_refusal(in);
	struct buf b = {0};
	int err = refusal ? 0 : input_read(in, COMPILE_TEXT_MOST, &b);
	size_t mark = b.len ? source_mark(b.data, b.len) : 0;

	buf_own(&b, c->arena);
	if (refusal)
		*why = arena_printf(c->arena, "the file %s", refusal);
	else if (err == -EFBIG)
		*why = arena_printf(
			c->arena, "the file is longer than %d MB", COMPILE_TEXT_MOST >> 20);
	else if (err)
		*why = "Error occurred while reading from input stream";
	else
		text = arena_strndup(c->arena, b.len ? b.data + mark : "", b.len - mark);
	*len = b.len - mark;
	arena_release(c->arena, &b);
	return text;
}
