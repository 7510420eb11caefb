/* SPDX-License-Identifier: Apache-2.0 */
/*
 * units: what libdw would allocate for the units of a file, and for their lines.
 *
 * libdw keeps half a kilobyte and more for a unit, which takes 12 bytes of a file, and reads the
 * abbreviations for each unit anew, so units that share a table multiply it.  A row of a line table
 * takes a byte of a file and a hundred in memory.  So a small file of somebody else can fill our
 * memory.  These functions add up, before libdw reads, and allocate nothing that a file states.
 */
#ifndef ELF_UNITS_H
#define ELF_UNITS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* Bytes that libdw may allocate for the units and abbreviations of a file. */
#define UNITS_MOST (1ull << 30)

/*
 * True if libdw may be asked for the units of ELF, whose sections dwarf_begin_elf() has unpacked:
 * they take at most UNITS_MOST, and the file has our byte order.
 */
bool units_hold(Elf *elf);

/*
 * Returns the most rows that the line table at OFFSET of .debug_line can have, or of
 * .debug_line.dwo if SPLIT; 0: there is no such table, or it is damaged.  Counting ends after MOST.
 */
uint64_t units_line_rows(Elf *elf, bool split, uint64_t offset, uint64_t most);

#endif
