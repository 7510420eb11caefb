// SPDX-License-Identifier: Apache-2.0
/* Lowers actions: writes their data to the clause's record at the offsets of the layout. */
#include <errno.h>
#include <signal.h>

#include "abi/action.h"
#include "abi/flags.h"
#include "abi/kernel.h"
#include "abi/record.h"
#include "abi/syscalls.h"
#include "ir/ir.h"
#include "ir/layout.h"
#include "ir/lower_buffer.h"
#include "ir/lower_build.h"
#include "ir/lower_builtin.h"
#include "ir/lower_expr.h"
#include "ir/lower_fault.h"
#include "ir/lower_mem.h"
#include "ir/lower_object.h"
#include "ir/lower_stack.h"
#include "ir/lower_stmt.h"
#include "ir/lower_str.h"
#include "lang/ast.h"
#include "probe/attach.h"
#include "sema/names.h"
#include "sema/typed.h"
#include "types/type.h"
#include "types/types.h"

/* ---- single data ---- */

/* The process, with a mark if the stack is not whole, and SIZE bytes of its frames. */
static void put_user_stack(
	struct lower *l, const struct expr *e, struct ir_operand base, int32_t off, uint32_t size)
{
	uint32_t word = lower_current_process(l), n;

	if (!l->unit->is_error && !lower_about_other_task(l)) {
		n = emit_stack(l, ir_address(l, base, off + 8), size, stack_of(e));
		word = ir_emit_op(l, IR_OR, ir_op_temp(word), emit_stack_mark(l, n));
	}
	ir_emit_store(l, base, off, ir_op_temp(word), 8);
}

static void put_stack(struct lower *l, const struct expr *e, const struct datum *d,
	struct ir_operand base, int32_t off)
{
	bool user = d->kind == DATUM_USTACK;
	uint32_t size = 8 * (e->info->frames + (user ? 0 : DT_STACK_EXTRA));

	ir_emit_zero(l, base, off, d->size);
	if (user) {
		put_user_stack(l, e, base, off, size);
		return;
	}
	if (has_stack(l, false))
		emit_stack(l, ir_address(l, base, off), size, STACK_KERNEL);
}

static void put_user_address(
	struct lower *l, const struct expr *e, struct ir_operand base, int32_t off)
{
	struct ir_operand addr = lower_expr(l, e->args.data[0]);

	if (addr.kind != OP_IMM)
		addr = ir_op_temp(ir_as_temp(l, addr));
	ir_emit_store(l, base, off, ir_op_temp(lower_current_process(l)), 8);
	ir_emit_store(l, base, off + 8, addr, 8);
}

/* Bytes: a struct or array, or tracemem()'s address. */
static void put_bytes(struct lower *l, const struct expr *e, const struct datum *d,
	struct ir_operand base, int32_t off)
{
	struct mem m = {.kind = MEM_ADDRESS};

	if (lower_is_aggregate(e->type)) {
		lower_struct_into(l, e, base, off);
		return;
	}
	m.base = ir_op_temp(ir_as_temp(l, lower_expr(l, e)));
	if (lower_is_user_pointer(l, e))
		m.kind = MEM_USER;
	else if (type_resolve(e->type)->kind == TYPE_PTR && sema_is_scratch(e))
		m.kind = MEM_SCRATCH;
	mem_copy(l, base, off, &m, d->size);
}

/* The probe's id and the process that fires it, as a key names them. */
static struct ir_operand probe_in_process(struct lower *l)
{
	uint32_t v = ir_emit_op(l, IR_SHL, ir_op_temp(lower_current_process(l)), ir_op_imm(32));

	return ir_op_temp(ir_emit_op(l, IR_OR, ir_op_temp(v), ir_fired_probe(l)));
}

/*
 * Stores the number that E, a call of strflags() or the like, names.  Numbers with one text are
 * equal in a key: the bits that do not count are cleared, and an error is positive.
 */
