// SPDX-License-Identifier: Apache-2.0
/* Makes the image of an object and of what was lowered to it. */
#include "compile/image.h"

#include "base/arena.h"
#include "bpf/code.h"
#include "compile/compiling.h"
#include "compile/private.h"
#include "ir/ir.h"
#include "ir/lower.h"
#include "ir/target.h"
#include "load/load.h"

static struct load_prog program(const struct ir_prog *p, const struct bpf_code *code)
{
	return (struct load_prog){
		.name = p->func->name,
		.label = p->label,
		.chain = p->chain,
		.piece = p->piece,
		.ninsns = code->insns.len,
		.plan = p->plan,
		.sites = p->sites.data,
		.nsites = p->sites.len,
	};
}

static void add_programs(struct compiling *c, const struct build *b, struct image *out)
{
	const struct ir_module *m = &b->lowered->module;
	struct load_prog *progs = arena_new_array(c->arena, struct load_prog, m->progs.len + 1);
	struct image_clauses *clauses =
		arena_new_array(c->arena, struct image_clauses, m->progs.len + 1);

	for (uint32_t i = 0; i < m->progs.len; i++) {
		const struct ir_prog *p = &m->progs.data[i];

		progs[i] = program(p, b->programs[i]);
		clauses[i] = (struct image_clauses){p->clauses.data, p->clauses.len};
	}
	out->load = (struct load_image){
		.elf = c->object.data,
		.elf_len = c->object.len,
		.needs_rt = m->needs_rt,
		.rt_reads = m->rt_reads,
		.rt_looks = m->rt_looks,
		.progs = progs,
		.nprogs = m->progs.len,
		.strsize = b->target->strsize,
		.scratch_size = m->scratch_size,
		.nplaces = b->lowered->places.most,
		.nspec = b->target->nspec,
		.stack_frames = m->stack_frames,
	};
	out->clauses = clauses;
}

const struct image *image_of(struct compiling *c, const struct build *b)
{
	const struct lowered *l = b->lowered;
	struct image *out = arena_new_obj(c->arena, struct image);

	add_programs(c, b, out);
	out->has_pieces = l->module.has_pieces;
	out->open.data = l->open.data;
	out->open.len = l->open.len;
	out->places = l->places;
	out->fault_places.data = l->fault_places.data;
	out->fault_places.len = l->fault_places.len;
	out->recs = l->recs;
	out->nrecs = l->nrecs;
	out->aggs = l->aggs;
	out->naggs = l->naggs;
	out->over = l->over;
	out->stores_stacks = l->module.stores_stacks;
	out->keeps_user_stacks = l->module.keeps_user_stacks;
	out->probes = c->registry;
	return out;
}
