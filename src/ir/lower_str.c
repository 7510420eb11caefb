// SPDX-License-Identifier: Apache-2.0
/*
 * Lowers strings.  They are written straight to where they go (a record, a key, a variable); what
 * needs a run-time function passes through the scratch slot.
 */
#include "abi/kernel.h"
#include "abi/record.h"
#include "abi/runtime.h"
#include "base/arena.h"
#include "ir/ir.h"
#include "ir/layout.h"
#include "ir/lower.h"
#include "ir/lower_build.h"
#include "ir/lower_builtin.h"
#include "ir/lower_expr.h"
#include "ir/lower_fault.h"
#include "ir/lower_mem.h"
#include "ir/lower_state.h"
#include "ir/lower_stmt.h"
#include "ir/lower_str.h"
#include "ir/lower_var.h"
#include "ir/units.h"
#include "lang/ast.h"
#include "probe/attach.h"
#include "probe/part.h"
#include "sema/names.h"
#include "sema/typed.h"
#include "types/type.h"
#include "types/types.h"

#include <string.h>

bool lower_is_null_constant(const struct expr *e)
{
	return e->kind == EXPR_CAST && e->a->kind == EXPR_INT && !e->a->value;
}

bool lower_is_variable(const struct expr *e)
{
	return (e->kind == EXPR_VAR || e->kind == EXPR_INDEX) && e->info && e->info->ref == REF_VAR;
}

/* ---- where a string is read from ---- */

/* Returns the room of P that one string may fill: at most strsize + 1 bytes. */
uint32_t string_limit(struct lower *l, const struct byte_place *p)
{
	uint32_t most = l->s->target->strsize + 1;

	return p->room < most ? p->room : most;
}

/* Copy the string at kernel address ADDR; a bad address faults. */
void read_string(struct lower *l, struct ir_operand addr, const struct byte_place *p, int helper,
	uint32_t room)
{
	uint32_t len, a = ir_as_temp(l, addr);

	len = ir_emit_call(
		l, helper, 3, ir_address(l, p->base, p->off), ir_op_imm(room), ir_op_temp(a));
	if (l->build.f->temps.data[a] == IRT_MEM) /* our own memory: it can be read */
		return;
	/* only a number may leave the program as the fault's address */
	check_or_fault(l, COND_SGE, ir_op_temp(len), ir_op_imm(0), DT_FAULT_BADADDR,
		l->build.f->temps.data[a] == IRT_SCALAR ? ir_op_temp(a) : ir_op_imm(0));
}

static void put_literal(struct lower *l, const char *s, uint32_t len, const struct byte_place *p)
{
	uint32_t room = string_limit(l, p);
	char *bytes;

	if (len > room - 1)
		len = room - 1;
	bytes = arena_strndup(l->arena, s, len);
	ir_emit_bytes(l, p->base, p->off, bytes, len + 1);
}

/* The name of the current thread, ROOM bytes of it at most. */
static void put_thread_name(struct lower *l, const struct byte_place *p, uint32_t room)
{
	const struct type *t = types_lookup(l->s->target->types, SPACE_STRUCT, "task_struct");
	struct member_path m;

	if (!t || !type_find_member(t, "comm", &m)) {
		ir_emit_call(l, BPF_FUNC_get_current_comm, 2, ir_address(l, p->base, p->off),
			ir_op_imm(room < COMM_LEN ? room : COMM_LEN));
	} else if (room < COMM_LEN) {
		read_string(l, ir_address(l, ir_op_temp(lower_current_task(l)), m.bit_offset / 8),
			p, BPF_FUNC_probe_read_kernel_str, room);
	} else {
		/* the kernel pads comm with zeros (set_task_comm, fs/exec.c) */
		for (int i = 0; i < COMM_LEN; i += 8) {
			uint32_t v = ir_emit_load(l, ir_op_temp(lower_current_task(l)),
				(int32_t)(m.bit_offset / 8) + i, 8);

			ir_emit_store(l, p->base, p->off + i, ir_op_temp(v), 8);
		}
	}
}

/* Write the name of the current thread, as threadname gives it. */
static void lower_thread_into(struct lower *l, const struct byte_place *p)
{
	put_thread_name(l, p, string_limit(l, p));
}

