// SPDX-License-Identifier: Apache-2.0
/*
 * Programs: each hook with enabled probes becomes one, with the gate, the dispatch by key, the
 * scratch slot and the clauses in order.
 */
#include "ir/lower_int.h"

#include <string.h>

#include <linux/netfilter.h>

/* Whether C is enabled on P. */
static bool enabled_on(const struct sema_clause *c, const struct probe *p)
{
	for (uint32_t i = 0; i < c->probes.len; i++)
		if (c->probes.data[i] == p)
			return true;
	return false;
}

/* ---- dispatch ---- */

static uint32_t mask_words(const struct unit *u)
{
	return (u->clauses.len + 63) / 64;
}

static uint32_t entry_size(const struct unit *u)
{
	return sizeof(struct dt_dispatch) + 8 * mask_words(u);
}

/* All ones up to the largest key's highest bit: tables have so many entries and one. */
uint32_t key_mask(const struct unit *u)
{
	uint32_t mask = 1;

	while (mask < u->plan.max_key)
		mask = mask << 1 | 1;
	return mask;
}

static const char *dispatch_table(struct lower *l)
{
	struct unit *u = l->unit;
	struct ir_data *d = vec_add(l->arena, &l->s->out->module.data);
	uint32_t each = entry_size(u);
	char *bytes;

	d->size = (key_mask(u) + 1) * each;
	bytes = arena_alloc(l->arena, d->size);
	for (uint32_t i = 0; i < u->probes.len; i++) {
		struct dt_dispatch *e = (void *)(bytes + (size_t)u->keys.data[i] * each);

		e->probe = u->probes.data[i]->id;
		for (uint32_t c = 0; c < u->clauses.len; c++)
			if (enabled_on(u->clauses.data[c], u->probes.data[i]))
				e->clauses[c / 64] |= 1ULL << (c % 64);
	}
	d->section = arena_printf(l->arena, ".rodata.%s", l->f->name);
	d->bytes = bytes;
	d->readonly = true;
	return d->section;
}

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

#define TS_COMPAT 0x2 /* arch/x86/include/asm/thread_info.h: a 32-bit system call is running */

/* 32-bit system calls have other numbers: they are not reported, as the kernel's own events do. */
static void skip_compat(struct lower *l, struct ir_block *out)
{
	const struct type *t = types_lookup(l->s->target->types, SPACE_STRUCT, "task_struct");
	struct member_path ti, status;
	struct ir_block *native;
	uint32_t v;

	if (!t || !type_find_member(t, "thread_info", &ti) ||
		!type_find_member(type_resolve(ti.type), "status", &status))
		return;
	native = new_block(l, "native");
	v = emit_load(
		l, op_temp(current_task(l)), (int32_t)((ti.bit_offset + status.bit_offset) / 8), 4);
	emit_br(l, COND_SET, op_temp(v), op_imm(TS_COMPAT), out, native);
	place(l, native);
}

/* Whether clause number I of a unit with cookies is enabled on all of its probes, and will be. */
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
	struct ir_block *known = new_block(l, "process"), *mine = new_block(l, "own");
	struct cached before = l->seen;
	struct unit *u = l->unit;
	struct ir_data *d;
	uint32_t *pids, at, v;

	if (u->plan.kind != ATTACH_URETPROBES || u->plan.multi)
		return;
	d = vec_add(l->arena, &l->s->out->module.data);
	d->section = u->pids = arena_printf(l->arena, ".data.%s_pids", l->unit_name);
	d->size = (key_mask(u) + 1) * sizeof(*pids);
	pids = arena_alloc(l->arena, d->size);
	for (uint32_t i = 0; i < u->sites.len; i++)
		pids[u->keys.data[i]] = (uint32_t)u->sites.data[i].pid;
	d->bytes = (char *)pids;
	at = emit_op(l, IR_MUL, op_temp(l->key), op_imm(sizeof(*pids)));
	at = emit_op(l, IR_ADD, op_temp(emit_mov(l, op_data(u->pids, 0))), op_temp(at));
	v = emit_load(l, op_temp(at), 0, sizeof(*pids));
	emit_br(l, COND_EQ, op_temp(v), op_imm(0), mine, known);
	place(l, known);
	emit_br(l, COND_EQ, op_temp(v), op_temp(current_process(l)), mine, out);
	l->seen = before; /* the other way has not read it */
	place(l, mine);
}

