// SPDX-License-Identifier: Apache-2.0
/*
 * Reserves and submits records in the principal buffer, by buffer policy.
 *
 * switch  the BPF ring buffer, which the consumer empties all the time
 * fill    the same; a CPU that has submitted as many bytes as its buffer has records no more
 * ring    memory of each CPU's own that is written backwards, over and over (struct dt_over)
 */
#include "abi/kernel.h"
#include "abi/record.h"
#include "base/diag.h"
#include "base/vec.h"
#include "ir/ir.h"
#include "ir/lower.h"
#include "ir/lower_buffer.h"
#include "ir/lower_build.h"
#include "ir/lower_state.h"
#include "ir/target.h"
#include "probe/attach.h"
#include "probe/provider.h"
#include "probe/registry.h"
#include "sema/typed.h"

#define DT_OVER_HEADER ((uint32_t)sizeof(struct dt_over))

/* Returns the bytes of a buffer that a record of SIZE bytes takes. */
static uint32_t buffer_record_size(enum buffer_policy policy, uint32_t size)
{
	uint32_t header = policy == POLICY_RING ? DT_OVER_HEADER : 8; /* BPF_RINGBUF_HDR_SZ */

	return (header + size + 7) & ~7u;
}

/* Bytes of a CPU's buffer: at least a page. */
static uint64_t buffer_size(const struct target *t)
{
	return t->bufsize < t->page ? t->page : t->bufsize;
}

/* ---- fill ---- */

/* Returns the CPU's account, a temporary. */
static uint32_t account(struct lower *l, struct ir_block *none)
{
	return ir_emit_nonnull(l, ir_array_lookup(l, DT_MAP_FILL, ir_op_imm(0)), none);
}

static uint32_t reserve(struct lower *l, uint32_t size, struct ir_block *full)
{
	return ir_emit_nonnull(l,
		ir_emit_call(l, BPF_FUNC_ringbuf_reserve, 3, ir_op_map(DT_MAP_RING),
			ir_op_imm(size), ir_op_imm(0)),
		full);
}

/* Speculative records count when they are committed; the consumer counts them. */
static bool branch_speculative(struct lower *l, enum buffer_use use, struct ir_block *to)
{
	struct ir_block *counts = ir_new_block(l, "counts");
	uint32_t word;

	if (use != BUFFER_RECORD || !l->clause.spec_off)
		return false;
	word = ir_emit_load(l, ir_op_temp(l->firing.scratch), (int32_t)l->clause.spec_off, 8);
	ir_emit_br(l, COND_NE, ir_op_temp(word), ir_op_imm(0), to, counts);
	ir_place(l, counts);
	return true;
}

/*
 * Reserve where there is still room; the first record that has none is the end of it.  END's
 * records have theirs whatever came before.
 */
static uint32_t reserve_counted(
	struct lower *l, enum buffer_use use, uint32_t size, struct ir_block *full)
{
	struct ir_block *open = ir_new_block(l, "open"), *over = ir_new_block(l, "over"),
			*fits = ir_new_block(l, "fits"), *got = ir_new_block(l, "got");
	bool end = l->unit->plan.kind == ATTACH_END;
	uint64_t limit = buffer_size(l->s->target) - (end ? 0 : l->s->end_size);
	uint32_t a, v, rec = ir_new_temp(l, IRT_MEM);
	struct ir_block *done = ir_new_block(l, "room"), *apart = ir_new_block(l, "apart");
	bool speculative;

	speculative = branch_speculative(l, use, apart);
	a = account(l, full);
	if (end) {
		ir_emit_jmp(l, open);
	} else {
		v = ir_emit_load(l, ir_op_temp(a), offsetof(struct dt_fill, full), 8);
		ir_emit_br(l, COND_NE, ir_op_temp(v), ir_op_imm(0), full, open);
	}
	ir_place(l, open);
	v = ir_emit_load(l, ir_op_temp(a), offsetof(struct dt_fill, used), 8);
	v = ir_emit_op(l, IR_ADD, ir_op_temp(v), ir_op_imm(buffer_record_size(POLICY_FILL, size)));
	ir_emit_br(l, COND_GT, ir_op_temp(v), ir_op_temp(ir_emit_mov(l, ir_op_imm((int64_t)limit))),
		over, fits);
	ir_place(l, fits);
	v = ir_emit_call(l, BPF_FUNC_ringbuf_reserve, 3, ir_op_map(DT_MAP_RING), ir_op_imm(size),
		ir_op_imm(0));
	ir_emit_br(l, COND_EQ, ir_op_temp(v), ir_op_imm(0), over, got);
	ir_place(l, over);
	ir_emit_store(l, ir_op_temp(a), offsetof(struct dt_fill, full), ir_op_imm(1), 8);
	ir_emit_jmp(l, full);
	ir_place(l, got);
	ir_emit_set(l, rec, ir_op_temp(v));
	ir_emit_jmp(l, done);
	if (speculative) {
		ir_place(l, apart);
		ir_emit_set(l, rec, ir_op_temp(reserve(l, size, full)));
		ir_emit_jmp(l, done);
	}
	ir_place(l, done);
	return rec;
}

