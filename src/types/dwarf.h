/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dwarf: the types of a user program, from the debug information of one ELF file.
 *
 * Reads DWARF 2 to 5 with libdw: in the file or its separate debug file (elf/debugfile.h), and in
 * the files that these refer to (.gnu_debugaltlink, .dwo).  A look-up reads the compilation units
 * that it needs, a struct's members are read when they are first looked at.
 *
 * Its types are in the same table as others and are never mixed up with the kernel's of the same
 * name.  They live as long as the table, but parts that were not read before the file is closed
 * stay unread.  Pointers are to user memory (struct type.is_user); C++ references are pointers. The
 * bytes are not trusted: DIEs that make no sense are left out.
 */
#ifndef TYPES_DWARF_H
#define TYPES_DWARF_H

#include "types/types.h"

struct dwarf_file; /* the debug information of one ELF file */

/*
 * FD is borrowed.  PATH is where the file is, for the files next to it; one below /proc/PID/root is
 * looked up in that process's file system.  NULL and *ERR: -ENODATA no debug information, -ENOEXEC
 * no ELF, -ENOTSUP not for x86-64, -ENOMEM, -EIO unreadable.
 */
struct dwarf_file *dwarf_file_open(struct types *types, int fd, const char *path, int *err);
void dwarf_file_close(struct dwarf_file *f); /* NULL: nothing */

/*
 * Returns what is missing, such as a .dwo file, as a sentence without a full stop; NULL: nothing so
 * far.  Alive as long as the file is open.
 */
const char *dwarf_file_missing(const struct dwarf_file *f);

/*
 * Returns the type of a function, a TYPE_FUNC with its plain name, or NULL.  By VADDR, the address
 * that the file gives its entry, when that is not 0; NAME chooses between several there.  Where no
 * function begins there, or VADDR is 0, by NAME: the linkage ("_ZN2ns1fEi"), plain ("f") or
 * qualified name ("ns::f"); with a VADDR only of a global function, whose declarations count too,
 * so that a program knows what its libraries' functions take.
 */
const struct type *dwarf_function(struct dwarf_file *f, const char *name, uint64_t vaddr);

/* A type with a name; those in C++ namespaces and classes with ("ns::list") and without them. */
const struct type *dwarf_type(struct dwarf_file *f, enum type_space space, const char *name);

/*
 * Returns the type of a variable outside of functions, by linkage, plain or qualified name; or
 * NULL.  The address that the file gives it, when that is not 0, tells static ones of one name
 * apart.
 */
const struct type *dwarf_variable(struct dwarf_file *f, const char *name);
const struct type *dwarf_variable_at(struct dwarf_file *f, const char *name, uint64_t vaddr);

/*
 * Returns the slot of parameter I of FUNC by the System V x86-64 ABI (psABI 3.2.3): 0-5 = the
 * integer register rdi, rsi, rdx, rcx, r8 or r9, 6 and on = a word of the stack, where 6 is the one
 * above the return address on entry.  A struct of at most eight bytes can be in one too.  A C++
 * object that is passed by the address of a copy has the slot of that address:
 * dwarf_abi_by_address(). The bits of a register beyond the type's size are undefined.
 */
enum dwarf_abi {
	DWARF_ABI_FLOAT = -1,  /* in vector registers, or on the stack for want of these */
	DWARF_ABI_PIECES = -2, /* a struct or __int128 in two registers */
	DWARF_ABI_MEMORY = -3, /* by value on the stack, more than a word (or a long double) */
	DWARF_ABI_NONE = -4,   /* nowhere: an empty class, or there is no such parameter */
};
int dwarf_abi_slot(const struct type *func, unsigned i);

/* True if the slot of a value of TYPE has its address (Itanium C++ ABI 3.1.2.3). */
bool dwarf_abi_by_address(const struct type *type);

#endif
