// SPDX-License-Identifier: Apache-2.0
/* Finds the instructions with which functions return. */
#include "sym/returns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/returns.h"
#include "abi/unwind.h"
#include "abi/usdt.h"
#include "arch/arch.h"
#include "arch/control.h"
#include "arch/insn.h"
#include "sym/image.h"
#include "sym/unwind.h"

#define RANGES	DT_LEAVE_RANGES
#define LONGEST (16 << 20) /* bytes of a function; what is longer is no function */

/* The code of a function or of one of its parts. */
struct range {
	uint64_t from, to; /* addresses in the file */
	uint8_t *code;	   /* TO - FROM bytes */
	uint8_t *begins;   /* a bit for each byte: an instruction begins there */
};

struct search {
	const struct file_image *m;
	const struct image_func *f;
	const struct unwind_table *unwind;
	struct range ranges[RANGES]; /* the function, then its parts */
	uint32_t n;
	struct returns *out;
	uint32_t room;
};

/* ---- reading ---- */

static bool begins(const struct range *r, uint64_t at)
{
	return r->begins[at / 8] >> (at % 8) & 1;
}

/* Marks where instructions begin; false: bytes that are none, or one that goes beyond the end. */
static bool mark(struct range *r)
{
	uint64_t size = r->to - r->from;
	unsigned len;

	for (uint64_t at = 0; at < size; at += len) {
		len = insn_decode(r->code + at, size - at, NULL);
		if (!len)
			return false;
		r->begins[at / 8] |= (uint8_t)(1 << (at % 8));
	}
	return true;
}

static int add_range(struct search *s, const struct image_func *f)
{
	struct range *r = &s->ranges[s->n];

	if (f->size > LONGEST)
		return 0;
	*r = (struct range){
		f->vaddr, f->vaddr + f->size, malloc(f->size), calloc(1, f->size / 8 + 1)};
	s->n++;
	if (!r->code || !r->begins)
		return -ENOMEM;
	s->out->understood &= image_code(s->m, f->vaddr, r->code, f->size) && mark(r);
	return 0;
}

/* ---- parts ---- */

static const struct range *range_of(const struct search *s, uint64_t addr)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (addr >= s->ranges[i].from && addr < s->ranges[i].to)
			return &s->ranges[i];
	return NULL;
}

/*
 * True if the function jumps to PART, and does not call it.  A part that it calls returns to the
 * function, so its returns are not those of the function.
 */
static bool jumps_to(const struct search *s, const struct image_func *part)
{
	const struct range *r = &s->ranges[0];
	bool jumps = false;
	struct control f;

	for (uint64_t at = 0; at < r->to - r->from; at += f.len) {
		uint64_t target;

		if (!control_decode(r->code + at, r->to - r->from - at, &f))
			return false;
		target = r->from + at + (uint64_t)f.target;
		if (target < part->vaddr || target >= part->vaddr + part->size)
			continue;
		if (f.kind == CONTROL_CALL)
			return false;
		jumps |= f.kind == CONTROL_JUMP || f.kind == CONTROL_BRANCH;
	}
	return jumps;
}

/* image_each_part()'s; 1: there are too many. */
static int add_part(void *arg, const struct image_func *part)
{
	struct search *s = arg;

	if (!jumps_to(s, part))
		return 0;
	if (s->n < RANGES)
		return add_range(s, part);
	s->out->understood = false;
	return 1;
}

static int add_parts(struct search *s)
{
	int r = image_each_part(s->m, s->f, add_part, s);

	return r < 0 ? r : 0;
}

/* ---- places ---- */

/* True if the instruction at ADDR is the function's first one that does something. */
static bool is_first(const struct search *s, uint64_t addr)
{
	uint64_t offset = addr - s->f->vaddr;

	return !offset || (offset == ARCH_LANDING && insn_landing(s->ranges[0].code, ARCH_LANDING));
}

/* True if only the return address is on the stack at ADDR. */
static bool stack_is_empty(const struct search *s, uint64_t addr)
{
	const struct unwind_table *t = s->unwind;
	uint32_t rule;

	if (is_first(s, addr))
		return true;
	if (!t || addr < t->base || addr - t->base > UINT32_MAX)
		return false;
	rule = unwind_find(t, (uint32_t)(addr - t->base));
	return DT_RULE_KIND(rule) == DT_UNWIND_SP && DT_RULE_BIG(rule) == 1;
}

static uint8_t reg_of(uint8_t number)
{
	return number == CONTROL_NO_REG ? DT_USDT_NO_REG : control_reg(number);
}

