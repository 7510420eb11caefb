// SPDX-License-Identifier: Apache-2.0
/* Lowers built-in variables. */
#include "abi/kernel.h"
#include "abi/returns.h"
#include "abi/usdt.h"
#include "arch/arch.h"
#include "base/arena.h"
#include "ir/ir.h"
#include "ir/lower_build.h"
#include "ir/lower_builtin.h"
#include "ir/lower_expr.h"
#include "ir/lower_fault.h"
#include "ir/lower_mem.h"
#include "ir/lower_piece.h"
#include "ir/lower_stack.h"
#include "ir/lower_state.h"
#include "ir/target.h"
#include "ir/units.h"
#include "probe/args.h"
#include "probe/attach.h"
#include "sema/names.h"
#include "sema/typed.h"
#include "types/type.h"
#include "types/types.h"

#include <string.h>

bool lower_about_other_task(const struct lower *l)
{
	return l->unit->derived && l->unit->derived->task;
}

static uint32_t running_task(struct lower *l)
{
	uint32_t task;

	if (target_has(l->s->target, FEATURE_TYPED_TASK))
		return ir_emit_call(l, BPF_FUNC_get_current_task_btf, 0);
	task = ir_emit_call(l, BPF_FUNC_get_current_task, 0);
	l->build.f->temps.data[task] = IRT_ADDRESS;
	return task;
}

uint32_t lower_current_task(struct lower *l)
{
	if (!l->seen.task)
		l->seen.task = lower_about_other_task(l)
			? lower_kernel_pointer(l, l->unit->derived->task)
			: running_task(l);
	return l->seen.task;
}

/* pid in the upper half, tid in the lower one, as the helper gives them. */
uint32_t lower_current_ids(struct lower *l)
{
	uint32_t v;

	if (l->seen.pid_tgid)
		return l->seen.pid_tgid;
	if (!lower_about_other_task(l))
		return l->seen.pid_tgid = ir_emit_call(l, BPF_FUNC_get_current_pid_tgid, 0);
	v = ir_emit_op(l, IR_SHL, lower_task_member(l, "tgid", NULL), ir_op_imm(32));
	return l->seen.pid_tgid =
		       ir_emit_op(l, IR_OR, ir_op_temp(v), lower_task_member(l, "pid", NULL));
}

static bool task_path(struct lower *l, const char *name, struct member_path *p)
{
	const struct type *t = types_lookup(l->s->target->types, SPACE_STRUCT, "task_struct");

	return t && type_find_member(t, name, p);
}

/* Does the same, and reports that there is no such member. */
static bool need_task_path(struct lower *l, const char *name, struct member_path *p)
{
	if (task_path(l, name, p))
		return true;
	lower_error(l, "D_UNKNOWN",
		"struct task_struct of this kernel is not known (no type information) or has no member %s",
		name);
	return false;
}

struct ir_operand lower_task_member(struct lower *l, const char *first, const char *second)
{
	struct member_path p, q;
	struct ir_operand base;
	uint32_t next;

	if (!need_task_path(l, first, &p) || (second && !need_task_path(l, second, &q)))
		return ir_op_imm(0);
	base = ir_op_temp(lower_current_task(l));
	if (!second)
		return lower_extend(l,
			ir_op_temp(ir_emit_load(l, base, (int32_t)(p.bit_offset / 8),
				(unsigned)type_resolve(p.type)->size)),
			p.type);
	next = ir_emit_load_pointer(l, base, (int32_t)(p.bit_offset / 8));
	check_or_fault(l, COND_NE, ir_op_temp(next), ir_op_imm(0), DT_FAULT_BADADDR,
		ir_op_imm(q.bit_offset / 8));
	return lower_extend(l,
		ir_op_temp(ir_emit_load(l, ir_op_temp(next), (int32_t)(q.bit_offset / 8),
			(unsigned)type_resolve(q.type)->size)),
		q.type);
}

/* ---- arguments ---- */

int64_t lower_regs_offset(struct lower *l, const char *name)
{
	const struct type *t = types_lookup(l->s->target->types, SPACE_STRUCT, "pt_regs");
	struct member_path p;

	if (!t || !type_find_member(t, name, &p)) {
		lower_error(l, "D_UNKNOWN", "struct pt_regs of this kernel has no member %s", name);
		return -1;
	}
	return p.bit_offset / 8;
}