/* Writes the name of the current process, all COMM_LEN bytes; false: the kernel's types are
 * unknown. */
static bool put_exec_name(struct lower *l, const struct byte_place *p)
{
	const struct type *t = types_lookup(l->s->target->types, SPACE_STRUCT, "task_struct");
	uint32_t ids = lower_current_ids(l), tid = ir_new_temp(l, IRT_SCALAR), leader;
	const uint32_t frame = l->build.frame_used;
	struct ir_block *thread, *done;
	struct member_path comm, first;
	struct ir_insn *in;

	if (!t || !type_find_member(t, "comm", &comm) ||
		!type_find_member(t, "group_leader", &first))
		return false;
	thread = ir_new_block(l, "thread");
	done = ir_new_block(l, "execname");
	put_thread_name(l, p, COMM_LEN);
	in = ir_emit(l, IR_ZEXT);
	in->dst = tid;
	in->a = ir_op_temp(ids);
	in->size = 4;
	ir_emit_br(l, COND_NE, ir_op_temp(ir_emit_op(l, IR_SHR, ir_op_temp(ids), ir_op_imm(32))),
		ir_op_temp(tid), thread, done);
	ir_place(l, thread);
	/* read, not followed: the verifier would look for the pointer's type for milliseconds */
	leader = ir_frame_alloc(l, 8);
	ir_emit_call(l, BPF_FUNC_probe_read_kernel, 3, ir_op_frame(leader), ir_op_imm(8),
		ir_op_temp(ir_emit_op(
			l, IR_ADD, lower_task_address(l), ir_op_imm(first.bit_offset / 8))));
	leader = ir_emit_load(l, ir_op_frame(0), (int32_t)leader, 8);
	l->build.frame_used = frame;
	ir_emit_call(l, BPF_FUNC_probe_read_kernel, 3, ir_address(l, p->base, p->off),
		ir_op_imm(COMM_LEN),
		ir_op_temp(
			ir_emit_op(l, IR_ADD, ir_op_temp(leader), ir_op_imm(comm.bit_offset / 8))));
	ir_emit_jmp(l, done);
	ir_place(l, done);
	lower_given_name(l, p);
	return true;
}

bool lower_exec_name(struct lower *l, uint32_t *at)
{
	struct byte_place name = {.base = ir_op_frame(0), .room = COMM_LEN, .scratch = -1};

	*at = ir_frame_alloc(l, COMM_LEN);
	name.off = (int32_t)*at;
	return put_exec_name(l, &name);
}

void lower_names_into(struct lower *l, const struct byte_place *p)
{
	struct byte_place thread = *p;

	thread.off += COMM_LEN;
	if (!put_exec_name(l, p))
		put_thread_name(l, p, COMM_LEN);
	put_thread_name(l, &thread, COMM_LEN);
}

/* Write the name of the current process, as execname gives it. */
static void lower_comm_into(struct lower *l, const struct byte_place *p)
{
	uint32_t room = string_limit(l, p), at;

	if (room >= COMM_LEN) {
		if (!put_exec_name(l, p))
			lower_thread_into(l, p);
	} else if (lower_exec_name(l, &at)) {
		read_string(l, ir_address(l, ir_op_frame(0), at), p, BPF_FUNC_probe_read_kernel_str,
			room);
	} else {
		lower_thread_into(l, p);
	}
}

/* The text that run-time function F makes, at scratch offset DST. */
static void make_text(struct lower *l, const struct rt_function *f, uint32_t dst)
{
	if (f->nargs == 2)
		ir_emit_rt(l, f->name, 2, ir_op_temp(l->firing.slot), ir_op_imm(dst));
	else
		ir_emit_rt(l, f->name, 4, ir_op_temp(l->firing.slot), ir_op_imm(dst),
			ir_op_imm(ir_scratch_alloc(l, DT_PATH_ROOM)), lower_task_address(l));
}

static void put_made(struct lower *l, const struct rt_function *f, const struct byte_place *p)
{
	uint32_t room = string_room(l->s->target), dst;

	if (f->nargs == 2 && lower_about_other_task(l)) { /* its memory is out of reach */
		lower_comm_into(l, p);
		return;
	}
	if (p->scratch >= 0 && p->room >= room) {
		make_text(l, f, (uint32_t)p->scratch);
		return;
	}
	dst = ir_scratch_alloc(l, room);
	make_text(l, f, dst);
	read_string(l, ir_address(l, ir_op_temp(l->firing.scratch), dst), p,
		BPF_FUNC_probe_read_kernel_str, string_limit(l, p));
}

