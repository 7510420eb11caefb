// SPDX-License-Identifier: Apache-2.0
/* Opens .dwo files for libdw, and keeps libdw from opening any by itself. */
#define _GNU_SOURCE /* memfd_create() */
#include "elf/split.h"

#include <dwarf.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/interrupt.h"
#include "base/rooted.h"
#include "base/transfer.h"
#include "elf/bounds.h"
#include "elf/debugfile.h"
#include "elf/dwarf.h"
#include "elf/units.h"

#define FILE_MOST  (1ull << 30) /* bytes of a .dwo or .dwp file: others are not read */
#define NAMES_MOST (64u << 20)	/* bytes of all names of a file; a browser's take 3 MB */
#define LENT_SIZE  32		/* bytes of the path that libdw is given */
#define ROOT_OURS  (-1)
#define ROOT_LOST  (-2) /* the process has ended */

/* The .dwo file of a skeleton. */
struct dwo {
	bool looked_for;
	int err; /* why it was not found */
	char name[];
};

/* ---- names ---- */

static const unsigned int name_attrs[] = {DW_AT_dwo_name, DW_AT_GNU_dwo_name};

/* Returns the string of attribute NAME as libdw finds it when it opens the file itself; or NULL. */
static char *raw_name(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute a;

	return dwarf_attr(die, name, &a) ? (char *)(uintptr_t)dwarf_formstring(&a) : NULL;
}

static const char *checked(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute a;

	return dwarf_attr(die, name, &a) ? elf_dwarf_string(&a) : NULL;
}

/* True if libdw takes nothing else for the name of a .dwo file than strings that do end. */
static bool are_strings(Dwarf_Die *die)
{
	for (int i = 0; i < 2; i++)
		if (raw_name(die, name_attrs[i]) && !checked(die, name_attrs[i]))
			return false;
	return true;
}

/* Notes the name of DIE, of skeleton CU; false: no memory.  Longer ones are no paths. */
static bool note_name(struct elf_split *s, Dwarf_CU *cu, Dwarf_Die *die)
{
	const char *name = checked(die, DW_AT_dwo_name);
	struct dwo *o;
	size_t len;

	if (!name)
		name = checked(die, DW_AT_GNU_dwo_name);
	len = name ? strnlen(name, PATH_MAX) : 0;
	if (!len || len == PATH_MAX || s->names + len + sizeof(*o) > NAMES_MOST)
		return true;
	s->names += len + sizeof(*o);
	o = calloc(1, sizeof(*o) + len + 1);
	if (o && !intmap_put_ptr(&s->files, (uintptr_t)cu, o)) {
		memcpy(o->name, name, len);
		return true;
	}
	free(o);
	return false;
}

/* Calls WHAT for each skeleton of DBG, until it returns false or a request to end comes. */
static bool each_skeleton(
	Dwarf *dbg, struct elf_split *s, bool (*what)(struct elf_split *, Dwarf_CU *, Dwarf_Die *))
{
	const unsigned requests = interrupt_count();
	Dwarf_CU *cu = NULL;
	uint8_t type;
	Dwarf_Die die;

	while (!dwarf_get_units(dbg, cu, &cu, NULL, &type, &die, NULL))
		if (interrupt_count() != requests ||
			(type == DW_UT_skeleton && die.addr && !what(s, cu, &die)))
			return false;
	return true;
}

static bool note(struct elf_split *s, Dwarf_CU *cu, Dwarf_Die *die)
{
	return are_strings(die) && (!s || note_name(s, cu, die));
}

/*
 * Keeps the length: in .debug_info, other attributes come after the string.  An empty name is
 * "FOLDER/", which opens folders only; one of PATH_MAX bytes cannot be opened.
 */
static bool hide(struct elf_split *s, Dwarf_CU *cu, Dwarf_Die *die)
{
	(void)s, (void)cu;
	for (int i = 0; i < 2; i++) {
		char *name = raw_name(die, name_attrs[i]);

		if (name)
			memset(name, '/', strnlen(name, PATH_MAX));
	}
	return true;
}

