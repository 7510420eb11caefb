// SPDX-License-Identifier: Apache-2.0
/*
 * Decodes the length of x86-64 instructions and how the kernel executes one under a uprobe
 * (arch/x86/kernel/uprobes.c of 6.1 to 7.2).
 *
 * Knows only 64-bit mode, as encoded in Intel's SDM, volume 2, appendix A and section 2 (VEX,
 * EVEX), and AMD's APM, volume 3 (XOP); not APX (REX2, EVEX map 4).  It covers every form that a
 * processor decodes, reserved ones as well, not only the output of compilers.
 *
 * EMULATED: its effect is computed in the kernel, by all of them: one trap a firing.  That is nop
 * (90), push of a register, and relative jmp, jcc and call.
 *
 * STEPPED: a copy of it is executed elsewhere under the trap flag: two traps a firing.  Longer nops
 * (0f 1f), endbr64 and pause (90 with rep) are among these; some kernels emulate some of them.  A
 * string instruction with rep fires once a round.
 *
 * REFUSED: no probe may be placed there.  Some of them the kernel refuses itself (ENOTSUPP, when
 * the file is or comes to be mapped): with prefix lock or an operand's segment cs, ds, es, ss
 * (notrack is ds), int, int3, iret, hlt, cli, sti, in, out, mov to ss, call and jumps with an
 * operand-size prefix, and those coded by VEX or EVEX whose opcode is one of these or has no
 * one-byte meaning (vpxor is EF, as out is), and with ENOEXEC FMA4 (vfmaddsd).  Others it accepts
 * and then breaks the program:
 * - VEX and EVEX, opcodes 70 to 7F, 90, E8, E9 and EB (vpshufd, vpcmpeqb, vzeroupper, vmovdqu to
 *   memory, kmov, vpor): taken for jcc, nop, call and jmp, they are left out;
 * - VEX and EVEX, C2, C3, CA and CB (vcmpps): taken for returns, the copy is never left; 9D
 *   (vfnmadd132sd): taken for popf, an operand relative to rip is read from elsewhere;
 * - xchg with r8 (REX.B and 90): taken for nop;
 * - syscall and sysenter: the trap flag takes effect one instruction after the return from the
 *   kernel, and the next instruction is executed in the copy's place;
 * - pushf: the trap flag is in what it pushes;
 * - xbegin: the transaction is aborted by the trap, to a place relative to the copy.
 */
#include "arch/insn.h"

#include <stdbool.h>
#include <string.h>

#include "arch/arch.h"

/*
 * The operands after an opcode.  An immediate of operand size is 2 bytes with prefix 66 and no
 * REX.W, else 4; of moffs 8, with prefix 67 4.
 */
enum {
	NOTHING = '.',
	MODRM = 'M',
	IMM8 = 'b',
	IMM16 = 'w',
	IMM = 'z',   /* of operand size */
	IMM64 = 'v', /* likewise, but 8 bytes with REX.W */
	REL32 = 'j',
	MOFFS = 'o',
	ENTER = 'e', /* 2 bytes and 1 */
	MODRM_IMM8 = 'B',
	MODRM_IMM = 'Z',
	MODRM_IMM32 = 'D',
	UNARY8 = 'u', /* group 3: an immediate for test only */
	UNARY = 'U',
	CONTROL = 'C', /* mov to and from control registers: the operand is always a register */
	INVALID = '-',
};

/*
 * SDM, table A-2.  26, 2E, 36, 3E, 40 to 4F, 64 to 67, F0, F2 and F3 are prefixes, 0F, 62, C4 and
 * C5 escapes.
 */
