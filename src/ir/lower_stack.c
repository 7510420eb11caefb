// SPDX-License-Identifier: Apache-2.0
/*
 * Lowers stacks as values, and stackdepth, caller, ustackdepth and ucaller.
 *
 * A kernel stack taken by a program on a tracepoint begins with the program and the functions that
 * the tracepoint calls it by.  How many these are depends on the compiler that built the kernel
 * and on whether others use the tracepoint too, so they are told by their addresses.
 */
#include "abi/kernel.h"
#include "abi/stacks.h"
#include "arch/arch.h"
#include "base/arena.h"
#include "base/vec.h"
#include "ir/ir.h"
#include "ir/lower_build.h"
#include "ir/lower_builtin.h"
#include "ir/lower_stack.h"
#include "ir/lower_state.h"
#include "ir/target.h"
#include "lang/ast.h"
#include "probe/attach.h"
#include "sema/names.h"
#include "sema/typed.h"
#include "types/type.h"
#include "types/types.h"

#include <stdio.h>
#include <string.h>

#define GLUE_MOST DT_STACK_EXTRA /* frames of them, with those of the program and its loops */

static const struct kernel_code programs = {ARCH_MODULES, ARCH_MODULES_SIZE};

/*
 * Frames that are on top of dt_each()'s kernel stack whatever the kernel, for there may be more
 * than DT_STACK_EXTRA: dt_each(), the run-time function's callback and two of the helper, or that
 * function and the program.
 */
#define EACH_FRAMES 4

/* BEGIN and END run in our own system call: what is on that stack needs no tables. */
static bool walks_stack(const struct lower *l, bool user)
{
	return user && l->unit->plan.kind != ATTACH_BEGIN && l->unit->plan.kind != ATTACH_END;
}

static uint32_t frame(struct lower *l, uint32_t off, uint32_t i)
{
	return ir_emit_load(l, ir_op_temp(l->firing.scratch), (int32_t)(off + 8 * i), 8);
}

enum stack_of stack_of(const struct expr *e)
{
	if (!type_resolve(e->type)->is_user)
		return STACK_KERNEL;
	/* the second argument is room for names, whatever its size */
	return e->info->func->id == FUNC_jstack || e->args.len > 1 ? STACK_MANAGED : STACK_USER;
}

/* How many frames to walk: N, or none while the consumer does not want any. */
static uint32_t frames_wanted(struct lower *l, uint32_t n)
{
	uint32_t st = ir_emit_mov(l, ir_op_data(DT_SEC_STATE, 0)),
		 frames = ir_emit_mov(l, ir_op_imm(n));
	uint32_t shift =
		ir_emit_load(l, ir_op_temp(st), offsetof(struct dt_state, user_frames_shift), 4);

	return ir_emit_op(l, IR_SHR, ir_op_temp(frames), ir_op_temp(shift));
}

/* Walks the user stack by its tables to offset OFF of the scratch slot. */
static uint32_t walk_frames(struct lower *l, uint32_t off, uint32_t size, enum stack_of of)
{
	uint32_t frames = frames_wanted(l, size / 8), n, pc;

	if (of == STACK_MANAGED)
		return ir_emit_rt(l, "dt_jstack", 5, ir_op_temp(l->firing.slot), ir_op_imm(off),
			ir_op_temp(frames), ir_op_temp(lower_current_process(l)),
			ir_op_imm(l->unit->plan.shift));
	n = ir_emit_rt(l, "dt_ustack", 4, ir_op_temp(l->firing.slot), ir_op_imm(off),
		ir_op_temp(frames), ir_op_temp(lower_current_process(l)));
	if (l->unit->plan.shift) { /* the probe is about what stands before this instruction */
		pc = frame(l, off, 0);
		pc = ir_emit_op(l, IR_SUB, ir_op_temp(pc), ir_op_imm(l->unit->plan.shift));
		ir_emit_store(l, ir_op_temp(l->firing.scratch), (int32_t)off, ir_op_temp(pc), 8);
	}
	return n;
}

