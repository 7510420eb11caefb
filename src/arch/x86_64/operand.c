// SPDX-License-Identifier: Apache-2.0
/* Parses operands of x86-64 in AT&T syntax (info as, i386-Memory). */
#define _GNU_SOURCE /* memmem() */
#include "arch/operand.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/usdt.h"
#include "arch/arch.h"

/* The rest of one argument's text. */
struct text {
	const char *p, *end;
	operand_symbol_fn symbol;
	void *arg;
};

static void skip_blanks(struct text *t)
{
	while (t->p < t->end && isspace((unsigned char)*t->p))
		t->p++;
}

static bool accept(struct text *t, char c)
{
	skip_blanks(t);
	if (t->p == t->end || *t->p != c)
		return false;
	t->p++;
	return true;
}

static bool at_end(struct text *t)
{
	skip_blanks(t);
	return t->p == t->end;
}

/* ---- registers ---- */

struct reg {
	uint8_t offset; /* in struct pt_regs */
	uint8_t width;	/* bytes */
	uint8_t shift;	/* bits */
};

/* By the two letters that %rax, %eax and %ax have in common. */
static const struct {
	char name[3];
	uint8_t offset;
} legacy[] = {
	{"ax", DT_REG_RAX},
	{"bx", DT_REG_RBX},
	{"cx", DT_REG_RCX},
	{"dx", DT_REG_RDX},
	{"si", DT_REG_RSI},
	{"di", DT_REG_RDI},
	{"bp", DT_REG_RBP},
	{"sp", DT_REG_RSP},
	{"ip", DT_REG_RIP},
};

static const uint8_t numbered[] = {DT_REG_R8, DT_REG_R9, DT_REG_R10, DT_REG_R11, DT_REG_R12,
	DT_REG_R13, DT_REG_R14, DT_REG_R15};

/* %r8, %r10d, %r15w, %r9b (and %r9l, as some write it) */
static bool numbered_reg(const char *name, size_t len, struct reg *out)
{
	unsigned n = 0;
	size_t i = 1;

	while (i < len && i < 3 && isdigit((unsigned char)name[i]))
		n = n * 10 + (unsigned)(name[i++] - '0');
	if (name[0] != 'r' || i == 1 || name[1] == '0' || n < 8 || n > 15 || len > i + 1)
		return false;
	*out = (struct reg){.offset = numbered[n - 8], .width = 8};
	if (i == len)
		return true;
	switch (name[i]) {
	case 'd':
		out->width = 4;
		return true;
	case 'w':
		out->width = 2;
		return true;
	case 'b':
	case 'l':
		out->width = 1;
		return true;
	}
	return false;
}

/* %rax %eax %ax %al %ah, %rsi %esi %si %sil; none but the first four have a second byte's name */
static bool legacy_reg(const char *name, size_t len, struct reg *out)
{
	for (size_t i = 0; i < sizeof(legacy) / sizeof(legacy[0]); i++) {
		const char *l = legacy[i].name;
		bool has_high = l[1] == 'x';

		*out = (struct reg){.offset = legacy[i].offset};
		if (len == 3 && !memcmp(name + 1, l, 2) && strchr("re", name[0]))
			out->width = name[0] == 'r' ? 8 : 4;
		else if (len == 2 && !memcmp(name, l, 2))
			out->width = 2;
		else if (has_high && len == 2 && name[0] == l[0] && name[1] == 'l')
			out->width = 1;
		else if (!has_high && len == 3 && !memcmp(name, l, 2) && name[2] == 'l')
			out->width = 1;
		else if (has_high && len == 2 && name[0] == l[0] && name[1] == 'h')
			*out = (struct reg){legacy[i].offset, 1, 8};
		else
			continue;
		return out->offset != DT_REG_RIP || out->width >= 4;
	}
	return false;
}

/* '%' name */
static bool read_reg(struct text *t, struct reg *out)
{
	const char *name;
	size_t len;

	if (!accept(t, '%'))
		return false;
	skip_blanks(t);
	name = t->p;
	while (t->p < t->end && isalnum((unsigned char)*t->p))
		t->p++;
	len = (size_t)(t->p - name);
	return len && (numbered_reg(name, len, out) || legacy_reg(name, len, out));
}

/* Reads the register of an address: 64 bits wide, since 32 bits would be x32 code. */
static bool read_address_reg(struct text *t, uint8_t *out)
{
	struct reg r;

	if (!read_reg(t, &r) || r.width != 8)
		return false;
	*out = r.offset;
	return true;
}

/* ---- numbers and symbols ---- */

struct sum {
	uint64_t number;
	bool has_symbol;
	bool any; /* there was one */
};

