// SPDX-License-Identifier: Apache-2.0
/*
 * Keeps the unwind tables of files.  A file is known by where it is and when it was changed, and
 * beyond that by its build id: containers have the same library many times.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "abi/unwind.h"
#include "base/vec.h"
#include "load/unwind/unwind_int.h"

static void fill_page(struct dt_unwind_row *to, const struct dt_unwind_row *rows, uint32_t n)
{
	memcpy(to, rows, n * sizeof(*rows));
	for (; n < DT_UNWIND_ROWS; n++)
		to[n] = (struct dt_unwind_row){DT_ROW_NONE, DT_UNWIND_NONE};
}

/*
 * Writes the N rows at ROWS to pages of O, and for each page a row to ABOVE: its first pc and its
 * number. How many pages; 0: there were not enough.
 */
static uint32_t fill_level(struct unwind_object *o, struct pool *p,
	const struct dt_unwind_row *rows, uint32_t n, struct dt_unwind_row *above)
{
	uint32_t pages = 0;

	for (uint32_t i = 0; i < n; i += DT_UNWIND_ROWS) {
		uint32_t page = pool_take(p, &o->pages);

		if (!page)
			return 0;
		fill_page(pool_page(p, page), rows + i,
			n - i < DT_UNWIND_ROWS ? n - i : DT_UNWIND_ROWS);
		above[pages++] = (struct dt_unwind_row){rows[i].pc, page};
	}
	return pages;
}

/*
 * Fills the tree level by level, from the leaves up; a level's rows may take the place of those
 * below.
 */
static bool fill_tree(struct unwind_object *o, struct pool *p)
{
	struct dt_unwind_row *rows = o->table.rows;
	uint32_t n = o->table.n, levels = 0;

	do {
		n = fill_level(o, p, rows, n, rows);
		levels++;
	} while (n > 1 && levels < DT_UNWIND_LEVELS);
	if (n != 1)
		return false;
	o->levels = levels;
	o->root = rows[0].rule;
	return true;
}

static void forget_rows(struct unwind_table *t)
{
	free(t->rows);
	t->rows = NULL;
	t->n = 0;
}

static bool is_vdso(const struct unwind_object *o)
{
	return !o->ino;
}

void object_build(struct unwind_object *o, struct pool *p)
{
	int err;

	if (o->fd < 0)
		return;
	err = is_vdso(o) ? unwind_read_vdso(&o->table) : unwind_read(o->fd, &o->table);
	if (!is_vdso(o))
		close(o->fd);
	o->fd = -1;
	if (!err && !fill_tree(o, p))
		pool_give(p, &o->pages);
	forget_rows(&o->table);
}

uint64_t object_info(const struct unwind_object *o)
{
	if (!o || !o->root)
		return DT_MAPPING_NONE;
	return DT_MAPPING_TABLE | (uint64_t)o->levels << 8 | (uint64_t)o->serial << 16 |
		(uint64_t)o->root << 32;
}

/* ---- where the walker finds them ---- */

/* The segments of O for mappings of any offset, as unwind_bias() counts. */
static void fill_segments(const struct unwind_object *o, struct dt_unwind_tables *t)
{
	for (uint32_t i = 0; i < o->table.nsegs && i < DT_FILE_SEGMENTS; i++) {
		const struct unwind_segment *s = &o->table.segs[i];

		t->segment[i].first = s->off & ~4095ull;
		t->segment[i].end = s->off + s->size;
		t->segment[i].minus = s->vaddr - s->off - o->table.base;
	}
}

void object_show(struct unwind_objects *all, struct unwind_object *o)
{
	struct dt_unwind_tables t = {.info = object_info(o)};

	if (!o->root || all->files_fd <= 0)
		return;
	fill_segments(o, &t);
	vec_for (p, &o->places) {
		if (p->shown)
			continue;
		t.size = p->size;
		t.mtime = p->mtime;
		t.mtime_ns = p->mtime_ns;
		p->shown = !bpf_map_update_elem(all->files_fd, &p->id, &t, BPF_ANY);
	}
}

static void object_hide(struct unwind_objects *all, struct unwind_object *o)
{
	struct dt_unwind_tables t;

	vec_for (p, &o->places)
		/* another file may have the number now */
		if (p->shown && !bpf_map_lookup_elem(all->files_fd, &p->id, &t) &&
			t.info == object_info(o))
			bpf_map_delete_elem(all->files_fd, &p->id);
}

