// SPDX-License-Identifier: Apache-2.0
/* Reads any bytes as an ELF file with USDT notes, and as the argument text of one. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input.h"
#include "arch/arch.h"
#include "usdt/notes.h"
#include "usdt/args.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool from_file(void *arg, const char *name, size_t len, uint64_t *addr)
{
	return notes_symbol(*(int *)arg, name, len, addr);
}

/* Checks what the kernel side relies on. */
static void check(const char *args, int fd)
{
	struct dt_usdt_operand op[DT_USDT_NARGS];
	int n = usdt_parse(args, from_file, &fd, op);

	for (int i = 0; i < DT_USDT_NARGS; i++) {
		int bytes = abs(op[i].size);
		bool has_reg = op[i].base < ARCH_REGS_END && op[i].base % 8 == 0;
		bool has_index = op[i].index < ARCH_REGS_END && op[i].index % 8 == 0;
		const char *start;

		if (n >= 0 && (op[i].kind == DT_USDT_NONE) != (i >= n))
			abort();
		if (op[i].kind == DT_USDT_NONE)
			continue;
		if (n >= 0 && !usdt_arg_text(args, (unsigned)i, &start))
			abort();
		if ((usdt_why_unknown(args, (unsigned)i, &op[i]) != NULL) !=
			(op[i].kind == DT_USDT_UNKNOWN))
			abort();
		if (op[i].kind >= DT_USDT_KINDS ||
			(bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8))
			abort();
		if (op[i].kind == DT_USDT_REG && !has_reg)
			abort();
		if (op[i].kind == DT_USDT_MEMORY &&
			((!has_reg && op[i].base != DT_USDT_NO_REG) ||
				(!has_index && op[i].index != DT_USDT_NO_REG) || op[i].shift > 3))
			abort();
	}
}

static int visit(void *arg, const struct sdt_note *n)
{
	if (!n->pc_offset || !*n->name || !*n->provider || !n->semaphore != !n->semaphore_offset)
		abort();
	check(n->args, *(int *)arg);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = fuzz_file(data, size);
	char *text = strndup((const char *)data, size);

	if (!text)
		abort();
	check(text, fd);
	notes_read(fd, visit, &fd);
	close(fd);
	free(text);
	return 0;
}
