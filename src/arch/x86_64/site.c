// SPDX-License-Identifier: Apache-2.0
/* The code of static probes' sites for x86-64. */
#include "arch/site.h"

#include <string.h>

/* call rel32 (E8), jmp rel32 (E9), call *mem (FF /2), jmp *mem (FF /4) by the GOT */
const uint8_t *site_call(const uint8_t *code, size_t n, uint64_t off, unsigned *len, bool *tail)
{
	const uint8_t *at;

	if (off > n || n - off < 4)
		return NULL;
	at = code + off;
	if (off >= 2 && at[-2] == 0xff && (at[-1] == 0x15 || at[-1] == 0x25)) {
		*len = 6;
		*tail = at[-1] == 0x25;
		return at - 2;
	}
	if (off >= 1 && (at[-1] == 0xe8 || at[-1] == 0xe9)) {
		*len = 5;
		*tail = at[-1] == 0xe9;
		return at - 1;
	}
	return NULL;
}

void site_write(uint8_t *at, unsigned len, bool tail)
{
	static const uint8_t nops[][6] = {
		{0x90, 0x0f, 0x1f, 0x40, 0x00},
		{0x90, 0x0f, 0x1f, 0x44, 0x00, 0x00},
		{0x90, 0xc3, 0x0f, 0x1f, 0x00}, /* nop; ret; nop */
		{0x90, 0xc3, 0x0f, 0x1f, 0x40, 0x00},
	};

	memcpy(at, nops[tail * 2 + (len == 6)], len);
}

/*
 * lea X(%rsp|%rbp),%rdi or mov %REG,%rdi; an initialization of the flag, movl $0,X(%rsp|%rbp), may
 * be between them.
 */
bool site_has_argument(const uint8_t *start, const uint8_t *at)
{
	size_t n = (size_t)(at - start);

#define BEFORE(len, ...)                                            \
	(n >= (len) &&                                              \
		!memcmp(at - (len), (const uint8_t[]){__VA_ARGS__}, \
			sizeof((const uint8_t[]){__VA_ARGS__})))
	if (BEFORE(8, 0xc7, 0x44, 0x24) && !memcmp(at - 4, "\0\0\0\0", 4))
		at -= 8;
	else if (BEFORE(7, 0xc7, 0x45) && !memcmp(at - 4, "\0\0\0\0", 4))
		at -= 7;
	n = (size_t)(at - start);
	if (BEFORE(5, 0x48, 0x8d, 0x7c, 0x24) || BEFORE(8, 0x48, 0x8d, 0xbc, 0x24) ||
		BEFORE(4, 0x48, 0x8d, 0x7d) || BEFORE(7, 0x48, 0x8d, 0xbd))
		return true;
#undef BEFORE
	/* mov r64,%rdi: REX.W, perhaps REX.R; 89 /r with rdi as the destination */
	return n >= 3 && (at[-3] == 0x48 || at[-3] == 0x4c) && at[-2] == 0x89 &&
		(at[-1] & 0xc7) == 0xc7;
}

#define ENDBR	 0xf3, 0x0f, 0x1e, 0xfa
#define LOAD	 0x0f, 0xb7, 0x05, 0, 0, 0, 0 /* movzwl ADDRESS(%rip),%eax */
#define LOADS_AT 7			      /* where the operand is */

const uint8_t *site_enabled(bool stores, size_t *size, size_t *operand)
{
	static const uint8_t returns[] = {ENDBR, LOAD, 0xc3};
	static const uint8_t stored[] = {ENDBR, LOAD, 0x89, 0x07, 0xc3}; /* mov %eax,(%rdi) */

	*size = stores ? sizeof(stored) : sizeof(returns);
	*operand = LOADS_AT;
	return stores ? stored : returns;
}

/* System V ABI for x86-64, 3.2.3 */
const char *site_int_arg(unsigned n, unsigned size)
{
	static const char *const registers[][4] = {
		{"%dil", "%di", "%edi", "%rdi"},
		{"%sil", "%si", "%esi", "%rsi"},
		{"%dl", "%dx", "%edx", "%rdx"},
		{"%cl", "%cx", "%ecx", "%rcx"},
		{"%r8b", "%r8w", "%r8d", "%r8"},
		{"%r9b", "%r9w", "%r9d", "%r9"},
	};

	return n < sizeof(registers) / sizeof(registers[0]) ? registers[n][__builtin_ctz(size)]
							    : NULL;
}

const char *site_float_arg(unsigned n)
{
	static const char *const registers[] = {
		"%xmm0", "%xmm1", "%xmm2", "%xmm3", "%xmm4", "%xmm5", "%xmm6", "%xmm7"};

	return n < sizeof(registers) / sizeof(registers[0]) ? registers[n] : NULL;
}
