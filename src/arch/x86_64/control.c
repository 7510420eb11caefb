// SPDX-License-Identifier: Apache-2.0
/* Decodes the instructions that hand control to another place. */
#include "arch/control.h"

#include <string.h>

#include "arch/arch.h"
#include "arch/insn.h"

/* What stands before the opcode. */
struct lead {
	uint8_t rex;
	bool size, segment; /* prefix 66; fs or gs */
	unsigned len;	    /* bytes */
};

static struct lead lead_of(const uint8_t *code, unsigned len)
{
	struct lead l = {0};

	for (; l.len < len; l.len++) {
		uint8_t b = code[l.len];

		if (b == 0x66)
			l.size = true;
		else if (b == 0x64 || b == 0x65)
			l.segment = true;
		else if (b != 0x26 && b != 0x2e && b != 0x36 && b != 0x3e && b != 0x67 &&
			b != 0xf0 && b != 0xf2 && b != 0xf3)
			break;
	}
	if (l.len < len && (code[l.len] & 0xf0) == 0x40)
		l.rex = code[l.len++];
	return l;
}

static int32_t read32(const uint8_t *p)
{
	int32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* The operand whose ModR/M byte is at P (SDM 2.1.3); the instruction is known to be complete. */
static void read_operand(const uint8_t *p, const struct lead *l, struct control_operand *o)
{
	uint8_t modrm = *p++, mod = modrm >> 6, rm = modrm & 7;

	*o = (struct control_operand){.memory = mod != 3,
		.segment = l->segment,
		.base = (uint8_t)(rm | (l->rex & 1) << 3),
		.index = CONTROL_NO_REG};
	if (mod == 3)
		return;
	if (rm == 4) {
		uint8_t sib = *p++, index = (uint8_t)((sib >> 3 & 7) | (l->rex & 2) << 2);

		rm = sib & 7;
		o->base = (uint8_t)(rm | (l->rex & 1) << 3);
		o->shift = sib >> 6;
		if (index != 4)
			o->index = index;
		if (rm == 5 && mod == 0)
			o->base = CONTROL_NO_REG;
	} else if (rm == 5 && mod == 0) {
		o->base = CONTROL_NO_REG;
		o->relative = true;
	}
	if (mod == 1)
		o->displacement = (int8_t)*p;
	else if (mod == 2 || (mod == 0 && rm == 5))
		o->displacement = read32(p);
}

/* Group 5: calls and jumps to what an operand says. */
static void read_group(const uint8_t *p, const struct lead *l, struct control *f)
{
	unsigned reg = *p >> 3 & 7;

	if (reg == 2 || reg == 3)
		f->kind = CONTROL_CALLED;
	if (reg != 4)
		return;
	f->kind = CONTROL_INDIRECT;
	read_operand(p, l, &f->operand);
}

static void to(struct control *f, enum control_kind kind, int32_t displacement)
{
	f->kind = kind;
	f->target = (int64_t)displacement + f->len;
}

uint8_t control_reg(uint8_t number)
{
	/* SDM, volume 2, 2.1.5 */
	static const uint8_t regs[] = {DT_REG_RAX, DT_REG_RCX, DT_REG_RDX, DT_REG_RBX, DT_REG_RSP,
		DT_REG_RBP, DT_REG_RSI, DT_REG_RDI, DT_REG_R8, DT_REG_R9, DT_REG_R10, DT_REG_R11,
		DT_REG_R12, DT_REG_R13, DT_REG_R14, DT_REG_R15};

	return regs[number & 15];
}

bool control_decode(const uint8_t *code, size_t len, struct control *out)
{
	struct lead l;
	const uint8_t *op;

	*out = (struct control){.len = insn_decode(code, len, NULL)};
	if (!out->len)
		return false;
	l = lead_of(code, out->len);
	op = code + l.len;
	if (*op == 0xc3 || *op == 0xc2) {
		out->kind = CONTROL_RETURN;
		if (*op == 0xc2)
			out->pops = (uint16_t)(op[1] | op[2] << 8);
	} else if (*op == 0xeb) {
		to(out, CONTROL_JUMP, (int8_t)op[1]);
	} else if (*op == 0xe9) {
		to(out, CONTROL_JUMP, read32(op + 1));
	} else if (*op == 0xe8) {
		to(out, CONTROL_CALL, read32(op + 1));
	} else if ((*op & 0xf0) == 0x70) {
		out->cc = *op & 15;
		to(out, CONTROL_BRANCH, (int8_t)op[1]);
	} else if (*op == 0x0f && (op[1] & 0xf0) == 0x80) {
		out->cc = op[1] & 15;
		to(out, CONTROL_BRANCH, read32(op + 2));
	} else if (*op >= 0xe0 && *op <= 0xe3) {
		to(out, CONTROL_COUNTED, (int8_t)op[1]);
	} else if (*op == 0xff) {
		read_group(op + 1, &l, out);
	}
	return true;
}
