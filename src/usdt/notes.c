// SPDX-License-Identifier: Apache-2.0
/* Reads the notes of USDT probes in ELF files. */
#include "usdt/notes.h"

#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>

#include "arch/arch.h"
#include "elf/bounds.h"

struct file {
	Elf *elf;
	size_t nphdrs;
	uint64_t base; /* address of .stapsdt.base, 0 = there is none */
	int (*fn)(void *arg, const struct sdt_note *note);
	void *arg;
};

static int open_elf(int fd, Elf **out)
{
	GElf_Ehdr eh;

	elf_version(EV_CURRENT);
	*out = elf_begin(fd, ELF_C_READ, NULL);
	if (!*out)
		return -ENOEXEC;
	if (elf_kind(*out) == ELF_K_ELF && elf_bounds_hold(*out) && gelf_getehdr(*out, &eh) &&
		(eh.e_type == ET_EXEC || eh.e_type == ET_DYN)) {
		if (eh.e_machine == ARCH_ELF && gelf_getclass(*out) == ELFCLASS64)
			return 0;
		elf_end(*out);
		return -ENOTSUP;
	}
	elf_end(*out);
	return -ENOEXEC;
}

/* ---- addresses ---- */

/* Returns the place in the file of LEN bytes at ADDR, in a segment with all of FLAGS; 0 = none. */
static uint64_t file_offset(const struct file *f, uint64_t addr, uint64_t len, uint32_t flags)
{
	GElf_Phdr ph;

	for (size_t i = 0; i < f->nphdrs; i++) {
		if (!gelf_getphdr(f->elf, (int)i, &ph) || ph.p_type != PT_LOAD ||
			(ph.p_flags & flags) != flags)
			continue;
		if (addr >= ph.p_vaddr && len <= ph.p_filesz &&
			addr - ph.p_vaddr <= ph.p_filesz - len)
			return addr - ph.p_vaddr + ph.p_offset;
	}
	return 0;
}

/* ---- one note ---- */

/* Returns the string at *P, which goes past it; NULL when it has no end. */
static const char *take_string(const char **p, const char *end)
{
	const char *s = *p, *nul = s < end ? memchr(s, '\0', (size_t)(end - s)) : NULL;

	if (nul)
		*p = nul + 1;
	return nul;
}

/* No probe has a blank or a control character in its name; a line of -l could look like two. */
static bool is_name(const char *s)
{
	for (const char *c = s; *c; c++)
		if ((unsigned char)*c <= ' ' || *c == 0x7f)
			return false;
	return *s;
}

/* descriptor: pc, base, semaphore, provider\0 name\0 args\0 */
static int read_note(const struct file *f, const char *desc, size_t len)
{
	const char *p = desc + 3 * sizeof(uint64_t), *end = desc + len;
	struct sdt_note n = {0};
	uint64_t addr[3], moved;

	if (len < sizeof(addr))
		return 0;
	memcpy(addr, desc, sizeof(addr));
	n.provider = p;
	if (!take_string(&p, end))
		return 0;
	n.name = p;
	if (!take_string(&p, end))
		return 0;
	n.args = p;
	/* without arguments the last string may be missing */
	if (p == end)
		n.args = "";
	else if (!take_string(&p, end))
		return 0;
	if (!is_name(n.provider) || !is_name(n.name))
		return 0;
	moved = f->base && addr[1] ? f->base - addr[1] : 0;
	n.pc = addr[0] + moved;
	n.pc_offset = file_offset(f, n.pc, 1, PF_X);
	if (addr[2]) {
		n.semaphore = addr[2] + moved;
		n.semaphore_offset = file_offset(f, n.semaphore, 2, PF_W);
	}
	/* a site whose semaphore can't be raised would never be reached */
	if (!n.pc_offset || (addr[2] && !n.semaphore_offset))
		return 0;
	return f->fn(f->arg, &n);
}

/* ---- sections ---- */

static int read_section(const struct file *f, Elf_Scn *scn)
{
	Elf_Data *d = elf_getdata(scn, NULL);
	size_t off = 0, next, name_at, desc_at;
	GElf_Nhdr nh;

	while (d && (next = gelf_getnote(d, off, &nh, &name_at, &desc_at)) > 0) {
		const char *data = d->d_buf;
		int err = 0;

		if (nh.n_type == SDT_NOTE_TYPE && nh.n_namesz == sizeof(SDT_NOTE_OWNER) &&
			!memcmp(data + name_at, SDT_NOTE_OWNER, sizeof(SDT_NOTE_OWNER)))
			err = read_note(f, data + desc_at, nh.n_descsz);
		if (err)
			return err;
		off = next;
	}
	return 0;
}

static bool is_section(
	const struct file *f, size_t strings, Elf_Scn *scn, const char *name, GElf_Shdr *sh)
{
	const char *n = gelf_getshdr(scn, sh) ? elf_strptr(f->elf, strings, sh->sh_name) : NULL;

	return n && !strcmp(n, name);
}

static int read_sections(struct file *f)
{
	Elf_Scn *scn = NULL;
	size_t strings;
	GElf_Shdr sh;
	int err = 0;

	if (elf_getshdrstrndx(f->elf, &strings) || elf_getphdrnum(f->elf, &f->nphdrs))
		return 0;
	while (!f->base && (scn = elf_nextscn(f->elf, scn)) != NULL)
		if (is_section(f, strings, scn, ".stapsdt.base", &sh))
			f->base = sh.sh_addr;
	scn = NULL;
	while (!err && (scn = elf_nextscn(f->elf, scn)) != NULL)
		if (is_section(f, strings, scn, ".note.stapsdt", &sh) && sh.sh_type == SHT_NOTE)
			err = read_section(f, scn);
	return err;
}

int notes_read(int fd, int (*fn)(void *arg, const struct sdt_note *note), void *arg)
{
	struct file f = {.fn = fn, .arg = arg};
	int err = open_elf(fd, &f.elf);

	if (err)
		return err;
	err = read_sections(&f);
	elf_end(f.elf);
	return err;
}

/* ---- symbols ---- */

static bool find_symbol(
	Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, const char *name, size_t len, uint64_t *addr)
{
	Elf_Data *d = elf_getdata(scn, NULL);
	GElf_Sym sym;

	for (int i = 1; d && gelf_getsym(d, i, &sym); i++) {
		const char *s = elf_strptr(elf, sh->sh_link, sym.st_name);

		if (sym.st_shndx == SHN_UNDEF || !s || strncmp(s, name, len) || s[len])
			continue;
		if (GELF_ST_TYPE(sym.st_info) == STT_TLS)
			continue;
		*addr = sym.st_value;
		return true;
	}
	return false;
}

bool notes_symbol(int fd, const char *name, size_t len, uint64_t *addr)
{
	bool found = false;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	Elf *elf;

	if (open_elf(fd, &elf))
		return false;
	while (!found && (scn = elf_nextscn(elf, scn)) != NULL)
		if (gelf_getshdr(scn, &sh) &&
			(sh.sh_type == SHT_SYMTAB || sh.sh_type == SHT_DYNSYM))
			found = find_symbol(elf, scn, &sh, name, len, addr);
	elf_end(elf);
	return found;
}