/* The same with zeros after it. */
static uint32_t walk_stack(struct lower *l, uint32_t off, uint32_t size, enum stack_of of)
{
	ir_emit_zero(l, ir_op_temp(l->firing.scratch), (int32_t)off, size);
	return walk_frames(l, off, size, of);
}

uint32_t emit_stack(struct lower *l, struct ir_operand at, uint32_t size, enum stack_of of)
{
	bool user = of != STACK_KERNEL;
	struct ir_operand flags = ir_op_imm(user ? BPF_F_USER_STACK
			: l->unit->is_each	 ? EACH_FRAMES
						 : 0);

	if (walks_stack(l, user)) {
		uint32_t off = ir_scratch_alloc(l, size), n = walk_stack(l, off, size, of);

		ir_emit_call(l, BPF_FUNC_probe_read_kernel, 3, at, ir_op_imm(size),
			ir_address(l, ir_op_temp(l->firing.scratch), off));
		return n;
	}

	if (lower_about_other_task(l) || l->unit->is_each || l->unit->plan.kind == ATTACH_NETFILTER)
		return ir_emit_call(l, BPF_FUNC_get_task_stack, 4,
			ir_op_temp(lower_current_task(l)), at, ir_op_imm(size), flags);
	return ir_emit_call(l, BPF_FUNC_get_stack, 4, ir_op_ctx(l), at, ir_op_imm(size), flags);
}

struct ir_operand emit_stack_mark(struct lower *l, uint32_t n)
{
	uint32_t part;

	if (!walks_stack(l, true)) /* by frame pointers */
		return ir_op_imm((int64_t)DT_USTACK_PART);
	part = ir_emit_op(l, IR_AND, ir_op_temp(n), ir_op_imm(1));
	return ir_op_temp(ir_emit_op(l, IR_SHL, ir_op_temp(part), ir_op_imm(32)));
}

/*
 * Frames of the current stack into the scratch slot; returns the bytes, or a negative error.  What
 * follows the frames is undefined.
 */
static uint32_t read_stack(struct lower *l, uint32_t frames, bool user, uint32_t *off)
{
	*off = ir_scratch_alloc(l, 8 * frames);
	if (walks_stack(l, user))
		return walk_frames(l, *off, 8 * frames, STACK_USER);
	return emit_stack(l, ir_address(l, ir_op_temp(l->firing.scratch), *off), 8 * frames,
		user ? STACK_USER : STACK_KERNEL);
}

/* BEGIN and END run in our own system call, ERROR has no context. */
bool has_stack(const struct lower *l, bool user)
{
	return !l->unit->is_error && !(user && lower_about_other_task(l)) &&
		(user || (l->unit->plan.kind != ATTACH_BEGIN && l->unit->plan.kind != ATTACH_END));
}

/* Sets the glue of H to those of NAMES that the kernel has. */
static void keep_known(struct hook_glue *h,
	bool (*code)(const char *const *names, uint32_t n, struct kernel_code *out),
	const char *const names[3])
{
	struct kernel_code found[3];

	code(names, 3, found);
	for (unsigned i = 0; i < 3; i++)
		if (found[i].addr)
			h->glue[h->n++] = found[i];
}

/* include/trace/bpf_probe.h, kernel/trace/bpf_trace.c */
static void look_up_glue(const struct lower *l, struct hook_glue *h)
{
	const struct target *t = l->s->target;
	const struct type *proto = NULL;
	char text[3][96];
	const char *const names[3] = {text[0], text[1], text[2]};

	if (!t->code || !types_tracepoint(t->types, h->hook, &proto))
		return;
	snprintf(text[0], sizeof(text[0]), "bpf_trace_run%u", type_params(proto, NULL, NULL, 0));
	snprintf(text[1], sizeof(text[1]), "__bpf_trace_%s", h->hook);
	snprintf(text[2], sizeof(text[2]), "__traceiter_%s", h->hook);
	keep_known(h, t->code, names);
}

