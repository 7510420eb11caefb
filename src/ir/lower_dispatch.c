// SPDX-License-Identifier: Apache-2.0
/*
 * Lowers the dispatch: a program that serves many probes finds by the firing's key which of them
 * fired, and which of its clauses are enabled on that one.
 */
#include "abi/kernel.h"
#include "abi/returns.h"
#include "arch/arch.h"
#include "base/arena.h"
#include "base/vec.h"
#include "ir/ir.h"
#include "ir/join.h"
#include "ir/lower_build.h"
#include "ir/lower_builtin.h"
#include "ir/lower_state.h"
#include "ir/lower_unit.h"
#include "ir/places.h"
#include "ir/units.h"
#include "probe/attach.h"
#include "types/type.h"
#include "types/types.h"

/* True if C is enabled on P. */
static bool enabled_on(const struct sema_clause *c, const struct probe *p)
{
	for (uint32_t i = 0; i < c->probes.len; i++)
		if (c->probes.data[i] == p)
			return true;
	return false;
}

/* ---- the table ---- */

static uint32_t mask_words(const struct unit *u)
{
	return (u->clauses.len + 63) / 64;
}

static uint32_t entry_size(const struct unit *u)
{
	return sizeof(struct dt_dispatch) + 8 * mask_words(u);
}

static const char *dispatch_table(struct lower *l)
{
	struct unit *u = l->unit;
	struct ir_data *d = vec_add(l->arena, &l->s->out->module.data);
	uint32_t each = entry_size(u);
	char *bytes;

	d->size = (units_key_mask(u) + 1) * each;
	bytes = arena_alloc(l->arena, d->size);
	for (uint32_t i = 0; i < u->probes.len; i++) {
		struct dt_dispatch *e = (void *)(bytes + (size_t)u->keys.data[i] * each);

		e->probe = u->probes.data[i]->id;
		for (uint32_t c = 0; c < u->clauses.len; c++)
			if (enabled_on(u->clauses.data[c], u->probes.data[i]))
				e->clauses[c / 64] |= 1ULL << (c % 64);
	}
	d->section = arena_printf(l->arena, ".rodata.%s", l->build.f->name);
	d->bytes = bytes;
	d->readonly = true;
	return d->section;
}

/* Finds the table's entry for the key. */
static void find_entry(struct lower *l)
{
	uint32_t off =
		ir_emit_op(l, IR_MUL, ir_op_temp(l->firing.key), ir_op_imm(entry_size(l->unit)));

	l->firing.masks = ir_emit_op(l, IR_ADD,
		ir_op_temp(ir_emit_mov(l, ir_op_data(l->firing.table, 0))), ir_op_temp(off));
}

/* ---- system calls ---- */

static int32_t regs_member(struct lower *l, const char *name)
{
	const struct type *t = types_lookup(l->s->target->types, SPACE_STRUCT, "pt_regs");
	struct member_path p;

	if (!t || !type_find_member(t, name, &p)) {
		lower_error(l, "D_UNKNOWN", "struct pt_regs of this kernel is not known");
		return 0;
	}
	return (int32_t)(p.bit_offset / 8);
}

/* 32-bit system calls have other numbers: they are not reported, as the kernel's own events do. */
static void skip_compat(struct lower *l, struct ir_block *out)
{
	const struct type *t = types_lookup(l->s->target->types, SPACE_STRUCT, "task_struct");
	struct member_path ti, status;
	struct ir_block *native;
	uint32_t v;

	if (!t || !type_find_member(t, "thread_info", &ti) ||
		!type_find_member(type_resolve(ti.type), ARCH_COMPAT, &status)) {
		lower_error(l, "D_UNKNOWN", "struct thread_info of this kernel has no member %s",
			ARCH_COMPAT);
		return;
	}
	native = ir_new_block(l, "native");
	v = ir_emit_load(l, ir_op_temp(lower_current_task(l)),
		(int32_t)((ti.bit_offset + status.bit_offset) / 8), 4);
	ir_emit_br(l, COND_SET, ir_op_temp(v), ir_op_imm(ARCH_COMPAT_BIT), out, native);
	ir_place(l, native);
}

/* ---- cookies ---- */

