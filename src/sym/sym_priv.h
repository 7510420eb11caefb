/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sym_priv: the parts of src/sym, for each other only.
 *
 *   kallsyms.c  the kernel's symbols
 *   maps.c      which file is mapped where in a process, and how to open it
 *   lines.c     source lines and inlined functions of one ELF file
 *   demangle.c  C++ and Rust
 *   named.c     the kernel's symbols by name, usernamed.c those of a process
 *   process.c   what is mapped executable in a process
 *   perfmap.c   what a JIT compiler says of its code
 *   reading.c   the cache of files, and what was mapped in a process at one time
 *   mapwatch.c  what is mapped when, from the kernel's events
 *   managed.c   names of managed frames
 *   user.c      the cache of processes, and the look-up through all of these
 *
 * Strings handed out live until the part that made them is freed.
 */
#ifndef SYM_SYM_PRIV_H
#define SYM_SYM_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Read the whole of FD into malloc()ed, NUL-terminated memory; NULL on error. */
char *sym_read_all(int fd, size_t *len);

/* kallsyms.c */
struct ksyms;
struct sym_info;
struct sym_line;
struct ksyms *ksyms_new(void);
/* Does the same, with files of the form of /proc/kallsyms and /proc/modules; both are borrowed. */
struct ksyms *ksyms_new_from(const char *symbols, const char *modules);
void ksyms_free(struct ksyms *k);
void ksyms_find(struct ksyms *k, uint64_t addr, struct sym_info *out);
uint64_t ksyms_address(struct ksyms *k, const char *name);
bool ksyms_nameless(const struct ksyms *k);
bool ksyms_is_tracing(struct ksyms *k, uint64_t addr);

/*
 * lines.c: source lines.  FD may be closed afterwards; ROOT as in sym/elf.h.  NULL: no memory; a
 * file without DWARF just has no lines.
 */
struct elflines;
struct elflines *elflines_open(int fd, const char *root);
void elflines_free(struct elflines *l);
/* As sym_user_lines(). */
uint32_t elflines_find(struct elflines *l, uint64_t vaddr, const struct sym_line **v);

/* demangle.c: NAMEs must live as long as the demangler. */
struct demangler;
struct demangler *demangler_new(void);
void demangler_free(struct demangler *d);
const char *demangler_name(struct demangler *d, const char *name);

/* maps.c: one line of /proc/PID/maps. */
struct map_line {
	uint64_t start, end, off;
	uint64_t dev, ino; /* ino 0: no file */
	int prot;	   /* PROT_* */
	const char *path;  /* "" = anonymous */
};

/* Call FN for each line; NEGATIVE errno, or 0 for a process without maps, or their number. */
int maps_read(pid_t pid, int (*fn)(void *arg, const struct map_line *m), void *arg);

/* Opens the regular file of a mapping of PID, which may have ended; a descriptor or -1. */
int maps_open(pid_t pid, const struct map_line *m);

/* Do the same with the rights of BY (confine/looker.h). */
struct looker;
int maps_read_by(const struct looker *by, pid_t pid, int (*fn)(void *arg, const struct map_line *m),
	void *arg);
/* Opens PATH with our own rights if it is file INO of device DEV (major << 32 | minor); or -1. */
int maps_open_known(const char *path, uint64_t dev, uint64_t ino);
int maps_open_by(const struct looker *by, pid_t pid, const struct map_line *m);

/* managed.c */
struct mnames;
struct mnames *mnames_new(void);
void mnames_free(struct mnames *m);
void mnames_open(struct mnames *m, int fd);
void mnames_find(struct mnames *m, uint64_t word, struct sym_info *out);

/* user.c */
struct usyms;
struct usyms *usyms_new(void);
bool usyms_nameless(const struct usyms *u);
bool usyms_lack_room(const struct usyms *u);
void usyms_free(struct usyms *u);
void usyms_find(struct usyms *u, pid_t pid, uint64_t addr, struct sym_info *out);
void usyms_remember(struct usyms *u, pid_t pid);
bool usyms_is_sigreturn(struct usyms *u, pid_t pid, uint64_t addr);
uint32_t usyms_lines(struct usyms *u, pid_t pid, uint64_t addr, const struct sym_line **v);
void usyms_watch(struct usyms *u);

#endif