static const char one_byte[256 + 1] = "MMMMbz--MMMMbz--"  /* 00 */
				      "MMMMbz--MMMMbz--"  /* 10 */
				      "MMMMbz--MMMMbz--"  /* 20 */
				      "MMMMbz--MMMMbz--"  /* 30 */
				      "----------------"  /* 40 */
				      "................"  /* 50 */
				      "---M----zZbB...."  /* 60 */
				      "bbbbbbbbbbbbbbbb"  /* 70 */
				      "BZ-BMMMMMMMMMMMM"  /* 80 */
				      "..........-....."  /* 90 */
				      "oooo....bz......"  /* a0 */
				      "bbbbbbbbvvvvvvvv"  /* b0 */
				      "BBw.--BZe.w..b-."  /* c0 */
				      "MMMM---.MMMMMMMM"  /* d0 */
				      "bbbbbbbbjj-b...."  /* e0 */
				      "-.--..uU......MM"; /* f0 */

/* After 0F (SDM, table A-3); 38 and 3A are escapes. */
static const char two_byte[256 + 1] = "MMMM-.....-.-M.B"  /* 00 */
				      "MMMMMMMMMMMMMMMM"  /* 10 */
				      "CCCC----MMMMMMMM"  /* 20 */
				      "......-.--------"  /* 30 */
				      "MMMMMMMMMMMMMMMM"  /* 40 */
				      "MMMMMMMMMMMMMMMM"  /* 50 */
				      "MMMMMMMMMMMMMMMM"  /* 60 */
				      "BBBBMMM.MM--MMMM"  /* 70 */
				      "jjjjjjjjjjjjjjjj"  /* 80 */
				      "MMMMMMMMMMMMMMMM"  /* 90 */
				      "...MBMMM...MBMMM"  /* a0 */
				      "MMMMMMMMMMBMMMMM"  /* b0 */
				      "MMBMBBBM........"  /* c0 */
				      "MMMMMMMMMMMMMMMM"  /* d0 */
				      "MMMMMMMMMMMMMMMM"  /* e0 */
				      "MMMMMMMMMMMMMMMM"; /* f0 */

enum {
	PREFIX_SIZE = 1,    /* 66 */
	PREFIX_ADDRESS = 2, /* 67 */
	PREFIX_SEGMENT = 4, /* cs, ds, es, ss */
	PREFIX_LOCK = 8,
	PREFIX_REP = 16, /* F2, F3 */
	PREFIX_FS = 32,	 /* fs, gs */
};

enum coding { LEGACY, VEX, EVEX, XOP };

/* The opcode maps: how many bytes lead to them; those of VEX and EVEX say the number. */
enum { MAP_ONE, MAP_0F, MAP_0F38, MAP_0F3A, MAP_7 = 7, MAP_XOP8, MAP_XOP9, MAP_XOPA };

struct insn {
	const uint8_t *next, *end;
	unsigned prefixes;
	uint8_t rex;
	enum coding coding;
	unsigned map;
	uint8_t opcode, modrm;
};

static bool more(const struct insn *in, size_t n)
{
	return (size_t)(in->end - in->next) >= n;
}

static unsigned prefix_of(uint8_t b)
{
	switch (b) {
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
		return PREFIX_SEGMENT;
	case 0x64:
	case 0x65:
		return PREFIX_FS;
	case 0x66:
		return PREFIX_SIZE;
	case 0x67:
		return PREFIX_ADDRESS;
	case 0xf0:
		return PREFIX_LOCK;
	case 0xf2:
	case 0xf3:
		return PREFIX_REP;
	default:
		return 0;
	}
}

static void read_prefixes(struct insn *in)
{
	for (; more(in, 1) && prefix_of(*in->next); in->next++)
		in->prefixes |= prefix_of(*in->next);
	/* one that isn't right before the opcode is void; nobody writes that */
	if (more(in, 1) && (*in->next & 0xf0) == 0x40)
		in->rex = *in->next++;
}

