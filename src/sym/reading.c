// SPDX-License-Identifier: Apache-2.0
/* Reads the mappings of a process, and shares the symbols of the mapped files. */
#include "sym/reading.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/invariant.h"
#include "base/transfer.h"
#include "elf/debugfile.h"
#include "sym/elf.h"
#include "sym/sym_priv.h"

#define MAX_HELD     128 /* descriptors held for files not read yet */
#define MAX_FAILURES 8	 /* to open a file */

/* ---- files ---- */

static void object_free(struct sym_object *o)
{
	if (o->fd >= 0)
		close(o->fd);
	elfsyms_free(o->syms);
	elflines_free(o->lines);
	free(o->path);
	free(o->name);
	free(o);
}

void sym_objects_free(struct sym_objects *all)
{
	for (int i = 0; i < OBJECT_BUCKETS; i++) {
		for (struct sym_object *o = all->v[i], *next; o; o = next) {
			next = o->next;
			object_free(o);
		}
	}
}

static char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/'), *deleted;

	if (slash)
		path = slash + 1;
	deleted = strstr(path, " (deleted)");
	return deleted ? strndup(path, (size_t)(deleted - path)) : strdup(path);
}

/*
 * Returns the file of mapping M.  The path counts too: one file can have several names (busybox).
 */
static struct sym_object *object_get(struct sym_objects *all, const struct map_line *m)
{
	struct sym_object **bucket = &all->v[(m->ino * 31 + m->dev) % OBJECT_BUCKETS], *o;

	for (o = *bucket; o; o = o->next)
		if (o->ino == m->ino && o->dev == m->dev && !strcmp(o->path, m->path))
			return o;
	o = calloc(1, sizeof(*o));
	if (!o)
		return NULL;
	o->dev = m->dev;
	o->ino = m->ino;
	o->fd = -1;
	o->path = strdup(m->path);
	o->name = base_name(m->path);
	if (!o->path || !o->name) {
		object_free(o);
		return NULL;
	}
	o->next = *bucket;
	*bucket = o;
	return o;
}

/* Open O, which M of PID shows, while it can be. */
static void hold_file(
	struct sym_objects *all, struct sym_object *o, pid_t pid, const struct map_line *m)
{
	if (!(m->prot & PROT_EXEC) || o->loaded || o->fd >= 0 || all->nheld >= MAX_HELD)
		return;
	o->fd = maps_open(pid, m);
	all->nheld += o->fd >= 0;
}

/* Returns the descriptor of O, opened if it is not held; -1 on failure. */
static int object_fd(struct sym_objects *all, struct sym_object *o, pid_t pid, const struct map *m)
{
	struct map_line line = {m->start, m->end, m->off, o->dev, o->ino, m->prot, o->path};

	if (o->fd >= 0 || o->failures == MAX_FAILURES)
		return o->fd;
	o->fd = maps_open(pid, &line);
	if (o->fd < 0)
		o->failures++;
	else
		all->nheld++;
	return o->fd;
}

/* Close it again, unless it may be wanted once more and there aren't many. */
static void let_go(struct sym_objects *all, struct sym_object *o)
{
	bool wanted = all->code_wanted || (all->lines_wanted && !o->lines_loaded);

	if (o->fd < 0 || (wanted && all->nheld < MAX_HELD))
		return;
	close(o->fd);
	o->fd = -1;
	INVARIANT(all->nheld);
	all->nheld--;
}

const struct elfsyms *sym_object_syms(struct sym_objects *all, struct sym_object *o, pid_t pid,
	const char *root, const struct map *m)
{
	if (o->loaded || object_fd(all, o, pid, m) < 0)
		return o->syms;
	o->syms = elfsyms_load_at(
		o->fd, &(struct elf_place){.root = root, .check_left = &all->check_left});
	o->loaded = true;
	let_go(all, o);
	return o->syms;
}