static void dispatch_cookie(struct lower *l, struct ir_block *out)
{
	uint32_t cookie;

	if (l->unit->probes.len == 1 && !l->unit->is_open)
		return;
	cookie = emit_call(l, BPF_FUNC_get_attach_cookie, 1, op_ctx(l));
	l->probe_id = emit_op(l, IR_AND, op_temp(cookie), op_imm(COOKIE_ID));
	l->unit->plan.max_key =
		(l->unit->is_open ? l->s->out->max_places : l->unit->probes.len) - 1;
	l->key = emit_op(l, IR_SHR, op_temp(cookie), op_imm(COOKIE_PLACE));
	l->key = emit_op(l, IR_AND, op_temp(l->key), op_imm(key_mask(l->unit)));
	check_process(l, out);
	for (uint32_t i = 0; i < l->unit->clauses.len && !l->masks; i++)
		if (!on_all_sites(l->unit, i))
			l->masks = emit_op(l, IR_SHR, op_temp(cookie), op_imm(COOKIE_MASK));
}

static void dispatch(struct lower *l, struct ir_block *out)
{
	struct unit *u = l->unit;
	struct ir_block *known = new_block(l, "known"), *mine = new_block(l, "mine");
	const char *table;
	uint32_t off;

	if (u->plan.key_source == KEY_NONE)
		return;
	if (u->plan.key_source == KEY_COOKIE) {
		dispatch_cookie(l, out);
		return;
	}
	if (u->plan.key_source == KEY_SYSCALL_ENTER) {
		l->key = emit_load(l, op_ctx(l), 8, 8);
	} else {
		uint32_t regs = emit_load(l, op_ctx(l), 0, 8);

		l->f->temps.data[regs] = IRT_KERNEL;
		l->key = emit_load(l, op_temp(regs), regs_member(l, "orig_ax"), 8);
	}
	if (u->probes.len == 1) {
		emit_br(l, COND_EQ, op_temp(l->key), op_imm(u->keys.data[0]), known, out);
		place(l, known);
		skip_compat(l, out);
		l->key = 0;
		return;
	}
	emit_br(l, COND_LE, op_temp(l->key), op_imm(u->plan.max_key), known, out);
	place(l, known);
	/*
	 * The bound must be in the value: verifiers before 6.8 forget what a branch showed when
	 * the number is read back from the stack.
	 */
	l->key = emit_op(l, IR_AND, op_temp(l->key), op_imm(key_mask(u)));
	table = dispatch_table(l);
	off = emit_op(l, IR_MUL, op_temp(l->key), op_imm(entry_size(u)));
	l->masks = emit_op(l, IR_ADD, op_temp(emit_mov(l, op_data(table, 0))), op_temp(off));
	l->probe_id = emit_load(l, op_temp(l->masks), offsetof(struct dt_dispatch, probe), 4);
	emit_br(l, COND_NE, op_temp(l->probe_id), op_imm(0), mine, out);
	place(l, mine);
	skip_compat(l, out);
}

/* Jump to OUT unless clause number I of the unit is enabled on the probe that fired. */
static void test_mask(struct lower *l, uint32_t i, struct ir_block *out)
{
	struct ir_block *run = new_block(l, "enabled");
	uint32_t w, bit;

	if (!l->masks)
		return;
	if (l->unit->plan.key_source == KEY_COOKIE) {
		if (on_all_sites(l->unit, i))
			return;
		emit_br(l, COND_SET, op_temp(l->masks), op_imm(1LL << i), run, out);
		place(l, run);
		return;
	}
	for (uint32_t p = 0;; p++) {
		if (p == l->unit->probes.len)
			return; /* enabled on all of them */
		if (!enabled_on(l->unit->clauses.data[i], l->unit->probes.data[p]))
			break;
	}
	w = emit_load(l, op_temp(l->masks),
		(int32_t)(offsetof(struct dt_dispatch, clauses) + 8 * (i / 64)), 8);
	bit = emit_op(l, IR_SHR, op_temp(w), op_imm(i % 64));
	emit_br(l, COND_SET, op_temp(bit), op_imm(1), run, out);
	place(l, run);
}

/* ---- one clause ---- */