/* The bytes after C4, C5, 62 or 8F that say the map (SDM 2.3.5, 2.7; APM 3, 1.8). */
static bool read_vector(struct insn *in, uint8_t first)
{
	unsigned n = first == 0xc5 ? 1 : first == 0x62 ? 3 : 2;

	if (!more(in, n + 1) || in->rex)
		return false;
	in->coding = first == 0x62 ? EVEX : first == 0x8f ? XOP : VEX;
	in->map = MAP_0F;
	if (in->coding == EVEX) {
		if (in->next[0] & 0x08 || !(in->next[1] & 0x04))
			return false;
		in->map = in->next[0] & 0x07;
	} else if (n == 2) {
		in->map = in->next[0] & 0x1f;
	}
	if (in->coding == XOP)
		in->map = in->map - 8 + MAP_XOP8;
	in->next += n;
	in->opcode = *in->next++;
	return true;
}

static bool read_opcode(struct insn *in)
{
	if (!more(in, 1))
		return false;
	in->opcode = *in->next++;
	switch (in->opcode) {
	case 0xc4:
	case 0xc5:
	case 0x62:
		return read_vector(in, in->opcode);
	case 0x8f: /* as pop its operand's middle bits are 0 */
		if (more(in, 1) && (*in->next & 0x1f) >= 8)
			return read_vector(in, 0x8f);
		return true;
	case 0x0f:
		break;
	default:
		return true;
	}
	if (!more(in, 1))
		return false;
	in->map = MAP_0F;
	in->opcode = *in->next++;
	if (in->opcode != 0x38 && in->opcode != 0x3a)
		return true;
	if (!more(in, 1))
		return false;
	in->map = in->opcode == 0x38 ? MAP_0F38 : MAP_0F3A;
	in->opcode = *in->next++;
	return true;
}

static char vector_form(const struct insn *in)
{
	switch (in->map) {
	case MAP_0F:
		if (in->opcode == 0x77 && in->coding == VEX)
			return NOTHING; /* vzeroupper, vzeroall */
		if (in->opcode >= 0x70 && in->opcode <= 0x73)
			return MODRM_IMM8;
		if (in->opcode == 0xc2 || (in->opcode >= 0xc4 && in->opcode <= 0xc6))
			return MODRM_IMM8;
		return MODRM;
	case MAP_0F38:
	case 5: /* AVX512-FP16 */
	case 6:
		return MODRM;
	case MAP_0F3A:
		return MODRM_IMM8;
	case MAP_7:
		return MODRM_IMM32;
	default:
		return INVALID;
	}
}

static char form_of(const struct insn *in)
{
	if (in->coding == XOP)
		return in->map == MAP_XOP8    ? MODRM_IMM8
			: in->map == MAP_XOP9 ? MODRM
			: in->map == MAP_XOPA ? MODRM_IMM32
					      : INVALID;
	if (in->coding != LEGACY)
		return vector_form(in);
	switch (in->map) {
	case MAP_ONE:
		return one_byte[in->opcode];
	case MAP_0F:
		return two_byte[in->opcode];
	case MAP_0F38:
		return MODRM;
	default:
		return MODRM_IMM8;
	}
}

/* ModR/M, SIB and displacement (SDM 2.1.3, tables 2-2 and 2-3). */
static bool read_operand(struct insn *in, bool is_register)
{
	uint8_t mod, rm, base;
	size_t displacement;

	if (!more(in, 1))
		return false;
	in->modrm = *in->next++;
	mod = in->modrm >> 6;
	rm = base = in->modrm & 7;
	if (mod == 3 || is_register)
		return true;
	if (rm == 4) {
		if (!more(in, 1))
			return false;
		base = *in->next++ & 7;
	}
	displacement = mod == 1 ? 1 : mod == 2 || base == 5 ? 4 : 0;
	if (!more(in, displacement))
		return false;
	in->next += displacement;
	return true;
}

static size_t operand_size(const struct insn *in)
{
	return in->prefixes & PREFIX_SIZE && !(in->rex & 8) ? 2 : 4;
}