struct elflines *sym_object_lines(struct sym_objects *all, struct sym_object *o, pid_t pid,
	const char *root, const struct map *m)
{
	all->lines_wanted = true;
	if (o->lines_loaded || object_fd(all, o, pid, m) < 0)
		return o->lines;
	o->lines = elflines_open(o->fd, root);
	o->lines_loaded = true;
	let_go(all, o);
	return o->lines;
}

bool sym_object_code(struct sym_objects *all, struct sym_object *o, pid_t pid, const struct map *m,
	uint64_t off, void *buf, size_t len)
{
	bool ok;

	all->code_wanted = true;
	if (object_fd(all, o, pid, m) < 0)
		return false;
	ok = transfer_pread(o->fd, buf, len, off) == (ssize_t)len;
	let_go(all, o);
	return ok;
}

/* ---- mappings ---- */

/* Classifies line L; LAST is the mapping before it, or NULL. */
static bool classify(
	struct sym_objects *all, const struct map *last, const struct map_line *l, struct map *m)
{
	*m = (struct map){
		.start = l->start, .end = l->end, .off = l->off, .prot = (uint8_t)l->prot};
	m->object_start = l->start;
	if (l->ino && *l->path) {
		m->kind = MAP_PART;
		m->obj = object_get(all, l);
		m->object_start = l->off ? 0 : l->start;
		return m->obj;
	}
	/* what a JIT compiler makes may lie after a file's data, too */
	if (!*l->path && last && last->obj && last->end == l->start &&
		l->prot & last->prot & PROT_WRITE && !(l->prot & PROT_EXEC)) {
		m->kind = MAP_BSS;
		m->obj = last->obj;
		m->off = last->off + (last->end - last->start);
		m->object_start = last->object_start;
		return true;
	}
	if (!strcmp(l->path, "[vdso]"))
		m->kind = MAP_VDSO;
	else if (!strcmp(l->path, "[uprobes]"))
		m->kind = MAP_UPROBES;
	else if (l->prot & PROT_EXEC && strcmp(l->path, "[vsyscall]"))
		m->kind = MAP_JIT;
	else
		return false;
	return true;
}

/* The mappings of an object follow one another, the first has its head. */
static void find_head(const struct reading *r, struct map *m)
{
	if (m->object_start)
		return;
	for (uint32_t i = r->maps.len; i-- > 0 && r->maps.len - i <= 8;) {
		if (r->maps.data[i].kind != MAP_PART || r->maps.data[i].obj != m->obj)
			continue;
		m->object_start = r->maps.data[i].object_start;
		break;
	}
}

/* Make room for M at index AT. */
static bool put_map(struct reading *r, uint32_t at, const struct map *m)
{
	if (!heapvec_add(&r->maps))
		return false;
	memmove(r->maps.data + at + 1, r->maps.data + at,
		(r->maps.len - 1 - at) * sizeof(*r->maps.data));
	r->maps.data[at] = *m;
	return true;
}

struct reading_of {
	struct sym_objects *all;
	struct reading *r;
	pid_t pid;
};

static int add_line(void *arg, const struct map_line *l)
{
	struct reading_of *to = arg;
	struct reading *r = to->r;
	struct map m;

	if (!classify(to->all, r->maps.len ? &r->maps.data[r->maps.len - 1] : NULL, l, &m))
		return 0;
	find_head(r, &m);
	if (!put_map(r, r->maps.len, &m))
		return -1;
	if (m.kind == MAP_PART)
		hold_file(to->all, m.obj, to->pid, l);
	return 0;
}

struct reading *reading_new(struct sym_objects *all, pid_t pid)
{
	struct reading_of to = {all, calloc(1, sizeof(struct reading)), pid};

	int n = to.r ? maps_read(pid, add_line, &to) : 0;

	if (n > 0)
		return to.r;
	all->closed |= n == -EACCES;
	reading_free(to.r);
	return NULL;
}

struct reading *reading_copy(const struct reading *from)
{
	struct reading *r = calloc(1, sizeof(*r));

