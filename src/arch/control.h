/* SPDX-License-Identifier: Apache-2.0 */
/*
 * control: where an x86-64 instruction hands control to, and under which condition.
 *
 * Knows the near returns, jumps and calls of 64-bit mode (Intel SDM, volume 2: RET, JMP, Jcc,
 * JrCXZ, LOOP, CALL).  Every result is a pure function of the bytes.
 */
#ifndef ELF_CONTROL_H
#define ELF_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum control_kind {
	CONTROL_NEXT,	  /* to the instruction that follows; a system call too */
	CONTROL_RETURN,	  /* to the address on top of the stack: ret, rep ret, ret imm16 */
	CONTROL_JUMP,	  /* to TARGET */
	CONTROL_BRANCH,	  /* to TARGET or the next instruction, by condition CC */
	CONTROL_COUNTED,  /* the same, by rcx: loop, jrcxz */
	CONTROL_INDIRECT, /* a jump to the address in OPERAND */
	CONTROL_CALL,	  /* to TARGET, and back */
	CONTROL_CALLED,	  /* a call of an address in an operand, and back */
};

#define CONTROL_NO_REG 0xff

/* The operand of an indirect jump: registers by their numbers in instructions, 0 rax to 15 r15. */
struct control_operand {
	bool memory;   /* the address is in memory at base + (index << shift) + displacement */
	bool relative; /* BASE is the address of the next instruction */
	bool segment;  /* and of a segment whose base is not 0: fs, gs */
	uint8_t base, index; /* or CONTROL_NO_REG */
	uint8_t shift;
	int32_t displacement;
};

struct control {
	enum control_kind kind;
	unsigned len;	/* of the instruction, bytes */
	int64_t target; /* from the beginning of the instruction, bytes */
	uint8_t cc;	/* CONTROL_BRANCH: the condition code, 0 to 15 (SDM, appendix B.1) */
	uint16_t pops;	/* CONTROL_RETURN: bytes of arguments that it removes */
	struct control_operand operand; /* CONTROL_INDIRECT */
};

/* Decodes the instruction that the LEN bytes at CODE begin with; false: there is none. */
bool control_decode(const uint8_t *code, size_t len, struct control *out);

#endif
