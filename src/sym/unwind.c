// SPDX-License-Identifier: Apache-2.0
/*
 * Finds the call frame information of a file.  A stripped file may have no sections, so program
 * headers lead to .eh_frame through .eh_frame_hdr (LSB Core, "The .eh_frame_hdr section").  The
 * file is read, not mapped, because another process may truncate it.
 */
#include <elf.h>
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/unwind.h"
#include "arch/arch.h"
#include "base/transfer.h"
#include "elf/bounds.h"
#include "sym/unwind.h"
#include "sym/unwind_cfi.h"

#define MAX_HEADERS 512		 /* program headers that are looked at */
#define MAX_SECTION (256u << 20) /* bytes of call frame information */

/* A file, or an image in memory that is as long as it says. */
struct unwind_source {
	int fd;
	const uint8_t *image;
};

struct elf {
	struct unwind_source src;
	Elf64_Ehdr eh;
	Elf64_Phdr *ph;
	size_t nph;
	uint64_t size; /* of the file */
};

static bool read_at(const struct unwind_source *s, uint64_t off, void *buf, size_t len)
{
	if (s->image) {
		memcpy(buf, s->image + off, len);
		return true;
	}
	return transfer_pread(s->fd, buf, len, off) == (ssize_t)len;
}

static int read_headers(struct elf *e)
{
	if (!read_at(&e->src, 0, &e->eh, sizeof(e->eh)) || memcmp(e->eh.e_ident, ELFMAG, SELFMAG) ||
		e->eh.e_ident[EI_CLASS] != ELFCLASS64 || e->eh.e_ident[EI_DATA] != ELFDATA2LSB ||
		e->eh.e_machine != ARCH_ELF || e->eh.e_phentsize != sizeof(Elf64_Phdr) ||
		e->eh.e_phnum > MAX_HEADERS)
		return -ENOEXEC;
	e->nph = e->eh.e_phnum;
	e->ph = calloc(e->nph + 1, sizeof(*e->ph));
	if (!e->ph)
		return -ENOMEM;
	if (!read_at(&e->src, e->eh.e_phoff, e->ph, e->nph * sizeof(*e->ph)))
		return -ENOEXEC;
	return 0;
}

static int keep_segments(const struct elf *e, struct unwind_table *out, uint64_t *high)
{
	uint64_t low = UINT64_MAX;

	*high = 0;
	out->segs = calloc(e->nph + 1, sizeof(*out->segs));
	if (!out->segs)
		return -ENOMEM;
	for (size_t i = 0; i < e->nph; i++) {
		const Elf64_Phdr *ph = &e->ph[i];

		if (ph->p_type != PT_LOAD || !(ph->p_flags & PF_X) ||
			ph->p_memsz > UINT64_MAX - ph->p_vaddr)
			continue;
		out->segs[out->nsegs++] =
			(struct unwind_segment){ph->p_offset, ph->p_vaddr, ph->p_filesz};
		if (ph->p_vaddr < low)
			low = ph->p_vaddr;
		if (ph->p_vaddr + ph->p_memsz > *high)
			*high = ph->p_vaddr + ph->p_memsz;
	}
	if (!out->nsegs)
		return -ENOENT;
	out->base = low & ~4095ull;
	return *high - out->base < UINT32_MAX ? 0 : -EFBIG;
}

/* Returns the segment that has virtual address VADDR. */
static const Elf64_Phdr *segment_of(const struct elf *e, uint64_t vaddr)
{
	for (size_t i = 0; i < e->nph; i++)
		if (e->ph[i].p_type == PT_LOAD && vaddr >= e->ph[i].p_vaddr &&
			vaddr - e->ph[i].p_vaddr < e->ph[i].p_filesz)
			return &e->ph[i];
	return NULL;
}

/*
 * Returns the length of the section at VADDR if the file has section headers; else LEN, the rest of
 * its segment: the data end with a word of 0.
 */