bool split_hide(Dwarf *dbg)
{
	return each_skeleton(dbg, NULL, note) && each_skeleton(dbg, NULL, hide);
}

const char *split_name(const struct elf_split *s, Dwarf_Die *unit)
{
	const struct dwo *o = intmap_get_ptr(&s->files, (uintptr_t)unit->cu);

	return o ? o->name : NULL;
}

static char *copy_of(const char *s)
{
	return *s ? strdup(s) : NULL;
}

static void note_place(struct elf_split *s, int fd, const struct elf_place *at)
{
	char dir[PATH_MAX];
	const char *slash = at->path ? strrchr(at->path, '/') : NULL;

	if (at->root && *at->root) {
		s->root = rooted_open(NULL, at->root, O_PATH | O_DIRECTORY, 0, ROOTED_LINKS);
		s->root = s->root < 0 ? ROOT_LOST : s->root;
	}
	if (elf_debug_folder(fd, dir, sizeof(dir)))
		s->folders[0] = copy_of(dir);
	if (slash &&
		snprintf(dir, sizeof(dir), "%.*s", (int)(slash + 1 - at->path), at->path) <
			(int)sizeof(dir))
		s->folders[1] = copy_of(dir);
}

bool split_begin(struct elf_split *s, Dwarf *main, int fd, const struct elf_place *at)
{
	/* split_no_alt() may have been called */
	s->root = ROOT_OURS;
	s->left = ELF_DWARF_MOST;
	if (!each_skeleton(main, s, note) || !each_skeleton(main, s, hide))
		return false;
	if (s->files.len)
		note_place(s, fd, at);
	return true;
}

void split_end(struct elf_split *s)
{
	if (s->none)
		dwarf_end(s->none);
	if (s->no_elf)
		elf_end(s->no_elf);
	intmap_for (slot, &s->files)
		free(slot->ptr);
	intmap_free(&s->files);
	for (int i = 0; i < 2; i++) {
		free(s->folders[i]);
		free(s->roomy[i]);
	}
	if (s->root >= 0)
		close(s->root);
	*s = (struct elf_split){.root = ROOT_OURS};
}

/* ---- a file without units ---- */

static const struct empty_file {
	Elf64_Ehdr eh;
	Elf64_Shdr sh[3];
	char names[32];
	uint64_t info;
} empty_file = {
	.eh =
		{
			.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				EV_CURRENT},
			.e_type = ET_DYN,
			.e_machine = ARCH_ELF,
			.e_version = EV_CURRENT,
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_shoff = offsetof(struct empty_file, sh),
			.e_shentsize = sizeof(Elf64_Shdr),
			.e_shnum = 3,
			.e_shstrndx = 1,
		},
	.sh = {{0},
		{
			.sh_name = 1,
			.sh_type = SHT_STRTAB,
			.sh_offset = offsetof(struct empty_file, names),
			.sh_size = 32,
			.sh_addralign = 1,
		},
		{
			.sh_name = 11,
			.sh_type = SHT_PROGBITS,
			.sh_offset = offsetof(struct empty_file, info),
			.sh_size = sizeof(uint64_t),
			.sh_addralign = 8,
		}},
	.names = "\0.shstrtab\0.debug_info",
};

Dwarf *split_no_alt(struct elf_split *s)
{
	if (!s->no_elf)
		s->no_elf = elf_memory((char *)&empty_file, sizeof(empty_file));
	if (s->no_elf && !s->none)
		s->none = dwarf_begin_elf(s->no_elf, DWARF_C_READ, NULL);
	return s->none;
}

/* ---- files ---- */

/* True if the ELF file open as FD may be given to libdw; its bytes are counted off. */
static bool is_bounded(struct elf_split *s, int fd)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	bool is = elf && elf_bounds_hold_dwarf(elf, &s->left);

	if (elf)
		elf_end(elf);
	return is;
}

