// SPDX-License-Identifier: Apache-2.0
/* Cuts a long unit into programs that run one another, or functions. */
#include "ir/lower_piece.h"

#include "abi/kernel.h"
#include "base/arena.h"
#include "base/vec.h"
#include "ir/lower_buffer.h"
#include "ir/lower_build.h"
#include "ir/lower_fault.h"
#include "ir/lower_state.h"
#include "ir/lower_stmt.h"
#include "ir/lower_unit.h"
#include "ir/target.h"
#include "ir/units.h"

/* One program of a unit. */
struct piece {
	struct ir_func *func;
	uint32_t slot, scratch, busy; /* temporaries, as in struct lower */
	uint32_t label;		      /* temporary: the block to go to; 0 = the beginning */
	struct ir_block *enter;	      /* ends in the jump to the beginning */
	VEC(struct ir_block *) labels;
	VEC(struct ir_block *) calls; /* tail calls of jumps to other pieces, and their targets */
	VEC(struct ir_block *) called;
	uint32_t emitted, callbacks; /* when it began: of the unit, of the module */
	struct ir_block *lost;	     /* a tail call failed */
	/* of the first piece, if the others are functions: where it calls them, and which is next
	 */
	struct ir_block *calls_next;
	uint32_t next; /* temporary */
};

/* In the scratch slot, from piece_off on. */
enum {
	KEPT_LABEL = 0,
	KEPT_CODE = 8,
	KEPT_VALUE = 16,
	KEPT_VALUES = 24,
	KEPT_DISPATCH = KEPT_VALUES + 8 * PIECE_VALUES,
	KEPT_SIZE = KEPT_DISPATCH + DISPATCH_KEPT,
};

/* ---- how long ---- */

#define LONG	   16000 /* instructions of IR: loaded in about 0.1 s */
#define LEAST	   3000	 /* of a piece; a tail call and finding the slot are little against it */
#define MOST	   33	 /* pieces: MAX_TAIL_CALL_CNT of linux/bpf.h, and the first */
#define LOOPS	   200	 /* bodies; BPF_MAX_SUBPROGS is 256 with those of the run-time library */
#define LOOPS_EACH 150
#define FUNCTIONS  120 /* pieces that are functions, of BPF_MAX_SUBPROGS as well */

bool pieces_are_functions(const struct unit *u)
{
	return is_called(u) || u->plan.sleepable;
}

static uint32_t most_pieces(const struct unit *u)
{
	return pieces_are_functions(u) ? FUNCTIONS : MOST;
}

uint32_t piece_size(const struct lower *l, uint32_t nloops)
{
	uint32_t n = l->build.emitted / (most_pieces(l->unit) - 5);

	if (l->s->plan->whole)
		return 0;
	if (l->build.emitted <= LONG && nloops <= LOOPS && !l->s->plan->cut)
		return 0;
	return n > LEAST ? n : l->s->plan->cut ? LEAST / 10 : LEAST;
}

static bool by_call(const struct lower *l)
{
	return l->unit->piece_functions;
}

/* As many loops as make the most pieces, where there are very many. */
static uint32_t loops_each(const struct lower *l)
{
	uint32_t n = l->unit->piece_loops / (most_pieces(l->unit) - 3);

	return n > LOOPS_EACH ? n : LOOPS_EACH;
}

static bool is_due(const struct lower *l)
{
	const struct piece *p = vec_last(&l->firing.pieces);
	uint32_t loops = l->s->out->module.callbacks.len - p->callbacks;

	return l->firing.pieces.len < most_pieces(l->unit) &&
		(l->build.emitted - p->emitted >= l->unit->piece || loops >= loops_each(l));
}

bool piece_calls_drop(const struct lower *l)
{
	return l->unit->piece && (by_call(l) || l->loop.inside);
}

bool piece_keeps(const struct lower *l)
{
	return l->unit->piece && !l->loop.inside;
}

/* ---- finding the slot again ---- */

