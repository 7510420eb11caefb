/* SPDX-License-Identifier: Apache-2.0 */
/*
 * split: units whose DIEs are in a .dwo file (DWARF 5, 3.1.2 and 7.3.2).
 *
 * libdw finds such a file by the name that the unit's skeleton has, and opens it: a FIFO, a device,
 * whatever has the name, with our rights and below our root.  It does so in more functions than
 * says its documentation.  So the names are taken away from it when a file is opened: each
 * character becomes a slash, which names our root folder, where it finds nothing.  For one call a
 * name is the path of a copy of the file, which we have opened (base/rooted.h), looked at and
 * bounded.
 */
#ifndef ELF_SPLIT_H
#define ELF_SPLIT_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "base/intmap.h"

struct elf_place;

struct elf_split {
	int root; /* of the process whose file it is, O_PATH; negative: ours, or it has ended */
	/* where relative names begin, with a slash at its end: the file's, the program's; or NULL
	 */
	char *folders[2];
	struct intmap files; /* by Dwarf_CU, its .dwo file */
	uint64_t names;	     /* bytes that FILES takes */
	uint64_t left;	     /* bytes of .dwo files that may still be read */
	/* what libdw shall take for the supplementary file of a .dwo file */
	Elf *no_elf;
	Dwarf *none;
	/* .debug_str and .debug_line_str with room after their end, or NULL */
	void *roomy[2];
};

/*
 * Takes the names of .dwo files away from all units of MAIN, which was read from FD, is at AT and
 * is not mapped.  False: there is one that cannot be, and libdw must not be asked about MAIN.
 */
bool split_begin(struct elf_split *s, Dwarf *main, int fd, const struct elf_place *at);

/* Takes them away from another DBG that units of MAIN refer to; its names are never looked up. */
bool split_hide(Dwarf *dbg);

/* Frees S, which may be all zero, after its Dwarf is closed. */
void split_end(struct elf_split *s);

/* Returns an empty Dwarf, which libdw takes for a supplementary file; NULL: no memory. */
Dwarf *split_no_alt(struct elf_split *s);

/* Returns the name of the .dwo file of UNIT, or NULL. */
const char *split_name(const struct elf_split *s, Dwarf_Die *unit);

/*
 * Finds the unit *SPLIT that skeleton UNIT of MAIN stands for, as elf_dwarf_split() does.
 */
int split_find(struct elf_split *s, Dwarf *main, Dwarf_Die *unit, Dwarf_Die *split);

#endif
