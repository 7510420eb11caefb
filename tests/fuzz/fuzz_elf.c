// SPDX-License-Identifier: Apache-2.0
/*
 * Reads any bytes as an ELF file: headers, sections, symbols of all tables, functions and their
 * code, and the libraries that it needs.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/insn.h"
#include "base/arena.h"
#include "elf/debugfile.h"
#include "elf/file.h"
#include "elf/needed.h"
#include "input.h"
#include "sym/elf.h"
#include "sym/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST 1000 /* sections, functions */

static void look_at_file(const struct elf_file *f)
{
	volatile uint64_t read = 0; /* all is read, whatever it is */
	uint8_t id[64];

	for (uint32_t i = 0; i < f->nsh && i < MOST; i++)
		free(elf_file_content(f, &f->sh[i]));
	for (uint32_t i = 0; i < f->nph && i < MOST; i++)
		read = f->ph[i].p_type + f->ph[i].p_memsz;
	(void)read;
	elf_file_section(f, ".nothing", 0);
	if (elf_file_build_id(f, id) > sizeof(id))
		abort();
	elf_debug_has(f, ELF_DEBUG_SYMBOLS);
}

static void look_at_tables(const struct elf_file *f)
{
	struct elf_tables t;

	if (elf_tables_load(f, NULL, &t))
		return;
	for (uint32_t k = 0; k < t.n; k++)
		for (uint32_t i = 0; i < t.v[k].n; i++) {
			const Elf64_Sym *s = &t.v[k].v[i];
			int rank = elf_symbol_rank(s, elf_symbol_name(&t.v[k], s));

			if (rank < 0 || rank > 127)
				abort();
		}
	elf_tables_free(&t);
}

static void look_at_names(int fd)
{
	struct elfsyms *e = elfsyms_load(fd, NULL);
	uint64_t start, vaddr;
	bool sized;

	if (!e)
		return;
	for (unsigned bit = 0; bit < 64; bit++) {
		const char *name = elfsyms_find(e, UINT64_C(1) << bit, &start, &sized);

		if (name && (!*name || start > UINT64_C(1) << bit))
			abort();
		elfsyms_vaddr(e, UINT64_C(1) << bit, PROT_READ | PROT_EXEC, bit & 1, &vaddr);
	}
	for (uint64_t at = 0x1000; at < 0x1100; at += 16)
		elfsyms_find(e, at, &start, &sized);
	elfsyms_start(e);
	elfsyms_end(e);
	elfsyms_free(e);
}

/* The code of F is decoded, as the pid provider does to place probes. */
static void look_at_function(struct file_image *m, const struct image_func *f)
{
	uint8_t code[256];
	size_t len = f->size < sizeof(code) ? f->size : sizeof(code);
	uint64_t off;

	if (!f->size || !*f->name || !image_plain_name(m, f))
		abort();
	image_offset(m, f->vaddr, &off);
	image_named(m, f->name);
	if (image_code(m, f->vaddr, code, len))
		insn_boundaries(code, len, NULL, 0);
}

static void look_at_functions(int fd)
{
	int err;
	struct file_image *m = image_open(fd, &err);
	const struct image_func *f;
	uint32_t n;

	if (!m)
		return;
	f = image_funcs(m, &n);
	for (uint32_t i = 0; i < n && i < MOST; i++)
		look_at_function(m, &f[i]);
	image_is_dynamic(m);
	image_free(m);
}

static int on_needed(void *arg, int fd, const char *path)
{
	return !*path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct elf_file f;
	int fd = fuzz_file(data, size);

	if (!elf_file_memory(&f, data, size)) {
		look_at_file(&f);
		elf_file_close(&f);
	}
	if (!elf_file_open(&f, fd)) {
		look_at_tables(&f);
		elf_file_close(&f);
	}
	look_at_names(fd);
	look_at_functions(fd);
	close(fd);
	needed_files(arena, fuzz_named_file(data, size), on_needed, NULL);
	arena_free(arena);
	return 0;
}