/*
 * The context's address tells a firing from those that interrupt it on this CPU.  To the verifier
 * its bytes in the opposite order are a number.
 */
static uint32_t firing(struct lower *l)
{
	uint32_t ctx = ir_emit_mov(l, ir_op_ctx(l)), id = ir_new_temp(l, IRT_SCALAR);
	struct ir_insn *in = ir_emit(l, IR_SWAP);

	in->dst = id;
	in->a = ir_op_temp(ctx);
	in->size = 8;
	return id;
}

static int32_t kept(const struct lower *l, int32_t at)
{
	return (int32_t)l->firing.piece_off + at;
}

static void keep(struct lower *l, int32_t at, struct ir_operand v)
{
	ir_emit_store(l, ir_op_temp(l->firing.scratch), kept(l, at), v, 8);
}

static uint32_t get(struct lower *l, int32_t at)
{
	return ir_emit_load(l, ir_op_temp(l->firing.scratch), kept(l, at), 8);
}

/* ---- pieces ---- */

static struct piece *add_piece(struct lower *l)
{
	struct piece *p = arena_new_obj(l->arena, struct piece);

	p->func = l->build.f;
	p->slot = l->firing.slot;
	p->scratch = l->firing.scratch;
	p->busy = l->firing.busy;
	p->emitted = l->build.emitted;
	p->callbacks = l->s->out->module.callbacks.len;
	if (!by_call(l)) {
		p->lost = ir_new_block(l, "lost");
	} else if (!l->firing.pieces.len) {
		p->calls_next = ir_new_block(l, "pieces");
		p->next = ir_new_temp(l, IRT_SCALAR);
	}
	vec_push(l->arena, &l->firing.pieces, p);
	return p;
}

void piece_begin_unit(struct lower *l)
{
	if (!l->unit->piece)
		return;
	l->firing.piece_off = ir_scratch_alloc(l, KEPT_SIZE);
	if (!by_call(l))
		ir_emit_rt(
			l, "dt_scratch_keep", 2, ir_op_temp(l->firing.slot), ir_op_temp(firing(l)));
	dispatch_keep(l, kept(l, KEPT_DISPATCH));
	add_piece(l);
}

void piece_leave(struct lower *l)
{
	if (l->firing.pieces.len && !by_call(l))
		ir_emit_rt(l, "dt_scratch_keep", 2, ir_op_temp(l->firing.slot), ir_op_imm(0));
}

static const char *chain_of(const struct lower *l)
{
	return arena_printf(l->arena, "%s_next", l->unit_name);
}

/* Go from piece P to block number LABEL of piece number TO. */
static void call_piece(struct lower *l, const struct piece *p, uint32_t to, uint32_t label)
{
	keep(l, KEPT_LABEL, ir_op_imm(label));
	if (!by_call(l)) {
		ir_emit_call(l, BPF_FUNC_tail_call, 3, ir_op_ctx(l), ir_op_map(chain_of(l)),
			ir_op_imm(to));
		ir_emit_jmp(l, p->lost);
	} else if (p->calls_next) {
		ir_emit_set(l, p->next, ir_op_imm(to));
		ir_emit_jmp(l, p->calls_next);
	} else {
		ir_emit(l, IR_RET)->imm = to;
		l->build.cur = NULL;
	}
}

static const char *name_of(const struct lower *l, uint32_t piece)
{
	return arena_printf(l->arena, "%s_%u", l->unit_name, piece);
}

/*
 * A piece that is a function gets what the first one has: the parameters of a unit that is called,
 * else the context, and the slot.  It returns the number of the piece to run next, 0: none.
 */
static void add_parameters(struct lower *l)
{
	uint32_t n = (uint32_t)unit_params(l->unit);

	l->build.f->is_global = true;
	l->build.f->takes_ctx = !is_called(l->unit);
	for (uint32_t i = 0; i < n; i++)
		l->firing.params[i] = ir_new_temp(l, IRT_SCALAR);
	if (l->build.f->takes_ctx)
		n = ir_new_temp(l, IRT_SCALAR);
	l->firing.slot = ir_new_temp(l, IRT_SCALAR);
	l->build.f->nparams = n + 1;
}