/*
 * A table of one part of the unit's probes' names, by dispatch key; of the provider of those that
 * any process fires, without the process's number.
 */
static void put_name_of_table(struct lower *l, enum datum_kind part, const struct byte_place *p)
{
	struct unit *u = l->unit;
	uint32_t n = units_key_mask(u) + 1, idx;
	struct ir_data *d;
	char *bytes, *section;

	if (!l->firing.key) {
		const char *s = probe_part(u->probes.data[0], part);

		put_literal(l, s, (uint32_t)strlen(s), p);
		return;
	}
	section = arena_printf(l->arena, "%s.%s_%d", u->is_open ? ".data" : ".rodata", l->unit_name,
		(int)part - DATUM_PROBEPROV);
	if (u->is_open)
		u->names[part - DATUM_PROBEPROV] = section;
	bytes = arena_alloc(l->arena, (size_t)n * LOWER_NAME);
	for (uint32_t i = 0; i < u->probes.len; i++)
		probe_part_fixed(u->probes.data[i], part,
			bytes + (size_t)u->keys.data[i] * LOWER_NAME, LOWER_NAME);
	d = ir_data_section(l, section);
	if (!d->size) {
		d->size = n * LOWER_NAME;
		d->bytes = bytes;
		d->readonly = !u->is_open;
	}
	idx = ir_emit_op(l, IR_MUL, ir_op_temp(l->firing.key), ir_op_imm(LOWER_NAME));
	idx = ir_emit_op(
		l, IR_ADD, ir_op_temp(ir_emit_mov(l, ir_op_data(section, 0))), ir_op_temp(idx));
	read_string(l, ir_op_temp(idx), p, BPF_FUNC_probe_read_kernel_str,
		string_limit(l, p) < LOWER_NAME ? string_limit(l, p) : LOWER_NAME);
}

static void put_probe_name(struct lower *l, enum datum_kind part, const struct byte_place *p)
{
	uint32_t room = string_room(l->s->target), name, number, both;
	struct byte_place at = {ir_op_temp(l->firing.scratch), 0, room, 0};

	if (part != DATUM_PROBEPROV || l->unit->plan.scope == IN_PROCESS) {
		put_name_of_table(l, part, p);
		return;
	}
	name = ir_scratch_alloc(l, room);
	number = ir_scratch_alloc(l, room);
	both = ir_scratch_alloc(l, room);
	at.off = at.scratch = (int32_t)name;
	put_name_of_table(l, part, &at);
	ir_emit_rt(l, "dt_lltostr", 3, ir_op_temp(l->firing.slot), ir_op_imm(number),
		ir_op_temp(lower_current_process(l)));
	ir_emit_rt(l, "dt_strjoin", 4, ir_op_temp(l->firing.slot), ir_op_imm(both), ir_op_imm(name),
		ir_op_imm(number));
	read_string(l, ir_address(l, ir_op_temp(l->firing.scratch), both), p,
		BPF_FUNC_probe_read_kernel_str, string_limit(l, p));
}

static void put_builtin(struct lower *l, const struct builtin_text *t, const struct byte_place *p)
{
	switch (t->source) {
	case TEXT_PROBE:
		put_probe_name(l, t->part, p);
		break;
	case TEXT_COMM:
		lower_comm_into(l, p);
		break;
	case TEXT_THREAD:
		lower_thread_into(l, p);
		break;
	default:
		put_made(l, rt_function(t->function), p);
		break;
	}
}

/*
 * Copies a string whose length is known only at run time: reads all that there is room for, then
 * cuts.
 */
