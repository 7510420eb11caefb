/* SPDX-License-Identifier: Apache-2.0 */
/*
 * debugfile: finds debug information that is kept apart from its ELF file.
 *
 * This is the only finder, and its policy holds for symbols, source lines and types.  It looks for
 * a separate debug file in this order (GDB's manual, "Separate Debug Files"):
 *
 *   1. by build id: ROOT/usr/lib/debug/.build-id/NN/NNNN.debug
 *   2. the same without ROOT: packages of debug symbols are usually installed outside containers
 *   3. by the name in .gnu_debuglink: ROOT/DIR/NAME, ROOT/DIR/.debug/NAME and
 *      ROOT/usr/lib/debug/DIR/NAME
 *
 * ROOT is the root folder of the process that uses the file.  DIR is the file's folder: as its
 * descriptor shows it, then as its path does.  A candidate is accepted if it is another regular ELF
 * file, has the build id of the file (or, if the file has none, the CRC-32 in .gnu_debuglink), and
 * contains the part that the caller needs.  A NAME with a slash is ignored.
 *
 * The DWARF that dwz moved to a shared file (.gnu_debugaltlink; DWARF 5, 7.3.6 "DWARF Supplementary
 * Object Files") is looked for by its name, below ROOT and then without it, a relative name in the
 * folder of the debug file, and then by build id as in 1 and 2.  Its build id must match.
 *
 * MiniDebugInfo (GDB's manual) is an ELF file in section .gnu_debugdata, compressed with xz.
 *
 * Nothing is fetched over the network (debuginfod).  Names and files of a process may be anything:
 * they are searched below its root only (base/rooted.h), nothing but a regular file is opened, and
 * of one that only its checksum identifies a bounded number of bytes is read.
 */
#ifndef ELF_DEBUGFILE_H
#define ELF_DEBUGFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct elf_file;
struct looker;

/* The place of a file. */
struct elf_place {
	const char *root;	 /* of its process, "/proc/PID/root"; NULL or "": ours */
	const char *path;	 /* below ROOT; NULL: only its descriptor tells */
	pid_t pid;		 /* whose root ROOT is, if BY is set */
	const struct looker *by; /* opens what we may not (confine/looker.h); NULL: nobody does */
	/* bytes that may be read for checksums, which are counted off; NULL: a limit for each file
	 */
	uint64_t *check_left;
};

/* The part that a separate debug file must have. */
enum elf_debug_part {
	ELF_DEBUG_SYMBOLS, /* .symtab */
	ELF_DEBUG_DWARF,   /* .debug_info */
};

/* True if F itself contains PART. */
bool elf_debug_has(const struct elf_file *f, enum elf_debug_part part);

/* Returns a descriptor of the separate debug file of F, for the caller to close; or -1. */
int elf_debug_open(const struct elf_file *f, const struct elf_place *at, enum elf_debug_part part);

/*
 * Returns a descriptor of the file that .gnu_debugaltlink of DEBUG_FD refers to by NAME and build
 * id ID of LEN bytes, for the caller to close; or -1.
 */
int elf_debug_open_alt(
	int debug_fd, const char *root, const char *name, const void *id, size_t len);

/* Finds the folder, with a slash at its end, of the file open as FD; false if it has none. */
bool elf_debug_folder(int fd, char *dir, size_t size);

/* Unpacks .gnu_debugdata: 0, and the caller closes D; -ENOENT; -ENOMEM. */
int elf_minidebug_open(const struct elf_file *f, struct elf_file *d);

#endif
