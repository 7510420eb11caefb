/* SPDX-License-Identifier: Apache-2.0 */
/*
 * elf: the names of the addresses of one ELF file.
 *
 * Takes symbols from the file and its separate debug file (elf/file.h, elf/debugfile.h).  Knows
 * nothing of processes.  Names live until elfsyms_free().
 */
#ifndef SYM_ELF_H
#define SYM_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elfsyms;

/*
 * Returns the symbols of FD, which may be closed afterwards.  ROOT is the root folder of the
 * process that has the file, "/proc/PID/root"; NULL: ours.  NULL when the file is not ELF or memory
 * ran out.
 */
struct elfsyms *elfsyms_load(int fd, const char *root);
/* The same of a file whose place is known (elf/debugfile.h). */
struct elf_place;
struct elfsyms *elfsyms_load_at(int fd, const struct elf_place *at);

/* Returns the symbols of the vDSO, from its image in this process; *SIZE is its length in bytes. */
struct elfsyms *elfsyms_load_vdso(size_t *size);
void elfsyms_free(struct elfsyms *e);

/*
 * Converts file offset OFF to a virtual address.  PROT (PROT_*) is the mapping's, to tell segments
 * that share a page; BSS asks for what follows the file's part of a segment.
 */
bool elfsyms_vaddr(const struct elfsyms *e, uint64_t off, int prot, bool bss, uint64_t *vaddr);

/*
 * Return the address of the page where the file's first segment starts, and the end of the last
 * one.
 */
uint64_t elfsyms_start(const struct elfsyms *e);
uint64_t elfsyms_end(const struct elfsyms *e);

/*
 * Returns the symbol around VADDR, which begins at *START; NULL: none.  *SIZED: the file gives the
 * symbol a size that covers VADDR.
 */
const char *elfsyms_find(const struct elfsyms *e, uint64_t vaddr, uint64_t *start, bool *sized);

#endif