/* Returns the interrupted program counter if it was in user mode (or kernel mode), else 0. */
static struct ir_operand perf_pc(struct lower *l, bool user)
{
	struct ir_block *other = ir_new_block(l, "othermode"), *mine = ir_new_block(l, "mode"),
			*done = ir_new_block(l, "pc");
	uint32_t v = ir_new_temp(l, IRT_SCALAR);
	uint32_t mode = ir_emit_load(l, ir_op_ctx(l), ARCH_EVENT_MODE, 8);

	mode = ir_emit_op(l, IR_AND, ir_op_temp(mode), ir_op_imm(ARCH_EVENT_MODE_MASK));
	ir_emit_br(l, user ? COND_EQ : COND_NE, ir_op_temp(mode), ir_op_imm(ARCH_EVENT_MODE_USER),
		mine, other);
	ir_place(l, mine);
	ir_emit_set(l, v, ir_op_temp(ir_emit_load(l, ir_op_ctx(l), ARCH_EVENT_PC, 8)));
	ir_emit_jmp(l, done);
	ir_place(l, other);
	ir_emit_set(l, v, ir_op_imm(0));
	ir_place(l, done);
	return ir_op_temp(v);
}

static struct ir_operand fault_arg(struct lower *l, uint32_t n)
{
	/* parameters of dt_error(): probe, clause, code, value */
	switch (n) {
	case 1:
		return ir_op_temp(l->firing.params[0]);
	case 2:
		return ir_op_temp(l->firing.params[1]);
	case 3:
		return ir_op_imm(-1); /* the program counter is not known */
	case 4:
		return ir_op_temp(l->firing.params[2]);
	case 5:
		return ir_op_temp(l->firing.params[3]);
	default:
		return ir_op_imm(0);
	}
}

/* A field of a trace event's record, which is the program's context. */
static struct ir_operand from_record(struct lower *l, const struct arg_source *a)
{
	struct mem ctx = {.kind = MEM_KERNEL, .base = ir_op_ctx(l)};
	uint32_t v;

	if (a->where == WHERE_RECORD) {
		unsigned size = (unsigned)(a->size < 0 ? -a->size : a->size);

		return lower_extend(l,
			ir_op_temp(ir_emit_load(l, ir_op_ctx(l), (int32_t)a->offset, size)),
			types_int(l->s->target->types, size, a->size < 0));
	}
	if (a->where == WHERE_RECORD_ADDR) {
		ctx.off = a->offset;
		return mem_address(l, &ctx);
	}
	/* __data_loc: the offset in the low half of a word */
	v = ir_emit_load(l, ir_op_ctx(l), (int32_t)a->offset, 4);
	v = ir_emit_op(l, IR_AND, ir_op_temp(v), ir_op_imm(0xffff));
	return ir_op_temp(ir_emit_op(l, IR_ADD, mem_address(l, &ctx), ir_op_temp(v)));
}

/* Returns word WORD of the arguments on the stack of a function whose first instruction was
 * reached. */
static struct ir_operand from_stack(struct lower *l, uint32_t word)
{
	uint32_t sp = ir_emit_load(l, ir_op_ctx(l), (int32_t)lower_regs_offset(l, ARCH_SP), 8);
	struct mem m = {
		.kind = MEM_USER, .base = ir_op_temp(sp), .off = 8 * (word + ARCH_CALL_WORDS)};

	return mem_read(l, &m, types_int(l->s->target->types, 8, true));
}

/* Without room in the scratch slot, of which a probe with arguments then needs none. */
static struct ir_operand from_usdt(struct lower *l, uint32_t n)
{
	struct ir_block *odd = ir_new_block(l, "unreadable"), *bad = ir_new_block(l, "argfault"),
			*good = ir_new_block(l, "argument");
	struct ir_operand key = ir_op_temp(l->firing.key);
	uint32_t v = ir_new_temp(l, IRT_SCALAR), code;

