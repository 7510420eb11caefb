// SPDX-License-Identifier: Apache-2.0
/*
 * Lowers the name that exec gave to a process, which is mostly the comm of its first thread.  A
 * cache of what was found out is looked at in place; src/rt/exec.bpf.c finds it out.
 */
#include "abi/kernel.h"
#include "abi/record.h"
#include "ir/ir.h"
#include "ir/lower_build.h"
#include "ir/lower_builtin.h"
#include "ir/lower_fault.h"
#include "ir/lower_mem.h"
#include "ir/lower_state.h"
#include "ir/target.h"
#include "ir/lower_str.h"
#include "lang/ast.h"
#include "types/type.h"
#include "types/types.h"

#include <stddef.h>

/* A process whose name is wanted. */
struct process {
	uint32_t tgid;
	bool is_current;
	uint32_t task; /* the address of one of its threads, unless it is the current process */
};

/* True if the verifier knows what pointer V points to. */
static bool is_typed(const struct lower *l, uint32_t v)
{
	return l->build.f->temps.data[v] != IRT_SCALAR;
}

/* Writes name NUMBER of DT_MAP_EXECS, which lies in the map for good. */
static void put_exec_number(
	struct lower *l, uint32_t number, const struct byte_place *p, struct ir_block *done)
{
	uint32_t name =
		ir_emit_nonnull(l, ir_array_lookup(l, DT_MAP_EXECS, ir_op_temp(number)), done);

	for (int32_t i = 0; i < COMM_LEN; i += 8) {
		uint32_t v = ir_emit_load(
			l, ir_op_temp(name), (int32_t)offsetof(struct dt_exec, name) + i, 8);

		ir_emit_store(l, p->base, p->off + i, ir_op_temp(v), 8);
	}
}

/* Returns the offset of MEMBER in struct STRUCTURE; false: this kernel has none, or it is far. */
static bool offset_of(struct lower *l, const char *structure, const char *member, uint64_t *at)
{
	const struct type *t = types_lookup(l->s->target->types, SPACE_STRUCT, structure);
	struct member_path m;

	if (!t || !type_find_member(t, member, &m))
		return false;
	*at = m.bit_offset / 8;
	return *at < 1 << 16;
}

/*
 * Returns the address of a thread of OF as a number, as run-time functions take it: the verifier
 * knows a pointer in the frame, but not what a helper reads there.
 */
static struct ir_operand address_of(struct lower *l, const struct process *of)
{
	uint32_t frame = l->build.frame_used, pointer, number;

	if (of->is_current)
		return lower_task_address(l);
	pointer = ir_frame_alloc(l, 8);
	number = ir_frame_alloc(l, 8);
	ir_emit_store(l, ir_op_frame(0), (int32_t)pointer, ir_op_temp(of->task), 8);
	ir_emit_call(l, BPF_FUNC_probe_read_kernel, 3, ir_address(l, ir_op_frame(0), number),
		ir_op_imm(8), ir_address(l, ir_op_frame(0), pointer));
	l->build.frame_used = frame;
	return ir_op_temp(ir_emit_load(l, ir_op_frame(0), (int32_t)number, 8));
}

/* Emits the call that finds out; false: the kernel's types do not say where to look. */
static bool ask_name(struct lower *l, const struct process *of, uint32_t key, uint32_t number)
{
	uint64_t mm, flags, leader, comm, env_end;

	if (!offset_of(l, "task_struct", "mm", &mm) ||
		!offset_of(l, "task_struct", "flags", &flags) ||
		!offset_of(l, "task_struct", "group_leader", &leader) ||
		!offset_of(l, "task_struct", "comm", &comm) ||
		!offset_of(l, "mm_struct", "env_end", &env_end))
		return false;
	ir_emit_set(l, number,
		ir_op_temp(ir_emit_rt(l, "dt_exec_name", 5, address_of(l, of), ir_op_temp(of->tgid),
			ir_op_temp(key),
			ir_op_imm((int64_t)DT_EXEC_MEMBERS(mm, flags, leader, comm)),
			ir_op_imm((int64_t)DT_EXEC_MEMORY(env_end, l->s->target->page)))));
	return true;
}

/* Returns dt_exec_key() of the comm at P. */
static uint32_t exec_key(struct lower *l, const struct byte_place *p, uint32_t tgid)
{
	uint32_t v = ir_emit_load(l, p->base, p->off, 8);

	v = ir_emit_op(l, IR_ADD, ir_op_temp(v), ir_op_temp(tgid));
	v = ir_emit_op(l, IR_MUL, ir_op_temp(v), ir_op_imm(DT_EXEC_MIX));
	v = ir_emit_op(
		l, IR_ADD, ir_op_temp(v), ir_op_temp(ir_emit_load(l, p->base, p->off + 8, 8)));
	return ir_emit_op(l, IR_MUL, ir_op_temp(v), ir_op_imm(DT_EXEC_MIX));
}

/*
 * The comm of the first thread of process OF is at P: if exec gave another name to the process,
 * writes that.  The usual way is that a word of the cache has the key alone.
 */
