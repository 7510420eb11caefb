// SPDX-License-Identifier: Apache-2.0
/*
 * dwarf_file: opening a file's debug information, which may be in a file of its own.
 *
 * Where that is: GDB's manual, "Separate Debug Files".
 */
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "types/dwarf_int.h"

#define DEBUG_ROOT "/usr/lib/debug"

/* ---- the file ---- */

static int check_machine(Elf *elf)
{
	GElf_Ehdr eh;

	if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &eh))
		return -ENOEXEC;
	if (eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_ident[EI_DATA] != ELFDATA2LSB ||
		eh.e_machine != EM_X86_64)
		return -ENOTSUP;
	return 0;
}

static bool has_units(Dwarf *dbg)
{
	Dwarf_CU *cu = NULL;

	return dwarf_get_units(dbg, NULL, &cu, NULL, NULL, NULL, NULL) == 0;
}

/* What was opened of one file. */
struct opened {
	int fd;
	Elf *elf;
	Dwarf *dbg;
};

static void close_opened(struct opened *o)
{
	if (o->dbg)
		dwarf_end(o->dbg);
	if (o->elf)
		elf_end(o->elf);
	if (o->fd >= 0)
		close(o->fd);
	*o = (struct opened){.fd = -1};
}

/*
 * libdw decompresses all debug sections when it opens a file.  Those that say nothing of types,
 * half of the work, are hidden from it: in our copy of the section headers they have no bytes.
 */
static void hide_sections(Elf *elf)
{
	static const char *const names[] = {".debug_line", ".debug_loc", ".debug_loclists",
		".debug_frame", ".debug_macro", ".debug_macinfo", ".zdebug_line", ".zdebug_loc"};
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings))
		return;
	for (Elf_Scn *scn = elf_nextscn(elf, NULL); scn; scn = elf_nextscn(elf, scn)) {
		GElf_Shdr sh;
		const char *name =
			gelf_getshdr(scn, &sh) ? elf_strptr(elf, strings, sh.sh_name) : NULL;

		for (size_t i = 0; name && i < sizeof(names) / sizeof(names[0]); i++) {
			if (!strcmp(name, names[i])) {
				sh.sh_type = SHT_NOBITS;
				gelf_update_shdr(scn, &sh);
			}
		}
	}
}

/* FD is O's from here on.  0, or an error; without debug information O->dbg is NULL. */
static int open_elf(struct opened *o, int fd)
{
	int err;

	*o = (struct opened){.fd = fd};
	if (fd < 0)
		return -EIO;
	o->elf = elf_begin(fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	err = o->elf ? check_machine(o->elf) : -EIO;
	if (err) {
		close_opened(o);
		return err;
	}
	hide_sections(o->elf);
	o->dbg = dwarf_begin_elf(o->elf, DWARF_C_READ, NULL);
	if (o->dbg && !has_units(o->dbg)) {
		dwarf_end(o->dbg);
		o->dbg = NULL;
	}
	return 0;
}

/* ---- separate debug files ---- */

/* The file that is asked about, and where to look. */
struct sought {
	const void *build_id;
	ssize_t build_id_len; /* <= 0: has none */
	const char *link;     /* .gnu_debuglink; NULL: none */
	GElf_Word crc;
	char root[64];	     /* "/proc/PID/root" or "" */
	char path[PATH_MAX]; /* below root */
};

static bool same_build_id(const struct sought *s, Elf *elf)
{
	const void *id;
	ssize_t n = dwelf_elf_gnu_build_id(elf, &id);

	return n > 0 && n == s->build_id_len && !memcmp(id, s->build_id, (size_t)n);
}

static bool same_crc(const struct sought *s, int fd)
{
	uLong crc = crc32(0, NULL, 0);
	static const off_t piece = 65536;
	uint8_t *b = malloc((size_t)piece);
	ssize_t n = -1;

	for (off_t off = 0; b && (n = pread(fd, b, (size_t)piece, off)) > 0; off += n)
		crc = crc32(crc, b, (uInt)n);
	free(b);
	return n == 0 && crc == s->crc;
}

/* Whether the file at PATH is the debug file that is sought and has something to say. */
static bool try_path(struct opened *o, const struct sought *s, bool by_link, const char *path)
{
	/* O_NONBLOCK: whatever it is, opening it must not wait */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return false;
	}
	if (open_elf(o, fd))
		return false;
	if (o->dbg && (s->build_id_len > 0 ? same_build_id(s, o->elf) : by_link && same_crc(s, fd)))
		return true;
	close_opened(o);
	return false;
}

static bool try_build_id(struct opened *o, const struct sought *s, const char *root)
{
	const uint8_t *id = s->build_id;
	char path[PATH_MAX];
	int n;

	if (s->build_id_len < 2 || s->build_id_len > 64)
		return false;
	n = snprintf(path, sizeof(path), "%s" DEBUG_ROOT "/.build-id/%02x/", root, id[0]);
	for (ssize_t i = 1; i < s->build_id_len; i++)
		n += snprintf(path + n, sizeof(path) - (size_t)n, "%02x", id[i]);
	snprintf(path + n, sizeof(path) - (size_t)n, ".debug");
	return try_path(o, s, false, path);
}

