/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dwarf: opens the DWARF of an ELF file with libdw, wherever it is (elf/debugfile.h).
 *
 * libdw maps the files that it opens itself, and reading a mapped file that another process has
 * truncated raises SIGBUS.  So this module opens all of them: the file, its separate debug file and
 * the file that dwz made are read into memory, in whole sections, when they are opened.  Only libdw
 * can open a .dwo file; it is given a copy (elf/split.h).
 */
#ifndef ELF_DWARF_H
#define ELF_DWARF_H

#include <elfutils/libdw.h>

#include "base/intmap.h"
#include "elf/split.h"

struct elf_file;
struct elf_place;

/*
 * The purpose of reading DWARF; sections without use for it are left out, to save time and memory.
 */
enum elf_dwarf_use {
	ELF_DWARF_TYPES,
	ELF_DWARF_LINES,
};

/*
 * libelf's descriptions of the bytes of a section.  libdw asks elf_getdata(3); that of
 * elfutils 0.192, elf_rawdata(3). Who changes one of them for libdw changes all.
 */
struct elf_dwarf_data {
	Elf_Data *of[2];
	unsigned n; /* of the same bytes; at least one */
};

/* Gets that of SCN, as long as its file is open; false: it has no bytes. */
bool elf_dwarf_data(Elf_Scn *scn, struct elf_dwarf_data *out);

/* DWARF of one file, open. */
struct elf_dwarf_part {
	int fd; /* -1: not open */
	Elf *elf;
	Dwarf *dbg;
};

struct elf_dwarf {
	struct elf_dwarf_part main;
	struct elf_dwarf_part
		alt; /* what .gnu_debugaltlink names; dbg NULL or without units: none */
	/* the name in .gnu_debugaltlink of a file that was not found, or NULL; lives as MAIN */
	const char *missing;
	struct elf_split split;
	struct intmap own; /* the Elf of each .dwo file whose bytes are ours */
};

/*
 * Opens the DWARF of F, which is at AT and may be closed afterwards.  0 and D is to be closed;
 * -ENODATA: there is none; -EIO: libelf or libdw cannot read it; -EFBIG: it is larger than
 * ELF_DWARF_MOST, or its units would take more than UNITS_MOST (elf/units.h); -ENOMEM.
 */
int elf_dwarf_open(struct elf_dwarf *d, const struct elf_file *f, const struct elf_place *at,
	enum elf_dwarf_use use);

/* Closes D, which may be all zero, with all DIEs of it. */
void elf_dwarf_close(struct elf_dwarf *d);

/*
 * Finds the unit that skeleton UNIT stands for (DWARF 5, 3.1.2), in a .dwo file below the root of
 * the file's process.  -ENOENT: it is not there; -EINVAL: what has its name is no plain file;
 * -EFBIG: it is too large, or all of them are.
 */
int elf_dwarf_split(struct elf_dwarf *d, Dwarf_Die *unit, Dwarf_Die *split);

/* Returns the name of the .dwo file of UNIT, or NULL.  libdw has no longer got it. */
const char *elf_dwarf_split_name(const struct elf_dwarf *d, Dwarf_Die *unit);

/*
 * As dwarf_formstring(3), but NULL for a string that begins where its unit ends: libdw 0.188
 * returns that of a damaged file.  Its file must live on.
 */
const char *elf_dwarf_string(Dwarf_Attribute *attr);
/* As dwarf_diename(3), in the same way. */
const char *elf_dwarf_name(Dwarf_Die *die);

#endif