	ir_emit_set(l, v, ir_op_temp(ir_emit_rt(l, "dt_usdt_arg", 2, key, ir_op_imm(n))));
	ir_emit_br(l, COND_EQ, ir_op_temp(v), ir_op_imm(DT_USDT_FAULTED), odd, good);
	ir_place(l, odd);
	code = ir_emit_rt(l, "dt_usdt_fault", 3, key, ir_op_imm(n), ir_op_imm(0));
	ir_emit_set(l, v,
		ir_op_temp(ir_emit_rt(l, "dt_usdt_fault", 3, key, ir_op_imm(n), ir_op_imm(1))));
	ir_emit_br(l, COND_EQ, ir_op_temp(code), ir_op_imm(0), good, bad);
	ir_place(l, bad);
	emit_fault_code(l, ir_op_temp(code), ir_op_temp(v));
	ir_place(l, good);
	return ir_op_temp(v);
}

/*
 * Returns the value that the function returns.  If it leaves by a jump, the function that it jumps
 * to will return a value, and nobody knows it yet.
 */
static struct ir_operand from_return(struct lower *l)
{
	struct ir_block *known = ir_new_block(l, "value"), *none = ir_new_block(l, "novalue");
	uint32_t how = ir_emit_rt(l, "dt_leaves", 1, ir_op_temp(l->firing.key));

	ir_emit_br(l, COND_EQ, ir_op_temp(how), ir_op_imm(DT_LEAVES_BY_RETURN), known, none);
	ir_place(l, none);
	emit_fault_code(l, ir_op_imm(DT_FAULT_ILLOP), ir_op_imm(0));
	ir_place(l, known);
	return ir_op_temp(
		ir_emit_load(l, ir_op_ctx(l), (int32_t)lower_regs_offset(l, ARCH_C_RESULT), 8));
}

static struct ir_operand from_source(struct lower *l, const struct arg_source *a)
{
	uint32_t regs;
	int64_t off;

	switch (a->where) {
	case WHERE_CTX:
		return ir_op_temp(ir_emit_load(l, ir_op_ctx(l), (int32_t)a->offset, 8));
	case WHERE_REGS:
		off = lower_regs_offset(l, a->member);
		regs = ir_emit_load_pointer(l, ir_op_ctx(l), (int32_t)a->offset);
		return ir_op_temp(ir_emit_load(l, ir_op_temp(regs), (int32_t)off, 8));
	case WHERE_KERNEL_PC:
		return perf_pc(l, false);
	case WHERE_USER_PC:
		return perf_pc(l, true);
	case WHERE_FAULT:
		return fault_arg(l, a->offset);
	case WHERE_REG:
		return ir_op_temp(
			ir_emit_load(l, ir_op_ctx(l), (int32_t)lower_regs_offset(l, a->member), 8));
	case WHERE_MINUS_ONE:
		return ir_op_imm(-1);
	case WHERE_ITEM:
		return ir_op_temp(l->firing.params[a->offset]);
	case WHERE_STACK:
		return from_stack(l, a->offset);
	case WHERE_USDT:
		return from_usdt(l, a->offset);
	case WHERE_RETURN_OFFSET:
		return ir_op_temp(ir_emit_rt(l, "dt_return_offset", 1, ir_op_temp(l->firing.key)));
	case WHERE_RETURN_VALUE:
		return from_return(l);
	case WHERE_RECORD:
	case WHERE_RECORD_ADDR:
	case WHERE_RECORD_LOC:
		return from_record(l, a);
	default:
		return ir_op_imm(0);
	}
}

/*
 * Returns the clause's arguments: programs at many places serve probes whose arguments differ in
 * type.
 */
const struct probe_args *lower_clause_args(const struct lower *l)
{
	return l->unit->is_open && l->clause.of ? &l->clause.of->args : &l->unit->args;
}

struct ir_operand lower_arg(struct lower *l, uint32_t i)
{
	const struct sema_derived *d = l->unit->derived;
	const struct arg_source *raw = &l->unit->args.raw[i];

	/* a provider block may have another order */
	if (raw->where == WHERE_USDT && l->clause.of &&
		l->clause.of->args.raw[i].where == WHERE_USDT)
		raw = &l->clause.of->args.raw[i];
	if (!d)
		return from_source(l, raw);
	if (!d->args[i])
		return ir_op_imm(0);
	if (!l->seen.args[i]) {
		uint32_t frame = l->build.frame_used, v = ir_as_temp(l, lower_expr(l, d->args[i]));

		l->build.frame_used = frame;
		l->seen.args[i] = v;
	}
	return ir_op_temp(l->seen.args[i]);
}