static void put_number(struct lower *l, const struct expr *e, const struct datum *d,
	struct ir_operand base, int32_t off)
{
	struct ir_block *negative = ir_new_block(l, "negative"), *done = ir_new_block(l, "number");
	struct ir_operand v = lower_expr(l, e->args.data[0]);
	uint32_t n = ir_new_temp(l, IRT_SCALAR), low = ir_new_temp(l, IRT_SCALAR);
	struct ir_insn *in;

	ir_emit_set(l, n, v);
	if (flag_set_is_error(d->flags)) {
		ir_emit_br(l, COND_SLT, ir_op_temp(n), ir_op_imm(0), negative, done);
		ir_place(l, negative);
		ir_emit_set(l, n, ir_op_temp(ir_emit_op(l, IR_SUB, ir_op_imm(0), ir_op_temp(n))));
		ir_emit_jmp(l, done);
		ir_place(l, done);
	}
	if (flag_set_bits(d->flags) == 32) {
		in = ir_emit(l, IR_ZEXT);
		in->dst = low;
		in->a = ir_op_temp(n);
		in->size = 4;
		n = low;
	}
	ir_emit_store(l, base, off, ir_op_temp(n), 8);
}

static bool in_scratch(const struct lower *l, struct ir_operand base)
{
	return base.kind == OP_TEMP && base.temp == l->firing.scratch;
}

void lower_datum(struct lower *l, const struct expr *e, const struct datum *d,
	struct ir_operand base, int32_t off)
{
	LOWER_AT(l, e);
	struct byte_place p = {base, off, d->size, in_scratch(l, base) ? off : -1};

	switch (d->kind) {
	case DATUM_LITERAL:
	case DATUM_PROBEPROV:
	case DATUM_PROBEMOD:
	case DATUM_PROBEFUNC:
	case DATUM_PROBENAME:
	case DATUM_PROBEFILE:
		return;
	case DATUM_PROBEID:
		ir_emit_store(l, base, off,
			d->part == DATUM_PROBEPROV &&
					(l->clause.of->scope != IN_PROCESS || l->clause.of->joins)
				? probe_in_process(l)
				: ir_fired_probe(l),
			8);
		return;
	case DATUM_FLAGS:
		put_number(l, e, d, base, off);
		return;
	case DATUM_STRING:
		lower_string_into(l, e, &p);
		return;
	case DATUM_STACK:
	case DATUM_USTACK:
		put_stack(l, e, d, base, off);
		return;
	case DATUM_STACK_ID:
	case DATUM_USTACK_ID:
		ir_emit_store(l, base, off, lower_expr(l, e), 8);
		return;
	case DATUM_SYM:
	case DATUM_MOD:
		ir_emit_store(l, base, off, lower_expr(l, e->args.data[0]), 8);
		return;
	case DATUM_USYM:
	case DATUM_UADDR:
	case DATUM_UMOD:
		put_user_address(l, e, base, off);
		return;
	case DATUM_BYTES:
	case DATUM_CHARS:
	case DATUM_FLOAT:
		put_bytes(l, e, d, base, off);
		return;
	default:
		ir_emit_store(l, base, off, lower_expr(l, e), d->size);
	}
}

/* ---- actions ---- */

/* Returns the bytes of a buffer that tracesys() or keepsys() in E capture. */
static int64_t shown_bytes(const struct expr *e)
{
	return e->args.len ? (int64_t)e->args.data[0]->value : DT_SYSCALL_SHOWN;
}

/* raise(), chill() and what writes to the process: done now. */
static void act(struct lower *l, const struct expr *e)
{
	struct ir_operand v;
	uint32_t r;

	switch (e->info->func->id) {
	case FUNC_raise:
	case FUNC_stop:
		v = e->args.len ? lower_expr(l, e->args.data[0]) : ir_op_imm(SIGSTOP);
		r = ir_emit_call(l, BPF_FUNC_send_signal, 1, v);
		if (e->args.len) /* a signal that there is not */
			check_or_fault(l, COND_NE, ir_op_temp(r), ir_op_imm(-EINVAL),
				DT_FAULT_ILLOP, ir_op_imm(0));
		break;
	case FUNC_chill:
		r = ir_emit_rt(l, "dt_chill", 1, lower_expr(l, e->args.data[0]));
		check_or_fault(
			l, COND_EQ, ir_op_temp(r), ir_op_imm(0), DT_FAULT_ILLOP, ir_op_imm(0));
		break;
	case FUNC_keepsys:
		ir_emit_rt(l, "dt_syscall_keep", 1, ir_op_imm(shown_bytes(e)));
		break;
	case FUNC_copyout:
		lower_copyout(l, e);
		break;
	default:
		lower_copyoutstr(l, e);
		break;
	}
}

