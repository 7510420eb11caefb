// SPDX-License-Identifier: Apache-2.0
/* Finds the end of the check of the stack that functions of Go begin with. */
#include "sym/growth.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "elf/insn.h"
#include "sym/image.h"

#define CHECK_MOST 64 /* bytes before the jump; large frames take 30 */

static bool is_go(const struct image *m)
{
	return image_named(m, "runtime.morestack.abi0") || image_named(m, "runtime.morestack");
}

/*
 * True if CODE, LEN bytes, is a comparison with g.stackguard0 or g.stackguard1, 16 or 24 bytes into
 * the goroutine, whose address r14 has, before Go 1.17 and in assembler rcx: cmp disp8(base), reg.
 */
static bool is_comparison(const uint8_t *code, unsigned len)
{
	const uint8_t rex = code[0], modrm = code[2];
	unsigned base = (modrm & 7) | (rex & 1) << 3;

	return len == 4 && (rex & 0xf8) == 0x48 && code[1] == 0x3b && modrm >> 6 == 1 &&
		(base == 14 || base == 1) && (code[3] == 16 || code[3] == 24);
}

/* True if CODE is jbe, to a later place. */
static bool is_jump(const uint8_t *code, unsigned len)
{
	return (len == 2 && code[0] == 0x76 && code[1] < 0x80) ||
		(len == 6 && code[0] == 0x0f && code[1] == 0x86 && code[5] < 0x80);
}

uint64_t growth_behind_check(const struct image *m, const struct image_func *f)
{
	uint8_t code[CHECK_MOST + INSN_MAX];
	size_t size = f->size < sizeof(code) ? (size_t)f->size : sizeof(code), at = 0;
	bool compared = false;
	unsigned len;

	if (!is_go(m) || !image_code(m, f->vaddr, code, size))
		return 0;
	while (at < CHECK_MOST && (len = insn_decode(code + at, size - at, NULL)) != 0) {
		if (compared)
			return is_jump(code + at, len) && at + len < size ? f->vaddr + at + len : 0;
		compared = is_comparison(code + at, len);
		at += len;
	}
	return 0;
}
