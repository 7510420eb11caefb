/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reading: the mappings of a process at one time, and their files.
 *
 * Private to src/sym.  Knows nothing of processes but their maps.  Files are shared between
 * readings; a file's symbols are read when first asked for, from a descriptor that was opened
 * while it was mapped.
 */
#ifndef SYM_READING_H
#define SYM_READING_H

#include <stdbool.h>

#include "base/heapvec.h"

struct map_line;

struct sym_object {
	struct sym_object *next;
	uint64_t dev, ino;
	char *path; /* as the kernel gives it, with its " (deleted)" */
	char *name; /* base name, without */
	int fd;	    /* held for reading the symbols, or -1; later for the code and the lines */
	bool loaded;
	int failures;	      /* to open it */
	struct elfsyms *syms; /* NULL: none */
	bool lines_loaded;
	struct elflines *lines;
};

/* Bytes of debug files that are read for their checksums in a session: ten seconds. */
#define CHECKED_ALL (10ull << 30)

/* All files seen. */
#define OBJECT_BUCKETS 1024
struct sym_objects {
	struct sym_object *v[OBJECT_BUCKETS];
	uint32_t nheld;			/* descriptors */
	bool lines_wanted, code_wanted; /* by somebody, sometime */
	bool closed;			/* some process may not be looked at */
	uint64_t check_left;		/* of struct elf_place, for all files */
};

void sym_objects_free(struct sym_objects *all);

/*
 * The symbols of O, which mapping M of PID shows; NULL = none.  ROOT as for elfsyms_load().  The
 * file is opened now if it isn't yet, and with it debug files.
 */
struct map;
const struct elfsyms *sym_object_syms(struct sym_objects *all, struct sym_object *o, pid_t pid,
	const char *root, const struct map *m);

/* Returns the source lines of O in the same way. */
struct elflines *sym_object_lines(struct sym_objects *all, struct sym_object *o, pid_t pid,
	const char *root, const struct map *m);

/* Reads LEN bytes at offset OFF of O's file; false if they cannot be read. */
bool sym_object_code(struct sym_objects *all, struct sym_object *o, pid_t pid, const struct map *m,
	uint64_t off, void *buf, size_t len);

enum map_kind { MAP_PART, MAP_BSS, MAP_JIT, MAP_VDSO, MAP_UPROBES };

struct map {
	uint64_t start, end, off;
	uint64_t object_start;	/* where the object's mappings start; 0 = not known */
	struct sym_object *obj; /* of MAP_PART and MAP_BSS */
	uint8_t kind;
	uint8_t prot;
};

struct reading {
	struct reading *older;
	HEAPVEC(struct map) maps; /* by address */
};

/* Returns the maps of PID as they are now; NULL: it has none, or no memory. */
struct reading *reading_new(struct sym_objects *all, pid_t pid);
/* Returns a reading with the mappings of FROM, without any if it is NULL; NULL: no memory. */
struct reading *reading_copy(const struct reading *from);
void reading_free(struct reading *r);

/* Adds line L of the maps of PID to R, in place of what was there. */
void reading_add(struct sym_objects *all, struct reading *r, pid_t pid, const struct map_line *l);

/* True if L would take the place of other code. */
bool reading_hides(const struct reading *r, const struct map_line *l);

/* Returns the index of the first mapping that ends after ADDR; n if none does. */
uint32_t reading_behind(const struct reading *r, uint64_t addr);
const struct map *reading_find(const struct reading *r, uint64_t addr);
/* True if all code that OLD knows is in R too. */
bool reading_covers(const struct reading *r, const struct reading *old);
bool reading_same(const struct reading *a, const struct reading *b);
/* True if there is code that no file has the symbols of. */
bool reading_has_jit(const struct reading *r);

#endif
