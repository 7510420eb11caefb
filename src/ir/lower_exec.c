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
	uint32_t name = emit_nonnull(l, array_lookup(l, DT_MAP_EXECS, op_temp(number)), done);

	for (int32_t i = 0; i < COMM_LEN; i += 8) {
		uint32_t v =
			emit_load(l, op_temp(name), (int32_t)offsetof(struct dt_exec, name) + i, 8);

		emit_store(l, p->base, p->off + i, op_temp(v), 8);
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
		return task_address(l);
	pointer = frame_alloc(l, 8);
	number = frame_alloc(l, 8);
	emit_store(l, op_frame(0), (int32_t)pointer, op_temp(of->task), 8);
	emit_call(l, BPF_FUNC_probe_read_kernel, 3, address(l, op_frame(0), number), op_imm(8),
		address(l, op_frame(0), pointer));
	l->build.frame_used = frame;
	return op_temp(emit_load(l, op_frame(0), (int32_t)number, 8));
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
	emit_set(l, number,
		op_temp(emit_rt(l, "dt_exec_name", 5, address_of(l, of), op_temp(of->tgid),
			op_temp(key), op_imm((int64_t)DT_EXEC_MEMBERS(mm, flags, leader, comm)),
			op_imm((int64_t)DT_EXEC_MEMORY(env_end, l->s->target->page)))));
	return true;
}

/* Returns dt_exec_key() of the comm at P. */
static uint32_t exec_key(struct lower *l, const struct byte_place *p, uint32_t tgid)
{
	uint32_t v = emit_load(l, p->base, p->off, 8);

	v = emit_op(l, IR_ADD, op_temp(v), op_temp(tgid));
	v = emit_op(l, IR_MUL, op_temp(v), op_imm(DT_EXEC_MIX));
	v = emit_op(l, IR_ADD, op_temp(v), op_temp(emit_load(l, p->base, p->off + 8, 8)));
	return emit_op(l, IR_MUL, op_temp(v), op_imm(DT_EXEC_MIX));
}

/*
 * The comm of the first thread of process OF is at P: if exec gave another name to the process,
 * writes that.  The usual way is that a word of the cache has the key alone.
 */
static void put_given(struct lower *l, const struct process *of, const struct byte_place *p)
{
	struct ir_block *other = new_block(l, "other comm"), *ask = new_block(l, "ask"),
			*known = new_block(l, "known"), *renamed = new_block(l, "renamed"),
			*done = new_block(l, "given");
	uint32_t key, number = new_temp(l, IRT_SCALAR), at, have;
	struct ir_data *cache;

	/* names are given numbers by atomic operations; without them it is the comm */
	if (!target_has(l->s->target, FEATURE_ATOMICS))
		return;
	key = exec_key(l, p, of->tgid);
	cache = data_section(l, DT_SEC_EXECS);
	cache->size = DT_EXEC_CACHE * 8;
	at = emit_op(l, IR_AND, op_temp(of->tgid), op_imm(DT_EXEC_CACHE - 1));
	at = emit_op(l, IR_SHL, op_temp(at), op_imm(3));
	at = emit_op(l, IR_ADD, op_temp(emit_mov(l, op_data(DT_SEC_EXECS, 0))), op_temp(at));
	have = emit_load(l, op_temp(at), 0, 8);
	emit_br(l, COND_EQ, op_temp(have), op_temp(key), done, other);
	place(l, other);
	emit_set(l, number, op_temp(emit_op(l, IR_XOR, op_temp(have), op_temp(key))));
	emit_br(l, COND_LT, op_temp(number), op_imm(DT_EXECS), renamed, ask);
	place(l, ask);
	if (!ask_name(l, of, key, number))
		emit_set(l, number, op_imm(DT_EXECS));
	emit_br(l, COND_LT, op_temp(number), op_imm(DT_EXECS), known, done);
	place(l, known);
	emit_store(
		l, op_temp(at), 0, op_temp(emit_op(l, IR_XOR, op_temp(key), op_temp(number))), 8);
	emit_br(l, COND_EQ, op_temp(number), op_imm(0), done, renamed);
	place(l, renamed);
	put_exec_number(l, number, p, done);
	emit_jmp(l, done);
	place(l, done);
}

void lower_given_name(struct lower *l, const struct byte_place *p)
{
	const struct process of = {
		.tgid = emit_op(l, IR_SHR, op_temp(current_ids(l)), op_imm(32)),
		.is_current = true,
	};

	put_given(l, &of, p);
}

/* Reads SIZE bytes of kernel memory at BASE + OFF to P; what cannot be read is an error. */
static void read_member(
	struct lower *l, uint32_t base, uint64_t off, const struct byte_place *p, uint32_t size)
{
	uint32_t err = emit_call(l, BPF_FUNC_probe_read_kernel, 3, address(l, p->base, p->off),
		op_imm(size), op_temp(emit_op(l, IR_ADD, op_temp(base), op_imm((int64_t)off))));

	check_or_fault(l, COND_EQ, op_temp(err), op_imm(0), DT_FAULT_BADADDR,
		is_typed(l, base) ? op_imm(0) : op_temp(base));
}

void lower_task_name(struct lower *l, const struct expr *e, const struct byte_place *p)
{
	struct byte_place own = {.base = op_frame(0), .room = COMM_LEN, .scratch = -1},
			  word = {.base = op_frame(0), .room = 8, .scratch = -1};
	uint32_t room = string_limit(l, p), frame = l->build.frame_used, leader;
	uint32_t at = frame_alloc(l, COMM_LEN);
	uint64_t comm, first, tgid;
	struct process of = {0};

	own.off = (int32_t)at;
	word.off = (int32_t)frame_alloc(l, 8);
	if (!offset_of(l, "task_struct", "comm", &comm) ||
		!offset_of(l, "task_struct", "group_leader", &first) ||
		!offset_of(l, "task_struct", "tgid", &tgid)) {
		lower_error(l, "D_UNKNOWN",
			"struct task_struct of this kernel is not known (no type information)");
		return;
	}
	of.task = as_temp(l, pointer_value(l, e->args.data[0]));
	read_member(l, of.task, first, &word, 8);
	leader = emit_load(l, word.base, word.off, 8);
	read_member(l, leader, comm, &own, COMM_LEN);
	if (is_typed(l, of.task)) {
		of.tgid = emit_load(l, op_temp(of.task), (int32_t)tgid, 4);
	} else {
		read_member(l, of.task, tgid, &word, 4);
		of.tgid = emit_load(l, word.base, word.off, 4);
	}
	put_given(l, &of, &own);
	read_string(l, address(l, op_frame(0), at), p, BPF_FUNC_probe_read_kernel_str, room);
	l->build.frame_used = frame;
}