static size_t immediate_size(const struct insn *in, char form)
{
	bool test = !(in->modrm & 0x30);

	switch (form) {
	case IMM8:
	case MODRM_IMM8:
		return 1;
	case IMM16:
		return 2;
	case ENTER:
		return 3;
	case IMM:
	case MODRM_IMM:
		return operand_size(in);
	case IMM64:
		return in->rex & 8 ? 8 : operand_size(in);
	case REL32: /* whatever the prefixes say */
	case MODRM_IMM32:
		return 4;
	case MOFFS:
		return in->prefixes & PREFIX_ADDRESS ? 4 : 8;
	case UNARY8:
		return test ? 1 : 0;
	case UNARY:
		return test ? operand_size(in) : 0;
	default:
		return 0;
	}
}

static bool has_operand(char form)
{
	return form == MODRM || form == MODRM_IMM8 || form == MODRM_IMM || form == MODRM_IMM32 ||
		form == UNARY8 || form == UNARY || form == CONTROL;
}

/* Groups with one or few members (SDM, table A-6). */
static bool in_group(const struct insn *in)
{
	unsigned reg = in->modrm >> 3 & 7;

	if (in->coding != LEGACY || in->map != MAP_ONE)
		return true;
	switch (in->opcode) {
	case 0x8f:
		return !reg;
	case 0xc6: /* xabort */
	case 0xc7: /* xbegin */
		return !reg || in->modrm == 0xf8;
	case 0xfe:
		return reg <= 1;
	case 0xff:
		return reg <= 6;
	default:
		return true;
	}
}

static bool read_insn(struct insn *in)
{
	size_t immediate;
	char form;

	read_prefixes(in);
	if (!read_opcode(in))
		return false;
	form = form_of(in);
	if (form == INVALID || (has_operand(form) && !read_operand(in, form == CONTROL)))
		return false;
	immediate = immediate_size(in, form);
	if (!in_group(in) || !more(in, immediate))
		return false;
	in->next += immediate;
	return true;
}

/* ---- what the kernel makes of it ---- */

/* Opcodes that the table good_insns_64 of uprobes.c lacks. */
static bool bad_opcode(uint8_t op)
{
	static const uint8_t ranges[][2] = {{0x06, 0x07}, {0x0e, 0x0e}, {0x16, 0x17}, {0x1e, 0x1f},
		{0x27, 0x27}, {0x2f, 0x2f}, {0x37, 0x37}, {0x3f, 0x3f}, {0x60, 0x62}, {0x6c, 0x6f},
		{0x82, 0x82}, {0x9a, 0x9a}, {0xcc, 0xcf}, {0xd4, 0xd6}, {0xe4, 0xe7}, {0xea, 0xea},
		{0xec, 0xef}, {0xf1, 0xf1}, {0xf4, 0xf4}, {0xfa, 0xfb}};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (op >= ranges[i][0] && op <= ranges[i][1])
			return true;
	return false;
}

static bool is_branch(uint8_t op)
{
	return (op >= 0x70 && op <= 0x7f) || op == 0xe8 || op == 0xe9 || op == 0xeb;
}

/*
 * The kernel looks at the first byte of the opcode, which with VEX and EVEX is the only one, of
 * whatever map: as if it were the legacy instruction of that number.
 */
static bool mistaken(uint8_t op)
{
	return is_branch(op) || op == 0x90 || op == 0x9d || op == 0xc2 || op == 0xc3 ||
		op == 0xca || op == 0xcb;
}

/* xchg with r8, pause, nop. */
static enum insn_kind nop_kind(const struct insn *in)
{
	if (in->rex & 1)
		return INSN_REFUSED;
	return in->prefixes & PREFIX_REP ? INSN_STEPPED : INSN_EMULATED;
}

