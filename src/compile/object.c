// SPDX-License-Identifier: Apache-2.0
/*
 * Runs the stages between lowered clauses and their object: optimise, generate, check stacks,
 * list.
 */
#include "compile/private.h"

#include <string.h>

#include "abi/runtime.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/report.h"
#include "base/safe.h"
#include "bpf/code.h"
#include "compile/compiling.h"
#include "compile/settings.h"
#include "ir/ir.h"
#include "ir/lower.h"
#include "ir/target.h"

/* ---- optimising ---- */

static bool optimise_function(struct compiling *c, struct ir_func *f)
{
	const char *wrong;

	ir_optimise(c->arena, f);
	wrong = ir_check(c->arena, f);
	if (wrong)
		diag_add(&c->diags, "D_UNKNOWN", f->loc, "internal error: %s", wrong);
	return !wrong;
}

bool object_optimise_module(struct compiling *c, struct ir_module *m)
{
	if (m->error && !optimise_function(c, m->error))
		return false;
	for (uint32_t i = 0; i < m->callbacks.len; i++)
		if (!optimise_function(c, m->callbacks.data[i]))
			return false;
	for (uint32_t i = 0; i < m->progs.len; i++)
		if (!optimise_function(c, m->progs.data[i].func))
			return false;
	return true;
}

/* ---- generating ---- */

static bool has_long_jumps(void *target)
{
	return target_has(target, FEATURE_LONG_JUMPS);
}

static bool has_fetch(void *target)
{
	return target_has(target, FEATURE_ATOMICS);
}

static struct bpf_code *generate(
	struct compiling *c, const struct build *b, const struct ir_func *f)
{
	const struct bpf_kernel kernel = {has_long_jumps, has_fetch, (void *)b->target};

	return bpf_generate(c->arena, f, &kernel);
}

/* Generate the functions that programs call: dt_error(), dt_each() and the bodies of loops. */
static void generate_functions(struct compiling *c, struct build *b)
{
	struct ir_module *m = &b->lowered->module;
	struct bpf_code **out;

	b->nfunctions = 0;
	b->by_name = (struct strmap){0};
	out = b->functions = arena_new_array(c->arena, struct bpf_code *, m->callbacks.len + 1 + 1);
	if (m->error)
		out[b->nfunctions++] = generate(c, b, m->error);
	for (uint32_t i = 0; i < m->callbacks.len; i++)
		out[b->nfunctions++] = generate(c, b, m->callbacks.data[i]);
	for (uint32_t i = 0; i < b->nfunctions; i++)
		strmap_put(c->arena, &b->by_name, out[i]->func->name, out[i]);
}

void object_generate_code(struct compiling *c, struct build *b)
{
	struct ir_module *m = &b->lowered->module;

	generate_functions(c, b);
	b->programs = arena_new_array(c->arena, struct bpf_code *, m->progs.len + 1);
	for (uint32_t i = 0; i < m->progs.len; i++)
		b->programs[i] = generate(c, b, m->progs.data[i].func);
}

/* ---- stacks ---- */

/* MAX_BPF_STACK: bytes of a frame, or of the frames of a program and its callees together. */
#define STACK_MOST 512

/* Even an empty frame counts (kernel/bpf/verifier.c), which is rounded up to a multiple of TO. */
static uint32_t frame(const struct bpf_code *code, uint32_t to)
{
	return ((code->stack ? code->stack : 1) + to - 1) & ~(to - 1);
}

static uint32_t chain(const struct bpf_code *code, const struct build *b, uint32_t to);

/* Returns the deepest stack of function NAME of the build or the run-time library. */
static uint32_t chain_of(const char *name, const struct build *b, uint32_t to)
{
	const struct bpf_code *code = strmap_get(&b->by_name, name);
	const struct rt_function *rt = rt_function(name);

	if (code)
		return chain(code, b, to);
	if (!rt)
		return 0;
	return rt->stack + (rt->reads & RT_EACH ? chain_of("dt_each", b, to) : 0);
}

/*
 * Returns the deepest stack of CODE and its callees: dt_error(), inner loops, run-time functions.
 */
static uint32_t chain(const struct bpf_code *code, const struct build *b, uint32_t to)
{
	uint32_t below = 0;

	for (uint32_t i = 0; i < code->relocs.len; i++) {
		const struct bpf_reloc *r = &code->relocs.data[i];
		uint32_t need;

		if (r->kind != RELOC_CALL && r->kind != RELOC_FUNC)
			continue;
		need = chain_of(r->sym, b, to);
		below = need > below ? need : below;
	}
	return frame(code, to) + below;
}

