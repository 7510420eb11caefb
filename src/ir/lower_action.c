// SPDX-License-Identifier: Apache-2.0
/* Actions: their data go to the clause's record at the offsets that the layout gave. */
#include "ir/lower_int.h"

/* ---- single data ---- */

static void put_stack(struct lower *l, const struct expr *e, const struct datum *d,
	struct ir_operand base, int32_t off)
{
	bool user = d->kind == DATUM_USTACK;
	uint32_t size = 8 *
		(e->info->frames +
			(user ? 0
			      : DT_STACK_EXTRA)); /* a key has room for the deepest of its uses */

	emit_zero(l, base, off, d->size);
	if (user) {
		uint32_t id = emit_call(l, BPF_FUNC_get_current_pid_tgid, 0);

		emit_store(l, base, off, op_temp(emit_op(l, IR_SHR, op_temp(id), op_imm(32))), 8);
		off += 8;
	}
	/* BEGIN and END run in our own system call, dt_error() has no context: no kernel stack */
	if (l->unit->is_error ||
		(!user && (l->unit->plan.kind == ATTACH_BEGIN || l->unit->plan.kind == ATTACH_END)))
		return;
	emit_call(l, BPF_FUNC_get_stack, 4, op_ctx(), address(l, base, off), op_imm(size),
		op_imm(user ? BPF_F_USER_STACK : 0));
}

static void put_user_address(
	struct lower *l, const struct expr *e, struct ir_operand base, int32_t off)
{
	struct ir_operand addr = lower_expr(l, e->args.data[0]);
	uint32_t id;

	if (addr.kind != OP_IMM)
		addr = op_temp(as_temp(l, addr));
	id = emit_call(l, BPF_FUNC_get_current_pid_tgid, 0);
	emit_store(l, base, off, op_temp(emit_op(l, IR_SHR, op_temp(id), op_imm(32))), 8);
	emit_store(l, base, off + 8, addr, 8);
}

/* Bytes of kernel memory: a struct or array that was named, or tracemem()'s address. */
static void put_bytes(struct lower *l, const struct expr *e, const struct datum *d,
	struct ir_operand base, int32_t off)
{
	const struct type *t = type_resolve(e->type);
	struct ir_operand addr;
	int helper = BPF_FUNC_probe_read_kernel;
	uint32_t err;

	if (is_memory_expr(e) && t->kind != TYPE_PTR && t->kind != TYPE_INT) {
		struct mem m = lower_mem(l, e);

		addr = m.kind == MEM_KERNEL ? address(l, m.base, m.off) : mem_address(l, &m);
		if (m.kind == MEM_USER)
			helper = BPF_FUNC_probe_read_user;
	} else {
		addr = lower_expr(l, e);
	}
	addr = op_temp(as_temp(l, addr));
	err = emit_call(l, helper, 3, address(l, base, off), op_imm(d->size), addr);
	check_or_fault(l, COND_EQ, op_temp(err), op_imm(0), DT_FAULT_BADADDR,
		l->f->temps.data[addr.temp] == IRT_KERNEL ? op_imm(0) : addr);
}

static bool in_scratch(const struct lower *l, struct ir_operand base)
{
	return base.kind == OP_TEMP && base.temp == l->scratch;
}

void lower_datum(struct lower *l, const struct expr *e, const struct datum *d,
	struct ir_operand base, int32_t off)
{
	struct place p = {base, off, d->size, in_scratch(l, base) ? off : -1};

	switch (d->kind) {
	case DATUM_LITERAL:
	case DATUM_PROBEPROV:
	case DATUM_PROBEMOD:
	case DATUM_PROBEFUNC:
	case DATUM_PROBENAME:
		return;
	case DATUM_PROBEID:
		emit_store(l, base, off, fired_probe(l), 8);
		return;
	case DATUM_STRING:
		lower_string_into(l, e, &p);
		return;
	case DATUM_STACK:
	case DATUM_USTACK:
		put_stack(l, e, d, base, off);
		return;
	case DATUM_SYM:
	case DATUM_MOD:
		emit_store(l, base, off, lower_expr(l, e->args.data[0]), 8);
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
		emit_store(l, base, off, lower_expr(l, e), d->size);
	}
}

/* ---- actions ---- */

static void lower_exit(struct lower *l, struct ir_operand status)
{
	uint32_t st = emit_mov(l, op_data(DT_SEC_STATE, 0));

	emit_store(l, op_temp(st), offsetof(struct dt_state, exit_status), status, 4);
	emit_store(l, op_temp(st), offsetof(struct dt_state, exited), op_imm(1), 4);
	if (l->unit->plan.kind != ATTACH_END)
		emit_store(l, op_temp(st), offsetof(struct dt_state, activity), op_imm(DT_DRAINING),
			4);
	l->had_exit = true;
}

static void lower_call(struct lower *l, const struct expr *e, const struct rec_action *a)
{
	const struct expr *exprs[MAX_DATA];
	uint32_t n = action_data(e, exprs, MAX_DATA);

	if (a->kind == REC_EXIT) {
		struct ir_operand v = lower_expr(l, exprs[0]);

		if (v.kind != OP_IMM)
			v = op_temp(as_temp(l, v));
		emit_store(l, op_temp(l->record), (int32_t)a->data[0].offset, v, 4);
		lower_exit(l, v);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		lower_datum(
			l, exprs[i], &a->data[i], op_temp(l->record), (int32_t)a->data[i].offset);
}

void lower_statement(struct lower *l, const struct expr *e)
{
	uint32_t frame = l->frame_used, scratch = l->scratch_used, i = 0;

	l->loc = e->loc;
	if (is_recording(e)) {
		/* the clause's actions are in its description in the order of its statements */
		for (uint32_t k = 0; k < l->clause->ast->stmts.len; k++) {
			const struct expr *s = l->clause->ast->stmts.data[k].expr;

			if (s == e)
				break;
			i += is_recording(s);
		}
		lower_call(l, e, &l->clause->desc->actions[i]);
	} else if (e->kind == EXPR_ASSIGN && e->a->kind == EXPR_AGG) {
		lower_agg_update(l, e);
	} else {
		lower_effect(l, e);
	}
	l->frame_used = frame;
	l->scratch_used = scratch > l->scratch_kept ? scratch : l->scratch_kept;
}
