// SPDX-License-Identifier: Apache-2.0
/*
 * Feeds any bytes to the readers of debug information: types, functions and variables, members of
 * members and parameters' slots too; source lines and inlined functions.  The input is what
 * make_dwarf writes: for each section its place in `sections`, two bytes of length, the bytes; an
 * ELF file is made of them.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "sym/sym.h"
#include "sym/sym_priv.h"
#include "types/dwarf.h"
#include "types/type.h"
#include "types/types.h"
#include "look.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* LeakSanitizer asks for it: libdw (elfutils 0.188) loses memory when scopes are damaged. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libdw.so";
}

/* Names that the objects of the corpus have. */
static const char *const names[] = {"list", "bits", "number", "color", "handle", "store::table",
	"table", "find", "hidden", "list_t", "main", "virt", "by_value", "makes", "kind", "base",
	"pool<int, 4>", "global_list", "hidden_t", "many", "twice", "entry", "none"};

#define MOST_TYPES 2000

static void look_around(struct dwarf_file *f)
{
	unsigned budget = MOST_TYPES;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		for (enum type_space s = SPACE_ORDINARY; s <= SPACE_ENUM; s++) {
			const struct type *t = dwarf_type(f, s, names[i]);

			if (t)
				look_at_type(t, &budget);
		}
		if (dwarf_function(f, names[i], 0))
			look_at_function(dwarf_function(f, names[i], 0), &budget);
		if (dwarf_variable(f, names[i]))
			look_at_type(dwarf_variable(f, names[i]), &budget);
	}
}

static void look_at_lines(int fd)
{
	struct elflines *l = elflines_open(fd, NULL);
	const struct sym_line *lines;

	if (!l)
		return;
	for (uint64_t pc = 0x1000; pc < 0x1100; pc++) {
		uint32_t n = elflines_find(l, pc, &lines);

		for (uint32_t i = 0; i < n; i++)
			if (lines[i].file && strlen(lines[i].file) > 1 << 20)
				abort();
	}
	elflines_free(l);
}

static const char *const sections[] = {"info", "abbrev", "str", "line_str", "types", "aranges",
	"rnglists", "ranges", "str_offsets", "addr", "line"};

#define NSECTIONS (sizeof(sections) / sizeof(sections[0]))

struct file_image {
	Elf64_Ehdr eh;
	Elf64_Shdr sh[NSECTIONS + 2]; /* none, these, their names */
	char strings[256];
};

/* The header and section table of an ELF file that has the sections of DATA, which follow them. */
static void make_image(struct file_image *im, const uint8_t *data, size_t size)
{
	size_t at = 0, names_len = 1;

	memset(im, 0, sizeof(*im));
	memcpy(im->eh.e_ident, ELFMAG, SELFMAG);
	im->eh.e_ident[EI_CLASS] = ELFCLASS64;
	im->eh.e_ident[EI_DATA] = ELFDATA2LSB;
	im->eh.e_ident[EI_VERSION] = EV_CURRENT;
	im->eh.e_type = ET_DYN;
	im->eh.e_machine = EM_X86_64;
	im->eh.e_version = EV_CURRENT;
	im->eh.e_ehsize = sizeof(im->eh);
	im->eh.e_shentsize = sizeof(im->sh[0]);
	im->eh.e_shoff = offsetof(struct file_image, sh);
	im->eh.e_shnum = NSECTIONS + 2;
	im->eh.e_shstrndx = NSECTIONS + 1;
	im->sh[NSECTIONS + 1] = (Elf64_Shdr){.sh_type = SHT_STRTAB,
		.sh_offset = offsetof(struct file_image, strings),
		.sh_size = sizeof(im->strings)};
	while (at + 3 <= size) {
		unsigned which = data[at] % NSECTIONS;
		size_t len = data[at + 1] | (size_t)data[at + 2] << 8;

		at += 3;
		len = len < size - at ? len : size - at;
		im->sh[which + 1] = (Elf64_Shdr){.sh_name = (Elf64_Word)names_len,
			.sh_type = SHT_PROGBITS,
			.sh_offset = sizeof(*im) + at,
			.sh_size = len,
			.sh_addralign = 1};
		if (names_len + 20 < sizeof(im->strings))
			names_len += 1 +
				(size_t)sprintf(
					im->strings + names_len, ".debug_%s", sections[which]);
		at += len;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct file_image im;
	int fd = memfd_create("fuzz_dwarf", MFD_CLOEXEC), err;
	struct arena *a = arena_new();
	struct dwarf_file *f = NULL;

	make_image(&im, data, size);
	if (fd >= 0 && a && write(fd, &im, sizeof(im)) == sizeof(im) &&
		write(fd, data, size) == (ssize_t)size)
		f = dwarf_file_open(types_new(a, 256, NULL, NULL), fd, "fuzz", &err);
	if (f) {
		/* addresses first, while there are units that were not read */
		for (uint64_t pc = 0x1000; pc < 0x1100; pc++)
			dwarf_function(f, "main", pc);
		look_around(f);
		dwarf_file_close(f);
	}
	look_at_lines(fd);
	arena_free(a);
	close(fd);
	return 0;
}
