// SPDX-License-Identifier: Apache-2.0
/* Opens the DWARF of an ELF file with libdw without leaving a file mapped. */
#define _GNU_SOURCE /* memfd_create() */
#include "elf/dwarf.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/transfer.h"
#include "elf/bounds.h"
#include "elf/debugfile.h"
#include "elf/file.h"

#define MAX_OWN (1u << 30) /* bytes of a .dwo or .dwp file: others are not read */

/* ---- one file ---- */

static void part_close(struct elf_dwarf_part *p)
{
	if (p->dbg)
		dwarf_end(p->dbg);
	if (p->elf)
		elf_end(p->elf);
	if (p->fd >= 0)
		close(p->fd);
	*p = (struct elf_dwarf_part){.fd = -1};
}

static bool is_unused(const char *name, enum elf_dwarf_use use)
{
	static const char *const names[] = {".debug_loc", ".debug_loclists", ".debug_frame",
		".debug_macro", ".debug_macinfo", ".debug_pubnames", ".zdebug_loc", ".zdebug_frame",
		".zdebug_macro", ".zdebug_macinfo", ".zdebug_pubnames"};

	if (use == ELF_DWARF_TYPES &&
		(!strcmp(name, ".debug_line") || !strcmp(name, ".zdebug_line")))
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* Returns the section after SCN, NULL = before the first, that has a *NAME, with its header in *SH.
 */
static Elf_Scn *next_named(Elf *elf, Elf_Scn *scn, GElf_Shdr *sh, const char **name)
{
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		*name = gelf_getshdr(scn, sh) ? elf_strptr(elf, strings, sh->sh_name) : NULL;
		if (*name)
			return scn;
	}
	return NULL;
}

/*
 * libdw reads and decompresses all debug sections when it opens a file.  Unused ones, often more
 * than half of the bytes, are hidden from it: our copy of the section headers gives them no bytes.
 */
static void hide_sections(Elf *elf, enum elf_dwarf_use use)
{
	Elf_Scn *scn = NULL;
	const char *name;
	GElf_Shdr sh;

	while ((scn = next_named(elf, scn, &sh, &name)))
		if (is_unused(name, use)) {
			sh.sh_type = SHT_NOBITS;
			gelf_update_shdr(scn, &sh);
		}
}

static bool has_strings(const char *name)
{
	static const char *const names[] = {".debug_info", ".debug_types", ".debug_str",
		".debug_line_str", ".debug_info.dwo", ".debug_types.dwo", ".debug_str.dwo",
		".debug_line_str.dwo", ".zdebug_info", ".zdebug_types", ".zdebug_str"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* dwarf_getattrs()'s */
static int note_form(Dwarf_Attribute *attr, void *arg)
{
	*(unsigned *)arg = dwarf_whatform(attr);
	return DWARF_CB_OK;
}

/*
 * True if the last byte of .debug_info is 0 unless the file is damaged: it ends the children of
 * the last unit, or a string.  A unit without children, such as the skeleton of a split one, can
 * end in any other attribute.
 */
static bool info_ends_in_zero(Dwarf *dbg)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, last;
	bool any = false;
	unsigned form = 0;

	while (!dwarf_get_units(dbg, cu, &cu, NULL, NULL, &die, NULL)) {
		last = die;
		any = true;
	}
	if (!any || dwarf_haschildren(&last))
		return any;
	return dwarf_getattrs(&last, note_form, &form, 0) >= 0 && form == DW_FORM_string;
}

/*
 * Ends the last unit of INFO, a section with units in memory of our own, where the section ends.
 * The length that it states can be larger in a damaged file, and libdw 0.188 returns it unseen in
 * dwarf_next_unit().  A unit begins with its length, of 4 bytes, or of 8 after 4 of 0xff
 * (DWARF 5, 7.4).
 */
static void end_units(Elf_Data *info)
{
	char *at = info->d_buf, *end = at + info->d_size;

	/* what is shorter has no room for a header */
	while (end - at >= 12) {
		uint64_t len = 0;
		size_t width = sizeof(uint32_t);

		memcpy(&len, at, width);
		if (len == UINT32_MAX) {
			at += width;
			width = sizeof(uint64_t);
			memcpy(&len, at, width);
		}
		at += width;
		if (len > (uint64_t)(end - at)) {
			len = (uint64_t)(end - at);
			memcpy(at - width, &len, width);
		}
		at += len;
	}
}

/*
 * libdw (elfutils 0.188) returns strings that have no end, or that are after the section, of files
 * that are damaged.  Ends the last string and the last unit of each section of ELF, whose bytes are
 * in memory of our own.
 */
static void end_sections(Elf *elf, Dwarf *dbg)
{
	bool units = info_ends_in_zero(dbg);
	const char *ident = elf_getident(elf, NULL), *name;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = next_named(elf, scn, &sh, &name))) {
		Elf_Data *data = has_strings(name) ? elf_getdata(scn, NULL) : NULL;
		bool in_units = !strstr(name, "_str");

		if (!data || !data->d_buf || !data->d_size)
			continue;
		if (in_units && ident && ident[EI_DATA] == ELFDATA2LSB)
			end_units(data);
		if (in_units && !units)
			continue;
		((char *)data->d_buf)[data->d_size - 1] = '\0';
		if (strstr(name, "debug_str"))
			data->d_size--; /* a DW_FORM_strx may refer to what is after the section */
	}
}