/* The end of a program: netfilter goes on with the packet. */
static void emit_return(struct lower *l)
{
	emit(l, IR_RET)->imm = l->unit->plan.kind == ATTACH_NETFILTER ? NF_ACCEPT : 0;
}

/* Release the scratch slot and return.  Exits are where they are needed: jumps are 16 bits. */
static void leave(struct lower *l)
{
	guard_leave(l);
	if (l->slot)
		emit_rt(l, "dt_scratch_release", 1, op_temp(l->slot));
	emit_return(l);
	l->cur = NULL;
}

/* After exit(), no further clause of the firing runs. */
static void recheck_activity(struct lower *l)
{
	struct ir_block *go = new_block(l, "active"), *gone = new_block(l, "exited");
	uint32_t st, v;

	st = emit_mov(l, op_data(DT_SEC_STATE, 0));
	v = emit_load(l, op_temp(st), offsetof(struct dt_state, exited), 4);
	emit_br(l, COND_EQ, op_temp(v), op_imm(0), go, gone);
	place(l, gone);
	leave(l);
	place(l, go);
}

static void lower_clause(struct lower *l, uint32_t i)
{
	const struct sema_clause *c = l->unit->clauses.data[i];
	struct ir_block *report = new_block(l, "fault");
	struct cached before = l->seen;
	uint32_t scratch = l->scratch_used, frame = l->frame_used;

	l->clause = c;
	l->loc = c->loc;
	l->skip = new_block(l, "nextclause");
	l->record = 0;
	l->fault = report;
	l->fault_code = new_temp(l, IRT_SCALAR);
	l->fault_value = new_temp(l, IRT_SCALAR);
	if (l->had_exit)
		recheck_activity(l);
	test_mask(l, i, l->skip);
	scratch_memory_begin(l);
	if (l->unit->has_loops)
		loop_clause(l);
	if (c->ast->predicate) {
		struct ir_block *run = new_block(l, "run");

		l->loc = c->ast->predicate->loc;
		lower_condition(l, c->ast->predicate, run, l->skip);
		place(l, run);
	}
	if (l->spec_off)
		emit_store(l, op_temp(l->scratch), (int32_t)l->spec_off, op_imm(0), 8);
	if (c->default_action)
		open_record(l, c->default_action);
	lower_statements(l, &c->ast->stmts);
	if (c->default_action)
		close_record(l);
	emit_jmp(l, l->skip);
	place(l, report);
	l->loc = c->loc;
	lower_fault_block(l, l->skip);
	place(l, l->skip);
	l->seen = before;
	l->scratch_used = scratch;
	l->scratch_kept = 0;
	l->frame_used = frame;
}

/* ---- a program ---- */

void lower_gate(struct lower *l, struct ir_block *out)
{
	struct ir_block *go = new_block(l, "active");
	enum dt_activity want = l->unit->plan.kind == ATTACH_BEGIN ? DT_BEGINNING
		: l->unit->plan.kind == ATTACH_END		   ? DT_ENDING
								   : DT_ACTIVE;
	uint32_t st, v;

	if (l->unit->is_error)
		return;
	st = emit_mov(l, op_data(DT_SEC_STATE, 0));
	v = emit_load(l, op_temp(st), offsetof(struct dt_state, activity), 4);
	emit_br(l, COND_EQ, op_temp(v), op_imm(want), go, out);
	place(l, go);
	if (l->s->target->cpu >= 0) {
		struct ir_block *here = new_block(l, "cpu");

		v = emit_call(l, BPF_FUNC_get_smp_processor_id, 0);
		emit_br(l, COND_EQ, op_temp(v), op_imm(l->s->target->cpu), here, out);
		place(l, here);
	}
}

static void claim_scratch(struct lower *l, struct ir_block *out)
{
	struct ir_block *none = new_block(l, "noslot"), *have = new_block(l, "slot");
	uint32_t key = frame_alloc(l, 8), p;

	l->slot = emit_rt(l, "dt_scratch_claim", 0);
	emit_br(l, COND_EQ, op_temp(l->slot), op_imm(-1), none, have);
	place(l, none);
	emit_drop(l, DT_DROP_NESTED);
	emit_jmp(l, out);
	place(l, have);
	emit_store(l, op_frame(0), (int32_t)key, op_temp(l->slot), 4);
	p = emit_call(l, BPF_FUNC_map_lookup_elem, 2, op_map(DT_MAP_SCRATCH), op_frame(key));
	l->scratch = emit_nonnull(l, p, out);
}