/* The first piece, P, runs the others one after the other. */
static void call_functions(struct lower *l, const struct piece *p)
{
	struct ir_operand args[IR_MAX_ARGS];
	uint32_t n = (uint32_t)unit_params(l->unit);

	for (uint32_t i = 0; i < n; i++)
		args[i] = ir_op_temp(1 + i);
	if (!n)
		args[n++] = ir_op_ctx(l);
	args[n++] = ir_op_temp(p->slot);
	ir_place(l, p->calls_next);
	for (uint32_t i = 1; i < l->firing.pieces.len; i++) {
		struct ir_block *call = ir_new_block(l, "call"), *after = ir_new_block(l, "after");

		ir_emit_br(l, COND_EQ, ir_op_temp(p->next), ir_op_imm(i), call, after);
		ir_place(l, call);
		ir_emit_set(l, p->next, ir_op_temp(ir_emit_rt_args(l, name_of(l, i), n, args)));
		ir_place(l, after);
	}
	lower_emit_return(l);
	l->build.cur = NULL;
}

static void begin_function(struct lower *l)
{
	l->build.f = arena_new_obj(l->arena, struct ir_func);
	l->build.f->name = name_of(l, l->firing.pieces.len);
	l->build.f->unit = l->unit->index;
	l->build.f->loc = l->build.loc;
	l->build.frame_used = l->build.frame_max = 0;
	l->seen = (struct cached){.piece = l->firing.pieces.len};
	ir_new_temp(l, IRT_SCALAR); /* number 0 is not used */
	if (by_call(l))
		add_parameters(l);
	ir_place(l, ir_new_block(l, "entry"));
}

/* Find the slot; jumps to OUT if it is not there any more. */
static void find_slot(struct lower *l, struct ir_block *out)
{
	struct ir_block *have = ir_new_block(l, "slot");

	if (by_call(l))
		return;
	l->firing.slot = ir_emit_rt(l, "dt_scratch_find", 1, ir_op_temp(firing(l)));
	ir_emit_br(l, COND_EQ, ir_op_temp(l->firing.slot), ir_op_imm(-1), out, have);
	ir_place(l, have);
}

/* The way in: what lower_body() found is found again. */
static void begin_piece(struct lower *l)
{
	struct ir_block *out = ir_new_block(l, "out"), *enter = ir_new_block(l, "enter"),
			*begin = ir_new_block(l, "begin");
	struct piece *p;
	uint32_t label;

	begin_function(l);
	find_slot(l, out);
	lower_find_scratch(l, out);
	guard_again(l, out);
	dispatch_restore(l, kept(l, KEPT_DISPATCH));
	if (l->clause.record)
		l->clause.record = ir_emit_op(l, IR_ADD, ir_op_temp(l->firing.scratch),
			ir_op_imm((int32_t)l->clause.record_off));
	label = get(l, KEPT_LABEL);
	ir_emit_jmp(l, enter);
	ir_place(l, out);
	lower_emit_return(l);
	l->build.cur = NULL;
	ir_place(l, enter);
	if (l->firing.spill_off)
		ir_put_spills(l, l->firing.spill_off + SPILL_ROOM);
	ir_emit_jmp(l, begin);
	ir_place(l, begin);
	p = add_piece(l);
	p->label = label;
	p->enter = enter;
}

void piece_boundary(struct lower *l)
{
	struct piece *p;

	if (!piece_keeps(l) || l->clause.returns || !l->build.cur || !is_due(l))
		return;
	p = vec_last(&l->firing.pieces);
	call_piece(l, p, l->firing.pieces.len, 0);
	l->build.f->frame_size = l->build.frame_max;
	begin_piece(l);
}

/* ---- jumps from one to another ---- */

