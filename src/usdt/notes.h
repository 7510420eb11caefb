/* SPDX-License-Identifier: Apache-2.0 */
/*
 * notes: reads the USDT probes of an ELF file from its section .note.stapsdt.
 *
 * The format is SystemTap's (its wiki, UserSpaceProbeImplementation): notes of owner "stapsdt" and
 * type 3 whose descriptor is three addresses and three strings.  Checks every size and address in
 * the file.  Knows nothing of processes, nor of the meaning of the argument text (usdt/args.h).
 */
#ifndef USDT_NOTES_H
#define USDT_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SDT_NOTE_OWNER "stapsdt"
#define SDT_NOTE_TYPE  3

/*
 * One site.  Addresses are those of the file (st_value), a prelinker's move undone
 * (.stapsdt.base); offsets are from the file's start, which is what uprobes want.  Strings are
 * borrowed for the call.
 */
struct sdt_note {
	const char *provider, *name, *args; /* "" = no arguments; never NULL */
	uint64_t pc;			    /* of the site's nop */
	uint64_t semaphore;		    /* a 16-bit count of who traces it; 0 = none */
	uint64_t pc_offset;		    /* in an executable segment */
	uint64_t semaphore_offset;	    /* 0 = none */
};

/*
 * Call FN for each note of the program or shared object FD, in the order of the file, until it
 * returns other than 0, which is returned.  A note that is damaged, or whose site is in no
 * executable segment, is left out.  FD's position doesn't matter, and changes.  -ENOEXEC: no ELF
 * file of a program or shared object; -ENOTSUP: not of x86-64; -ENOMEM.
 */
int notes_read(int fd, int (*fn)(void *arg, const struct sdt_note *note), void *arg);

/*
 * Address of symbol NAME (LEN bytes) of file FD into *ADDR, from .symtab and .dynsym; false = it
 * has none.  For the few argument texts that name one.
 */
bool notes_symbol(int fd, const char *name, size_t len, uint64_t *addr);

#endif
