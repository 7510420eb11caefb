// SPDX-License-Identifier: Apache-2.0
/*
 * Reads an ELF file's call frame information, or any other bytes as the contents of .eh_frame and
 * of .debug_frame.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/unwind.h"
#include "input.h"
#include "sym/unwind.h"
#include "sym/unwind_cfi.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LOW  UINT64_C(0x1000)
#define HIGH (LOW + UINT32_MAX)

/* Rows are in ascending order: a look-up searches by halves. */
static void check(const struct dt_unwind_row *rows, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		if (rows[i].pc <= rows[i - 1].pc)
			abort();
}

static void from_file(const uint8_t *data, size_t size)
{
	int fd = fuzz_file(data, size);
	struct unwind_table t;
	uint8_t id[UNWIND_ID];
	uint64_t bias;

	unwind_read(fd, &t);
	check(t.rows, t.n);
	for (unsigned bit = 0; bit < 32; bit++)
		unwind_find(&t, 1u << bit);
	for (unsigned bit = 0; bit < 64; bit++)
		unwind_bias(&t, 0x7f0000000000, UINT64_C(1) << bit, &bias);
	unwind_free(&t);
	unwind_build_id(fd, id);
	close(fd);
}

/* Both sections, each alone and one after the other. */
static void from_sections(const uint8_t *data, size_t size)
{
	const struct cfi eh = {.data = data, .len = size, .vaddr = 2 * LOW, .is_eh = true};
	const struct cfi debug = {.data = data, .len = size};
	const struct cfi_sections all[] = {
		{.v = {eh}, .n = 1, .low = LOW, .high = HIGH},
		{.v = {debug}, .n = 1, .low = LOW, .high = HIGH},
		{.v = {debug, eh}, .n = 2, .low = LOW, .high = HIGH},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct dt_unwind_row *rows = NULL;
		int64_t n = cfi_rows(&all[i], &rows);

		if (n > 0)
			check(rows, (uint32_t)n);
		free(rows);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size >= SELFMAG && !memcmp(data, ELFMAG, SELFMAG))
		from_file(data, size);
	else
		from_sections(data, size);
	return 0;
}