/* Make L generate code of piece number N. */
static struct piece *resume(struct lower *l, uint32_t n)
{
	struct piece *p = l->firing.pieces.data[n];

	l->build.f = p->func;
	l->firing.slot = p->slot;
	l->firing.scratch = p->scratch;
	l->firing.busy = p->busy;
	l->build.frame_used = l->build.frame_max = p->func->frame_size;
	l->seen = (struct cached){.piece = n};
	l->build.cur = NULL;
	return p;
}

/* If *TO is in another piece than P, number N, make it a block of P that goes there. */
static void redirect(struct lower *l, struct piece *p, uint32_t n, struct ir_block **to)
{
	struct ir_block *there = *to;
	struct piece *other;

	if (!there || there->piece == n)
		return;
	for (uint32_t i = 0; i < p->calls.len; i++) {
		if (p->called.data[i] == there) {
			*to = p->calls.data[i];
			return;
		}
	}
	other = l->firing.pieces.data[there->piece];
	if (!there->entry) {
		vec_push(l->arena, &other->labels, there);
		there->entry = other->labels.len;
	}
	*to = ir_new_block(l, "elsewhere");
	vec_push(l->arena, &p->calls, *to);
	vec_push(l->arena, &p->called, there);
	ir_place(l, *to);
	call_piece(l, p, there->piece, there->entry);
}

static void end_piece(struct lower *l, uint32_t n)
{
	struct piece *p = resume(l, n);
	uint32_t nblocks = p->func->blocks.len;

	for (uint32_t i = 0; i < nblocks; i++) {
		struct ir_block *b = p->func->blocks.data[i];
		struct ir_insn *last = b->insns.len ? &vec_last(&b->insns) : NULL;

		if (!last)
			continue;
		redirect(l, p, n, &last->then);
		redirect(l, p, n, &last->orelse);
	}
	if (p->calls_next) {
		call_functions(l, p);
	} else if (!by_call(l)) {
		ir_place(l, p->lost);
		lower_emit_drop(l, DT_DROP_PRINCIPAL);
		leave_unit(l);
	}
	p->func->frame_size = l->build.frame_max;
}

/* Blocks from number FROM on to after block AT, and numbers as they stand. */
static void move_blocks(struct lower *l, struct ir_func *f, uint32_t from, uint32_t at)
{
	uint32_t n = f->blocks.len - from;
	struct ir_block **moved = arena_new_array(l->arena, struct ir_block *, n + 1);

	for (uint32_t i = 0; i < n; i++)
		moved[i] = f->blocks.data[from + i];
	for (uint32_t i = from; i > at + 1; i--)
		f->blocks.data[i - 1 + n] = f->blocks.data[i - 1];
	for (uint32_t i = 0; i < n; i++)
		f->blocks.data[at + 1 + i] = moved[i];
	for (uint32_t i = 0; i < f->blocks.len; i++)
		f->blocks.data[i]->number = i;
}

/* Where piece number N is entered: at its beginning, or at a block that others jump to. */
static void lower_entry(struct lower *l, uint32_t n)
{
	struct piece *p = resume(l, n);
	uint32_t nblocks = p->func->blocks.len;
	struct ir_block *begin;

	if (!p->labels.len)
		return;
	begin = vec_last(&p->enter->insns).then;
	p->enter->insns.len--;
	l->build.cur = p->enter;
	for (uint32_t i = 0; i < p->labels.len; i++) {
		struct ir_block *next = ir_new_block(l, "next");

		ir_emit_br(l, COND_EQ, ir_op_temp(p->label), ir_op_imm(i + 1), p->labels.data[i],
			next);
		ir_place(l, next);
	}
	ir_emit_jmp(l, begin);
	move_blocks(l, p->func, nblocks, p->enter->number);
}

void piece_end_unit(struct lower *l)
{
	for (uint32_t i = 0; i < l->firing.pieces.len; i++)
		end_piece(l, i);
	for (uint32_t i = 1; i < l->firing.pieces.len; i++)
		lower_entry(l, i);
}

