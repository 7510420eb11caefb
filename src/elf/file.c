// SPDX-License-Identifier: Apache-2.0
/* Reads the headers, sections and symbol tables of ELF files. */
#include "elf/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/transfer.h"
#include "elf/bounds.h"
#include "elf/debugfile.h"
#include "elf/versions.h"

/* A file with more is broken: -ffunction-sections makes 1,000,000 sections at most.
 */
#define MAX_HEADERS (1u << 20)

bool elf_file_read(const struct elf_file *f, uint64_t off, void *buf, size_t len)
{
	if (off > f->size || len > f->size - off)
		return false;
	if (f->mem) {
		memcpy(buf, f->mem + off, len);
		return true;
	}
	return transfer_pread(f->fd, buf, len, off) == (ssize_t)len;
}

static void widen_ehdr(const Elf32_Ehdr *from, Elf64_Ehdr *to)
{
	memcpy(to->e_ident, from->e_ident, EI_NIDENT);
	to->e_type = from->e_type;
	to->e_machine = from->e_machine;
	to->e_entry = from->e_entry;
	to->e_phoff = from->e_phoff;
	to->e_shoff = from->e_shoff;
	to->e_phentsize = from->e_phentsize;
	to->e_phnum = from->e_phnum;
	to->e_shentsize = from->e_shentsize;
	to->e_shnum = from->e_shnum;
	to->e_shstrndx = from->e_shstrndx;
}

static void widen_phdr(const void *p, void *q)
{
	const Elf32_Phdr *from = p;
	Elf64_Phdr *to = q;

	*to = (Elf64_Phdr){from->p_type, from->p_flags, from->p_offset, from->p_vaddr,
		from->p_paddr, from->p_filesz, from->p_memsz, from->p_align};
}

static void widen_shdr(const void *p, void *q)
{
	const Elf32_Shdr *from = p;
	Elf64_Shdr *to = q;

	*to = (Elf64_Shdr){from->sh_name, from->sh_type, from->sh_flags, from->sh_addr,
		from->sh_offset, from->sh_size, from->sh_link, from->sh_info, from->sh_addralign,
		from->sh_entsize};
}

static void widen_sym(const void *p, void *q)
{
	const Elf32_Sym *from = p;
	Elf64_Sym *to = q;

	*to = (Elf64_Sym){from->st_name, from->st_info, from->st_other, from->st_shndx,
		from->st_value, from->st_size};
}

/*
 * Reads N entries at OFF, ENTSIZE bytes apart in the file and WIDE bytes each here; those of a
 * 32-bit file are NARROW bytes and go through WIDEN.  NULL when there are none or on error.
 */
static void *read_table(const struct elf_file *f, uint64_t off, uint64_t n, size_t entsize,
	size_t narrow, size_t wide, void (*widen)(const void *from, void *to))
{
	size_t size = f->is_32bit ? narrow : wide;
	char *raw, *out;

	if (!n || entsize != size || off > f->size || n > (f->size - off) / size ||
		n > ELF_SECTION_MOST / size)
		return NULL;
	raw = malloc(n * size);
	if (!raw || !elf_file_read(f, off, raw, n * size)) {
		free(raw);
		return NULL;
	}
	if (!f->is_32bit)
		return raw;
	out = malloc(n * wide);
	for (uint64_t i = 0; out && i < n; i++)
		widen(raw + i * narrow, out + i * wide);
	free(raw);
	return out;
}

static bool read_ehdr(struct elf_file *f)
{
	unsigned char ident[EI_NIDENT];
	Elf32_Ehdr eh;

	if (!elf_file_read(f, 0, ident, sizeof(ident)) || memcmp(ident, ELFMAG, SELFMAG) ||
		ident[EI_DATA] != ELFDATA2LSB)
		return false;
	if (ident[EI_CLASS] == ELFCLASS64)
		return elf_file_read(f, 0, &f->eh, sizeof(f->eh));
	if (ident[EI_CLASS] != ELFCLASS32 || !elf_file_read(f, 0, &eh, sizeof(eh)))
		return false;
	f->is_32bit = true;
	widen_ehdr(&eh, &f->eh);
	return true;
}

static Elf64_Shdr *read_sections(const struct elf_file *f, uint64_t n)
{
	return read_table(f, f->eh.e_shoff, n, f->eh.e_shentsize, sizeof(Elf32_Shdr),
		sizeof(Elf64_Shdr), widen_shdr);
}

