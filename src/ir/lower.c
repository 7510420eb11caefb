// SPDX-License-Identifier: Apache-2.0
/* Lowers a session: the stages, in order. */
#include "abi/kernel.h"
#include "abi/runtime.h"
#include "base/arena.h"
#include "base/vec.h"
#include "ir/ir.h"
#include "ir/join.h"
#include "ir/layout.h"
#include "ir/lower.h"
#include "ir/lower_buffer.h"
#include "ir/lower_builtin.h"
#include "ir/lower_state.h"
#include "ir/lower_stmt.h"
#include "ir/lower_unit.h"
#include "ir/units.h"
#include "lang/ast.h"
#include "probe/attach.h"
#include "sema/typed.h"

const char *lower_name(const struct lower_session *s, const char *name)
{
	return s->before ? arena_printf(s->arena, "%s_g%u", name, s->out->generation) : name;
}

static void add_maps(struct lower_session *s)
{
	struct ir_module *m = &s->out->module;
	struct ir_data *state = vec_add(s->arena, &m->data);

	state->section = DT_SEC_STATE;
	state->size = sizeof(struct dt_state);
	buffer_maps(s);
	guard_maps(s);
	vec_push(s->arena, &m->maps,
		((struct ir_map){.name = DT_MAP_DROPS,
			.type = IRMAP_PERCPU_ARRAY,
			.key_size = 4,
			.value_size = 8,
			.max_entries = DT_DROP_MAX,
			.kept = s->awaits}));
	vec_push(s->arena, &m->maps,
		((struct ir_map){.name = DT_MAP_EXECS,
			.type = IRMAP_ARRAY,
			.key_size = 4,
			.value_size = sizeof(struct dt_exec),
			.max_entries = DT_EXECS}));
	if (m->scratch_size) /* the loader sets the real size; this is what src/rt declares */
		vec_push(s->arena, &m->maps,
			((struct ir_map){.name = DT_MAP_SCRATCH,
				.type = IRMAP_ARRAY,
				.key_size = 4,
				.value_size = 4096,
				.max_entries = 1}));
}

/* Continues what is counted where BEFORE ended, and takes over what its programs rely on. */
static void continue_from(
	struct lower_session *s, const struct lowered *before, const struct places *places)
{
	struct lowered *out = s->out;

	*out = *before;
	out->module = (struct ir_module){.keeps_user_stacks = before->module.keeps_user_stacks,
		.stores_stacks = before->module.stores_stacks};
	out->places = *places;
	out->generation = before->generation + 1;
	out->first = before->first + before->module.progs.len;
	if (before->module.rt_reads & RT_STACKS)
		out->kept_frames = before->module.stack_frames;
	out->open.data = NULL;
	out->open.len = out->open.cap = 0;
	vec_for (o, &before->open) {
		vec_push(s->arena, &out->open, *o);
		vec_last(&out->open).retired = true;
	}
}

static bool awaits(const struct sema_session *sema)
{
	vec_for (c, &sema->clauses)
		if ((*c)->enabled && (*c)->late && (*c)->unchecked)
			return true;
	return false;
}

static struct lower_session *new_session(const struct lower_input *in)
{
	struct lower_session *s = arena_new_obj(in->arena, struct lower_session);

	s->arena = in->arena;
	s->sema = in->sema;
	s->registry = in->registry;
	s->target = in->target;
	s->plan = in->plan;
	s->diags = in->diags;
	s->out = arena_new_obj(in->arena, struct lowered);
	s->faults.arena = in->arena;
	s->before = in->before;
	if (in->before)
		continue_from(s, in->before, in->places);
	else
		s->awaits = awaits(in->sema);
	return s;
}

#define MORE_PLACES 16384 /* places that may come while tracing */

/* A power of two: places are made to fit tables by their low bits. */
static void size_places(struct lowered *out)
{
	struct places *p = &out->places;

	for (p->most = MORE_PLACES; p->most < p->used + MORE_PLACES;)
		p->most *= 2;
}

/* Finds the facts about other units that decide how each is lowered. */
static void relate_units(struct lower_session *s, const units_vec *units)
{
	for (uint32_t i = 0; i < units->len; i++)
		s->out->guarded |= units->data[i]->plan.inner;
	s->has_error_clauses = units->len && units->data[0]->is_error;
	s->error_exits = s->has_error_clauses && unit_has(units->data[0], lower_find_exit, NULL);
}

static void lower_units(struct lower_session *s, const units_vec *units)
{
	for (uint32_t i = 0; i < units->len; i++) {
		units->data[i]->index = i;
		units->data[i]->short_stack = s->plan->short_stack && s->plan->short_stack[i];
		lower_unit(s, units->data[i]);
		s->out->has_begin |= units->data[i]->plan.kind == ATTACH_BEGIN;
		s->out->has_end |= units->data[i]->plan.kind == ATTACH_END;
	}
}

struct lowered *lower_session(const struct lower_input *in)
{
	struct lower_session *s = new_session(in);
	const units_vec *units;

	mark_contexts(s);
	join_mark(s);
	layout_session(s);
	buffer_layout(s);
	units = session_units(s);
	if (!in->before)
		size_places(s->out);
	relate_units(s, units);
	lower_units(s, units);
	lower_vtime(s);
	lower_follow(s, units);
	add_maps(s);
	return s->failed ? NULL : s->out;
}
