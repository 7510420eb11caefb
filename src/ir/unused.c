// SPDX-License-Identifier: Apache-2.0
/*
 * Takes maps and data out of a module that no program refers to, and notes which parts of the
 * run-time library it needs: the loader creates nothing else.
 */
#include <string.h>

#include "abi/kernel.h"
#include "abi/runtime.h"
#include "base/vec.h"
#include "ir/ir.h"
#include "ir/lower.h"

static bool refers(const struct ir_func *f, enum ir_operand_kind kind, const char *sym)
{
	if (!f)
		return false;
	for (uint32_t b = 0; b < f->blocks.len; b++) {
		vec_for (in, &f->blocks.data[b]->insns) {
			const struct ir_operand *ops[2 + IR_MAX_ARGS] = {&in->a, &in->b};

			for (uint32_t i = 0; i < IR_MAX_ARGS; i++)
				ops[2 + i] = &in->args[i];
			for (uint32_t i = 0; i < 2 + in->nargs; i++)
				if (ops[i]->kind == kind && !strcmp(ops[i]->sym, sym))
					return true;
		}
	}
	return false;
}

static bool is_used(const struct ir_module *m, enum ir_operand_kind kind, const char *sym)
{
	for (uint32_t i = 0; i < m->progs.len; i++)
		if (refers(m->progs.data[i].func, kind, sym))
			return true;
	for (uint32_t i = 0; i < m->callbacks.len; i++)
		if (refers(m->callbacks.data[i], kind, sym))
			return true;
	return refers(m->error, kind, sym);
}

/* Note the run-time functions that F calls, and what they read. */
static void note_rt(struct ir_module *m, const struct ir_func *f)
{
	const struct rt_function *rt;

	if (!f)
		return;
	for (uint32_t b = 0; b < f->blocks.len; b++) {
		vec_for (in, &f->blocks.data[b]->insns) {
			rt = in->op == IR_RT ? rt_function(in->sym) : NULL;
			if (!rt)
				continue; /* dt_error() is the compiler's own */
			m->needs_rt = true;
			m->rt_reads |= rt->reads;
		}
	}
}

void lower_drop_unused(struct ir_module *m)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->maps.len; i++)
		if (is_used(m, OP_MAP, m->maps.data[i].name))
			m->maps.data[n++] = m->maps.data[i];
	m->maps.len = n;
	n = 0;
	for (uint32_t i = 0; i < m->data.len; i++)
		if (!strcmp(m->data.data[i].section, DT_SEC_STATE) ||
			is_used(m, OP_DATA, m->data.data[i].section))
			m->data.data[n++] = m->data.data[i];
	m->data.len = n;
	note_rt(m, m->error);
	for (uint32_t i = 0; i < m->progs.len; i++)
		note_rt(m, m->progs.data[i].func);
	for (uint32_t i = 0; i < m->callbacks.len; i++)
		note_rt(m, m->callbacks.data[i]);
	for (uint32_t i = 0; i < m->maps.len; i++)
		m->rt_reads |= rt_map_bit(m->maps.data[i].name);
}