/* net/netfilter/nf_bpf_link.c; bpf_get_task_stack() shows itself. */
static void look_up_netfilter_glue(const struct lower *l, struct hook_glue *h)
{
	static const char *const names[] = {
		"__bpf_get_task_stack", "bpf_get_task_stack", "nf_hook_run_bpf"};
	const struct target *t = l->s->target;

	if (t->code)
		keep_known(h, t->code, names);
}

/*
 * perf takes the registers of who calls its function for the event (perf_fetch_caller_regs() in
 * include/trace/perf.h): the kernel's code, or what goes through several tracers of a tracepoint.
 */
static void look_up_record_glue(const struct lower *l, struct hook_glue *h)
{
	const struct target *t = l->s->target;
	const char *name = arena_printf(l->s->arena, "__traceiter_%s", h->hook);

	if (t->code)
		h->n = t->code(&name, 1, h->glue) && h->glue[0].addr;
}

static const struct hook_glue *hook_glue(struct lower *l)
{
	bool netfilter = l->unit->plan.kind == ATTACH_NETFILTER;
	bool record = l->unit->plan.kind == ATTACH_EVENT_RECORD;
	const char *hook = netfilter ? "" : l->unit->plan.hook;
	struct hook_glue *h;

	for (uint32_t i = 0; i < l->s->glues.len; i++)
		if (!strcmp(l->s->glues.data[i].hook, hook) && l->s->glues.data[i].record == record)
			return &l->s->glues.data[i];
	h = vec_add(l->s->arena, &l->s->glues);
	*h = (struct hook_glue){.hook = hook, .record = record};
	if (record)
		look_up_record_glue(l, h);
	else if (netfilter)
		look_up_netfilter_glue(l, h);
	else
		look_up_glue(l, h);
	return h;
}

/* Returns how many are known. */
static uint32_t find_glue(struct lower *l, struct kernel_code *out)
{
	enum attach_kind kind = l->unit->plan.kind;
	bool is_below = l->build.f->is_callback || l->unit->is_each || kind == ATTACH_NETFILTER;
	const struct hook_glue *h;
	uint32_t n;

	if (kind != ATTACH_TP_BTF && kind != ATTACH_NETFILTER && !l->unit->is_each)
		return 0;
	h = hook_glue(l);
	n = h->n;
	memcpy(out, h->glue, sizeof(h->glue));
	if (n && is_below) /* the program is below what the stack begins with */
		out[n++] = programs;
	return n;
}

/* Go to YES when frame number I of the stack at OFF is one of the glue, else to NO. */
static void branch_glue(struct lower *l, const struct kernel_code *glue, uint32_t n, uint32_t pc,
	struct ir_block *yes, struct ir_block *no)
{
	for (uint32_t i = 0; i < n; i++) {
		struct ir_block *next = i + 1 < n ? ir_new_block(l, "glue") : no;
		uint32_t d =
			ir_emit_op(l, IR_SUB, ir_op_temp(pc), ir_op_imm((int64_t)glue[i].addr));

		ir_emit_br(l, COND_LT, ir_op_temp(d), ir_op_imm((int64_t)glue[i].size), yes, next);
		if (next != no)
			ir_place(l, next);
	}
}

/* Returns the number of frames to hide; of a function's probe, the program and its trampoline. */
static uint32_t hidden_glue(const struct lower *l)
{
	bool function = l->unit->plan.kind == ATTACH_FENTRY || l->unit->plan.kind == ATTACH_FEXIT;

	return function ? 2 : DT_STACK_GLUE;
}

/* machinery() of a trace event's record: one frame at most. */
static struct ir_operand record_machinery(struct lower *l, uint32_t off, uint32_t *second)
{
	struct ir_block *iter = ir_new_block(l, "traceiter"), *done = ir_new_block(l, "others");
	const struct hook_glue *h = hook_glue(l);
	uint32_t skip = ir_new_temp(l, IRT_SCALAR);