static bool has_units(Dwarf *dbg)
{
	Dwarf_CU *cu = NULL;

	return dwarf_get_units(dbg, NULL, &cu, NULL, NULL, NULL, NULL) == 0;
}

/* Opens FD, which belongs to P from here on. 0, -EIO, -EFBIG, or -ENODATA. */
static int part_open(struct elf_dwarf_part *p, int fd, enum elf_dwarf_use use)
{
	int err = 0;

	*p = (struct elf_dwarf_part){.fd = fd};
	elf_version(EV_CURRENT);
	/* without MMAP: see elf/dwarf.h */
	p->elf = fd >= 0 ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
	if (p->elf && !elf_bounds_hold(p->elf)) {
		err = -EFBIG;
	} else if (p->elf) {
		hide_sections(p->elf, use);
		if (!elf_bounds_hold_dwarf(p->elf)) {
			part_close(p);
			return -EFBIG;
		}
		p->dbg = dwarf_begin_elf(p->elf, DWARF_C_READ, NULL);
		if (!p->dbg || !has_units(p->dbg))
			err = -ENODATA;
		else
			end_sections(p->elf, p->dbg);
	} else {
		err = -EIO;
	}
	if (err)
		part_close(p);
	return err;
}

/* ---- strings ---- */

/* Returns where the bytes of unit CU end; NULL: unknown. */
static const char *unit_end(Dwarf_CU *cu)
{
	Dwarf_Off off, next;
	Dwarf_Half version;
	uint64_t type = 0;
	Dwarf_Die die;

	if (!dwarf_cu_die(cu, &die, &version, NULL, NULL, NULL, &type, NULL))
		return NULL;
	off = dwarf_dieoffset(&die) - dwarf_cuoffset(&die);
	/* with room for a type's number it is about .debug_types, which DWARF 5 does not have */
	if (dwarf_next_unit(dwarf_cu_getdwarf(cu), off, &next, NULL, NULL, NULL, NULL, NULL,
		    version == 4 && type ? &type : NULL, NULL))
		return NULL;
	return (const char *)die.addr - dwarf_cuoffset(&die) + (next - off);
}

const char *elf_dwarf_string(Dwarf_Attribute *attr)
{
	const char *s = dwarf_formstring(attr), *end;

	if (!s || dwarf_whatform(attr) != DW_FORM_string)
		return s;
	end = unit_end(attr->cu);
	return end && s >= end ? NULL : s;
}