/* Section 0 has the numbers that are too large for the file's header (gABI, "Sections"). */
static void read_headers(struct elf_file *f)
{
	uint64_t nsh = f->eh.e_shnum, nph = f->eh.e_phnum, strndx = f->eh.e_shstrndx;
	Elf64_Shdr *zero = f->eh.e_shoff ? read_sections(f, 1) : NULL;

	if (zero) {
		nsh = nsh ? nsh : zero->sh_size;
		nph = nph == PN_XNUM ? zero->sh_info : nph;
		strndx = strndx == SHN_XINDEX ? zero->sh_link : strndx;
		f->sh = nsh <= MAX_HEADERS ? read_sections(f, nsh) : NULL;
		f->nsh = f->sh ? (uint32_t)nsh : 0;
		free(zero);
	}
	if (nph <= MAX_HEADERS)
		f->ph = read_table(f, f->eh.e_phoff, nph, f->eh.e_phentsize, sizeof(Elf32_Phdr),
			sizeof(Elf64_Phdr), widen_phdr);
	f->nph = f->ph ? (uint32_t)nph : 0;
	if (strndx && strndx < f->nsh) {
		f->names = elf_file_content(f, &f->sh[strndx]);
		f->names_len = f->names ? f->sh[strndx].sh_size : 0;
	}
}

static int start(struct elf_file *f)
{
	if (!read_ehdr(f))
		return -ENOEXEC;
	read_headers(f);
	return 0;
}

int elf_file_open(struct elf_file *f, int fd)
{
	struct stat st;

	*f = (struct elf_file){.fd = fd};
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return -ENOEXEC;
	f->size = (uint64_t)st.st_size;
	return start(f);
}

int elf_file_memory(struct elf_file *f, const void *mem, size_t size)
{
	*f = (struct elf_file){.fd = -1, .mem = mem, .size = size};
	return start(f);
}

void elf_file_close(struct elf_file *f)
{
	free(f->ph);
	free(f->sh);
	free(f->names);
	free(f->owned);
	*f = (struct elf_file){.fd = -1};
}

const Elf64_Shdr *elf_file_section(const struct elf_file *f, const char *name, uint32_t type)
{
	for (uint32_t i = 1; i < f->nsh; i++) {
		const Elf64_Shdr *sh = &f->sh[i];

		if (type && sh->sh_type != type)
			continue;
		if (!name || (sh->sh_name < f->names_len && !strcmp(f->names + sh->sh_name, name)))
			return sh;
	}
	return NULL;
}

char *elf_file_content(const struct elf_file *f, const Elf64_Shdr *sh)
{
	char *data;

	if (sh->sh_type == SHT_NOBITS || sh->sh_size > ELF_SECTION_MOST ||
		sh->sh_offset > f->size || sh->sh_size > f->size - sh->sh_offset)
		return NULL;
	data = malloc(sh->sh_size + 1);
	if (!data || !elf_file_read(f, sh->sh_offset, data, sh->sh_size)) {
		free(data);
		return NULL;
	}
	data[sh->sh_size] = '\0';
	return data;
}

/* Look for the build id among the notes at OFF. */
static size_t id_in_notes(
	const struct elf_file *f, uint64_t off, uint64_t size, uint64_t align, uint8_t id[64])
{
	const uint64_t mask = align == 8 ? 7 : 3;
	uint64_t end = off + size;
	Elf64_Nhdr nh; /* the same in 32-bit files */

	while (end >= off && off <= end && end - off >= sizeof(nh)) {
		uint64_t desc;
		char owner[4];

		if (!elf_file_read(f, off, &nh, sizeof(nh)))
			break;
		desc = off + ((sizeof(nh) + nh.n_namesz + mask) & ~mask);
		if (nh.n_type == NT_GNU_BUILD_ID && nh.n_namesz == 4 && nh.n_descsz <= 64 &&
			elf_file_read(f, off + sizeof(nh), owner, 4) && !memcmp(owner, "GNU", 4) &&
			elf_file_read(f, desc, id, nh.n_descsz))
			return nh.n_descsz;
		off = desc + ((nh.n_descsz + mask) & ~mask);
	}
	return 0;
}

size_t elf_file_build_id(const struct elf_file *f, uint8_t id[64])
{
	size_t len = 0;

	for (uint32_t i = 1; !len && i < f->nsh; i++)
		if (f->sh[i].sh_type == SHT_NOTE)
			len = id_in_notes(
				f, f->sh[i].sh_offset, f->sh[i].sh_size, f->sh[i].sh_addralign, id);
	for (uint32_t i = 0; !len && i < f->nph; i++)
		if (f->ph[i].p_type == PT_NOTE)
			len = id_in_notes(
				f, f->ph[i].p_offset, f->ph[i].p_filesz, f->ph[i].p_align, id);
	return len;
}

