// SPDX-License-Identifier: Apache-2.0
/* Finds the libraries that a program needs. */
#include "elf/needed.h"

#include <errno.h>
#include <glob.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/input.h"
#include "base/rooted.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "elf/file.h"

/* More are no program's: a file that needs itself under ever new names would not end. */
#define FILES_MOST 4096

struct needed {
	struct arena *arena;
	struct strmap seen;	    /* sonames that were looked for */
	VEC(const char *) files;    /* paths, in the order in which they are visited */
	VEC(const char *) defaults; /* folders */
};

/* Adds the folders of LIST, which SEPARATORS separate, with ORIGIN for $ORIGIN. */
static void add_folders(struct needed *n, const char *list, const char *separators,
	const char *origin, void (*add)(struct needed *n, const char *folder, void *arg), void *arg)
{
	char *text = arena_strdup(n->arena, list), *save = NULL;

	for (char *p = strtok_r(text, separators, &save); p;
		p = strtok_r(NULL, separators, &save)) {
		const char *rest = !strncmp(p, "$ORIGIN", 7) ? p + 7
			: !strncmp(p, "${ORIGIN}", 9)	     ? p + 9
							     : NULL;

		add(n, rest ? arena_printf(n->arena, "%s%s", origin, rest) : p, arg);
	}
}

static void add_default(struct needed *n, const char *folder, void *arg)
{
	(void)arg;
	if (*folder == '/')
		vec_push(n->arena, &n->defaults, folder);
}

/* A file that is read by line. */
struct conf {
	FILE *in;
	char *line;
};

/* of arena_own(), like those below */
static void close_conf(void *arg)
{
	struct conf *c = arg;

	free(c->line);
	fclose(c->in);
}

/* Adds the folders that FILE names, one a line, without comments and "include". */
static void read_conf(struct needed *n, const char *file)
{
	struct conf c = {.in = input_open_regular(file)};
	size_t size = 0;

	if (!c.in)
		return;
	arena_own(n->arena, close_conf, &c);
	while (getline(&c.line, &size, c.in) > 0) {
		c.line[strcspn(c.line, "#")] = '\0';
		add_folders(n, c.line, " \t\r\n", "", add_default, NULL);
	}
	arena_release(n->arena, &c);
}

static void free_names(void *names)
{
	globfree(names);
}

static void find_defaults(struct needed *n)
{
	static const char *const always[] = {"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu",
		"/lib64", "/usr/lib64", "/lib", "/usr/lib"};
	glob_t g;

	read_conf(n, "/etc/ld.so.conf");
	if (!glob("/etc/ld.so.conf.d/*.conf", 0, NULL, &g)) {
		arena_own(n->arena, free_names, &g);
		for (size_t i = 0; i < g.gl_pathc; i++)
			read_conf(n, g.gl_pathv[i]);
		arena_release(n->arena, &g);
	}
	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		vec_push(n->arena, &n->defaults, always[i]);
}

/* A file that is looked for: PATH is set when it was found. */
struct wanted {
	const char *name, *path;
	int mode; /* of access(2) */
};

static void try_folder(struct needed *n, const char *folder, void *arg)
{
	struct wanted *w = arg;
	char path[PATH_MAX];

	if (w->path || snprintf(path, sizeof(path), "%s/%s", folder, w->name) >= (int)sizeof(path))
		return;
	if (!access(path, w->mode))
		w->path = arena_strdup(n->arena, path);
}

/* The folders that a file names, or NULL; the first are ignored where it has the second. */
struct own_folders {
	const char *rpath, *runpath;
	const char *origin; /* where the file is */
};

/* Notes library SONAME, which a file needs, in the order of ld.so(8). */
static void want(struct needed *n, const char *soname, const struct own_folders *own)
{
	const char *given = getenv("LD_LIBRARY_PATH"), *name;
	struct wanted w = {.mode = R_OK};

	if (!*soname || n->files.len >= FILES_MOST || strmap_get(&n->seen, soname))
		return;
	w.name = name = arena_strdup(n->arena, soname);
	strmap_put(n->arena, &n->seen, name, n);
	if (strchr(name, '/')) {
		vec_push(n->arena, &n->files, name);
		return;
	}
	if (own->rpath && !own->runpath)
		add_folders(n, own->rpath, ":", own->origin, try_folder, &w);
	if (given)
		add_folders(n, given, ":;", own->origin, try_folder, &w);
	if (own->runpath)
		add_folders(n, own->runpath, ":", own->origin, try_folder, &w);
	for (uint32_t i = 0; i < n->defaults.len; i++)
		try_folder(n, n->defaults.data[i], &w);
	if (w.path)
		vec_push(n->arena, &n->files, w.path);
}