/* A text to be copied: its length, where it is, and the helper that reads there. */
struct copied_text {
	struct ir_operand length, from;
	int helper;
};

/* Copies at most T->most bytes of FROM, jumping to UNREAD if they cannot be read, else to DONE. */
static void copy_text(struct lower *l, const struct rec_text *t, const struct copied_text *from,
	struct ir_block *unread, struct ir_block *done)
{
	struct ir_block *whole = ir_new_block(l, "whole text"), *cut = ir_new_block(l, "cut text"),
			*read = ir_new_block(l, "read text");
	struct ir_operand at = ir_op_temp(l->clause.record), err;
	int32_t to = (int32_t)t->offset;
	uint32_t size = ir_new_temp(l, IRT_SCALAR), more = ir_new_temp(l, IRT_SCALAR);

	ir_emit_br(l, COND_LT, from->length, ir_op_imm(t->most), whole, cut);
	ir_place(l, whole); /* the bits are all that it has: the verifier may not know */
	ir_emit_set(
		l, size, ir_op_temp(ir_emit_op(l, IR_AND, from->length, ir_op_imm(t->room - 1))));
	ir_emit_set(l, more, ir_op_imm(0));
	ir_emit_jmp(l, read);
	ir_place(l, cut);
	ir_emit_set(l, size, ir_op_imm(t->most));
	ir_emit_set(l, more, ir_op_temp(ir_emit_op(l, IR_XOR, from->length, ir_op_imm(t->most))));
	ir_emit_jmp(l, read);
	ir_place(l, read);
	ir_emit_store(l, at, to, ir_op_temp(size), 4);
	ir_emit_store(l, at, to + 4, ir_op_temp(more), 4);
	err = ir_op_temp(ir_emit_call(
		l, from->helper, 3, ir_address(l, at, to + 8), ir_op_temp(size), from->from));
	ir_emit_br(l, COND_EQ, err, ir_op_imm(0), done, unread);
}

/* Loads a word of the string at T of the value that A has recorded. */
static struct ir_operand text_word(struct lower *l, const struct rec_action *a,
	const struct rec_text *t, uint32_t off, unsigned size)
{
	return ir_op_temp(ir_emit_load(
		l, ir_op_temp(l->clause.record), (int32_t)(a->data[0].offset + t->at + off), size));
}

/* Copies a text whose length lies before it. */
static void copy_cow(struct lower *l, const struct rec_action *a, const struct rec_text *t,
	struct ir_block *unread, struct ir_block *done)
{
	struct ir_block *known = ir_new_block(l, "length");
	struct copied_text from = {
		.from = text_word(l, a, t, t->string.text, 8),
		.helper = BPF_FUNC_probe_read_user,
	};
	uint32_t frame = ir_frame_alloc(l, 8);
	struct ir_operand err;

	err = ir_op_temp(ir_emit_call(l, BPF_FUNC_probe_read_user, 3,
		ir_address(l, ir_op_frame(0), frame), ir_op_imm(8),
		ir_op_temp(ir_emit_op(l, IR_ADD, from.from, ir_op_imm(-CXX_COW_LENGTH)))));
	ir_emit_br(l, COND_EQ, err, ir_op_imm(0), known, unread);
	ir_place(l, known);
	from.length = ir_op_temp(ir_emit_load(l, ir_op_frame(0), (int32_t)frame, 8));
	copy_text(l, t, &from, unread, done);
}