static enum insn_kind legacy_kind(const struct insn *in, size_t len)
{
	if (in->map == MAP_ONE) {
		if (in->opcode == 0x90)
			return nop_kind(in);
		if (in->opcode == 0x9c)
			return INSN_REFUSED; /* pushf */
		if (in->opcode == 0xc7 && in->modrm == 0xf8)
			return INSN_REFUSED; /* xbegin */
		if ((in->opcode & 0xf8) == 0x50)
			return len == 1 || (len == 2 && in->rex == 0x41) ? INSN_EMULATED
									 : INSN_STEPPED;
	}
	if (in->map == MAP_0F && (in->opcode == 0x05 || in->opcode == 0x34))
		return INSN_REFUSED; /* syscall, sysenter */
	if ((in->map == MAP_ONE && is_branch(in->opcode)) ||
		(in->map == MAP_0F && (in->opcode & 0xf0) == 0x80))
		return in->prefixes & PREFIX_SIZE ? INSN_REFUSED : INSN_EMULATED;
	return INSN_STEPPED;
}

/* FMA4 and vpermil2ps, of AMD's processors alone: the kernel does not know their lengths. */
static bool is_fma4(const struct insn *in)
{
	uint8_t op = in->opcode;

	return in->coding == VEX && in->map == MAP_0F3A &&
		(op == 0x48 || op == 0x49 || (op >= 0x5c && op <= 0x5f) ||
			(op >= 0x68 && op <= 0x6f) || (op >= 0x78 && op <= 0x7f));
}

static enum insn_kind kind_of(const struct insn *in, size_t len)
{
	uint8_t first = in->coding != LEGACY || in->map == MAP_ONE ? in->opcode : 0x0f;

	if (in->prefixes & (PREFIX_SEGMENT | PREFIX_LOCK) || bad_opcode(first) ||
		in->coding == XOP || is_fma4(in))
		return INSN_REFUSED;
	if (first == 0x8e && (in->modrm >> 3 & 7) == 2)
		return INSN_REFUSED; /* mov to ss: the trap comes an instruction late */
	if (in->coding == LEGACY)
		return legacy_kind(in, len);
	return mistaken(in->opcode) ? INSN_REFUSED : INSN_STEPPED;
}

unsigned insn_decode(const uint8_t *code, size_t len, enum insn_kind *kind)
{
	struct insn in = {.next = code, .end = code + (len < INSN_MAX ? len : INSN_MAX)};

	if (!read_insn(&in))
		return 0;
	if (kind)
		*kind = kind_of(&in, (size_t)(in.next - code));
	return (unsigned)(in.next - code);
}

#define SYSCALL 0x0f, 0x05

bool insn_is_syscall(const uint8_t *code, size_t len)
{
	static const uint8_t want[INSN_SYSCALL] = {SYSCALL};

	return len >= sizeof(want) && !memcmp(code, want, sizeof(want));
}

bool insn_is_sigreturn(const uint8_t *code, size_t len)
{
	/* mov $__NR_rt_sigreturn, %rax; syscall */
	static const uint8_t want[INSN_SIGRETURN] = {0x48, 0xc7, 0xc0, 15, 0, 0, 0, SYSCALL};

	return len >= sizeof(want) && !memcmp(code, want, sizeof(want));
}

unsigned insn_landing(const uint8_t *code, size_t len)
{
	static const uint8_t endbr64[ARCH_LANDING] = {0xf3, 0x0f, 0x1e, 0xfa};

	return len >= ARCH_LANDING && !memcmp(code, endbr64, ARCH_LANDING) ? ARCH_LANDING : 0;
}

bool insn_is_nop5(const uint8_t *code, size_t len)
{
	return len >= INSN_NOP5 && !memcmp(code, "\x0f\x1f\x44\0\0", INSN_NOP5);
}

uint32_t insn_boundaries(const uint8_t *code, size_t len, uint32_t *offsets, uint32_t max)
{
	uint32_t n = 0;
	unsigned size;

	for (size_t at = 0; at < len; at += size, n++) {
		size = insn_decode(code + at, len - at, NULL);
		if (!size)
			break;
		if (n < max)
			offsets[n] = (uint32_t)at;
	}
	return n;
}
