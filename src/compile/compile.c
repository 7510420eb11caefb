// SPDX-License-Identifier: Apache-2.0
/* Drives the compiler: runs the stages of its two halves in order. */
#include "compile/private.h"

#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
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

	if (in->is_file && c->set->cpp.len && preprocess(c, &text, &len))
		return NULL;
	if (memchr(text, '\0', len))
		len = strlen(text);
	src = source_new(c->arena, in->name, in->is_file, in->spec, text, len);
	program = check_program(c, src, in->name0, false);
	if (!program || c->diags.list.len) {
		compile_report(c);
		return NULL;
	}
	vec_for (block, &program->providers)
		vec_push(c->arena, &c->blocks, *block);
	return program;
}

static void out_of_memory(struct compiling *c)
{
	arena_on_oom(c->arena, NULL);
	report_no_memory(c->report);
	c->diags.list.len = 0;
}

struct sema_program *compile_program(struct compiling *c, const struct compile_input *in)
{
	struct sema_program *program;
	jmp_buf oom;

	/* the arena comes back here when memory runs out */
	if (setjmp(oom)) {
		out_of_memory(c);
		return NULL;
	}
	arena_on_oom(c->arena, &oom);
	program = compile_text(c, in);
	arena_on_oom(c->arena, NULL);
	return program;
}

int compile_libraries(struct compiling *c)
{
	jmp_buf oom;

	if (c->library.given || c->set->nolibs)
		return 0;
	if (setjmp(oom)) {
		out_of_memory(c);
		return -ENOMEM;
	}
	arena_on_oom(c->arena, &oom);
	c->library.given = library_load_given(c);
	arena_on_oom(c->arena, NULL);
	return c->library.given ? 0 : compile_report(c);
}

int compile_check_clause(struct compiling *c, const struct sema_clause *clause,
	const struct probe *p, const char **text)
{
	const char *error = c->report->error, *hint = c->report->hint;
	jmp_buf oom;
	bool ok;

	*text = "";
	compiling_begin(c);
	if (setjmp(oom)) {
		arena_on_oom(c->arena, NULL);
		return -ENOMEM;
	}
	arena_on_oom(c->arena, &oom);
	ok = check_again(c, clause, p);
	arena_on_oom(c->arena, NULL);
	if (ok)
		return 0;
	if (c->diags.list.len) {
		compile_report(c);
		*text = c->report->error;
	}
	c->report->error = error;
	c->report->hint = hint;
	return -EINVAL;
}

/* ---- clauses to an object ---- */

static bool lower_programs(struct compiling *c, struct build *b)
{
	b->lowered =
		lower_session(c->arena, sema_session(c->sema), c->registry, b->target, &c->diags);
	return b->lowered && optimise_module(c, &b->lowered->module);
}

static bool make_programs(struct compiling *c, struct build *b, struct target *target)
{
	if (!lower_programs(c, b))
		return false;
	target->variable_maps = count_variable_maps(c->arena, &b->lowered->module);
	if (target->variable_maps && !lower_programs(c, b)) /* again, as some are too many */
		return false;
	lower_drop_unused(c->arena, &b->lowered->module);
	return generate_code(c, b);
}

int compile_object(struct compiling *c)
{
	struct target *target = arena_new_obj(c->arena, struct target);
	struct build *b = arena_new_obj(c->arena, struct build);

	*target = c->set->target;
	b->target = target;
	if (target->strsize > COMPILE_STRSIZE_MOST)
		return report_error(
			c->report, -E2BIG, "strings and scratch of this size do not fit a map");
	types_set_strsize(c->types, target->strsize);
	target->types = c->types;
	target->private_stacks = feature_by_version(FEATURE_PRIVATE_STACKS);
	target->long_jumps = feature_by_version(FEATURE_LONG_JUMPS);
	target->frame_round = feature_by_version(FEATURE_FRAME_16) ? 16 : 32;
	target->symbol = find_kernel_symbol;
	target->cut = c->cut;

	if (!make_programs(c, b, target))
		return -EINVAL;
	target->whole = !pieces_fit(b);
	if (target->whole && !make_programs(c, b, target))
		return -EINVAL;
	if (!check_stacks(c, b))
		return -EINVAL;
	list_stages(c, b);
	c->lowered = b->lowered;
	c->build = b;
	buf_free(&c->object);
	if (bpf_object(c->arena, &b->lowered->module, b->programs,
		    (const struct bpf_code *const *)b->functions, b->nfunctions, &c->object))
		return report_no_memory(c->report);
	return 0;
}

/* ---- the state ---- */

int compiling_prepare(struct compiling *c)
{
	if (c->sema)
		return 0;
	c->types = types_new(c->arena, c->set->language.strsize, load_kernel_types, &c->btf);
	types_set_module_loader(c->types, load_module_types, c->arena);
	types_set_program_finder(c->types, find_target_program, c);
	c->userland = userland_new(c->types);
	c->notes = notes_cache_new();
	c->registry = registry_new(c->arena, c->types, providers_all, providers_later);
	machine_answer(c, registry_env(c->registry));
	c->sema = sema_new(c->arena, c->types, c->registry);
	return c->types && c->registry && c->userland && c->notes ? 0 : report_no_memory(c->report);
}

void compiling_begin(struct compiling *c)
{
	c->diags.list.len = 0;
	c->diags.region = REGION_NONE;
}

void compiling_close(struct compiling *c)
{
	features_free(c->features);
	registry_free(c->registry);
	notes_cache_free(c->notes);
	userland_free(c->userland);
	load_kernel_types_free(&c->btf);
	buf_free(&c->object);
}

const char *compile_read(struct compiling *c, FILE *in, size_t *len)
{
	struct buf b = {0};
	char chunk[4096];
	size_t n;
	char *text = NULL;

	while ((n = fread(chunk, 1, sizeof(chunk), in)) > 0)
		buf_put(&b, chunk, n);
	if (!ferror(in) && !b.failed) {
		text = arena_strndup(c->arena, b.data ? b.data : "", b.len);
		*len = b.len;
	}
	buf_free(&b);
	return text;
}