static bool is_strtok(void *arg, const struct expr *e)
{
	return e->kind == EXPR_CALL && e->info && e->info->ref == REF_FUNC &&
		e->info->func->id == FUNC_strtok;
}

static bool is_speculate(void *arg, const struct expr *e)
{
	return e->kind == EXPR_CALL && e->info && e->info->ref == REF_FUNC &&
		e->info->func->id == FUNC_speculate;
}

static bool no_expr(void *arg, const struct expr *e)
{
	return false;
}

static bool is_loop(void *arg, const struct stmt *st)
{
	return st->kind == STMT_FOR || st->kind == STMT_WHILE || st->kind == STMT_FOREACH;
}

static bool derived_has(const struct sema_derived *d, sema_visit_fn visit, sema_visit_stmt_fn each)
{
	if (!d)
		return false;
	for (uint32_t i = 0; i < PROBE_NARGS; i++)
		if (sema_any_expr(d->args[i], visit, each, NULL))
			return true;
	return sema_any_expr(d->when, visit, each, NULL) ||
		sema_any_expr(d->task, visit, each, NULL);
}

bool unit_has(const struct unit *u, sema_visit_fn visit, sema_visit_stmt_fn each)
{
	if (derived_has(u->derived, visit, each))
		return true;
	for (uint32_t i = 0; i < u->clauses.len; i++) {
		const struct clause *c = u->clauses.data[i]->ast;

		if (sema_any_expr(c->predicate, visit, each, NULL) ||
			sema_any_stmt(&c->stmts, visit, each, NULL))
			return true;
	}
	return false;
}

/* What a firing keeps in the scratch slot, besides variables. */
static void unit_scratch(struct lower *l)
{
	/* offset 0 says that something is not used */
	if (unit_has(l->unit, is_speculate, NULL) || unit_has(l->unit, is_strtok, NULL) ||
		scratch_memory_used(l))
		scratch_alloc(l, 8);
	l->unit->has_loops = unit_has(l->unit, no_expr, is_loop);
	if (l->unit->has_loops)
		loop_init(l);
	if (unit_has(l->unit, is_speculate, NULL))
		l->spec_off = scratch_alloc(l, 8);
	if (unit_has(l->unit, is_strtok, NULL)) {
		l->strtok_off = scratch_alloc(l, string_room(l->s->target) + 16);
		emit_zero(l, op_temp(l->scratch), (int32_t)l->strtok_off, 16);
	}
	scratch_memory_init(l);
}

/* A probe made from a hook fires when its condition holds. */
static void derived_condition(struct lower *l)
{
	const struct sema_derived *d = l->unit->derived;
	struct ir_block *no = new_block(l, "notfired"), *yes = new_block(l, "fired");
	struct cached before = l->seen;

	if (!d || !d->when)
		return;
	l->fault_code = new_temp(l, IRT_SCALAR);
	l->fault_value = new_temp(l, IRT_SCALAR);
	l->fault = l->skip = no;
	emit_set(l, l->fault_code, op_imm(0));
	emit_set(l, l->fault_value, op_imm(0));
	lower_condition(l, d->when, yes, no);
	place(l, no);
	leave(l);
	place(l, yes);
	l->seen = before;
}

static void filter_other_task(struct lower *l)
{
	struct ir_block *no, *yes;

	if (!task_filtered(l) || !about_other_task(l))
		return;
	no = new_block(l, "othertask");
	yes = new_block(l, "traced");
	task_filter(l, no);
	emit_jmp(l, yes);
	place(l, no);
	leave(l);
	place(l, yes);
}

static struct lower *lower_body(struct session *s, struct unit *u, const char *name, bool scratch)
{
	struct lower *l = arena_new_obj(s->arena, struct lower);
	struct ir_block *out, *body;

