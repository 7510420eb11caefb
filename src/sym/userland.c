// SPDX-License-Identifier: Apache-2.0
/* Opens each file that providers of user probes look at once and keeps what was read of it. */
#define _GNU_SOURCE
#include "sym/userland.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "base/living.h"
#include "elf/debugfile.h"
#include "sym/image.h"
#include "sym/process.h"
#include "sym/unwind.h"
#include "types/dwarf.h"

#define BUCKETS 256

struct file_entry {
	struct user_file file;
	struct file_entry *next;
	char *path;  /* by which it is reached from here */
	char *shown; /* as the process has it */
	struct stat st;
	bool overlaid; /* in an overlay file system */
	struct dwarf_file *dwarf;
	bool dwarf_tried;
	struct unwind_table unwind;
	bool unwind_tried, has_unwind;
};

struct userland {
	struct types *types;
	const struct looker *by;
	struct file_entry *files[BUCKETS];
};

struct userland *userland_new(struct types *types)
{
	struct userland *u = calloc(1, sizeof(*u));

	if (u)
		u->types = types;
	return u;
}

void userland_look_by(struct userland *u, const struct looker *by)
{
	u->by = by;
}

static void entry_free(struct file_entry *e)
{
	dwarf_file_close(e->dwarf);
	if (e->unwind_tried)
		unwind_free(&e->unwind);
	image_free(e->file.image);
	if (e->file.at.fd >= 0)
		close(e->file.at.fd);
	free(e->path);
	free(e->shown);
	free(e);
}

void userland_free(struct userland *u)
{
	if (!u)
		return;
	for (int i = 0; i < BUCKETS; i++) {
		for (struct file_entry *e = u->files[i], *next; e; e = next) {
			next = e->next;
			entry_free(e);
		}
	}
	free(u);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* True if A and B were last changed at the same time, to the ns; their inode numbers are equal. */
static bool same_times(const struct stat *a, const struct stat *b)
{
	return process_version(a) == process_version(b) && a->st_ctim.tv_sec == b->st_ctim.tv_sec &&
		a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

/*
 * Probes belong to an inode.  In overlay file systems that share a layer one inode has several
 * device numbers, with the same inode number (Documentation/filesystems/overlayfs.rst, "Inode
 * properties"); its times tell such inodes from others.
 */
static void find_same(struct userland *u, struct file_entry *e)
{
	struct statfs fs;

	if (fstat(e->file.at.fd, &e->st))
		return;
	e->overlaid = !fstatfs(e->file.at.fd, &fs) && fs.f_type == OVERLAYFS_SUPER_MAGIC;
	for (int i = 0; i < BUCKETS; i++) {
		for (struct file_entry *k = u->files[i]; k; k = k->next) {
			if (k->st.st_ino != e->st.st_ino || k->file.same)
				continue;
			if (k->st.st_dev == e->st.st_dev
					? process_version(&k->st) == process_version(&e->st)
					: (k->overlaid || e->overlaid) &&
						same_times(&k->st, &e->st))
				e->file.same = &k->file;
			if (e->file.same)
				e->file.at.same = &e->file.same->at;
		}
	}
}

/*
 * Returns the file open as FD, which is taken; by what is found below ROOT its debug files are
 * searched.
 */
static struct file_entry *entry_new(
	const struct looker *by, int fd, pid_t pid, const char *path, int *err)
{
	struct file_entry *e = calloc(1, sizeof(*e));
	char root[32];
	struct elf_place at = {.root = root, .pid = pid, .by = by};

	if (!e) {
		close(fd);
		*err = -ENOMEM;
		return NULL;
	}
	e->file.at.fd = fd;
	root[0] = '\0';
	if (pid)
		snprintf(root, sizeof(root), "/proc/%d/root", living_thread(pid));
	e->shown = strdup(path);
	if (!e->shown || asprintf(&e->path, "%s%s", root, path) < 0) {
		e->path = NULL;
		*err = -ENOMEM;
	} else {
		e->file.at.path = e->shown;
		e->file.name = base_name(e->shown);
		e->file.image = image_open_at(fd, &at, err);
	}
	if (e->file.image)
		return e;
	entry_free(e);
	return NULL;
}

struct user_file *userland_file(
	struct userland *u, pid_t pid, const struct process_object *o, int *err)
{
	struct file_entry **bucket = &u->files[(o->ino * 31 + o->dev) % BUCKETS], *e;
	int fd;

	/* the same file may be known by another name, which its probes' module is */
	for (e = *bucket; e; e = e->next)
		if (e->file.ino == o->ino && e->file.dev == o->dev && !strcmp(e->shown, o->path) &&
			(!o->version || o->version == process_version(&e->st)))
			return &e->file;
	fd = process_open_by(u->by, pid, o);
	if (fd < 0) {
		*err = fd;
		return NULL;
	}
	e = entry_new(u->by, fd, pid, o->path, err);
	if (!e)
		return NULL;
	e->file.dev = o->dev;
	e->file.ino = o->ino;
	find_same(u, e);
	e->next = *bucket;
	*bucket = e;
	return &e->file;
}

struct dwarf_file *userland_dwarf(struct userland *u, struct user_file *f)
{
	struct file_entry *e = (struct file_entry *)f; /* its first member */
	int err;

	if (!e->dwarf_tried)
		e->dwarf = dwarf_file_open(u->types, f->at.fd, e->path, &err);
	e->dwarf_tried = true;
	return e->dwarf;
}

const struct unwind_table *userland_unwind(struct user_file *f)
{
	struct file_entry *e = (struct file_entry *)f;
	int err;

	if (!e->unwind_tried) {
		err = unwind_read(f->at.fd, &e->unwind);
		e->has_unwind = !err || err == -ENOENT;
	}
	e->unwind_tried = true;
	return e->has_unwind ? &e->unwind : NULL;
}