const char *elf_dwarf_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_name, &attr) ? elf_dwarf_string(&attr) : NULL;
}

/* ---- the file that dwz made ---- */

/* An ELF file whose .debug_info has no unit. */
static const struct empty_file {
	Elf64_Ehdr eh;
	Elf64_Shdr sh[3];
	char names[32];
	uint64_t info;
} empty_file = {
	.eh =
		{
			.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				EV_CURRENT},
			.e_type = ET_DYN,
			.e_machine = EM_X86_64,
			.e_version = EV_CURRENT,
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_shoff = offsetof(struct empty_file, sh),
			.e_shentsize = sizeof(Elf64_Shdr),
			.e_shnum = 3,
			.e_shstrndx = 1,
		},
	.sh = {{0},
		{
			.sh_name = 1,
			.sh_type = SHT_STRTAB,
			.sh_offset = offsetof(struct empty_file, names),
			.sh_size = 32,
			.sh_addralign = 1,
		},
		{
			.sh_name = 11,
			.sh_type = SHT_PROGBITS,
			.sh_offset = offsetof(struct empty_file, info),
			.sh_size = sizeof(uint64_t),
			.sh_addralign = 8,
		}},
	.names = "\0.shstrtab\0.debug_info",
};

/* Given an alternate file, even an empty one, libdw does not look for it, and map it, by itself. */
static void set_empty_alt(struct elf_dwarf *d)
{
	struct elf_dwarf_part *alt = &d->alt;

	alt->elf = elf_memory((char *)&empty_file, sizeof(empty_file));
	alt->dbg = alt->elf ? dwarf_begin_elf(alt->elf, DWARF_C_READ, NULL) : NULL;
	if (alt->dbg)
		dwarf_setalt(d->main.dbg, alt->dbg);
}

static void open_alt(struct elf_dwarf *d, const struct elf_place *at, enum elf_dwarf_use use)
{
	const char *name = NULL;
	const void *id;
	ssize_t len = dwelf_dwarf_gnu_debugaltlink(d->main.dbg, &name, &id);
	int fd;

	if (len <= 0 || !name)
		return;
	fd = elf_debug_open_alt(d->main.fd, at->root, name, id, (size_t)len);
	if (fd >= 0 && !part_open(&d->alt, fd, use)) {
		dwarf_setalt(d->main.dbg, d->alt.dbg);
		return;
	}
	d->missing = name;
	set_empty_alt(d);
}

/* ---- .dwo files ---- */

/*
 * Returns the whole of the file that ELF has mapped and its LEN; NULL when it is none, as libelf
 * has read it instead.  Its section at SCN is in the mapping only then.
 */
static char *mapping_of(Elf *elf, size_t *len)
{
	Elf_Scn *scn = elf_nextscn(elf, NULL);
	Elf_Data *data = NULL;
	GElf_Shdr sh;
	char *base;

	for (; scn; scn = elf_nextscn(elf, scn)) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS || !sh.sh_size)
			continue;
		data = elf_rawdata(scn, NULL);
		if (data && data->d_buf)
			break;
	}
	if (!scn)
		return NULL;
	base = elf_rawfile(
		elf, len); /* reads a file that is not mapped, so it comes after elf_rawdata() */
	if (!base || (uintptr_t)base % (uintptr_t)sysconf(_SC_PAGESIZE) ||
		(char *)data->d_buf != base + sh.sh_offset)
		return NULL;
	return base;
}

/*
 * Replaces the LEN bytes at BASE, where a file is mapped, by a copy.  The kernel makes it: where
 * the file has become shorter, write() fails, and the rest of the copy is 0.  False: nothing was
 * replaced.
 */
static bool copy_in_place(char *base, size_t len)
{
	int fd = memfd_create("dwo", MFD_CLOEXEC);
	bool done;

	if (fd < 0)
		return false;
	(void)transfer_write(fd, base, len);
	done = !ftruncate(fd, (off_t)len) &&
		mmap(base, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd, 0) == base;
	close(fd);
	return done;
}