/* Copies a text that is in the recorded value itself, if the flag is not set. */
static void copy_short(struct lower *l, const struct rec_action *a, const struct rec_text *t,
	struct ir_block *unread, struct ir_block *done)
{
	const struct cxx_string *s = &t->string;
	struct ir_block *here = ir_new_block(l, "text here"), *elsewhere = ir_new_block(l, "text");
	struct ir_operand flag = text_word(l, a, t, s->flag, 1);
	struct copied_text from = {.helper = BPF_FUNC_probe_read_kernel};

	ir_emit_br(l, COND_NE, ir_op_temp(ir_emit_op(l, IR_AND, flag, ir_op_imm(1 << s->flag_bit))),
		ir_op_imm(0), elsewhere, here);
	ir_place(l, here);
	from.length = ir_op_temp(ir_emit_op(l, IR_SHR, flag, ir_op_imm(s->shift)));
	from.from =
		ir_address(l, ir_op_temp(l->clause.record), a->data[0].offset + t->at + s->here);
	copy_text(l, t, &from, unread, done);
	ir_place(l, elsewhere);
}

/*
 * The text of the string at T of the value that A has recorded, at most T->most bytes of it.  What
 * cannot be read is no fault: a string may have no value yet.
 */
static void put_text(struct lower *l, const struct rec_action *a, const struct rec_text *t)
{
	struct ir_block *unread = ir_new_block(l, "no text"), *done = ir_new_block(l, "after text");
	struct copied_text from = {.helper = BPF_FUNC_probe_read_user};

	if (t->string.form == CXX_COW) {
		copy_cow(l, a, t, unread, done);
	} else {
		if (t->string.form == CXX_SHORT)
			copy_short(l, a, t, unread, done);
		from.length = text_word(l, a, t, t->string.length, 8);
		from.from = text_word(l, a, t, t->string.text, 8);
		copy_text(l, t, &from, unread, done);
	}
	ir_place(l, unread);
	ir_emit_store(
		l, ir_op_temp(l->clause.record), (int32_t)t->offset, ir_op_imm(DT_TEXT_UNREAD), 4);
	ir_emit_jmp(l, done);
	ir_place(l, done);
}

static void put_texts(struct lower *l, const struct rec_action *a)
{
	for (uint32_t i = 0; i < a->ntexts; i++)
		if (lower_about_other_task(l)) /* its memory is out of reach */
			ir_emit_store(l, ir_op_temp(l->clause.record), (int32_t)a->texts[i].offset,
				ir_op_imm(DT_TEXT_UNREAD), 4);
		else
			put_text(l, a, &a->texts[i]);
}

/* print(p): what p points to, then p. */
static void put_pointee(struct lower *l, const struct expr *e, const struct rec_action *a)
{
	struct mem m = {.kind = MEM_ADDRESS};
	struct ir_operand p = ir_op_temp(ir_as_temp(l, lower_expr(l, e)));

	m.base = p;
	if (sema_is_scratch(e))
		m.kind = MEM_SCRATCH;
	else if (lower_is_user_pointer(l, e))
		m.kind = MEM_USER;
	mem_copy(l, ir_op_temp(l->clause.record), (int32_t)a->data[0].offset, &m, a->data[0].size);
	ir_emit_store(l, ir_op_temp(l->clause.record), (int32_t)a->data[1].offset, p, 8);
}

/* A translated object or a pointer to one; all of it is made, then cut to what is printed. */
static void put_object(struct lower *l, const struct expr *e, const struct rec_action *a)
{
	const struct type *t = type_resolve(e->type);
	struct mem to = {
		.kind = MEM_OWN, .base = ir_op_temp(l->clause.record), .off = a->data[0].offset};
	struct mem m = to, number = to;
	uint32_t size = (uint32_t)type_resolve(t->kind == TYPE_PTR ? t->ref : t)->size;

	if (a->data[0].size < size) {
		m.base = ir_op_temp(l->firing.scratch);
		m.off = ir_scratch_alloc(l, size);
	}
	if (t->kind == TYPE_PTR) {
		number.off = a->data[1].offset;
		lower_pointed_object(l, e, m.base, (int32_t)m.off, &number);
	} else {
		lower_object_into(l, e, m.base, (int32_t)m.off);
	}
	if (a->data[0].size < size)
		mem_copy(l, to.base, (int32_t)to.off, &m, a->data[0].size);
}