	if (!r || !from || !from->maps.len)
		return r;
	if (heapvec_extend(&r->maps, from->maps.len)) {
		free(r);
		return NULL;
	}
	memcpy(r->maps.data, from->maps.data, from->maps.len * sizeof(*r->maps.data));
	return r;
}

void reading_free(struct reading *r)
{
	if (r)
		heapvec_free(&r->maps);
	free(r);
}

uint32_t reading_behind(const struct reading *r, uint64_t addr)
{
	uint32_t low = 0, high = r->maps.len;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (r->maps.data[mid].end <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const struct map *reading_find(const struct reading *r, uint64_t addr)
{
	uint32_t i = reading_behind(r, addr);

	return i < r->maps.len && r->maps.data[i].start <= addr ? &r->maps.data[i] : NULL;
}

/* Cut what lies between START and END out of R; the index where something can be put there. */
static uint32_t cut_range(struct reading *r, uint64_t start, uint64_t end)
{
	uint32_t i = reading_behind(r, start), last;

	if (i < r->maps.len && r->maps.data[i].start < start) {
		struct map tail = r->maps.data[i];

		r->maps.data[i++].end = start;
		if (tail.end > end) {
			tail.off += end - tail.start;
			tail.start = end;
			put_map(r, i, &tail);
			return i;
		}
	}
	for (last = i; last < r->maps.len && r->maps.data[last].end <= end; last++)
		;
	if (last > i)
		memmove(r->maps.data + i, r->maps.data + last,
			(r->maps.len - last) * sizeof(*r->maps.data));
	r->maps.len -= last - i;
	if (i < r->maps.len && r->maps.data[i].start < end) {
		r->maps.data[i].off += end - r->maps.data[i].start;
		r->maps.data[i].start = end;
	}
	return i;
}

void reading_add(struct sym_objects *all, struct reading *r, pid_t pid, const struct map_line *l)
{
	struct map m;

	if (l->start >= l->end || !classify(all, NULL, l, &m))
		return;
	put_map(r, cut_range(r, l->start, l->end), &m);
	if (m.kind == MAP_PART)
		hold_file(all, m.obj, pid, l);
}

bool reading_hides(const struct reading *r, const struct map_line *l)
{
	for (uint32_t i = reading_behind(r, l->start);
		i < r->maps.len && r->maps.data[i].start < l->end; i++) {
		const struct sym_object *o = r->maps.data[i].obj;

		if (r->maps.data[i].prot & PROT_EXEC && o && (o->ino != l->ino || o->dev != l->dev))
			return true;
	}
	return false;
}

bool reading_covers(const struct reading *r, const struct reading *old)
{
	for (uint32_t i = 0; i < old->maps.len; i++) {
		const struct map *x = &old->maps.data[i], *y = reading_find(r, x->start);

		if (!(x->prot & PROT_EXEC))
			continue;
		if (!y || y->end < x->end || y->kind != x->kind || y->obj != x->obj ||
			y->off + (x->start - y->start) != x->off)
			return false;
	}
	return true;
}

bool reading_same(const struct reading *a, const struct reading *b)
{
	if (!a || !b || a->maps.len != b->maps.len)
		return false;
	for (uint32_t i = 0; i < a->maps.len; i++) {
		const struct map *x = &a->maps.data[i], *y = &b->maps.data[i];

		if (x->start != y->start || x->end != y->end || x->off != y->off ||
			x->obj != y->obj || x->kind != y->kind || x->prot != y->prot)
			return false;
	}
	return true;
}

bool reading_has_jit(const struct reading *r)
{
	for (uint32_t i = 0; i < r->maps.len; i++)
		if (r->maps.data[i].kind == MAP_JIT ||
			(r->maps.data[i].kind == MAP_PART && r->maps.data[i].prot & PROT_EXEC &&
				!strncmp(r->maps.data[i].obj->path, "/memfd:", 7)))
			return true;
	return false;
}
