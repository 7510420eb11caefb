// SPDX-License-Identifier: Apache-2.0
/*
 * Parses call frame information and runs its instructions (DWARF 5, section 6.4.2).  Sections come
 * from untrusted files: every size and offset in them is checked.
 */
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/unwind.h"
#include "arch/arch.h"
#include "base/heapvec.h"
#include "base/vec.h"
#include "sym/unwind_cfi.h"

/* Numbers of registers in DWARF (System V ABI, AMD64 supplement, figure 3.36). */
enum { REG_BP = ARCH_DWARF_FP, REG_SP = ARCH_DWARF_SP, REG_RA = ARCH_DWARF_RA };

/* ---- reading ---- */

static uint64_t cfi_fixed(struct cfi_cursor *c, unsigned bytes)
{
	uint64_t v = 0;

	if (c->bad || (size_t)(c->end - c->at) < bytes) {
		c->bad = true;
		return 0;
	}
	memcpy(&v, c->at, bytes);
	c->at += bytes;
	return v;
}

static uint64_t cfi_uleb(struct cfi_cursor *c)
{
	uint64_t v = 0, byte;
	unsigned shift = 0;

	do {
		byte = cfi_fixed(c, 1);
		if (shift < 64)
			v |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return v;
}

static int64_t cfi_sleb(struct cfi_cursor *c)
{
	uint64_t v = 0, byte;
	unsigned shift = 0;

	do {
		byte = cfi_fixed(c, 1);
		if (shift < 64)
			v |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (shift < 64 && byte & 0x40)
		v |= ~0ull << shift;
	return (int64_t)v;
}

/* The parts of an encoding: the format of the value, and what it is relative to. */
#define PE_FORMAT   0x0f
#define PE_RELATIVE 0x70

static uint64_t encoded(struct cfi_cursor *c, uint8_t enc)
{
	switch (enc & PE_FORMAT) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return cfi_fixed(c, 8);
	case DW_EH_PE_uleb128:
		return cfi_uleb(c);
	case DW_EH_PE_udata2:
		return cfi_fixed(c, 2);
	case DW_EH_PE_udata4:
		return cfi_fixed(c, 4);
	case DW_EH_PE_sleb128:
		return (uint64_t)cfi_sleb(c);
	case DW_EH_PE_sdata2:
		return (uint64_t)(int16_t)cfi_fixed(c, 2);
	case DW_EH_PE_sdata4:
		return (uint64_t)(int32_t)cfi_fixed(c, 4);
	}
	c->bad = true;
	return 0;
}

uint64_t cfi_pointer(struct cfi_cursor *c, uint8_t enc, uint64_t vaddr)
{
	uint64_t v;

	if (enc == DW_EH_PE_omit)
		return 0;
	v = encoded(c, enc);
	if ((enc & PE_RELATIVE) == DW_EH_PE_pcrel)
		return v + vaddr;
	return v; /* pointers relative to anything else are only skipped */
}

/* ---- entries ---- */

struct cie {
	size_t at; /* offset in the section */
	struct cfi_cursor insns;
	uint64_t code_align;
	int64_t data_align;
	uint64_t ra;
	uint8_t fde_enc;
	bool has_data; /* FDEs have augmentation data */
	bool signal;
};

struct fde {
	uint64_t pc, len;
	size_t order; /* in which they were read */
	struct cfi_cursor insns;
	const struct cie *cie;
};

struct cfi_entries {
	const struct cfi *section;
	uint64_t low, high; /* what is wanted */
	HEAPVEC(struct cie) cies;
};

HEAPVEC_STRUCT(fdes, struct fde);

/* The common part of entries in both sections: a length and the CIE that it belongs to. */
struct cfi_entry {
	struct cfi_cursor body; /* after the CIE's id or pointer */
	size_t at, cie;
	bool is_cie;
};

/* The entry at offset *AT, which goes on to the next; false: there is none. */
static bool next_entry(const struct cfi *s, size_t *at, struct cfi_entry *e)
{
	struct cfi_cursor c = {s->data + *at, s->data + s->len, false};
	uint64_t len = cfi_fixed(&c, 4), id;
	unsigned word = 4;
	size_t field;

	if (len == 0xffffffff) {
		len = cfi_fixed(&c, 8);
		if (!s->is_eh) /* .eh_frame's ids stay short */
			word = 8;
	}
	if (c.bad || !len || len > (size_t)(c.end - c.at))
		return false;
	c.end = c.at + len;
	e->at = *at;
	field = (size_t)(c.at - s->data);
	id = cfi_fixed(&c, word);
	e->is_cie = s->is_eh ? !id : id == (word == 8 ? DW_CIE_ID_64 : DW_CIE_ID_32);
	e->cie = s->is_eh ? field - id : id;
	e->body = c;
	*at = (size_t)(c.end - s->data);
	return !c.bad;
}

static uint64_t vaddr_at(const struct cfi *s, const struct cfi_cursor *c)
{
	return s->vaddr + (uint64_t)(c->at - s->data);
}

static void read_augmentation(
	const struct cfi *s, struct cfi_cursor *c, const char *aug, struct cie *cie)
{
	const uint8_t *end;
	uint64_t len;

	if (*aug != 'z')
		return;
	cie->has_data = true;
	len = cfi_uleb(c);
	if (c->bad || len > (size_t)(c->end - c->at)) {
		c->bad = true;
		return;
	}
	end = c->at + len;
	while (*++aug && c->at < end) {
		uint8_t enc;

		if (*aug == 'R') {
			cie->fde_enc = (uint8_t)cfi_fixed(c, 1);
		} else if (*aug == 'L') {
			cfi_fixed(c, 1);
		} else if (*aug == 'P') {
			enc = (uint8_t)cfi_fixed(c, 1);
			cfi_pointer(c, enc, vaddr_at(s, c));
		} else if (*aug != 'S') {
			break;
		}
	}
	c->at = end;
}

static bool read_cie(const struct cfi *s, const struct cfi_entry *e, struct cie *cie)
{
	struct cfi_cursor c = e->body;
	uint64_t version = cfi_fixed(&c, 1);
	const char *aug = (const char *)c.at;
	const void *nul = memchr(c.at, 0, (size_t)(c.end - c.at));

	if (!nul || !(version == 1 || version == 3 || version == 4))
		return false;
	c.at = (const uint8_t *)nul + 1;
	if (*aug && *aug != 'z')
		return false;
	if (version == 4 && cfi_fixed(&c, 2) != 8) /* bytes of an address, of a segment's number */
		return false;
	*cie = (struct cie){.at = e->at};
	cie->code_align = cfi_uleb(&c);
	cie->data_align = cfi_sleb(&c);
	cie->ra = version == 1 ? cfi_fixed(&c, 1) : cfi_uleb(&c);
	read_augmentation(s, &c, aug, cie);
	cie->signal = *aug && strchr(aug, 'S');
	cie->insns = c;
	return !c.bad;
}

static const struct cie *find_cie(const struct cfi_entries *all, size_t at)
{
	size_t low = 0, high = all->cies.len;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (all->cies.data[mid].at == at)
			return &all->cies.data[mid];
		if (all->cies.data[mid].at < at)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

static bool read_fde(const struct cfi_entries *all, const struct cfi_entry *e, struct fde *f)
{
	const struct cfi *s = all->section;
	struct cfi_cursor c = e->body;
	const struct cie *cie = find_cie(all, e->cie);
	uint64_t len;

	if (!cie || cie->fde_enc & DW_EH_PE_indirect ||
		(cie->fde_enc & PE_RELATIVE) > DW_EH_PE_pcrel)
		return false;
	f->cie = cie;
	f->pc = cfi_pointer(&c, cie->fde_enc, vaddr_at(s, &c));
	f->len = cfi_pointer(&c, cie->fde_enc & PE_FORMAT, 0);
	if (cie->has_data) {
		len = cfi_uleb(&c);
		if (len > (size_t)(c.end - c.at))
			return false;
		c.at += len;
	}
	f->insns = c;
	/* linkers leave 0 for the functions that they have left out */
	return !c.bad && f->len && f->pc && f->pc >= all->low && f->pc < all->high &&
		f->len <= all->high - f->pc;
}

/* All CIEs first: in .debug_frame they may stand after the FDEs that use them. */
static bool read_entries(struct cfi_entries *all, struct fdes *fdes)
{
	struct cfi_entry e;
	struct cie *cie;
	struct fde *fde;
	size_t at = 0;

	while (next_entry(all->section, &at, &e)) {
		if (!e.is_cie)
			continue;
		cie = heapvec_add(&all->cies);
		if (!cie)
			return false;
		if (!read_cie(all->section, &e, cie))
			all->cies.len--;
	}
	at = 0;
	while (next_entry(all->section, &at, &e)) {
		if (e.is_cie)
			continue;
		fde = heapvec_add(fdes);
		if (!fde)
			return false;
		fde->order = fdes->len - 1;
		if (!read_fde(all, &e, fde))
			fdes->len--;
	}
	return true;
}

static int by_pc(const void *a, const void *b)
{
	const struct fde *x = a, *y = b;

	if (x->pc != y->pc)
		return x->pc < y->pc ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* ---- rules ---- */

enum how { SAME, UNDEFINED, AT_CFA, AT_EXPR, OTHER };

/* The rule to find a register; or, of the CFA, REG + OFF if there is no expression. */
struct reg_rule {
	enum how how;
	int64_t off;
	struct cfi_cursor expr;
};

struct state {
	uint64_t cfa_reg;
	int64_t cfa_off;
	struct cfi_cursor cfa_expr; /* at == NULL: none */
	struct reg_rule bp, ra;
};

static bool is_words(int64_t off, int64_t low, int64_t high)
{
	return !(off & 7) && off / 8 >= low && off / 8 <= high;
}

static uint32_t rule_big(enum dt_unwind_kind kind, int64_t off)
{
	if (!is_words(off, 0, DT_RULE_BIG_MAX))
		return DT_UNWIND_NONE;
	return kind | (uint32_t)(off / 8) << 14;
}

static uint32_t rule_pair(enum dt_unwind_kind kind, int64_t n, uint64_t m)
{
	if (!is_words(n, -DT_RULE_N_MAX, DT_RULE_N_MAX) || m > DT_RULE_M_MAX)
		return DT_UNWIND_NONE;
	return kind | ((uint32_t)(n / 8) & 0x3fff) << 14 | (uint32_t)m << 28;
}

/* SP + 8 + ((PC & 15) >= M) * 8, as linkers have it for the stubs of a PLT */
static uint32_t rule_plt(struct cfi_cursor c, int64_t off)
{
	uint64_t first = cfi_fixed(&c, 1), lit;

	if (off != 8 || first != DW_OP_breg0 + REG_RA || cfi_sleb(&c) ||
		cfi_fixed(&c, 1) != DW_OP_lit15 || cfi_fixed(&c, 1) != DW_OP_and)
		return DT_UNWIND_NONE;
	lit = cfi_fixed(&c, 1) - DW_OP_lit0;
	if (cfi_fixed(&c, 1) != DW_OP_ge || cfi_fixed(&c, 1) != DW_OP_lit3 ||
		cfi_fixed(&c, 1) != DW_OP_shl || cfi_fixed(&c, 1) != DW_OP_plus || c.bad)
		return DT_UNWIND_NONE;
	return rule_pair(DT_UNWIND_PLT, 0, lit);
}

static uint32_t rule_cfa_expr(struct cfi_cursor c)
{
	uint64_t reg = cfi_fixed(&c, 1) - DW_OP_breg0, op, add;
	int64_t off = cfi_sleb(&c);
	enum dt_unwind_kind kind = reg == REG_SP ? DT_UNWIND_AT_SP : DT_UNWIND_AT_BP;

	if (c.bad || (reg != REG_SP && reg != REG_BP))
		return DT_UNWIND_NONE;
	op = c.at < c.end ? *c.at : 0;
	if (op != DW_OP_deref)
		return reg == REG_SP ? rule_plt(c, off) : DT_UNWIND_NONE;
	c.at++;
	if (c.at == c.end)
		return rule_pair(kind, off, 0);
	if (cfi_fixed(&c, 1) != DW_OP_plus_uconst)
		return DT_UNWIND_NONE;
	add = cfi_uleb(&c);
	if (c.bad || c.at != c.end || add & 7)
		return DT_UNWIND_NONE;
	return rule_pair(kind, off, add / 8);
}

static uint32_t rule_cfa(const struct state *s)
{
	if (s->cfa_expr.at)
		return rule_cfa_expr(s->cfa_expr);
	if (s->cfa_reg == REG_SP)
		return rule_big(DT_UNWIND_SP, s->cfa_off);
	if (s->cfa_reg == REG_BP)
		return rule_big(DT_UNWIND_BP, s->cfa_off);
	return rule_pair(DT_UNWIND_REG, s->cfa_off, s->cfa_reg);
}

static uint32_t rule_bp(const struct reg_rule *r)
{
	struct cfi_cursor c = r->expr;
	int64_t off;

	if (r->how == SAME)
		return DT_BP_SAME << 4;
	if (r->how == AT_CFA && is_words(r->off, -DT_RULE_X_MAX, 0))
		return DT_BP_CFA << 4 | (uint32_t)(-r->off / 8) << 6;
	if (r->how != AT_EXPR || cfi_fixed(&c, 1) != DW_OP_breg0 + REG_BP)
		return DT_BP_LOST << 4;
	off = cfi_sleb(&c);
	if (c.bad || c.at != c.end || !is_words(off, -128, 127))
		return DT_BP_LOST << 4;
	return DT_BP_BP << 4 | ((uint32_t)(off / 8) & 255) << 6;
}

/* glibc's description of what the kernel leaves on the stack: CFA = *(SP + ARCH_SIGNAL_SP) */
static uint32_t rule_of(const struct state *s, const struct cie *cie)
{
	uint32_t cfa;

	if (cie->ra != REG_RA)
		return DT_UNWIND_NONE;
	if (s->ra.how == UNDEFINED)
		return DT_UNWIND_OUTERMOST;
	cfa = rule_cfa(s);
	if (cie->signal && cfa == rule_pair(DT_UNWIND_AT_SP, ARCH_SIGNAL_SP, 0))
		return DT_UNWIND_SIGNAL;
	if (DT_RULE_KIND(cfa) == DT_UNWIND_NONE || s->ra.how != AT_CFA || s->ra.off != ARCH_RA_AT)
		return DT_UNWIND_NONE;
	return cfa | rule_bp(&s->bp);
}

/* ---- rows ---- */

struct cfi_rows {
	HEAPVEC(struct dt_unwind_row) list;
	uint64_t low;
	uint64_t end; /* of the code that is covered so far */
	bool failed;
};

/* Padding between functions: nobody runs it. */
#define PADDING 16

static void add_row(struct cfi_rows *r, uint64_t pc, uint32_t rule)
{
	struct dt_unwind_row *last = r->list.len ? &vec_last(&r->list) : NULL;
	uint32_t at = (uint32_t)(pc - r->low);

	if (last && last->rule == rule)
		return;
	if (last && last->pc == at) {
		last->rule = rule;
		return;
	}
	if (heapvec_push(&r->list, (struct dt_unwind_row){at, rule}))
		r->failed = true;
}

/* ---- the machine ---- */

#define MAX_REMEMBERED 16

struct machine {
	const struct fde *fde;
	struct cfi_cursor c;
	uint64_t pc;
	struct state now, initial;
	struct state remembered[MAX_REMEMBERED];
	unsigned depth;
	struct cfi_rows *rows; /* NULL while the CIE's instructions run */
};

static struct reg_rule *rule_for(struct machine *m, uint64_t reg)
{
	return reg == REG_BP ? &m->now.bp : reg == m->fde->cie->ra ? &m->now.ra : NULL;
}

static void set_rule(struct machine *m, uint64_t reg, enum how how, int64_t off)
{
	struct reg_rule *r = rule_for(m, reg);

	if (r)
		*r = (struct reg_rule){.how = how, .off = off};
}

/* Returns N times the data alignment; an offset of more than 64 bits ends the rules. */
static int64_t factored(struct machine *m, int64_t n)
{
	int64_t off;

	if (!__builtin_mul_overflow(n, m->fde->cie->data_align, &off))
		return off;
	m->c.bad = true;
	return 0;
}

static struct cfi_cursor block(struct cfi_cursor *c)
{
	uint64_t len = cfi_uleb(c);
	struct cfi_cursor b = {c->at, c->at, false};

	if (c->bad || len > (size_t)(c->end - c->at)) {
		c->bad = true;
		return b;
	}
	c->at += len;
	b.end = c->at;
	return b;
}

static void set_expr(struct machine *m, uint64_t reg, enum how how)
{
	struct reg_rule *r = rule_for(m, reg);
	struct cfi_cursor b = block(&m->c);

	if (r)
		*r = (struct reg_rule){.how = how, .expr = b};
}

static void restore(struct machine *m, uint64_t reg)
{
	struct reg_rule *r = rule_for(m, reg);

	if (r)
		*r = reg == REG_BP ? m->initial.bp : m->initial.ra;
}

/* Adds the row that holds from the machine's position up to TO. */
static void emit_row(struct machine *m, uint64_t to)
{
	struct cfi_rows *r = m->rows;

	if (to > r->end)
		add_row(r, m->pc > r->end ? m->pc : r->end,
			m->c.bad ? DT_UNWIND_NONE : rule_of(&m->now, m->fde->cie));
}

static void advance(struct machine *m, uint64_t by)
{
	uint64_t to = m->pc + by * m->fde->cie->code_align;

	if (m->rows && to > m->pc)
		emit_row(m, to);
	m->pc = to;
	if (m->rows && to - m->fde->pc >= m->fde->len) /* what follows is about no code */
		m->c.at = m->c.end;
}

static void set_cfa(struct machine *m, uint64_t reg, int64_t off)
{
	m->now.cfa_reg = reg;
	m->now.cfa_off = off;
	m->now.cfa_expr.at = NULL;
}

/* Some instructions have an operand in the opcode's low six bits; only theirs has these two. */
#define SHORT_OP 0xc0

static void step_short(struct machine *m, uint8_t op)
{
	uint64_t low = op & ~SHORT_OP;

	if ((op & SHORT_OP) == DW_CFA_advance_loc)
		advance(m, low);
	else if ((op & SHORT_OP) == DW_CFA_offset)
		set_rule(m, low, AT_CFA, factored(m, (int64_t)cfi_uleb(&m->c)));
	else
		restore(m, low);
}

static void step_cfa(struct machine *m, uint8_t op)
{
	uint64_t reg;

	switch (op) {
	case DW_CFA_def_cfa:
		reg = cfi_uleb(&m->c);
		set_cfa(m, reg, (int64_t)cfi_uleb(&m->c));
		break;
	case DW_CFA_def_cfa_register:
		set_cfa(m, cfi_uleb(&m->c), m->now.cfa_off);
		break;
	case DW_CFA_def_cfa_offset:
		set_cfa(m, m->now.cfa_reg, (int64_t)cfi_uleb(&m->c));
		break;
	case DW_CFA_def_cfa_expression:
		m->now.cfa_expr = block(&m->c);
		break;
	case DW_CFA_def_cfa_sf:
		reg = cfi_uleb(&m->c);
		set_cfa(m, reg, factored(m, cfi_sleb(&m->c)));
		break;
	default: /* DW_CFA_def_cfa_offset_sf */
		set_cfa(m, m->now.cfa_reg, factored(m, cfi_sleb(&m->c)));
		break;
	}
}

static void step_state(struct machine *m, uint8_t op)
{
	if (op == DW_CFA_remember_state && m->depth < MAX_REMEMBERED)
		m->remembered[m->depth++] = m->now;
	else if (op == DW_CFA_restore_state && m->depth)
		m->now = m->remembered[--m->depth];
	else
		m->c.bad = true;
}

/* Runs the instructions that save registers, and skips those without effect here. */
static void step_register(struct machine *m, uint8_t op)
{
	uint64_t reg;

	if (op == DW_CFA_nop || op == DW_CFA_GNU_window_save)
		return;
	reg = cfi_uleb(&m->c);
	switch (op) {
	case DW_CFA_offset_extended:
		set_rule(m, reg, AT_CFA, factored(m, (int64_t)cfi_uleb(&m->c)));
		break;
	case DW_CFA_restore_extended:
		restore(m, reg);
		break;
	case DW_CFA_undefined:
		set_rule(m, reg, UNDEFINED, 0);
		break;
	case DW_CFA_same_value:
		set_rule(m, reg, SAME, 0);
		break;
	case DW_CFA_register:
	case DW_CFA_val_offset:
		cfi_uleb(&m->c);
		set_rule(m, reg, OTHER, 0);
		break;
	case DW_CFA_expression:
		set_expr(m, reg, AT_EXPR);
		break;
	case DW_CFA_offset_extended_sf:
		set_rule(m, reg, AT_CFA, factored(m, cfi_sleb(&m->c)));
		break;
	case DW_CFA_val_offset_sf:
		cfi_sleb(&m->c);
		set_rule(m, reg, OTHER, 0);
		break;
	case DW_CFA_val_expression:
		set_expr(m, reg, OTHER);
		break;
	case DW_CFA_GNU_args_size:
		break;
	case DW_CFA_GNU_negative_offset_extended:
		set_rule(m, reg, AT_CFA, factored(m, (int64_t)-cfi_uleb(&m->c)));
		break;
	default:
		m->c.bad = true;
	}
}

static void step_insn(struct machine *m)
{
	uint8_t op = (uint8_t)cfi_fixed(&m->c, 1);

	if (op & SHORT_OP) {
		step_short(m, op);
		return;
	}
	switch (op) {
	case DW_CFA_set_loc:
		m->c.bad = true;
		break;
	case DW_CFA_advance_loc1:
		advance(m, cfi_fixed(&m->c, 1));
		break;
	case DW_CFA_advance_loc2:
		advance(m, cfi_fixed(&m->c, 2));
		break;
	case DW_CFA_advance_loc4:
		advance(m, cfi_fixed(&m->c, 4));
		break;
	case DW_CFA_remember_state:
	case DW_CFA_restore_state:
		step_state(m, op);
		break;
	case DW_CFA_def_cfa:
	case DW_CFA_def_cfa_register:
	case DW_CFA_def_cfa_offset:
	case DW_CFA_def_cfa_expression:
	case DW_CFA_def_cfa_sf:
	case DW_CFA_def_cfa_offset_sf:
		step_cfa(m, op);
		break;
	default:
		step_register(m, op);
	}
}

static void run_insns(struct machine *m, struct cfi_cursor insns)
{
	m->c = insns;
	while (m->c.at < m->c.end && !m->c.bad)
		step_insn(m);
}

/* Adds the rows of F, whose CIE's instructions have left the state INITIAL. */
static void run_fde(const struct fde *f, const struct state *initial, struct cfi_rows *r)
{
	struct machine m = {.fde = f, .pc = f->pc, .now = *initial, .initial = *initial, .rows = r};
	uint64_t end = f->pc + f->len;

	if (end <= r->end) /* another says what this one says */
		return;
	if (r->list.len && f->pc >= r->end + PADDING)
		add_row(r, r->end, DT_UNWIND_NONE);
	run_insns(&m, f->insns);
	if (m.pc < end)
		emit_row(&m, end);
	r->end = end;
}

static void run_cie(const struct cie *cie, struct state *out)
{
	struct fde none = {.cie = cie};
	struct machine m = {.fde = &none, .now = {.ra = {.how = OTHER}}};

	run_insns(&m, cie->insns);
	/* nothing is known after instructions that make no sense */
	*out = m.c.bad ? (struct state){.ra = {.how = OTHER}} : m.now;
}

static void run_all(const struct fdes *all, struct cfi_rows *r)
{
	const struct cie *last = NULL;
	struct state initial;

	for (size_t i = 0; i < all->len && !r->failed; i++) {
		if (all->data[i].cie != last) {
			last = all->data[i].cie;
			run_cie(last, &initial);
		}
		run_fde(&all->data[i], &initial, r);
	}
	if (r->list.len)
		add_row(r, r->end, DT_UNWIND_NONE);
}

int64_t cfi_rows(const struct cfi_sections *c, struct dt_unwind_row **rows)
{
	struct cfi_entries all[CFI_SECTIONS];
	struct cfi_rows r = {.low = c->low, .end = c->low};
	struct fdes fdes = {0};
	bool ok = true;

	for (unsigned i = 0; i < c->n; i++) {
		all[i] = (struct cfi_entries){.section = &c->v[i], .low = c->low, .high = c->high};
		ok = ok && read_entries(&all[i], &fdes);
	}
	if (ok && fdes.len) {
		qsort(fdes.data, fdes.len, sizeof(*fdes.data), by_pc);
		run_all(&fdes, &r);
	}
	for (unsigned i = 0; i < c->n; i++)
		heapvec_free(&all[i].cies);
	heapvec_free(&fdes);
	if (!ok || r.failed) {
		heapvec_free(&r.list);
		return -ENOMEM;
	}
	*rows = r.list.data;
	return (int64_t)r.list.len;
}