static void copyinstr_cut(struct lower *l, struct ir_operand addr, struct ir_operand max,
	uint32_t room, const struct byte_place *p)
{
	struct ir_block *none = ir_new_block(l, "none"), *some = ir_new_block(l, "some"),
			*fits = ir_new_block(l, "fits"), *done = ir_new_block(l, "cut");
	uint32_t size = string_room(l->s->target), n = ir_new_temp(l, IRT_SCALAR);
	uint32_t src = ir_scratch_alloc(l, size), dst = ir_scratch_alloc(l, size);
	struct byte_place all = {ir_op_temp(l->firing.scratch), (int32_t)src, size, (int32_t)src};

	max = ir_op_temp(ir_as_temp(l, max));
	ir_emit_set(l, n, ir_op_imm(room));
	ir_emit_br(l, COND_LT, max, ir_op_imm(room), fits, done);
	ir_place(l, fits);
	ir_emit_set(l, n, ir_op_imm(0));
	ir_emit_br(l, COND_EQ, max, ir_op_imm(0), none, some);
	ir_place(l, some);
	ir_emit_set(l, n, ir_op_temp(ir_emit_op(l, IR_ADD, max, ir_op_imm(-1))));
	ir_emit_jmp(l, done);
	ir_place(l, none);
	ir_place(l, done);
	read_string(l, addr, &all, BPF_FUNC_probe_read_user_str, room);
	ir_emit_rt(l, "dt_substr", 5, ir_op_temp(l->firing.slot), ir_op_imm(dst), ir_op_imm(src),
		ir_op_imm(0), ir_op_temp(n));
	read_string(l, ir_address(l, ir_op_temp(l->firing.scratch), dst), p,
		BPF_FUNC_probe_read_kernel_str, string_limit(l, p));
}

static void put_copyinstr(struct lower *l, const struct expr *e, const struct byte_place *p)
{
	uint32_t room = string_limit(l, p);
	struct ir_operand addr = ir_op_temp(ir_as_temp(l, lower_expr(l, e->args.data[0])));
	struct ir_operand max;

	/* copyinstr() keeps one character less than other strings can have */
	if (room > l->s->target->strsize)
		room = l->s->target->strsize;
	if (e->args.len < 2) {
		read_string(l, addr, p, BPF_FUNC_probe_read_user_str, room);
		return;
	}
	max = lower_expr(l, e->args.data[1]);
	if (max.kind == OP_IMM) {
		if ((uint64_t)max.value < room)
			room = (uint32_t)max.value;
		if (room)
			read_string(l, addr, p, BPF_FUNC_probe_read_user_str, room);
		else
			ir_emit_store(l, p->base, p->off, ir_op_imm(0), 1);
		return;
	}
	copyinstr_cut(l, addr, max, room, p);
}

static void put_task_name(struct lower *l, const struct expr *e, const struct byte_place *p)
{
	const struct expr *task = e->args.data[0];

	if (task->info && task->info->ref == REF_BUILTIN &&
		task->info->builtin->id == BUILTIN_curthread)
		lower_comm_into(l, p);
	else
		lower_task_name(l, e, p);
}

static void put_variable(struct lower *l, const struct expr *e, const struct byte_place *p)
{
	struct ir_operand nul, at = lower_string_variable(l, e, &nul);

	if (nul.kind != OP_NONE)
		check_or_fault(l, COND_EQ, nul, ir_op_imm(0), DT_FAULT_BADADDR, ir_op_imm(0));
	read_string(l, at, p, BPF_FUNC_probe_read_kernel_str, string_limit(l, p));
}

/* A pointer to scratch memory: it must be allocated where the string begins. */
static struct ir_operand scratch_string(struct lower *l, struct ir_operand addr)
{
	struct mem m = {.kind = MEM_SCRATCH, .base = ir_op_temp(ir_as_temp(l, addr))};

	scratch_access(l, &m, 1);
	return m.base;
}

