// SPDX-License-Identifier: Apache-2.0
/* Takes maps and data out of a module that no program refers to: they are not created. */
#include <string.h>

#include "ir/lower_state.h"

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

static bool calls_rt(const struct ir_func *f)
{
	if (!f)
		return false;
	for (uint32_t b = 0; b < f->blocks.len; b++)
		vec_for (in, &f->blocks.data[b]->insns)
			if (in->op == IR_RT && strcmp(in->sym, "dt_error"))
				return true;
	return false;
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
	m->needs_rt = calls_rt(m->error);
	for (uint32_t i = 0; i < m->progs.len; i++)
		m->needs_rt |= calls_rt(m->progs.data[i].func);
	for (uint32_t i = 0; i < m->callbacks.len; i++)
		m->needs_rt |= calls_rt(m->callbacks.data[i]);
}