	ir_emit_set(l, skip, ir_op_imm(0));
	if (second)
		ir_emit_set(l, *second, ir_op_temp(frame(l, off, 1)));
	if (h->n)
		branch_glue(l, h->glue, h->n, frame(l, off, 0), iter, done);
	else
		ir_emit_jmp(l, iter);
	ir_place(l, iter);
	if (h->n) {
		ir_emit_set(l, skip, ir_op_imm(1));
		if (second)
			ir_emit_set(l, *second, ir_op_temp(frame(l, off, 2)));
	}
	ir_emit_jmp(l, done);
	ir_place(l, done);
	return ir_op_temp(skip);
}

/*
 * Counts the frames of the stack at OFF that are the tracing machinery's; *SECOND, unless NULL,
 * becomes the second of the others.
 */
static struct ir_operand machinery(struct lower *l, uint32_t off, bool user, uint32_t *second)
{
	struct ir_block *done = ir_new_block(l, "others");
	uint32_t skip = ir_new_temp(l, IRT_SCALAR), n;
	struct kernel_code glue[4];

	if (user || attach_is_event(l->unit->plan.kind) || lower_about_other_task(l)) {
		if (second)
			ir_emit_set(l, *second, ir_op_temp(frame(l, off, 1)));
		ir_emit_jmp(l, done);
		ir_place(l, done);
		return ir_op_imm(0);
	}
	if (l->unit->plan.kind == ATTACH_EVENT_RECORD)
		return record_machinery(l, off, second);
	n = find_glue(l, glue);
	for (uint32_t i = 1; i <= GLUE_MOST; i++) {
		struct ir_block *more = ir_new_block(l, "machinery");

		if (!n) /* hidden: as kernels of our day have it */
			i = hidden_glue(l);
		ir_emit_set(l, skip, ir_op_imm(i));
		if (second)
			ir_emit_set(l, *second, ir_op_temp(frame(l, off, i + 1)));
		if (!n || i == GLUE_MOST) {
			ir_emit_jmp(l, done);
			break;
		}
		branch_glue(l, glue, n, frame(l, off, i), more, done);
		ir_place(l, more);
	}
	ir_place(l, done);
	return ir_op_temp(skip);
}

struct ir_operand lower_stack_depth(struct lower *l, bool user)
{
	struct ir_block *some = ir_new_block(l, "stack"), *most = ir_new_block(l, "most"),
			*done = ir_new_block(l, "depth");
	uint32_t max = user ? l->s->target->maxuframes : l->s->target->maxframes;
	uint32_t n, off, out = ir_new_temp(l, IRT_SCALAR), depth;
	struct ir_operand skip;

	if (!has_stack(l, user))
		return ir_op_imm(0);
	n = read_stack(l, max + (user ? 0 : GLUE_MOST), user, &off);
	ir_emit_set(l, out, ir_op_imm(0));
	ir_emit_br(l, COND_SGT, ir_op_temp(n), ir_op_imm(0), some, done);
	ir_place(l, some);
	skip = machinery(l, off, user, NULL);
	depth = ir_emit_op(
		l, IR_SUB, ir_op_temp(ir_emit_op(l, IR_SHR, ir_op_temp(n), ir_op_imm(3))), skip);
	ir_emit_set(l, out, ir_op_temp(depth));
	ir_emit_br(l, COND_GT, ir_op_temp(depth), ir_op_imm(max), most, done);
	ir_place(l, most);
	ir_emit_set(l, out, ir_op_imm(max));
	ir_place(l, done);
	return ir_op_temp(out);
}

#define LOCK_FRAMES 6 /* of the kernel's functions for locks, at most */

/* Returns the sections of the kernel's code for locks; NULL: they are not known. */
static const struct kernel_code *lock_sections(struct lower *l)
{
	static const char *const names[] = {
		"__lock_text_start", "__lock_text_end", "__sched_text_start", "__sched_text_end"};
	const struct target *t = l->s->target;
	struct lock_code *c = &l->s->locks;
	struct kernel_code at[4];

	if (!c->looked_up && t->code && t->code(names, 4, at)) {
		c->known = true;
		for (unsigned i = 0; i < 2; i++)
			c->sections[i] = (struct kernel_code){
				at[2 * i].addr, at[2 * i + 1].addr - at[2 * i].addr};
	}
	c->looked_up = true;
	return c->known ? c->sections : NULL;
}