	l->s = s;
	l->arena = s->arena;
	l->unit = u;
	l->f = arena_new_obj(s->arena, struct ir_func);
	l->f->name = l->unit_name = name;
	l->f->is_global = is_called(u);
	l->f->loc = u->clauses.data[0]->loc;
	l->loc = l->f->loc;
	new_temp(l, IRT_SCALAR); /* number 0 is not used */
	l->f->nparams = (uint32_t)unit_params(u);
	for (int i = 0; i < unit_params(u); i++)
		l->params[i] = new_temp(l, IRT_SCALAR);
	place(l, new_block(l, "entry"));
	out = new_block(l, "out");
	lower_gate(l, out);
	guard_test(l, out);
	dispatch(l, out);
	if (task_filtered(l) && !about_other_task(l))
		task_filter(l, out);
	if (scratch)
		claim_scratch(l, out);
	else
		l->scratch = emit_mov(l, op_imm(0));
	body = new_block(l, "body");
	emit_jmp(l, body);
	place(l, out);
	emit_return(l);
	l->cur = NULL;
	place(l, body);
	guard_enter(l);
	unit_scratch(l);
	lower_this_init(l);
	current_task(l);
	derived_condition(l);
	filter_other_task(l);
	for (uint32_t i = 0; i < u->clauses.len; i++)
		lower_clause(l, i);
	leave(l);
	l->f->frame_size = l->frame_max;
	return l;
}

static const char *label_of(struct session *s, const struct unit *u)
{
	const struct probe *p = u->probes.len ? u->probes.data[0] : NULL;
	const struct probe_pattern *pat = &u->clauses.data[0]->pat;

	return p ? arena_printf(s->arena, "%s:%s:%s:%s", p->prov, p->mod, p->func, p->name)
		 : arena_printf(s->arena, "%s:%s:%s:%s", pat->prov, pat->mod, pat->func, pat->name);
}

/* What is needed to attach it to more places. */
static void note_open(struct session *s, const struct unit *u)
{
	struct ir_module *m = &s->out->module;
	struct open_prog *o = vec_add(s->arena, &s->out->open);

	*o = (struct open_prog){
		.prog = m->progs.len - 1, .kind = u->plan.kind, .group = u->plan.group};
	for (uint32_t i = 0; i < u->clauses.len; i++)
		vec_push(s->arena, &o->clauses, u->clauses.data[i]);
	o->pids = u->pids;
	memcpy(o->names, u->names, sizeof(o->names));
}

void lower_unit(struct session *s, struct unit *u, uint32_t number)
{
	struct ir_module *m = &s->out->module;
	const char *prog = arena_printf(s->arena, "dt_prog_%u", number);
	const char *name = u->is_error ? "dt_error" : u->is_each ? "dt_each" : prog;
	uint32_t ndata = m->data.len, errors = s->diags->list.len, ncallbacks = m->callbacks.len;
	bool rt = m->needs_rt, failed = s->failed;
	struct lower *l = lower_body(s, u, name, false);
	struct ir_prog *p;
	/* most programs need no scratch slot: try without, which costs nothing at run time */
	if (l->scratch_max) { /* it needs the slot: again, with one */
		m->data.len = ndata;
		m->callbacks.len = ncallbacks;
		u->nloops = 0;
		m->needs_rt = rt;
		s->diags->list.len = errors;
		s->failed = failed;
		l = lower_body(s, u, name, true);
		if (l->scratch_max > m->scratch_size)
			m->scratch_size = l->scratch_max;
	}
	if (u->is_error) {
		m->error = l->f;
		return;
	}
	if (u->is_each)
		vec_push(s->arena, &m->callbacks, l->f);
	p = vec_add(s->arena, &m->progs);
	p->func = u->is_each ? lower_each_entry(s, u, prog) : l->f;
	p->plan = u->plan;
	for (uint32_t i = 0; i < u->sites.len; i++)
		vec_push(s->arena, &p->sites, u->sites.data[i]);
	p->label = label_of(s, u);
	if (u->is_open)
		note_open(s, u);
}

/* Places that come while tracing. */
#define MORE_PLACES 16384

uint64_t lower_cookie(struct lowered *l, uint32_t id, uint32_t clauses)
{
	return id | (uint64_t)l->places++ << COOKIE_PLACE | (uint64_t)clauses << COOKIE_MASK;
}

uint32_t lower_place(uint64_t cookie)
{
	return cookie >> COOKIE_PLACE & ((1 << (COOKIE_MASK - COOKIE_PLACE)) - 1);
}

uint32_t lower_probe_id(uint64_t cookie)
{
	return cookie & COOKIE_ID;
}

