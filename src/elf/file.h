/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file: the headers, sections and symbol tables of one ELF file.
 *
 * Knows the ELF specification (gABI, chapters 4 and 5).  Files are read, never mapped: reading a
 * mapped file that another process has truncated raises SIGBUS.  A file may be broken in any way:
 * what lies beyond its end is treated as absent.  32-bit files are shown as if they were 64-bit.
 */
#ifndef ELF_FILE_H
#define ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_file {
	int fd;		    /* borrowed; -1: the file is in memory */
	const uint8_t *mem; /* borrowed, unless OWNED */
	void *owned;
	uint64_t size; /* bytes */
	bool is_32bit;
	Elf64_Ehdr eh;
	Elf64_Phdr *ph; /* NPH of them; without those that the file is too short for */
	uint32_t nph;
	Elf64_Shdr *sh; /* NSH of them, the first is no section */
	uint32_t nsh;
	char *names; /* of sections; may be NULL */
	uint64_t names_len;
};

/*
 * Read the headers of FD, which must stay open, or of MEM.  0; -ENOEXEC not ELF, or big-endian;
 * -ENOMEM.  On error there is nothing to be closed.
 */
int elf_file_open(struct elf_file *f, int fd);
int elf_file_memory(struct elf_file *f, const void *mem, size_t size);
void elf_file_close(struct elf_file *f);

/* Reads LEN bytes at OFF of the file; false if they are not all there. */
bool elf_file_read(const struct elf_file *f, uint64_t off, void *buf, size_t len);

/* Returns the first section called NAME (NULL any) of TYPE (SHT_*, 0 any), or NULL. */
const Elf64_Shdr *elf_file_section(const struct elf_file *f, const char *name, uint32_t type);

/*
 * Returns the bytes of a section, a '\0' after them, from malloc(); NULL when they are not all
 * there, or are more than ELF_SECTION_MOST.
 */
char *elf_file_content(const struct elf_file *f, const Elf64_Shdr *sh);

/*
 * Copies the build id (note NT_GNU_BUILD_ID, of its section or segment) to ID; returns its length
 * or 0.
 */
size_t elf_file_build_id(const struct elf_file *f, uint8_t id[64]);

/* A symbol table as it is in the file. */
struct elf_symbols {
	Elf64_Sym *v; /* undefined ones are among them */
	uint32_t n;
	char *names; /* NAMES_LEN bytes and a '\0' */
	uint64_t names_len;
	/* [st_shndx], NSH of them: those of the file that the table is in */
	Elf64_Shdr *sh;
	uint32_t nsh;
};

/*
 * Reads .dynsym of F, whose indices its relocations have, with names as they are in the file: 1; 0:
 * there is none, *T is empty; -ENOMEM.  elf_symbols_free() frees it.
 */
int elf_dynamic_symbols(const struct elf_file *f, struct elf_symbols *t);
void elf_symbols_free(struct elf_symbols *t);

/* The best that is known of a file's symbols: one table, or two that complete each other. */
struct elf_tables {
	struct elf_symbols v[2];
	uint32_t n;
};

/*
 * The symbols of F: .symtab, or that of a separate debug file (by build id, by .gnu_debuglink), or
 * .dynsym with the mini-debuginfo of .gnu_debugdata, or .dynsym.  ROOT is the root folder of whose
 * file it is, "/proc/PID/root"; NULL: ours.
 * 0, also when there are none; -ENOMEM.
 */
int elf_tables_load(const struct elf_file *f, const char *root, struct elf_tables *t);
/* The same of a file whose place is known (elf/debugfile.h). */
struct elf_place;
int elf_tables_load_at(const struct elf_file *f, const struct elf_place *at, struct elf_tables *t);
void elf_tables_free(struct elf_tables *t);

/* Returns the name of a symbol of T; "" when it lies outside the names. */
static inline const char *elf_symbol_name(const struct elf_symbols *t, const Elf64_Sym *s)
{
	return s->st_name < t->names_len ? t->names + s->st_name : "";
}

/*
 * Returns a rank, 0 to 127: of the symbols of one address the one with the lowest has the name that
 * people know.
 */
int elf_symbol_rank(const Elf64_Sym *s, const char *name);

#endif