/* Sets ADDR and SIZE to the section of LOCKS that PC is in, or to one with nothing in it. */
static void choose_section(
	struct lower *l, const struct kernel_code *locks, uint32_t pc, uint32_t addr, uint32_t size)
{
	struct ir_block *chosen = ir_new_block(l, "chosen");

	for (unsigned i = 0; i < 2; i++) {
		struct ir_block *next = ir_new_block(l, "section");
		uint32_t d =
			ir_emit_op(l, IR_SUB, ir_op_temp(pc), ir_op_imm((int64_t)locks[i].addr));

		ir_emit_set(l, addr, ir_op_imm((int64_t)locks[i].addr));
		ir_emit_set(l, size, ir_op_imm((int64_t)locks[i].size));
		ir_emit_br(l, COND_LT, ir_op_temp(d), ir_op_temp(size), chosen, next);
		ir_place(l, next);
	}
	ir_emit_set(l, size, ir_op_imm(1));
	ir_emit_set(l, addr, ir_op_imm(0));
	ir_emit_jmp(l, chosen);
	ir_place(l, chosen);
}

/*
 * Returns the place that wants the lock: the first frame that is not in the section of the kernel's
 * code that frame 0 is in.  Functions for locks that sleep call those for locks that spin; each
 * kind has its section, and the calls of both between them do not count.
 */
static struct ir_operand lower_lock_caller(struct lower *l, const struct kernel_code *locks)
{
	struct ir_block *done = ir_new_block(l, "done"), *none = ir_new_block(l, "none"),
			*found = ir_new_block(l, "found"), *some = ir_new_block(l, "stack");
	uint32_t out = ir_new_temp(l, IRT_SCALAR), at = ir_new_temp(l, IRT_SCALAR);
	uint32_t addr = ir_new_temp(l, IRT_SCALAR), size = ir_new_temp(l, IRT_SCALAR);
	uint32_t frames = GLUE_MOST + LOCK_FRAMES, n, off, first;
	struct kernel_code glue[4];

	n = read_stack(l, frames, false, &off);
	ir_emit_set(l, out, ir_op_imm(0));
	ir_emit_set(l, at, ir_op_imm(0));
	ir_emit_set(l, size, ir_op_imm(0));
	ir_emit_set(l, addr, ir_op_imm(0));
	ir_emit_br(l, COND_SGT, ir_op_temp(n), ir_op_imm(0), some, done);
	ir_place(l, some);
	first = find_glue(l, glue);
	for (uint32_t i = first ? 1 : hidden_glue(l); i < frames; i++) {
		uint32_t pc = frame(l, off, i), d;
		struct ir_block *begun = ir_new_block(l, "begun"),
				*begin = ir_new_block(l, "begin"), *own = ir_new_block(l, "own"),
				*next = ir_new_block(l, "next");

		ir_emit_set(l, at, ir_op_imm(i));
		ir_emit_set(l, out, ir_op_temp(pc));
		ir_emit_br(l, COND_NE, ir_op_temp(size), ir_op_imm(0), begun, begin);
		ir_place(l, begin);
		if (first)
			branch_glue(l, glue, first, pc, next, own);
		else
			ir_emit_jmp(l, own);
		ir_place(l, own);
		choose_section(l, locks, pc, addr, size);
		ir_emit_jmp(l, next);
		ir_place(l, begun);
		d = ir_emit_op(l, IR_SUB, ir_op_temp(pc), ir_op_temp(addr));
		ir_emit_br(l, COND_LT, ir_op_temp(d), ir_op_temp(size), next, found);
		ir_place(l, next);
	}
	ir_emit_jmp(l, none);
	ir_place(l, found);
	/* after the last frame is what another stack left */
	n = ir_emit_op(l, IR_SHR, ir_op_temp(n), ir_op_imm(3));
	ir_emit_br(l, COND_GT, ir_op_temp(n), ir_op_temp(at), done, none);
	ir_place(l, none);
	ir_emit_set(l, out, ir_op_imm(0));
	ir_emit_jmp(l, done);
	ir_place(l, done);
	return ir_op_temp(out);
}