struct ir_operand lower_hook_arg(struct lower *l, const struct expr *e)
{
	const struct probe_args *hook = &l->unit->derived->from.hook;

	return lower_extend(l, from_source(l, &hook->raw[hook->from[e->value]]), e->type);
}

/* -arg0 when that is an error number, else 0 */
static struct ir_operand error_number(struct lower *l)
{
	struct ir_block *bad = ir_new_block(l, "error"), *good = ir_new_block(l, "noerror"),
			*done = ir_new_block(l, "errno");
	uint32_t v;
	struct ir_operand ret;

	if (!l->unit->args.has_errno)
		return ir_op_imm(0);
	v = ir_new_temp(l, IRT_SCALAR);
	ret = lower_arg(l, 0);
	ir_emit_br(l, COND_GE, ret, ir_op_imm(-4095), bad, good); /* unsigned: -4095 .. -1 */
	ir_place(l, bad);
	ir_emit_set(l, v, ir_op_temp(ir_emit_op(l, IR_SUB, ir_op_imm(0), ret)));
	ir_emit_jmp(l, done);
	ir_place(l, good);
	ir_emit_set(l, v, ir_op_imm(0));
	ir_place(l, done);
	return ir_op_temp(v);
}

static uint32_t read_clock(struct lower *l)
{
	return ir_emit_call(l, BPF_FUNC_ktime_get_ns, 0);
}

static struct ir_operand clock(struct lower *l)
{
	if (!l->seen.timestamp)
		l->seen.timestamp =
			piece_keeps(l) ? piece_value(l, PIECE_TIME, read_clock) : read_clock(l);
	return ir_op_temp(l->seen.timestamp);
}

struct ir_operand lower_wall_time(struct lower *l)
{
	uint32_t v = ir_emit_load(
		l, ir_op_data(DT_SEC_STATE, 0), offsetof(struct dt_state, wall_offset), 8);

	return ir_op_temp(ir_emit_op(l, IR_ADD, clock(l), ir_op_temp(v)));
}

struct ir_operand lower_scheduler_time(struct lower *l)
{
	struct member_path se, sum;

	if (!task_path(l, "se", &se) ||
		!type_find_member(type_resolve(se.type), "sum_exec_runtime", &sum)) {
		lower_error(
			l, "D_UNKNOWN", "vtimestamp: this kernel's scheduler keeps no run time");
		return ir_op_imm(0);
	}
	return ir_op_temp(ir_emit_load(l, ir_op_temp(lower_current_task(l)),
		(int32_t)((se.bit_offset + sum.bit_offset) / 8), 8));
}

/* Returns the result of HELPER, called once where it is kept in *AT. */
static uint32_t once(struct lower *l, int helper, uint32_t *at)
{
	if (!*at)
		*at = ir_emit_call(l, helper, 0);
	return *at;
}

uint32_t lower_current_cpu(struct lower *l)
{
	return once(l, BPF_FUNC_get_smp_processor_id, &l->seen.cpu);
}

/* One half of what two 32-bit numbers in one word a helper gives. */
static struct ir_operand half(struct lower *l, uint32_t v, bool high, const struct type *t)
{
	if (!high)
		return lower_extend(l, ir_op_temp(v), t);
	return ir_op_temp(ir_emit_op(
		l, type_resolve(t)->is_signed ? IR_SAR : IR_SHR, ir_op_temp(v), ir_op_imm(32)));
}

/* ---- pid namespaces, control groups ---- */

/* A pid of the current task as a pid namespace has it; 0 = its own. */
static uint32_t seen_pid(struct lower *l, enum dt_pid_which which, uint32_t ns)
{
	return ir_emit_rt(
		l, "dt_pid_seen", 3, lower_task_address(l), ir_op_imm(which), ir_op_imm(ns));
}

struct ir_operand lower_task_id(struct lower *l, const struct expr *e)
{
	struct ir_operand task = ir_op_temp(ir_as_temp(l, lower_pointer_value(l, e->args.data[0])));

