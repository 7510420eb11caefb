// SPDX-License-Identifier: Apache-2.0
/* Opens and closes the debug information of a file for the DWARF reader. */
#include <errno.h>
#include <stdio.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "elf/bounds.h"
#include "elf/debugfile.h"
#include "elf/file.h"
#include "elf/units.h"
#include "types/dwarf.h"
#include "types/dwarf_int.h"

/* PATH as a place: one below /proc/PID/root is of that process; ROOT is room for that folder. */
static struct elf_place place_of(const char *path, char root[64])
{
	int pid, n = 0;

	if (sscanf(path, "/proc/%d/root%n", &pid, &n) != 1 || !n || path[n] != '/')
		return (struct elf_place){.path = path};
	snprintf(root, 64, "/proc/%d/root", pid);
	return (struct elf_place){.root = root, .path = path + n};
}

static int open_dwarf(struct elf_dwarf *d, int fd, const char *path)
{
	char root[64];
	struct elf_place at = place_of(path, root);
	struct elf_file f;
	int err = elf_file_open(&f, fd);

	if (err)
		return err;
	if (f.is_32bit || f.eh.e_machine != ARCH_ELF)
		err = -ENOTSUP;
	else
		err = elf_dwarf_open(d, &f, &at, ELF_DWARF_TYPES);
	elf_file_close(&f);
	return err;
}

/* Returns a file in which nothing is found, and that says why. */
static struct dwarf_file *too_large(struct types *types, const char *path)
{
	struct dwarf_file *f = arena_new_obj(types->arena, struct dwarf_file);

	f->types = types;
	f->path = arena_strdup(types->arena, path);
	dwarf_miss(f,
		"the debug information of %s is larger than %llu GB, or its units would take more than %llu GB of memory, and is not read",
		path, ELF_DWARF_MOST >> 30, UNITS_MOST >> 30);
	return f;
}

static void close_dwarf(void *f)
{
	dwarf_file_close(f);
}

struct dwarf_file *dwarf_file_open(struct types *types, int fd, const char *path, int *err)
{
	struct dwarf_file *f = arena_new_obj(types->arena, struct dwarf_file);
	struct elf_dwarf d;

	*err = open_dwarf(&d, fd, path);
	if (*err == -EFBIG)
		return too_large(types, path);
	if (*err)
		return NULL;
	f->arena = arena_new_below(types->arena);
	if (!f->arena) {
		elf_dwarf_close(&d);
		*err = -ENOMEM;
		return NULL;
	}
	f->types = types;
	f->units.arena = f->by_pc.arena = f->by_data.arena = f->arena;
	f->nodes.arena = types->arena;
	f->dwarf = d;
	f->dbg = d.main.dbg;
	f->scanning = f->dbg;
	f->ranges_left = DWARF_RANGES_MOST;
	f->names_left = DWARF_NAMES_MOST;
	arena_own(types->arena, close_dwarf, f);
	f->path = arena_strdup(types->arena, path);
	if (d.missing)
		dwarf_miss(f, "part of the debug information of %s is in %s, which is not there",
			path, d.missing);
	arena_disown(types->arena, f);
	return f;
}

void dwarf_file_close(struct dwarf_file *f)
{
	if (!f || !f->dbg)
		return;
	elf_dwarf_close(&f->dwarf);
	arena_free(f->arena);
	f->dbg = NULL;
	f->arena = NULL;
}

const char *dwarf_file_missing(const struct dwarf_file *f)
{
	return f->missing;
}

void dwarf_miss(struct dwarf_file *f, const char *fmt, ...)
{
	va_list ap;

	if (f->missing)
		return;
	va_start(ap, fmt);
	f->missing = arena_vprintf(f->types->arena, fmt, ap);
	va_end(ap);
}
