// SPDX-License-Identifier: Apache-2.0
/*
 * Takes maps and data out of a module that no program refers to, and notes which parts of the
 * run-time library it needs: the loader creates nothing else.
 */
#include <string.h>

#include "abi/kernel.h"
#include "abi/runtime.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "ir/ir.h"
#include "ir/lower.h"
#include "ir/target.h"

/* The names that instructions refer to. */
struct references {
	struct arena *arena;
	struct ir_module *m;
	struct strmap maps, data;
	const struct target *target;
};

static void note_operand(struct references *r, const struct ir_operand *o)
{
	struct strmap *in = o->kind == OP_MAP ? &r->maps : o->kind == OP_DATA ? &r->data : NULL;

	if (in && !strmap_get(in, o->sym))
		strmap_put(r->arena, in, o->sym, r);
}

/*
 * A scratch slot is claimed by plain instructions where BPF has no others.  The kernel is asked
 * here, since most programs keep nothing in a slot.
 */
static void suit_kernel(struct references *r, struct ir_insn *in)
{
	bool claims = in->op == IR_RT && !strcmp(in->sym, "dt_scratch_claim");
	bool releases = in->op == IR_RT && !strcmp(in->sym, "dt_scratch_release");

	if ((claims || releases) && !target_has(r->target, FEATURE_ATOMICS))
		in->sym = claims ? "dt_scratch_claim_plain" : "dt_scratch_release_plain";
}

/* Notes the run-time functions that F calls as well, and what they read. */
static void note_function(struct references *r, const struct ir_func *f)
{
	const struct rt_function *rt;

	for (uint32_t b = 0; f && b < f->blocks.len; b++) {
		vec_for (in, &f->blocks.data[b]->insns) {
			note_operand(r, &in->a);
			note_operand(r, &in->b);
			for (uint32_t i = 0; i < in->nargs; i++)
				note_operand(r, &in->args[i]);
			suit_kernel(r, in);
			rt = in->op == IR_RT ? rt_function(in->sym) : NULL;
			if (!rt)
				continue; /* dt_error() is the compiler's own */
			if (r->m->needs_rt < rt_function_needs(rt))
				r->m->needs_rt = rt_function_needs(rt);
			r->m->rt_reads |= rt->reads;
			r->m->rt_looks |= rt_function_looks(rt);
		}
	}
}

void lower_drop_unused(struct arena *a, struct ir_module *m, const struct target *target)
{
	struct references r = {.arena = a, .m = m, .target = target};
	uint32_t n = 0;

	note_function(&r, m->error);
	for (uint32_t i = 0; i < m->progs.len; i++)
		note_function(&r, m->progs.data[i].func);
	for (uint32_t i = 0; i < m->callbacks.len; i++)
		note_function(&r, m->callbacks.data[i]);
	for (uint32_t i = 0; i < m->maps.len; i++)
		if (m->maps.data[i].kept || strmap_get(&r.maps, m->maps.data[i].name))
			m->maps.data[n++] = m->maps.data[i];
	m->maps.len = n;
	n = 0;
	for (uint32_t i = 0; i < m->data.len; i++)
		if (!strcmp(m->data.data[i].section, DT_SEC_STATE) ||
			strmap_get(&r.data, m->data.data[i].section))
			m->data.data[n++] = m->data.data[i];
	m->data.len = n;
	for (uint32_t i = 0; i < m->maps.len; i++)
		m->rt_reads |= rt_map_bit(m->maps.data[i].name);
}