/* True if the probe is one of the provider lockstat's about waiting. */
static bool is_lock_wait(const struct lower *l)
{
	const struct attach_plan *plan = &l->unit->plan;

	return l->unit->derived && plan->kind == ATTACH_TP_BTF &&
		(!strcmp(plan->hook, "contention_begin") || !strcmp(plan->hook, "contention_end"));
}

/*
 * Returns the return address of the function that the probe is in: frame 1, where frame 0 is the
 * probe's.  For a wait for a lock it is that of the function which wants the lock.
 */
struct ir_operand lower_caller(struct lower *l, bool user)
{
	struct ir_block *some = ir_new_block(l, "stack"), *none = ir_new_block(l, "none"),
			*done = ir_new_block(l, "caller");
	struct ir_operand skip;
	uint32_t n, off, out = ir_new_temp(l, IRT_SCALAR), frames = user ? 2 : GLUE_MOST + 2;
	const struct kernel_code *locks = NULL;

	if (!has_stack(l, user))
		return ir_op_imm(0);
	if (!user && is_lock_wait(l))
		locks = lock_sections(l);
	if (locks)
		return lower_lock_caller(l, locks);
	n = read_stack(l, frames, user, &off);
	ir_emit_set(l, out, ir_op_imm(0));
	ir_emit_br(l, COND_SGT, ir_op_temp(n), ir_op_imm(8), some, done);
	ir_place(l, some);
	skip = machinery(l, off, user, &out);
	n = ir_emit_op(l, IR_SHR, ir_op_temp(n), ir_op_imm(3));
	/* after the last frame is what another stack left */
	n = ir_emit_op(l, IR_SUB, ir_op_temp(n), skip);
	ir_emit_br(l, COND_GT, ir_op_temp(n), ir_op_imm(1), done, none);
	ir_place(l, none);
	ir_emit_set(l, out, ir_op_imm(0));
	ir_place(l, done);
	return ir_op_temp(out);
}

/* ---- stacks as values ---- */

/* True if the kernel may have no room for FRAMES of its stack and those of the machinery. */
static bool may_be_cut(const struct lower *l, uint32_t frames)
{
	return frames + DT_STACK_EXTRA > l->s->target->maxframes;
}

/*
 * Sets MARK to DT_STACK_PART if the kernel had no room for more of its stack, which has BYTES: LEFT
 * of its frames count, and FRAMES are wanted.
 */
static void mark_cut_stack(
	struct lower *l, uint32_t mark, uint32_t bytes, uint32_t left, uint32_t frames)
{
	uint32_t most = l->s->target->maxframes;
	struct ir_block *full = ir_new_block(l, "full"), *lacks = ir_new_block(l, "lacks"),
			*done = ir_new_block(l, "marked");

	ir_emit_br(l, COND_GE, ir_op_temp(bytes), ir_op_imm(8 * most), full, done);
	ir_place(l, full);
	if (frames < most)
		ir_emit_br(l, COND_LT, ir_op_temp(left), ir_op_imm(frames), lacks, done);
	else
		ir_emit_jmp(l, lacks);
	ir_place(l, lacks);
	ir_emit_set(l, mark, ir_op_imm((int64_t)DT_STACK_PART));
	ir_emit_jmp(l, done);
	ir_place(l, done);
}

/*
 * Takes the stack to offset OFF of the scratch slot; returns the number of its frames, at most
 * FRAMES.  *FIRST becomes the offset of the first that is not the tracing machinery's, *MARK
 * DT_STACK_PART if callers are missing, or else 0.
 */
static struct ir_operand take_stack(struct lower *l, uint32_t off, uint32_t frames,
	enum stack_of of, struct ir_operand *first, struct ir_operand *mark)
{
	bool user = of != STACK_KERNEL;
	struct ir_block *some = ir_new_block(l, "stack"), *more = ir_new_block(l, "frames"),
			*cut = ir_new_block(l, "cut"), *done = ir_new_block(l, "taken");
	uint32_t n = ir_new_temp(l, IRT_SCALAR), at = ir_new_temp(l, IRT_SCALAR), bytes, left;
	uint32_t size = 8 * (frames + (user ? 0 : DT_STACK_EXTRA));
	struct ir_operand skip;
	bool moves;