/* Lowers stringof a pointer, character array or integer: bytes at a kernel address. */
static void put_stringof(struct lower *l, const struct expr *e, const struct byte_place *p)
{
	const struct type *t = type_resolve(e->a->type);
	struct byte_place q = *p;
	struct ir_operand addr;
	uint32_t room = string_limit(l, p);
	int helper = BPF_FUNC_probe_read_kernel_str;

	if (t->kind == TYPE_STRING) { /* to a shorter one */
		if (q.room > type_resolve(e->type)->size)
			q.room = (uint32_t)type_resolve(e->type)->size;
		lower_string_into(l, e->a, &q);
		return;
	}
	if (t->kind == TYPE_ARRAY) {
		struct mem m = lower_mem(l, e->a);

		if (t->nelems && t->nelems + 1 < room)
			room = t->nelems + 1; /* a full array has no NUL */
		if (m.kind == MEM_SCRATCH)
			m = scratch_access(l, &m, t->nelems);
		addr = m.kind == MEM_KERNEL || m.kind == MEM_OWN ? ir_address(l, m.base, m.off)
								 : mem_address(l, &m);
		if (m.kind == MEM_USER)
			helper = BPF_FUNC_probe_read_user_str;
	} else {
		addr = lower_expr(l, e->a);
		if (lower_is_user_pointer(l, e->a))
			helper = BPF_FUNC_probe_read_user_str;
		else if (sema_is_scratch(e->a))
			addr = scratch_string(l, addr);
	}
	read_string(l, addr, &q, helper, room);
}

/* The string that a D function returned. */
static void put_result(struct lower *l, const struct expr *e, const struct byte_place *p)
{
	struct expr v = {.kind = EXPR_VAR, .scope = SCOPE_THIS, .type = e->type, .loc = e->loc};
	struct sema_expr info = {.ref = REF_VAR, .var = e->info->result};

	v.info = &info;
	lower_inlined(l, e);
	lower_string_into(l, &v, p);
}

static void put_conditional(struct lower *l, const struct expr *e, const struct byte_place *p)
{
	struct ir_block *yes = ir_new_block(l, "yes"), *no = ir_new_block(l, "no"),
			*done = ir_new_block(l, "join");
	struct cached c;

	lower_condition(l, e->a, yes, no);
	c = lower_cached(l);
	ir_place(l, yes);
	lower_string_into(l, e->b, p);
	ir_emit_jmp(l, done);
	lower_restore(l, c);
	ir_place(l, no);
	lower_string_into(l, e->c, p);
	lower_restore(l, c);
	ir_place(l, done);
}

/* True if string E can be NULL without that being a fault in itself. */
bool lower_may_be_null(const struct expr *e)
{
	switch (e->kind) {
	case EXPR_COND:
		return lower_may_be_null(e->b) || lower_may_be_null(e->c);
	case EXPR_COMMA:
	case EXPR_ASSIGN:
		return lower_may_be_null(e->b);
	default:
		return lower_is_null_constant(e) || lower_is_variable(e) || lower_gives_null(e) ||
			(e->kind == EXPR_CALL && e->info->ref == REF_INLINED) ||
			(e->kind == EXPR_CAST && type_resolve(e->a->type)->kind == TYPE_STRING &&
				lower_may_be_null(e->a));
	}
}

static void maybe_variable(
	struct lower *l, const struct expr *e, const struct byte_place *p, uint32_t nul)
{
	struct ir_block *set = ir_new_block(l, "set"), *done = ir_new_block(l, "string");
	struct ir_operand flag, at = lower_string_variable(l, e, &flag);

	ir_emit_set(l, nul, flag);
	ir_emit_br(l, COND_EQ, flag, ir_op_imm(0), set, done);
	ir_place(l, set);
	read_string(l, at, p, BPF_FUNC_probe_read_kernel_str, string_limit(l, p));
	ir_place(l, done);
}

/* Lowers the result of a D function. */
static void maybe_result(
	struct lower *l, const struct expr *e, const struct byte_place *p, uint32_t nul)
{
	struct sema_expr info = {.ref = REF_VAR, .var = e->info->result};
	struct expr v = {.kind = EXPR_VAR,
		.scope = SCOPE_THIS,
		.type = e->type,
		.loc = e->loc,
		.info = &info};

	lower_inlined(l, e);
	maybe_variable(l, &v, p, nul);
}

static void maybe_conditional(
	struct lower *l, const struct expr *e, const struct byte_place *p, uint32_t nul)
{
	struct ir_block *yes = ir_new_block(l, "yes"), *no = ir_new_block(l, "no"),
			*done = ir_new_block(l, "join");
	struct cached c;

	lower_condition(l, e->a, yes, no);
	c = lower_cached(l);
	ir_place(l, yes);
	lower_string_maybe(l, e->b, p, nul);
	ir_emit_jmp(l, done);
	lower_restore(l, c);
	ir_place(l, no);
	lower_string_maybe(l, e->c, p, nul);
	lower_restore(l, c);
	ir_place(l, done);
}