static bool is_symbol_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* decimal, 0x hexadecimal, 0 octal; 64 bits, more is none */
static bool read_number(struct text *t, uint64_t *out)
{
	char digits[32], *end;
	size_t n = 0;

	while (t->p + n < t->end && isalnum((unsigned char)t->p[n]) && n < sizeof(digits) - 1) {
		digits[n] = t->p[n];
		n++;
	}
	digits[n] = '\0';
	errno = 0;
	*out = strtoull(digits, &end, 0);
	if (!n || *end || errno)
		return false;
	t->p += n;
	return true;
}

static bool read_term(struct text *t, bool minus, struct sum *s)
{
	const char *name = t->p;
	uint64_t v;

	if (t->p == t->end)
		return false;
	if (isdigit((unsigned char)*t->p)) {
		if (!read_number(t, &v))
			return false;
	} else {
		while (t->p < t->end && is_symbol_char(*t->p))
			t->p++;
		/* one address alone can be moved; "@" would be a GOT or thread-local slot */
		if (t->p == name || minus || s->has_symbol || (t->p < t->end && *t->p == '@'))
			return false;
		if (!t->symbol || !t->symbol(t->arg, name, (size_t)(t->p - name), &v))
			return false;
		s->has_symbol = true;
	}
	s->number += minus ? -v : v;
	s->any = true;
	return true;
}

/* [+-] term { (+|-) term }; nothing at all is 0 */
static bool read_sum(struct text *t, struct sum *s)
{
	bool minus;

	*s = (struct sum){0};
	skip_blanks(t);
	if (t->p == t->end || *t->p == '(')
		return true;
	minus = accept(t, '-');
	if (!minus)
		accept(t, '+');
	for (;;) {
		skip_blanks(t);
		if (!read_term(t, minus, s))
			return false;
		minus = accept(t, '-');
		if (!minus && !accept(t, '+'))
			return true;
	}
}

/* ---- operands ---- */

static bool read_constant(struct text *t, struct dt_usdt_operand *op)
{
	struct sum s;

	if (!read_sum(t, &s) || !s.any)
		return false;
	op->kind = DT_USDT_CONST;
	op->number = (int64_t)s.number;
	op->moves = s.has_symbol;
	return at_end(t);
}

/* A narrower register than the note says has no more bits to give. */
static bool read_register(struct text *t, bool sized, struct dt_usdt_operand *op)
{
	struct reg r;

	if (!read_reg(t, &r) || !at_end(t))
		return false;
	if (!sized || r.width < abs(op->size))
		op->size = (int8_t)(op->size < 0 ? -r.width : r.width);
	op->kind = DT_USDT_REG;
	op->base = r.offset;
	op->shift = r.shift;
	return true;
}

/* [, scale] ')', for an index */
static bool read_scale(struct text *t, struct dt_usdt_operand *op)
{
	uint64_t scale = 1;

	if (accept(t, ',')) {
		skip_blanks(t);
		if (!read_number(t, &scale))
			return false;
	}
	if (!scale || scale > 8 || (scale & (scale - 1)))
		return false;
	op->shift = (uint8_t)__builtin_ctzll(scale);
	return op->index != DT_REG_RIP && op->index != DT_REG_RSP;
}

/* '(' [base] [, index [, scale]] ')' */
static bool read_brackets(struct text *t, struct dt_usdt_operand *op)
{
	skip_blanks(t);
	if (t->p < t->end && *t->p == '%' && !read_address_reg(t, &op->base))
		return false;
	if (accept(t, ',') && (!read_address_reg(t, &op->index) || !read_scale(t, op)))
		return false;
	return accept(t, ')') && (op->base != DT_USDT_NO_REG || op->index != DT_USDT_NO_REG);
}

/* [sum] ['(' ... ')'] */
static bool read_memory(struct text *t, struct dt_usdt_operand *op)
{
	struct sum s;

	if (!read_sum(t, &s))
		return false;
	op->number = (int64_t)s.number;
	op->moves = s.has_symbol;
	op->kind = DT_USDT_MEMORY;
	if (!accept(t, '('))
		return s.any && at_end(t);
	if (!read_brackets(t, op) || !at_end(t))
		return false;
	if (op->base != DT_REG_RIP)
		return true;
	/* sym(%rip) is sym; a bare distance would be one from an instruction that isn't there */
	op->base = DT_USDT_NO_REG;
	return s.has_symbol && op->index == DT_USDT_NO_REG;
}

bool operand_parse(const char *text, size_t len, bool sized, operand_symbol_fn symbol, void *arg,
	struct dt_usdt_operand *op)
{
	struct text t = {text, text + len, symbol, arg};

	if (accept(&t, '$'))
		return read_constant(&t, op);
	return t.p < t.end && *t.p == '%' ? read_register(&t, sized, op) : read_memory(&t, op);
}

const char *operand_why_unknown(const char *text, size_t len)
{
	if (memmem(text, len, "%xmm", 4))
		return "it is a floating-point number";
	if (memmem(text, len, "%fs:", 4) || memmem(text, len, "@tpoff", 6))
		return "it is thread-local";
	return "its form is not known";
}
