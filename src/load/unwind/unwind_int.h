/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unwind_int: for src/load/unwind*.c only.
 *
 *   unwind_pool.c    pages of DT_MAP_SLABS: taking them and giving them back
 *   unwind_object.c  tables of files, in pages; which file is which
 *   unwind_file.c    the files whose tables are made before a process asks for them
 *   unwind.c         processes, requests, the thread
 *
 * Everything is called with the lock of unwind.c held.
 */
#ifndef LOAD_UNWIND_INT_H
#define LOAD_UNWIND_INT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "abi/unwind.h"
#include "base/heapvec.h"
#include "sym/unwind.h"

/* Numbers of pages. */
HEAPVEC_STRUCT(pages, uint32_t);

/* ---- unwind_pool.c ---- */

struct pool_free {
	uint32_t page;
	uint64_t since; /* monotonic clock, ns */
};

struct pool {
	int fd; /* of DT_MAP_SLABS */
	uint32_t max_slabs, nslabs;
	void **slabs;			/* mapped */
	uint32_t fresh;			/* this page and those after it were never used */
	HEAPVEC(struct pool_free) free; /* given back: a queue that begins at FIRST */
	uint32_t first;
	uint32_t used;
	bool full; /* a page was wanted and there was none */
};

/* MAX_SLABS as the map has them. */
int pool_init(struct pool *p, int fd, uint32_t max_slabs);
void pool_fini(struct pool *p);
/* Takes a page with undefined contents and adds it to OWNER; 0: there is none. */
uint32_t pool_take(struct pool *p, struct pages *owner);
void *pool_page(struct pool *p, uint32_t page);
/* Takes back all pages of OWNER; running walks may still read them for a while. */
void pool_give(struct pool *p, struct pages *owner);

/* ---- unwind_object.c ---- */

/* Where a file is, as /proc/PID/maps says, and how the walker knows it. */
struct unwind_place {
	struct dt_unwind_file id;
	uint64_t size, mtime, mtime_ns;
	bool shown; /* in DT_MAP_FILES */
};

struct unwind_object {
	struct unwind_object *next;
	uint64_t dev, ino, size, mtime; /* ino 0: the vDSO */
	bool has_id;
	uint8_t id[UNWIND_ID];
	int fd;			   /* until it is read; else -1 */
	struct unwind_table table; /* without its rows, which are in the pages */
	uint32_t root, levels;	   /* root 0: it has no table */
	uint16_t serial;	   /* see struct dt_mapping */
	struct pages pages;
	HEAPVEC(struct unwind_place) places; /* containers have the same file more than once */
	uint32_t users;			     /* processes that map it */
	uint64_t unused;		     /* since when it has none */
};

struct unwind_objects {
	struct unwind_object *first;
	uint32_t n;
	uint16_t made; /* so far */
	int files_fd;  /* of DT_MAP_FILES; 0: there is none */
};

/*
 * Returns the object that file FD is, which it takes over; NULL: it is not a regular file, or no
 * memory.  ID: where the file is; NULL: the walker need not know.
 */
struct unwind_object *objects_find(
	struct unwind_objects *all, int fd, const struct dt_unwind_file *id);
struct unwind_object *objects_vdso(struct unwind_objects *all);
/* Read the file and make the table, unless that was done. */
void object_build(struct unwind_object *o, struct pool *p);
/* Returns struct dt_mapping's info of O. */
uint64_t object_info(const struct unwind_object *o);
/* Let the walker find the table of O, if it has one, by the places that it does not know yet. */
void object_show(struct unwind_objects *all, struct unwind_object *o);
/* Forget those that are unused since BEFORE; true: there were any. */
bool objects_drop(struct unwind_objects *all, struct pool *p, uint64_t before);
void objects_free(struct unwind_objects *all, struct pool *p);

/* ---- unwind_file.c ---- */

struct map_line;

struct dt_unwind_file file_id(const struct map_line *m);
/* Finds how mappings of the file FD are shown; false: it cannot be mapped. */
bool file_find_id(int fd, struct dt_unwind_file *out);
/* Call FN for each process that maps the code of one of N files. */
void files_users(
	const struct dt_unwind_file *ids, uint32_t n, void (*fn)(void *arg, pid_t pid), void *arg);
/* True if M is code of the C library or the dynamic linker. */
bool file_is_common(const struct map_line *m);

/* ---- unwind.c ---- */

uint64_t unwind_now(void);

#endif