/* Returns a copy of the file FROM, which its owner can no longer change; -EFBIG, -ENOMEM. */
static int copy_file(struct elf_split *s, int from)
{
	const size_t size = 64 * 1024;
	const unsigned requests = interrupt_count();
	int fd = memfd_create("dwo", MFD_CLOEXEC), r = 0;
	char *buf = malloc(size);
	uint64_t sum = 0;
	ssize_t n;

	if (fd < 0 || !buf)
		r = -ENOMEM;
	while (!r && (n = transfer_read(from, buf, size)) > 0) {
		sum += (uint64_t)n;
		r = sum > FILE_MOST || sum > s->left || interrupt_count() != requests
			? -EFBIG
			: transfer_write(fd, buf, (size_t)n);
	}
	free(buf);
	if (!r) {
		s->left -= sum;
		r = is_bounded(s, fd) ? 0 : -EFBIG;
	}
	if (!r)
		return fd;
	if (fd >= 0)
		close(fd);
	return r;
}

/* Opens FOLDER FURTHER NAME of the process; *WHY is why not, if something is there. */
static int open_in(const struct elf_split *s, const char *folder, const char *further,
	const char *name, int *why)
{
	char path[3 * PATH_MAX], root[32] = "";
	int fd;

	if (s->root == ROOT_LOST)
		return -ENOENT;
	if (s->root >= 0)
		snprintf(root, sizeof(root), "/proc/self/fd/%d", s->root);
	snprintf(path, sizeof(path), "%s%s%s%s", folder, further, *further ? "/" : "", name);
	fd = rooted_open_regular(root, path, FILE_MOST);
	if (fd == -ENODEV)
		*why = -EINVAL;
	else if (fd == -EFBIG)
		*why = fd;
	return fd;
}

/* True if the copy FD of a .dwo file has the unit that UNIT stands for. */
static bool has_unit(int fd, Dwarf_Die *unit)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	Dwarf *dbg = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
	bool holds = dbg && units_hold(elf);
	uint64_t wanted = 0, id = 0;
	Dwarf_CU *cu = NULL;
	uint8_t type = 0;
	bool has = false;

	dwarf_cu_info(unit->cu, NULL, NULL, NULL, NULL, &wanted, NULL, NULL);
	while (holds && !has && !dwarf_get_units(dbg, cu, &cu, NULL, &type, NULL, NULL))
		has = type == DW_UT_split_compile &&
			!dwarf_cu_info(cu, NULL, NULL, NULL, NULL, &id, NULL, NULL) && id == wanted;
	if (dbg)
		dwarf_end(dbg);
	if (elf)
		elf_end(elf);
	return has;
}

/*
 * Opens the .dwo file of UNIT where libdw looks for it, in the folder of the file, then in that of
 * the compilation, and returns a copy of it; or -ENOENT, -EINVAL, -EFBIG, -ENOMEM.
 */
static int open_copy(struct elf_split *s, Dwarf_Die *unit, const char *name)
{
	const char *dir = checked(unit, DW_AT_comp_dir);
	int why = -ENOENT;

	for (int i = 0; i < 4; i++) {
		const char *folder = i < 3 && *name != '/' ? s->folders[i % 2] : "";
		const char *further = i == 2 || i == 3 ? dir : "";
		int fd, copy;

		/* absolute names have one place, and so have those below an absolute folder */
		if (!folder || !further || (*name == '/' && i) || (i == 2 && *further == '/') ||
			(i == 3 && *further != '/'))
			continue;
		fd = open_in(s, folder, further, name, &why);
		if (fd < 0)
			continue;
		copy = copy_file(s, fd);
		close(fd);
		if (copy >= 0 && has_unit(copy, unit))
			return copy;
		if (copy >= 0)
			close(copy);
		else
			why = copy;
	}
	return why;
}