static void put_printed(struct lower *l, const struct expr *e, const struct rec_action *a)
{
	const struct type *t = type_resolve(e->type);
	struct ir_operand at = ir_op_temp(l->clause.record);
	int32_t off = (int32_t)a->data[0].offset;
	struct mem m;

	if (sema_is_translated(e)) {
		put_object(l, e, a);
	} else if (t->kind == TYPE_PTR) {
		put_pointee(l, e, a);
	} else if (t->kind == TYPE_STRING) {
		struct byte_place p = {at, off, a->data[0].size, -1};

		ir_emit_zero(l, at, off, a->data[0].size);
		lower_string_into(l, e, &p);
	} else if (lower_is_aggregate(t) && a->data[0].size < t->size) {
		m = lower_mem(l, e);
		mem_copy(l, at, off, &m, a->data[0].size);
	} else if (lower_is_aggregate(t)) {
		lower_struct_into(l, e, at, off);
	} else {
		ir_emit_store(l, at, off, lower_expr(l, e), a->data[0].size);
	}
}

/* A scalar member of the struct sk_buff at number SKB. */
static struct ir_operand skb_member(struct lower *l, struct ir_operand skb, const char *name)
{
	const struct type *t = types_lookup(l->s->target->types, SPACE_STRUCT, "sk_buff");
	struct mem m = {.kind = MEM_ADDRESS, .base = skb};
	struct member_path p;

	if (!t || !type_find_member(t, name, &p)) {
		lower_error(l, "D_UNKNOWN", "struct sk_buff of this kernel has no member %s", name);
		return ir_op_imm(0);
	}
	m.off = p.bit_offset / 8;
	return ir_op_temp(ir_as_temp(l, mem_read(l, &m, p.type)));
}

/* Lowers pcap(skb, type): the bytes of the packet after its data pointer; none for a NULL skb. */
static void put_packet(struct lower *l, const struct expr *e, const struct rec_action *a)
{
	struct ir_operand at = ir_op_temp(l->clause.record);
	struct ir_operand skb = ir_op_temp(ir_as_temp(l, lower_pointer_value(l, e->args.data[0])));
	struct ir_operand type = lower_expr(l, e->args.data[1]), len, paged, n, from;
	struct ir_block *some = ir_new_block(l, "packet"), *done = ir_new_block(l, "captured"),
			*cut = ir_new_block(l, "cut"), *fits = ir_new_block(l, "fits");
	uint32_t size = ir_new_temp(l, IRT_SCALAR), most = l->s->target->pcapsize, err;

	ir_emit_store(l, at, (int32_t)a->data[0].offset, ir_op_imm(0), 4);
	ir_emit_store(l, at, (int32_t)a->data[1].offset, type, 4);
	ir_emit_zero(l, at, (int32_t)a->data[2].offset, a->data[2].size);
	ir_emit_store(l, at, (int32_t)a->data[3].offset, ir_op_imm(0), 4);
	ir_emit_store(l, at, (int32_t)a->data[4].offset, lower_wall_time(l), 8);
	ir_emit_br(l, COND_NE, skb, ir_op_imm(0), some, done);
	ir_place(l, some);
	len = skb_member(l, skb, "len");
	paged = skb_member(l, skb, "data_len");
	from = skb_member(l, skb, "data");
	n = ir_op_temp(ir_emit_op(l, IR_SUB, len, paged));
	ir_emit_set(l, size, n);
	ir_emit_br(l, COND_LE, n, ir_op_imm(most), fits, cut);
	ir_place(l, cut);
	ir_emit_set(l, size, ir_op_imm(most));
	ir_place(l, fits);
	ir_emit_store(l, at, (int32_t)a->data[0].offset, ir_op_temp(size), 4);
	ir_emit_store(l, at, (int32_t)a->data[3].offset, len, 4);
	n = ir_op_temp(ir_emit_op(l, IR_AND, ir_op_temp(size), ir_op_imm(a->data[2].size - 1)));
	err = ir_emit_call(l, BPF_FUNC_probe_read_kernel, 3,
		ir_address(l, at, (int32_t)a->data[2].offset), n, from);
	check_or_fault(l, COND_EQ, ir_op_temp(err), ir_op_imm(0), DT_FAULT_BADADDR, from);
	ir_place(l, done);
}