	bytes = walks_stack(l, user)
		? walk_frames(l, off, size, of)
		: emit_stack(l, ir_address(l, ir_op_temp(l->firing.scratch), off), size, of);
	if (user) {
		*mark = emit_stack_mark(l, bytes);
	} else if (may_be_cut(l, frames)) {
		*mark = ir_op_temp(ir_new_temp(l, IRT_SCALAR));
		ir_emit_set(l, mark->temp, ir_op_imm(0));
	}
	ir_emit_set(l, n, ir_op_imm(0));
	ir_emit_set(l, at, ir_op_imm(off));
	ir_emit_br(l, COND_SGT, ir_op_temp(bytes), ir_op_imm(0), some, done);
	ir_place(l, some);
	skip = machinery(l, off, user, NULL);
	moves = skip.kind != OP_IMM || skip.value;
	left = ir_emit_op(l, IR_SHR, ir_op_temp(bytes), ir_op_imm(3));
	left = ir_emit_op(l, IR_SUB, ir_op_temp(left), skip);
	ir_emit_br(l, COND_SGT, ir_op_temp(left), ir_op_imm(0), more, done);
	ir_place(l, more);
	if (!user && may_be_cut(l, frames))
		mark_cut_stack(l, mark->temp, bytes, left, frames);
	if (moves) {
		skip = ir_op_temp(ir_emit_op(l, IR_SHL, skip, ir_op_imm(3)));
		ir_emit_set(l, at, ir_op_temp(ir_emit_op(l, IR_ADD, ir_op_temp(at), skip)));
	}
	ir_emit_set(l, n, ir_op_temp(left));
	ir_emit_br(l, COND_GT, ir_op_temp(left), ir_op_imm(frames), cut, done);
	ir_place(l, cut);
	ir_emit_set(l, n, ir_op_imm(frames));
	ir_place(l, done);
	*first = moves ? ir_op_temp(at) : ir_op_imm(off);
	return ir_op_temp(n);
}

_Static_assert(DT_STACK_PART == DT_USTACK_PART, "emit_stack_mark() makes both");

struct ir_operand lower_kept_stack(struct lower *l, const struct expr *e)
{
	const uint32_t head = sizeof(struct dt_kept_stack);
	bool user = type_resolve(e->type)->is_user;
	uint32_t frames = e->info->frames, off, who;
	struct ir_operand first, n = ir_op_imm(0), mark = ir_op_imm(0);

	/* what is before the first frame makes room for the entry's head, after it for zeros */
	off = ir_scratch_alloc(l,
		      head + 8 * DT_STACK_EXTRA + DT_STACK_ENTRY(l->s->out->module.stack_frames) +
			      8 * DT_STACK_ROUND) +
		head;
	first = ir_op_imm(off);
	if (frames && has_stack(l, user))
		n = take_stack(l, off, frames, stack_of(e), &first, &mark);
	who = ir_emit_mov(l,
		ir_op_imm(
			(int64_t)((user ? DT_STACK_USER : 0) | (frames ? 0 : DT_STACK_UNWANTED))));
	if (mark.kind != OP_IMM || mark.value)
		who = ir_emit_op(l, IR_OR, ir_op_temp(who), mark);
	if (user) {
		who = ir_emit_op(l, IR_OR, ir_op_temp(who), ir_op_temp(lower_current_process(l)));
		l->s->out->module.keeps_user_stacks = true;
	}
	first = ir_op_temp(
		ir_emit_op(l, IR_SUB, ir_op_temp(ir_as_temp(l, first)), ir_op_imm(head)));
	return ir_op_temp(ir_emit_rt(
		l, "dt_stack_keep", 4, ir_op_temp(l->firing.slot), first, n, ir_op_temp(who)));
}