/* The target of an indirect jump at ADDR: an operand as of a USDT probe. */
static bool set_target(struct dt_return_site *r, uint64_t addr, const struct control *f)
{
	const struct control_operand *o = &f->operand;

	r->target = (struct dt_usdt_operand){.kind = o->memory ? DT_USDT_MEMORY : DT_USDT_REG,
		.size = 8,
		.base = reg_of(o->base),
		.index = reg_of(o->index),
		.shift = o->shift,
		.moves = o->relative,
		.number = o->displacement};
	if (!o->memory) {
		r->target.index = DT_USDT_NO_REG;
		r->target.shift = 0;
	}
	if (o->relative)
		r->target.number += (int64_t)(addr + f->len);
	return !o->segment;
}

static int add_place(struct search *s, const struct dt_return_site *r)
{
	struct returns *out = s->out;

	if (out->n == s->room) {
		uint32_t room = s->room ? 2 * s->room : 8;
		struct dt_return_site *v = realloc(out->v, room * sizeof(*v));

		if (!v)
			return -ENOMEM;
		out->v = v;
		s->room = room;
	}
	out->v[out->n++] = *r;
	out->jumps += r->kind != DT_LEAVE_RETURN;
	return 0;
}

/* A jump to one of the function's own instructions: anything else means that there is data. */
static void check_inner(struct search *s, uint64_t target)
{
	const struct range *r = range_of(s, target);
	uint64_t at = target - r->from;

	/* past a lock prefix, as C libraries jump where a process has one thread */
	if (!begins(r, at) && !(at && begins(r, at - 1) && r->code[at - 1] == 0xf0))
		s->out->understood = false;
}

/* Sets what R, at ADDR, is by its instruction; false: it is no place. */
static bool classify(
	struct search *s, uint64_t addr, const struct control *f, struct dt_return_site *r)
{
	uint64_t target = addr + (uint64_t)f->target;

	switch (f->kind) {
	case CONTROL_RETURN:
		r->kind = DT_LEAVE_RETURN;
		r->carry = f->pops == 0 && !is_first(s, addr);
		return true;
	case CONTROL_JUMP:
	case CONTROL_BRANCH:
	case CONTROL_COUNTED:
		if (range_of(s, target)) {
			check_inner(s, target);
			return false;
		}
		r->kind = f->kind == CONTROL_JUMP ? DT_LEAVE_JUMP : DT_LEAVE_IF;
		r->cc = f->cc;
		return f->kind != CONTROL_COUNTED && stack_is_empty(s, addr);
	case CONTROL_INDIRECT:
		r->kind = DT_LEAVE_OUT;
		for (uint32_t i = 0; i < s->n; i++) {
			r->inside[i].from = (int32_t)(s->ranges[i].from - addr);
			r->inside[i].to = (int32_t)(s->ranges[i].to - addr);
		}
		return set_target(r, addr, f) && stack_is_empty(s, addr);
	default:
		return false;
	}
}

static int find_in(struct search *s, const struct range *r)
{
	uint64_t size = r->to - r->from;
	struct control f;
	int err = 0;

	for (uint64_t at = 0; !err && at < size; at += f.len) {
		uint64_t addr = r->from + at;
		struct dt_return_site place = {.pc = addr, .offset = (int64_t)(addr - s->f->vaddr)};
		enum insn_kind kind;

		if (!control_decode(r->code + at, size - at, &f))
			break;
		insn_decode(r->code + at, size - at, &kind);
		if (f.kind != CONTROL_NEXT && classify(s, addr, &f, &place) && kind != INSN_REFUSED)
			err = add_place(s, &place);
	}
	return err;
}

int returns_find(const struct file_image *m, const struct image_func *f,
	const struct unwind_table *unwind, struct returns *out)
{
	struct search s = {.m = m, .f = f, .unwind = unwind, .out = out};
	int err;

	*out = (struct returns){.understood = f->size <= LONGEST};
	err = add_range(&s, f);
	if (!err && out->understood)
		err = add_parts(&s);
	for (uint32_t i = 0; !err && out->understood && i < s.n; i++)
		err = find_in(&s, &s.ranges[i]);
	for (uint32_t i = 0; i < s.n; i++) {
		free(s.ranges[i].code);
		free(s.ranges[i].begins);
	}
	if (err || !out->understood) {
		free(out->v);
		out->v = NULL;
		out->n = out->jumps = 0;
	}
	return err;
}

void returns_free(struct returns *r)
{
	free(r->v);
	*r = (struct returns){.understood = r->understood};
}