/* Moves the bytes of the .dwo file of SPLIT to memory of our own, at the same addresses. */
static void own(struct elf_dwarf *d, Dwarf_Die *split)
{
	Dwarf *dbg = dwarf_cu_getdwarf(split->cu);
	Elf *elf = dbg && dbg != d->main.dbg && dbg != d->alt.dbg ? dwarf_getelf(dbg) : NULL;
	char *base;
	size_t len;

	if (!elf || intmap_find(&d->own, (uintptr_t)elf) || intmap_put(&d->own, (uintptr_t)elf, 0))
		return;
	base = mapping_of(elf, &len);
	if (base && len <= MAX_OWN && copy_in_place(base, len))
		end_sections(elf, dbg);
}

static const char *string_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute a;

	return dwarf_attr(die, name, &a) ? elf_dwarf_string(&a) : NULL;
}

/*
 * True if PATH, which is relative to FOLDER and to DIR below that, is there and no plain file, or
 * one that would have to stay mapped.
 */
static bool is_special(const char *folder, const char *dir, const char *path)
{
	char at[2 * PATH_MAX];
	struct stat st;

	if (*path == '/')
		folder = dir = "";
	else if (*dir == '/')
		folder = "";
	if (snprintf(at, sizeof(at), "%s%s%s%s", folder, dir, *dir ? "/" : "", path) >=
		(int)sizeof(at))
		return true;
	return !stat(at, &st) && (!S_ISREG(st.st_mode) || st.st_size > (off_t)MAX_OWN);
}

/*
 * True if libdw would open something for skeleton UNIT that is no plain file, and might wait for a
 * FIFO's writer.  It looks in the folder of the file, then in that of the compilation.
 */
static bool is_trap(const struct elf_dwarf *d, Dwarf_Die *unit)
{
	const char *name = string_of(unit, DW_AT_dwo_name);
	const char *dir = string_of(unit, DW_AT_comp_dir);
	char folder[PATH_MAX];

	if (!name)
		name = string_of(unit, DW_AT_GNU_dwo_name);
	if (!name)
		return false;
	if (!elf_debug_folder(d->main.fd, folder, sizeof(folder)))
		*folder = '\0';
	return is_special(folder, "", name) || is_special(folder, dir ? dir : "", name);
}

int elf_dwarf_split(struct elf_dwarf *d, Dwarf_Die *unit, Dwarf_Die *split)
{
	uint8_t type = 0;

	*split = (Dwarf_Die){0};
	if (is_trap(d, unit))
		return -EINVAL;
	if (dwarf_cu_info(unit->cu, NULL, &type, NULL, split, NULL, NULL, NULL) || !split->addr)
		return -ENOENT;
	own(d, split);
	return 0;
}

/* ---- the whole ---- */

int elf_dwarf_open(struct elf_dwarf *d, const struct elf_file *f, const struct elf_place *at,
	enum elf_dwarf_use use)
{
	int err = -ENODATA, fd;

	*d = (struct elf_dwarf){.main.fd = -1, .alt.fd = -1};
	if (elf_debug_has(f, ELF_DEBUG_DWARF))
		err = part_open(&d->main, fcntl(f->fd, F_DUPFD_CLOEXEC, 0), use);
	if (err == -ENODATA) {
		fd = elf_debug_open(f, at, ELF_DEBUG_DWARF);
		if (fd >= 0)
			err = part_open(&d->main, fd, use);
	}
	if (!err)
		open_alt(d, at, use);
	return err;
}

void elf_dwarf_close(struct elf_dwarf *d)
{
	if (!d->main.dbg)
		return;
	part_close(&d->main);
	part_close(&d->alt);
	intmap_free(&d->own);
	*d = (struct elf_dwarf){.main.fd = -1, .alt.fd = -1};
}
