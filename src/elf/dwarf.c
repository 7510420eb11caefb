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

#include "base/interrupt.h"
#include "elf/bounds.h"
#include "elf/debugfile.h"
#include "elf/file.h"
#include "elf/units.h"

#define ARANGES_MOST (64u << 20) /* bytes of .debug_aranges */

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

/* libdw allocates five times the bytes; without it, we look at the ranges of the units. */
static bool is_too_much(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, const char *name)
{
	const char *kind = elf_bounds_debug_name(name, false);

	return kind && !strcmp(kind, "aranges") &&
		elf_bounds_unpacked(elf, scn, sh, name) > ARANGES_MOST;
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
		if (is_unused(name, use) || is_too_much(elf, scn, &sh, name)) {
			sh.sh_type = SHT_NOBITS;
			gelf_update_shdr(scn, &sh);
		}
}

/*
 * Reads the sections that libdw reads, and has libelf forget the descriptor: with it, libdw looks
 * for more files next to this one (PROGRAM.dwp).
 */
static void read_sections(Elf *elf)
{
	Elf_Scn *scn = NULL;
	const char *name;
	GElf_Shdr sh;

	while ((scn = next_named(elf, scn, &sh, &name)))
		if (!strncmp(name, ".debug_", 7) || !strncmp(name, ".zdebug_", 8) ||
			!strcmp(name, ".gnu_debugaltlink"))
			elf_rawdata(scn, NULL);
	elf_cntl(elf, ELF_C_FDDONE);
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

/* Notes the form of the attribute; of several the last. */
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
	const unsigned requests = interrupt_count();
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, last;
	bool any = false;
	unsigned form = 0;

	while (interrupt_count() == requests &&
		!dwarf_get_units(dbg, cu, &cu, NULL, NULL, &die, NULL)) {
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

bool elf_dwarf_data(Elf_Scn *scn, struct elf_dwarf_data *out)
{
	Elf_Data *data = elf_getdata(scn, NULL), *raw = elf_rawdata(scn, NULL);

	out->n = 0;
	if (!data || !data->d_buf || !data->d_size)
		return false;
	out->of[out->n++] = data;
	if (raw && raw != data && raw->d_buf == data->d_buf && raw->d_size == data->d_size)
		out->of[out->n++] = raw;
	return true;
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
		bool in_units = !strstr(name, "_str");
		struct elf_dwarf_data data;

		if (!has_strings(name) || !elf_dwarf_data(scn, &data))
			continue;
		if (in_units && ident && ident[EI_DATA] == ELFDATA2LSB)
			end_units(data.of[0]);
		if (in_units && !units)
			continue;
		((char *)data.of[0]->d_buf)[data.of[0]->d_size - 1] = '\0';
		/* a DW_FORM_strx may refer to what is after the section */
		for (unsigned i = 0; strstr(name, "debug_str") && i < data.n; i++)
			data.of[i]->d_size--;
	}
}

static bool has_units(Dwarf *dbg)
{
	Dwarf_CU *cu = NULL;

	return dwarf_get_units(dbg, NULL, &cu, NULL, NULL, NULL, NULL) == 0;
}

/*
 * Opens FD, which belongs to P from here on. 0, -EIO, -EFBIG, or -ENODATA; -EIO too if a request to
 * end came meanwhile.
 */
static int part_open(struct elf_dwarf_part *p, int fd, enum elf_dwarf_use use)
{
	const unsigned requests = interrupt_count();
	int err = 0;

	*p = (struct elf_dwarf_part){.fd = fd};
	elf_version(EV_CURRENT);
	/* without MMAP: see elf/dwarf.h */
	p->elf = fd >= 0 ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
	if (p->elf && !elf_bounds_hold(p->elf)) {
		err = -EFBIG;
	} else if (p->elf) {
		hide_sections(p->elf, use);
		if (!elf_bounds_hold_dwarf(p->elf, &(uint64_t){ELF_DWARF_MOST})) {
			part_close(p);
			return -EFBIG;
		}
		read_sections(p->elf);
		p->dbg = dwarf_begin_elf(p->elf, DWARF_C_READ, NULL);
		if (p->dbg && !units_hold(p->elf))
			err = -EFBIG;
		else if (!p->dbg || !has_units(p->dbg))
			err = -ENODATA;
		else
			end_sections(p->elf, p->dbg);
	} else {
		err = -EIO;
	}
	if (!err && interrupt_count() != requests)
		err = -EIO;
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

static void open_alt(struct elf_dwarf *d, const struct elf_place *at, enum elf_dwarf_use use)
{
	const char *name = NULL;
	const void *id;
	ssize_t len = dwelf_dwarf_gnu_debugaltlink(d->main.dbg, &name, &id);
	int fd;

	if (len <= 0 || !name)
		return;
	fd = elf_debug_open_alt(d->main.fd, at->root, name, id, (size_t)len);
	if (fd < 0 || part_open(&d->alt, fd, use))
		d->missing = name;
}

/*
 * Opens what .gnu_debugaltlink names.  Given an alternate file, even an empty one, libdw does not
 * look for it, and map it, by itself; nor for that of the alternate file.
 */
static void set_alt(struct elf_dwarf *d, const struct elf_place *at, enum elf_dwarf_use use)
{
	open_alt(d, at, use);
	if (d->alt.dbg)
		dwarf_setalt(d->alt.dbg, split_no_alt(&d->split));
	dwarf_setalt(d->main.dbg, d->alt.dbg ? d->alt.dbg : split_no_alt(&d->split));
}

/* ---- .dwo files ---- */

/*
 * Makes the bytes of the .dwo file of SPLIT, a mapping of a copy (elf/split.h), fit for libdw.
 * False: they cannot be.
 */
static bool own(struct elf_dwarf *d, Dwarf_Die *split)
{
	Dwarf *dbg = dwarf_cu_getdwarf(split->cu);
	Elf *elf = dbg ? dwarf_getelf(dbg) : NULL;
	size_t len, page = (size_t)sysconf(_SC_PAGESIZE);
	char *base;

	if (!elf || dbg == d->main.dbg || dbg == d->alt.dbg)
		return false;
	if (intmap_find(&d->own, (uintptr_t)elf))
		return true;
	base = elf_rawfile(elf, &len);
	/* libelf has mapped it to be read only; or it has read it, and mprotect() changes nothing
	 */
	if (!base || ((uintptr_t)base % page == 0 && mprotect(base, len, PROT_READ | PROT_WRITE)))
		return false;
	end_sections(elf, dbg);
	dwarf_setalt(dbg, split_no_alt(&d->split));
	return split_hide(dbg) && !intmap_put(&d->own, (uintptr_t)elf, 0);
}

int elf_dwarf_split(struct elf_dwarf *d, Dwarf_Die *unit, Dwarf_Die *split)
{
	int r = split_find(&d->split, d->main.dbg, unit, split);

	return r || own(d, split) ? r : -ENOENT;
}

const char *elf_dwarf_split_name(const struct elf_dwarf *d, Dwarf_Die *unit)
{
	return split_name(&d->split, unit);
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
	if (err)
		return err;
	set_alt(d, at, use);
	if (!split_begin(&d->split, d->main.dbg, d->main.fd, at) ||
		(d->alt.dbg && !split_hide(d->alt.dbg))) {
		elf_dwarf_close(d);
		return -EIO;
	}
	return 0;
}

void elf_dwarf_close(struct elf_dwarf *d)
{
	if (!d->main.dbg)
		return;
	part_close(&d->main);
	part_close(&d->alt);
	intmap_free(&d->own);
	split_end(&d->split);
	*d = (struct elf_dwarf){.main.fd = -1, .alt.fd = -1};
}