/* Lowers tracesys(): only the bytes that are used go to the record. */
static void put_system_call(struct lower *l, const struct expr *e, const struct rec_action *a)
{
	uint32_t off, n;

	/* what is kept in the slot has room for it there */
	off = l->clause.record_used ? l->clause.record_off + a->data[0].offset
				    : ir_scratch_alloc(l, DT_SYSCALL_ROOM);
	n = ir_emit_rt(l, "dt_syscall", 4, ir_op_temp(l->firing.slot), ir_op_imm(off),
		ir_op_imm(l->unit->args.has_errno), ir_op_imm(shown_bytes(e)));
	n = ir_emit_op(l, IR_AND, ir_op_temp(n), ir_op_imm(DT_SYSCALL_RECORD - 1));
	if (l->clause.record_used) {
		n = ir_emit_op(l, IR_ADD, ir_op_temp(n), ir_op_imm(a->data[0].offset));
		ir_emit_set(l, l->clause.record_used, ir_op_temp(n));
		return;
	}
	ir_emit_call(l, BPF_FUNC_probe_read_kernel, 3,
		ir_address(l, ir_op_temp(l->clause.record), (int32_t)a->data[0].offset),
		ir_op_temp(n), ir_address(l, ir_op_temp(l->firing.scratch), off));
}

static void mark_ran(struct lower *l, uint32_t i)
{
	int32_t off = (int32_t)(l->clause.desc->ran + 8 * (i / 64));
	uint32_t w = ir_emit_load(l, ir_op_temp(l->clause.record), off, 8);

	w = ir_emit_op(l, IR_OR, ir_op_temp(w),
		ir_op_temp(ir_emit_mov(l, ir_op_imm((int64_t)(1ULL << i % 64)))));
	ir_emit_store(l, ir_op_temp(l->clause.record), off, ir_op_temp(w), 8);
}