static uint64_t section_size(const struct elf *e, uint64_t vaddr, uint64_t len)
{
	Elf64_Shdr sh;

	if (e->eh.e_shentsize != sizeof(sh) || e->src.image)
		return len;
	for (unsigned i = 0; i < e->eh.e_shnum; i++) {
		if (!read_at(&e->src, e->eh.e_shoff + i * sizeof(sh), &sh, sizeof(sh)))
			break;
		if (sh.sh_type != SHT_NOBITS && sh.sh_flags & SHF_ALLOC && sh.sh_addr == vaddr &&
			sh.sh_size && sh.sh_size < len)
			return sh.sh_size;
	}
	return len;
}

/* Returns the address of .eh_frame, by PT_GNU_EH_FRAME; 0: there is none. */
static uint64_t eh_frame_address(const struct elf *e)
{
	uint8_t head[16];

	for (size_t i = 0; i < e->nph; i++) {
		const Elf64_Phdr *ph = &e->ph[i];
		struct cfi_cursor c = {head + 4, head + sizeof(head), false};
		uint64_t at;

		/* version, encodings of the pointer, the count and the table, the pointer */
		if (ph->p_type != PT_GNU_EH_FRAME || ph->p_filesz < 8)
			continue;
		memset(head, 0, sizeof(head));
		if (!read_at(&e->src, ph->p_offset, head,
			    ph->p_filesz < sizeof(head) ? ph->p_filesz : sizeof(head)) ||
			head[0] != 1)
			continue;
		at = cfi_pointer(&c, head[1], ph->p_vaddr + 4);
		return c.bad ? 0 : at;
	}
	return 0;
}

/* .eh_frame to memory of its own, as the first of C; NULL: there is none. */
static void *load_eh_frame(const struct elf *e, struct cfi_sections *c)
{
	uint64_t at = eh_frame_address(e), len;
	const Elf64_Phdr *ph = at ? segment_of(e, at) : NULL;
	void *data;

	if (!ph)
		return NULL;
	len = section_size(e, at, ph->p_filesz - (at - ph->p_vaddr));
	data = len <= MAX_SECTION ? malloc(len) : NULL;
	if (!data || !read_at(&e->src, ph->p_offset + (at - ph->p_vaddr), data, len)) {
		free(data);
		return NULL;
	}
	c->v[c->n++] = (struct cfi){.data = data, .len = len, .vaddr = at, .is_eh = true};
	return data;
}

static void add_section(struct cfi_sections *c, Elf_Scn *scn, bool is_eh)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Shdr sh;

	if (!data || !data->d_buf || !data->d_size || c->n == CFI_SECTIONS ||
		!gelf_getshdr(scn, &sh))
		return;
	c->v[c->n++] = (struct cfi){
		.data = data->d_buf, .len = data->d_size, .vaddr = sh.sh_addr, .is_eh = is_eh};
}

/* Decompresses .debug_frame or .zdebug_frame; false: it is broken, or more than *LEFT bytes. */
static bool unpack_section(
	Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, const char *name, uint64_t *left)
{
	uint64_t size = elf_bounds_unpacked(elf, scn, sh, name);

	if (size > *left)
		return false;
	*left -= size;
	if (*name && name[1] == 'z')
		return elf_compress_gnu(scn, 0, 0) >= 0;
	return !(sh->sh_flags & SHF_COMPRESSED) || elf_compress(scn, 0, 0) >= 0;
}

/*
 * Finds .debug_frame, compressed or not, and, if C has none yet, .eh_frame, by the sections' names.
 */
static void find_sections(Elf *elf, struct cfi_sections *c)
{
	uint64_t left = MAX_SECTION;
	bool want_eh = !c->n;
	Elf_Scn *scn = NULL;
	size_t names;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(elf, &names))
		return;
	while (c->n < CFI_SECTIONS && (scn = elf_nextscn(elf, scn)) != NULL) {
		const char *name = NULL;

		if (gelf_getshdr(scn, &sh) && sh.sh_type != SHT_NOBITS)
			name = elf_strptr(elf, names, sh.sh_name);
		if (!name || sh.sh_size > MAX_SECTION)
			continue;
		if (!strcmp(name, ".eh_frame") && want_eh)
			add_section(c, scn, true);
		else if ((!strcmp(name, ".debug_frame") || !strcmp(name, ".zdebug_frame")) &&
			unpack_section(elf, scn, &sh, name, &left))
			add_section(c, scn, false);
	}
}