/* True if clause I of a unit with cookies is enabled on all of its probes, also later ones. */
static bool on_all_sites(const struct unit *u, uint32_t i)
{
	if (u->is_open)
		return false;
	for (uint32_t k = 0; k < u->sites.len; k++)
		if (!(u->sites.data[k].cookie >> (COOKIE_MASK + i) & 1))
			return false;
	return true;
}

/*
 * Kernels without uprobe.multi let the program of a return probe run in whatever process returns
 * from the function, if only some process is traced there (uretprobe_perf_func() of
 * kernel/trace/trace_uprobe.c asks no filter): go to OUT unless the place is in this one.
 */
static void check_process(struct lower *l, struct ir_block *out)
{
	struct ir_block *known = ir_new_block(l, "process"), *mine = ir_new_block(l, "own");
	struct cached before = l->seen;
	struct unit *u = l->unit;
	struct ir_data *d;
	uint32_t *pids, at, v;

	if (u->plan.kind != ATTACH_URETPROBES || u->plan.multi)
		return;
	d = vec_add(l->arena, &l->s->out->module.data);
	d->section = u->pids = arena_printf(l->arena, ".data.%s_pids", l->unit_name);
	d->size = (units_key_mask(u) + 1) * sizeof(*pids);
	pids = arena_alloc(l->arena, d->size);
	for (uint32_t i = 0; i < u->sites.len; i++)
		pids[u->keys.data[i]] = (uint32_t)u->sites.data[i].pid;
	d->bytes = (char *)pids;
	at = ir_emit_op(l, IR_MUL, ir_op_temp(l->firing.key), ir_op_imm(sizeof(*pids)));
	at = ir_emit_op(
		l, IR_ADD, ir_op_temp(ir_emit_mov(l, ir_op_data(u->pids, 0))), ir_op_temp(at));
	v = ir_emit_load(l, ir_op_temp(at), 0, sizeof(*pids));
	ir_emit_br(l, COND_EQ, ir_op_temp(v), ir_op_imm(0), mine, known);
	ir_place(l, known);
	ir_emit_br(l, COND_EQ, ir_op_temp(v), ir_op_temp(lower_current_process(l)), mine, out);
	l->seen = before; /* the other way has not read it */
	ir_place(l, mine);
}

/* Go to OUT unless the process is followed. */
static void check_followed(struct lower *l, struct ir_block *out, struct ir_block *mine)
{
	uint32_t v = ir_emit_rt(l, "dt_followed", 0);

	ir_emit_br(l, COND_EQ, ir_op_temp(v), ir_op_imm(0), out, mine);
}

/* Go to MINE in a process that a clause of one process is about, which none of a family need be. */
static void admit_processes(struct lower *l, struct ir_block *mine)
{
	const struct unit *u = l->unit;

	for (uint32_t i = 0; i < u->clauses.len; i++) {
		pid_t pid = u->clauses.data[i]->process;
		bool known = u->clauses.data[i]->scope != IN_PROCESS;

		for (uint32_t k = 0; k < i && !known; k++)
			known = u->clauses.data[k]->scope == IN_PROCESS &&
				u->clauses.data[k]->process == pid;
		if (!known) {
			struct ir_block *other = ir_new_block(l, "other");

			ir_emit_br(l, COND_EQ, ir_op_temp(lower_current_process(l)), ir_op_imm(pid),
				mine, other);
			ir_place(l, other);
		}
	}
}

/* Attached in all processes: go to OUT in ours, and in those that no clause is about. */
static void check_scope(struct lower *l, struct ir_block *out)
{
	struct ir_block *mine = ir_new_block(l, "counted");

	if (l->unit->plan.scope == IN_PROCESS)
		return;
	if (l->unit->plan.scope == IN_ALL) {
		ir_emit_br(l, COND_EQ, ir_op_temp(lower_current_process(l)),
			ir_op_imm(l->s->target->self), out, mine);
	} else {
		admit_processes(l, mine);
		check_followed(l, out, mine);
	}
	ir_place(l, mine);
}