void lower_string_maybe(
	struct lower *l, const struct expr *e, const struct byte_place *p, uint32_t nul)
{
	LOWER_AT(l, e);
	int32_t off;

	if (!lower_may_be_null(e)) {
		lower_string_into(l, e, p);
		ir_emit_set(l, nul, ir_op_imm(0));
	} else if (lower_is_null_constant(e)) {
		ir_emit_set(l, nul, ir_op_imm(1));
	} else if (lower_is_variable(e)) {
		maybe_variable(l, e, p, nul);
	} else if (e->kind == EXPR_CALL && e->info->ref == REF_INLINED) {
		maybe_result(l, e, p, nul);
	} else if (e->kind == EXPR_CAST) {
		struct byte_place q = *p;

		if (q.room > type_resolve(e->type)->size)
			q.room = (uint32_t)type_resolve(e->type)->size;
		lower_string_maybe(l, e->a, &q, nul);
	} else if (lower_gives_null(e)) {
		lower_string_call_maybe(l, e, p, nul);
	} else if (e->kind == EXPR_COND) {
		maybe_conditional(l, e, p, nul);
	} else if (e->kind == EXPR_COMMA) {
		lower_effect(l, e->a);
		lower_string_maybe(l, e->b, p, nul);
	} else {
		off = lower_assign_string(l, e, nul);
		if (off >= 0)
			read_string(l, ir_address(l, ir_op_temp(l->firing.scratch), off), p,
				BPF_FUNC_probe_read_kernel_str, string_limit(l, p));
	}
}

static void put_assignment(struct lower *l, const struct expr *e, const struct byte_place *p)
{
	uint32_t nul = ir_new_temp(l, IRT_SCALAR);
	int32_t off;

	ir_emit_set(l, nul, ir_op_imm(0));
	off = lower_assign_string(l, e, nul);
	check_or_fault(l, COND_EQ, ir_op_temp(nul), ir_op_imm(0), DT_FAULT_BADADDR, ir_op_imm(0));
	if (off >= 0)
		read_string(l, ir_address(l, ir_op_temp(l->firing.scratch), off), p,
			BPF_FUNC_probe_read_kernel_str, string_limit(l, p));
}

/* ---- string + integer ---- */

/* A number for an address of ours, by way of memory: the verifier keeps pointers apart. */
static struct ir_operand as_number(struct lower *l, struct ir_operand at)
{
	struct mem m = {.kind = MEM_OWN, .base = at};

	if (at.kind == OP_TEMP && l->build.f->temps.data[at.temp] == IRT_SCALAR)
		return at;
	return mem_address(l, &m);
}

static bool is_string(const struct expr *e)
{
	return type_resolve(e->type)->kind == TYPE_STRING;
}

/* Returns the operand of sum E that is a string, or a sum of one. */
static const struct expr *string_side(const struct expr *e)
{
	return is_string(e->a) ? e->a : e->b;
}

static struct ir_operand plus(struct lower *l, struct ir_operand n, const struct expr *e)
{
	struct ir_operand more = lower_expr(l, e);

	if (n.kind == OP_IMM && more.kind == OP_IMM)
		return ir_op_imm(n.value + more.value);
	if (ir_is_zero_operand(n))
		return ir_op_temp(ir_as_temp(l, more));
	return ir_op_temp(ir_emit_op(l, IR_ADD, ir_op_temp(ir_as_temp(l, n)), more));
}

/* Returns the sum of the integers of sum E that stand before its string. */
static struct ir_operand added_before(struct lower *l, const struct expr *e)
{
	struct ir_operand n = ir_op_imm(0);

	for (; e->kind == EXPR_BINARY; e = string_side(e))
		if (!is_string(e->a))
			n = plus(l, n, e->a);
	return n;
}

/* Returns N and the integers of sum E that stand after its string. */
static struct ir_operand added_after(struct lower *l, const struct expr *e, struct ir_operand n)
{
	if (e->kind != EXPR_BINARY)
		return n;
	n = added_after(l, string_side(e), n);
	return is_string(e->a) ? plus(l, n, e->b) : n;
}

