// SPDX-License-Identifier: Apache-2.0
/* Recognizes what compilers for x86-64 make of functions of language runtimes. */
#define _GNU_SOURCE /* memmem() */
#include "arch/native.h"

#include <string.h>

static bool has(const uint8_t *code, size_t n, const uint8_t *bytes, size_t size)
{
	return memmem(code, n, bytes, size) != NULL;
}

/*
 * cmp disp8(base), reg: the members are 16 or 24 bytes into the goroutine, whose address r14 has,
 * before Go 1.17 and in assembler rcx.
 */
bool native_checks_stack(const uint8_t *code, unsigned len)
{
	unsigned base;

	if (len != 4)
		return false;
	base = (code[2] & 7) | (code[0] & 1) << 3;
	return (code[0] & 0xf8) == 0x48 && code[1] == 0x3b && code[2] >> 6 == 1 &&
		(base == 14 || base == 1) && (code[3] == 16 || code[3] == 24);
}

/* jbe, to a later place */
bool native_grows_stack(const uint8_t *code, unsigned len)
{
	return (len == 2 && code[0] == 0x76 && code[1] < 0x80) ||
		(len == 6 && code[0] == 0x0f && code[1] == 0x86 && code[5] < 0x80);
}

/* mov BODY(%rdi),%rax; mov OFF(%rax),%rax */
bool native_gets_member(const uint8_t *code, size_t n, uint8_t body, uint8_t off)
{
	const uint8_t want[] = {0x48, 0x8b, 0x47, body, 0x48, 0x8b, 0x40, off};

	return has(code, n, want, sizeof(want));
}

/* add $SIZE, %rbx; mov LAST(%rax), %rbx; mov ENV(%rbx), %rax */
bool native_walks_frames(const uint8_t *code, size_t n, uint8_t size, uint8_t last, uint8_t env)
{
	const uint8_t add[] = {0x48, 0x83, 0xc3, size}, get[] = {0x48, 0x8b, 0x58, last},
		      read[] = {0x48, 0x8b, 0x43, env};

	return has(code, n, add, sizeof(add)) && has(code, n, get, sizeof(get)) &&
		has(code, n, read, sizeof(read));
}

/* data16 lea INDEX(%rip), %rdi */
uint64_t native_tls_index(const uint8_t *code, size_t n, uint64_t at)
{
	static const uint8_t lea[] = {0x66, 0x48, 0x8d, 0x3d};
	const uint8_t *found = memmem(code, n, lea, sizeof(lea));
	size_t end;
	int32_t by;

	if (!found)
		return 0;
	end = (size_t)(found - code) + sizeof(lea) + sizeof(by);
	if (end > n)
		return 0;
	memcpy(&by, found + sizeof(lea), sizeof(by));
	return at + end + (uint64_t)(int64_t)by;
}

/* jmp *(%r15) */
size_t native_dispatches(const uint8_t *code, size_t n)
{
	static const uint8_t jmp[] = {0x41, 0xff, 0x27};
	const uint8_t *at = memmem(code, n, jmp, sizeof(jmp));

	return at ? (size_t)(at - code) : n;
}