static void lower_recorded(struct lower *l, const struct expr *e)
{
	struct rec_action *a = (struct rec_action *)&e->info->rec->actions[e->info->rec_index];
	const struct expr *exprs[MAX_DATA];
	uint32_t n = layout_action_data(e, exprs, MAX_DATA);

	if (action_infos[a->kind].fails) /* where the layout is made, the statement is not known */
		a->place = fault_place_number(l);
	if (e->info->rec->conditional)
		mark_ran(l, e->info->rec_index);
	if (a->kind == REC_EXIT) {
		struct ir_operand v = lower_expr(l, exprs[0]);

		if (v.kind != OP_IMM)
			v = ir_op_temp(ir_as_temp(l, v));
		ir_emit_store(l, ir_op_temp(l->clause.record), (int32_t)a->data[0].offset, v, 4);
		lower_exit(l, v);
		return;
	}
	if (a->kind == REC_NONE) {
		act(l, e);
		return;
	}
	if (e->info->func->id == FUNC_tracesys) {
		put_system_call(l, e, a);
		return;
	}
	if (a->kind == REC_PCAP) {
		put_packet(l, e, a);
		return;
	}
	if (a->kind == REC_PRINT) {
		put_printed(l, exprs[0], a);
		put_texts(l, a);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		lower_datum(l, exprs[i], &a->data[i], ir_op_temp(l->clause.record),
			(int32_t)a->data[i].offset);
}

/* ---- speculations ---- */

/* Records from here on into the speculation; if there is none, or no room, the clause ends. */
static void speculate(struct lower *l, const struct expr *e)
{
	struct ir_block *active = ir_new_block(l, "active");
	struct ir_operand id = ir_op_temp(ir_as_temp(l, lower_expr(l, e->args.data[0])));
	uint32_t w;

	if (l->loop.inside) { /* the round's record may have taken room of an earlier round's */
		lower_give_room(l);
		ir_emit_store(l, ir_op_temp(l->firing.scratch), (int32_t)l->clause.spec_off,
			ir_op_imm(0), 8);
	}
	w = ir_emit_rt(l, "dt_spec_enter", 3, id,
		ir_op_imm(l->clause.record ? l->clause.desc->size : 0),
		ir_op_imm((int64_t)l->s->target->specsize));
	ir_emit_br(l, COND_EQ, ir_op_temp(w), ir_op_imm(0), l->clause.skip, active);
	ir_place(l, active);
	ir_emit_store(
		l, ir_op_temp(l->firing.scratch), (int32_t)l->clause.spec_off, ir_op_temp(w), 8);
}

/*
 * Lowers commit() and discard(): a record that the consumer acts upon.  It is reserved first, so
 * that where there is no room a speculation that was to be committed stays as it is.
 */
static void end_speculation(struct lower *l, const struct expr *e, bool commit)
{
	struct ir_block *none = ir_new_block(l, "inactive"), *some = ir_new_block(l, "ends");
	struct attempt a = lower_attempt(l, "full", "ended");
	struct ir_operand id = ir_op_temp(ir_as_temp(l, lower_expr(l, e->args.data[0])));
	uint32_t p, w, cpu;

	check_or_fault(
		l, COND_LE, id, ir_op_imm(l->s->target->nspec), DT_FAULT_ILLOP, ir_op_imm(0));
	p = buffer_reserve(l, BUFFER_MESSAGE, sizeof(struct dt_spec_end), a.failed);
	w = ir_emit_rt(l, "dt_spec_end", 1, id);
	ir_emit_br(l, COND_EQ, ir_op_temp(w), ir_op_imm(0), none, some);
	ir_place(l, some);
	ir_emit_store(l, ir_op_temp(p), offsetof(struct dt_rec, probe), ir_fired_probe(l), 4);
	ir_emit_store(l, ir_op_temp(p), offsetof(struct dt_rec, clause), ir_op_imm(DT_REC_SPEC), 2);
	cpu = ir_emit_call(l, BPF_FUNC_get_smp_processor_id, 0);
	ir_emit_store(l, ir_op_temp(p), offsetof(struct dt_rec, cpu), ir_op_temp(cpu), 2);
	ir_emit_store(l, ir_op_temp(p), offsetof(struct dt_spec_end, spec), ir_op_temp(w), 8);
	ir_emit_store(l, ir_op_temp(p), offsetof(struct dt_spec_end, commit), ir_op_imm(commit), 8);
	buffer_submit(l, BUFFER_MESSAGE, p, sizeof(struct dt_spec_end));
	ir_emit_jmp(l, a.done);
	ir_place(l, none);
	buffer_discard(l, p, sizeof(struct dt_spec_end));
	lower_attempt_else(l, &a);
	if (commit)
		lower_emit_drop(l, DT_DROP_PRINCIPAL);
	else /* what the consumer holds is forgotten when the number is used again */
		ir_emit_rt(l, "dt_spec_end", 1, id);
	ir_place(l, a.done);
}

static bool lower_special(struct lower *l, const struct expr *e)
{
	if (e->kind != EXPR_CALL || !e->info || e->info->ref != REF_FUNC ||
		e->info->func->klass != CLASS_SPEC)
		return false;
	if (e->info->func->id == FUNC_speculate)
		speculate(l, e);
	else
		end_speculation(l, e, e->info->func->id == FUNC_commit);
	return true;
}

void lower_action(struct lower *l, const struct expr *e)
{
	LOWER_AT(l, e);
	uint32_t frame = l->build.frame_used, scratch = l->firing.scratch_used,
		 keys = l->kept_keys.len;

	l->build.loc = e->loc;
	if (is_recording(e))
		lower_recorded(l, e);
	else if (e->kind == EXPR_ASSIGN && e->a->kind == EXPR_AGG)
		lower_agg_update(l, e);
	else if (!lower_special(l, e))
		lower_effect(l, e);
	l->kept_keys.len = keys;
	l->build.frame_used = frame;
	l->firing.scratch_used =
		scratch > l->firing.scratch_kept ? scratch : l->firing.scratch_kept;
}