/* Returns the string of sum E. */
static const struct expr *summed(const struct expr *e)
{
	while (e->kind == EXPR_BINARY)
		e = string_side(e);
	return e;
}

/* Puts what is left of the string at scratch offset SRC after N bytes. */
static void put_suffix(
	struct lower *l, uint32_t src, struct ir_operand n, const struct byte_place *p)
{
	uint32_t room = string_room(l->s->target);
	bool there = p->scratch >= 0 && p->room >= room;
	uint32_t dst = there ? (uint32_t)p->scratch : ir_scratch_alloc(l, room);

	ir_emit_rt(l, "dt_substr", 5, ir_op_temp(l->firing.slot), ir_op_imm(dst), ir_op_imm(src), n,
		ir_op_imm(INT64_MAX));
	if (!there)
		read_string(l, ir_address(l, ir_op_temp(l->firing.scratch), dst), p,
			BPF_FUNC_probe_read_kernel_str, string_limit(l, p));
}

/*
 * Lowers string + integer: what is left of the string, "" from its end on.  A place before the
 * string is read as it is in C.
 */
static void put_rest(struct lower *l, const struct expr *e, const struct byte_place *p)
{
	uint32_t room = string_room(l->s->target), nul = ir_new_temp(l, IRT_SCALAR);
	uint32_t src = ir_scratch_alloc(l, room);
	struct byte_place whole = {ir_op_temp(l->firing.scratch), (int32_t)src, room, (int32_t)src};
	struct ir_operand at = ir_address(l, ir_op_temp(l->firing.scratch), src),
			  flag = ir_op_temp(nul), n;
	struct ir_block *before = NULL, *within, *done;
	const struct expr *s = summed(e);

	n = added_before(l, e);
	if (lower_is_variable(s))
		at = lower_string_variable(l, s, &flag);
	else
		lower_string_maybe(l, s, &whole, nul);
	n = added_after(l, e, n);
	if (n.kind != OP_IMM)
		n = ir_op_temp(ir_as_temp(l, n));
	check_or_fault(l, COND_EQ, flag, ir_op_imm(0), DT_FAULT_BADADDR, n);
	if (n.kind != OP_IMM) {
		before = ir_new_block(l, "before");
		within = ir_new_block(l, "within");
		ir_emit_br(l, COND_SGE, n, ir_op_imm(0), within, before);
		ir_place(l, within);
	}
	if (lower_is_variable(s))
		read_string(l, at, &whole, BPF_FUNC_probe_read_kernel_str, string_limit(l, &whole));
	put_suffix(l, src, n, p);
	if (!before)
		return;
	done = ir_new_block(l, "rest");
	ir_emit_jmp(l, done);
	ir_place(l, before);
	read_string(l, ir_op_temp(ir_emit_op(l, IR_ADD, as_number(l, at), n)), p,
		BPF_FUNC_probe_read_kernel_str, string_limit(l, p));
	ir_place(l, done);
}

/* Lowers a string that is a member of a D struct, or an argument. */
static void put_object(struct lower *l, const struct expr *e, const struct byte_place *p)
{
	uint32_t room = string_limit(l, p), size = (uint32_t)type_resolve(e->type)->size;
	struct mem m;

	if (e->info && e->info->ref == REF_BUILTIN) { /* args[i]: its address */
		read_string(l, lower_expr(l, e), p,
			lower_is_user_pointer(l, e) ? BPF_FUNC_probe_read_user_str
						    : BPF_FUNC_probe_read_kernel_str,
			room);
		return;
	}
	m = lower_mem(l, e);
	if (m.kind == MEM_SCRATCH)
		m = scratch_access(l, &m, size);
	read_string(l,
		m.kind == MEM_OWN || m.kind == MEM_KERNEL ? ir_address(l, m.base, m.off)
							  : mem_address(l, &m),
		p,
		m.kind == MEM_USER ? BPF_FUNC_probe_read_user_str : BPF_FUNC_probe_read_kernel_str,
		size < room ? size : room);
}