/* ---- the session ---- */

struct contexts {
	bool irq, task;
};

static bool mark_agg(void *arg, const struct expr *e)
{
	const struct contexts *c = arg;

	if (e->kind == EXPR_ASSIGN && e->a->kind == EXPR_AGG) {
		e->a->info->agg->in_irq |= c->irq;
		e->a->info->agg->in_task |= c->task;
	}
	return false;
}

/*
 * Whether its program may run where the kernel cannot be asked for memory: in interrupts, under
 * the scheduler's locks.  System calls are made by tasks.
 */
static bool may_interrupt(const struct attach_plan *p)
{
	switch (p->kind) {
	case ATTACH_BEGIN:
	case ATTACH_END:
		return false;
	default:
		return p->key_source != KEY_SYSCALL_ENTER && p->key_source != KEY_SYSCALL_EXIT;
	}
}

static void mark_aggs(struct session *s)
{
	for (uint32_t i = 0; i < s->sema->clauses.len; i++) {
		const struct sema_clause *c = s->sema->clauses.data[i];
		struct contexts in = {false, false};

		for (uint32_t k = 0; k < c->probes.len; k++) {
			struct attach_plan plan = {0};

			c->probes.data[k]->provider->plan(
				registry_env(s->registry), c->probes.data[k], 0, &plan);
			in.irq |= plan.kind == ATTACH_ERROR || may_interrupt(&plan);
			in.task |= !attach_is_event(plan.kind);
		}
		/* user code's can be preempted while they run */
		in.irq |= c->late != NULL;
		in.task |= c->late != NULL;
		sema_any_stmt(&c->ast->stmts, mark_agg, NULL, &in);
	}
}

static void add_maps(struct session *s)
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
			.max_entries = DT_DROP_MAX}));
	if (m->scratch_size) /* the loader sets the real size; this is what src/rt declares */
		vec_push(s->arena, &m->maps,
			((struct ir_map){.name = DT_MAP_SCRATCH,
				.type = IRMAP_ARRAY,
				.key_size = 4,
				.value_size = 4096,
				.max_entries = 1}));
}

struct lowered *lower_session(struct arena *a, const struct sema_session *session,
	struct registry *registry, const struct target *target, struct diags *diags)
{
	struct session *s = arena_new_obj(a, struct session);
	const units_vec *units;

	s->arena = a;
	s->sema = session;
	s->registry = registry;
	s->target = target;
	s->diags = diags;
	s->out = arena_new_obj(a, struct lowered);
	mark_aggs(s);
	layout_session(s);
	buffer_layout(s);
	units = session_units(s);
	/* a power of two: places are made to fit tables by their low bits */
	for (s->out->max_places = MORE_PLACES; s->out->max_places < s->out->places + MORE_PLACES;)
		s->out->max_places *= 2;
	for (uint32_t i = 0; i < units->len; i++)
		s->guarded |= units->data[i]->plan.inner;
	s->has_error_clauses = units->len && units->data[0]->is_error;
	for (uint32_t i = 0; i < units->len; i++) {
		lower_unit(s, units->data[i], i);
		s->out->has_begin |= units->data[i]->plan.kind == ATTACH_BEGIN;
		s->out->has_end |= units->data[i]->plan.kind == ATTACH_END;
	}
	lower_vtime(s);
	add_maps(s);
	return s->failed ? NULL : s->out;
}

/* ---- what nothing refers to is not created ---- */

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

static bool used(const struct ir_module *m, enum ir_operand_kind kind, const char *sym)
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
		if (used(m, OP_MAP, m->maps.data[i].name))
			m->maps.data[n++] = m->maps.data[i];
	m->maps.len = n;
	n = 0;
	for (uint32_t i = 0; i < m->data.len; i++)
		if (!strcmp(m->data.data[i].section, DT_SEC_STATE) ||
			used(m, OP_DATA, m->data.data[i].section))
			m->data.data[n++] = m->data.data[i];
	m->data.len = n;
	m->needs_rt = calls_rt(m->error);
	for (uint32_t i = 0; i < m->progs.len; i++)
		m->needs_rt |= calls_rt(m->progs.data[i].func);
	for (uint32_t i = 0; i < m->callbacks.len; i++)
		m->needs_rt |= calls_rt(m->callbacks.data[i]);
}
