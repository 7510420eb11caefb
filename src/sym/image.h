/* SPDX-License-Identifier: Apache-2.0 */
/*
 * image: the functions of one ELF file, for providers that put probes on them.
 *
 * Knows which symbols are functions that can be probed and where their code is in the file;
 * nothing of processes (process.h) or of names of addresses (sym.h).  What it hands out lives until
 * image_free().
 */
#ifndef SYM_IMAGE_H
#define SYM_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct file_image;

/* A function that the program chooses when it starts (STT_GNU_IFUNC). */
struct image_ifunc {
	const char *name;
	uint64_t resolver; /* vaddr of the function that chooses */
};

struct image_func {
	/* as in the file, not demangled; NAME@VERSION is of a version that new programs don't get
	 */
	const char *name;
	const char *source; /* base name of its source file, of a static function; NULL: unknown */
	uint64_t vaddr;	    /* as in the file: of where it is mapped, less the object's bias */
	uint64_t size;	    /* bytes, not 0 */
	bool alias;	    /* another function has the same address, and is the one shown */
};

/*
 * Returns the image of FD, which stays the caller's (a duplicate is kept).  NULL with *ERR:
 * -ENOEXEC not ELF, -ENOTSUP 32-bit or for another machine, -ENOMEM, -EINTR there was a request to
 * end meanwhile (base/interrupt.h), or dup(2)'s.
 */
struct file_image *image_open(int fd, int *err);
/* Does the same for a file that is AT a place: separate debug files are looked for there first. */
struct elf_place;
struct file_image *image_open_at(int fd, const struct elf_place *at, int *err);
void image_free(struct file_image *m);

/*
 * Returns all functions, N of them, by address: defined ones of type STT_FUNC with a size, in
 * executable segments that are not writable.  Of those with one address all are there; that with
 * the name people know (malloc, of __libc_malloc and the like) is not an alias.
 */
const struct image_func *image_funcs(const struct file_image *m, uint32_t *n);

/* Returns the N functions that are chosen when the program starts: bound_to() says which they are.
 */
const struct image_ifunc *image_ifuncs(const struct file_image *m, uint32_t *n);

/*
 * Returns function NAME, or an alias; of several (static ones) the one with the lowest address.
 * NULL: none.
 */
const struct image_func *image_named(const struct file_image *m, const char *name);

/*
 * Calls FN for all functions that NAME means, until it returns other than 0: those that have the
 * name, by address, and the whole copies that compilers made of them (base/clone.h).  Returns what
 * FN returned last; 0: there are none.
 */
int image_each_named(const struct file_image *m, const char *name,
	int (*fn)(void *arg, const struct image_func *f), void *arg);

/* True if no other function has the name of F. */
bool image_is_one(const struct file_image *m, const struct image_func *f);

/* Returns the function that has the address VADDR, with the name people know; NULL: none. */
const struct image_func *image_at(const struct file_image *m, uint64_t vaddr);

/*
 * Calls FN for each part of F, until it returns other than 0: code that compilers moved away from F
 * (base/clone.h), which is a function as well.  Functions of one name may share parts.  Returns
 * what FN returned last; 0: there are none.
 */
int image_each_part(const struct file_image *m, const struct image_func *f,
	int (*fn)(void *arg, const struct image_func *part), void *arg);

/*
 * Returns the demangled name of F, one of image_funcs(), or F's name if it is not mangled.  It is
 * made once: several microseconds.
 */
const char *image_plain_name(struct file_image *m, const struct image_func *f);

/* Finds the file offset of the code at VADDR; false outside the segments described above. */
bool image_offset(const struct file_image *m, uint64_t vaddr, uint64_t *off);

/* Reads LEN bytes of code at VADDR from the file; false if not all are in one such segment. */
bool image_code(const struct file_image *m, uint64_t vaddr, void *buf, size_t len);

/* Returns the address where execution starts (e_entry), 0 in most libraries. */
uint64_t image_entry(const struct file_image *m);

/* True if it has PT_INTERP or PT_DYNAMIC; a static PIE has the latter. */
bool image_is_dynamic(const struct file_image *m);

#endif