/* A longer name, or list of folders, is no file's. */
#define TEXT_MOST (4 * PATH_MAX)

/*
 * Returns the string at OFF of the LEN bytes of a table, which end with '\0'; "" if it is too long.
 * Each look-up copies the lists: a damaged file's could take any amount of memory.
 */
static const char *string_at(const char *strings, uint64_t len, uint64_t off)
{
	return off < len && strnlen(strings + off, TEXT_MOST) < TEXT_MOST ? strings + off : "";
}

/* The dynamic section of a file and the strings that it refers to. */
struct dynamic {
	char *entries, *strings;
};

static void free_dynamic(void *arg)
{
	struct dynamic *d = arg;

	free(d->strings);
	free(d->entries);
}

/* Notes what the file F at PATH needs. */
static void read_dynamic(struct needed *n, const struct elf_file *f, const char *path)
{
	struct own_folders own = {.origin = dirname(arena_strdup(n->arena, path))};
	const Elf64_Shdr *sh = elf_file_section(f, NULL, SHT_DYNAMIC);
	const Elf64_Shdr *link = sh && sh->sh_link < f->nsh ? &f->sh[sh->sh_link] : NULL;
	struct dynamic dyn = {.entries = link && !f->is_32bit ? elf_file_content(f, sh) : NULL};
	const char *text;
	uint64_t count;
	Elf64_Dyn d;

	dyn.strings = dyn.entries ? elf_file_content(f, link) : NULL;
	count = dyn.strings ? sh->sh_size / sizeof(Elf64_Dyn) : 0;
	arena_own(n->arena, free_dynamic, &dyn);
	for (int pass = 0; pass < 2; pass++) {
		for (uint64_t i = 0; i < count; i++) {
			memcpy(&d, dyn.entries + i * sizeof(d), sizeof(d));
			if (d.d_tag == DT_NULL)
				break;
			text = string_at(dyn.strings, link->sh_size, d.d_un.d_val);
			if (!pass && d.d_tag == DT_RPATH)
				own.rpath = text;
			else if (!pass && d.d_tag == DT_RUNPATH)
				own.runpath = text;
			else if (pass && d.d_tag == DT_NEEDED)
				want(n, text, &own);
		}
	}
	arena_release(n->arena, &dyn);
}

/* A file that is visited. */
struct visited {
	int fd;
	struct elf_file elf;
	bool is_elf;
};

static void close_visited(void *arg)
{
	struct visited *v = arg;

	if (v->is_elf)
		elf_file_close(&v->elf);
	close(v->fd);
}

static int visit(struct needed *n, const char *path, int (*fn)(void *arg, int fd, const char *path),
	void *arg)
{
	char real[PATH_MAX];
	struct visited v;
	int r;

	/* names in a file may lead anywhere: to a FIFO that is waited for, to a device */
	v.fd = realpath(path, real) ? rooted_open_regular(NULL, real, 0) : -1;
	if (v.fd < 0)
		return 0;
	v.is_elf = !elf_file_open(&v.elf, v.fd);
	arena_own(n->arena, close_visited, &v);
	if (v.is_elf)
		read_dynamic(n, &v.elf, real);
	r = fn(arg, v.fd, real);
	arena_release(n->arena, &v);
	return r;
}

int needed_files(struct arena *a, const char *program,
	int (*fn)(void *arg, int fd, const char *path), void *arg)
{
	struct needed n = {.arena = a};
	struct wanted w = {program, strchr(program, '/') ? program : NULL, X_OK};
	const char *folders = getenv("PATH");
	int r = 0;

	if (!w.path && folders)
		add_folders(&n, folders, ":", "", try_folder, &w);
	if (!w.path || access(w.path, R_OK))
		return -ENOENT;
	find_defaults(&n);
	vec_push(n.arena, &n.files, w.path);
	for (uint32_t i = 0; i < n.files.len && !r; i++)
		r = visit(&n, n.files.data[i], fn, arg);
	return r;
}
