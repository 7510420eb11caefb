/* SPDX-License-Identifier: Apache-2.0 */
/*
 * control: where an instruction hands control to, and under which condition.  Every result is a
 * pure function of the bytes.
 */
#ifndef ARCH_CONTROL_H
#define ARCH_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum control_kind {
	CONTROL_NEXT,	  /* to the instruction that follows; a system call too */
	CONTROL_RETURN,	  /* to the return address */
	CONTROL_JUMP,	  /* to TARGET */
	CONTROL_BRANCH,	  /* to TARGET or the next instruction, by condition CC */
	CONTROL_COUNTED,  /* the same, by a register that counts */
	CONTROL_INDIRECT, /* a jump to the address in OPERAND */
	CONTROL_CALL,	  /* to TARGET, and back */
	CONTROL_CALLED,	  /* a call of an address in an operand, and back */
};

#define CONTROL_NO_REG 0xff

/* The operand of an indirect jump: registers by their numbers in instructions. */
struct control_operand {
	bool memory;   /* the address is in memory at base + (index << shift) + displacement */
	bool relative; /* BASE is the address of the next instruction */
	bool segment;  /* and relative to a segment, which nobody can read */
	uint8_t base, index; /* or CONTROL_NO_REG */
	uint8_t shift;
	int32_t displacement;
};

struct control {
	enum control_kind kind;
	unsigned len;			/* of the instruction, bytes */
	int64_t target;			/* from the beginning of the instruction, bytes */
	uint8_t cc;			/* CONTROL_BRANCH: the machine's number of the condition */
	uint16_t pops;			/* CONTROL_RETURN: bytes of arguments that it removes */
	struct control_operand operand; /* CONTROL_INDIRECT */
};

/* Returns the offset in struct pt_regs of the register with NUMBER in instructions. */
uint8_t control_reg(uint8_t number);

/* Decodes the instruction that the LEN bytes at CODE begin with; false: there is none. */
bool control_decode(const uint8_t *code, size_t len, struct control *out);

#endif