/* The program is about more processes than clause C is: go to OUT in the others. */
static void check_clause_scope(struct lower *l, const struct sema_clause *c, struct ir_block *out)
{
	const struct attach_plan *plan = &l->unit->plan;
	bool family = plan->scope == IN_FAMILY && unit_joined(l->unit);
	struct ir_block *mine;

	if (!attach_is_user(plan->kind) || (c->scope == plan->scope && !family))
		return;
	mine = ir_new_block(l, "own");
	if (c->scope == IN_FAMILY)
		check_followed(l, out, mine);
	else
		ir_emit_br(l, COND_EQ, ir_op_temp(lower_current_process(l)), ir_op_imm(c->process),
			mine, out);
	ir_place(l, mine);
}

/* All functions of a process go through the place: go to OUT unless this one has a probe. */
static uint32_t function_cookie(struct lower *l, uint32_t at, struct ir_block *out)
{
	struct ir_block *known = ir_new_block(l, "function");
	uint32_t cookie = ir_emit_rt(
		l, "dt_function", 2, ir_op_temp(lower_current_process(l)), ir_op_temp(at));

	ir_emit_br(l, COND_EQ, ir_op_temp(cookie), ir_op_imm(0), out, known);
	ir_place(l, known);
	return cookie;
}

/* Go to OUT unless the instruction that was hit leaves its function. */
static void check_leaves(struct lower *l, struct ir_block *out)
{
	struct ir_block *leaves = ir_new_block(l, "leaves");
	uint32_t how;

	if (!l->unit->plan.leaves)
		return;
	how = ir_emit_rt(l, "dt_leaves", 1, ir_op_temp(l->firing.key));
	ir_emit_br(l, COND_EQ, ir_op_temp(how), ir_op_imm(DT_STAYS), out, leaves);
	ir_place(l, leaves);
}

static void dispatch_cookie(struct lower *l, struct ir_block *out)
{
	uint32_t cookie;

	check_scope(l, out);
	if (l->unit->probes.len == 1 && !l->unit->is_open && !l->unit->plan.entries &&
		!l->unit->plan.leaves)
		return;
	cookie = ir_emit_call(l, BPF_FUNC_get_attach_cookie, 1, ir_op_ctx(l));
	if (l->unit->plan.entries)
		l->firing.entry = ir_emit_op(l, IR_AND, ir_op_temp(cookie),
			ir_op_temp(ir_emit_mov(l, ir_op_imm((int64_t)ATTACH_ENTRY))));
	if (l->unit->probes.len == 1 && !l->unit->is_open)
		return;
	if (l->unit->plan.by_function)
		cookie = function_cookie(l, cookie, out);
	l->firing.probe_id = ir_emit_op(l, IR_AND, ir_op_temp(cookie), ir_op_imm(COOKIE_ID));
	l->unit->plan.max_key =
		(l->unit->is_open ? l->s->out->places.most : l->unit->probes.len) - 1;
	l->firing.key = ir_emit_op(l, IR_SHR, ir_op_temp(cookie), ir_op_imm(COOKIE_PLACE));
	l->firing.key = ir_emit_op(
		l, IR_AND, ir_op_temp(l->firing.key), ir_op_imm(units_key_mask(l->unit)));
	check_process(l, out);
	check_leaves(l, out);
	for (uint32_t i = 0; i < l->unit->clauses.len && !l->firing.masks; i++)
		if (!on_all_sites(l->unit, i))
			l->firing.masks =
				ir_emit_op(l, IR_SHR, ir_op_temp(cookie), ir_op_imm(COOKIE_MASK));
}

/* ---- all ---- */