/* ---- what libdw is given ---- */

/* Finds section I of DBG, .debug_str or .debug_line_str; false: it has none. */
static bool strings_of(Dwarf *dbg, int i, struct elf_dwarf_data *data)
{
	static const char *const wanted[] = {".debug_str", ".debug_line_str"};
	static const char *const packed[] = {".zdebug_str", ".zdebug_line_str"};
	Elf *elf = dwarf_getelf(dbg);
	Elf_Scn *scn = NULL;
	const char *name;
	size_t strings;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(elf, &strings))
		return false;
	while ((scn = elf_nextscn(elf, scn))) {
		name = gelf_getshdr(scn, &sh) ? elf_strptr(elf, strings, sh.sh_name) : NULL;
		if (name && sh.sh_type != SHT_NOBITS &&
			(!strcmp(name, wanted[i]) || !strcmp(name, packed[i])))
			return elf_dwarf_data(scn, data);
	}
	return false;
}

/* Moves the sections of strings to where there is room after their end. */
static void make_room(struct elf_split *s, Dwarf *main)
{
	for (int i = 0; i < 2; i++) {
		struct elf_dwarf_data data;

		if (s->roomy[i] || !strings_of(main, i, &data))
			continue;
		s->roomy[i] = calloc(1, data.of[0]->d_size + LENT_SIZE);
		if (!s->roomy[i])
			continue;
		memcpy(s->roomy[i], data.of[0]->d_buf, data.of[0]->d_size);
		/* libelf frees what it has read by another pointer; who has a string keeps it */
		for (unsigned k = 0; k < data.n; k++)
			data.of[k]->d_buf = s->roomy[i];
	}
}

/* Returns where UNIT has its name, which LENT_SIZE bytes may take the place of; or NULL. */
static char *place_of_name(struct elf_split *s, Dwarf *main, Dwarf_Die *unit)
{
	char *at = raw_name(unit, DW_AT_dwo_name);

	if (!at)
		at = raw_name(unit, DW_AT_GNU_dwo_name);
	for (int i = 0; at && i < 2; i++) {
		const char *start = s->roomy[i];
		struct elf_dwarf_data data;

		if (start && strings_of(main, i, &data) && at >= start &&
			at < start + data.of[0]->d_size)
			return at;
	}
	return NULL;
}

/* Has libdw take the file open as FD for that of UNIT: 0 or -ENOENT. */
static int lend(struct elf_split *s, Dwarf *main, Dwarf_Die *unit, int fd)
{
	char saved[LENT_SIZE], *at;
	Dwarf_Die split = {0};
	int r;

	make_room(s, main);
	at = place_of_name(s, main, unit);
	if (!at)
		return -ENOENT;
	memcpy(saved, at, sizeof(saved));
	snprintf(at, sizeof(saved), "/proc/self/fd/%d", fd);
	r = dwarf_cu_info(unit->cu, NULL, NULL, NULL, &split, NULL, NULL, NULL);
	memcpy(at, saved, sizeof(saved));
	return r || !split.addr ? -ENOENT : 0;
}

int split_find(struct elf_split *s, Dwarf *main, Dwarf_Die *unit, Dwarf_Die *split)
{
	struct dwo *o = intmap_get_ptr(&s->files, (uintptr_t)unit->cu);
	int fd;

	*split = (Dwarf_Die){0};
	if (!o)
		return -ENOENT;
	if (!o->looked_for) {
		o->looked_for = true;
		fd = open_copy(s, unit, o->name);
		o->err = fd < 0 ? fd : lend(s, main, unit, fd);
		if (fd >= 0)
			close(fd);
	}
	if (o->err)
		return o->err;
	/* libdw has the unit, and opens nothing */
	return dwarf_cu_info(unit->cu, NULL, NULL, NULL, split, NULL, NULL, NULL) || !split->addr
		? -ENOENT
		: 0;
}
