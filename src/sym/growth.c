// SPDX-License-Identifier: Apache-2.0
/* Finds the end of the check of the stack that functions of Go begin with. */
#include "sym/growth.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "arch/insn.h"
#include "arch/native.h"
#include "sym/image.h"

#define CHECK_MOST 64 /* bytes before the jump; large frames take 30 */

static bool is_go(const struct file_image *m)
{
	return image_named(m, "runtime.morestack.abi0") || image_named(m, "runtime.morestack");
}

uint64_t growth_behind_check(const struct file_image *m, const struct image_func *f)
{
	uint8_t code[CHECK_MOST + INSN_MAX];
	size_t size = f->size < sizeof(code) ? (size_t)f->size : sizeof(code), at = 0;
	bool compared = false;
	unsigned len;

	if (!is_go(m) || !image_code(m, f->vaddr, code, size))
		return 0;
	while (at < CHECK_MOST && (len = insn_decode(code + at, size - at, NULL)) != 0) {
		if (compared)
			return native_grows_stack(code + at, len) && at + len < size
				? f->vaddr + at + len
				: 0;
		compared = native_checks_stack(code + at, len);
		at += len;
	}
	return 0;
}