static bool try_link(struct opened *o, const struct sought *s)
{
	const char *slash = strrchr(s->path, '/');
	int dir = slash ? (int)(slash - s->path) : 0;
	char path[PATH_MAX * 2];
	/* a path in the link would lead away from the places there are */
	const char *link = s->link && *s->link && !strchr(s->link, '/') ? s->link : NULL;

	if (!link)
		return false;
	snprintf(path, sizeof(path), "%s%.*s%s%s", s->root, dir, s->path, slash ? "/" : "", link);
	if (try_path(o, s, true, path))
		return true;
	snprintf(path, sizeof(path), "%s%.*s%s.debug/%s", s->root, dir, s->path, slash ? "/" : "",
		link);
	if (try_path(o, s, true, path))
		return true;
	snprintf(path, sizeof(path), "%s" DEBUG_ROOT "%.*s/%s", s->root, dir, s->path, link);
	return try_path(o, s, true, path);
}

/* Sets S->root and S->path from PATH. */
static void split_path(struct sought *s, const char *path)
{
	char whole[PATH_MAX];
	int pid, n = 0;

	if (sscanf(path, "/proc/%d/root%n", &pid, &n) == 1 && n && path[n] == '/') {
		snprintf(s->root, sizeof(s->root), "/proc/%d/root", pid);
		snprintf(s->path, sizeof(s->path), "%s", path + n);
		return;
	}
	if (!realpath(path, whole))
		snprintf(whole, sizeof(whole), "%s", path);
	snprintf(s->path, sizeof(s->path), "%s", whole);
}

/* The debug information of O's file from elsewhere: O becomes that. */
static bool open_separate(struct opened *o, const char *path)
{
	struct sought s = {.root = ""};
	struct opened other;

	s.build_id_len = dwelf_elf_gnu_build_id(o->elf, &s.build_id);
	s.link = dwelf_elf_gnu_debuglink(o->elf, &s.crc);
	split_path(&s, path);
	if (!try_build_id(&other, &s, s.root) && !(*s.root && try_build_id(&other, &s, "")) &&
		!try_link(&other, &s))
		return false;
	close_opened(o);
	*o = other;
	return true;
}

/* ---- supplementary files ---- */

/*
 * .gnu_debugaltlink (DWARF 5, 7.3.6): what several debug files share.  libdw opens it itself, but
 * not that of a process with another file system.
 */
static void open_alt(struct dwarf_file *f, const char *path)
{
	struct sought s = {.root = ""};
	struct opened o;
	const char *name;
	char full[PATH_MAX + sizeof(s.root)];

	s.build_id_len = dwelf_dwarf_gnu_debugaltlink(f->dbg, &name, &s.build_id);
	if (s.build_id_len <= 0)
		return;
	split_path(&s, path);
	snprintf(full, sizeof(full), "%s%s", s.root, name);
	if (*s.root && (try_path(&o, &s, false, full) || try_build_id(&o, &s, s.root))) {
		dwarf_setalt(f->dbg, o.dbg);
		f->alt_fd = o.fd;
		f->alt_elf = o.elf;
		f->alt = o.dbg;
	}
	if (!dwarf_getalt(f->dbg))
		dwarf_miss(f, "part of the debug information of %s is in %s, which is not there",
			f->path, name);
}

/* ---- the interface ---- */

struct dwarf_file *dwarf_file_open(struct types *types, int fd, const char *path, int *err)
{
	struct dwarf_file *f;
	struct opened o;

	elf_version(EV_CURRENT);
	*err = open_elf(&o, fcntl(fd, F_DUPFD_CLOEXEC, 0));
	if (*err)
		return NULL;
	if (!o.dbg && !open_separate(&o, path)) {
		close_opened(&o);
		*err = -ENODATA;
		return NULL;
	}
	f = arena_new_obj(types->arena, struct dwarf_file);
	f->arena = arena_new();
	if (!f->arena) {
		close_opened(&o);
		*err = -ENOMEM;
		return NULL;
	}
	f->types = types;
	f->units.arena = f->by_pc.arena = f->by_data.arena = f->arena;
	f->nodes.arena = types->arena;
	f->fd = o.fd;
	f->elf = o.elf;
	f->dbg = o.dbg;
	f->scanning = o.dbg;
	f->alt_fd = -1;
	f->path = arena_strdup(types->arena, path);
	open_alt(f, path);
	return f;
}

void dwarf_file_close(struct dwarf_file *f)
{
	if (!f || !f->dbg)
		return;
	close_opened(&(struct opened){f->fd, f->elf, f->dbg});
	close_opened(&(struct opened){f->alt_fd, f->alt_elf, f->alt});
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