void lower_string_into(struct lower *l, const struct expr *e, const struct byte_place *p)
{
	LOWER_AT(l, e);
	const struct builtin_text *text = layout_builtin_text(e);

	if (lower_is_null_constant(e)) {
		emit_fault(l, DT_FAULT_BADADDR, ir_op_imm(0));
		return;
	}
	if (text->source != TEXT_NONE) {
		put_builtin(l, text, p);
		return;
	}
	if (lower_is_variable(e)) {
		put_variable(l, e, p);
		return;
	}
	switch (e->kind) {
	case EXPR_STRING:
		put_literal(l, e->str, e->str_len, p);
		break;
	case EXPR_CALL:
		if (e->info->ref == REF_INLINED)
			put_result(l, e, p);
		else if (e->info->func->id == FUNC_copyinstr)
			put_copyinstr(l, e, p);
		else if (e->info->func->id == FUNC__task_name)
			put_task_name(l, e, p);
		else
			lower_string_call(l, e, p);
		break;
	case EXPR_COND:
		put_conditional(l, e, p);
		break;
	case EXPR_CAST:
		put_stringof(l, e, p);
		break;
	case EXPR_COMMA:
		lower_effect(l, e->a);
		lower_string_into(l, e->b, p);
		break;
	case EXPR_ASSIGN:
		put_assignment(l, e, p);
		break;
	case EXPR_BINARY:
		put_rest(l, e, p);
		break;
	case EXPR_MEMBER:
	case EXPR_INDEX:
	case EXPR_UNARY:
		put_object(l, e, p);
		break;
	default:
		lower_error(l, "D_UNKNOWN", "this string expression cannot be evaluated");
	}
}

uint32_t lower_string_scratch(struct lower *l, const struct expr *e)
{
	uint32_t room = string_room(l->s->target), off = ir_scratch_alloc(l, room);
	struct byte_place p = {ir_op_temp(l->firing.scratch), (int32_t)off, room, (int32_t)off};

	lower_string_into(l, e, &p);
	return off;
}

struct ir_operand lower_strlen(struct lower *l, const struct expr *e)
{
	uint32_t off = lower_string_scratch(l, e), room = string_room(l->s->target);
	uint32_t tmp = ir_scratch_alloc(l, room), len;

	/* the helper counts the bytes that it copies, NUL included */
	len = ir_emit_call(l, BPF_FUNC_probe_read_kernel_str, 3,
		ir_address(l, ir_op_temp(l->firing.scratch), tmp),
		ir_op_imm(l->s->target->strsize + 1),
		ir_address(l, ir_op_temp(l->firing.scratch), off));
	return ir_op_temp(ir_emit_op(l, IR_SUB, ir_op_temp(len), ir_op_imm(1)));
}

/* ---- as pointers ---- */

struct ir_operand lower_string_pointer(struct lower *l, const struct expr *e)
{
	LOWER_AT(l, e);
	struct ir_block *isset = ir_new_block(l, "set"), *done = ir_new_block(l, "pointer");
	uint32_t nul = ir_new_temp(l, IRT_SCALAR), out = ir_new_temp(l, IRT_SCALAR), off;
	struct ir_operand at, flag = ir_op_temp(nul), n;
	struct byte_place p;

	if (e->kind == EXPR_BINARY) {
		n = added_before(l, e);
		at = lower_string_pointer(l, summed(e));
		return ir_op_temp(ir_emit_op(l, IR_ADD, at, added_after(l, e, n)));
	}
	ir_emit_set(l, out, ir_op_imm(0));
	if (lower_is_variable(e)) {
		at = lower_string_variable(l, e, &flag);
	} else {
		off = ir_scratch_alloc(l, string_room(l->s->target));
		l->firing.scratch_kept = l->firing.scratch_used; /* the pointer may be kept */
		p = (struct byte_place){ir_op_temp(l->firing.scratch), (int32_t)off,
			string_room(l->s->target), (int32_t)off};
		/* what follows the NUL can be read; from an earlier string it must not be */
		ir_emit_zero(l, p.base, p.off, string_room(l->s->target));
		lower_string_maybe(l, e, &p, nul);
		at = ir_address(l, ir_op_temp(l->firing.scratch), off);
	}
	ir_emit_br(l, COND_EQ, ir_op_temp(ir_as_temp(l, flag)), ir_op_imm(0), isset, done);
	ir_place(l, isset);
	ir_emit_set(l, out, as_number(l, at));
	ir_place(l, done);
	return ir_op_temp(out);
}
