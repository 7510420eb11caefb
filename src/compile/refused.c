// SPDX-License-Identifier: Apache-2.0
/* Words the refusal of a program that is too long for the kernel, with its place in the source. */
#include <string.h>

#include "base/diag.h"
#include "base/vec.h"
#include "bpf/code.h"
#include "compile/compile.h"
#include "compile/compiling.h"
#include "compile/private.h"
#include "ir/ir.h"
#include "ir/lower.h"
#include "lang/source.h"
#include "load/load.h"

static const struct bpf_code *code_of(const struct build *b, const struct load_refusal *why)
{
	for (uint32_t i = 0; i < b->nfunctions; i++)
		if (!strcmp(b->functions[i]->func->name, why->function))
			return b->functions[i];
	return b->programs[why->prog];
}

/* Finds line WHY->line in CODE. */
static bool find_line(const struct bpf_code *code, const struct load_refusal *why, struct loc *loc)
{
	vec_for (l, &code->lines) {
		const char *file = l->loc.src->is_file ? l->loc.src->name : "-n";

		if (l->loc.line == why->line && !strcmp(file, why->file)) {
			*loc = l->loc;
			return true;
		}
	}
	return false;
}

/* The loop, of those of a program, that is one too many. */
static struct loc loop_too_many(const struct build *b, const struct load_refusal *why)
{
	struct loc loc = b->programs[why->prog]->func->loc;
	const char *unit = b->lowered->module.progs.data[why->prog].func->name;
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->nfunctions && n < 256; i++) {
		const struct ir_func *f = b->functions[i]->func;

		if (f->is_callback && !strncmp(f->name, unit, strlen(unit))) {
			loc = f->loc;
			n++;
		}
	}
	return loc;
}

static struct loc refused_at(const struct build *b, const struct load_refusal *why)
{
	const struct bpf_code *code = code_of(b, why);
	struct loc loc = code->func->loc;
	bool found = find_line(b->programs[why->prog], why, &loc);

	if (why->limit == LIMIT_FUNCTIONS)
		return loop_too_many(b, why);
	for (uint32_t i = 0; !found && i < b->nfunctions; i++)
		found = find_line(b->functions[i], why, &loc);
	vec_for (l, &code->lines)
		if (!found && why->insn != LOAD_NOWHERE && l->insn <= why->insn)
			loc = l->loc;
	return loc;
}

int compile_refused(struct compiling *c, const struct load_refusal *why, const char *text)
{
	diag_add(&c->diags, "D_UNKNOWN", refused_at(c->build, why),
		"clause is too long for the kernel: %s (program for %s)", text,
		c->build->lowered->module.progs.data[why->prog].label);
	return compile_report(c);
}