static void count_used(struct lower *l, enum buffer_use use, uint32_t size)
{
	struct ir_block *none = ir_new_block(l, "counted");
	uint32_t a, n;
	struct ir_insn *in;

	branch_speculative(l, use, none);
	a = account(l, none);
	n = ir_emit_mov(l, ir_op_imm(buffer_record_size(POLICY_FILL, size)));
	in = ir_emit(l, IR_XADD);
	in->a = ir_op_temp(a);
	in->off = offsetof(struct dt_fill, used);
	in->b = ir_op_temp(n);
	in->size = 8;
	ir_place(l, none);
}

/* ---- ring ---- */

static uint32_t claim(struct lower *l, uint32_t size, struct ir_block *full)
{
	const struct over_layout *o = &l->s->out->over;
	struct ir_block *room = ir_new_block(l, "room");
	uint32_t total = buffer_record_size(POLICY_RING, size);
	uint32_t cpu = ir_emit_call(l, BPF_FUNC_get_smp_processor_id, 0), pos, off, i, p;

	pos = ir_emit_rt(l, "dt_over_claim", 2, ir_op_imm(total), ir_op_imm((int64_t)o->size));
	ir_emit_br(l, COND_EQ, ir_op_temp(pos), ir_op_imm(0), full, room);
	ir_place(l, room);
	off = ir_emit_op(l, IR_AND, ir_op_temp(pos), ir_op_imm((int64_t)(o->size - 1)));
	i = ir_emit_op(l, IR_MUL, ir_op_temp(cpu), ir_op_imm((int64_t)(o->size / o->chunk)));
	off = ir_emit_op(l, IR_SHR, ir_op_temp(off), ir_op_imm(__builtin_ctz(o->chunk)));
	i = ir_emit_op(l, IR_ADD, ir_op_temp(i), ir_op_temp(off));
	p = ir_emit_nonnull(l, ir_array_lookup(l, DT_MAP_OVER, ir_op_temp(i)), full);
	off = ir_emit_op(l, IR_AND, ir_op_temp(pos), ir_op_imm(o->chunk - 8));
	p = ir_emit_op(l, IR_ADD, ir_op_temp(p), ir_op_temp(off));
	ir_emit_store(l, ir_op_temp(p), offsetof(struct dt_over, len), ir_op_imm(size), 4);
	ir_emit_store(
		l, ir_op_temp(p), offsetof(struct dt_over, state), ir_op_imm(DT_OVER_BUSY), 4);
	ir_emit_store(l, ir_op_temp(p), offsetof(struct dt_over, pos), ir_op_temp(pos), 8);
	ir_emit_store(l, ir_op_temp(p), offsetof(struct dt_over, time),
		ir_op_temp(ir_emit_call(l, BPF_FUNC_ktime_get_ns, 0)), 8);
	return ir_emit_op(l, IR_ADD, ir_op_temp(p), ir_op_imm(DT_OVER_HEADER));
}

static void set_state(struct lower *l, uint32_t rec, uint32_t state)
{
	int32_t at = (int32_t)offsetof(struct dt_over, state) - (int32_t)DT_OVER_HEADER;

	ir_emit_store(l, ir_op_temp(rec), at, ir_op_imm(state), 4);
}

static uint32_t position(struct lower *l, uint32_t rec)
{
	int32_t at = (int32_t)offsetof(struct dt_over, pos) - (int32_t)DT_OVER_HEADER;

	return ir_emit_load(l, ir_op_temp(rec), at, 8);
}

static void complete(struct lower *l, uint32_t rec)
{
	set_state(l, rec, DT_OVER_COMPLETE);
	ir_emit_rt(l, "dt_over_complete", 1, ir_op_temp(position(l, rec)));
}

/* Its room is given back, unless another record was made in the meantime. */
static void unclaim(struct lower *l, uint32_t rec, uint32_t size)
{
	set_state(l, rec, DT_OVER_DISCARDED);
	ir_emit_rt(l, "dt_over_unclaim", 2, ir_op_temp(position(l, rec)),
		ir_op_imm(buffer_record_size(POLICY_RING, size)));
}