struct ir_func *piece_first(const struct lower *l)
{
	return l->firing.pieces.len ? l->firing.pieces.data[0]->func : l->build.f;
}

void piece_programs(const struct lower *l)
{
	struct ir_module *m = &l->s->out->module;
	struct ir_prog first;

	for (uint32_t i = 1; i < l->firing.pieces.len && by_call(l); i++)
		vec_push(l->arena, &m->callbacks, l->firing.pieces.data[i]->func);
	m->has_pieces |= l->firing.pieces.len > 0;
	if (!l->firing.pieces.len || by_call(l))
		return;
	first = vec_last(&m->progs);
	vec_last(&m->progs).chain = chain_of(l);
	for (uint32_t i = 1; i < l->firing.pieces.len; i++) {
		struct ir_prog *p = vec_add(l->arena, &m->progs);

		p->func = l->firing.pieces.data[i]->func;
		p->plan = first.plan;
		p->label = first.label;
		p->chain = chain_of(l);
		p->piece = i;
	}
	vec_push(l->arena, &m->maps,
		((struct ir_map){.name = chain_of(l),
			.type = IRMAP_PROGRAMS,
			.key_size = 4,
			.value_size = 4,
			.max_entries = l->firing.pieces.len}));
}

/* ---- what outlives a piece ---- */

void piece_clause(struct lower *l)
{
	for (int i = 0; l->unit->piece && i < PIECE_VALUES; i++)
		keep(l, KEPT_VALUES + 8 * i, ir_op_imm(0));
}

uint32_t piece_value(struct lower *l, enum piece_value which, uint32_t (*read)(struct lower *l))
{
	struct ir_block *first = ir_new_block(l, "first"), *done = ir_new_block(l, "read");
	int32_t at = KEPT_VALUES + 8 * (int32_t)which;
	uint32_t v = ir_new_temp(l, IRT_SCALAR);
	struct cached c = lower_cached(l);

	ir_emit_set(l, v, ir_op_temp(get(l, at)));
	ir_emit_br(l, COND_EQ, ir_op_temp(v), ir_op_imm(0), first, done);
	ir_place(l, first);
	ir_emit_set(l, v, ir_op_temp(read(l)));
	keep(l, at, ir_op_temp(v));
	ir_place(l, done);
	lower_restore(l, c);
	return v;
}

void piece_keep_code(struct lower *l, struct ir_operand code)
{
	keep(l, KEPT_CODE, code);
}

void piece_keep_value(struct lower *l, struct ir_operand value)
{
	keep(l, KEPT_VALUE, value);
}

void piece_get_fault(struct lower *l)
{
	l->clause.fault_code = get(l, KEPT_CODE);
	l->clause.fault_value = get(l, KEPT_VALUE);
}

/* ---- records ---- */

/* The statements of the record come and go: its room stays until the clause ends. */
uint32_t piece_record(struct lower *l, uint32_t size, struct ir_block *full)
{
	l->clause.record_off = ir_scratch_alloc(l, size);
	l->firing.scratch_kept = l->firing.scratch_used;
	buffer_room(l, size, full);
	return ir_emit_op(
		l, IR_ADD, ir_op_temp(l->firing.scratch), ir_op_imm((int32_t)l->clause.record_off));
}

void piece_submit(struct lower *l, uint32_t size)
{
	struct attempt a = lower_attempt(l, "full", "submitted");
	uint32_t rec = buffer_reserve(l, BUFFER_RECORD, size, a.failed);

	ir_emit_call(l, BPF_FUNC_probe_read_kernel, 3, ir_op_temp(rec), ir_op_imm(size),
		ir_op_temp(l->clause.record));
	buffer_submit(l, BUFFER_RECORD, rec, size);
	lower_attempt_else(l, &a);
	lower_give_room(l);
	lower_emit_drop(l, DT_DROP_PRINCIPAL);
	ir_place(l, a.done);
}