static void put_given(struct lower *l, const struct process *of, const struct byte_place *p)
{
	struct ir_block *other = ir_new_block(l, "other comm"), *ask = ir_new_block(l, "ask"),
			*known = ir_new_block(l, "known"), *renamed = ir_new_block(l, "renamed"),
			*done = ir_new_block(l, "given");
	uint32_t key, number = ir_new_temp(l, IRT_SCALAR), at, have;
	struct ir_data *cache;

	/* names are given numbers by atomic operations; without them it is the comm */
	if (!target_has(l->s->target, FEATURE_ATOMICS))
		return;
	key = exec_key(l, p, of->tgid);
	cache = ir_data_section(l, DT_SEC_EXECS);
	cache->size = DT_EXEC_CACHE * 8;
	at = ir_emit_op(l, IR_AND, ir_op_temp(of->tgid), ir_op_imm(DT_EXEC_CACHE - 1));
	at = ir_emit_op(l, IR_SHL, ir_op_temp(at), ir_op_imm(3));
	at = ir_emit_op(
		l, IR_ADD, ir_op_temp(ir_emit_mov(l, ir_op_data(DT_SEC_EXECS, 0))), ir_op_temp(at));
	have = ir_emit_load(l, ir_op_temp(at), 0, 8);
	ir_emit_br(l, COND_EQ, ir_op_temp(have), ir_op_temp(key), done, other);
	ir_place(l, other);
	ir_emit_set(
		l, number, ir_op_temp(ir_emit_op(l, IR_XOR, ir_op_temp(have), ir_op_temp(key))));
	ir_emit_br(l, COND_LT, ir_op_temp(number), ir_op_imm(DT_EXECS), renamed, ask);
	ir_place(l, ask);
	if (!ask_name(l, of, key, number))
		ir_emit_set(l, number, ir_op_imm(DT_EXECS));
	ir_emit_br(l, COND_LT, ir_op_temp(number), ir_op_imm(DT_EXECS), known, done);
	ir_place(l, known);
	ir_emit_store(l, ir_op_temp(at), 0,
		ir_op_temp(ir_emit_op(l, IR_XOR, ir_op_temp(key), ir_op_temp(number))), 8);
	ir_emit_br(l, COND_EQ, ir_op_temp(number), ir_op_imm(0), done, renamed);
	ir_place(l, renamed);
	put_exec_number(l, number, p, done);
	ir_emit_jmp(l, done);
	ir_place(l, done);
}

void lower_given_name(struct lower *l, const struct byte_place *p)
{
	const struct process of = {
		.tgid = ir_emit_op(l, IR_SHR, ir_op_temp(lower_current_ids(l)), ir_op_imm(32)),
		.is_current = true,
	};

	put_given(l, &of, p);
}

/* Reads SIZE bytes of kernel memory at BASE + OFF to P; what cannot be read is an error. */
static void read_member(
	struct lower *l, uint32_t base, uint64_t off, const struct byte_place *p, uint32_t size)
{
	uint32_t err = ir_emit_call(l, BPF_FUNC_probe_read_kernel, 3,
		ir_address(l, p->base, p->off), ir_op_imm(size),
		ir_op_temp(ir_emit_op(l, IR_ADD, ir_op_temp(base), ir_op_imm((int64_t)off))));

	check_or_fault(l, COND_EQ, ir_op_temp(err), ir_op_imm(0), DT_FAULT_BADADDR,
		is_typed(l, base) ? ir_op_imm(0) : ir_op_temp(base));
}

void lower_task_name(struct lower *l, const struct expr *e, const struct byte_place *p)
{
	struct byte_place own = {.base = ir_op_frame(0), .room = COMM_LEN, .scratch = -1},
			  word = {.base = ir_op_frame(0), .room = 8, .scratch = -1};
	uint32_t room = string_limit(l, p), frame = l->build.frame_used, leader;
	uint32_t at = ir_frame_alloc(l, COMM_LEN);
	uint64_t comm, first, tgid;
	struct process of = {0};

	own.off = (int32_t)at;
	word.off = (int32_t)ir_frame_alloc(l, 8);
	if (!offset_of(l, "task_struct", "comm", &comm) ||
		!offset_of(l, "task_struct", "group_leader", &first) ||
		!offset_of(l, "task_struct", "tgid", &tgid)) {
		lower_error(l, "D_UNKNOWN",
			"struct task_struct of this kernel is not known (no type information)");
		return;
	}
	of.task = ir_as_temp(l, lower_pointer_value(l, e->args.data[0]));
	read_member(l, of.task, first, &word, 8);
	leader = ir_emit_load(l, word.base, word.off, 8);
	read_member(l, leader, comm, &own, COMM_LEN);
	if (is_typed(l, of.task)) {
		of.tgid = ir_emit_load(l, ir_op_temp(of.task), (int32_t)tgid, 4);
	} else {
		read_member(l, of.task, tgid, &word, 4);
		of.tgid = ir_emit_load(l, word.base, word.off, 4);
	}
	put_given(l, &of, &own);
	read_string(l, ir_address(l, ir_op_frame(0), at), p, BPF_FUNC_probe_read_kernel_str, room);
	l->build.frame_used = frame;
}
