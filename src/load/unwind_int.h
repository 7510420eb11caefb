/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unwind_int: for src/load/unwind*.c only.
 *
 *   unwind_pool.c    pages of DT_MAP_SLABS: taking them and giving them back
 *   unwind_object.c  tables of files, in pages; which file is which
 *   unwind.c         processes, requests, the thread
 *
 * Everything is called with the lock of unwind.c held.
 */
#ifndef LOAD_UNWIND_INT_H
#define LOAD_UNWIND_INT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

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
	uint32_t users;	 /* processes that map it */
	uint64_t unused; /* since when it has none */
};

struct unwind_objects {
	struct unwind_object *first;
	uint32_t n;
	uint16_t made; /* so far */
};

/*
 * Returns the object that file FD is, which it takes over; NULL: it is not a regular file, or no
 * memory.
 */
struct unwind_object *objects_find(struct unwind_objects *all, int fd);
struct unwind_object *objects_vdso(struct unwind_objects *all);
/* Read the file and make the table, unless that was done. */
void object_build(struct unwind_object *o, struct pool *p);
/* Forget those that are unused since BEFORE; true: there were any. */
bool objects_drop(struct unwind_objects *all, struct pool *p, uint64_t before);
void objects_free(struct unwind_objects *all, struct pool *p);

/* ---- unwind.c ---- */

uint64_t unwind_now(void);

#endif
