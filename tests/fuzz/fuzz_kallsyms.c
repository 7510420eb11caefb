// SPDX-License-Identifier: Apache-2.0
/*
 * Reads any text as /proc/kallsyms, and what follows a line of "%%" as /proc/modules.  Then the
 * names that are known are looked up, and the addresses around them.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input.h"
#include "sym/sym.h"
#include "sym/sym_priv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SEPARATOR "\n%%\n"

static void look_at(struct ksyms *k, uint64_t addr)
{
	struct sym_info info = {0};

	ksyms_find(k, addr, &info);
	if (info.name && (!info.object || info.start > addr))
		abort();
	ksyms_is_tracing(k, addr);
}

/* The names of the corpus, and the marks that bound the kernel's code. */
static const char *const names[] = {"_stext", "_etext", "_sinittext", "_einittext", "_end",
	"startup_64", "do_exit", "ext4_read", "bpf_prog_1", "none"};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *at = memmem(data, size, SEPARATOR, sizeof(SEPARATOR) - 1);
	size_t first = at ? (size_t)(at - data) + 1 : size;
	size_t rest = at ? first + sizeof(SEPARATOR) - 2 : size;
	int symbols = fuzz_file(data, first), modules = fuzz_file(data + rest, size - rest);
	char symbols_path[FUZZ_PATH_SIZE], modules_path[FUZZ_PATH_SIZE];
	struct ksyms *k =
		ksyms_new_from(fuzz_path(symbols, symbols_path), fuzz_path(modules, modules_path));

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		uint64_t addr = ksyms_address(k, names[i]);

		look_at(k, addr - 1);
		look_at(k, addr);
		look_at(k, addr + 1);
		look_at(k, addr + (1 << 20));
	}
	for (unsigned bit = 0; bit < 64; bit++)
		look_at(k, ~UINT64_C(0) << bit);
	/* where modules may be: misses have them read again */
	for (unsigned i = 0; i < 1100; i++)
		look_at(k, 0xffffffffc0000000 + (uint64_t)i * 4096);
	ksyms_nameless(k);
	ksyms_free(k);
	close(symbols);
	close(modules);
	return 0;
}