	return ir_op_temp(ir_emit_rt(l, "dt_pid_seen", 3, task, lower_expr(l, e->args.data[1]),
		ir_op_imm(l->s->target->own_pidns)));
}

uint32_t lower_current_process(struct lower *l)
{
	uint32_t id;

	if (l->s->target->own_pidns)
		return seen_pid(l, DT_PID_PROCESS, l->s->target->own_pidns);
	id = lower_current_ids(l);
	return ir_emit_op(l, IR_SHR, ir_op_temp(id), ir_op_imm(32));
}

uint32_t lower_current_thread(struct lower *l)
{
	uint32_t ns = l->s->target->own_pidns, v;

	if (!ns)
		return lower_current_ids(l);
	v = ir_emit_op(l, IR_SHL, ir_op_temp(seen_pid(l, DT_PID_PROCESS, ns)), ir_op_imm(32));
	return ir_emit_op(l, IR_OR, ir_op_temp(v), ir_op_temp(seen_pid(l, DT_PID_THREAD, ns)));
}

/* Returns the pointer MEMBER of struct TAG at BASE. */
static uint32_t follow(struct lower *l, uint32_t base, const char *tag, const char *member)
{
	const struct type *t = types_lookup(l->s->target->types, SPACE_STRUCT, tag);
	struct member_path m;

	if (!t || !type_find_member(t, member, &m)) {
		lower_error(
			l, "D_UNKNOWN", "struct %s of this kernel has no member %s", tag, member);
		return base;
	}
	return ir_emit_load_pointer(l, ir_op_temp(base), (int32_t)(m.bit_offset / 8));
}

static struct ir_operand cgroup_id(struct lower *l)
{
	uint32_t v = follow(l, lower_current_task(l), "task_struct", "cgroups");

	v = follow(l, v, "css_set", "dfl_cgrp");
	v = follow(l, v, "cgroup", "kn");
	v = follow(l, v, "kernfs_node", "id");
	l->build.f->temps.data[v] = IRT_SCALAR;
	return ir_op_temp(v);
}

/*
 * True if the task filters apply: tick has no task, and the state of derived probes is kept for
 * all.
 */
bool lower_task_filtered(const struct lower *l)
{
	const struct attach_plan *plan = &l->unit->plan;
	const struct target *t = l->s->target;

	return (t->in_cgroup || t->in_pidns) && !l->unit->is_error && !l->unit->is_state &&
		plan->kind != ATTACH_BEGIN && plan->kind != ATTACH_END &&
		(plan->kind != ATTACH_CPU_CLOCK || plan->all_cpus);
}

void lower_task_filter(struct lower *l, struct ir_block *out)
{
	const struct target *t = l->s->target;
	struct ir_block *in;
	uint32_t v;

	if (t->in_cgroup) {
		/* the kernel's helper is for the current task, and not for netfilter */
		if (lower_about_other_task(l) || l->unit->plan.kind == ATTACH_NETFILTER)
			v = ir_emit_rt(l, "dt_task_in_cgroup", 2, lower_task_address(l),
				ir_op_imm((int64_t)t->in_cgroup));
		else
			v = ir_emit_rt(l, "dt_in_cgroup", 0);
		in = ir_new_block(l, "cgroup");
		ir_emit_br(l, COND_NE, ir_op_temp(v), ir_op_imm(0), in, out);
		ir_place(l, in);
	}
	if (t->in_pidns) {
		v = seen_pid(l, DT_PID_THREAD, t->in_pidns);
		in = ir_new_block(l, "pidns");
		ir_emit_br(l, COND_NE, ir_op_temp(v), ir_op_imm(0), in, out);
		ir_place(l, in);
	}
}

/*
 * pid and tid: one load where the current task is at hand, as in programs on tracepoints; others
 * need not read the kernel's types for it.
 */
static struct ir_operand task_id(struct lower *l, const char *name, bool high, const struct type *t)
{
	uint32_t ns = l->s->target->own_pidns, *seen = high ? &l->seen.pid : &l->seen.tid;

	if (*seen)
		return ir_op_temp(*seen);
	if (ns)
		*seen = seen_pid(l, high ? DT_PID_PROCESS : DT_PID_THREAD, ns);
	else if (l->unit->plan.kind == ATTACH_TP_BTF)
		*seen = ir_as_temp(l, lower_task_member(l, name, NULL));
	else
		*seen = ir_as_temp(l, half(l, lower_current_ids(l), high, t));
	return ir_op_temp(*seen);
}