/* ---- all ---- */

uint32_t buffer_reserve(struct lower *l, enum buffer_use use, uint32_t size, struct ir_block *full)
{
	if (l->s->target->policy == POLICY_RING)
		return claim(l, size, full);
	if (l->s->target->policy == POLICY_FILL && use != BUFFER_MESSAGE)
		return reserve_counted(l, use, size, full);
	return reserve(l, size, full);
}

void buffer_room(struct lower *l, uint32_t size, struct ir_block *full)
{
	struct ir_block *room = ir_new_block(l, "room");
	uint32_t used, all;

	if (l->s->target->policy == POLICY_RING) /* writes over what is there */
		return;
	used = ir_emit_call(
		l, BPF_FUNC_ringbuf_query, 2, ir_op_map(DT_MAP_RING), ir_op_imm(BPF_RB_AVAIL_DATA));
	used = ir_emit_op(
		l, IR_ADD, ir_op_temp(used), ir_op_imm(buffer_record_size(POLICY_SWITCH, size)));
	all = ir_emit_call(
		l, BPF_FUNC_ringbuf_query, 2, ir_op_map(DT_MAP_RING), ir_op_imm(BPF_RB_RING_SIZE));
	ir_emit_br(l, COND_GT, ir_op_temp(used), ir_op_temp(all), full, room);
	ir_place(l, room);
}

void buffer_output(struct lower *l, uint32_t rec, uint32_t used, struct ir_block *full)
{
	struct ir_block *done = ir_new_block(l, "output");
	uint32_t err = ir_emit_call(l, BPF_FUNC_ringbuf_output, 4, ir_op_map(DT_MAP_RING),
		ir_op_temp(rec), ir_op_temp(used), ir_op_imm(0));

	ir_emit_br(l, COND_NE, ir_op_temp(err), ir_op_imm(0), full, done);
	ir_place(l, done);
}

void buffer_submit(struct lower *l, enum buffer_use use, uint32_t rec, uint32_t size)
{
	if (l->s->target->policy == POLICY_RING) {
		complete(l, rec);
		return;
	}
	ir_emit_call(l, BPF_FUNC_ringbuf_submit, 2, ir_op_temp(rec), ir_op_imm(0));
	if (l->s->target->policy == POLICY_FILL && use != BUFFER_MESSAGE)
		count_used(l, use, size);
}

void buffer_discard(struct lower *l, uint32_t rec, uint32_t size)
{
	if (l->s->target->policy == POLICY_RING)
		unclaim(l, rec, size);
	else
		ir_emit_call(l, BPF_FUNC_ringbuf_discard, 2, ir_op_temp(rec), ir_op_imm(0));
}

/* ---- sizes ---- */

/* Returns the bytes of a ring buffer with room for N: a power of two, and whole pages. */
static uint32_t ring_bytes(const struct target *t, uint64_t n)
{
	uint64_t p = t->page;

	while (p < n && p < 1u << 31)
		p *= 2;
	return (uint32_t)p;
}

/* The ring buffer is shared by all CPUs; by default it does not grow with very many of them. */
#define RING_DEFAULT_MAX (32u << 20)
#define RING_SMALL	 (64u << 10)
/*
 * fill: discarded records take room, too, until the consumer has seen them, and must not be the end
 */
#define RING_FILL_MIN (4u << 20)

static bool only_exit(const struct sema_clause *c)
{
	return c->descs.len == 1 && c->descs.data[0]->nactions == 1 &&
		c->descs.data[0]->actions[0].kind == REC_EXIT;
}

/* True if C's records are few: those of BEGIN and END, or one that ends the session. */
static bool records_little(struct lower_session *s, const struct sema_clause *c)
{
	for (uint32_t i = 0; i < c->probes.len; i++) {
		struct attach_plan plan = {0};

		c->probes.data[i]->provider->plan(
			registry_env(s->registry), c->probes.data[i], 0, &plan);
		if (plan.kind != ATTACH_BEGIN && plan.kind != ATTACH_END)
			return only_exit(c);
	}
	return true;
}