static int read_table(struct elf *e, struct unwind_table *out)
{
	struct cfi_sections c = {0};
	int err = read_headers(e);
	Elf *elf = NULL;
	void *eh_frame;
	int64_t n;

	if (!err)
		err = keep_segments(e, out, &c.high);
	if (err)
		return err;
	c.low = out->base;
	eh_frame = load_eh_frame(e, &c);
	if (!e->src.image && e->eh.e_shnum && elf_version(EV_CURRENT) != EV_NONE)
		elf = elf_begin(e->src.fd, ELF_C_READ, NULL);
	if (elf && elf_bounds_hold(elf))
		find_sections(elf, &c);
	n = cfi_rows(&c, &out->rows);
	if (n > 0)
		out->n = (uint32_t)n;
	elf_end(elf);
	free(eh_frame);
	return n < 0 ? (int)n : n ? 0 : -ENOENT;
}

int unwind_read(int fd, struct unwind_table *out)
{
	struct elf e = {.src.fd = fd};
	int err;

	memset(out, 0, sizeof(*out));
	err = read_table(&e, out);
	free(e.ph);
	return err;
}

int unwind_read_vdso(struct unwind_table *out)
{
	struct elf e = {.src = {-1, (const uint8_t *)getauxval(AT_SYSINFO_EHDR)}};
	int err = -ENOENT;

	memset(out, 0, sizeof(*out));
	if (e.src.image)
		err = read_table(&e, out);
	free(e.ph);
	return err;
}

void unwind_free(struct unwind_table *t)
{
	free(t->rows);
	free(t->segs);
	t->rows = NULL;
	t->segs = NULL;
	t->n = t->nsegs = 0;
}

bool unwind_bias(const struct unwind_table *t, uint64_t start, uint64_t off, uint64_t *bias)
{
	for (uint32_t i = 0; i < t->nsegs; i++) {
		const struct unwind_segment *s = &t->segs[i];
		uint64_t first = s->off & ~4095ull; /* segments are mapped in whole pages */

		if (off < first || off >= s->off + s->size)
			continue;
		*bias = start - (s->vaddr - (s->off - off)) + t->base;
		return true;
	}
	return false;
}

uint32_t unwind_find(const struct unwind_table *t, uint32_t pc)
{
	uint32_t low = 0, high = t->n;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (t->rows[mid].pc <= pc)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? t->rows[low - 1].rule : DT_UNWIND_NONE;
}

/* ---- build id ---- */

/* In the notes at OFF: a name and a description, each padded to 4 bytes (elf(5), Nhdr). */
static bool find_id(const uint8_t *p, size_t len, uint8_t id[UNWIND_ID])
{
	while (len >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr n;
		size_t name, desc;

		memcpy(&n, p, sizeof(n));
		name = ((size_t)n.n_namesz + 3) & ~3ull;
		desc = ((size_t)n.n_descsz + 3) & ~3ull;
		if (name > len - sizeof(n) || desc > len - sizeof(n) - name)
			return false;
		p += sizeof(n);
		if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == 4 && !memcmp(p, "GNU", 4) &&
			n.n_descsz) {
			memset(id, 0, UNWIND_ID);
			memcpy(id, p + name, n.n_descsz < UNWIND_ID ? n.n_descsz : UNWIND_ID);
			return true;
		}
		p += name + desc;
		len -= sizeof(n) + name + desc;
	}
	return false;
}

bool unwind_build_id(int fd, uint8_t id[UNWIND_ID])
{
	struct elf e = {.src.fd = fd};
	bool found = false;
	uint8_t notes[1024];

	if (!read_headers(&e))
		for (size_t i = 0; i < e.nph && !found; i++) {
			const Elf64_Phdr *ph = &e.ph[i];
			size_t len = ph->p_filesz < sizeof(notes) ? ph->p_filesz : sizeof(notes);

			if (ph->p_type == PT_NOTE && read_at(&e.src, ph->p_offset, notes, len))
				found = find_id(notes, len, id);
		}
	free(e.ph);
	return found;
}