struct ir_operand lower_task_address(struct lower *l)
{
	struct mem m = {.kind = MEM_KERNEL};

	if (!lower_about_other_task(l))
		return ir_op_temp(ir_emit_call(l, BPF_FUNC_get_current_task, 0));
	m.base = ir_op_temp(lower_current_task(l));
	return mem_address(l, &m);
}

/* Lowers uid or gid: the real one. */
static struct ir_operand credential(
	struct lower *l, const char *name, bool high, const struct type *t)
{
	struct member_path cred, id;
	uint32_t p;

	if (!lower_about_other_task(l))
		return half(l, once(l, BPF_FUNC_get_current_uid_gid, &l->seen.uid_gid), high, t);
	if (!task_path(l, "cred", &cred) ||
		!type_find_member(type_resolve(type_resolve(cred.type)->ref), name, &id)) {
		lower_error(l, "D_UNKNOWN", "struct cred of this kernel has no %s", name);
		return ir_op_imm(0);
	}
	p = ir_emit_load_pointer(
		l, ir_op_temp(lower_current_task(l)), (int32_t)(cred.bit_offset / 8));
	check_or_fault(l, COND_NE, ir_op_temp(p), ir_op_imm(0), DT_FAULT_BADADDR,
		ir_op_imm(id.bit_offset / 8));
	return lower_extend(
		l, ir_op_temp(ir_emit_load(l, ir_op_temp(p), (int32_t)(id.bit_offset / 8), 4)), t);
}

static struct ir_operand parent_id(struct lower *l)
{
	uint32_t ns = l->s->target->own_pidns;

	if (ns)
		return ir_op_temp(seen_pid(l, DT_PID_PARENT, ns));
	return lower_task_member(l, "real_parent", "tgid");
}

static struct ir_operand enabled_id(struct lower *l)
{
	uint32_t v = ir_emit_op(l, IR_SHL, ir_fired_probe(l), ir_op_imm(32));

	return ir_op_temp(ir_emit_op(l, IR_OR, ir_op_temp(v), ir_op_imm(l->clause.of->number)));
}

static struct ir_operand typed_arg(struct lower *l, const struct expr *e)
{
	uint32_t i = (uint32_t)e->args.data[0]->value;

	return lower_extend(l, lower_arg(l, lower_clause_args(l)->from[i]), e->type);
}

/* ---- registers ---- */

/* uregs[]: by number (d-builtins 1), struct pt_regs' member, or one of thread_struct's. */
static const struct {
	const char *member;
	bool thread;
} uregs[] = {
#define REG(name)    {name, false},
#define THREAD(name) {name, true},
	ARCH_UREGS(REG, THREAD)
#undef REG
#undef THREAD
};

static struct ir_operand thread_register(struct lower *l, const char *name)
{
	struct member_path thread, reg;

	if (!task_path(l, "thread", &thread) ||
		!type_find_member(type_resolve(thread.type), name, &reg)) {
		lower_error(l, "D_UNKNOWN", "struct thread_struct of this kernel has no %s", name);
		return ir_op_imm(0);
	}
	return ir_op_temp(ir_emit_load(l, ir_op_temp(lower_current_task(l)),
		(int32_t)((thread.bit_offset + reg.bit_offset) / 8),
		(unsigned)type_resolve(reg.type)->size));
}

static struct ir_operand user_register(struct lower *l, uint64_t i)
{
	const struct type *t = types_lookup(l->s->target->types, SPACE_STRUCT, "pt_regs");
	struct member_path m;
	uint32_t regs, v;

	if (uregs[i].thread)
		return thread_register(l, uregs[i].member);
	if (!t || !type_find_member(t, uregs[i].member, &m)) {
		lower_error(
			l, "D_UNKNOWN", "struct pt_regs of this kernel has no %s", uregs[i].member);
		return ir_op_imm(0);
	}
	regs = ir_emit_call(l, BPF_FUNC_task_pt_regs, 1, ir_op_temp(lower_current_task(l)));
	l->build.f->temps.data[regs] = IRT_KERNEL;
	v = ir_emit_load(l, ir_op_temp(regs), (int32_t)(m.bit_offset / 8),
		(unsigned)type_resolve(m.type)->size);
	if (l->unit->plan.shift && !strcmp(uregs[i].member, ARCH_PC))
		v = ir_emit_op(l, IR_SUB, ir_op_temp(v), ir_op_imm(l->unit->plan.shift));
	return ir_op_temp(v);
}

