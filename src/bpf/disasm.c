// SPDX-License-Identifier: Apache-2.0
/* Prints BPF instructions as text, in the style of the kernel's verifier log. */
#include "base/buf.h"
#include "bpf/code.h"
#include "ir/ir.h"
#include "lang/source.h"

#include <inttypes.h>

static const char *const alu[16] = {
	"+=", "-=", "*=", "/=", "|=", "&=", "<<=", ">>=", "neg", "%=", "^=", "=", "s>>="};
static const char *const jmp[16] = {
	"goto", "==", ">", ">=", "&", "!=", "s>", "s>=", "call", "exit", "<", "<=", "s<", "s<="};

static const char *width(uint8_t code)
{
	switch (BPF_SIZE(code)) {
	case BPF_B:
		return "u8";
	case BPF_H:
		return "u16";
	case BPF_W:
		return "u32";
	default:
		return "u64";
	}
}

static const struct bpf_reloc *reloc_at(const struct bpf_code *c, uint32_t i)
{
	for (uint32_t k = 0; k < c->relocs.len; k++)
		if (c->relocs.data[k].insn == i)
			return &c->relocs.data[k];
	return NULL;
}

static void put_alu(struct buf *out, const struct bpf_insn *in)
{
	char r = BPF_CLASS(in->code) == BPF_ALU ? 'w' : 'r';
	const char *op = alu[BPF_OP(in->code) >> 4];

	if (BPF_OP(in->code) == BPF_NEG)
		buf_printf(out, "%c%u = -%c%u", r, in->dst_reg, r, in->dst_reg);
	else if (BPF_SRC(in->code) == BPF_X)
		buf_printf(out, "%c%u %s %c%u", r, in->dst_reg, op, r, in->src_reg);
	else
		buf_printf(out, "%c%u %s %d", r, in->dst_reg, op, in->imm);
}

static void put_jump(struct buf *out, const struct bpf_code *c, uint32_t i)
{
	const struct bpf_insn *in = &c->insns.data[i];
	const struct bpf_reloc *r = reloc_at(c, i);
	unsigned op = BPF_OP(in->code) >> 4;

	if (BPF_OP(in->code) == BPF_CALL && r)
		buf_printf(out, "call %s", r->sym);
	else if (BPF_OP(in->code) == BPF_CALL)
		buf_printf(out, "call #%d", in->imm);
	else if (BPF_OP(in->code) == BPF_EXIT)
		buf_puts(out, "exit");
	else if (BPF_OP(in->code) == BPF_JA)
		buf_printf(out, "goto %u", i + 1 + (uint32_t)in->off);
	else if (BPF_SRC(in->code) == BPF_X)
		buf_printf(out, "if r%u %s r%u goto %u", in->dst_reg, jmp[op], in->src_reg,
			i + 1 + (uint32_t)in->off);
	else
		buf_printf(out, "if r%u %s %d goto %u", in->dst_reg, jmp[op], in->imm,
			i + 1 + (uint32_t)in->off);
}

static void put_insn(struct buf *out, const struct bpf_code *c, uint32_t i)
{
	const struct bpf_insn *in = &c->insns.data[i];
	const struct bpf_reloc *r;

	switch (BPF_CLASS(in->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		put_alu(out, in);
		break;
	case BPF_JMP32: /* the only one is the unconditional jump */
		buf_printf(out, "gotol %u", i + 1 + (uint32_t)in->imm);
		break;
	case BPF_JMP:
		put_jump(out, c, i);
		break;
	case BPF_LDX:
		buf_printf(out, "r%u = *(%s *)(r%u %+d)", in->dst_reg, width(in->code), in->src_reg,
			in->off);
		break;
	case BPF_ST:
		buf_printf(out, "*(%s *)(r%u %+d) = %d", width(in->code), in->dst_reg, in->off,
			in->imm);
		break;
	case BPF_STX:
		buf_printf(out, "%s*(%s *)(r%u %+d) %s r%u",
			BPF_MODE(in->code) == BPF_ATOMIC ? "lock " : "", width(in->code),
			in->dst_reg, in->off, BPF_MODE(in->code) == BPF_ATOMIC ? "+=" : "=",
			in->src_reg);
		break;
	default: /* the 64-bit load: two slots */
		r = reloc_at(c, i);
		if (r && r->kind == RELOC_MAP)
			buf_printf(out, "r%u = map %s", in->dst_reg, r->sym);
		else if (r)
			buf_printf(out, "r%u = &%s%+d", in->dst_reg, r->sym, in->imm);
		else
			buf_printf(out, "r%u = 0x%" PRIx64 " ll", in->dst_reg,
				(uint64_t)(uint32_t)in->imm |
					(uint64_t)(uint32_t)c->insns.data[i + 1].imm << 32);
		break;
	}
}

void bpf_disassemble(struct buf *out, const struct bpf_code *c, struct arena *a)
{
	uint32_t line = 0;

	buf_printf(out, "%s: %u instructions, %u bytes of stack\n", c->func->name, c->insns.len,
		c->stack);
	for (uint32_t i = 0; i < c->insns.len; i++) {
		for (; line < c->lines.len && c->lines.data[line].insn <= i; line++) {
			const struct bpf_line *l = &c->lines.data[line];
			const char *text = source_line(a, l->loc.src, l->loc.line);

			if (text)
				buf_printf(out, "; %u: %s\n", l->loc.line, text);
		}
		buf_printf(out, "%5u: ", i);
		put_insn(out, c, i);
		buf_putc(out, '\n');
		if (c->insns.data[i].code == (BPF_LD | BPF_DW | BPF_IMM))
			i++;
	}
}