static void note_place(
	struct unwind_object *o, const struct dt_unwind_file *id, const struct stat *st)
{
	struct unwind_place place = {.id = *id,
		.size = (uint64_t)st->st_size,
		.mtime = (uint64_t)st->st_mtim.tv_sec,
		.mtime_ns = (uint64_t)st->st_mtim.tv_nsec};

	vec_for (p, &o->places)
		if (!memcmp(&p->id, id, sizeof(*id)) && p->mtime == place.mtime &&
			p->mtime_ns == place.mtime_ns && p->size == place.size)
			return;
	(void)heapvec_push(&o->places, place); /* no memory: as if it were not known */
}

/* ---- which file is which ---- */

static uint64_t mtime_of(const struct stat *st)
{
	return (uint64_t)st->st_mtim.tv_sec * 1000000000u + (uint64_t)st->st_mtim.tv_nsec;
}

static struct unwind_object *find_object(struct unwind_objects *all, const struct stat *st)
{
	for (struct unwind_object *o = all->first; o; o = o->next)
		if (o->ino == st->st_ino && o->dev == st->st_dev &&
			o->size == (uint64_t)st->st_size && o->mtime == mtime_of(st))
			return o;
	return NULL;
}

static struct unwind_object *find_id(struct unwind_objects *all, const uint8_t *id, uint64_t size)
{
	for (struct unwind_object *o = all->first; o; o = o->next)
		if (o->has_id && o->size == size && !memcmp(o->id, id, UNWIND_ID))
			return o;
	return NULL;
}

static struct unwind_object *add_object(struct unwind_objects *all, int fd)
{
	struct unwind_object *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	o->fd = fd;
	o->unused = unwind_now();
	o->serial = all->made++;
	o->next = all->first;
	all->first = o;
	all->n++;
	return o;
}

/* Returns the object of the file FD, which it takes over if that is new. */
static struct unwind_object *find_or_add(
	struct unwind_objects *all, int fd, const struct stat *st, bool *added)
{
	struct unwind_object *o = find_object(all, st);
	uint8_t id[UNWIND_ID];
	bool has_id = !o && unwind_build_id(fd, id);

	*added = false;
	if (has_id)
		o = find_id(all, id, (uint64_t)st->st_size);
	if (o)
		return o;
	o = add_object(all, fd);
	if (!o)
		return NULL;
	*added = true;
	o->dev = st->st_dev;
	o->ino = st->st_ino;
	o->size = (uint64_t)st->st_size;
	o->mtime = mtime_of(st);
	o->has_id = has_id;
	if (has_id)
		memcpy(o->id, id, UNWIND_ID);
	return o;
}

struct unwind_object *objects_find(
	struct unwind_objects *all, int fd, const struct dt_unwind_file *id)
{
	struct unwind_object *o = NULL;
	bool added = false;
	struct stat st;

	if (!fstat(fd, &st) && st.st_ino)
		o = find_or_add(all, fd, &st, &added);
	if (!added)
		close(fd);
	if (o && id)
		note_place(o, id, &st);
	return o;
}

struct unwind_object *objects_vdso(struct unwind_objects *all)
{
	struct unwind_object *o;

	for (o = all->first; o; o = o->next)
		if (is_vdso(o))
			return o;
	o = add_object(all, 0);
	if (o)
		note_place(o, &(struct dt_unwind_file){0}, &(struct stat){0});
	return o;
}

static void object_free(struct unwind_objects *all, struct unwind_object *o, struct pool *p)
{
	object_hide(all, o);
	heapvec_free(&o->places);
	if (o->fd >= 0 && !is_vdso(o))
		close(o->fd);
	unwind_free(&o->table);
	pool_give(p, &o->pages);
	free(o);
}

bool objects_drop(struct unwind_objects *all, struct pool *p, uint64_t before)
{
	struct unwind_object **at = &all->first, *o;
	bool any = false;

	while ((o = *at) != NULL) {
		if (o->users || o->unused > before) {
			at = &o->next;
			continue;
		}
		*at = o->next;
		all->n--;
		object_free(all, o, p);
		any = true;
	}
	return any;
}

void objects_free(struct unwind_objects *all, struct pool *p)
{
	while (all->first) {
		struct unwind_object *o = all->first;

		all->first = o->next;
		object_free(all, o, p);
	}
}
