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

bool optimise_module(struct compiling *c, struct ir_module *m)
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

static struct bpf_code *generate(
	struct compiling *c, const struct build *b, const struct ir_func *f)
{
	return bpf_generate(c->arena, f, b->target->long_jumps);
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

void generate_code(struct compiling *c, struct build *b)
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

/* Even an empty frame counts (kernel/bpf/verifier.c). */
static uint32_t frame(const struct bpf_code *code, const struct build *b)
{
	uint32_t to = b->target->frame_round;

	return ((code->stack ? code->stack : 1) + to - 1) & ~(to - 1);
}

static uint32_t chain(const struct bpf_code *code, const struct build *b);

/* Returns the deepest stack of function NAME of the build or the run-time library. */
static uint32_t chain_of(const char *name, const struct build *b)
{
	const struct bpf_code *code = strmap_get(&b->by_name, name);
	const struct rt_function *rt = rt_function(name);

	if (code)
		return chain(code, b);
	if (!rt)
		return 0;
	return rt->stack + (rt->reads & RT_EACH ? chain_of("dt_each", b) : 0);
}

/*
 * Returns the deepest stack of CODE and its callees: dt_error(), inner loops, run-time functions.
 */
static uint32_t chain(const struct bpf_code *code, const struct build *b)
{
	uint32_t below = 0;

	for (uint32_t i = 0; i < code->relocs.len; i++) {
		const struct bpf_reloc *r = &code->relocs.data[i];
		uint32_t need;

		if (r->kind != RELOC_CALL && r->kind != RELOC_FUNC)
			continue;
		need = chain_of(r->sym, b);
		below = need > below ? need : below;
	}
	return frame(code, b) + below;
}

/* True if CODE does not need too much stack; a program with its callees. */
static bool stack_fits(const struct bpf_code *code, const struct build *b, bool program)
{
	if (code->stack > STACK_MOST)
		return false;
	return !program || b->target->private_stacks || chain(code, b) <= STACK_MOST;
}

static bool check_stack(
	struct compiling *c, const struct bpf_code *code, const struct build *b, bool program)
{
	if (stack_fits(code, b, program))
		return true;
	if (code->stack > STACK_MOST)
		diag_add(&c->diags, "D_UNKNOWN", code->func->loc,
			"the clauses of one probe need %u bytes of stack, the kernel allows %d",
			code->stack, STACK_MOST);
	else
		diag_add(&c->diags, "D_UNKNOWN", code->func->loc,
			"the clauses of one probe need %u bytes of stack, kernels before 6.13 "
			"allow %d",
			chain(code, b), STACK_MOST);
	return false;
}

/*
 * A program with tail calls gets no private stacks (bpf_enable_priv_stack() of the verifier), and a
 * function's stack comes on top of its program's.
 */
bool pieces_fit(const struct build *b)
{
	const struct ir_module *m = &b->lowered->module;

	for (uint32_t i = 0; i < m->progs.len && m->has_pieces; i++)
		if ((m->progs.data[i].chain || !b->target->private_stacks) &&
			chain(b->programs[i], b) > STACK_MOST)
			return false;
	return true;
}

bool stacks_fit(const struct build *b)
{
	for (uint32_t i = 0; i < b->nfunctions; i++)
		if (!stack_fits(b->functions[i], b, false))
			return false;
	for (uint32_t i = 0; i < b->lowered->module.progs.len; i++)
		if (!stack_fits(b->programs[i], b, true))
			return false;
	return pieces_fit(b);
}

bool check_stacks(struct compiling *c, const struct build *b)
{
	for (uint32_t i = 0; i < b->nfunctions; i++)
		if (!check_stack(c, b->functions[i], b, false))
			return false;
	for (uint32_t i = 0; i < b->lowered->module.progs.len; i++)
		if (!check_stack(c, b->programs[i], b, true))
			return false;
	return true;
}

/* ---- listings ---- */

void list_stages(struct compiling *c, const struct build *b)
{
	const struct ir_module *m = &b->lowered->module;
	struct arena_held held;
	struct buf out = {0};

	buf_hold(&out, c->arena, &held);
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
	arena_let_go(c->arena, &held);
}