/* The line of the probe that fired: the one that there is, or from a table by dispatch key. */
static struct ir_operand probe_line(struct lower *l)
{
	struct unit *u = l->unit;
	struct ir_data *d;
	const char *section;
	uint32_t *lines, at;

	if (!l->firing.key)
		return ir_op_imm(u->probes.data[0]->line);
	section = arena_printf(
		l->arena, "%s.%s_lines", u->is_open ? ".data" : ".rodata", l->unit_name);
	if (u->is_open)
		u->lines = section;
	d = ir_data_section(l, section);
	if (!d->size) {
		d->size = (units_key_mask(u) + 1) * sizeof(*lines);
		d->readonly = !u->is_open;
		lines = arena_alloc(l->arena, d->size);
		for (uint32_t i = 0; i < u->probes.len; i++)
			lines[u->keys.data[i]] = u->probes.data[i]->line;
		d->bytes = (char *)lines;
	}
	at = ir_emit_op(l, IR_MUL, ir_op_temp(l->firing.key), ir_op_imm(sizeof(*lines)));
	at = ir_emit_op(
		l, IR_ADD, ir_op_temp(ir_emit_mov(l, ir_op_data(section, 0))), ir_op_temp(at));
	return ir_op_temp(ir_emit_load(l, ir_op_temp(at), 0, sizeof(*lines)));
}

struct ir_operand lower_builtin(struct lower *l, const struct expr *e)
{
	enum builtin_id id = e->info->builtin->id;

	switch (id) {
	case BUILTIN_args:
		return typed_arg(l, e);
	case BUILTIN_caller:
		return lower_caller(l, false);
	case BUILTIN_ucaller:
		return lower_caller(l, true);
	case BUILTIN_stackdepth:
		return lower_stack_depth(l, false);
	case BUILTIN_ustackdepth:
		return lower_stack_depth(l, true);
	case BUILTIN_uregs:
		return user_register(l, e->args.data[0]->value);
	case BUILTIN_ipl: /* Linux has none: always the lowest */
		return ir_op_imm(0);
	case BUILTIN_cpu:
		return ir_op_temp(lower_current_cpu(l));
	case BUILTIN_curthread:
		return lower_task_address(l);
	case BUILTIN_epid:
		return enabled_id(l);
	case BUILTIN_errno:
		return error_number(l);
	case BUILTIN_gid:
		return credential(l, "gid", true, e->type);
	case BUILTIN_uid:
		return credential(l, "uid", false, e->type);
	case BUILTIN_pid:
		return task_id(l, "tgid", true, e->type);
	case BUILTIN_tid:
		return task_id(l, "pid", false, e->type);
	case BUILTIN_id:
		return ir_fired_probe(l);
	case BUILTIN_probeline:
		return probe_line(l);
	case BUILTIN_ppid:
		return parent_id(l);
	case BUILTIN_nspid:
		return ir_op_temp(seen_pid(l, DT_PID_PROCESS, 0));
	case BUILTIN_goid:
		return lower_about_other_task(l) ? ir_op_imm(0)
						 : ir_op_temp(ir_emit_rt(l, "dt_goid", 1,
							   ir_op_temp(lower_current_process(l))));
	case BUILTIN_cgroupid:
		return cgroup_id(l);
	case BUILTIN_timestamp:
		return clock(l);
	case BUILTIN_vtimestamp:
		return lower_vtimestamp(l);
	case BUILTIN_walltimestamp:
		return lower_wall_time(l);
	default:
		if (id >= BUILTIN_arg0 && id <= BUILTIN_arg9)
			return lower_arg(l, id - BUILTIN_arg0);
		lower_error(l, "D_UNKNOWN", "%s has no integer value", e->info->builtin->name);
		return ir_op_imm(0);
	}
}