void lower_dispatch(struct lower *l, struct ir_block *out)
{
	struct unit *u = l->unit;
	struct ir_block *known = ir_new_block(l, "known"), *mine = ir_new_block(l, "mine");

	if (u->plan.key_source == KEY_NONE)
		return;
	if (u->plan.key_source == KEY_COOKIE) {
		dispatch_cookie(l, out);
		return;
	}
	if (u->plan.key_source == KEY_SYSCALL_ENTER || u->plan.key_source == KEY_SYSCALL_RECORD) {
		l->firing.key = ir_emit_load(l, ir_op_ctx(l), 8, 8);
	} else {
		uint32_t regs = ir_emit_load_pointer(l, ir_op_ctx(l), 0);

		l->firing.key =
			ir_emit_load(l, ir_op_temp(regs), regs_member(l, ARCH_CALL_NUMBER), 8);
	}
	if (u->probes.len == 1) {
		ir_emit_br(l, COND_EQ, ir_op_temp(l->firing.key), ir_op_imm(u->keys.data[0]), known,
			out);
		ir_place(l, known);
		skip_compat(l, out);
		l->firing.key = 0;
		return;
	}
	ir_emit_br(l, COND_LE, ir_op_temp(l->firing.key), ir_op_imm(u->plan.max_key), known, out);
	ir_place(l, known);
	/*
	 * The bound must be in the value: verifiers before 6.8 forget what a branch showed when
	 * the number is read back from the stack.
	 */
	l->firing.key =
		ir_emit_op(l, IR_AND, ir_op_temp(l->firing.key), ir_op_imm(units_key_mask(u)));
	l->firing.table = dispatch_table(l);
	find_entry(l);
	l->firing.probe_id = ir_emit_load(
		l, ir_op_temp(l->firing.masks), offsetof(struct dt_dispatch, probe), 4);
	ir_emit_br(l, COND_NE, ir_op_temp(l->firing.probe_id), ir_op_imm(0), mine, out);
	ir_place(l, mine);
	skip_compat(l, out);
}

/* What is kept at KEPT_..., in the scratch slot. */
enum { KEPT_PROBE = 0, KEPT_KEY = 8, KEPT_MASKS = 16 };

void dispatch_keep(struct lower *l, int32_t at)
{
	if (l->firing.probe_id)
		ir_emit_store(l, ir_op_temp(l->firing.scratch), at + KEPT_PROBE,
			ir_op_temp(l->firing.probe_id), 8);
	if (l->firing.key)
		ir_emit_store(l, ir_op_temp(l->firing.scratch), at + KEPT_KEY,
			ir_op_temp(l->firing.key), 8);
	if (l->firing.masks && !l->firing.table)
		ir_emit_store(l, ir_op_temp(l->firing.scratch), at + KEPT_MASKS,
			ir_op_temp(l->firing.masks), 8);
}

void dispatch_restore(struct lower *l, int32_t at)
{
	if (l->firing.probe_id)
		l->firing.probe_id =
			ir_emit_load(l, ir_op_temp(l->firing.scratch), at + KEPT_PROBE, 8);
	if (l->firing.key) {
		l->firing.key = ir_emit_load(l, ir_op_temp(l->firing.scratch), at + KEPT_KEY, 8);
		l->firing.key = ir_emit_op(
			l, IR_AND, ir_op_temp(l->firing.key), ir_op_imm(units_key_mask(l->unit)));
	}
	if (l->firing.table)
		find_entry(l);
	else if (l->firing.masks)
		l->firing.masks =
			ir_emit_load(l, ir_op_temp(l->firing.scratch), at + KEPT_MASKS, 8);
}

/* Go to OUT if clause I is not enabled on the probe that fires. */
static void test_mask(struct lower *l, uint32_t i, struct ir_block *out)
{
	struct ir_block *run = ir_new_block(l, "enabled");
	uint32_t w, bit;

	if (!l->firing.masks)
		return;
	if (l->unit->plan.key_source == KEY_COOKIE) {
		if (on_all_sites(l->unit, i))
			return;
		ir_emit_br(l, COND_SET, ir_op_temp(l->firing.masks), ir_op_imm(1LL << i), run, out);
		ir_place(l, run);
		return;
	}
	for (uint32_t p = 0;; p++) {
		if (p == l->unit->probes.len)
			return; /* enabled on all of them */
		if (!enabled_on(l->unit->clauses.data[i], l->unit->probes.data[p]))
			break;
	}
	w = ir_emit_load(l, ir_op_temp(l->firing.masks),
		(int32_t)(offsetof(struct dt_dispatch, clauses) + 8 * (i / 64)), 8);
	bit = ir_emit_op(l, IR_SHR, ir_op_temp(w), ir_op_imm(i % 64));
	ir_emit_br(l, COND_SET, ir_op_temp(bit), ir_op_imm(1), run, out);
	ir_place(l, run);
}

void dispatch_clause(struct lower *l, uint32_t i, struct ir_block *out)
{
	test_mask(l, i, out);
	check_clause_scope(l, l->unit->clauses.data[i], out);
}