/*
 * Returns the bytes that program number I takes of one stack.  Kernels since 6.13 give each
 * function its own, but not those of a program with tail calls (bpf_enable_priv_stack() in
 * kernel/bpf/verifier.c); what fits in any kernel needs no question.
 */
static uint32_t stack_of(const struct build *b, uint32_t i)
{
	const struct bpf_code *code = b->programs[i];

	uint32_t most = chain(code, b, 32);

	if (most <= STACK_MOST)
		return most;
	if (!b->lowered->module.progs.data[i].chain &&
		target_has(b->target, FEATURE_PRIVATE_STACKS))
		return code->stack;
	return target_has(b->target, FEATURE_FRAME_16) ? chain(code, b, 16) : most;
}

bool object_pieces_fit(const struct build *b)
{
	for (uint32_t i = 0; i < b->lowered->module.progs.len; i++)
		if (b->lowered->module.has_pieces && stack_of(b, i) > STACK_MOST)
			return false;
	return true;
}

static uint32_t count_units(const struct build *b)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->nfunctions; i++)
		n = b->functions[i]->func->unit >= n ? b->functions[i]->func->unit + 1 : n;
	for (uint32_t i = 0; i < b->lowered->module.progs.len; i++)
		n = b->programs[i]->func->unit >= n ? b->programs[i]->func->unit + 1 : n;
	return n;
}

/* Mark the units of CODE and of all that it calls. */
static void mark_units(const struct bpf_code *code, const struct build *b, bool *units)
{
	units[code->func->unit] = true;
	for (uint32_t i = 0; i < code->relocs.len; i++) {
		const char *sym = code->relocs.data[i].sym;
		const struct rt_function *rt = rt_function(sym);
		const struct bpf_code *callee =
			strmap_get(&b->by_name, rt && rt->reads & RT_EACH ? "dt_each" : sym);

		if (callee)
			mark_units(callee, b, units);
	}
}

const bool *object_long_stacks(struct compiling *c, const struct build *b)
{
	bool *units = arena_new_array(c->arena, bool, count_units(b) + 1), some = false;

	for (uint32_t i = 0; i < b->nfunctions; i++) {
		if (b->functions[i]->stack > STACK_MOST) {
			mark_units(b->functions[i], b, units);
			some = true;
		}
	}
	for (uint32_t i = 0; i < b->lowered->module.progs.len; i++) {
		if (stack_of(b, i) > STACK_MOST) {
			mark_units(b->programs[i], b, units);
			some = true;
		}
	}
	return some ? units : NULL;
}

static bool check_stack(
	struct compiling *c, const struct bpf_code *code, uint32_t need, const char *who)
{
	if (need <= STACK_MOST)
		return true;
	diag_add(&c->diags, "D_UNKNOWN", code->func->loc,
		"the clauses of one probe need %u bytes of stack, %s %d", need, who, STACK_MOST);
	return false;
}

bool object_check_stacks(struct compiling *c, const struct build *b)
{
	for (uint32_t i = 0; i < b->nfunctions; i++)
		if (!check_stack(c, b->functions[i], b->functions[i]->stack, "the kernel allows"))
			return false;
	for (uint32_t i = 0; i < b->lowered->module.progs.len; i++)
		if (!check_stack(c, b->programs[i], b->programs[i]->stack, "the kernel allows") ||
			!check_stack(
				c, b->programs[i], stack_of(b, i), "kernels before 6.13 allow"))
			return false;
	return true;
}

/* ---- listings ---- */

void object_list_stages(struct compiling *c, const struct build *b)
{
	const struct ir_module *m = &b->lowered->module;
	struct buf out = {0};

	buf_own(&out, c->arena);
	if (c->set->dump.ir)
		ir_dump(&out, m, c->arena);
	for (uint32_t i = 0; c->set->dump.functions && i < b->nfunctions; i++)
		bpf_disassemble(&out, b->functions[i], c->arena);
	for (uint32_t i = 0; c->set->dump.programs && i < m->progs.len; i++) {
		buf_printf(&out, "\nDisassembly of %s\n", m->progs.data[i].label);
		bpf_disassemble(&out, b->programs[i], c->arena);
	}
	if (!out.failed && out.data)
		safe_put(c->report->listing, out.data, out.len);
	arena_release(c->arena, &out);
}
