// SPDX-License-Identifier: Apache-2.0
/* Reads the USDT notes of each mapped file once and keeps them for the session. */
#include "usdt/notes_cache.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/living.h"
#include "base/vec.h"
#include "elf/debugfile.h"
#include "sym/elf.h"
#include "sym/process.h"

#define BUCKETS 256

struct noted_file {
	uint64_t dev, ino;
	uint64_t version; /* as process_object.version, 0: it was not looked at */
	VEC(struct noted_site) sites;
	struct noted_file *next;
	struct arena *arena; /* the cache's */
};

struct notes_cache {
	struct arena *arena;
	const struct looker *by;
	struct noted_file *files[BUCKETS];
};

struct notes_cache *notes_cache_new(struct arena *a)
{
	struct notes_cache *c = arena_new_obj(a, struct notes_cache);

	c->arena = a;
	return c;
}

void notes_cache_look_by(struct notes_cache *c, const struct looker *by)
{
	c->by = by;
}

/* "query__start" is query-start */
static const char *shown_name(struct arena *a, const char *name)
{
	char *shown = arena_strdup(a, name), *to = shown;

	for (const char *p = name; *p; p++) {
		bool dash = p[0] == '_' && p[1] == '_';

		*to++ = dash ? '-' : *p;
		p += dash;
	}
	*to = '\0';
	return shown;
}

/* A file whose notes are read, and the one that was read. */
struct note_reading {
	struct noted_file *file;
	const struct sdt_note *note;
	int err;
};

static int keep_note(void *arg)
{
	const struct note_reading *r = arg;
	struct noted_file *f = r->file;
	struct noted_site *site = vec_add(f->arena, &f->sites);
	struct sdt_note *n = &site->note;

	*n = *r->note;
	site->func = n->provider = n->name = n->args = "";
	n->provider = arena_strdup(f->arena, r->note->provider);
	n->name = shown_name(f->arena, r->note->name);
	n->args = arena_strdup(f->arena, r->note->args);
	return 0;
}

/* The jump out of an arena without memory must not pass over notes_read(). */
static int try_note(void *arg, const struct sdt_note *note)
{
	struct note_reading *r = arg;

	r->note = note;
	r->err = arena_try(r->file->arena, keep_note, r);
	return r->err;
}

/* ---- files ---- */

static void free_symbols(void *syms)
{
	elfsyms_free(syms);
}

/* Finds the functions of the sites; FD is the file's, as process PID sees it. */
static void find_functions(const struct looker *by, struct noted_file *f, int fd, pid_t pid)
{
	struct elfsyms *syms;
	char root[32];
	const struct elf_place at = {.root = root, .pid = pid, .by = by};

	root[0] = '\0';
	if (pid)
		snprintf(root, sizeof(root), "/proc/%d/root", living_thread(pid));
	syms = f->sites.len ? elfsyms_load_at(fd, &at) : NULL;
	arena_own(f->arena, free_symbols, syms);
	vec_for (s, &f->sites) {
		bool sized = false;
		uint64_t start;
		const char *name = syms ? elfsyms_find(syms, s->note.pc, &start, &sized) : NULL;

		if (name && *name && sized)
			s->func = arena_strndup(f->arena, name, 1 + strcspn(name + 1, "."));
	}
	arena_release(f->arena, syms);
}

/* Reads the notes of object O of process PID, whose file is FD. */
static struct noted_file *read_file(
	struct notes_cache *c, pid_t pid, const struct process_object *o, int fd)
{
	struct noted_file *f = arena_new_obj(c->arena, struct noted_file);
	struct note_reading r = {.file = f};

	f->arena = c->arena;
	f->dev = o->dev;
	f->ino = o->ino;
	f->version = o->version;
	notes_read(fd, try_note, &r);
	if (r.err)
		arena_fail(c->arena);
	find_functions(c->by, f, fd, pid);
	return f;
}

struct noted_site *notes_of(
	struct notes_cache *c, pid_t pid, const struct process_object *o, uint32_t *n)
{
	struct noted_file **bucket = &c->files[(o->ino * 31 + o->dev) % BUCKETS], *f;
	int fd;

	*n = 0;
	for (f = *bucket; f; f = f->next)
		if (f->ino == o->ino && f->dev == o->dev &&
			(!o->version || o->version == f->version))
			break;
	if (!f) {
		fd = process_open_by(c->by, pid, o);
		if (fd < 0)
			return NULL;
		arena_own_file(c->arena, fd);
		f = read_file(c, pid, o, fd);
		f->next = *bucket;
		*bucket = f;
		arena_release_file(c->arena, fd);
	}
	*n = f->sites.len;
	return f->sites.data;
}