/* ---- symbol tables ---- */

void elf_symbols_free(struct elf_symbols *t)
{
	free(t->v);
	free(t->names);
	free(t->sh);
	*t = (struct elf_symbols){0};
}

/* Reads the symbol table of TYPE of F: 1, 0 = there is none, -ENOMEM. */
static int symbols_load(const struct elf_file *f, uint32_t type, struct elf_symbols *t)
{
	const Elf64_Shdr *sh = elf_file_section(f, NULL, type);
	size_t size = f->is_32bit ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym);
	uint64_t n;

	*t = (struct elf_symbols){0};
	if (!sh || sh->sh_link >= f->nsh)
		return 0;
	n = sh->sh_size / size;
	/* the first is no symbol */
	if (n < 2 || n > UINT32_MAX / 2 || sh->sh_offset > f->size ||
		n > (f->size - sh->sh_offset) / size)
		return 0;
	t->v = read_table(f, sh->sh_offset, n, sh->sh_entsize, sizeof(Elf32_Sym), sizeof(Elf64_Sym),
		widen_sym);
	t->names = elf_file_content(f, &f->sh[sh->sh_link]);
	t->names_len = t->names ? f->sh[sh->sh_link].sh_size : 0;
	t->sh = malloc(f->nsh * sizeof(*f->sh));
	if (!t->v || !t->names || !t->sh) {
		int r = t->sh ? 0 : -ENOMEM;

		elf_symbols_free(t);
		return r;
	}
	memcpy(t->sh, f->sh, f->nsh * sizeof(*f->sh));
	t->n = (uint32_t)n;
	t->nsh = f->nsh;
	return 1;
}

int elf_dynamic_symbols(const struct elf_file *f, struct elf_symbols *t)
{
	return symbols_load(f, SHT_DYNSYM, t);
}

static int from_debug_file(
	const struct elf_file *f, const struct elf_place *at, struct elf_symbols *t)
{
	int fd = elf_debug_open(f, at, ELF_DEBUG_SYMBOLS), r;
	struct elf_file d;

	if (fd < 0)
		return 0;
	r = elf_file_open(&d, fd);
	if (!r) {
		r = symbols_load(&d, SHT_SYMTAB, t);
		elf_file_close(&d);
	}
	close(fd);
	return r == -ENOEXEC ? 0 : r;
}

static int from_minidebug(const struct elf_file *f, struct elf_symbols *t)
{
	struct elf_file d;
	int r = elf_minidebug_open(f, &d);

	if (r)
		return r == -ENOMEM ? r : 0;
	r = symbols_load(&d, SHT_SYMTAB, t);
	elf_file_close(&d);
	return r;
}

int elf_tables_load(const struct elf_file *f, const char *root, struct elf_tables *t)
{
	return elf_tables_load_at(f, &(struct elf_place){.root = root}, t);
}

int elf_tables_load_at(const struct elf_file *f, const struct elf_place *at, struct elf_tables *t)
{
	int r;

	*t = (struct elf_tables){0};
	r = symbols_load(f, SHT_SYMTAB, &t->v[0]);
	if (!r)
		r = from_debug_file(f, at, &t->v[0]);
	if (r) {
		t->n = r > 0;
		return r < 0 ? r : 0;
	}
	r = symbols_load(f, SHT_DYNSYM, &t->v[0]);
	if (r > 0) {
		t->n = 1;
		if (elf_versions_apply(f, &t->v[0]))
			r = -ENOMEM;
	}
	if (r >= 0)
		r = from_minidebug(f, &t->v[t->n]);
	if (r > 0)
		t->n++;
	if (r < 0)
		elf_tables_free(t);
	return r < 0 ? r : 0;
}

void elf_tables_free(struct elf_tables *t)
{
	for (uint32_t i = 0; i < t->n; i++)
		elf_symbols_free(&t->v[i]);
	t->n = 0;
}

int elf_symbol_rank(const Elf64_Sym *s, const char *name)
{
	int type = ELF64_ST_TYPE(s->st_info), underscores = 0;
	int rank = type == STT_NOTYPE ? 64 : type == STT_OBJECT ? 32 : 0;

	if (ELF64_ST_BIND(s->st_info) == STB_LOCAL)
		rank += 16;
	/* compilers' copies, and old versions */
	if (strpbrk(name, ".@"))
		rank += 8;
	/* before weak and strong: libc's own names for its functions are the weak ones */
	while (name[underscores] == '_' && underscores < 3)
		underscores++;
	return rank + 2 * underscores + (ELF64_ST_BIND(s->st_info) == STB_WEAK);
}