static uint64_t ring_size(struct lower_session *s)
{
	const struct target *t = s->target;
	uint64_t size = t->bufsize * t->ncpus, small = RING_SMALL;

	/* the accounts say what is full, not the way to the consumer */
	if (t->policy == POLICY_FILL) {
		size = 2 * buffer_size(t) * t->ncpus;
		return size > RING_FILL_MIN ? size : RING_FILL_MIN;
	}
	if (t->bufsize_given)
		return size;
	if (s->awaits) /* nobody knows how much they record */
		return size < RING_DEFAULT_MAX ? size : RING_DEFAULT_MAX;
	for (uint32_t i = 0; i < s->sema->clauses.len; i++) {
		const struct sema_clause *c = s->sema->clauses.data[i];

		if (!c->descs.len)
			continue;
		if (!records_little(s, c))
			return size < RING_DEFAULT_MAX ? size : RING_DEFAULT_MAX;
		for (uint32_t k = 0; k < c->descs.len; k++)
			small += 4 * c->descs.data[k]->size;
	}
	return small;
}

/* Returns the largest record of the session, and what a firing of END may write. */
static uint32_t measure(struct lower_session *s)
{
	uint32_t most = sizeof(struct dt_fault);

	for (uint32_t i = 0; i < s->sema->clauses.len; i++) {
		const struct sema_clause *c = s->sema->clauses.data[i];
		bool end = false;

		for (uint32_t k = 0; k < c->probes.len; k++) {
			struct attach_plan plan = {0};

			c->probes.data[k]->provider->plan(
				registry_env(s->registry), c->probes.data[k], 0, &plan);
			end |= plan.kind == ATTACH_END;
		}
		for (uint32_t k = 0; k < c->descs.len; k++) {
			uint32_t size = c->descs.data[k]->size;

			most = size > most ? size : most;
			if (end)
				s->end_size += buffer_record_size(s->target->policy, size);
		}
	}
	return most;
}

static void refuse(struct lower_session *s, const char *text)
{
	struct loc none = {0};

	diag_add(s->diags, "D_UNKNOWN", none, "%s", text);
	s->failed = true;
}

#define CHUNK_MOST (1u << 20) /* map values of 4 MiB and more are refused by kernels before 6.9 */
#define AWAITED	   16384      /* bytes of a record of a clause that is checked later, at least */

static void layout_over(struct lower_session *s, uint32_t most)
{
	struct over_layout *o = &s->out->over;

	o->size = ring_bytes(s->target, s->target->bufsize);
	o->chunk = o->size < CHUNK_MOST ? o->size : CHUNK_MOST;
	if (s->awaits && most < AWAITED)
		most = AWAITED;
	o->value = o->chunk + buffer_record_size(POLICY_RING, most);
}

void buffer_layout(struct lower_session *s)
{
	const struct over_layout *over = &s->out->over;
	uint32_t most = measure(s), size = buffer_record_size(s->target->policy, most);

	if (size > buffer_size(s->target) ||
		(s->before && s->target->policy == POLICY_RING && size > over->value - over->chunk))
		refuse(s, "Enabling exceeds size of buffer");
	else if (s->target->policy == POLICY_FILL && s->end_size > buffer_size(s->target))
		refuse(s, "END enablings exceed size of principal buffer");
	if (s->target->policy == POLICY_RING && !s->before)
		layout_over(s, most);
}

/* For keys of aggregations without room: as many as come in 200 ms, if a CPU makes nothing else. */
static void add_rest(struct lower_session *s)
{
	struct ir_map rest = {.name = DT_MAP_AGG_REST, .type = IRMAP_RING, .kept = s->awaits};

	if (s->target->aggsize_given)
		return;
	rest.max_entries = ring_bytes(s->target, 2 * s->target->aggsize);
	vec_push(s->arena, &s->out->module.maps, rest);
}

void buffer_maps(struct lower_session *s)
{
	struct ir_map ring = {.name = DT_MAP_RING, .type = IRMAP_RING, .kept = s->awaits};
	struct ir_map fill = {.name = DT_MAP_FILL,
		.type = IRMAP_PERCPU_ARRAY,
		.key_size = 4,
		.value_size = sizeof(struct dt_fill),
		.max_entries = 1,
		.kept = s->awaits};
	struct ir_map over = {.name = DT_MAP_OVER,
		.type = IRMAP_ARRAY,
		.key_size = 4,
		.value_size = s->out->over.value};

	add_rest(s);
	if (s->target->policy == POLICY_RING) {
		over.max_entries = s->target->ncpus * (s->out->over.size / s->out->over.chunk);
		vec_push(s->arena, &s->out->module.maps, over);
		return;
	}
	ring.max_entries = ring_bytes(s->target, ring_size(s));
	vec_push(s->arena, &s->out->module.maps, ring);
	if (s->target->policy == POLICY_FILL)
		vec_push(s->arena, &s->out->module.maps, fill);
}
