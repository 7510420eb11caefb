/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bounds: how much of a file may be read into memory at once.
 *
 * A file of another user may be sparse: terabytes that take no disk.  What is larger than any real
 * program's is not read.
 */
#ifndef ELF_BOUNDS_H
#define ELF_BOUNDS_H

#include <gelf.h>
#include <stdbool.h>

/* Bytes of one section; the largest known, names of symbols of a browser, have a half. */
#define ELF_SECTION_MOST (1ull << 30)

/* Bytes of all debug sections of a file, unpacked. */
#define ELF_DWARF_MOST (4ull << 30)

/*
 * Returns NAME of a debug section without its prefix, ".debug_" or ".zdebug_": "info"; NULL: it is
 * none.  LTO: of the sections that link-time optimization reads, whose names begin with
 * ".gnu.debuglto_", and which libdw takes where there are no others.
 */
const char *elf_bounds_debug_name(const char *name, bool lto);

/*
 * Returns the bytes of section SCN of ELF, which is called NAME and may be compressed
 * (SHF_COMPRESSED, .zdebug_*), packed or unpacked, whichever are more; UINT64_MAX if it must not be
 * unpacked.
 */
uint64_t elf_bounds_unpacked(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, const char *name);

/* True if libelf may be asked for the strings, symbols and notes of ELF, whose sections it reads.
 */
bool elf_bounds_hold(Elf *elf);

/*
 * The same for libdw, which reads all debug sections; those of type SHT_NOBITS do not count.  Their
 * bytes are taken off *LEFT, and false is returned when there are more.
 */
bool elf_bounds_hold_dwarf(Elf *elf, uint64_t *left);

#endif
