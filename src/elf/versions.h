/* SPDX-License-Identifier: Apache-2.0 */
/* versions: the versions of the dynamic symbols that an ELF file defines. */
#ifndef ELF_VERSIONS_H
#define ELF_VERSIONS_H

struct elf_file;
struct elf_symbols;

/*
 * Names the symbols of T, F's .dynsym, as linkers name them in .symtab: those of a version that new
 * programs don't get are called NAME@VERSION.  The default version keeps the plain NAME.  (Linux
 * Standard Base Core, "Symbol Versioning".)  Files without versions, or with broken ones, keep
 * their names.  0; -ENOMEM.
 */
int elf_versions_apply(const struct elf_file *f, struct elf_symbols *t);

#endif
